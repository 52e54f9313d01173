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
  std::string parameter;  // gamma | temperature | lambda
  double value = 0.0;
  double price = 0.0;     // J of the repaired problem's solution exceeds J* by at most this
  std::string text = {};  // one sentence with formula and numbers
  std::shared_ptr<const std::vector<double>> weights = nullptr;  // of gamma, one a block; null: 1
  double factor = 0.0;  // of a homotopy between two levels; 0: none
};

// The repairs that can be made to this problem, whether or not anything needs them.
std::vector<Repair> possible_repairs(const Problem& problem, const Scale& scale,
                                     const SmoothingSpec& smoothing = {});

// The same repair at another level of smoothing: value and price change together.
Repair at_level(Repair repair, double value);

// The problem with these repairs: the same data, another loss or regularizer.
std::unique_ptr<Problem> repaired(const Problem& problem, const std::vector<Repair>& repairs);

}  // namespace fenchel
