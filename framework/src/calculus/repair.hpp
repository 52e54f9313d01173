// Changes to a problem that make a solver fit, each with its price. Applied only where the spec
// asks for them.
#pragma once

#include "calculus/scale.hpp"
#include "run/problem.hpp"

#include <memory>
#include <string>
#include <vector>

namespace fenchel {

struct Repair {
  std::string name;       // smooth-loss | add-strong-convexity
  std::string parameter;  // gamma | lambda
  double value = 0.0;
  double price = 0.0;  // J of the repaired problem's solution exceeds J* by at most this
  std::string text;    // one sentence with formula and numbers
};

// The repairs that can be made to this problem, whether or not anything needs them.
std::vector<Repair> possible_repairs(const Problem& problem, const Scale& scale);

// The problem with these repairs: the same data, another loss or regularizer.
std::unique_ptr<Problem> repaired(const Problem& problem, const std::vector<Repair>& repairs);

}  // namespace fenchel
