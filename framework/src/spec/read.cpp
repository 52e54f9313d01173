#include "spec/read.hpp"

#include "spec/spec.hpp"
#include "spec/text.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

namespace fenchel::spec {
namespace {

// std::from_chars takes no leading '+', YAML does.
std::string_view without_plus(std::string_view text) {
  if (text.size() > 1 && text[0] == '+' && text[1] != '-') text.remove_prefix(1);
  return text;
}

template <class Number>
std::optional<Number> parse_full(std::string_view text) {
  text = without_plus(text);
  Number number{};
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc{} || stop != end || text.empty()) return std::nullopt;
  return number;
}

}  // namespace

void fail_expected(const Node& node, const std::string& expected, const std::string& advice) {
  throw Error(Exit::bad_input, "expected " + expected + ", found " + describe(node), node.place,
              advice);
}

std::string did_you_mean(const std::string& name, const std::vector<std::string>& candidates,
                         const std::string& otherwise) {
  const std::string nearest = nearest_name(name, candidates);
  return nearest.empty() ? otherwise : "did you mean '" + nearest + "'?";
}

std::optional<double> parse_number(std::string_view text) {
  const bool digits =
      std::any_of(text.begin(), text.end(), [](char c) { return '0' <= c && c <= '9'; });
  if (!digits) return std::nullopt;  // inf and nan, which from_chars would take
  const auto number = parse_full<double>(text);
  return number && std::isfinite(*number) ? number : std::nullopt;
}

double read_positive(const Node& node) {
  const auto number = node.is_scalar() && !node.quoted ? parse_number(node.scalar) : std::nullopt;
  if (!number || *number <= 0) fail_expected(node, "a positive number");
  return *number;
}

std::uint64_t read_integer(const Node& node, std::uint64_t low, std::uint64_t high) {
  const auto number =
      node.is_scalar() && !node.quoted ? parse_full<std::uint64_t>(node.scalar) : std::nullopt;
  if (!number || *number < low || *number > high)
    fail_expected(node, "an integer from " + std::to_string(low) + " to " + std::to_string(high));
  return *number;
}

bool read_boolean(const Node& node) {
  const bool plain = node.is_scalar() && !node.quoted;
  if (!plain || (node.scalar != "true" && node.scalar != "false"))
    fail_expected(node, "true or false");
  return node.scalar == "true";
}

std::string read_text(const Node& node, const std::string& what) {
  if (!node.is_scalar() || node.scalar.empty()) fail_expected(node, what);
  return node.scalar;
}

std::string read_word(const Node& node, const std::vector<std::string>& words) {
  if (!node.is_scalar()) fail_expected(node, join_or(words));
  if (std::find(words.begin(), words.end(), node.scalar) == words.end())
    fail_expected(node, join_or(words), did_you_mean(node.scalar, words, {}));
  return node.scalar;
}

namespace {

[[noreturn]] void fail_missing(const Node& map, const std::string& key, const std::string& advice) {
  Place place = map.place;
  place.key += (place.key.empty() ? "" : ".") + key;
  // The place of the whole spec is its first line, which says nothing about a key that is not
  // there.
  if (map.place.key.empty()) place.line = place.column = 0;
  throw Error(Exit::bad_input, "the key is missing", place, advice);
}

}  // namespace

const Node& require(const Node& map, const std::string& key, const std::string& advice) {
  const Node* node = map.find(key);
  if (node == nullptr) fail_missing(map, key, advice);
  return *node;
}

void require_map(const Node& node) {
  if (!node.is_map()) fail_expected(node, "a map of keys");
}

void require_known_keys(const Node& map, const std::vector<std::string>& keys) {
  for (const auto& [key, value] : map.entries) {
    if (std::find(keys.begin(), keys.end(), key) != keys.end()) continue;
    throw Error(Exit::bad_input, "unknown key", key_place(value),
                did_you_mean(key, keys, "the keys here are " + join_or(keys)));
  }
}

}  // namespace fenchel::spec
