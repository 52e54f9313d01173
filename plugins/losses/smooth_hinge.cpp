// Smooth hinge loss: the Moreau envelope of the hinge, with r = 1 − y z, y ∈ {−1, +1}, γ > 0:
//
//   φ(z; y) = 0 if r ≤ 0,  r²/(2γ) if 0 ≤ r ≤ γ,  r − γ/2 if r ≥ γ
//   φ′(z) = −y clamp(r/γ, 0, 1)                1-Lipschitz; φ″ ∈ {0, 1/γ}: 1/γ-smooth, not strongly
//   convex φ*(u) = y u + ½ γ u²  for y u ∈ [−1, 0],  +∞ elsewhere      (the hinge's, plus ½ γ u²)
//   prox_{tφ}(s) = s + t y clamp((1 − y s)/(γ + t), 0, 1)
//
// Between the ends the prox is computed as (γ s + t y)/(γ + t), which does not cancel for large t.
#include <fenchel/sdk.hpp>

namespace {
using namespace fenchel::sdk;

struct SmoothHinge {
  static constexpr Card card{
      .id = "smooth-hinge",
      .summary = "the hinge with its kink rounded over a width gamma",
      .citation = "Shalev-Shwartz and Zhang, Stochastic dual coordinate ascent methods, 2013"};
  static constexpr Param params[] = {{.name = "gamma",
                                      .fallback = "1",
                                      .range = "(0, inf)",
                                      .meaning = "width of the quadratic part"}};

  explicit SmoothHinge(const Params& p) : gamma_(p.number("gamma")) {}
  LossFacts facts() const {
    return {.convex = true,
            .lipschitz = 1.0,
            .smoothness = 1.0 / gamma_,
            .strong_convexity = absent,
            .lower_bound = 0.0};
  }

  double value(double z, double y) const {
    const double r = 1.0 - y * z;
    if (r <= 0.0) return 0.0;
    return r >= gamma_ ? r - 0.5 * gamma_ : 0.5 * r * (r / gamma_);
  }
  double gradient(double z, double y) const {
    return -y * std::clamp((1.0 - y * z) / gamma_, 0.0, 1.0);
  }
  double conjugate(double u, double y) const {
    return -1.0 <= y * u && y * u <= 0.0 ? u * (y + 0.5 * gamma_ * u) : infinity;
  }
  double prox(double s, double t, double y) const {
    const double r = 1.0 - y * s;
    if (r <= 0.0) return s;
    return r >= gamma_ + t ? s + t * y : (gamma_ * s + t * y) / (gamma_ + t);
  }
  Interval dual_domain(double y) const { return {std::min(-y, 0.0), std::max(-y, 0.0)}; }

 private:
  double gamma_;
};
}  // namespace

FENCHEL_LOSS(SmoothHinge)
