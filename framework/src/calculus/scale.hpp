// How far the start, 0 or a point of dom Ω near it, is from the optimum, and what the tolerance
// means in absolute terms.
#pragma once

#include "run/problem.hpp"
#include "spec/spec.hpp"

#include <string>

namespace fenchel {

struct Scale {
  bool zero_inside = true;  // Ω(0) is finite; else w₀ = prox_Ω(0) stands for 0 below
  double at_zero = 0.0;     // J(0)
  double initial = 0.0;     // upper bound on J(0) − J*; infinity: unknown
  double distance = 0.0;    // upper bound on ‖w*‖; infinity: unknown
  std::string distance_from;
  double epsilon = 0.0;  // the gap to reach, absolute
  std::string epsilon_from;
};

// One pass over the data.
Scale measure_scale(const Problem& problem, const StopSpec& stop);

}  // namespace fenchel
