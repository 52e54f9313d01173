// Elastic-net ball  Ω(w) = 0 for γ‖w‖₁ + ½‖w‖² ≤ r,  +∞ elsewhere. The constrained twin of the
// elastic net (AGM paper, example 6 and section 5.5.2).
//
//   prox_{tΩ}(w) is the projection, sign(w) max(0, |w| − λγ)/(1 + λ) with λ by a root in O(d)
//   Ω*(v) = ⟨v, ∇Ω*(v)⟩,  ∇Ω*(v) = sign(v) max(0, |v| − μγ)/μ with μ likewise; 0 at v = 0, where
//   every point of the ball will do
//
// ‖w‖ ≤ ‖w‖₁, so γ‖w‖ + ½‖w‖² ≤ r on the ball: it has the radius √(γ² + 2r) − γ.
#include <fenchel/kernels/elastic_net_ball.hpp>
#include <fenchel/sdk.hpp>

namespace {
using namespace fenchel::sdk;
namespace kernels = fenchel::kernels;

struct ElasticNetBall {
  static constexpr Card card{
      .id = "elastic-net-ball",
      .summary = "gamma |w|_1 + |w|^2 / 2 <= radius: sparse weights by a constraint",
      .citation =
          "Zou and Hastie, Regularization and variable selection via the elastic net, 2005"};
  static constexpr Param params[] = {
      {.name = "gamma", .range = "[0, inf)", .meaning = "weight of |w|_1 in the constraint"},
      {.name = "radius", .range = "(0, inf)", .meaning = "bound r of the constraint"}};

  explicit ElasticNetBall(const Params& p) : gamma_(p.number("gamma")), r_(p.number("radius")) {}
  RegularizerFacts facts() const {
    return {.convex = true,
            .lipschitz = absent,
            .smoothness = absent,
            .strong_convexity = absent,
            .domain_radius = 2.0 * r_ / (std::hypot(gamma_, std::sqrt(2.0 * r_)) + gamma_),
            .quadratic = absent,
            .lower_bound = 0.0,
            .growth = 0.0};
  }

  double value(Values w) const {
    const double most = r_ * (1.0 + rounding_margin(w.size()));
    return kernels::elastic_net(w, gamma_) <= most ? 0.0 : infinity;
  }
  void prox(Values w, double, std::span<double> out) const {
    kernels::project_elastic_net_ball(w, gamma_, r_, scratch(w.size()), out);
  }
  double conjugate(Values v) const {
    const std::span<double> memory = scratch(3 * v.size());
    const std::span<double> w = memory.first(v.size());
    kernels::farthest_in_elastic_net_ball(v, gamma_, r_, memory.subspan(v.size()), w);
    double product = 0.0;
    for (std::size_t j = 0; j < v.size(); ++j) product += v[j] * w[j];
    return product;
  }
  void conjugate_gradient(Values v, std::span<double> out) const {
    kernels::farthest_in_elastic_net_ball(v, gamma_, r_, scratch(2 * v.size()), out);
  }

 private:
  double gamma_, r_;
};
}  // namespace

FENCHEL_REGULARIZER(ElasticNetBall)
