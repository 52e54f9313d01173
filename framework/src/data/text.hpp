// Numbers and words in data files, and how messages show them.
#pragma once

#include "base/error.hpp"

#include <fast_float/fast_float.h>

#include <cmath>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace fenchel::reading {

inline bool is_digit(char c) { return c >= '0' && c <= '9'; }

enum class Number { finite, not_finite, none };

// Reads the longest number at `at`, moves `at` behind it. `+1` is a number, `+-1` is not; what
// overflows a double counts as not finite.
inline Number scan_number(const char*& at, const char* end, double& value) {
  const char* first = at;
  if (first != end && *first == '+') {
    ++first;
    if (first != end && *first == '-') return Number::none;
  }
  const auto [last, code] = fast_float::from_chars(first, end, value);
  if (code == std::errc::invalid_argument) return Number::none;
  at = last;
  return std::isfinite(value) ? Number::finite : Number::not_finite;
}

// The whole of `text` as a number.
inline Number parse_number(std::string_view text, double& value) {
  const char* at = text.data();
  const char* end = at + text.size();
  const Number kind = scan_number(at, end, value);
  return at == end ? kind : Number::none;
}

// The shortest text that reads back to the same double; 0 for -0.
std::string number_text(double value);

bool is_utf8(std::string_view text);

// `text` in quotes for a message: long text is cut, what does not print is escaped.
std::string shown(std::string_view text);

// "a, b, c, …": at most `limit` of them.
std::string first_few(const std::vector<std::string>& words, std::size_t limit = 5);

// The line, from 1, of a position in a text.
int line_of(const char* begin, const char* at);

inline Place place_of(std::string file, int line = 0, std::string key = {}) {
  return {.file = std::move(file), .line = line, .column = 0, .key = std::move(key)};
}

}  // namespace fenchel::reading
