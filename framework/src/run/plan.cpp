#include "run/plan.hpp"

#include "plugin/sample.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace fenchel {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

void answer_fact(void* context, std::int32_t about, std::int32_t id, fenchel_fact* out) {
  const std::uint32_t size = out->struct_size;
  *out = static_cast<const Problem*>(context)->constants().find(about, id).fact;
  out->struct_size = size;
}

// What the solver's theorem says of the problem it would solve. A repaired problem is solved to
// half of ε: the other half is the price.
void predict(Fit& fit, const Problem& solved, const Scale& scale) {
  fit.passes = kInfinity;
  const auto find = FENCHEL_MEMBER(fit.solver.table, oracle);
  const auto* oracle = find ? static_cast<const fenchel_rate_oracle*>(find("rate", 1)) : nullptr;
  if (!oracle) {
    fit.theorem = "states no rate";
    return;
  }
  const double epsilon = fit.needed.empty() ? scale.epsilon : 0.5 * scale.epsilon;
  const fenchel_rate_query query{sizeof(fenchel_rate_query),
                                 0,
                                 const_cast<Problem*>(&solved),
                                 answer_fact,
                                 &solved.shape(),
                                 epsilon,
                                 scale.initial,
                                 scale.distance};
  fenchel_rate rate{};
  rate.struct_size = sizeof rate;
  if (oracle->predict(fit.solver.self, &query, &rate) != FENCHEL_OK)
    throw part_failure("solver", fit.solver, "'rate' failed");
  if (rate.passes > 0.0) fit.passes = rate.passes;
  fit.bytes = rate.bytes;
  fit.theorem = rate.theorem ? rate.theorem : "";
}

class Planner {
 public:
  Planner(const Problem& problem, const Spec& spec, const Plan& plan, bool predicting)
      : problem_(problem), spec_(spec), plan_(plan), predicting_(predicting) {}

  Fit fit(SolverPart solver) const {
    Fit fit;
    fit.check = check_problem(problem_, solver);
    fit.solver = std::move(solver);
    fit.fits = fit.check.accepted;
    std::unique_ptr<Problem> other;
    if (!fit.fits) other = find_repairs(fit);
    fit.allowed = fit.fits || (fit.fits_repaired && all_allowed(fit.needed));
    if (predicting_ && (fit.fits || fit.fits_repaired))
      predict(fit, other ? *other : problem_, plan_.scale);
    return fit;
  }

 private:
  // The fewest repairs that help: one alone where that is enough, else both.
  std::unique_ptr<Problem> find_repairs(Fit& fit) const {
    std::vector<std::vector<Repair>> attempts;
    for (const Repair& repair : plan_.possible) attempts.push_back({repair});
    // Together they share the price.
    Scale shared = plan_.scale;
    shared.epsilon /= 2.0;
    if (plan_.possible.size() > 1)
      attempts.push_back(possible_repairs(problem_, shared, spec_.smoothing));
    for (std::vector<Repair>& repairs : attempts) {
      std::unique_ptr<Problem> other = repaired(problem_, repairs);
      if (!check_problem(*other, fit.solver).accepted) continue;
      fit.fits_repaired = true;
      fit.needed = std::move(repairs);
      return other;
    }
    return nullptr;
  }

  bool all_allowed(const std::vector<Repair>& repairs) const {
    return std::all_of(repairs.begin(), repairs.end(), [&](const Repair& repair) {
      return std::find(spec_.repair.begin(), spec_.repair.end(), repair.name) != spec_.repair.end();
    });
  }

  const Problem& problem_;
  const Spec& spec_;
  const Plan& plan_;
  bool predicting_;  // rates may ask for |A|, which costs passes
};

// Those that may run before those that may not; fewer passes first.
bool cheaper(const Fit& a, const Fit& b) {
  if (a.allowed != b.allowed) return a.allowed;
  const bool a_possible = a.fits || a.fits_repaired, b_possible = b.fits || b.fits_repaired;
  if (a_possible != b_possible) return a_possible;
  return a.passes < b.passes;
}

std::string repairs_text(const std::vector<Repair>& repairs) {
  std::string names, prices;
  for (const Repair& repair : repairs) {
    names += (names.empty() ? "" : ", ") + repair.name;
    prices += (prices.empty() ? "" : "; ") + repair.text;
  }
  return fmt::format("'repair: [{}]' would make it fit: {}", names, prices);
}

}  // namespace

std::string Plan::refusal() const {
  if (chosen.allowed) return {};
  std::string text = automatic ? "no installed solver fits this problem" : chosen.check.refusal;
  if (automatic && !ranking.empty()) text += ": " + chosen.check.refusal;
  if (chosen.fits_repaired) text += "; " + repairs_text(chosen.needed);
  // The same solver with other parameters is the nearest thing to what was asked for.
  const Fit* other = nullptr;
  for (const Fit& fit : ranking) {
    if (!fit.fits || fit.solver.text == chosen.solver.text) continue;
    if (!other || fit.solver.id == chosen.solver.id) other = &fit;
  }
  if (other)
    return text +
           fmt::format("; or take solver '{}'{}, which fits", other->solver.id,
                       other->solver.id == chosen.solver.id ? " with its default parameters" : "");
  if (!chosen.fits_repaired) text += "; no repair and no other installed solver would help";
  return text;
}

Plan make_plan(const Problem& problem, const Spec& spec, const Registry& registry, bool rank) {
  Plan plan;
  plan.automatic = spec.solver.name == "auto";
  plan.scale = measure_scale(problem, spec.stop);
  plan.possible = possible_repairs(problem, plan.scale, spec.smoothing);
  const Planner planner(problem, spec, plan, rank);
  if (!plan.automatic)
    plan.chosen = planner.fit(registry.make_solver(spec.solver, problem.shape()));
  if (rank || plan.automatic || !plan.chosen.allowed) {
    const Planner ranker(problem, spec, plan, true);
    for (const Plugin& plugin : registry.plugins())
      if (plugin.card->kind == FENCHEL_KIND_SOLVER)
        plan.ranking.push_back(
            ranker.fit(make_solver(plugin, sample_of(*plugin.card).component, problem.shape())));
    std::stable_sort(plan.ranking.begin(), plan.ranking.end(), cheaper);
  }
  if (plan.automatic && !plan.ranking.empty()) plan.chosen = plan.ranking.front();
  if (plan.chosen.allowed) plan.repaired = problem_for(plan.chosen, problem);
  return plan;
}

std::unique_ptr<Problem> problem_for(const Fit& fit, const Problem& problem) {
  return fit.needed.empty() ? nullptr : repaired(problem, fit.needed);
}

}  // namespace fenchel
