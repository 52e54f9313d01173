// Squared Euclidean norm  Ω(w) = (λ/2)‖w‖².
//
//   ∇Ω(w) = λ w                                λ-smooth, λ-strongly convex, not Lipschitz
//   prox_{tΩ}(w) = w / (1 + tλ)
//   Ω*(v) = ‖v‖²/(2λ),  ∇Ω*(v) = v/λ
#include <fenchel/sdk.hpp>

namespace {
using namespace fenchel::sdk;

struct L2 {
  static constexpr Card card{.id = "l2",
                             .summary = "(lambda / 2) |w|^2: ridge",
                             .citation = "Hoerl and Kennard, Ridge regression, 1970"};
  static constexpr Param params[] = {
      {.name = "lambda", .range = "(0, inf)", .meaning = "weight of the squared norm"}};

  explicit L2(const Params& p) : lambda_(p.number("lambda")) {}
  RegularizerFacts facts() const {
    return {.convex = true,
            .lipschitz = absent,
            .smoothness = lambda_,
            .strong_convexity = lambda_,
            .domain_radius = absent,
            .quadratic = lambda_,
            .lower_bound = 0.0,
            .growth = 0.0};
  }

  double value(double w) const { return 0.5 * lambda_ * w * w; }
  double gradient(double w) const { return lambda_ * w; }
  double prox(double w, double t) const { return w / (1.0 + t * lambda_); }
  double conjugate(double v) const { return 0.5 * v * (v / lambda_); }
  double conjugate_gradient(double v) const { return v / lambda_; }

 private:
  double lambda_;
};
}  // namespace

FENCHEL_REGULARIZER(L2)
