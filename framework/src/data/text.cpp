#include "data/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <limits>

namespace fenchel::reading {
namespace {

constexpr std::size_t kShown = 40;  // bytes of a found text that a message repeats

// Bytes of the UTF-8 character that starts with `lead`; 0 for a byte that starts none.
std::size_t utf8_length(unsigned char lead) {
  if (lead < 0x80) return 1;
  if (lead >= 0xC2 && lead < 0xE0) return 2;
  if (lead >= 0xE0 && lead < 0xF0) return 3;
  return lead >= 0xF0 && lead < 0xF5 ? 4 : 0;
}

bool is_continuation(char c) { return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U; }

// Overlong forms, surrogates and what lies beyond U+10FFFF show in the second byte.
bool second_byte_fits(unsigned char lead, unsigned char second) {
  if (lead == 0xE0) return second >= 0xA0;
  if (lead == 0xED) return second < 0xA0;
  if (lead == 0xF0) return second >= 0x90;
  return lead != 0xF4 || second < 0x90;
}

}  // namespace

std::string number_text(double value) {
  char buffer[32];
  const auto [end, code] = std::to_chars(std::begin(buffer), std::end(buffer), value + 0.0);
  return {std::begin(buffer), end};
}

bool is_utf8(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    const auto lead = static_cast<unsigned char>(text[at]);
    const std::size_t length = utf8_length(lead);
    if (length == 0 || at + length > text.size()) return false;
    for (std::size_t k = 1; k < length; ++k) {
      if (!is_continuation(text[at + k])) return false;
    }
    if (length > 1 && !second_byte_fits(lead, static_cast<unsigned char>(text[at + 1]))) {
      return false;
    }
    at += length;
  }
  return true;
}

std::string shown(std::string_view text) {
  const bool cut = text.size() > kShown;
  if (cut) {
    std::size_t length = kShown;
    while (length > 0 && is_continuation(text[length])) --length;
    text = text.substr(0, length);
  }
  const bool utf8 = is_utf8(text);
  std::string result = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    const bool prints = byte >= 0x80 ? utf8 : byte >= 0x20 && byte != 0x7F;
    if (prints) {
      result += c;
    } else {
      result += fmt::format("\\x{:02x}", byte);
    }
  }
  return result + (cut ? "…\"" : "\"");
}

std::string first_few(const std::vector<std::string>& words, std::size_t limit) {
  std::string result;
  for (std::size_t k = 0; k < std::min(words.size(), limit); ++k) {
    if (k > 0) result += ", ";
    result += words[k];
  }
  return words.size() > limit ? result + ", …" : result;
}

int line_of(const char* begin, const char* at) {
  const auto line = std::count(begin, at, '\n') + 1;
  return static_cast<int>(std::min<std::ptrdiff_t>(line, std::numeric_limits<int>::max()));
}

}  // namespace fenchel::reading
