// The bytes of a NumPy .npy file (version 1.0, '<f8', C order).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace fenchel {

std::string npy_bytes(const std::vector<double>& values, const std::vector<std::int64_t>& shape);

}  // namespace fenchel
