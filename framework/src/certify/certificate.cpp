#include "certify/certificate.hpp"

#include "certify/free_directions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace fenchel {
namespace {

constexpr double kNegativeGap = 1e-9;  // beyond, a defect is no rounding error any more

// Makes v vanish where Ω is zero; what rounding leaves is charged to D.
double settle_free_directions(const Problem& problem, const double* w,
                              const std::vector<double>& scores, DualPoint& point,
                              std::vector<double>& v) {
  if (problem.free_parameters().empty()) return 0.0;
  const std::vector<double> before = point.alpha;
  if (!clear_free_directions(problem, scores, point.alpha, v)) {
    std::fill(point.alpha.begin(), point.alpha.end(), 0.0);
    std::fill(v.begin(), v.end(), 0.0);
  }
  // What was known of φ* was known elsewhere.
  if (point.alpha != before) point.bound = std::numeric_limits<double>::infinity();
  double charge = 0.0;
  for (const std::int32_t j : problem.free_parameters()) {
    double& residual = v[static_cast<std::size_t>(j)];
    charge += 2.0 * std::abs(residual) * std::abs(w[j]);
    residual = 0.0;
  }
  return charge;
}

}  // namespace

double relative_gap(double gap, double primal) { return gap / std::max(1e-12, std::abs(primal)); }

Certificate certify(const Problem& problem, const double* w, const double* alpha,
                    const Mixture& mixture) {
  Certificate c;
  std::vector<double> scores(static_cast<std::size_t>(problem.shape().scores));
  problem.apply(w, scores.data());
  c.primal = problem.omega(w) + problem.risk(scores.data());
  if (!std::isfinite(c.primal))
    throw Error(Exit::plugin_failed, "the objective at the solver's weights is not finite");

  // Without a conjugate only the point whose value Fenchel and Young give can be judged.
  const bool judged = FENCHEL_MEMBER(problem.loss().table, conjugate) != nullptr;
  DualPoint point = judged && mixture.parts != 0 ? mixed_dual(problem, mixture)
                    : judged && alpha            ? given_dual(problem, alpha)
                                                 : gradient_dual(problem, scores);
  std::vector<double> v(static_cast<std::size_t>(problem.shape().parameters));
  problem.adjoint(point.alpha.data(), v.data());
  const double charge = settle_free_directions(problem, w, scores, point, v);
  const double scale = problem.dual_scale(v.data());
  c.alpha = point.alpha;
  if (scale < 1.0) {
    for (double& x : c.alpha) x *= scale;
    for (double& x : v) x *= scale;
  }
  c.dual =
      -least_conjugate(problem, point, c.alpha, scale) - problem.omega_conjugate(v.data()) - charge;

  if (c.gap() < -kNegativeGap * (1.0 + std::abs(c.primal)))
    throw Error(
        Exit::plugin_failed,
        fmt::format("J = {:.12g} lies below D = {:.12g}: an oracle of loss '{}' or regularizer "
                    "'{}' is wrong",
                    c.primal, c.dual, problem.loss().id, problem.regularizer().id),
        {}, "run 'fenchel plugins verify' on both");
  c.dual = std::min(c.dual, c.primal);
  return c;
}

}  // namespace fenchel
