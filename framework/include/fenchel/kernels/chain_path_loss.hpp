// The loss of a sequence over its labellings, of which crf and m3n are members:
//
//   φ(z; y) = μ log Σ_y′ exp((⟨z, f(y′)⟩ + m wrong(y′, y))/μ) − ⟨z, f(y)⟩,      μ = 0: the maximum
//
// f(y′) has a one for the label of each position and the counts of the transitions, so ∇φ is the
// mean of f(y′) − f(y) under p(y′) ∝ exp(…/μ): node marginals, and the sum of the pair marginals.
//
// Any two f differ by at most ℓ = √(2T + 2(T − 1)²), and do so where they share no label (a, a, …
// against b, b, …). So φ is ℓ-Lipschitz, and since ∇²φ = Cov(f)/μ and a variance is at most the
// square of half a range, ℓ²/(4μ)-smooth. Both are attained. y′ = y is a term: φ ≥ 0.
#pragma once

#include <fenchel/kernels/chain_marginals.hpp>
#include <fenchel/kernels/chain_viterbi.hpp>

#include <algorithm>
#include <cmath>

namespace fenchel::kernels {

class PathLoss {
 public:
  using Truth = std::span<const double>;

  // For blocks of at most `widest` scores.
  PathLoss(ChainRules rules, std::size_t labels, std::size_t widest, double mu, double margin)
      : rules_(std::move(rules)),
        labels_(labels),
        longest_(std::max<std::size_t>(1, chain_length(widest, labels))),
        mu_(mu),
        margin_(margin) {}

  std::size_t labels() const { return labels_; }
  std::size_t scratch(std::size_t length) const {
    return mu_ > 0.0 ? std::max(chain_scratch(length, labels_), decoding(length))
                     : decoding(length);
  }
  double temperature() const { return mu_; }
  // ℓ, and the smoothness for μ > 0.
  double lipschitz() const {
    const auto T = static_cast<double>(longest_);
    return std::sqrt(2.0 * T + 2.0 * (T - 1.0) * (T - 1.0));
  }
  double smoothness() const { return 0.25 * lipschitz() * lipschitz() / mu_; }

  double value(const ChainBlock& z, Truth y, std::span<double> scratch) const {
    if (mu_ > 0.0) return soft(z, y, scratch).positive_value();
    double* path = best_wrong(z, y, scratch);
    return excess(z, y, path);
  }
  // Writes the gradient and returns the value.
  double gradient(const ChainBlock& z, Truth y, std::span<double> out,
                  std::span<double> scratch) const {
    double value = 0.0;
    if (mu_ > 0.0) {
      SoftChain chain = soft(z, y, scratch);
      chain.marginals(out.data());
      value = chain.positive_value();
    } else {
      const double* path = best_wrong(z, y, scratch);
      std::fill(out.begin(), out.end(), 0.0);
      add_path(path, z.length, labels_, 1.0, out.data());
      value = excess(z, y, path);
    }
    add_path(y, z.length, labels_, -1.0, out.data());
    return value;
  }
  void decode(const ChainBlock& z, std::span<double> y, std::span<double> scratch) const {
    chain_viterbi(z, rules_, {}, scratch, y.data());
  }

 protected:
  // P(y_t = j) under exp(⟨z, f(y)⟩/μ).
  void soft_nodes(const ChainBlock& z, std::span<double> out, std::span<double> scratch) const {
    SoftChain(z, rules_, {}, mu_, scratch).nodes(out.data());
  }

 private:
  std::size_t decoding(std::size_t length) const {
    return viterbi_scratch(length, labels_) + length;
  }
  SoftChain soft(const ChainBlock& z, Truth y, std::span<double> scratch) const {
    return {z, rules_, {y, margin_}, mu_, scratch};
  }
  // The end of the scratch holds the path.
  double* best_wrong(const ChainBlock& z, Truth y, std::span<double> scratch) const {
    double* path = scratch.data() + viterbi_scratch(z.length, labels_);
    chain_viterbi(z, rules_, {y, margin_}, scratch, path);
    return path;
  }
  // Term by term, so that what the two paths share cancels exactly.
  double excess(const ChainBlock& z, Truth y, const double* path) const {
    double sum = 0.0;
    for (std::size_t t = 0; t < z.length; ++t) {
      const auto label = static_cast<std::size_t>(path[t]), truth = static_cast<std::size_t>(y[t]);
      sum += z.position(t)[label] - z.position(t)[truth];
      if (label != truth) sum += margin_;
      if (t > 0)
        sum += z.transitions()[static_cast<std::size_t>(path[t - 1]) * labels_ + label] -
               z.transitions()[static_cast<std::size_t>(y[t - 1]) * labels_ + truth];
    }
    return std::max(0.0, sum);
  }

  ChainRules rules_;
  std::size_t labels_, longest_;
  double mu_, margin_;
};

}  // namespace fenchel::kernels
