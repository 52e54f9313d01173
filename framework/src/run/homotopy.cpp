#include "run/homotopy.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace fenchel {
namespace {

bool leveled(const Repair& repair) { return repair.factor > 0.0; }

// The coarsest level changes J by at most a tenth of what there is to gain.
double first_level(const Repair& repair, const Scale& scale) {
  constexpr double kShare = 0.1;
  const double gain = std::isfinite(scale.initial) ? scale.initial : std::abs(scale.at_zero);
  return std::max(repair.value, repair.value * kShare * gain / repair.price);
}

// A level need only be solved to about the price of the one before it.
StopSpec stop_at(const Repair& level, const StopSpec& stop) {
  StopSpec coarse = stop;
  coarse.relative_gap.reset();
  coarse.gap = std::max((1.0 + level.factor) * level.price, stop.gap.value_or(0.0));
  return coarse;
}

}  // namespace

bool anneals(const Fit& fit) { return std::any_of(fit.needed.begin(), fit.needed.end(), leveled); }

void run_homotopy(Chain& chain, const Problem& problem, const Fit& fit, const Scale& scale,
                  const StopSpec& stop) {
  std::vector<Repair> repairs = fit.needed;
  Repair& moving = *std::find_if(repairs.begin(), repairs.end(), leveled);
  const Repair finest = moving;
  const double first = first_level(finest, scale);
  int levels = 0;
  for (double value = first;; value = std::max(value / finest.factor, finest.value)) {
    moving = at_level(finest, value);
    const bool last = value <= finest.value;
    const std::unique_ptr<Problem> solved = repaired(problem, repairs);
    const RunOutcome& now = chain.run(*solved, fit.solver, last ? stop : stop_at(moving, stop));
    ++levels;
    if (meets(now, stop)) {
      chain.converged(tolerance_text(now, stop));
      break;
    }
    if (last || (now.status != Status::converged && !now.spent)) break;
  }
  chain.note(fmt::format("{} levels of {}, from {:.3g} to {:.3g}", levels, moving.parameter, first,
                         moving.value));
}

}  // namespace fenchel
