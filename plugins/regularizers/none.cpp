// No regularizer  Ω(w) = 0.
//
//   prox_{tΩ}(w) = w                           0-Lipschitz, 0-smooth, not strongly convex
//   Ω*(v) = 0 for v = 0, +∞ elsewhere
#include <fenchel/sdk.hpp>

namespace {
using namespace fenchel::sdk;

struct None {
  static constexpr Card card{.id = "none", .summary = "0: the loss alone"};

  explicit None(const Params&) {}
  RegularizerFacts facts() const {
    return {.convex = true,
            .lipschitz = 0.0,
            .smoothness = 0.0,
            .strong_convexity = absent,
            .domain_radius = absent,
            .quadratic = absent,  // a solver that asks for one divides by it
            .lower_bound = 0.0,
            .growth = 0.0};
  }

  double value(double) const { return 0.0; }
  double gradient(double) const { return 0.0; }
  double prox(double w, double) const { return w; }
  double conjugate(double v) const { return v == 0.0 ? 0.0 : infinity; }
  double dual_limit() const { return 0.0; }
};
}  // namespace

FENCHEL_REGULARIZER(None)
