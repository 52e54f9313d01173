// How things are named.
#pragma once

#include <algorithm>
#include <string_view>

namespace fenchel {

// "smooth-hinge": a letter first, lower case, digits, single hyphens inside.
inline bool is_kebab_case(std::string_view name) {
  const auto lower = [](char c) { return 'a' <= c && c <= 'z'; };
  const auto allowed = [&](char c) { return lower(c) || ('0' <= c && c <= '9') || c == '-'; };
  return !name.empty() && lower(name.front()) && name.back() != '-' &&
         name.find("--") == std::string_view::npos && std::ranges::all_of(name, allowed);
}

}  // namespace fenchel
