// The elastic-net ball  {w : γ‖w‖₁ + ½‖w‖² ≤ r},  γ ≥ 0, r > 0, in linear time (AGM paper, section
// 5.5.2). With a multiplier, the projection of g and the farthest point along v are
//
//   wᵢ = sign(gᵢ) max(0, |gᵢ| − λγ)/(1 + λ)        and        wᵢ = sign(vᵢ) max(0, |vᵢ| − μγ)/μ.
//
// On the boundary both are one equation: with aᵢ = γ + |gᵢ|, t = 1 + λ, or aᵢ = |vᵢ|, t = μ,
//
//   Σ over aᵢ > γt of (aᵢ² − γ²t²) = 2r t².
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>

namespace fenchel::kernels {

inline double elastic_net(std::span<const double> w, double gamma) {
  double sum = 0.0;
  for (const double x : w) sum += std::abs(x) * (gamma + 0.5 * std::abs(x));
  return sum;
}

// The t > 0 of the equation above for a ≥ 0, not all 0. The left side minus the right falls with t,
// so the entries above γt are found by halving around medians. Reorders a.
inline double elastic_net_root(std::span<double> a, double gamma, double r) {
  double squares = 0.0, count = 0.0;  // of the entries known to be above γt
  const auto root = [&](double s, double k) {
    return std::sqrt(s / (2.0 * r + k * gamma * gamma));
  };
  std::span<double> open = a;
  while (!open.empty()) {
    const std::size_t half = open.size() / 2;
    std::nth_element(open.begin(), open.begin() + static_cast<std::ptrdiff_t>(half), open.end(),
                     [](double x, double y) { return x > y; });
    const double pivot = open[half];
    double with = squares;
    for (std::size_t i = 0; i <= half; ++i) with += open[i] * open[i];
    const double number = count + static_cast<double>(half + 1);
    if (pivot > gamma * root(with, number)) {  // the pivot, and what is above it, counts
      squares = with;
      count = number;
      open = open.subspan(half + 1);
    } else {
      open = open.first(half);
    }
  }
  return root(squares, count);
}

namespace detail {

// wᵢ = sign(gᵢ) max(0, |gᵢ| − (λ + δ)γ)/(base + λ + δ), with δ far below the last digit of λ.
inline double shrunk(double g, double gamma, double base, double lambda, double delta) {
  const double excess = std::fma(-lambda, gamma, std::abs(g)) - delta * gamma;
  return std::copysign(std::max(0.0, excess) / (base + lambda + delta), g);
}

// Newton's steps in λ on γ‖w‖₁ + ½‖w‖² = r, whose slope is −Σ (γ + |wᵢ|)²/(base + λ) over wᵢ ≠ 0:
// the constraint then holds to the last digits, even where |gᵢ| − λγ cancels.
inline double boundary_correction(std::span<const double> g, double gamma, double r, double base,
                                  double lambda) {
  double delta = 0.0;
  for (int round = 0; round < 2; ++round) {
    double value = -r, slope = 0.0;
    for (const double x : g) {
      const double w = std::abs(shrunk(x, gamma, base, lambda, delta));
      if (w == 0.0) continue;
      value += w * (gamma + 0.5 * w);
      slope += (gamma + w) * (gamma + w);
    }
    if (!(slope > 0.0)) break;
    delta += value * (base + lambda) / slope;
  }
  return delta;
}

inline void boundary_point(std::span<const double> g, double gamma, double r, double base,
                           double lambda, std::span<double> out) {
  const double delta = boundary_correction(g, gamma, r, base, lambda);
  for (std::size_t i = 0; i < g.size(); ++i) out[i] = shrunk(g[i], gamma, base, lambda, delta);
}

}  // namespace detail

// The point of the ball nearest to g. `out` may be g; `scratch` holds at least g.size() numbers.
inline void project_elastic_net_ball(std::span<const double> g, double gamma, double r,
                                     std::span<double> scratch, std::span<double> out) {
  if (elastic_net(g, gamma) <= r) {
    std::copy(g.begin(), g.end(), out.begin());
    return;
  }
  const std::span<double> a = scratch.first(g.size());
  for (std::size_t i = 0; i < g.size(); ++i) a[i] = gamma + std::abs(g[i]);
  const double lambda = std::max(0.0, elastic_net_root(a, gamma, r) - 1.0);
  detail::boundary_point(g, gamma, r, 1.0, lambda, out);
}

// The point of the ball with the largest ⟨v, w⟩; 0 for v = 0. `scratch` holds twice v.size().
inline void farthest_in_elastic_net_ball(std::span<const double> v, double gamma, double r,
                                         std::span<double> scratch, std::span<double> out) {
  double largest = 0.0;
  for (const double x : v) largest = std::max(largest, std::abs(x));
  if (largest == 0.0) {
    std::fill(out.begin(), out.end(), 0.0);
    return;
  }
  // The point does not change with the length of v; near 1, no square over- or underflows. A power
  // of 2 keeps all digits.
  const int exponent = -std::ilogb(largest);
  const std::span<double> unit = scratch.first(v.size());
  const std::span<double> a = scratch.subspan(v.size(), v.size());
  for (std::size_t i = 0; i < v.size(); ++i) {
    unit[i] = std::scalbn(v[i], exponent);
    a[i] = std::abs(unit[i]);
  }
  detail::boundary_point(unit, gamma, r, 0.0, elastic_net_root(a, gamma, r), out);
}

}  // namespace fenchel::kernels
