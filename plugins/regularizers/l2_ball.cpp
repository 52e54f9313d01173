// Euclidean ball  Ω(w) = 0 for ‖w‖ ≤ r,  +∞ elsewhere.
//
//   prox_{tΩ}(w) = w min(1, r/‖w‖)
//   Ω*(v) = r‖v‖,  ∇Ω*(v) = r v/‖v‖             every w of the ball where v = 0; 0 is taken
#include <fenchel/sdk.hpp>

namespace {
using namespace fenchel::sdk;

struct L2Ball {
  static constexpr Card card{.id = "l2-ball", .summary = "|w| <= radius"};
  static constexpr Param params[] = {
      {.name = "radius", .range = "(0, inf)", .meaning = "largest Euclidean norm of w"}};

  explicit L2Ball(const Params& p) : radius_(p.number("radius")) {}
  RegularizerFacts facts() const {
    return {.convex = true,
            .lipschitz = absent,
            .smoothness = absent,
            .strong_convexity = absent,
            .domain_radius = radius_,
            .quadratic = absent,
            .lower_bound = 0.0,
            .growth = 0.0};
  }

  double value(Values w) const {
    return norm(w) <= radius_ * (1.0 + rounding_margin(w.size())) ? 0.0 : infinity;
  }
  void prox(Values w, double, std::span<double> out) const {
    const double length = norm(w);
    for (std::size_t j = 0; j < w.size(); ++j)
      out[j] = length <= radius_ ? w[j] : w[j] / length * radius_;
  }
  double conjugate(Values v) const { return radius_ * norm(v); }
  void conjugate_gradient(Values v, std::span<double> out) const {
    const double length = norm(v);
    for (std::size_t j = 0; j < v.size(); ++j)
      out[j] = length > 0.0 ? v[j] / length * radius_ : 0.0;
  }

 private:
  // Relative to the largest entry: no square over- or underflows.
  static double norm(Values x) {
    double largest = 0.0, sum = 0.0;
    for (const double entry : x) largest = std::max(largest, std::abs(entry));
    if (largest == 0.0) return 0.0;
    for (const double entry : x) sum += (entry / largest) * (entry / largest);
    return largest * std::sqrt(sum);
  }

  double radius_;
};
}  // namespace

FENCHEL_REGULARIZER(L2Ball)
