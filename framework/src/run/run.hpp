// The host's loop around a solver: step, count, certify, stop.
#pragma once

#include "report/result.hpp"
#include "run/problem.hpp"

#include <atomic>
#include <functional>
#include <string>
#include <vector>

namespace fenchel {

struct RunOptions {
  StopSpec stop;
  std::uint64_t seed = 1;
  double certify_every = 0.0;  // passes; 0: by time
  // Where another solver left off: its best weights and dual (empty: none), passes, seconds and
  // steps.
  const std::vector<double>* warm_weights = nullptr;
  const std::vector<double>* warm_dual = nullptr;
  double passes_before = 0.0, seconds_before = 0.0;  // count towards the limits
  // Passes after which the run is given up as behind its prediction; 0: never.
  double behind_after = 0.0;
};

struct RunOutcome {
  Status status = Status::failed;
  std::string message = "not run";
  bool certified = false;
  double primal = 0.0, dual = 0.0;
  std::vector<double> weights;     // the best certified iterate; empty when there is none
  std::vector<double> dual_point;  // the alpha that attains `dual`
  bool behind = false;             // ended because it fell behind its prediction
  bool spent = false;              // ended because the solver has nothing left to do
  std::int64_t iterations = 0;
  double passes = 0.0;
  double solve_seconds = 0.0, certify_seconds = 0.0;
  std::vector<TraceRow> trace;
  std::vector<std::string> notes;  // what the solver said
};

// The certified gap is within what `stop` asks for, and how to say so.
bool meets(const RunOutcome& at, const StopSpec& stop);
std::string tolerance_text(const RunOutcome& at, const StopSpec& stop);

// Called after every step; rows with a certificate have their cells filled.
using Watch = std::function<void(const TraceRow&)>;

// Never throws for a failing plugin: that is an outcome (Status::failed, with its message).
// `interrupt` is looked at between steps. The solver works on `solved`, which may be a repaired
// version of `problem`; the certificate is that of `problem`.
RunOutcome run_solver(const Problem& problem, const Problem& solved, const SolverPart& solver,
                      const RunOptions& options, const Watch& watch,
                      const std::atomic<bool>& interrupt);
inline RunOutcome run_solver(const Problem& problem, const SolverPart& solver,
                             const RunOptions& options, const Watch& watch,
                             const std::atomic<bool>& interrupt) {
  return run_solver(problem, problem, solver, options, watch, interrupt);
}

}  // namespace fenchel
