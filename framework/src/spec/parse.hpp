// YAML text to a Node tree, with limits that make any file, however hostile, cheap to refuse.
#pragma once

#include "spec/node.hpp"

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>

namespace fenchel::spec {

inline constexpr std::size_t kMaxFileBytes = std::size_t{1} << 20;
inline constexpr std::size_t kMaxDepth = 64;
inline constexpr std::size_t kMaxNodes = 100'000;  // keys and what aliases expand to included
inline constexpr std::size_t kMaxTextBytes = std::size_t{4} << 20;  // all scalars, aliases expanded
inline constexpr std::size_t kMaxKeyBytes =
    200;  // every node holds its key path, so that these two
inline constexpr std::size_t kMaxPathBytes = 1000;  // bound the memory of a tree

// One document. `file` names it in places; `key` is the path of its root (empty for a file).
// Anchors and aliases are expanded by copying. Throws Error (bad_input): invalid YAML or UTF-8, a
// limit, a duplicate or non-scalar key, a merge key, a second document.
Node parse_yaml(std::string_view text, const std::string& file, const std::string& key = {});

// The same for a file; `asked` is the place that names it (empty for the spec itself).
Node read_yaml(const std::filesystem::path& file, const Place& asked = {});

}  // namespace fenchel::spec
