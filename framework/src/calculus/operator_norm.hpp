// |A|² from above, by Lanczos iteration on AᵀA from a random start.
#pragma once

#include "data/linear_map.hpp"
#include "run/parallel.hpp"

#include <cstdint>

namespace fenchel {

struct NormEstimate {
  double lower = 0.0;  // the largest Ritz value: |A|² is at least this
  double upper = 0.0;  // |A|² is at most this, but for the stated chance
  std::int64_t steps = 0;
  double margin = 0.0;  // upper = lower / (1 - margin)
  double chance = 0.0;  // of |A|² exceeding upper
};

// Kuczynski and Wozniakowski (1992): after k Lanczos steps from a random start on a symmetric
// positive semidefinite matrix of order d, the largest Ritz value θ misses the largest eigenvalue λ
// by more than the fraction ε with probability at most 1.648 √d exp(−√ε (2k − 1)). Steps are taken
// until that is below `chance`, or the Krylov space is exhausted (then θ = λ up to rounding).
NormEstimate estimate_squared_norm(const LinearMap& map, const Parallel& parallel,
                                   double margin = 0.05, double chance = 1e-6);

}  // namespace fenchel
