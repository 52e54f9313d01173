// What the tests of the loss f1 share: its definition, written out over all labellings.
#pragma once

#include "whole_support.hpp"

#include <Eigen/Dense>

namespace f1_support {
using namespace whole_support;

// 1 - F_beta of the labels y against those with the examples of `flips` flipped.
inline double loss_of(const Vector& y, unsigned flips, double beta = 1.0) {
  double hits = 0.0, missed = 0.0, alarms = 0.0;
  for (std::size_t i = 0; i < y.size(); ++i) {
    const bool flipped = ((flips >> i) & 1U) != 0;
    if (y[i] > 0.0)
      (flipped ? missed : hits) += 1.0;
    else if (flipped)
      alarms += 1.0;
  }
  if (hits == 0.0) return missed + alarms > 0.0 ? 1.0 : 0.0;
  const double b2 = beta * beta;
  return 1.0 - (1.0 + b2) * hits / ((1.0 + b2) * hits + b2 * missed + alarms);
}

// The loss's term of one labelling.
inline double term_of(const Vector& z, const Vector& y, unsigned flips, double beta = 1.0) {
  double sum = 0.0;
  for (std::size_t i = 0; i < y.size(); ++i)
    if (((flips >> i) & 1U) != 0) sum -= 2.0 * y[i] * z[i];
  return loss_of(y, flips, beta) + sum / static_cast<double>(y.size());
}

inline double brute_value(const Vector& z, const Vector& y, double beta = 1.0) {
  double most = -1e300;
  for (unsigned flips = 0; flips < 1U << y.size(); ++flips)
    most = std::max(most, term_of(z, y, flips, beta));
  return most;
}

// The softened maximum and its gradient. Sums are taken from the largest term.
inline double brute_smoothed(const Vector& z, const Vector& y, double beta, double tau,
                             Vector& gradient) {
  const auto m = static_cast<double>(y.size());
  const double top = brute_value(z, y, beta);
  long double sum = 0.0;
  std::vector<long double> flipped(y.size(), 0.0L);
  for (unsigned flips = 0; flips < 1U << y.size(); ++flips) {
    const long double weight =
        std::exp(static_cast<long double>(term_of(z, y, flips, beta) - top) * m / tau);
    sum += weight;
    for (std::size_t i = 0; i < y.size(); ++i)
      if (((flips >> i) & 1U) != 0) flipped[i] += weight;
  }
  gradient.resize(y.size());
  for (std::size_t i = 0; i < y.size(); ++i)
    gradient[i] = -2.0 * y[i] / m * static_cast<double>(flipped[i] / sum);
  return top + tau / m * static_cast<double>(std::log(sum));
}

// max sum_v p_v value_v over laws p on all sets of flips with the given flip probabilities, by the
// simplex method with Bland's rule. Begins with the nested sets.
inline double best_mixture(const Vector& value, const Vector& flips) {
  const auto n = static_cast<Eigen::Index>(flips.size());
  const auto column = [&](unsigned set) {
    Eigen::VectorXd c(n + 1);
    for (Eigen::Index i = 0; i < n; ++i) c[i] = (set >> i) & 1U;
    c[n] = 1.0;
    return c;
  };
  Eigen::VectorXd right(n + 1);
  for (Eigen::Index i = 0; i < n; ++i) right[i] = flips[static_cast<std::size_t>(i)];
  right[n] = 1.0;
  std::vector<std::size_t> order(flips.size());
  std::iota(order.begin(), order.end(), 0U);
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return flips[a] > flips[b]; });
  std::vector<unsigned> basis{0U};
  for (const std::size_t i : order) basis.push_back(basis.back() | (1U << i));
  for (;;) {
    Eigen::MatrixXd matrix(n + 1, n + 1);
    Eigen::VectorXd gains(n + 1);
    for (Eigen::Index k = 0; k <= n; ++k) {
      matrix.col(k) = column(basis[static_cast<std::size_t>(k)]);
      gains[k] = value[basis[static_cast<std::size_t>(k)]];
    }
    const Eigen::PartialPivLU<Eigen::MatrixXd> lu(matrix);
    const Eigen::VectorXd weights = lu.solve(right);
    const Eigen::VectorXd prices = lu.transpose().solve(gains);
    unsigned entering = 0;
    while (entering < value.size() && value[entering] - prices.dot(column(entering)) <= 1e-11)
      ++entering;
    if (entering == value.size()) return gains.dot(weights);
    const Eigen::VectorXd direction = lu.solve(column(entering));
    Eigen::Index leaving = -1;
    double least = 1e300;
    for (Eigen::Index k = 0; k <= n; ++k) {
      if (direction[k] <= 1e-11) continue;
      const double ratio = std::max(0.0, weights[k]) / direction[k];
      const bool earlier = leaving >= 0 && basis[static_cast<std::size_t>(k)] <
                                               basis[static_cast<std::size_t>(leaving)];
      if (ratio < least - 1e-13 || (ratio < least + 1e-13 && earlier)) {
        least = std::min(least, ratio);
        leaving = k;
      }
    }
    BOOST_REQUIRE(leaving >= 0);
    basis[static_cast<std::size_t>(leaving)] = entering;
  }
}

}  // namespace f1_support
