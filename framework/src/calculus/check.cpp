#include "calculus/check.hpp"

#include "plugin/describe.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace fenchel {
namespace {

std::string found_text(const fenchel_fact& fact) {
  if (fact.state == FENCHEL_KNOWN) return fmt::format("known, {:g}", fact.value);
  return fact.state == FENCHEL_ABSENT ? "absent" : "unknown";
}

bool satisfied(const fenchel_requirement& r, const fenchel_fact& fact) {
  const bool known = fact.state == FENCHEL_KNOWN;
  switch (r.relation) {
    case FENCHEL_RELATION_KNOWN: return known;
    case FENCHEL_RELATION_AT_LEAST: return known && fact.value >= r.value;
    case FENCHEL_RELATION_AT_MOST: return known && fact.value <= r.value;
    case FENCHEL_RELATION_POSSIBLE: return fact.state != FENCHEL_ABSENT;
    default: return false;  // a relation of a later version: not understood, so not granted
  }
}

// What the certificate itself needs, whatever the solver.
std::vector<fenchel_requirement> host_requirements(const Problem& problem) {
  constexpr std::int32_t kEither = 1000;  // a number that no solver gives its own alternatives
  const auto need = [](std::int32_t about, std::int32_t fact, std::int32_t either) {
    return fenchel_requirement{
        sizeof(fenchel_requirement),         about, fact, FENCHEL_RELATION_KNOWN, 0.0, either, 0,
        "the certificate evaluates the dual"};
  };
  std::vector<fenchel_requirement> list = {
      need(FENCHEL_ABOUT_LOSS, FENCHEL_FACT_HAS_CONJUGATE, kEither),
      need(FENCHEL_ABOUT_REGULARIZER, FENCHEL_FACT_HAS_CONJUGATE, 0)};
  // A smooth loss is certified at its own gradient by the equality of Fenchel and Young.
  if (!problem.constants().find(FENCHEL_ABOUT_LOSS, FENCHEL_FACT_HAS_CONJUGATE).known())
    list.push_back(need(FENCHEL_ABOUT_LOSS, FENCHEL_FACT_SMOOTHNESS, kEither));
  return list;
}

std::vector<fenchel_requirement> all_requirements(const Problem& problem,
                                                  const SolverPart& solver) {
  std::vector<fenchel_requirement> list = host_requirements(problem);
  const std::vector<fenchel_requirement> own = requirements_of(solver);
  list.insert(list.end(), own.begin(), own.end());
  return list;
}

std::string refusal_text(const std::vector<Verdict>& verdicts, const std::string& solver) {
  std::set<std::int32_t> settled;
  for (const Verdict& v : verdicts)
    if (v.holds && v.alternative > 0) settled.insert(v.alternative);
  std::string text;
  for (const Verdict& v : verdicts) {
    if (v.holds || settled.contains(v.alternative)) continue;
    std::string one = fmt::format("{} of the {} must be {}, found {} ({})", v.fact, v.about,
                                  v.needed, v.found, v.why);
    for (const Verdict& other : verdicts)
      if (v.alternative > 0 && other.alternative == v.alternative && &other != &v)
        one += fmt::format("; or {} of the {} {}, found {}", other.fact, other.about, other.needed,
                           other.found);
    if (v.alternative > 0) settled.insert(v.alternative);
    text += (text.empty() ? fmt::format("solver '{}' does not fit: ", solver) : "; and ") + one;
  }
  return text;
}

Constant constant(const char* name, const Derived& derived) {
  const std::int32_t state = derived.fact.state;
  return {name, state_name(state), derived.fact.value, derived.derivation};
}

// What the rows of A are made of, where it is not one row of the data each.
std::string data_text(const Problem& problem) {
  const fenchel_shape& shape = problem.shape();
  if (problem.loss().table->layout != FENCHEL_LAYOUT_CHAIN) return {};
  const std::int64_t k = shape.outputs;
  return fmt::format(
      "\n         {} sequences of at most {} positions, {} labels, {} attributes{}", shape.blocks,
      (shape.widest_block - k * k) / k, k, shape.features,
      shape.transitions
          ? fmt::format(", {} of {} transitions allowed",
                        std::count(shape.transitions, shape.transitions + k * k, 1), k * k)
          : "");
}

}  // namespace

Check check_problem(const Problem& problem, const SolverPart& solver) {
  Check check;
  for (const fenchel_requirement& r : all_requirements(problem, solver)) {
    const Derived found = problem.constants().find(r.about, r.fact);
    check.verdicts.push_back({about_name(r.about), fact_name(r.fact), relation_text(r),
                              found_text(found.fact), r.why ? r.why : "", r.alternative,
                              satisfied(r, found.fact)});
  }
  check.refusal = refusal_text(check.verdicts, solver.id);
  check.accepted = check.refusal.empty();
  return check;
}

std::string problem_formula(const Problem& problem) {
  const fenchel_shape& shape = problem.shape();
  const bool whole = problem.loss().table->layout == FENCHEL_LAYOUT_WHOLE;
  return fmt::format(
      "minimise over w in R^{}:  J(w) = Omega(w) + {}\n"
      "  Omega  {}\n  phi    {}\n  A      {} scores x {} parameters, {} stored entries{}",
      shape.parameters,
      whole ? "phi(A w)" : fmt::format("(1/{}) sum_i phi_i((A w)_i)", shape.blocks),
      problem.regularizer().text, problem.loss().text, shape.scores, shape.parameters,
      shape.entries, data_text(problem));
}

std::vector<Constant> problem_constants(const Problem& problem, bool measure_all) {
  struct Entry {
    const char* name;
    std::int32_t about, id;
    bool costly;
  };
  static constexpr Entry kEntries[] = {
      {"loss_lipschitz", FENCHEL_ABOUT_LOSS, FENCHEL_FACT_LIPSCHITZ, false},
      {"loss_smoothness", FENCHEL_ABOUT_LOSS, FENCHEL_FACT_SMOOTHNESS, false},
      {"loss_strong_convexity", FENCHEL_ABOUT_LOSS, FENCHEL_FACT_STRONG_CONVEXITY, false},
      {"regularizer_strong_convexity", FENCHEL_ABOUT_REGULARIZER, FENCHEL_FACT_STRONG_CONVEXITY,
       false},
      {"regularizer_smoothness", FENCHEL_ABOUT_REGULARIZER, FENCHEL_FACT_SMOOTHNESS, false},
      {"block_norm", FENCHEL_ABOUT_PROBLEM, FENCHEL_FACT_BLOCK_NORM, false},
      {"mean_squared_norm", FENCHEL_ABOUT_PROBLEM, FENCHEL_FACT_MEAN_SQUARED_NORM, false},
      {"risk_lipschitz", FENCHEL_ABOUT_PROBLEM, FENCHEL_FACT_RISK_LIPSCHITZ, false},
      {"operator_norm", FENCHEL_ABOUT_PROBLEM, FENCHEL_FACT_OPERATOR_NORM, true},
      {"risk_smoothness", FENCHEL_ABOUT_PROBLEM, FENCHEL_FACT_RISK_SMOOTHNESS, true},
      {"risk_strong_convexity", FENCHEL_ABOUT_PROBLEM, FENCHEL_FACT_RISK_STRONG_CONVEXITY, false}};
  std::vector<Constant> list;
  for (const Entry& e : kEntries)
    if (measure_all || !e.costly)
      list.push_back(constant(e.name, problem.constants().find(e.about, e.id)));
  return list;
}

}  // namespace fenchel
