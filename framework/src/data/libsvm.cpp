// The libsvm text format: a line holds `label index:value index:value …`, indices from 1 and
// increasing. Behind '#' is comment; blank lines are skipped.
#include "data/label_column.hpp"
#include "data/parsers.hpp"
#include "data/rows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <string_view>

namespace fenchel::reading {
namespace {

constexpr std::uint64_t kLargestIndex = std::numeric_limits<std::int32_t>::max();
constexpr std::ptrdiff_t kSample = 1 << 16;  // bytes read before the arrays are sized

bool is_blank(char c) { return c == ' ' || c == '\t'; }
// Also true of other control characters, which then fail as the start of the next entry.
bool ends_token(char c) { return static_cast<unsigned char>(c) <= ' ' || c == '#'; }

std::string_view token_at(const char* at) {
  const char* end = at;
  while (!is_blank(*end) && *end != '\n' && *end != '#' && !(*end == '\r' && end[1] == '\n')) ++end;
  return {at, static_cast<std::size_t>(end - at)};
}

// Positions are passed and returned, not kept in a member, so that they stay in registers.
class LibsvmParser {
 public:
  LibsvmParser(const Bytes& content, const ReadOptions& options, const std::string& file)
      : begin_(content.data()),
        at_(content_begin(content)),
        end_(begin_ + content.size()),
        file_(file),
        features_(static_cast<std::uint64_t>(options.features)),
        limit_(features_ > 0 ? features_ : kLargestIndex),
        drop_beyond_(options.ignore_unseen && features_ > 0) {}

  Dataset parse(const std::string& storage) {
    const char* at = at_;
    const char* sample_end = end_ - at > 4 * kSample ? at + kSample : end_;
    while (at < sample_end) at = parse_line(at);
    if (at < end_) {
      rows_.reserve_like(static_cast<std::size_t>(at - at_), static_cast<std::size_t>(end_ - at_));
    }
    while (at < end_) at = parse_line(at);
    if (labels_.size() == 0) {
      throw Error(Exit::bad_input, "no rows", place_of(file_), "the file holds no data");
    }
    const std::uint64_t columns = features_ > 0 ? features_ : largest_;
    return {.x = rows_.take(static_cast<std::int64_t>(columns), storage, file_),
            .labels = labels_.take(),
            .feature_names = {},
            .file = file_};
  }

 private:
  // From the start of a line to the start of the next.
  const char* parse_line(const char* at) {
    at = skip_blank(at);
    if (at_line_end(at)) return next_line(at);
    at = parse_label(at);
    std::uint64_t last = 0;
    for (at = skip_blank(at); !at_line_end(at); at = skip_blank(at)) at = parse_entry(at, last);
    largest_ = std::max(largest_, last);
    rows_.end_row();
    return next_line(at);
  }

  static const char* skip_blank(const char* at) {
    while (is_blank(*at)) ++at;
    return at;
  }

  static bool at_line_end(const char* at) {
    return *at == '\n' || *at == '#' || (*at == '\r' && at[1] == '\n');
  }

  const char* next_line(const char* at) const {
    if (*at == '\n') return at + 1;
    const auto rest = static_cast<std::size_t>(end_ - at) + 1;  // up to the terminator
    return static_cast<const char*>(std::memchr(at, '\n', rest)) + 1;
  }

  const char* parse_label(const char* at) {
    const std::string_view text = token_at(at);
    if (text.find_first_of(":,") != std::string_view::npos) bad_label(text);
    const auto fault = labels_.add(text);
    if (fault != LabelColumn::Fault::none) fail(at, describe(fault, text), "correct the label");
    return at + text.size();
  }

  const char* parse_entry(const char* at, std::uint64_t& last) {
    const char* const entry = at;
    std::uint64_t index = 0;
    while (is_digit(*at) && at - entry < 18) {
      index = 10 * index + static_cast<std::uint64_t>(*at++ - '0');
    }
    if (at == entry || *at != ':' || index == 0 || index > kLargestIndex) bad_index(entry);
    if (index <= last) out_of_order(entry, index, last);
    last = index;
    double value = 0.0;
    at = parse_value(entry, at + 1, value);
    if (index > limit_) {
      if (!drop_beyond_) beyond(entry, index);
      return at;
    }
    if (value != 0.0) rows_.add(static_cast<std::int32_t>(index - 1), value);
    return at;
  }

  const char* parse_value(const char* entry, const char* at, double& value) const {
    if (is_digit(*at) && ends_token(at[1])) {
      value = *at - '0';
      return at + 1;
    }
    const Number kind = scan_number(at, end_, value);
    if (kind != Number::finite || !ends_token(*at)) bad_value(entry);
    return at;
  }

  [[noreturn]] void fail(const char* at, std::string message, std::string advice) const {
    throw Error(Exit::bad_input, std::move(message), place_of(file_, line_of(begin_, at)),
                std::move(advice));
  }

  [[noreturn]] void bad_label(std::string_view text) const {
    if (text.find(':') != std::string_view::npos) {
      fail(text.data(), fmt::format("the line starts with {}, not with a label", shown(text)),
           "a line is: label index:value index:value …");
    }
    fail(text.data(), fmt::format("several labels ({}) in one row", shown(text)),
         "give each row one label");
  }

  [[noreturn]] void bad_index(const char* at) const {
    const std::string_view token = token_at(at);
    if (token.substr(0, 4) == "qid:") {
      fail(at, fmt::format("{}: query ids (ranking data) are not supported", shown(token)),
           "remove the qid entries");
    }
    const std::string_view index = token.substr(0, token.find(':'));
    const bool negative = !index.empty() && index[0] == '-';
    const std::string_view digits = index.substr(negative ? 1 : 0);
    if (index.size() == token.size() || digits.empty() || !std::ranges::all_of(digits, is_digit)) {
      fail(at, fmt::format("{} is not an entry index:value", shown(token)),
           "a line is: label index:value index:value …");
    }
    if (negative || digits.find_first_not_of('0') == std::string_view::npos) {
      fail(at, fmt::format("index {}: indices start at 1", index), "renumber the features from 1");
    }
    fail(at, fmt::format("index {} is beyond the largest possible, {}", index, kLargestIndex),
         "renumber the features");
  }

  [[noreturn]] void out_of_order(const char* at, std::uint64_t index, std::uint64_t last) const {
    const std::string what = index == last ? fmt::format("index {} twice", index)
                                           : fmt::format("index {} after {}", index, last);
    fail(at, what + ": indices must increase within a line", "sort the entries of the line");
  }

  [[noreturn]] void beyond(const char* at, std::uint64_t index) const {
    fail(at, fmt::format("index {} is beyond the {} features declared", index, features_),
         "correct data.features, or the file");
  }

  [[noreturn]] void bad_value(const char* entry) const {
    const std::string_view token = token_at(entry);
    const std::size_t colon = token.find(':');
    const std::string_view index = token.substr(0, colon);
    const std::string_view text = token.substr(colon + 1);
    if (text.empty()) {
      fail(entry, fmt::format("index {}: the value is missing", index),
           "a line is: label index:value index:value …");
    }
    double value = 0.0;
    const bool number = parse_number(text, value) == Number::not_finite;
    fail(entry,
         fmt::format("index {}: value {} is not {}", index, shown(text),
                     number ? "finite" : "a number"),
         "every value must be a finite number");
  }

  const char* begin_;
  const char* at_;
  const char* end_;  // holds the terminator
  const std::string& file_;
  std::uint64_t features_;  // declared; 0: not
  std::uint64_t limit_;
  bool drop_beyond_;
  std::uint64_t largest_ = 0;
  LabelColumn labels_;
  Rows rows_;
};

}  // namespace

Dataset parse_libsvm(const Bytes& content, const ReadOptions& options, const std::string& file) {
  return LibsvmParser(content, options, file).parse(options.storage);
}

}  // namespace fenchel::reading
