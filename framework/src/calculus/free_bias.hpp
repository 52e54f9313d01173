// A regularizer that does not see the last parameter, the bias.
#pragma once

#include "plugin/parts.hpp"

#include <cstdint>

namespace fenchel {

// Ω(w, b) = inner(w). `bias` is the index of b, the last parameter.
RegularizerPart with_free_bias(RegularizerPart inner, std::int64_t bias);

}  // namespace fenchel
