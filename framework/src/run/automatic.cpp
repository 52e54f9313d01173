#include "run/automatic.hpp"

#include "run/chain.hpp"
#include "run/homotopy.hpp"

#include <fmt/format.h>

#include <cmath>

namespace fenchel {
namespace {

constexpr double kBehind =
    2.0;  // times the predicted passes: a bound that is exceeded so far is not one

// The next that may run after the chosen one.
const Fit* next_candidate(const Plan& plan) {
  for (const Fit& fit : plan.ranking)
    if (fit.allowed && fit.solver.id != plan.chosen.solver.id) return &fit;
  return nullptr;
}

}  // namespace

PlanOutcome run_plan(const Problem& problem, const Plan& plan, const RunOptions& options,
                     const Watch& watch, const std::atomic<bool>& interrupt) {
  Chain chain(problem, options, watch, interrupt);
  if (anneals(plan.chosen)) {
    run_homotopy(chain, problem, plan.chosen, plan.scale, options.stop);
    return {chain.take(), {&plan.chosen}, {}};
  }
  const Problem& solved = plan.repaired ? *plan.repaired : problem;
  const Fit* next = plan.automatic ? next_candidate(plan) : nullptr;
  const bool watched = next && std::isfinite(plan.chosen.passes);
  const RunOutcome& first = chain.run(solved, plan.chosen.solver, options.stop,
                                      watched ? kBehind * plan.chosen.passes : 0.0);
  if (!first.behind) return {chain.take(), {&plan.chosen}, {}};

  std::string event = fmt::format(
      "after {:.1f} passes solver '{}' was behind its prediction of {:.3g}: changed to '{}'",
      first.passes, plan.chosen.solver.id, plan.chosen.passes, next->solver.id);
  const std::unique_ptr<Problem> other = problem_for(*next, problem);
  chain.run(other ? *other : problem, next->solver, options.stop);
  return {chain.take(), {&plan.chosen, next}, std::move(event)};
}

}  // namespace fenchel
