#include "plugin/values.hpp"

#include "plugin/card.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>
#include <stdexcept>
#include <string_view>

namespace fenchel {
namespace {

// One parameter after the check of type and range.
struct Checked {
  double number = 0.0;
  std::int64_t integer = 0;
  std::string text;
  std::vector<double> numbers;
};

std::string_view trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> pieces;
  for (;;) {
    const auto end = text.find(separator);
    pieces.push_back(trimmed(text.substr(0, end)));
    if (end == std::string_view::npos) return pieces;
    text.remove_prefix(end + 1);
  }
}

// The whole text as a T; nothing where it is anything else. Infinities are read ("inf").
template <class T>
std::optional<T> whole(std::string_view text) {
  if (text.size() > 1 && text[0] == '+' && text[1] != '-') text.remove_prefix(1);
  T value{};
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc{} || stop != end || text.empty()) return std::nullopt;
  return value;
}

std::string found(const Node& node) {
  switch (node.kind) {
    case Node::Kind::null: return "nothing";
    case Node::Kind::list: return "a list";
    case Node::Kind::map: return "a map";
    default: return node.quoted ? fmt::format("the text \"{}\"", node.scalar) : node.scalar;
  }
}

[[noreturn]] void refuse(const Node& node, const std::string& need, std::string advice = {}) {
  throw Error(Exit::bad_input, fmt::format("{}, found {}", need, found(node)), node.place,
              std::move(advice));
}

double read_number(const Node& node) {
  const std::string need = "must be a finite number";
  if (!node.is_scalar()) refuse(node, need);
  const std::optional<double> number = whole<double>(node.scalar);
  if (!number || !std::isfinite(*number)) refuse(node, need);
  if (node.quoted) refuse(node, need, "remove the quotes");
  return *number;
}

// 10, but also 1e3: exact integers in any notation. Beyond 2^53 only plain digits are exact.
std::int64_t read_integer(const Node& node) {
  if (!node.is_scalar() || node.quoted) refuse(node, "must be an integer");
  if (const auto integer = whole<std::int64_t>(node.scalar)) return *integer;
  const std::optional<double> number = whole<double>(node.scalar);
  if (!number || std::trunc(*number) != *number || std::abs(*number) > 0x1p53)
    refuse(node, "must be an integer");
  return static_cast<std::int64_t>(*number);
}

void need_in_range(const fenchel_param& param, const Range& range, double number,
                   const Node& node) {
  if (!range.holds(number)) refuse(node, fmt::format("must be in {}", param.range));
}

std::string read_text(const Range& range, const Node& node) {
  if (!node.is_scalar()) refuse(node, "must be a text");
  if (!range.words.empty() && std::ranges::find(range.words, node.scalar) == range.words.end()) {
    const std::string near = nearest_name(node.scalar, range.words);
    refuse(node, fmt::format("must be {}", fmt::join(range.words, " or ")),
           near.empty() ? "" : fmt::format("did you mean '{}'?", near));
  }
  return node.scalar;
}

std::vector<double> read_numbers(const fenchel_param& param, const Range& range, const Node& node) {
  if (!node.is_list())
    refuse(node, "must be a list of numbers",
           node.is_scalar() ? fmt::format("write [{}]", node.scalar) : "");
  std::vector<double> numbers;
  for (const Node& item : node.items) {
    numbers.push_back(read_number(item));
    need_in_range(param, range, numbers.back(), item);
  }
  return numbers;
}

Checked read(const fenchel_param& param, const Node& node) {
  const Range range = Range::parse(param.range);
  Checked value;
  switch (param.type) {
    case FENCHEL_NUMBER:
      value.number = read_number(node);
      need_in_range(param, range, value.number, node);
      break;
    case FENCHEL_INTEGER:
      value.integer = read_integer(node);
      value.number = static_cast<double>(value.integer);
      need_in_range(param, range, value.number, node);
      break;
    case FENCHEL_FLAG:
      if (!node.is_scalar() || node.quoted || (node.scalar != "true" && node.scalar != "false"))
        refuse(node, "must be true or false");
      value.integer = node.scalar == "true" ? 1 : 0;
      break;
    case FENCHEL_TEXT: value.text = read_text(range, node); break;
    default: value.numbers = read_numbers(param, range, node); break;
  }
  return value;
}

std::string written(std::int32_t type, const Checked& value) {
  switch (type) {
    case FENCHEL_NUMBER: return fmt::format("{}", value.number);
    case FENCHEL_INTEGER: return fmt::format("{}", value.integer);
    case FENCHEL_FLAG: return value.integer != 0 ? "true" : "false";
    case FENCHEL_TEXT: return value.text;
    default: return fmt::format("[{}]", fmt::join(value.numbers, ", "));
  }
}

std::vector<std::string> param_names(const fenchel_card& card) {
  std::vector<std::string> names;
  for (std::int64_t i = 0; i < card.param_count; ++i) names.emplace_back(param_at(card, i).name);
  return names;
}

// A place that has at least a key: trees made by hand have no places, and then that is all there
// is.
Place with_key(const Component& component, const std::string& name, Place place) {
  if (place.key.empty()) place.key = fmt::format("{}.{}", component.name, name);
  return place;
}

void refuse_unknown(const fenchel_card& card, const Component& component) {
  const std::vector<std::string> names = param_names(card);
  for (const auto& [name, node] : component.parameters.entries) {
    if (std::ranges::find(names, name) != names.end()) continue;
    const std::string near = nearest_name(name, names);
    std::string advice = near.empty() ? "" : fmt::format("did you mean '{}'? ", near);
    advice += names.empty() ? fmt::format("{} has no parameters", card.id)
                            : fmt::format("{} has: {}", card.id, fmt::join(names, ", "));
    throw Error(
        Exit::bad_input,
        fmt::format("unknown parameter '{}' of the {} {}", name, kind_name(card.kind), card.id),
        with_key(component, name, key_place(node)), advice);
  }
}

[[noreturn]] void refuse_missing(const fenchel_card& card, const fenchel_param& param,
                                 const Component& component) {
  std::string advice =
      fmt::format("write {{{}: {{{}: …}}}} with a {}", card.id, param.name, type_name(param.type));
  if (param.range) advice += fmt::format(" in {}", param.range);
  if (param.meaning && *param.meaning) advice += fmt::format(" ({})", param.meaning);
  throw Error(
      Exit::bad_input,
      fmt::format("the {} {} needs the parameter '{}'", kind_name(card.kind), card.id, param.name),
      component.place, advice);
}

}  // namespace

Values::Values(const fenchel_card& card, const Component& component) {
  const Node& given = component.parameters;
  if (!given.is_map() && !given.is_null()) {
    Place place = given.place;
    if (place.key.empty()) place.key = component.name;
    throw Error(Exit::bad_input, fmt::format("must be a map of parameters, found {}", found(given)),
                place, fmt::format("write {{{}: {{name: value}}}}", component.name));
  }
  refuse_unknown(card, component);

  std::vector<std::string> terms;
  for (std::int64_t i = 0; i < card.param_count; ++i) {
    const fenchel_param& param = param_at(card, i);
    const Node* said = given.find(param.name);
    Node node = said ? *said : fallback_node(param);
    if (said)
      node.place = with_key(component, param.name, node.place);
    else if (!param.fallback)
      refuse_missing(card, param, component);

    Checked checked = read(param, node);
    terms.push_back(fmt::format("{} = {}", param.name, written(param.type, checked)));
    texts_.push_back(std::make_unique<std::string>(std::move(checked.text)));
    lists_.push_back(std::make_unique<std::vector<double>>(std::move(checked.numbers)));
    values_.push_back(std::make_unique<fenchel_value>(fenchel_value{
        sizeof(fenchel_value), param.type, checked.number, checked.integer, texts_.back()->c_str(),
        lists_.back()->data(), static_cast<std::int64_t>(lists_.back()->size())}));
    pointers_.push_back(values_.back().get());
  }
  text_ = terms.empty() ? card.id : fmt::format("{}({})", card.id, fmt::join(terms, ", "));
}

Range Range::parse(const char* text) {
  Range range;
  if (!text) return range;
  const auto malformed = [&] {
    return std::invalid_argument(fmt::format(
        "range '{}' is neither an interval such as (0, inf) nor words such as a | b", text));
  };
  const std::string_view whole_text = trimmed(text);
  if (whole_text.empty()) throw malformed();

  const char first = whole_text.front();
  if (first != '(' && first != '[') {
    for (const std::string_view word : split(whole_text, '|')) {
      if (word.empty() || word.find_first_of(" \t,()[]") != std::string_view::npos)
        throw malformed();
      range.words.emplace_back(word);
    }
    return range;
  }
  const char last = whole_text.back();
  if (last != ')' && last != ']') throw malformed();
  const auto ends = split(whole_text.substr(1, whole_text.size() - 2), ',');
  if (ends.size() != 2) throw malformed();
  const auto low = whole<double>(ends[0]);
  const auto high = whole<double>(ends[1]);
  if (!low || !high) throw malformed();

  range.low = *low;
  range.high = *high;
  range.low_open = first == '(';
  range.high_open = last == ')';
  const bool one_point = range.low == range.high && !range.low_open && !range.high_open;
  if (!(range.low < range.high) && !one_point)
    throw std::invalid_argument(fmt::format("range '{}' is empty", text));
  return range;
}

bool Range::holds(double x) const {
  return (low_open ? low < x : low <= x) && (high_open ? x < high : x <= high);
}

Node fallback_node(const fenchel_param& param) {
  Node node;
  if (!param.fallback) return node;
  const auto scalar = [](std::string_view text) {
    Node made;
    made.kind = Node::Kind::scalar;
    made.scalar = text;
    return made;
  };
  if (param.type != FENCHEL_NUMBERS) return scalar(param.fallback);

  const std::string_view text = trimmed(param.fallback);
  if (text.size() < 2 || text.front() != '[' || text.back() != ']')
    throw std::invalid_argument(
        fmt::format("default '{}' is not a list such as [1, 2]", param.fallback));
  node.kind = Node::Kind::list;
  const std::string_view inside = trimmed(text.substr(1, text.size() - 2));
  if (inside.empty()) return node;
  for (const std::string_view item : split(inside, ',')) node.items.push_back(scalar(item));
  return node;
}

void check_declaration(const fenchel_param& param) {
  const Range range = Range::parse(param.range);
  if (param.range && param.type == FENCHEL_FLAG) throw std::invalid_argument("a flag has no range");
  if (param.range && range.words.empty() && param.type == FENCHEL_TEXT)
    throw std::invalid_argument(
        fmt::format("range '{}' is an interval, but the type is text", param.range));
  if (!range.words.empty() && param.type != FENCHEL_TEXT)
    throw std::invalid_argument(
        fmt::format("range '{}' is words, but the type is {}", param.range, type_name(param.type)));
  if (!param.fallback) return;
  try {
    read(param, fallback_node(param));
  } catch (const Error& error) {
    throw std::invalid_argument(fmt::format("default: {}", error.message()));
  }
}

const char* type_name(std::int32_t type) {
  switch (type) {
    case FENCHEL_NUMBER: return "number";
    case FENCHEL_INTEGER: return "integer";
    case FENCHEL_FLAG: return "flag";
    case FENCHEL_TEXT: return "text";
    case FENCHEL_NUMBERS: return "numbers";
    default: return "unknown";
  }
}

}  // namespace fenchel
