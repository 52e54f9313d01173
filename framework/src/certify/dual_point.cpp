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

// α with −α moved into dom φ*; what is moved must be rounding.
std::vector<double> feasible(const Problem& problem, const std::vector<double>& alpha,
                             const std::string& what) {
  std::vector<double> moved = negated(alpha);
  problem.project_dual(moved.data());
  moved = negated(moved);
  const std::size_t i = first_moved(alpha, moved);
  if (i < moved.size())
    throw Error(
        Exit::plugin_failed,
        fmt::format("the solver returned an infeasible dual{}: entry {} is {:g}, the nearest "
                    "feasible value is {:g}",
                    what, i, alpha[i], moved[i]));
  return moved;
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
  problem.project_dual(u.data());  // rounding may have left the domain
  return {negated(u)};
}

DualPoint given_dual(const Problem& problem, const double* alpha) {
  return {feasible(problem, {alpha, alpha + problem.shape().scores}, "")};
}

DualPoint mixed_dual(const Problem& problem, const Mixture& mixture) {
  const std::vector<double> weights = convex_weights(mixture);
  std::vector<double> part(static_cast<std::size_t>(problem.shape().scores));
  DualPoint mixed{std::vector<double>(part.size()), 0.0};
  for (std::size_t j = 0; j < weights.size(); ++j) {
    if (weights[j] == 0.0) continue;
    mixture.part(static_cast<std::int64_t>(j), part.data());
    const std::vector<double> alpha = feasible(problem, part, fmt::format(" (part {})", j));
    mixed.bound += weights[j] * problem.risk_conjugate(negated(alpha).data());
    for (std::size_t i = 0; i < alpha.size(); ++i) mixed.alpha[i] += weights[j] * alpha[i];
  }
  // The domain is convex: only rounding can have left it.
  std::vector<double> moved = negated(mixed.alpha);
  problem.project_dual(moved.data());
  moved = negated(moved);
  if (first_moved(mixed.alpha, moved) == moved.size()) mixed.alpha = std::move(moved);
  return mixed;
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
