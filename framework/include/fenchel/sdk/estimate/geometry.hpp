// Distance generating functions d, 1-strongly convex in their norm.
//
//   Euclidean   d(x) = ‖x‖²/2                       argmin ⟨p, x⟩ + c d(x) + a Ω(x) =
//   prox_{(a/c)Ω}(−p/c) entropy     d(x) = Σ xᵢ log(N xᵢ) on the simplex  by the regularizer's
//   mirror step
#pragma once

#include <fenchel/sdk/solver.hpp>

#include <algorithm>
#include <cmath>
#include <vector>

namespace fenchel::sdk::estimate {

class Geometry {
 public:
  void start(Problem problem, bool entropy) {
    problem_ = problem;
    if (entropy) mirror_ = oracle(problem);
    if (entropy && !mirror_) throw std::runtime_error("the regularizer has no mirror step");
  }
  static const fenchel_mirror_oracle* oracle(const Problem& problem) {
    const fenchel_regularizer* omega = problem.raw().regularizer;
    return omega->oracle
               ? static_cast<const fenchel_mirror_oracle*>(omega->oracle("mirror-step", 1))
               : nullptr;
  }
  bool entropy() const { return mirror_ != nullptr; }

  void minimise(const double* p, double c, double a, double* x) const {
    const std::int64_t count = problem_.parameters();
    if (mirror_) {
      const void* self = problem_.raw().regularizer_self;
      return Problem::call(mirror_->step(self, count, p, c, a, x));
    }
    for (std::int64_t j = 0; j < count; ++j) x[j] = -p[j] / c;
    if (a > 0.0) problem_.omega_prox(x, a / c, x);
  }

  // Where d is least on dom Ω; the prox of 0 for the Euclidean one.
  void middle(double* x) const {
    const std::vector<double> zero(static_cast<std::size_t>(problem_.parameters()));
    minimise(zero.data(), 1.0, mirror_ ? 0.0 : 1.0, x);
  }

  double distance(const double* x, std::int64_t count) const {
    double sum = 0.0;
    if (mirror_) {
      const auto n = static_cast<double>(count);
      for (std::int64_t j = 0; j < count; ++j) sum += x[j] > 0.0 ? x[j] * std::log(n * x[j]) : 0.0;
      return sum;
    }
    for (std::int64_t j = 0; j < count; ++j) sum += x[j] * x[j];
    return 0.5 * sum;
  }
  // ∂d/∂xⱼ; the logarithm of an underflown weight stays finite.
  double slope(double x, double count) const {
    constexpr double kLeast = 1e-300;
    return mirror_ ? 1.0 + std::log(count * std::max(x, kLeast)) : x;
  }
  // ⟨∇d(x), x⟩ − d(x) = d*(∇d(x)).
  double conjugate(const double* x, std::int64_t count) const {
    if (!mirror_) return distance(x, count);
    double sum = 0.0;
    for (std::int64_t j = 0; j < count; ++j) sum += x[j];
    return sum;
  }

 private:
  Problem problem_;
  const fenchel_mirror_oracle* mirror_ = nullptr;
};

}  // namespace fenchel::sdk::estimate
