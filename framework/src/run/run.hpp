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
};

struct RunOutcome {
  Status status = Status::failed;
  std::string message = "not run";
  bool certified = false;
  double primal = 0.0, dual = 0.0;
  std::vector<double> weights;  // the best certified iterate; empty when there is none
  std::int64_t iterations = 0;
  double passes = 0.0;
  double solve_seconds = 0.0, certify_seconds = 0.0;
  std::vector<TraceRow> trace;
};

// Called after every step; rows with a certificate have their cells filled.
using Watch = std::function<void(const TraceRow&)>;

// Never throws for a failing plugin: that is an outcome (Status::failed, with its message).
// `interrupt` is looked at between steps.
RunOutcome run_solver(const Problem& problem, const SolverPart& solver, const RunOptions& options,
                      const Watch& watch, const std::atomic<bool>& interrupt);

}  // namespace fenchel
