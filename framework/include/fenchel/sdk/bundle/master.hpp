// The master problem of a bundle method, with the cuts ⟨aⱼ, w⟩ + bⱼ:
//
//   minimise over w   Ω(w) + maxⱼ ⟨aⱼ, w⟩ + bⱼ     =     maximise over the simplex
//   D(β) = ⟨b, β⟩ − Ω*(v),   v = −Σ βⱼ aⱼ,        w = ∇Ω*(v),   ∂D/∂βⱼ = ⟨aⱼ, w⟩ + bⱼ.
//
// Newton's method over the simplex: each step is a small quadratic program (kernels/simplex_qp.hpp)
// with the Hessian aᵢᵀ∇²Ω*(v)aⱼ. For Ω = (λ/2)‖w‖² that is the Gram matrix over λ, and a step is
// exact; a second one only takes the rounding out. Otherwise ∇²Ω*(v)aⱼ is a difference of ∇Ω*, for
// the cuts with weight and those that want some. A step that gains less than it should is repeated
// with a share of the Gram matrix over the strong convexity σ added: with all of it, the model lies
// below D, since Ω* is 1/σ-smooth.
//
// maxⱼ (⟨aⱼ, w⟩ + bⱼ) − ⟨b + aᵀw, β⟩ is the gap of the master problem itself.
#pragma once

#include <fenchel/kernels/simplex_qp.hpp>
#include <fenchel/sdk/bundle/cuts.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

namespace fenchel::sdk::bundle {

// ⟨x, y⟩ in four sums, so that an addition need not wait for the last one.
inline double product(const double* x, const double* y, std::size_t count) {
  std::array<double, 4> sum{};
  std::size_t i = 0;
  for (; i + 4 <= count; i += 4)
    for (std::size_t k = 0; k < 4; ++k) sum[k] += x[i + k] * y[i + k];
  for (; i < count; ++i) sum[0] += x[i] * y[i];
  return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

class Master {
 public:
  void start(Problem problem, Cuts& cuts) {
    problem_ = problem;
    cuts_ = &cuts;
    size_ = static_cast<std::size_t>(problem.parameters());
    lambda_ = problem.constant(About::regularizer, FENCHEL_FACT_QUADRATIC);
    sigma_ = problem.constant(About::regularizer, FENCHEL_FACT_STRONG_CONVEXITY);
    for (std::size_t j = 0; j < cuts.size(); ++j) added(j);
    if (cuts.size() > 0) now_ = evaluated(weights());
  }

  // To be called when cut j is new.
  void added(std::size_t j) {
    grow();
    for (std::size_t i = 0; i < cuts_->size(); ++i) {
      const double entry = dot(cuts_->slope(i), cuts_->slope(j));
      gram(cuts_->slot(i), cuts_->slot(j)) = gram(cuts_->slot(j), cuts_->slot(i)) = entry;
    }
  }

  // Moves the weights of the cuts to the solution.
  void solve() {
    if (cuts_->size() == 1) cuts_->set_weight(0, 1.0);
    now_ = evaluated(weights());
    for (int k = 0; k < kNewton && now_.gap > kAccuracy * now_.scale; ++k)
      if (!improve()) break;
    for (std::size_t j = 0; j < cuts_->size(); ++j) cuts_->set_weight(j, now_.beta[j]);
  }

  double value() const { return now_.value; }  // D(β)
  const double* minimiser() const { return now_.w.data(); }
  double gap() const { return now_.gap; }

 private:
  static constexpr double kAccuracy = 1e-14;
  static constexpr int kNewton = 60;

  struct Point {
    std::vector<double> beta, w, v, slack;  // slack: ⟨aⱼ, w⟩ + bⱼ
    double value = 0.0, gap = 0.0, scale = 0.0;
  };

  double& gram(std::size_t i, std::size_t j) { return gram_[i * capacity_ + j]; }
  double dot(const double* x, const double* y) const { return product(x, y, size_); }

  // Room for the Gram matrix of all slots.
  void grow() {
    if (cuts_->slots() <= capacity_) return;
    const std::size_t wider = std::max<std::size_t>(2 * cuts_->slots(), 32);
    std::vector<double> next(wider * wider);
    for (std::size_t i = 0; i < capacity_; ++i)
      std::copy_n(gram_.data() + i * capacity_, capacity_, next.data() + i * wider);
    gram_ = std::move(next);
    capacity_ = wider;
  }

  std::vector<double> weights() const {
    std::vector<double> beta(cuts_->size());
    for (std::size_t j = 0; j < beta.size(); ++j) beta[j] = cuts_->weight(j);
    return beta;
  }

  Point evaluated(std::vector<double> beta) const {
    Point at;
    at.v.assign(size_, 0.0);
    at.w.resize(size_);
    at.slack.resize(beta.size());
    double linear = 0.0, mean = 0.0;
    for (std::size_t j = 0; j < beta.size(); ++j) {
      if (beta[j] == 0.0) continue;
      linear += beta[j] * cuts_->offset(j);
      for (std::size_t i = 0; i < size_; ++i) at.v[i] -= beta[j] * cuts_->slope(j)[i];
    }
    problem_.omega_conjugate_gradient(at.v.data(), at.w.data());
    const double conjugate = problem_.omega_conjugate(at.v.data());
    for (std::size_t j = 0; j < beta.size(); ++j) {
      at.slack[j] = dot(cuts_->slope(j), at.w.data()) + cuts_->offset(j);
      mean += beta[j] * at.slack[j];
    }
    at.value = linear - conjugate;
    at.gap = *std::max_element(at.slack.begin(), at.slack.end()) - mean;
    at.scale = std::abs(linear) + std::abs(conjugate) + std::abs(mean);
    at.beta = std::move(beta);
    return at;
  }

  // Those with weight, and those above the mean; all where the Hessian costs nothing.
  void choose_working_set() {
    double mean = 0.0;
    for (std::size_t j = 0; j < now_.beta.size(); ++j) mean += now_.beta[j] * now_.slack[j];
    working_.clear();
    for (std::size_t j = 0; j < now_.beta.size(); ++j)
      if (lambda_ > 0.0 || now_.beta[j] > 0.0 || now_.slack[j] > mean) working_.push_back(j);
  }

  void find_hessian() {
    const std::size_t s = working_.size();
    hessian_.resize(s * s);
    if (lambda_ > 0.0) {
      for (std::size_t i = 0; i < s; ++i)
        for (std::size_t j = 0; j < s; ++j) hessian_[i * s + j] = gram_of(i, j) / lambda_;
      return;
    }
    std::vector<double> moved(size_), up(size_), down(size_);
    const double length = std::sqrt(dot(now_.w.data(), now_.w.data()));
    for (std::size_t j = 0; j < s; ++j) {
      const double* a = cuts_->slope(working_[j]);
      const double norm = std::sqrt(gram_of(j, j));
      // Moves w by about 1e-5 of its length at most.
      const double h = length > 0.0 && norm > 0.0 ? 1e-5 * sigma_ * length / norm : 1e-6;
      for (std::size_t i = 0; i < size_; ++i) moved[i] = now_.v[i] + h * a[i];
      problem_.omega_conjugate_gradient(moved.data(), up.data());
      for (std::size_t i = 0; i < size_; ++i) moved[i] = now_.v[i] - h * a[i];
      problem_.omega_conjugate_gradient(moved.data(), down.data());
      for (std::size_t i = 0; i < size_; ++i) up[i] = (up[i] - down[i]) / (2.0 * h);
      for (std::size_t i = 0; i < s; ++i)
        hessian_[i * s + j] = dot(cuts_->slope(working_[i]), up.data());
    }
    for (std::size_t i = 0; i < s; ++i)
      for (std::size_t j = 0; j < i; ++j)
        hessian_[i * s + j] = hessian_[j * s + i] =
            0.5 * (hessian_[i * s + j] + hessian_[j * s + i]);
  }
  double gram_of(std::size_t i, std::size_t j) {
    return gram(cuts_->slot(working_[i]), cuts_->slot(working_[j]));
  }

  // One Newton step. False: nothing is left to gain but rounding.
  bool improve() {
    choose_working_set();
    find_hessian();
    for (double share = 0.0; share <= 1.0; share = share == 0.0 ? 1e-3 : 10.0 * share) {
      double predicted = 0.0;
      Point next = evaluated(step(share, predicted));
      const bool better =
          next.value >= now_.value + 0.05 * predicted && predicted > 1e-15 * now_.scale;
      const bool finer = next.gap < 0.9 * now_.gap && next.value >= now_.value - 1e-15 * now_.scale;
      if (better || finer) {
        now_ = std::move(next);
        return true;
      }
      if (lambda_ > 0.0) return false;
    }
    return false;
  }

  // The solution of the quadratic model, and what it promises.
  std::vector<double> step(double share, double& predicted) {
    const std::size_t s = working_.size();
    model_ = hessian_;
    if (share > 0.0)
      for (std::size_t i = 0; i < s; ++i)
        for (std::size_t j = 0; j < s; ++j) model_[i * s + j] += share * gram_of(i, j) / sigma_;
    std::vector<double> beta(s), gradient(s);
    for (std::size_t i = 0; i < s; ++i) {
      beta[i] = now_.beta[working_[i]];
      gradient[i] = -now_.slack[working_[i]];
    }
    qp_.solve(model_.data(), s, beta, gradient);
    predicted = 0.0;
    std::vector<double> next = now_.beta;
    for (std::size_t i = 0; i < s; ++i) {
      const std::size_t j = working_[i];
      // g moves from −slack to −slack + Hδ: the model gains −⟨mean of both, δ⟩.
      predicted += 0.5 * (now_.slack[j] - gradient[i]) * (beta[i] - now_.beta[j]);
      next[j] = beta[i];
    }
    return next;
  }

  Problem problem_;
  Cuts* cuts_ = nullptr;
  std::size_t size_ = 0, capacity_ = 0;
  double lambda_ = 0.0, sigma_ = 0.0;
  std::vector<double> gram_;  // by slots
  Point now_;
  std::vector<std::size_t> working_;
  std::vector<double> hessian_, model_;
  kernels::SimplexQp qp_;
};

}  // namespace fenchel::sdk::bundle
