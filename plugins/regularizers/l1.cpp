// ℓ1 norm  Ω(w) = λ‖w‖₁.
//
//   prox_{tΩ}(w) = sign(w) max(0, |w| − tλ)          (soft threshold)
//   Ω*(v) = 0 for ‖v‖∞ ≤ λ, +∞ elsewhere             convex, not strongly, not smooth
#include <fenchel/sdk.hpp>

namespace {
using namespace fenchel::sdk;

struct L1 {
  static constexpr Card card{
      .id = "l1",
      .summary = "lambda |w|_1: sparse weights",
      .citation = "Tibshirani, Regression shrinkage and selection via the lasso, 1996"};
  static constexpr Param params[] = {
      {.name = "lambda", .range = "(0, inf)", .meaning = "weight of the norm"}};

  explicit L1(const Params& p) : lambda_(p.number("lambda")) {}
  RegularizerFacts facts() const {
    return {.convex = true,
            .lipschitz = known(lambda_, Norm::l1),
            .smoothness = absent,
            .strong_convexity = absent,
            .domain_radius = absent,
            .quadratic = absent,
            .lower_bound = 0.0,
            .growth = known(lambda_, Norm::l1)};
  }

  double value(double w) const { return lambda_ * std::abs(w); }
  double prox(double w, double t) const {
    return std::copysign(std::max(0.0, std::abs(w) - t * lambda_), w);
  }
  double conjugate(double v) const { return std::abs(v) <= lambda_ ? 0.0 : infinity; }
  double dual_limit() const { return lambda_; }

 private:
  double lambda_;
};
}  // namespace

FENCHEL_REGULARIZER(L1)
