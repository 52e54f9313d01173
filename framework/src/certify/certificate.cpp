#include "certify/certificate.hpp"

#include "certify/free_directions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace fenchel {
namespace {

// Beyond these a defect is no rounding error any more.
constexpr double kInfeasible = 1e-8;
constexpr double kNegativeGap = 1e-9;

std::vector<double> negated(const std::vector<double>& x) {
  std::vector<double> y(x.size());
  std::transform(x.begin(), x.end(), y.begin(), [](double a) { return -a; });
  return y;
}

std::vector<double> gradient_dual(const Problem& problem, const std::vector<double>& scores) {
  std::vector<double> u(scores.size());
  problem.loss_gradient(scores.data(), u.data());
  if (!std::all_of(u.begin(), u.end(), [](double x) { return std::isfinite(x); }))
    throw part_failure("loss", problem.loss(), "'gradient' returned a value that is not finite");
  problem.project_dual(u.data());  // rounding may have left the domain
  return negated(u);
}

// The solver's α with −α moved into dom φ*; what is moved must be rounding.
std::vector<double> feasible_dual(const Problem& problem, const double* alpha) {
  std::vector<double> given(alpha, alpha + problem.shape().scores);
  std::vector<double> u = negated(given);
  problem.project_dual(u.data());
  for (std::size_t i = 0; i < u.size(); ++i)
    if (!(std::abs(u[i] + given[i]) <= kInfeasible * (1.0 + std::abs(u[i]))))
      throw Error(
          Exit::plugin_failed,
          fmt::format("the solver returned an infeasible dual: entry {} is {:g}, the nearest "
                      "feasible value is {:g}",
                      i, given[i], -u[i]));
  return negated(u);
}

// Makes v vanish where Ω is zero; what rounding leaves is charged to D.
double settle_free_directions(const Problem& problem, const double* w,
                              const std::vector<double>& scores, std::vector<double>& alpha,
                              std::vector<double>& v) {
  if (problem.free_parameters().empty()) return 0.0;
  if (!clear_free_directions(problem, scores, alpha, v)) {
    std::fill(alpha.begin(), alpha.end(), 0.0);
    std::fill(v.begin(), v.end(), 0.0);
  }
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

Certificate certify(const Problem& problem, const double* w, const double* alpha) {
  Certificate c;
  std::vector<double> scores(static_cast<std::size_t>(problem.shape().scores));
  problem.apply(w, scores.data());
  c.primal = problem.omega(w) + problem.risk(scores.data());
  if (!std::isfinite(c.primal))
    throw Error(Exit::plugin_failed, "the objective at the solver's weights is not finite");

  c.alpha = alpha ? feasible_dual(problem, alpha) : gradient_dual(problem, scores);
  std::vector<double> v(static_cast<std::size_t>(problem.shape().parameters));
  problem.adjoint(c.alpha.data(), v.data());
  const double charge = settle_free_directions(problem, w, scores, c.alpha, v);
  const double scale = problem.dual_scale(v.data());
  if (scale < 1.0) {
    for (double& x : c.alpha) x *= scale;
    for (double& x : v) x *= scale;
  }
  c.dual =
      -problem.risk_conjugate(negated(c.alpha).data()) - problem.omega_conjugate(v.data()) - charge;

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
