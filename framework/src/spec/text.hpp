// Text from outside: is it sound, and how to show it in a message.
#pragma once

#include "spec/node.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace fenchel::spec {

// Throws Error (bad_input) with line and column at the first byte that is no UTF-8, or is a control
// character other than tab and line break.
void require_clean_text(std::string_view text, const std::string& file);

// Printable on a terminal: control characters escaped, shortened to about 60 bytes.
std::string printable(std::string_view text);

bool has_control_character(std::string_view text);

// What a message says after "found": 'abc', the quoted text '1', nothing, a list, a map.
std::string describe(const Node& node);

// "a, b or c"
std::string join_or(const std::vector<std::string>& words);

}  // namespace fenchel::spec
