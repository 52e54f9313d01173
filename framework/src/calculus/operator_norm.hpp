// |A|² from above, by Lanczos iteration on AᵀA from a random start.
#pragma once

#include "data/linear_map.hpp"
#include "run/parallel.hpp"

#include <cstdint>
#include <vector>

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
//
// `factors`, one a score, gives the largest eigenvalue of Aᵀ diag(factors) A instead.
NormEstimate estimate_squared_norm(const LinearMap& map, const Parallel& parallel,
                                   const std::vector<double>* factors = nullptr,
                                   double margin = 0.05, double chance = 1e-6);

// |A_i v| for each block, v the top right singular direction of A (by power iteration: a weighting
// of the blocks, not a bound).
std::vector<double> top_block_lengths(const LinearMap& map, const Parallel& parallel);

}  // namespace fenchel
