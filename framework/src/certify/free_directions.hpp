// Dual feasibility where Ω is zero: v must vanish on the free parameters.
#pragma once

#include "run/problem.hpp"

#include <vector>

namespace fenchel {

// Changes α so that v = (1/n)Aᵀα vanishes on the free parameters, as far as rounding lets it,
// staying inside dom φ*. `scores` are those at which α was taken; v is updated too. Returns whether
// α is now feasible up to rounding.
bool clear_free_directions(const Problem& problem, const std::vector<double>& scores,
                           std::vector<double>& alpha, std::vector<double>& v);

}  // namespace fenchel
