// J at the start: w₀ = 0, or where Ω(0) = +∞ the point of dom Ω nearest to 0 under Ω, prox_Ω(0).
// With φ ≥ b and Ω ≥ c:  J(w₀) − J* ≤ J(w₀) − b − c.
//
// ‖w*‖ is bounded by each of
//   strong convexity  J(w₀) − J* ≥ (μ/2)‖w₀ − w*‖²       ‖w*‖ ≤ ‖w₀‖ + √(2 (J(w₀) − J*)/μ)
//   growth            Ω(w*) − Ω(0) ≤ L(0) − L(Aw*) ≤ L(0) − b,  Ω(w) − Ω(0) ≥ a‖w‖
//                                                         ‖w*‖ ≤ (L(0) − b)/a
//   domain            the radius of dom Ω
#include "calculus/scale.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace fenchel {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// w₀ with its scores.
struct Start {
  std::vector<double> weights, scores;
  double omega = 0.0;
  bool at_zero = true;

  explicit Start(const Problem& problem)
      : weights(static_cast<std::size_t>(problem.shape().parameters), 0.0),
        scores(static_cast<std::size_t>(problem.shape().scores), 0.0),
        omega(problem.omega(weights.data())) {
    if (std::isfinite(omega) || !FENCHEL_MEMBER(problem.regularizer().table, prox)) return;
    at_zero = false;
    problem.omega_prox(weights.data(), 1.0, weights.data());
    problem.apply(weights.data(), scores.data());
    omega = problem.omega(weights.data());
  }
  double norm() const {
    double sum = 0.0;
    for (const double w : weights) sum += w * w;
    return std::sqrt(sum);
  }
};

void bound_distance(const Problem& problem, const Start& start, double risk_above, Scale& scale) {
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
  if (mu.known())
    offer(start.norm() + std::sqrt(2.0 * scale.initial / mu.value()),
          start.at_zero ? "sqrt(2 (J(0) - J*)/mu)" : "|w0| + sqrt(2 (J(w0) - J*)/mu)");
  if (start.at_zero && growth.known() && growth.value() > 0.0)
    offer(risk_above / growth.value(), "(L(0) - inf L)/growth");
  if (radius.known()) offer(radius.value(), "radius of the domain");
}

}  // namespace

Scale measure_scale(const Problem& problem, const StopSpec& stop) {
  const Start start(problem);
  const double risk = problem.risk(start.scores.data());
  const Derived risk_low = problem.constants().find(FENCHEL_ABOUT_LOSS, FENCHEL_FACT_LOWER_BOUND);
  const Derived omega_low =
      problem.constants().find(FENCHEL_ABOUT_REGULARIZER, FENCHEL_FACT_LOWER_BOUND);
  Scale scale;
  scale.zero_inside = start.at_zero;
  scale.at_zero = risk + start.omega;
  const double risk_above = risk_low.known() ? risk - risk_low.value() : kInfinity;
  scale.initial = omega_low.known() ? risk_above + start.omega - omega_low.value() : kInfinity;
  bound_distance(problem, start, risk_above, scale);
  scale.epsilon = stop.gap.value_or(kInfinity);
  scale.epsilon_from = "stop.gap";
  if (stop.relative_gap && *stop.relative_gap * std::abs(scale.at_zero) / 10.0 < scale.epsilon) {
    scale.epsilon = *stop.relative_gap * std::abs(scale.at_zero) / 10.0;
    scale.epsilon_from =
        fmt::format("relative-gap {:g} times {}/10 = {:.4g}, which stands in for J*",
                    *stop.relative_gap, scale.zero_inside ? "J(0)" : "J(w0)", scale.at_zero / 10.0);
  }
  return scale;
}

}  // namespace fenchel
