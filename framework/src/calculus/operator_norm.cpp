#include "calculus/operator_norm.hpp"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

namespace fenchel {
namespace {

double largest_ritz_value(const std::vector<double>& diagonal, const std::vector<double>& off) {
  const auto k = static_cast<Eigen::Index>(diagonal.size());
  Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver;
  solver.computeFromTridiagonal(
      Eigen::Map<const Eigen::VectorXd>(diagonal.data(), k),
      Eigen::Map<const Eigen::VectorXd>(off.data(), std::max<Eigen::Index>(k - 1, 0)),
      Eigen::EigenvaluesOnly);
  return solver.eigenvalues().maxCoeff();
}

}  // namespace

NormEstimate estimate_squared_norm(const LinearMap& map, const Parallel& parallel,
                                   const std::vector<double>* factors, double margin,
                                   double chance) {
  const auto p = static_cast<Eigen::Index>(map.shape().parameters);
  Eigen::VectorXd scores(map.shape().scores), previous = Eigen::VectorXd::Zero(p), next(p), q(p);
  std::mt19937_64 random(20210);
  std::normal_distribution<double> normal;
  for (double& x : q) x = normal(random);
  q.normalize();

  const double needed =
      std::log(1.648 * std::sqrt(static_cast<double>(p)) / chance) / std::sqrt(margin);
  // A random start has a part in the kernel of A besides one along every row.
  const auto whole = std::min<std::int64_t>(p, map.shape().scores + 1);
  const auto most = std::min(static_cast<std::int64_t>(std::ceil((needed + 1.0) / 2.0)), whole);
  std::vector<double> diagonal, off;
  double beta = 0.0;
  bool exhausted = false;
  while (static_cast<std::int64_t>(diagonal.size()) < most && !exhausted) {
    map.apply(parallel, q.data(), scores.data());
    if (factors)
      for (Eigen::Index i = 0; i < scores.size(); ++i)
        scores[i] *= (*factors)[static_cast<std::size_t>(i)];
    map.adjoint(parallel, scores.data(), next.data());
    const double alpha = q.dot(next);
    next -= alpha * q + beta * previous;
    beta = next.norm();
    diagonal.push_back(alpha);
    off.push_back(beta);
    exhausted = beta <= 1e-12 * std::max(alpha, 1e-300);
    previous.swap(q);
    if (!exhausted) q = next / beta;
  }

  NormEstimate estimate;
  estimate.steps = static_cast<std::int64_t>(diagonal.size());
  estimate.lower = largest_ritz_value(diagonal, off);
  const bool complete = exhausted || estimate.steps >= whole;
  estimate.margin = complete ? 1e-10 : margin;
  estimate.chance = complete ? 0.0 : chance;
  estimate.upper = estimate.lower / (1.0 - estimate.margin);
  return estimate;
}

std::vector<double> top_block_lengths(const LinearMap& map, const Parallel& parallel) {
  constexpr int kIterations = 50;
  const fenchel_shape& shape = map.shape();
  Eigen::VectorXd scores(shape.scores), v(shape.parameters);
  std::mt19937_64 random(20210);
  std::normal_distribution<double> normal;
  for (double& x : v) x = normal(random);
  for (int k = 0; k < kIterations; ++k) {
    v.normalize();
    map.apply(parallel, v.data(), scores.data());
    map.adjoint(parallel, scores.data(), v.data());
  }
  v.normalize();
  map.apply(parallel, v.data(), scores.data());
  const std::int64_t width = shape.scores / shape.blocks;
  std::vector<double> lengths(static_cast<std::size_t>(shape.blocks));
  for (std::int64_t i = 0; i < shape.blocks; ++i)
    lengths[static_cast<std::size_t>(i)] = scores.segment(i * width, width).norm();
  return lengths;
}

}  // namespace fenchel
