// The soft maximum over the labellings of a sequence and its gradient, the marginals:
//
//   μ log Σ_y exp((⟨z, f(y)⟩ + weight · wrong(y))/μ) − ⟨z, f(truth)⟩
//
// By scaled exponentials, and by logarithms where those would underflow.
#pragma once

#include <fenchel/kernels/chain_log.hpp>
#include <fenchel/kernels/chain_scaled.hpp>

namespace fenchel::kernels {

constexpr std::size_t chain_scratch(std::size_t length, std::size_t labels) {
  return detail::ScaledChain::size(length, labels) + detail::LogChain::size(length, labels);
}

enum class ChainMethod { automatic, scaled, logarithms };

class SoftChain {
 public:
  // Scratch of chain_scratch numbers; what it keeps serves the next block that `repeats`.
  SoftChain(const ChainBlock& z, const ChainRules& rules, const ChainMargin& margin, double mu,
            std::span<double> scratch, ChainMethod method = ChainMethod::automatic)
      : z_(z),
        rules_(rules),
        margin_(margin),
        mu_(mu),
        scaled_(z.length, z.labels, scratch),
        log_(z.length, z.labels, scratch.subspan(detail::ScaledChain::size(z.length, z.labels))) {
    if (!z.repeats) detail::exponentiate_transitions(z, rules, mu, scaled_);
    if (method != ChainMethod::logarithms) forward();
    if (method == ChainMethod::logarithms || (method == ChainMethod::automatic && !reliable_))
      fall_back();
  }

  // The soft maximum above the truth's score, or itself where there is no truth.
  double value() const { return value_; }
  // Not below 0, where the truth is one of the labellings.
  double positive_value() const { return value_ > 0.0 ? value_ : 0.0; }
  bool used_logarithms() const { return logarithms_; }

  // Node marginals (T × k), then the sum over the edges of their marginals (k × k); and those of
  // each edge, (T − 1) × k × k, where `edges` is not null.
  void marginals(double* out, double* edges = nullptr) {
    double* pairs = out + z_.length * z_.labels;
    if (!nodes(out)) return detail::log_backward(log_, out, pairs, edges);
    detail::scaled_pairs(scaled_, pairs);
    if (edges) detail::scaled_edges(scaled_, edges);
  }
  // Node marginals alone. False where only logarithms could tell them.
  bool nodes(double* out) {
    constexpr double kOne = 1e-9;
    if (!logarithms_ && std::abs(detail::scaled_backward(scaled_, out) - 1.0) <= kOne) return true;
    if (!logarithms_) fall_back();
    detail::log_backward(log_, out, nullptr, nullptr);
    return false;
  }

 private:
  void forward() {
    constexpr double kShare = 1e-18;
    const std::size_t T = z_.length, stride = scaled_.stride;
    for (std::size_t t = 0; t < T; ++t)
      detail::augmented_scores(z_, margin_, t, scaled_.emission + t * stride, detail::kImpossible);
    for (std::size_t j = 0; j < z_.labels; ++j)
      if (!rules_.begins(j)) scaled_.emission[j] = detail::kImpossible;
    double lost = 0.0;
    double sum = detail::scaled_forward(scaled_, 1.0 / mu_, &lost);
    reliable_ = lost <= kShare;
    if (!reliable_) return;
    double logs = 0.0;
    for (std::size_t t = 0; t < T; ++t) logs += std::log(scaled_.norm[t]);
    sum += static_cast<double>(T - 1) * *scaled_.highest + margin_.weight * static_cast<double>(T);
    value_ = mu_ * logs + (margin_.truth.empty() ? sum : sum - chain_score(z_, margin_.truth));
  }
  void fall_back() {
    logarithms_ = true;
    value_ = mu_ * detail::log_forward(z_, rules_, margin_, mu_, log_);
  }

  const ChainBlock& z_;
  const ChainRules& rules_;
  ChainMargin margin_;
  double mu_, value_ = 0.0;
  bool reliable_ = false, logarithms_ = false;
  detail::ScaledChain scaled_;
  detail::LogChain log_;
};

}  // namespace fenchel::kernels
