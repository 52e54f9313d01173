#include "data/templates.hpp"

#include "data/text.hpp"

#include <algorithm>
#include <charconv>
#include <iterator>

namespace fenchel::reading {
namespace {

bool starts_character(char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }

// Runs of upper case to X, of lower case (and of characters beyond ASCII) to x, of digits to d; all
// else as it is: "U.S.-led" to "X.X.-x".
void make_shape(std::string& text, std::size_t begin) {
  std::size_t to = begin;
  for (std::size_t from = begin; from < text.size(); ++from) {
    const char c = text[from];
    const bool lower = ('a' <= c && c <= 'z') || static_cast<unsigned char>(c) >= 0x80U;
    const char kind = lower ? 'x' : 'A' <= c && c <= 'Z' ? 'X' : is_digit(c) ? 'd' : '\0';
    if (kind != '\0' && to > begin && text[to - 1] == kind) continue;
    text[to++] = kind != '\0' ? kind : c;
  }
  text.resize(to);
}

bool make_prefix(std::string& text, std::size_t begin, std::int64_t length) {
  std::size_t end = begin;
  for (; length > 0 && end < text.size(); --length) {
    ++end;
    while (end < text.size() && !starts_character(text[end])) ++end;
  }
  text.resize(end);
  return length == 0;
}

bool make_suffix(std::string& text, std::size_t begin, std::int64_t length) {
  std::size_t from = text.size();
  for (; length > 0 && from > begin; --length) {
    --from;
    while (from > begin && !starts_character(text[from])) --from;
  }
  text.erase(begin, from - begin);
  return length == 0;
}

void append_boundary(std::string& name, std::int64_t beyond) {
  char number[24];
  name += beyond < 0 ? "_B" : "_B+";
  name.append(std::begin(number), std::to_chars(std::begin(number), std::end(number), beyond).ptr);
}

}  // namespace

bool Templates::apply(const Function& function, std::string& text, std::size_t begin) {
  switch (function.kind) {
    case Kind::prefix: return make_prefix(text, begin, function.length);
    case Kind::suffix: return make_suffix(text, begin, function.length);
    case Kind::shape: make_shape(text, begin); break;
    case Kind::lower:
      std::transform(text.begin() + static_cast<std::ptrdiff_t>(begin), text.end(),
                     text.begin() + static_cast<std::ptrdiff_t>(begin), [](char c) {
                       return 'A' <= c && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
                     });
      break;
  }
  return true;
}

bool Templates::append(const Part& part, const Cells& cells, std::int64_t position) {
  const std::int64_t row = position + part.offset, length = cells.length();
  if (row < 0 || row >= length) {
    append_boundary(name_, row < 0 ? row : row - length + 1);
    return true;
  }
  const std::size_t begin = name_.size();
  name_ += cells.at(row, part.column);
  return std::all_of(part.functions.begin(), part.functions.end(),
                     [&](const Function& function) { return apply(function, name_, begin); });
}

std::string_view Templates::name(std::size_t index, const Cells& cells, std::int64_t position) {
  const Template& one = templates_[index];
  name_ = one.head;
  for (std::size_t k = 0; k < one.parts.size(); ++k) {
    if (k > 0) name_ += ' ';  // never part of a cell
    if (!append(one.parts[k], cells, position)) return {};
  }
  return name_;
}

}  // namespace fenchel::reading
