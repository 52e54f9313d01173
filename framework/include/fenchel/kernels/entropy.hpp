// Points of the capped simplex  {0 ≤ x ≤ cap, Σ x = 1},  cap · n ≥ 1, that minimise an entropy.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <span>

namespace fenchel::kernels {

// What the minimiser of ⟨p, x⟩ + τ Σ xᵢ log xᵢ looks like: cap where p < edge, elsewhere
// scale · exp((edge − p)/τ), which is at most cap. `mass` is what the latter sum up to.
struct EntropicShape {
  double edge = 0.0, scale = 0.0, mass = 1.0;
};

namespace detail {

// exp(x/τ) for x ≤ 0; at τ = 0 its limit.
inline double boltzmann(double x, double tau) { return x == 0.0 ? 1.0 : std::exp(x / tau); }

}  // namespace detail

// With p sorted upwards the first k entries are at the cap and the others share 1 − k cap like
// exp(−p/τ), for the least k that leaves the largest share at most cap. Whether an entry is at the
// cap is monotone in that order, so medians find k in O(n). Exponents are differences to the edge:
// nothing overflows however large p/τ is. At τ = 0 ties share alike. Reorders p.
inline EntropicShape entropic_shape(std::span<double> p, double tau, double cap) {
  if (cap * static_cast<double>(p.size()) <= 1.0) cap = 1.0 / static_cast<double>(p.size());
  EntropicShape shape{*std::max_element(p.begin(), p.end()), cap, 0.0};
  double capped = 0.0;  // entries known to be at the cap
  double rest = 0.0;    // Σ exp((edge − p)/τ) over the entries known not to be
  std::span<double> open = p;
  // Without a cap, one look is enough.
  std::size_t half = cap >= 1.0 ? 0 : open.size() / 2;
  while (!open.empty()) {
    std::nth_element(open.begin(), open.begin() + static_cast<std::ptrdiff_t>(half), open.end());
    const double pivot = open[half];
    double sum = rest * detail::boltzmann(std::min(0.0, pivot - shape.edge), tau);
    for (std::size_t i = half; i < open.size(); ++i) sum += detail::boltzmann(pivot - open[i], tau);
    const double mass = 1.0 - (capped + static_cast<double>(half)) * cap;
    if (mass <= cap * sum) {
      shape = {pivot, std::max(0.0, mass) / sum, std::max(0.0, mass)};
      rest = sum;
      open = open.first(half);
    } else {
      capped += static_cast<double>(half + 1);
      open = open.subspan(half + 1);
    }
    half = open.size() / 2;
  }
  return shape;
}

inline double entropic_entry(const EntropicShape& shape, double p, double tau, double cap) {
  if (p < shape.edge) return cap;
  return std::min(cap, shape.scale * detail::boltzmann(shape.edge - p, tau));
}

// argmin ⟨p, x⟩ + τ Σ xᵢ log xᵢ over the capped simplex. `out` may be p; `scratch` holds at least
// p.size() numbers.
inline EntropicShape entropic_minimiser(std::span<const double> p, double tau, double cap,
                                        std::span<double> scratch, std::span<double> out) {
  const std::span<double> order = scratch.first(p.size());
  std::copy(p.begin(), p.end(), order.begin());
  const EntropicShape shape = entropic_shape(order, tau, cap);
  const double most = std::max(cap, 1.0 / static_cast<double>(p.size()));
  for (std::size_t i = 0; i < p.size(); ++i) out[i] = entropic_entry(shape, p[i], tau, most);
  return shape;
}

namespace detail {

// log x with γ log x + x = b, given that it is at most `top`: Newton's method on a convex function
// of q = log x, from above, or from log b, from where the first step lands above.
inline double entropic_log(double b, double gamma, double top) {
  constexpr int kMost = 100;
  double q = std::min(top, b / gamma);
  if (b > 0.0) q = std::min(q, std::log(b));
  for (int k = 0; k < kMost; ++k) {
    const double x = std::exp(q);
    const double step = (gamma * q + x - b) / (gamma + x);
    q -= step;
    if (!(std::abs(step) > 1e-15 * (1.0 + std::abs(q)))) break;
  }
  return std::min(q, top);
}

}  // namespace detail

// argmin γ Σ xᵢ log xᵢ + ½‖x − a‖² over the capped simplex, γ > 0:
//
//   γ log xᵢ + xᵢ = min(aᵢ − ν, γ log cap + cap),      Σ xᵢ = 1.
//
// Newton's method in ν within a bracket. At the lower end the ⌈1/cap⌉ largest entries are at the
// cap, at the upper one none is above 1/n; ν is counted from the least of those entries, so that it
// keeps its digits however large a is. `out` may be a; `scratch` holds at least a.size() numbers.
inline void entropic_projection(std::span<const double> a, double gamma, double cap,
                                std::span<double> scratch, std::span<double> out) {
  constexpr int kMost = 400;
  const auto n = static_cast<double>(a.size());
  cap = std::clamp(cap, 1.0 / n, 1.0);
  const std::span<double> b = scratch.first(a.size());
  std::copy(a.begin(), a.end(), b.begin());
  const auto needed = static_cast<std::ptrdiff_t>(std::min(n, std::ceil(1.0 / cap - 1e-12))) - 1;
  std::nth_element(b.begin(), b.begin() + needed, b.end(), std::greater<>());
  const double origin = b[static_cast<std::size_t>(needed)];
  double largest = a[0] - origin;
  for (std::size_t i = 0; i < a.size(); ++i) {
    b[i] = a[i] - origin;
    largest = std::max(largest, b[i]);
  }
  const double top = std::log(cap), most = gamma * top + cap;
  double low = -most, high = std::max(low, largest + gamma * std::log(n) - 1.0 / n), nu = low;
  for (int k = 0; k < kMost; ++k) {
    double sum = 0.0, slope = 0.0;
    for (std::size_t i = 0; i < b.size(); ++i) {
      const bool at_cap = b[i] - nu >= most;
      out[i] = at_cap ? cap : std::exp(detail::entropic_log(b[i] - nu, gamma, top));
      sum += out[i];
      if (!at_cap) slope += out[i] / (gamma + out[i]);
    }
    if (std::abs(sum - 1.0) <= 4e-16) break;
    (sum > 1.0 ? low : high) = nu;
    if (!(high - low > 2e-16 * (std::abs(low) + std::abs(high)))) break;
    double next = nu + (sum - 1.0) / slope;
    if (!(next > low && next <= high)) next = 0.5 * (low + high);
    if (next == nu) break;
    nu = next;
  }
}

}  // namespace fenchel::kernels
