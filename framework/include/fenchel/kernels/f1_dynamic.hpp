// The entropic smoothing of the loss f1, by its dynamic programme (AGM paper, section 5.4,
// algorithms 5 and 6) in log scale:
//
//   log Z = log Σ over flips of exp((m/τ)(Δ(b, c) − Δ(b₀, c₀)) + (2/τ)(Σ gains − Σ gains₀)),
//
// relative to a vertex (b₀, c₀), and the probability that an example is flipped. The gains (−z of a
// positive, z of a negative) are sorted downwards, so that the vertex flips the first b₀ and c₀.
// Time and memory grow with the squares of the classes; f1_window.hpp is for larger samples.
#pragma once

#include <fenchel/kernels/f1_counts.hpp>
#include <fenchel/kernels/flip_envelope.hpp>

#include <cmath>
#include <cstddef>
#include <limits>
#include <span>
#include <vector>

namespace fenchel::kernels {

inline double log_add(double a, double b) {
  const double top = std::max(a, b);
  if (top == -std::numeric_limits<double>::infinity()) return top;
  return top + std::log1p(std::exp(-std::abs(a - b)));
}

// Memory that only grows.
struct F1DynamicWorkspace {
  // α_k(v) of a class in the rows of a triangle, its weights by count, and two rows of ξ.
  std::vector<double> alpha[2];
  std::vector<double> outer[2];
  std::vector<double> xi;
};

namespace detail {

// An unflipped example that the vertex flips weighs exp(−2·gain/τ), a flipped one that it does not
// exp(2·gain/τ), against a threshold between them that all counts share.
class F1Forward {
 public:
  F1Forward(const FlipClass& flips, double rate) : flips_(flips), rate_(rate) {
    const auto& gains = flips.gains;
    const std::size_t k = flips.flipped;
    if (gains.empty()) return;
    threshold_ = k == 0              ? gains.front()
                 : k == gains.size() ? gains.back()
                                     : 0.5 * (gains[k - 1] + gains[k]);
  }
  // The weights of example i, in logarithms.
  double flip(std::size_t i) const { return i < flips_.flipped ? 0.0 : excess(i); }
  double keep(std::size_t i) const { return i < flips_.flipped ? -excess(i) : 0.0; }
  // That of the count: what the threshold took from every flip.
  double count(double k) const {
    return rate_ * threshold_ * (k - static_cast<double>(flips_.flipped));
  }
  std::size_t size() const { return flips_.gains.size(); }

  // Algorithm 5: row k begins at k(k + 1)/2.
  void run(std::vector<double>& alpha) const {
    alpha.resize((size() + 1) * (size() + 2) / 2);
    alpha[0] = 0.0;
    for (std::size_t k = 1; k <= size(); ++k) {
      const double* before = alpha.data() + row(k - 1);
      double* now = alpha.data() + row(k);
      const double f = flip(k - 1), s = keep(k - 1);
      now[0] = before[0] + s;
      for (std::size_t v = 1; v < k; ++v) now[v] = log_add(before[v - 1] + f, before[v] + s);
      now[k] = before[k - 1] + f;
    }
  }
  static std::size_t row(std::size_t k) { return k * (k + 1) / 2; }

 private:
  double excess(std::size_t i) const { return rate_ * (flips_.gains[i] - threshold_); }

  FlipClass flips_;
  double rate_;
  double threshold_ = 0.0;
};

// Algorithm 6: out[i] = P(example i is flipped), from the outer weights of the counts.
inline void f1_backward(const F1Forward& forward, const std::vector<double>& alpha,
                        const std::vector<double>& outer, double log_sum, std::vector<double>& xi,
                        std::span<double> out) {
  xi.assign(outer.begin(), outer.end());
  for (std::size_t k = forward.size(); k > 0; --k) {
    const double* before = alpha.data() + F1Forward::row(k - 1);
    const double f = forward.flip(k - 1), s = forward.keep(k - 1);
    double probability = 0.0;
    for (std::size_t v = 0; v < k; ++v)
      probability += std::exp(before[v] + f + xi[v + 1] - log_sum);
    out[k - 1] = probability;
    for (std::size_t v = 0; v < k; ++v) xi[v] = log_add(xi[v + 1] + f, xi[v] + s);
  }
}

}  // namespace detail

// Returns log Z. `first` and `second` get the flip probabilities of positives and negatives, in the
// order of their gains; both empty: they are not asked for.
inline double f1_smoothed_exact(const F1Counts& counts, double temperature,
                                const FlipClass& positive, const FlipClass& negative,
                                F1DynamicWorkspace& work, std::span<double> first,
                                std::span<double> second) {
  const double size = counts.positives + counts.negatives;
  const detail::F1Forward classes[2] = {{positive, 2.0 / temperature},
                                        {negative, 2.0 / temperature}};
  for (int s = 0; s < 2; ++s) {
    classes[s].run(work.alpha[s]);
    work.outer[s].assign(classes[s].size() + 1, -std::numeric_limits<double>::infinity());
  }
  const double* law[2];
  for (int s = 0; s < 2; ++s)
    law[s] = work.alpha[s].data() + detail::F1Forward::row(classes[s].size());
  const auto b0 = static_cast<double>(positive.flipped), c0 = static_cast<double>(negative.flipped);
  double log_sum = -std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < work.outer[0].size(); ++i) {
    for (std::size_t j = 0; j < work.outer[1].size(); ++j) {
      const auto b = static_cast<double>(i), c = static_cast<double>(j);
      const double tilt = size / temperature * counts.change(b0, c0, b, c) + classes[0].count(b) +
                          classes[1].count(c);
      work.outer[0][i] = log_add(work.outer[0][i], tilt + law[1][j]);
      work.outer[1][j] = log_add(work.outer[1][j], tilt + law[0][i]);
    }
    log_sum = log_add(log_sum, work.outer[0][i] + law[0][i]);
  }
  if (first.size() + second.size() > 0) {
    detail::f1_backward(classes[0], work.alpha[0], work.outer[0], log_sum, work.xi, first);
    detail::f1_backward(classes[1], work.alpha[1], work.outer[1], log_sum, work.xi, second);
  }
  return log_sum;
}

}  // namespace fenchel::kernels
