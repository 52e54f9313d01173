// One step of proximal stochastic dual coordinate ascent (Shalev-Shwartz and Zhang, figure 1).
//
// For one block with scores z = Aᵢw and q = ‖Aᵢ‖²/(μn), Ω̃ μ-strongly convex, the step raises the
// lower bound
//
//   −φᵢ*(−αᵢ) − ⟨z, αᵢ − αᵢ⁰⟩ − (q/2)‖αᵢ − αᵢ⁰‖²
//
// of n times the dual. Option I takes its maximiser, αᵢ = (p − s)/q with s = z − q αᵢ⁰ and
// p = prox_{qφᵢ}(s). The others move by t ∈ [0, 1] towards u = −∇φᵢ(z), for (1/γ)-smooth losses:
//
//   II   the best t: for a single score that of option I, cut to [0, 1]; else by golden section
//   III  t = min(1, (φᵢ(z) + φᵢ*(−αᵢ) + ⟨z, αᵢ⟩ + (γ/2)‖u − αᵢ‖²)/(‖u − αᵢ‖² (γ + q)))
//   IV   the same with R² in place of ‖Aᵢ‖² in q
//   V    t = γ/(γ + R²/(μn))
#pragma once

#include <fenchel/sdk/solver.hpp>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

namespace fenchel::sdk::dual {

class Step {
 public:
  void start(const Problem& problem, std::int64_t option, double modulus) {
    loss_ = problem.raw().loss;
    self_ = problem.raw().loss_self;
    option_ = option;
    width_ = static_cast<std::size_t>(problem.shape().outputs);
    gamma_ = 1.0 / problem.constant(About::loss, FENCHEL_FACT_SMOOTHNESS, infinity);
    const double radius = problem.constant(About::problem, FENCHEL_FACT_BLOCK_NORM);
    largest_q_ = radius * radius / (modulus * static_cast<double>(problem.blocks()));
    for (std::vector<double>* room : {&next_, &shifted_, &way_, &trial_}) room->resize(width_);
  }

  // Moves a single α and returns by how much; 0 where it stays.
  double move(const fenchel_batch& batch, double q, double z, double& alpha) {
    double next = option_ == 1 ? maximiser(batch, q, z, alpha) : alpha + toward(batch, q, z, alpha);
    project(batch, &next);
    const double change = next - alpha;
    if (std::abs(change) <= kRounding * (1.0 + std::abs(next))) return 0.0;
    alpha = next;
    return change;
  }

  // Moves the α of a block, writes by how much; false where it stays.
  bool move(const fenchel_batch& batch, double q, const double* z, double* alpha, double* change) {
    if (option_ == 1)
      maximise(batch, q, z, alpha);
    else
      go_toward(batch, q, z, alpha);
    project(batch, next_.data());
    bool moved = false;
    for (std::size_t c = 0; c < width_; ++c) {
      change[c] = next_[c] - alpha[c];
      if (std::abs(change[c]) <= kRounding * (1.0 + std::abs(next_[c]))) change[c] = 0.0;
      moved = moved || change[c] != 0.0;
    }
    if (moved) std::copy(next_.begin(), next_.end(), alpha);
    return moved;
  }

 private:
  static constexpr double kRounding = 1e-14;

  double maximiser(const fenchel_batch& batch, double q, double z, double alpha) const {
    const double s = z - q * alpha;
    double p = 0.0;
    Problem::call(loss_->prox(self_, &batch, &s, &q, &p));
    return (p - s) / q;
  }
  double toward(const fenchel_batch& batch, double q, double z, double alpha) {
    double gradient = 0.0;
    Problem::call(loss_->gradient(self_, &batch, &z, &gradient));
    const double way = -gradient - alpha;
    if (way == 0.0) return 0.0;
    const double t = option_ == 2 ? (maximiser(batch, q, z, alpha) - alpha) / way
                                  : fraction(batch, q, &z, &alpha, way * way);
    return std::clamp(t, 0.0, 1.0) * way;
  }

  void maximise(const fenchel_batch& batch, double q, const double* z, const double* alpha) {
    for (std::size_t c = 0; c < width_; ++c) shifted_[c] = z[c] - q * alpha[c];
    Problem::call(loss_->prox(self_, &batch, shifted_.data(), &q, next_.data()));
    for (std::size_t c = 0; c < width_; ++c) next_[c] = (next_[c] - shifted_[c]) / q;
  }
  void go_toward(const fenchel_batch& batch, double q, const double* z, const double* alpha) {
    Problem::call(loss_->gradient(self_, &batch, z, way_.data()));
    double squared = 0.0;
    for (std::size_t c = 0; c < width_; ++c) {
      way_[c] = -way_[c] - alpha[c];
      squared += way_[c] * way_[c];
    }
    double t = 0.0;
    if (squared > 0.0)
      t = option_ == 2 ? best_fraction(batch, q, z, alpha, squared)
                       : std::clamp(fraction(batch, q, z, alpha, squared), 0.0, 1.0);
    for (std::size_t c = 0; c < width_; ++c) next_[c] = alpha[c] + t * way_[c];
  }

  // Options III to V.
  double fraction(const fenchel_batch& batch, double q, const double* z, const double* alpha,
                  double squared) {
    if (option_ == 5) return gamma_ / (gamma_ + largest_q_);
    double value = 0.0, conjugate = 0.0, inner = 0.0;
    for (std::size_t c = 0; c < width_; ++c) {
      trial_[c] = -alpha[c];
      inner += z[c] * alpha[c];
    }
    Problem::call(loss_->value(self_, &batch, z, &value));
    Problem::call(loss_->conjugate(self_, &batch, trial_.data(), &conjugate));
    const double gain = value + conjugate + inner + 0.5 * gamma_ * squared;
    return gain / (squared * (gamma_ + (option_ == 4 ? largest_q_ : q)));
  }

  // Option II on a block: the maximum of a concave function of t on [0, 1], at least as good as
  // standing still.
  double best_fraction(const fenchel_batch& batch, double q, const double* z, const double* alpha,
                       double squared) {
    double slope = 0.0;
    for (std::size_t c = 0; c < width_; ++c) slope += z[c] * way_[c];
    const auto bound = [&](double t) {
      for (std::size_t c = 0; c < width_; ++c) trial_[c] = -(alpha[c] + t * way_[c]);
      double conjugate = 0.0;
      Problem::call(loss_->conjugate(self_, &batch, trial_.data(), &conjugate));
      return -conjugate - t * slope - 0.5 * q * t * t * squared;
    };
    constexpr double kGolden = 0.6180339887498949;
    double low = 0.0, high = 1.0;
    double left = 1.0 - kGolden, right = kGolden;
    double at_left = bound(left), at_right = bound(right);
    while (high - low > 1e-9) {
      if (at_left >= at_right) {
        high = std::exchange(right, left);
        at_right = at_left;
        left = high - kGolden * (high - low);
        at_left = bound(left);
      } else {
        low = std::exchange(left, right);
        at_left = at_right;
        right = low + kGolden * (high - low);
        at_right = bound(right);
      }
    }
    const double t = 0.5 * (low + high), value = bound(t);
    if (bound(1.0) >= value) return 1.0;
    return value > bound(0.0) ? t : 0.0;
  }

  // Rounding may leave −α a hair outside dom φ*, where the conjugate is infinite.
  void project(const fenchel_batch& batch, double* next) const {
    if (!loss_->project_dual) return;
    for (std::size_t c = 0; c < width_; ++c) next[c] = -next[c];
    Problem::call(loss_->project_dual(self_, &batch, next));
    for (std::size_t c = 0; c < width_; ++c) next[c] = -next[c];
  }

  const fenchel_loss* loss_ = nullptr;
  const void* self_ = nullptr;
  std::int64_t option_ = 1;
  std::size_t width_ = 1;
  double gamma_ = 0.0, largest_q_ = 0.0;
  std::vector<double> next_, shifted_, way_, trial_;
};

}  // namespace fenchel::sdk::dual
