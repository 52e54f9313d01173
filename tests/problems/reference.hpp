// Optima found in plain, slow ways that share no code with the solvers.
#pragma once

#include "small_problem.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace fenchel::test {

// Cyclic exact minimisation over one coordinate at a time by ternary search: converges to the
// optimum where the loss is smooth and the regularizer separable.
inline std::vector<double> coordinate_minimum(const Problem& problem, int sweeps = 400) {
  std::vector<double> w(static_cast<std::size_t>(problem.shape().parameters), 0.0);
  double width = 10.0;
  for (int sweep = 0; sweep < sweeps; ++sweep) {
    double moved = 0.0;
    for (double& x : w) {
      const double before = x;
      double low = x - width, high = x + width;
      for (int k = 0; k < 120; ++k) {
        const double a = low + (high - low) / 3.0, b = high - (high - low) / 3.0;
        x = a;
        const double at_a = objective(problem, w);
        x = b;
        const double at_b = objective(problem, w);
        (at_a <= at_b ? high : low) = at_a <= at_b ? b : a;
      }
      x = 0.5 * (low + high);
      moved = std::max(moved, std::abs(x - before));
    }
    width = std::min(width, 20.0 * moved + 1e-9);
    if (moved < 1e-10) break;
  }
  return w;
}

// Projected gradient ascent on the dual of hinge + (lambda/2)|w|^2: max mean(a) - |X'(ya)|^2/(2
// lambda n^2).
inline double hinge_l2_minimum(const SmallProblem& small, double lambda) {
  const auto n = static_cast<std::size_t>(small.x.rows);
  const auto d = static_cast<std::size_t>(small.x.columns);
  std::vector<double> a(n, 0.0), w(d), z(n);
  double trace = 0.0;
  for (const double s : small.map->squared_norms()) trace += s;
  const double count = static_cast<double>(n), step = lambda * count * count / trace;
  double best = -1e300;
  for (int k = 0; k < 200000; ++k) {
    std::vector<double> ya(n);
    for (std::size_t i = 0; i < n; ++i) ya[i] = small.y[i] * a[i];
    small.map->adjoint(small.parallel, ya.data(), w.data());
    double mean = 0.0, squared = 0.0;
    for (double& x : w) x /= lambda * count;
    for (const double x : w) squared += x * x;
    for (const double x : a) mean += x / count;
    best = std::max(best, mean - 0.5 * lambda * squared);
    small.map->apply(small.parallel, w.data(), z.data());
    for (std::size_t i = 0; i < n; ++i)
      a[i] = std::clamp(a[i] + step * (1.0 - small.y[i] * z[i]) / count, 0.0, 1.0);
  }
  return best;
}

}  // namespace fenchel::test
