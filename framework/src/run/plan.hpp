// Which solver runs on which problem: every candidate held against the problem, with the repairs it
// would need and what its theorem promises.
#pragma once

#include "calculus/check.hpp"
#include "calculus/repair.hpp"
#include "plugin/registry.hpp"
#include "run/problem.hpp"
#include "spec/spec.hpp"

#include <memory>
#include <string>
#include <vector>

namespace fenchel {

// One solver against one problem.
struct Fit {
  SolverPart solver;
  Check check;                 // of the problem as it stands
  std::vector<Repair> needed;  // what would make it fit; empty where it fits, or nothing would
  bool fits = false;           // as it stands
  bool fits_repaired = false;  // with `needed`
  bool allowed = false;        // fits, or fits with repairs that the spec allows
  double passes = 0.0;         // predicted for the problem it would solve; infinity: no bound
  double bytes = 0.0;
  std::string theorem;
};

struct Plan {
  Scale scale;
  std::vector<Repair> possible;
  Fit chosen;                // the spec's solver, or the first of the ranking for `auto`
  std::vector<Fit> ranking;  // every installed solver with its defaults, those that may run first,
                             // cheapest first
  bool automatic = false;
  std::unique_ptr<Problem> repaired;  // what `chosen` solves where it needs repairs; else null

  std::string refusal() const;  // empty where `chosen` may run
};

// `rank` false: only the spec's solver is looked at (and all where it is `auto`).
Plan make_plan(const Problem& problem, const Spec& spec, const Registry& registry, bool rank);

// One more problem for a solver of the ranking; null where it needs no repair.
std::unique_ptr<Problem> problem_for(const Fit& fit, const Problem& problem);

// For `fenchel check`.
std::string plan_text(const Plan& plan, const Problem& problem);
std::string plan_json(const Plan& plan, const Problem& problem);

// The same for several solvers on one problem, each made with `rank`: the problem once, then each
// solver.
std::string plans_text(const std::vector<Plan>& plans, const Problem& problem);
std::string plans_json(const std::vector<Plan>& plans, const Problem& problem);

}  // namespace fenchel
