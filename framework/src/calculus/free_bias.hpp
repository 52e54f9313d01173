// A regularizer that does not see the last parameter, the bias.
#pragma once

#include "plugin/parts.hpp"

#include <cstdint>
#include <vector>

namespace fenchel {

// Ω(w, b) = inner(w). `bias` is the index of b, the last parameter.
RegularizerPart with_free_bias(RegularizerPart inner, std::int64_t bias);

// Whether Ω is constant: then it sees no parameter at all, and dom Ω* = {0}.
bool is_constant(const RegularizerPart& regularizer);

// The parameters that Ω does not see, of `count`: all where `inner` is constant; else the last one
// where the bias is free.
std::vector<std::int32_t> free_parameters(const RegularizerPart& inner, bool free_bias,
                                          std::int64_t count);

}  // namespace fenchel
