// Huber loss, with r = z − y, y real, δ > 0:
//
//   φ(z; y) = ½ r² if |r| ≤ δ,  δ (|r| − δ/2) elsewhere
//   φ′(z) = clamp(r, −δ, δ)                    δ-Lipschitz; φ″ ∈ {0, 1}: 1-smooth, not strongly
//   convex φ*(u) = y u + ½ u²  for |u| ≤ δ,  +∞ elsewhere prox_{tφ}(s) = (s + t y)/(1 + t) if |s −
//   y| ≤ δ (1 + t),  s − t δ sign(s − y) elsewhere
#include <fenchel/sdk.hpp>

#include <cmath>

namespace {
using namespace fenchel::sdk;

struct Huber {
  static constexpr Card card{.id = "huber",
                             .summary = "squared for residuals up to delta, linear beyond",
                             .citation = "Huber, Robust estimation of a location parameter, 1964"};
  static constexpr Target target = Target::real;
  static constexpr Param params[] = {{.name = "delta",
                                      .fallback = "1",
                                      .range = "(0, inf)",
                                      .meaning = "residual at which the loss becomes linear"}};

  explicit Huber(const Params& p) : delta_(p.number("delta")) {}
  LossFacts facts() const {
    return {.convex = true,
            .lipschitz = delta_,
            .smoothness = 1.0,
            .strong_convexity = absent,
            .lower_bound = 0.0};
  }

  double value(double z, double y) const {
    const double r = std::abs(z - y);
    return r <= delta_ ? 0.5 * r * r : delta_ * (r - 0.5 * delta_);
  }
  double gradient(double z, double y) const { return std::clamp(z - y, -delta_, delta_); }
  double conjugate(double u, double y) const {
    return std::abs(u) <= delta_ ? u * (y + 0.5 * u) : infinity;
  }
  double prox(double s, double t, double y) const {
    const double r = s - y;
    if (std::abs(r) <= delta_ * (1.0 + t)) return (s + t * y) / (1.0 + t);
    return s - std::copysign(t * delta_, r);
  }
  Interval dual_domain(double) const { return {-delta_, delta_}; }

 private:
  double delta_;
};
}  // namespace

FENCHEL_LOSS(Huber)
