// A box  Ω(w) = 0 for l ≤ wⱼ ≤ u in every coordinate,  +∞ elsewhere.
//
//   prox_{tΩ}(w) = clamp(w, l, u)
//   Ω*(v) = Σ max(l vⱼ, u vⱼ)
#include <fenchel/sdk.hpp>

namespace {
using namespace fenchel::sdk;

struct Box {
  static constexpr Card card{.id = "box", .summary = "lower <= w <= upper in every coordinate"};
  static constexpr Param params[] = {{.name = "lower", .meaning = "least weight"},
                                     {.name = "upper", .meaning = "largest weight"}};

  explicit Box(const Params& p) : lower_(p.number("lower")), upper_(p.number("upper")) {
    if (lower_ > upper_) throw std::invalid_argument("lower is above upper: the box is empty");
  }
  RegularizerFacts facts() const {
    return {.convex = true,
            .lipschitz = absent,
            .smoothness = absent,
            .strong_convexity = absent,
            .domain_radius = known(std::max(std::abs(lower_), std::abs(upper_)), Norm::linf),
            .quadratic = absent,
            .lower_bound = 0.0};
  }

  // A mean of points of the box may round beyond an end.
  double value(double w) const {
    constexpr double kMargin = 1e-14;
    const bool inside =
        w >= lower_ - kMargin * std::abs(lower_) && w <= upper_ + kMargin * std::abs(upper_);
    return inside ? 0.0 : infinity;
  }
  double prox(double w, double) const { return std::clamp(w, lower_, upper_); }
  double conjugate(double v) const { return std::max(lower_ * v, upper_ * v); }

 private:
  double lower_, upper_;
};
}  // namespace

FENCHEL_REGULARIZER(Box)
