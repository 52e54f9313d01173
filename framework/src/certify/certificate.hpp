// The certificate: J(w) and D(α) from the oracles, whatever a solver claims.
#pragma once

#include "certify/dual_point.hpp"
#include "run/problem.hpp"

#include <vector>

namespace fenchel {

struct Certificate {
  double primal = 0.0;
  double dual = 0.0;
  std::vector<double> alpha;  // the feasible α that attains `dual`

  double gap() const { return primal - dual; }
};

// Relative to the objective, as the spec defines it.
double relative_gap(double gap, double primal);

// w has shape().parameters entries. α is the solver's mixture where it has parts, else `alpha`, or
// where that is null −∇φ(A w). It is moved into dom φ* and scaled into dom Ω* first. Throws Error
// (plugin_failed) for a non-finite J, an α that is infeasible beyond rounding, a mixture that is
// none, or J < D beyond rounding.
Certificate certify(const Problem& problem, const double* w, const double* alpha,
                    const Mixture& mixture = {});

}  // namespace fenchel
