// The margins of the other classes over a label's, mⱼ = 1 + zⱼ − z_y with m_y = 0, and the prox
// that the max-of-hinge loss and its quadratic smoothing share. Nothing here allocates.
#pragma once

#include <fenchel/kernels/simplex.hpp>

namespace fenchel::kernels {

// Differences first: scores of any size keep their 1.
inline double label_margin(std::span<const double> z, std::size_t label, std::size_t j) {
  return j == label ? 0.0 : 1.0 + (z[j] - z[label]);
}
inline void label_margins(std::span<const double> z, std::size_t label, std::span<double> out) {
  for (std::size_t j = 0; j < z.size(); ++j) out[j] = label_margin(z, label, j);
}

// prox_{tφ}(s) for φ*(u) = Σ_{j≠y} (½ γ uⱼ² − uⱼ) on {u : u + e_y in the unit simplex}, γ ≥ 0. In
// x = s − t u, the bⱼ = uⱼ of j ≠ y minimise ½ (γ + t)‖b‖² + ½ t (Σ b)² − ⟨m, b⟩ over b ≥ 0,
// Σ b ≤ 1. So bⱼ = max(0, mⱼ − θ)/(γ + t) with θ = t Σ b, or with a larger θ that makes Σ b = 1.
// `scratch` holds at least s.size() numbers. O(k log k).
inline void margin_prox(std::span<const double> s, std::size_t label, double gamma, double t,
                        std::span<double> out, std::span<double> scratch) {
  const std::span<double> margins = scratch.first(s.size());
  label_margins(s, label, margins);
  const double share = t / (gamma + t);
  const Threshold theta = ball_threshold(margins, share, gamma + t);
  double moved = 0.0;
  for (std::size_t j = 0; j < s.size(); ++j) {
    if (j == label) continue;
    const double step = share * theta.excess(label_margin(s, label, j));
    out[j] = s[j] - step;
    moved += step;
  }
  out[label] = s[label] + std::min(moved, t);
}

}  // namespace fenchel::kernels
