#include "spec/spec.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>

namespace fenchel {
namespace {

bool is_alphanumeric(char c) {
  return ('0' <= c && c <= '9') || ('a' <= c && c <= 'z') || ('A' <= c && c <= 'Z');
}

// Stricter than YAML asks for, in and outside of flow collections alike: what is not surely read
// back as the same plain scalar is quoted.
bool plain_is_safe(std::string_view text) {
  constexpr std::string_view kInside = "_./+-";
  constexpr std::array<std::string_view, 4> kNull{"null", "Null", "NULL", "~"};
  if (text.empty() || std::find(kNull.begin(), kNull.end(), text) != kNull.end()) return false;
  const bool first = is_alphanumeric(text[0]) || text[0] == '_' || text[0] == '/';
  const bool signed_first = text.size() > 1 &&
                            (text[0] == '-' || text[0] == '+' || text[0] == '.') &&
                            (is_alphanumeric(text[1]) || (text[0] != '.' && text[1] == '.'));
  return (first || signed_first) && std::all_of(text.begin(), text.end(), [&](char c) {
           return is_alphanumeric(c) || kInside.find(c) != std::string_view::npos;
         });
}

std::string quoted(std::string_view text) {
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  std::string out = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (c == '\n') {
      out += "\\n";
    } else if (c == '\t') {
      out += "\\t";
    } else if (byte < 0x20 || byte == 0x7F) {
      out += {'\\', 'x', kDigits[byte >> 4U], kDigits[byte & 0xFU]};
    } else {
      out += c;
    }
  }
  return out + '"';
}

std::string scalar_text(std::string_view text, bool force_quotes) {
  return !force_quotes && plain_is_safe(text) ? std::string(text) : quoted(text);
}

// On one line: [a, {b: c}].
void write_flow(const Node& node, std::string& out) {
  const char* separator = "";
  switch (node.kind) {
    case Node::Kind::null: out += "null"; break;
    case Node::Kind::scalar: out += scalar_text(node.scalar, node.quoted); break;
    case Node::Kind::list:
      out += '[';
      for (const Node& item : node.items) {
        out += separator;
        write_flow(item, out);
        separator = ", ";
      }
      out += ']';
      break;
    case Node::Kind::map:
      out += '{';
      for (const auto& [key, value] : node.entries) {
        out += separator + scalar_text(key, false) + ": ";
        write_flow(value, out);
        separator = ", ";
      }
      out += '}';
      break;
  }
}

void write_block(const Node& map, std::size_t indent, std::string& out) {
  for (const auto& [key, value] : map.entries) {
    out += std::string(indent, ' ') + scalar_text(key, false) + ':';
    if (value.is_map() && !value.entries.empty()) {
      out += '\n';
      write_block(value, indent + 2, out);
    } else {
      out += ' ';
      write_flow(value, out);
      out += '\n';
    }
  }
}

}  // namespace

std::string to_yaml(const Node& node) {
  std::string out;
  if (node.is_map() && !node.entries.empty()) {
    write_block(node, 0, out);
  } else {
    write_flow(node, out);
    out += '\n';
  }
  return out;
}

}  // namespace fenchel
