#include "run/automatic.hpp"

#include "certify/certificate.hpp"

#include <fmt/format.h>

#include <algorithm>
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

// The second run starts where the first ended, and its work counts.
RunOptions after(const RunOptions& options, const RunOutcome& first) {
  RunOptions rest = options;
  rest.behind_after = 0.0;
  rest.warm_weights = &first.weights;
  rest.warm_dual = &first.dual_point;
  rest.passes_before = first.passes;
  rest.seconds_before = first.solve_seconds + first.certify_seconds;
  return rest;
}

void shift(TraceRow& row, const RunOutcome& first) {
  row.iteration += first.iterations;
  row.passes += first.passes;
  row.seconds += first.solve_seconds + first.certify_seconds;
}

RunOutcome joined(RunOutcome first, RunOutcome second) {
  for (TraceRow& row : second.trace) shift(row, first);
  first.trace.insert(first.trace.end(), second.trace.begin(), second.trace.end());
  second.trace = std::move(first.trace);
  second.notes.insert(second.notes.begin(), first.notes.begin(), first.notes.end());
  second.iterations += first.iterations;
  second.passes += first.passes;
  second.solve_seconds += first.solve_seconds;
  second.certify_seconds += first.certify_seconds;
  if (first.certified && (!second.certified || first.primal < second.primal)) {
    second.primal = first.primal;
    second.weights = std::move(first.weights);
  }
  if (first.certified && (!second.certified || first.dual > second.dual)) {
    second.dual = first.dual;
    second.dual_point = std::move(first.dual_point);
  }
  second.certified = second.certified || first.certified;
  return second;
}

}  // namespace

PlanOutcome run_plan(const Problem& problem, const Plan& plan, const RunOptions& options,
                     const Watch& watch, const std::atomic<bool>& interrupt) {
  const Problem& solved = plan.repaired ? *plan.repaired : problem;
  RunOptions first_options = options;
  const Fit* next = plan.automatic ? next_candidate(plan) : nullptr;
  if (next && std::isfinite(plan.chosen.passes))
    first_options.behind_after = kBehind * plan.chosen.passes;
  RunOutcome first =
      run_solver(problem, solved, plan.chosen.solver, first_options, watch, interrupt);
  if (!first.behind) return {std::move(first), {&plan.chosen}, {}};

  std::string event = fmt::format(
      "after {:.1f} passes solver '{}' was behind its prediction of {:.3g}: changed to '{}'",
      first.passes, plan.chosen.solver.id, plan.chosen.passes, next->solver.id);
  const std::unique_ptr<Problem> other = problem_for(*next, problem);
  const Watch shifted = [&](const TraceRow& row) {
    TraceRow moved = row;
    shift(moved, first);
    if (watch) watch(moved);
  };
  RunOutcome second = run_solver(problem, other ? *other : problem, next->solver,
                                 after(options, first), shifted, interrupt);
  return {joined(std::move(first), std::move(second)), {&plan.chosen, next}, std::move(event)};
}

}  // namespace fenchel
