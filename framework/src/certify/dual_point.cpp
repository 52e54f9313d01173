#include "certify/dual_point.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>

namespace fenchel {
namespace {

// Beyond these a defect is no rounding error any more.
constexpr double kInfeasible = 1e-8;
constexpr double kWeightSum = 1e-9;

std::vector<double> negated(const std::vector<double>& x) {
  std::vector<double> y(x.size());
  std::transform(x.begin(), x.end(), y.begin(), [](double a) { return -a; });
  return y;
}

// The first entry that left its place by more than rounding; the size where none did.
std::size_t first_moved(const std::vector<double>& from, const std::vector<double>& to) {
  std::size_t i = 0;
  while (i < to.size() && std::abs(to[i] - from[i]) <= kInfeasible * (1.0 + std::abs(to[i]))) ++i;
  return i;
}

// u moved into dom φ*; what is moved must be rounding.
void make_feasible(const Problem& problem, std::vector<double>& u, const std::string& what) {
  const std::vector<double> given = u;
  problem.project_dual(u.data());
  const std::size_t i = first_moved(given, u);
  if (i < u.size())
    throw Error(
        Exit::plugin_failed,
        fmt::format("the solver returned an infeasible dual{}: entry {} is {:g}, the nearest "
                    "feasible value is {:g}",
                    what, i, -given[i], -u[i]));
}

std::vector<double> convex_weights(const Mixture& mixture) {
  const auto lie = [](const std::string& what) {
    return Error(Exit::plugin_failed,
                 "the solver's mixture of duals is no convex combination: " + what);
  };
  if (mixture.parts < 0 || !mixture.weights) throw lie("it has no weights");
  std::vector<double> weights(mixture.weights, mixture.weights + mixture.parts);
  for (std::size_t j = 0; j < weights.size(); ++j) {
    if (!(weights[j] >= -kWeightSum)) throw lie(fmt::format("weight {} is {:g}", j, weights[j]));
    weights[j] = std::max(0.0, weights[j]);
  }
  const double sum = std::accumulate(weights.begin(), weights.end(), 0.0);
  if (!(std::abs(sum - 1.0) <= kWeightSum))
    throw lie(fmt::format("its weights sum up to {:.12g}", sum));
  for (double& weight : weights) weight /= sum;
  return weights;
}

}  // namespace

DualPoint gradient_dual(const Problem& problem, const std::vector<double>& scores) {
  std::vector<double> u(scores.size());
  problem.loss_gradient(scores.data(), u.data());
  if (!std::all_of(u.begin(), u.end(), [](double x) { return std::isfinite(x); }))
    throw part_failure("loss", problem.loss(), "'gradient' returned a value that is not finite");
  if (!FENCHEL_MEMBER(problem.loss().table, conjugate)) {
    // Fenchel and Young: φ*(∇φ(z)) = ⟨∇φ(z), z⟩ − φ(z), which needs no oracle.
    const double inner = std::inner_product(u.begin(), u.end(), scores.begin(), 0.0);
    return {negated(u),
            inner / static_cast<double>(problem.shape().blocks) - problem.risk(scores.data())};
  }
  problem.project_dual(u.data());  // rounding may have left the domain
  return {negated(u)};
}

DualPoint given_dual(const Problem& problem, const double* alpha) {
  std::vector<double> u = negated({alpha, alpha + problem.shape().scores});
  make_feasible(problem, u, "");
  return {negated(u)};
}

DualPoint mixed_dual(const Problem& problem, const Mixture& mixture) {
  const std::vector<double> weights = convex_weights(mixture);
  std::vector<double> part(static_cast<std::size_t>(problem.shape().scores)), mixed(part.size());
  double bound = 0.0;
  for (std::size_t j = 0; j < weights.size(); ++j) {
    if (weights[j] == 0.0) continue;
    mixture.part(static_cast<std::int64_t>(j), part.data());
    for (double& x : part) x = -x;
    make_feasible(problem, part, fmt::format(" (part {})", j));
    bound += weights[j] * problem.risk_conjugate(part.data());
    for (std::size_t i = 0; i < part.size(); ++i) mixed[i] += weights[j] * part[i];
  }
  // The domain is convex: only rounding can have left it.
  part = mixed;
  problem.project_dual(part.data());
  return {negated(first_moved(mixed, part) == part.size() ? part : mixed), bound};
}

// φ* is convex: φ*(s u) ≤ s φ*(u) + (1 − s) φ*(0).
double least_conjugate(const Problem& problem, const DualPoint& unscaled,
                       const std::vector<double>& scaled_alpha, double scale) {
  const double own = problem.risk_conjugate(negated(scaled_alpha).data());
  if (!std::isfinite(unscaled.bound)) return own;
  if (scale == 1.0) return std::min(own, unscaled.bound);
  const std::vector<double> zero(scaled_alpha.size());
  return std::min(own,
                  scale * unscaled.bound + (1.0 - scale) * problem.risk_conjugate(zero.data()));
}

}  // namespace fenchel
