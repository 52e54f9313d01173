#include "data/templates.hpp"
#include "data/text.hpp"
#include "spec/read.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <set>
#include <utility>

namespace fenchel::reading {
namespace {

constexpr std::int64_t kFarthest = 100;
constexpr int kDeepest = 8;  // functions of functions

bool is_word_character(char c) {
  return ('a' <= c && c <= 'z') || ('A' <= c && c <= 'Z') || is_digit(c) || c == '_' || c == '-';
}

// Both ends are part of it.
struct Range {
  std::int64_t first = 0, last = 0;
  std::int64_t size() const { return last - first + 1; }
  std::int64_t at(std::int64_t step) const { return size() == 1 ? first : first + step; }
};

const std::vector<std::string> kFunctions{"prefix", "suffix", "shape", "lower"};

}  // namespace

// One text to templates, ranges counted out.
class Templates::Parser {
 public:
  Parser(const PlacedText& text, const std::vector<std::string>& columns, std::size_t label)
      : text_(text.text), place_(text.place), columns_(columns), label_(label) {}

  std::vector<Template> parse() {
    skip_blanks();
    if (text_.substr(at_, text_.find_last_not_of(' ') + 1 - at_) == "bias")
      return {Template{.head = "bias", .parts = {}}};
    std::vector<Ranged> parts{part(0)};
    while (taken('|')) parts.push_back(part(0));
    if (at_ < text_.size())
      fail(at_, fmt::format("{} is left over", shown(text_.substr(at_))), kForm);
    return expanded(parts);
  }

 private:
  struct RangedFunction {
    std::size_t kind;
    Range length;
  };
  struct Ranged {
    std::size_t column = 0;
    Range offset;
    std::vector<RangedFunction> functions;
  };
  static constexpr const char* kForm =
      "a template is like word[0], tag[-2..2], tag[-1]|tag[0] or suffix(word[0], 3)";

  [[noreturn]] void fail(std::size_t at, const std::string& message,
                         const std::string& advice) const {
    Place place = place_;
    if (place.column > 0) place.column += static_cast<int>(at);
    throw Error(Exit::bad_input, fmt::format("{}: {}", shown(text_), message), place, advice);
  }

  void skip_blanks() {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
  }
  bool taken(char c) {
    skip_blanks();
    if (at_ == text_.size() || text_[at_] != c) return false;
    ++at_;
    skip_blanks();
    return true;
  }
  void expect(char c) {
    if (!taken(c)) fail(at_, fmt::format("'{}' is missing", c), kForm);
  }

  std::string_view word() {
    skip_blanks();
    const std::size_t begin = at_;
    while (at_ < text_.size() && is_word_character(text_[at_])) ++at_;
    if (at_ == begin) fail(begin, "a column is missing", kForm);
    return text_.substr(begin, at_ - begin);
  }

  std::int64_t integer(std::int64_t low) {
    skip_blanks();
    const std::size_t begin = at_;
    if (at_ < text_.size() && text_[at_] == '+') ++at_;
    std::int64_t value = 0;
    const char* end = text_.data() + text_.size();
    const auto [stop, error] = std::from_chars(text_.data() + at_, end, value);
    if (error == std::errc::invalid_argument) fail(begin, "an integer is missing", kForm);
    if (error != std::errc() || value < low || value > kFarthest)
      fail(begin, "the number is out of range", fmt::format("give {} to {}", low, kFarthest));
    at_ = static_cast<std::size_t>(stop - text_.data());
    return value;
  }

  Range range(std::int64_t low) {
    const std::size_t begin = at_;
    const std::int64_t first = integer(low);
    skip_blanks();
    if (text_.substr(at_, 2) != "..") return {first, first};
    at_ += 2;
    const Range found{first, integer(low)};
    if (found.last < found.first) fail(begin, "the range is empty", "write the smaller end first");
    return found;
  }

  Ranged part(int depth) {
    skip_blanks();
    const std::size_t begin = at_;
    const std::string_view name = word();
    if (taken('(')) return called(name, begin, depth);
    const auto column = std::find(columns_.begin(), columns_.end(), name);
    if (column == columns_.end())
      fail(begin, fmt::format("no column is named {}", shown(name)),
           spec::did_you_mean(std::string(name), columns_,
                              "the columns are " + first_few(columns_, 10)));
    Ranged found;
    found.column = static_cast<std::size_t>(column - columns_.begin());
    if (found.column == label_)
      fail(begin, fmt::format("{} is the label", shown(name)),
           "it is not known when the model is applied; take another column");
    if (taken('[')) {
      found.offset = range(-kFarthest);
      expect(']');
    }
    return found;
  }

  Ranged called(std::string_view name, std::size_t begin, int depth) {
    const auto found = std::find(kFunctions.begin(), kFunctions.end(), name);
    if (found == kFunctions.end())
      fail(begin, fmt::format("no function is named {}", shown(name)),
           spec::did_you_mean(std::string(name), kFunctions,
                              "the functions are " + first_few(kFunctions)));
    if (depth == kDeepest) fail(begin, "functions are nested too deeply", "take fewer");
    Ranged inner = part(depth + 1);
    RangedFunction function{static_cast<std::size_t>(found - kFunctions.begin()), {}};
    const bool cuts = function.kind <= static_cast<std::size_t>(Kind::suffix);
    if (cuts) {
      expect(',');
      function.length = range(1);
    }
    expect(')');
    inner.functions.push_back(function);
    return inner;
  }

  std::vector<Template> expanded(const std::vector<Ranged>& parts) const {
    std::int64_t steps = 1;
    const auto meet = [&](const Range& one) {
      if (one.size() == 1) return;
      if (steps > 1 && one.size() != steps)
        fail(0, fmt::format("ranges of {} and of {} numbers", steps, one.size()),
             "the ranges of a template move together: make them equally long");
      steps = one.size();
    };
    for (const Ranged& one : parts) {
      meet(one.offset);
      for (const RangedFunction& function : one.functions) meet(function.length);
    }
    std::vector<Template> found;
    for (std::int64_t step = 0; step < steps; ++step) {
      Template& made = found.emplace_back();
      for (const Ranged& one : parts) {
        Part& last = made.parts.emplace_back(Part{one.column, one.offset.at(step), {}});
        for (const RangedFunction& function : one.functions)
          last.functions.push_back({static_cast<Kind>(function.kind), function.length.at(step)});
        made.head += (made.parts.size() > 1 ? "|" : "") + text_of(last);
      }
      made.head += '=';
    }
    return found;
  }

  std::string text_of(const Part& part) const {
    std::string text = fmt::format("{}[{}]", columns_[part.column], part.offset);
    for (const Function& function : part.functions) {
      const bool cuts = function.kind == Kind::prefix || function.kind == Kind::suffix;
      text = fmt::format("{}({}{})", kFunctions[static_cast<std::size_t>(function.kind)], text,
                         cuts ? fmt::format(",{}", function.length) : "");
    }
    return text;
  }

  std::string_view text_;
  Place place_;
  const std::vector<std::string>& columns_;
  std::size_t label_;
  std::size_t at_ = 0;
};

Templates::Templates(const std::vector<PlacedText>& texts, const std::vector<std::string>& columns,
                     std::size_t label) {
  std::set<std::string> heads;
  for (const PlacedText& text : texts)
    for (Template& one : Parser(text, columns, label).parse()) {
      if (!heads.insert(one.head).second)
        throw Error(Exit::bad_input, fmt::format("{} stands twice", shown(one.head)), text.place,
                    "keep one of them");
      templates_.push_back(std::move(one));
    }
}

}  // namespace fenchel::reading
