// Squared hinge loss  φ(z; y) = max(0, 1 − y z)²,  y ∈ {−1, +1}.
//
//   φ′(z) = −2 y max(0, 1 − y z)               φ″ ∈ {0, 2}: 2-smooth, not strongly convex, not
//   Lipschitz φ*(u) = y u + ¼ u²  for y u ≤ 0,  +∞ elsewhere      (sup of u z − φ at 1 − y z = −y u
//   / 2) prox_{tφ}(s) = s if y s ≥ 1, else (s + 2 t y) / (1 + 2 t)
#include <fenchel/sdk.hpp>

namespace {
using namespace fenchel::sdk;

struct SquaredHinge {
  static constexpr Card card{.id = "squared-hinge",
                             .summary = "max(0, 1 - y z)^2: the L2-loss support vector machine"};

  explicit SquaredHinge(const Params&) {}
  LossFacts facts() const {
    return {.convex = true,
            .lipschitz = absent,
            .smoothness = 2.0,
            .strong_convexity = absent,
            .lower_bound = 0.0};
  }

  double value(double z, double y) const {
    const double slack = std::max(0.0, 1.0 - y * z);
    return slack * slack;
  }
  double gradient(double z, double y) const { return -2.0 * y * std::max(0.0, 1.0 - y * z); }
  double conjugate(double u, double y) const {
    return y * u <= 0.0 ? u * (y + 0.25 * u) : infinity;
  }
  double prox(double s, double t, double y) const {
    return y * s >= 1.0 ? s : (s + 2.0 * t * y) / (1.0 + 2.0 * t);
  }
  Interval dual_domain(double y) const {
    return y > 0.0 ? Interval{-infinity, 0.0} : Interval{0.0, infinity};
  }
};
}  // namespace

FENCHEL_LOSS(SquaredHinge)
