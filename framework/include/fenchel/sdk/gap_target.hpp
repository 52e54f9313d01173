// The gap that ends a run, as a solver sees it: for methods that know their own and may claim to be
// done. The host checks a claim, and fails a false one.
#pragma once

#include <fenchel/sdk/solver.hpp>

#include <algorithm>
#include <cmath>
#include <vector>

namespace fenchel::sdk {

class GapTarget {
 public:
  void start(Problem problem) { problem_ = problem; }

  // The absolute gap that meets the target, given D(α) ≤ J*: 0 while nothing is known of J*.
  double epsilon(double dual) const {
    const double relative = problem_.raw().target_relative_gap;
    double least = infinity;
    if (problem_.raw().target_gap > 0.0) least = problem_.raw().target_gap;
    if (relative > 0.0) least = std::min(least, relative * std::max(0.0, dual));
    return std::isfinite(least) ? least : 0.0;
  }

  struct Values {
    double primal, dual;
  };
  // Both from the oracles: a pass.
  Values values(const double* weights, const double* alpha) const {
    std::vector<double> z(static_cast<std::size_t>(problem_.scores())), u(z.size()),
        v(static_cast<std::size_t>(problem_.parameters()));
    problem_.apply(weights, z.data());
    problem_.adjoint(alpha, v.data());
    for (std::size_t i = 0; i < u.size(); ++i) u[i] = -alpha[i];
    return {problem_.risk(z.data()) + problem_.omega(weights),
            -problem_.risk_conjugate(u.data()) - problem_.omega_conjugate(v.data())};
  }

  // A little below the target: the host's own sums round differently.
  bool met(const Values& at) const {
    constexpr double kMargin = 0.99;
    return at.primal - at.dual <= kMargin * epsilon(at.dual);
  }

 private:
  Problem problem_;
};

}  // namespace fenchel::sdk
