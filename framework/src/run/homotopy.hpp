// Smoothing by levels: the loss is smoothed coarsely at first, and each finer level starts where
// the last one ended. Every certificate is that of the loss as it was, so that the run ends at the
// first level whose gap meets the tolerance, often far above the level that the tolerance would
// need.
#pragma once

#include "run/chain.hpp"
#include "run/plan.hpp"

namespace fenchel {

// One of the repairs asks for levels.
bool anneals(const Fit& fit);

void run_homotopy(Chain& chain, const Problem& problem, const Fit& fit, const Scale& scale,
                  const StopSpec& stop);

}  // namespace fenchel
