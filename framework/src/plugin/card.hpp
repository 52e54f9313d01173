// What a library says about itself, checked before anything of it is used.
#pragma once

#include "base/names.hpp"

#include <fenchel/abi.h>

#include <string>
#include <string_view>

namespace fenchel {

// Why the card cannot be used by this host, or empty where it can. Looks at a member only after
// those that vouch for it: sizes before contents, the version before its meaning.
std::string card_fault(const fenchel_card* card);

// Parameter `index`. Newer plugins may have larger entries than ours, so that the plugin's own size
// is the distance between them.
const fenchel_param& param_at(const fenchel_card& card, std::int64_t index);

// "fenchel-loss-hinge.so": the name its library must have.
std::string library_name(const fenchel_card& card);

// "loss", "regularizer", "solver".
const char* kind_name(std::int32_t kind);

}  // namespace fenchel
