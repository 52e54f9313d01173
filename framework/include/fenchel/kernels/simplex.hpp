// Projections onto the simplex and its neighbours. Each costs O(k log k) for a sort and allocates
// nothing.
#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <span>

namespace fenchel::kernels {

// The θ with Σ max(0, xᵢ − θ) = radius > 0, where the projection onto {b ≥ 0, Σ b = radius} is
// max(0, x − θ). With x sorted downwards, θ = (x₁ + … + x_m − radius)/m for the largest m that
// leaves x_m > θ. `scratch` holds at least x.size() numbers.
inline double simplex_threshold(std::span<const double> x, double radius,
                                std::span<double> scratch) {
  const std::span<double> sorted = scratch.first(x.size());
  std::copy(x.begin(), x.end(), sorted.begin());
  std::sort(sorted.begin(), sorted.end(), std::greater<>());
  double sum = 0.0, theta = 0.0;
  for (std::size_t m = 0; m < sorted.size(); ++m) {
    sum += sorted[m];
    const double candidate = (sum - radius) / static_cast<double>(m + 1);
    if (m > 0 && sorted[m] <= candidate) break;
    theta = candidate;
  }
  return theta;
}

// Onto {b ≥ 0, Σ b = radius}, in place.
inline void project_simplex(std::span<double> x, double radius, std::span<double> scratch) {
  const double theta = simplex_threshold(x, radius, scratch);
  for (double& b : x) b = std::max(0.0, b - theta);
}

// A threshold θ, as its depth below the largest entry: what lies above it keeps its digits however
// large the entries are.
struct Threshold {
  double top = 0.0, depth = 0.0;
  double excess(double x) const { return std::max(0.0, (x - top) + depth); }
};

// The θ ≥ 0 with θ = r E(θ), r ≥ 0, or, where that makes E exceed radius, with E(θ) = radius;
// E(θ) = Σ max(0, xᵢ − θ). Then b = max(0, x − θ) minimises ½‖b − x‖² + ½ r (Σ b)² over b ≥ 0,
// Σ b ≤ radius. E is the largest of the lines through the first 1, 2, … sorted entries, so the
// depth is the least at which one of them is where it must be. Sorts x.
inline Threshold ball_threshold(std::span<double> x, double r, double radius) {
  std::sort(x.begin(), x.end(), std::greater<>());
  Threshold found{x.front(), x.front()};
  double below = 0.0;  // Σ (x₁ − xᵢ) over the entries so far
  for (std::size_t i = 0; i < x.size(); ++i) {
    below += found.top - x[i];
    const auto count = static_cast<double>(i + 1);
    const double depth =
        std::min((found.top + r * below) / (1.0 + r * count), (radius + below) / count);
    if (depth > found.depth) break;
    found.depth = depth;
  }
  return found;
}

// Onto {b ≥ 0, Σ b ≤ radius}, in place.
inline void project_positive_ball(std::span<double> x, double radius, std::span<double> scratch) {
  const std::span<double> sorted = scratch.first(x.size());
  std::copy(x.begin(), x.end(), sorted.begin());
  const Threshold theta = ball_threshold(sorted, 0.0, radius);
  for (double& b : x) b = theta.excess(b);
}

// The duals of multiclass losses: u with u + e_label in the unit simplex, its sum right up to
// rounding.
inline bool in_label_simplex(std::span<const double> u, std::size_t label) {
  constexpr double kRounding = 1e-13;
  double sum = 0.0;
  for (std::size_t j = 0; j < u.size(); ++j) {
    if (u[j] < (j == label ? -1.0 : 0.0) - kRounding) return false;
    sum += u[j];
  }
  return std::abs(sum) <= kRounding * static_cast<double>(u.size());
}

inline void project_label_simplex(std::span<double> u, std::size_t label,
                                  std::span<double> scratch) {
  if (in_label_simplex(u, label)) return;
  u[label] += 1.0;
  project_simplex(u, 1.0, scratch);
  u[label] -= 1.0;
}

}  // namespace fenchel::kernels
