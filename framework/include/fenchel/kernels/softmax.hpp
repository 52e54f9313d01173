// Soft maxima above the score of a label, and the prox that belongs to them.
#pragma once

#include <algorithm>
#include <cmath>
#include <span>

namespace fenchel::kernels {

// γ log Σⱼ exp((xⱼ − x_label)/γ): the soft maximum above one of its terms. Neither overflows nor
// loses the digits of a small result.
inline double soft_excess(std::span<const double> x, std::size_t label, double gamma) {
  std::size_t top = label;
  for (std::size_t j = 0; j < x.size(); ++j)
    if (x[j] > x[top]) top = j;
  double rest = 0.0;
  for (std::size_t j = 0; j < x.size(); ++j)
    if (j != top) rest += std::exp((x[j] - x[top]) / gamma);
  return (x[top] - x[label]) + gamma * std::log1p(rest);
}

// Its gradient in x: p − e_label with pⱼ = exp(xⱼ/γ)/Σ exp(xᵢ/γ). The label's entry is −Σ pⱼ over
// the others.
inline void soft_excess_gradient(std::span<const double> x, std::size_t label, double gamma,
                                 std::span<double> out) {
  const double top = *std::max_element(x.begin(), x.end());
  double sum = 0.0;
  for (std::size_t j = 0; j < x.size(); ++j) sum += out[j] = std::exp((x[j] - top) / gamma);
  double others = 0.0;
  for (std::size_t j = 0; j < x.size(); ++j) {
    out[j] /= sum;
    if (j != label) others += out[j];
  }
  out[label] = -others;
}

// γ Σ pⱼ log pⱼ for p = u + e_label in the simplex; entries below 0 by rounding count as 0.
inline double label_entropy(std::span<const double> u, std::size_t label, double gamma) {
  double sum = 0.0;
  for (std::size_t j = 0; j < u.size(); ++j) {
    if (j == label)
      sum += u[j] > -1.0 ? (1.0 + u[j]) * std::log1p(u[j]) : 0.0;
    else if (u[j] > 0.0)
      sum += u[j] * std::log(u[j]);
  }
  return gamma * sum;
}

// The p of the simplex that minimises γ Σ pⱼ log pⱼ + (t/2)‖p‖² − ⟨a, p⟩, the solution of
//
//   γ log pⱼ + t pⱼ = aⱼ − ν,    Σ pⱼ = 1.
//
// Both equations are solved by Newton's method on a convex monotone function, from the side where
// it cannot overshoot: log pⱼ falls from 0, ν rises from max a − t. Returns ν; `log_p` gets log p,
// so that aⱼ − t pⱼ = γ log pⱼ + ν comes without cancellation.
inline double entropic_point(std::span<const double> a, double gamma, double t,
                             std::span<double> log_p) {
  constexpr int kMost = 100;
  std::fill(log_p.begin(), log_p.end(), 0.0);
  double nu = *std::max_element(a.begin(), a.end()) - t;
  for (int outer = 0; outer < kMost; ++outer) {
    double sum = 0.0, slope = 0.0;
    for (std::size_t j = 0; j < a.size(); ++j) {
      const double b = a[j] - nu;
      double q = std::min(log_p[j], b / gamma);
      for (int k = 0; k < kMost; ++k) {
        const double e = t * std::exp(q);
        const double step = (gamma * q + e - b) / (gamma + e);
        q -= step;
        if (!(step > 1e-15 * (1.0 + std::abs(q)))) break;
      }
      log_p[j] = q;
      const double p = std::exp(q);
      sum += p;
      slope += p / (gamma + t * p);
    }
    const double step = (sum - 1.0) / slope;
    if (!(step > 1e-15 * (1.0 + std::abs(nu)))) break;
    nu += step;
  }
  return nu;
}

// prox_{tφ}(s) = s − t(p − e_label) for φ(x) = γ log Σⱼ exp((xⱼ − x_label)/γ), where p is the
// entropic point of a = s + t e_label. A step longer than γ is taken as γ log p + ν instead, which
// does not cancel. `scratch` holds at least s.size() numbers.
inline void soft_excess_prox(std::span<const double> s, std::size_t label, double gamma, double t,
                             std::span<double> out, std::span<double> scratch) {
  const std::span<double> a = scratch.first(s.size());
  std::copy(s.begin(), s.end(), a.begin());
  a[label] += t;
  const double nu = entropic_point(a, gamma, t, out);
  double moved = 0.0;
  for (std::size_t j = 0; j < s.size(); ++j) {
    const double step = t * std::exp(out[j]);
    out[j] = t > gamma ? gamma * out[j] + nu : s[j] - step;
    if (j != label) moved += step;
  }
  if (t <= gamma) out[label] = s[label] + moved;
}

}  // namespace fenchel::kernels
