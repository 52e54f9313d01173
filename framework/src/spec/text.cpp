#include "spec/text.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

namespace fenchel::spec {
namespace {

constexpr std::size_t kShown = 60;

unsigned char byte_at(std::string_view text, std::size_t i) {
  return static_cast<unsigned char>(text[i]);
}

bool is_continuation(unsigned char byte) { return (byte & 0xC0U) == 0x80U; }

// Length of the UTF-8 sequence that starts at i, or 0 where there is none: overlong forms,
// surrogates and code points beyond U+10FFFF are refused (RFC 3629).
std::size_t sequence_length(std::string_view text, std::size_t i) {
  const unsigned char lead = byte_at(text, i);
  if (lead < 0x80) return 1;
  const std::size_t length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  if (lead < 0xC2 || lead > 0xF4 || i + length > text.size()) return 0;
  std::uint32_t code = lead & (0xFFU >> (length + 1));
  for (std::size_t k = 1; k < length; ++k) {
    const unsigned char byte = byte_at(text, i + k);
    if (!is_continuation(byte)) return 0;
    code = (code << 6U) | (byte & 0x3FU);
  }
  constexpr std::array<std::uint32_t, 5> kSmallest{0, 0, 0x80, 0x800, 0x10000};
  const bool surrogate = code >= 0xD800 && code <= 0xDFFF;
  return code < kSmallest[length] || surrogate || code > 0x10FFFF ? 0 : length;
}

bool is_control(unsigned char byte) { return byte < 0x20 || byte == 0x7F; }

std::string hex(unsigned char byte) {
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  return {kDigits[byte >> 4U], kDigits[byte & 0xFU]};
}

}  // namespace

void require_clean_text(std::string_view text, const std::string& file) {
  Place place{file, 1, 1, {}};
  for (std::size_t i = 0; i < text.size();) {
    const unsigned char byte = byte_at(text, i);
    const std::size_t length = sequence_length(text, i);
    if (length == 0)
      throw Error(Exit::bad_input, "invalid UTF-8 (byte 0x" + hex(byte) + ")", place,
                  "save the file as UTF-8 text");
    if (is_control(byte) && byte != '\t' && byte != '\n' && byte != '\r')
      throw Error(Exit::bad_input, "control character 0x" + hex(byte), place,
                  "a spec is plain text; remove the character");
    i += length;
    if (byte == '\n') {
      ++place.line;
      place.column = 1;
    } else {
      place.column += static_cast<int>(length);
    }
  }
}

bool has_control_character(std::string_view text) {
  return std::any_of(text.begin(), text.end(),
                     [](char c) { return is_control(static_cast<unsigned char>(c)); });
}

std::string printable(std::string_view text) {
  std::string shown;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const unsigned char byte = byte_at(text, i);
    if (shown.size() >= kShown && !is_continuation(byte)) return shown + "...";
    if (byte == '\n') {
      shown += "\\n";
    } else if (byte == '\t') {
      shown += "\\t";
    } else if (is_control(byte)) {
      shown += "\\x" + hex(byte);
    } else {
      shown += text[i];
    }
  }
  return shown;
}

std::string describe(const Node& node) {
  switch (node.kind) {
    case Node::Kind::null: return "nothing";
    case Node::Kind::list: return "a list";
    case Node::Kind::map: return "a map";
    case Node::Kind::scalar: break;
  }
  if (node.scalar.empty()) return "an empty text";
  return (node.quoted ? "the quoted text '" : "'") + printable(node.scalar) + "'";
}

std::string join_or(const std::vector<std::string>& words) {
  std::string joined;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (i > 0) joined += i + 1 == words.size() ? " or " : ", ";
    joined += words[i];
  }
  return joined;
}

}  // namespace fenchel::spec
