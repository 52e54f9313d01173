// Elastic net  Ω(w) = λ₁‖w‖₁ + (λ₂/2)‖w‖²,  λ₁, λ₂ ≥ 0, not both 0.  With the soft threshold
// S(x, τ) = sign(x) max(0, |x| − τ), coordinate by coordinate:
//
//   prox_{tΩ}(w) = S(w, tλ₁) / (1 + tλ₂)
//   Ω*(v) = ½ S(v, λ₁)²/λ₂,  ∇Ω*(v) = S(v, λ₁)/λ₂       where λ₂ > 0
//   Ω*(v) = 0 for |v| ≤ λ₁, +∞ elsewhere                 where λ₂ = 0
//
// λ₂-strongly convex; λ₂-smooth only if λ₁ = 0; λ₁-Lipschitz in ‖·‖₁ only if λ₂ = 0.
#include <fenchel/sdk.hpp>

namespace {
using namespace fenchel::sdk;

struct ElasticNet {
  static constexpr Card card{
      .id = "elastic-net",
      .summary = "l1 |w|_1 + (l2 / 2) |w|^2: sparse weights, yet strongly convex",
      .citation =
          "Zou and Hastie, Regularization and variable selection via the elastic net, 2005"};
  static constexpr Param params[] = {
      {.name = "l1", .range = "[0, inf)", .meaning = "weight of the norm"},
      {.name = "l2", .range = "[0, inf)", .meaning = "weight of the squared norm"}};

  explicit ElasticNet(const Params& p) : l1_(p.number("l1")), l2_(p.number("l2")) {
    if (l1_ == 0.0 && l2_ == 0.0)
      throw std::invalid_argument("l1 and l2 are both 0; use the regularizer 'none'");
  }
  RegularizerFacts facts() const {
    return {.convex = true,
            .lipschitz = l2_ == 0.0 ? known(l1_, Norm::l1) : absent,
            .smoothness = l1_ == 0.0 ? Fact(l2_) : absent,
            .strong_convexity = positive(l2_),
            .domain_radius = absent,
            .quadratic = l1_ == 0.0 ? Fact(l2_) : absent,
            .lower_bound = 0.0,
            .growth = known(l1_, Norm::l1)};
  }

  double value(double w) const { return l1_ * std::abs(w) + 0.5 * l2_ * w * w; }
  double prox(double w, double t) const { return soft(w, t * l1_) / (1.0 + t * l2_); }
  double conjugate(double v) const {
    const double excess = soft(v, l1_);
    return excess == 0.0 ? 0.0 : 0.5 * excess * (excess / l2_);
  }
  // Where l2 = 0 the maximiser is 0 inside the domain; outside there is none.
  double conjugate_gradient(double v) const {
    const double excess = soft(v, l1_);
    return excess == 0.0 ? 0.0 : excess / l2_;
  }
  double dual_limit() const {
    if (l2_ == 0.0) return l1_;
    return infinity;
  }

 private:
  static double soft(double x, double threshold) {
    return std::copysign(std::max(0.0, std::abs(x) - threshold), x);
  }

  double l1_;
  double l2_;
};
}  // namespace

FENCHEL_REGULARIZER(ElasticNet)
