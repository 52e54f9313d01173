// Holds a solver against its promises: on every small problem that its requirements accept, it must
// reach a certified gap, and do so in the same way twice.
#pragma once

#include "plugin/registry.hpp"
#include "plugin/verify.hpp"

#include <cstdint>
#include <vector>

namespace fenchel {

// Every loss and regularizer of `registry` is tried with it, on random data.
std::vector<Finding> verify_solver(const Plugin& solver, const Registry& registry,
                                   std::uint64_t seed);

}  // namespace fenchel
