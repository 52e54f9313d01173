// The excessive gap: a pair (w, α) with J_μ(w) ≤ D(α), where
//
//   J_μ(w) = Ω(w) + max over x of −⟨x, Aw⟩/n − Ψ(x) − (μ/2)‖x − α_c‖²,    Ψ(x) = (1/n) Σ φᵢ*(−xᵢ)
//
// so that J(w) − D(α) ≤ μ max ‖x − α_c‖²/2 over the domain of Ψ. With h(α) = Ω*(Aᵀα/n), L-smooth,
// and Ψ σ-strongly convex, a step keeps the condition for every τ with τ² L ≤ (1 − τ)(μ + σ):
//
//   α̂ = the maximiser above,   β = (1 − τ) α + τ α̂,        w⁺ = (1 − τ) w + τ ∇Ω*(Aᵀβ/n),
//   α⁺ = argmin ⟨∇h(β), x⟩ + (L/2)‖x − β‖² + Ψ(x),          μ⁺ = (1 − τ) μ
//
// The proof uses of L only h(α⁺) ≤ h(β) + ⟨∇h(β), α⁺ − β⟩ + (L/2)‖α⁺ − β‖², so L may be tuned by
// that inequality at every step. At the start β = α_c, τ = 1 and μ = L.
//
// Where φ is a minimum over a bias, dom Ψ holds the one equality that belongs to it, and the two
// inner problems are its projections: nothing here differs.
#pragma once

#include <fenchel/sdk/estimate/spaces.hpp>

#include <algorithm>
#include <cmath>
#include <vector>

namespace fenchel::sdk::estimate {

struct GapOptions {
  bool adaptive = true;
  double up = 2.0, down = 1.3;
  double sigma = 0.0;      // strong convexity of Ψ
  double lipschitz = 1.0;  // the constant, or where adaptive L starts
};

class ExcessiveGap {
 public:
  // The state that outlives a step, in the arena by the name "excessive-gap".
  enum : std::size_t { kSteps, kTries, kL, kMu, kPrimal, kDual, kCount };

  void start(Problem problem, const GapOptions& options, const double* warm) {
    problem_ = problem;
    options_ = options;
    n_ = static_cast<double>(problem.blocks());
    space_.start(problem);
    const std::int64_t scores = problem.scores(), parameters = problem.parameters();
    weights_ = problem.numbers("w", parameters);
    scores_ = problem.numbers("Aw", scores);
    dual_ = problem.numbers("alpha", scores);
    sums_ = problem.numbers("v", parameters);
    centre_ = problem.numbers("centre", scores);
    state_ = problem.numbers("excessive-gap", kCount);
    for (std::vector<double>* v : {&hat_, &beta_, &beta_scores_, &slope_, &next_dual_})
      v->resize(static_cast<std::size_t>(scores));
    for (std::vector<double>* v : {&hat_sums_, &beta_sums_, &beta_weights_, &next_sums_})
      v->resize(static_cast<std::size_t>(parameters));
    if (problem.resumed()) return;
    state_[kL] = options.lipschitz;
    space_.first(warm, centre_);
    std::copy_n(centre_, scores, dual_);
    problem.adjoint(dual_, sums_);
  }

  void step() {
    constexpr int kMost = 100;
    const bool first = state_[kSteps] == 0.0;
    if (!first) {
      farthest();
      if (options_.adaptive) state_[kL] /= options_.down;
    }
    for (int tries = 0;; ++tries) {
      const double tau = first ? 1.0 : weight(state_[kL]);
      attempt(first ? 0.0 : tau, state_[kL]);
      if (!options_.adaptive || below_model()) return accept(tau, first);
      if (tries == kMost) throw std::runtime_error("adaptive L found no step");
      state_[kL] *= options_.up;
    }
  }

  const double* weights() const { return weights_; }
  const double* scores() const { return scores_; }
  const double* dual() const { return dual_; }
  double primal() const { return state_[kPrimal]; }
  double dual_value() const { return state_[kDual]; }
  const double* state() const { return state_; }
  const double* centre() const { return centre_; }

 private:
  // The largest τ with τ² L = (1 − τ)(μ + σ).
  double weight(double l) const {
    const double ratio = (state_[kMu] + options_.sigma) / l;
    return 2.0 / (1.0 + std::sqrt(1.0 + 4.0 / ratio));
  }

  // α̂ and its image.
  void farthest() {
    const double mu = state_[kMu];
    for (std::size_t i = 0; i < hat_.size(); ++i) slope_[i] = scores_[i] / n_ - mu * centre_[i];
    space_.minimise(slope_.data(), mu, 1.0, hat_.data());
    problem_.adjoint(hat_.data(), hat_sums_.data());
  }

  void attempt(double tau, double l) {
    ++state_[kTries];
    for (std::size_t i = 0; i < beta_.size(); ++i) beta_[i] = dual_[i] + tau * (hat_[i] - dual_[i]);
    for (std::size_t j = 0; j < beta_sums_.size(); ++j)
      beta_sums_[j] = sums_[j] + tau * (hat_sums_[j] - sums_[j]);
    problem_.omega_conjugate_gradient(beta_sums_.data(), beta_weights_.data());
    problem_.apply(beta_weights_.data(), beta_scores_.data());
    for (std::size_t i = 0; i < beta_.size(); ++i) slope_[i] = beta_scores_[i] / n_ - l * beta_[i];
    space_.minimise(slope_.data(), l, 1.0, next_dual_.data());
    problem_.adjoint(next_dual_.data(), next_sums_.data());
    next_value_ = problem_.omega_conjugate(next_sums_.data());
  }

  bool below_model() const {
    constexpr double kRounding = 1e-14;
    const double value = problem_.omega_conjugate(beta_sums_.data());
    double change = 0.0, square = 0.0;
    for (std::size_t j = 0; j < beta_sums_.size(); ++j)
      change += beta_weights_[j] * (next_sums_[j] - beta_sums_[j]);
    for (std::size_t i = 0; i < beta_.size(); ++i) {
      const double move = next_dual_[i] - beta_[i];
      square += move * move;
    }
    return next_value_ <=
           value + change + 0.5 * state_[kL] * square + kRounding * (1.0 + std::abs(value));
  }

  void accept(double tau, bool first) {
    ++state_[kSteps];
    // The condition also holds for any larger μ; a smaller one would be lost in the rounding of α̂.
    constexpr double kLeast = 1e-10;
    state_[kMu] = first ? state_[kL] : std::max((1.0 - tau) * state_[kMu], kLeast * state_[kL]);
    for (std::size_t j = 0; j < beta_weights_.size(); ++j)
      weights_[j] += tau * (beta_weights_[j] - weights_[j]);
    for (std::size_t i = 0; i < beta_scores_.size(); ++i)
      scores_[i] += tau * (beta_scores_[i] - scores_[i]);
    std::copy(next_dual_.begin(), next_dual_.end(), dual_);
    std::copy(next_sums_.begin(), next_sums_.end(), sums_);
    state_[kPrimal] = problem_.omega(weights_) + problem_.risk(scores_);
    state_[kDual] = -space_.rest(dual_) - next_value_;
  }

  Problem problem_;
  Dual space_;
  GapOptions options_;
  double n_ = 1.0, next_value_ = 0.0;
  double *weights_ = nullptr, *scores_ = nullptr, *dual_ = nullptr, *sums_ = nullptr,
         *centre_ = nullptr, *state_ = nullptr;
  std::vector<double> hat_, beta_, beta_scores_, slope_, next_dual_;
  std::vector<double> hat_sums_, beta_sums_, beta_weights_, next_sums_;
};

}  // namespace fenchel::sdk::estimate
