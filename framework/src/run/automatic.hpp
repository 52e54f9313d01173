// Runs what a plan says; for `solver: auto`, changes the solver once when the first falls behind
// its prediction.
#pragma once

#include "run/plan.hpp"
#include "run/run.hpp"

#include <string>
#include <vector>

namespace fenchel {

struct PlanOutcome {
  RunOutcome run;                // covers all that ran: the best weights, the best bound, one trace
  std::vector<const Fit*> fits;  // what ran, in order; they belong to the plan
  std::string event;             // why the solver was changed; empty where it was not
};

PlanOutcome run_plan(const Problem& problem, const Plan& plan, const RunOptions& options,
                     const Watch& watch, const std::atomic<bool>& interrupt);

}  // namespace fenchel
