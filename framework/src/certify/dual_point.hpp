// Where the α of a certificate comes from, and what is known of φ* there.
#pragma once

#include "run/problem.hpp"

#include <cstdint>
#include <functional>
#include <limits>
#include <vector>

namespace fenchel {

// α = Σⱼ weights[j] αⱼ, as a solver shows it.
struct Mixture {
  std::int64_t parts = 0;
  const double* weights = nullptr;
  std::function<void(std::int64_t j, double* dual)> part;  // fills αⱼ
};

struct DualPoint {
  std::vector<double> alpha;
  // An upper bound on (1/n) Σ φᵢ*(−αᵢ) beside the conjugate at α itself.
  double bound = std::numeric_limits<double>::infinity();
};

// −∇φ at these scores.
DualPoint gradient_dual(const Problem& problem, const std::vector<double>& scores);

// The solver's α. Throws Error (plugin_failed) where it is infeasible beyond rounding.
DualPoint given_dual(const Problem& problem, const double* alpha);

// The solver's mixture: φ* is convex, so that Σ βⱼ φ*(−αⱼ) bounds φ*(−α). Throws Error
// (plugin_failed) where the weights are no convex combination or a part is infeasible.
DualPoint mixed_dual(const Problem& problem, const Mixture& mixture);

// The least upper bound that is known on (1/n) Σ φᵢ*(−s αᵢ), given s·α and the point that held α.
double least_conjugate(const Problem& problem, const DualPoint& unscaled,
                       const std::vector<double>& scaled_alpha, double scale);

}  // namespace fenchel
