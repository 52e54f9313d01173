// The two problems that an estimate sequence can work on, in one form:
//
//   minimise over x   F(x) = Ψ(x) + h(B x),    h smooth, Ψ with a step of its own
//
//   Primal   x = w, B = A, h = (1/n) Σ φᵢ, Ψ = Ω;          the mean of −∇φᵢ is an α
//   Dual     x = α, B = Aᵀ/n, h = Ω*, Ψ = (1/n) Σ φᵢ*(−·);  the mean of ∇Ω* is a w
//
// `slopes` are the gradients in B x: those of φᵢ without 1/n, or ∇Ω*.
#pragma once

#include <fenchel/sdk/estimate/geometry.hpp>
#include <fenchel/sdk/solver.hpp>

#include <cmath>
#include <vector>

namespace fenchel::sdk::estimate {

class Primal {
 public:
  void start(Problem problem, bool entropy) {
    problem_ = problem;
    geometry_.start(problem, entropy);
  }
  std::int64_t size() const { return problem_.parameters(); }
  std::int64_t images() const { return problem_.scores(); }

  void image(const double* x, double* bx) const { problem_.apply(x, bx); }
  double smooth(const double* bx) const { return problem_.risk(bx); }
  double smooth_slopes(const double* bx, double* slopes) const {
    return problem_.risk_gradient(bx, slopes);
  }
  void gradient(const double* slopes, double* out) const { problem_.adjoint(slopes, out); }
  double rest(const double* x) const { return problem_.omega(x); }

  // argmin ⟨p, x⟩ + c d(x) + a Ψ(x).
  void minimise(const double* p, double c, double a, double* x) const {
    geometry_.minimise(p, c, a, x);
  }
  const Geometry& geometry() const { return geometry_; }
  // A point of dom Ψ: the given one, or the middle of the geometry.
  void first(const double* warm, double* x) const {
    if (warm && std::isfinite(problem_.omega(warm))) {
      std::copy_n(warm, size(), x);
      return;
    }
    geometry_.middle(x);
  }

  // D at the α of averaged slopes, whose image is the averaged gradient; −∞ outside the domain.
  double other_value(const double* slopes, const double* gradient) {
    negative_.assign(gradient, gradient + size());
    for (double& v : negative_) v = -v;
    return -problem_.risk_conjugate(slopes) - problem_.omega_conjugate(negative_.data());
  }

 private:
  Problem problem_;
  Geometry geometry_;
  std::vector<double> negative_;
};

class Dual {
 public:
  void start(Problem problem) {
    problem_ = problem;
    n_ = static_cast<double>(problem.blocks());
    work_.resize(static_cast<std::size_t>(problem.scores()));
  }
  std::int64_t size() const { return problem_.scores(); }
  std::int64_t images() const { return problem_.parameters(); }

  void image(const double* x, double* bx) const { problem_.adjoint(x, bx); }
  double smooth(const double* bx) const { return problem_.omega_conjugate(bx); }
  double smooth_slopes(const double* bx, double* slopes) const {
    problem_.omega_conjugate_gradient(bx, slopes);
    return problem_.omega_conjugate(bx);
  }
  void gradient(const double* slopes, double* out) const {
    problem_.apply(slopes, out);
    for (std::int64_t i = 0; i < size(); ++i) out[i] /= n_;
  }
  double rest(const double* x) {
    for (std::int64_t i = 0; i < size(); ++i) work_[static_cast<std::size_t>(i)] = -x[i];
    return problem_.risk_conjugate(work_.data());
  }

  // With s = −p/c and τ = a/(cn): x = s + τ prox_{φ/τ}(−s/τ), by Moreau's identity.
  void minimise(const double* p, double c, double a, double* x) {
    const double tau = a / (c * n_);
    for (std::int64_t i = 0; i < size(); ++i) work_[static_cast<std::size_t>(i)] = p[i] / (c * tau);
    problem_.risk_prox(work_.data(), 1.0 / tau, x);
    for (std::int64_t i = 0; i < size(); ++i) x[i] = p[i] / c - tau * x[i];
    project(x);
    for (std::int64_t i = 0; i < size(); ++i) x[i] = -x[i];
  }
  const Geometry& geometry() const { return geometry_; }
  // −∇φ(0), or the given α.
  void first(const double* warm, double* x) const {
    if (warm) {
      std::copy_n(warm, size(), x);
      return;
    }
    problem_.risk_gradient(std::vector<double>(static_cast<std::size_t>(size())).data(), x);
    for (std::int64_t i = 0; i < size(); ++i) x[i] = -x[i];
  }

  // −J at the averaged w, whose scores are n times the averaged gradient.
  double other_value(const double* slopes, const double* gradient) {
    for (std::int64_t i = 0; i < size(); ++i) work_[static_cast<std::size_t>(i)] = n_ * gradient[i];
    return -problem_.risk(work_.data()) - problem_.omega(slopes);
  }

 private:
  // Rounding may leave the domain of φ* by a hair.
  void project(double* u) const {
    const fenchel_problem& raw = problem_.raw();
    if (!raw.loss->project_dual) return;
    for (std::int64_t i = 0, at = 0; i < problem_.blocks(); ++i) {
      const fenchel_batch batch = problem_.block(i);
      Problem::call(raw.loss->project_dual(raw.loss_self, &batch, u + at));
      at += batch.offsets ? batch.offsets[1] - batch.offsets[0] : batch.width;
    }
  }

  Problem problem_;
  Geometry geometry_;
  double n_ = 1.0;
  std::vector<double> work_;
};

}  // namespace fenchel::sdk::estimate
