// One value of a spec at a time: a Node to a C++ value, or an Error that says what was expected and
// what was found.
#pragma once

#include "spec/node.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fenchel::spec {

// Full-match parse of a finite double: 1e-4, 1E5, .5, 3, -2.5. No inf, nan, hexadecimal or blanks.
std::optional<double> parse_number(std::string_view text);

// Each throws Error (bad_input) at the node's place.
double read_positive(const Node& node);
std::uint64_t read_integer(const Node& node, std::uint64_t low, std::uint64_t high);
bool read_boolean(const Node& node);
// `what` completes "expected …": "a path". Any scalar but an empty one.
std::string read_text(const Node& node, const std::string& what);
std::string read_word(const Node& node, const std::vector<std::string>& words);

// The value of a key that must be there; `advice` where it is not.
const Node& require(const Node& map, const std::string& key, const std::string& advice);

// A map all of whose keys are among `keys`.
void require_map(const Node& node);
void require_known_keys(const Node& map, const std::vector<std::string>& keys);

// "did you mean 'l2'?", or where nothing is near: `otherwise`.
std::string did_you_mean(const std::string& name, const std::vector<std::string>& candidates,
                         const std::string& otherwise);

[[noreturn]] void fail_expected(const Node& node, const std::string& expected,
                                const std::string& advice = {});

}  // namespace fenchel::spec
