// Runs what a plan says; for `solver: auto`, changes the solver once when the first falls behind
// its prediction.
#pragma once

#include "run/plan.hpp"
#include "run/run.hpp"

#include <string>
#include <vector>

namespace fenchel {

// `events` gets a sentence for a change of solver. The outcome covers both runs: the best weights,
// the best bound, one trace.
RunOutcome run_plan(const Problem& problem, const Plan& plan, const RunOptions& options,
                    const Watch& watch, const std::atomic<bool>& interrupt,
                    std::vector<std::string>& events);

}  // namespace fenchel
