// An instance of any plugin without a spec: for describing it, and for testing it by existing.
#pragma once

#include "plugin/registry.hpp"

#include <string>
#include <utility>
#include <vector>

namespace fenchel {

// A component of this plugin: its defaults, and where a parameter has none, a value of our choice:
// 1 if the range holds it, else the middle or the lower end of the range; the first word; true.
struct Sample {
  Component component;
  std::vector<std::pair<std::string, std::string>> chosen;  // parameters without a default
};
Sample sample_of(const fenchel_card& card);

// The sizes of a small problem, where a plugin asks for some: 10 blocks, 10 parameters, 3 outputs.
fenchel_shape nominal_shape();
// Likewise for this plugin: one block of 10 scores where a loss sees the whole sample at once,
// sequences of 3 positions and labels where it sees those.
fenchel_shape nominal_shape(const fenchel_card& card);

}  // namespace fenchel
