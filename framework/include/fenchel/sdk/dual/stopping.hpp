// When a dual method may say by itself that it is done.
//
// `certified`: never; the host's certificates end the run. `theoretical`: once the theorem promises
// the tolerance, the gap is evaluated here, and the claim is made only if it holds; otherwise the
// count begins again (the restart that turns the theorem into an expected run time).
#pragma once

#include <fenchel/sdk/solver.hpp>

#include <algorithm>
#include <cmath>
#include <vector>

namespace fenchel::sdk::dual {

class Stopping {
 public:
  static constexpr Param kStopping{
      .name = "stopping",
      .type = Type::text,
      .fallback = "certified",
      .range = "certified | theoretical",
      .meaning = "wait for the host's certificate, or also stop where the theorem says so"};

  void start(Problem problem, std::string_view kind) {
    problem_ = problem;
    theoretical_ = kind == "theoretical";
  }
  bool theoretical() const { return theoretical_; }

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
  bool theoretical_ = false;
};

}  // namespace fenchel::sdk::dual
