// J(0) = Ω(0) + L(0). With φ ≥ b and Ω ≥ c:  J(0) − J* ≤ J(0) − b − c.
//
// ‖w*‖ is bounded by each of
//   strong convexity  J(0) − J* ≥ (μ/2)‖w*‖²             ‖w*‖ ≤ √(2 (J(0) − J*)/μ)
//   growth            Ω(w*) − Ω(0) ≤ L(0) − L(Aw*) ≤ L(0) − b,  Ω(w) − Ω(0) ≥ a‖w‖     ‖w*‖ ≤ (L(0)
//   − b)/a domain            the radius of dom Ω
#include "calculus/scale.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace fenchel {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

void bound_distance(const Problem& problem, double risk_above, Scale& scale) {
  scale.distance = kInfinity;
  scale.distance_from = "nothing bounds |w*|";
  const auto offer = [&](double bound, std::string from) {
    if (!(bound < scale.distance)) return;
    scale.distance = bound;
    scale.distance_from = std::move(from);
  };
  const auto about_omega = [&](std::int32_t id) {
    return problem.constants().find(FENCHEL_ABOUT_REGULARIZER, id);
  };
  const Derived mu = about_omega(FENCHEL_FACT_STRONG_CONVEXITY),
                growth = about_omega(FENCHEL_FACT_GROWTH),
                radius = about_omega(FENCHEL_FACT_DOMAIN_RADIUS);
  if (mu.known()) offer(std::sqrt(2.0 * scale.initial / mu.value()), "sqrt(2 (J(0) - J*)/mu)");
  if (growth.known() && growth.value() > 0.0)
    offer(risk_above / growth.value(), "(L(0) - inf L)/growth");
  if (radius.known()) offer(radius.value(), "radius of the domain");
}

}  // namespace

Scale measure_scale(const Problem& problem, const StopSpec& stop) {
  const std::vector<double> w(static_cast<std::size_t>(problem.shape().parameters), 0.0);
  const std::vector<double> z(static_cast<std::size_t>(problem.shape().scores), 0.0);
  const double risk = problem.risk(z.data()), omega = problem.omega(w.data());
  const Derived risk_low = problem.constants().find(FENCHEL_ABOUT_LOSS, FENCHEL_FACT_LOWER_BOUND);
  const Derived omega_low =
      problem.constants().find(FENCHEL_ABOUT_REGULARIZER, FENCHEL_FACT_LOWER_BOUND);
  Scale scale;
  scale.at_zero = risk + omega;
  const double risk_above = risk_low.known() ? risk - risk_low.value() : kInfinity;
  scale.initial = omega_low.known() ? risk_above + omega - omega_low.value() : kInfinity;
  bound_distance(problem, risk_above, scale);
  scale.epsilon = stop.gap.value_or(kInfinity);
  scale.epsilon_from = "stop.gap";
  if (stop.relative_gap && *stop.relative_gap * std::abs(scale.at_zero) / 10.0 < scale.epsilon) {
    scale.epsilon = *stop.relative_gap * std::abs(scale.at_zero) / 10.0;
    scale.epsilon_from =
        fmt::format("relative-gap {:g} times J(0)/10 = {:.4g}, which stands in for J*",
                    *stop.relative_gap, scale.at_zero / 10.0);
  }
  return scale;
}

}  // namespace fenchel
