// Holds a part against its definition on random inputs: do value, gradient, conjugate, prox and the
// declared constants belong to one function? Nothing here knows any plugin. Serves the tests and
// `fenchel plugins verify`.
#pragma once

#include "plugin/parts.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace fenchel {

// One check: its name, its verdict, and the numbers of the worst case (or how much was tried, or
// why it was not tried: a check that does not apply passes and says so).
struct Finding {
  std::string check;
  bool passed = true;
  std::string detail;
};

// `shape` must be the one the part was made for. The same seed gives the same findings.
std::vector<Finding> verify_loss(const LossPart& loss, const fenchel_shape& shape,
                                 std::uint64_t seed);
std::vector<Finding> verify_regularizer(const RegularizerPart& regularizer,
                                        const fenchel_shape& shape, std::uint64_t seed);

}  // namespace fenchel
