// Squared loss  φ(z; y) = ½ (z − y)²,  y real.
//
//   φ′(z) = z − y                              φ″ = 1: 1-smooth, 1-strongly convex, not Lipschitz
//   φ*(u) = y u + ½ u²,  finite everywhere     (sup of u z − φ at z = y + u)
//   prox_{tφ}(s) = (s + t y) / (1 + t)         (root of x − y + (x − s)/t)
#include <fenchel/sdk.hpp>

namespace {
using namespace fenchel::sdk;

struct Squared {
  static constexpr Card card{.id = "squared", .summary = "(z - y)^2 / 2: least squares"};
  static constexpr Target target = Target::real;

  explicit Squared(const Params&) {}
  LossFacts facts() const {
    return {.convex = true,
            .lipschitz = absent,
            .smoothness = 1.0,
            .strong_convexity = 1.0,
            .lower_bound = 0.0};
  }

  double value(double z, double y) const { return 0.5 * (z - y) * (z - y); }
  double gradient(double z, double y) const { return z - y; }
  double conjugate(double u, double y) const { return u * (y + 0.5 * u); }
  double prox(double s, double t, double y) const { return (s + t * y) / (1.0 + t); }
};
}  // namespace

FENCHEL_LOSS(Squared)
