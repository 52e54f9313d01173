// Which labels may follow which in a sequence (`data.transitions`).
#pragma once

#include "data/dataset.hpp"
#include "spec/node.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace fenchel {

// (k + 1) × k for k labels: row j what may follow label j, the last row what may begin; 1 where it
// may. Empty: everything may.
using Allowed = std::vector<std::uint8_t>;

// The rule of a spec on the labels of the training data (`targets` are their numbers):
//
//   all (or null)   everything
//   observed        what occurs in the training data
//   bio             I-x only after B-x or I-x, and not at the beginning
//   {A: [B, C], begin: [A]}   after A only B or C, at the beginning only A; after other labels all
//
// Throws Error (bad_input): with the place in the spec for an unknown label or labels that are not
// B-, I- and O, with file and line where the training data break the rule.
Allowed allowed_transitions(const Node& rule, const LabelMap& labels,
                            const std::vector<double>& targets, const Sequences& sequences,
                            const std::string& file);

}  // namespace fenchel
