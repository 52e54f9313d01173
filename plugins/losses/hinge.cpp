// Hinge loss  φ(z; y) = max(0, 1 − y z),  y ∈ {−1, +1}.
//
//   ∂φ ∋ −y if y z < 1, else 0                1-Lipschitz, not smooth
//   φ*(u) = y u  for y u ∈ [−1, 0],  +∞ elsewhere
//   prox_{tφ}(s) = s + t y · clamp((1 − y s)/t, 0, 1)
#include <fenchel/sdk.hpp>

namespace {
using namespace fenchel::sdk;

struct Hinge {
  static constexpr Card card{.id = "hinge",
                             .summary = "max(0, 1 - y z): the support vector machine",
                             .citation = "Cortes and Vapnik, Support-vector networks, 1995"};

  explicit Hinge(const Params&) {}
  LossFacts facts() const {
    return {.convex = true,
            .lipschitz = 1.0,
            .smoothness = absent,
            .strong_convexity = absent,
            .lower_bound = 0.0};
  }

  double value(double z, double y) const { return std::max(0.0, 1.0 - y * z); }
  double gradient(double z, double y) const { return y * z < 1.0 ? -y : 0.0; }
  double conjugate(double u, double y) const {
    return -1.0 <= y * u && y * u <= 0.0 ? y * u : infinity;
  }
  double prox(double s, double t, double y) const {
    return s + t * y * std::clamp((1.0 - y * s) / t, 0.0, 1.0);
  }
  Interval dual_domain(double y) const { return {std::min(-y, 0.0), std::max(-y, 0.0)}; }
};
}  // namespace

FENCHEL_LOSS(Hinge)
