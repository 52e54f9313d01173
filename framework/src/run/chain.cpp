#include "run/chain.hpp"

namespace fenchel {
namespace {

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

const RunOutcome& Chain::run(const Problem& solved, const SolverPart& solver, const StopSpec& stop,
                             double behind_after) {
  RunOptions options = options_;
  options.stop = stop;
  options.behind_after = behind_after;
  if (!begun_) {
    begun_ = true;
    total_ = run_solver(problem_, solved, solver, options, watch_, interrupt_);
    return total_;
  }
  if (!total_.weights.empty()) options.warm_weights = &total_.weights;
  if (!total_.dual_point.empty()) options.warm_dual = &total_.dual_point;
  options.passes_before += total_.passes;
  options.seconds_before += total_.solve_seconds + total_.certify_seconds;
  const Watch shifted = [&](const TraceRow& row) {
    TraceRow moved = row;
    shift(moved, total_);
    if (watch_) watch_(moved);
  };
  RunOutcome next = run_solver(problem_, solved, solver, options, shifted, interrupt_);
  total_ = joined(std::move(total_), std::move(next));
  return total_;
}

}  // namespace fenchel
