// What agm-dual and pragam share: the requirements and constants of a smooth dual,
// L = ‖A‖²/(n²μ) and σ = γ/n.
#pragma once

#include <fenchel/sdk/solver.hpp>

#include <algorithm>
#include <cmath>
#include <vector>

namespace fenchel::sdk::estimate {

inline std::vector<Requirement> dual_requirements() {
  return {{About::loss, FENCHEL_FACT_CONVEX, "the dual exists and is tight for convex losses"},
          {About::loss, FENCHEL_FACT_HAS_PROX, "a step is one prox of the loss"},
          {About::loss, FENCHEL_FACT_HAS_CONJUGATE, "the dual value is made of conjugates"},
          {About::regularizer, FENCHEL_FACT_STRONG_CONVEXITY, "the dual is smooth by it"},
          {About::regularizer, FENCHEL_FACT_HAS_CONJUGATE_GRADIENT,
           "w is the gradient of the conjugate of the regularizer"}};
}

struct DualConstants {
  double lipschitz, sigma;
};

inline DualConstants dual_start(const Problem& problem, bool adaptive) {
  const auto n = static_cast<double>(problem.blocks());
  const double mu = problem.constant(About::regularizer, FENCHEL_FACT_STRONG_CONVEXITY);
  // R is below |A|: adaptive L starts low.
  const double norm = problem.constant(
      About::problem, adaptive ? FENCHEL_FACT_BLOCK_NORM : FENCHEL_FACT_OPERATOR_NORM);
  return {std::max(norm * norm / (n * n * mu), 1e-300),
          1.0 / (problem.constant(About::loss, FENCHEL_FACT_SMOOTHNESS, infinity) * n)};
}

// 2 n ℓ² L C_k ≤ ε with C_k the smaller of 4/(k + 2)² and (1 − contraction(L, σ))^k.
template <class Contraction>
double dual_iterations(const RateQuery& q, double up, Contraction contraction) {
  const auto n = static_cast<double>(q.shape().blocks);
  const double norm = q.constant(About::problem, FENCHEL_FACT_OPERATOR_NORM, infinity);
  const double mu = q.constant(About::regularizer, FENCHEL_FACT_STRONG_CONVEXITY);
  const double ell = q.constant(About::loss, FENCHEL_FACT_DUAL_RADIUS, infinity);
  const double l = norm * norm / (n * n * mu) * up;
  const double sigma = 1.0 / (q.constant(About::loss, FENCHEL_FACT_SMOOTHNESS, infinity) * n);
  const double ratio = std::max(2.0 * n * ell * ell * l / q.epsilon(), 1.0);
  const double sublinear = 2.0 * std::sqrt(ratio);
  return sigma > 0.0 ? std::min(sublinear, -std::log(ratio) / std::log1p(-contraction(l, sigma)))
                     : sublinear;
}

}  // namespace fenchel::sdk::estimate
