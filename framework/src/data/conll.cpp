// Columns of text: a line a position, its cells separated by blanks; a blank line ends a sequence.
// The attributes come from feature templates (data/templates.hpp).
#include "data/parsers.hpp"
#include "data/sequence_rows.hpp"
#include "data/templates.hpp"
#include "data/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

namespace fenchel::reading {
namespace {

class ConllParser {
 public:
  ConllParser(const Bytes& content, const ReadOptions& options, const std::string& file)
      : at_(content_begin(content)),
        end_(content.data() + content.size()),
        options_(options),
        file_(file),
        label_(label_column()),
        templates_(options.templates, options.columns, label_),
        rows_(options) {
    cells_.columns = options.columns.size();
  }

  Dataset parse() {
    for (; at_ < end_; ++line_) parse_line();
    end_sequence();
    return rows_.take(options_.storage, file_);
  }

 private:
  std::size_t label_column() const {
    if (options_.label.empty()) return options_.columns.size() - 1;
    const auto found = std::find(options_.columns.begin(), options_.columns.end(), options_.label);
    return static_cast<std::size_t>(found - options_.columns.begin());
  }

  void parse_line() {
    const auto* stop =
        static_cast<const char*>(std::memchr(at_, '\n', static_cast<std::size_t>(end_ - at_) + 1));
    row_.clear();
    for (const char* at = at_; at < stop;) {
      while (at < stop && is_blank(*at)) ++at;
      const char* begin = at;
      while (at < stop && !is_blank(*at)) ++at;
      if (at > begin) row_.emplace_back(begin, static_cast<std::size_t>(at - begin));
    }
    at_ = stop + 1;
    if (row_.empty()) return end_sequence();
    // Data to be labelled may come without their labels.
    if (options_.labels_optional && row_.size() + 1 == cells_.columns)
      row_.insert(row_.begin() + static_cast<std::ptrdiff_t>(label_), std::string_view());
    if (row_.size() != cells_.columns) ragged();
    if (cells_.texts.empty()) first_line_ = line_;
    cells_.texts.insert(cells_.texts.end(), row_.begin(), row_.end());
  }

  static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

  void end_sequence() {
    for (std::int64_t t = 0; t < cells_.length(); ++t) {
      const std::string_view label = cells_.at(t, label_);
      const int line = first_line_ + static_cast<int>(t);
      if (!rows_.begin_position(label, line))
        fail(line, fmt::format("label {} is not UTF-8 text", shown(label)), "correct the label");
      for (std::size_t k = 0; k < templates_.size(); ++k) {
        const std::string_view name = templates_.name(k, cells_, t);
        if (!name.empty()) rows_.add(name, 1.0);
      }
    }
    rows_.end_sequence();
    cells_.texts.clear();
  }

  [[noreturn]] void ragged() const {
    fail(line_,
         fmt::format("{} cell{} instead of {}: {}", row_.size(), row_.size() == 1 ? "" : "s",
                     cells_.columns, first_few(options_.columns, 10)),
         "give every line a cell a column, or correct data.columns");
  }

  [[noreturn]] void fail(int line, std::string message, std::string advice) const {
    throw Error(Exit::bad_input, std::move(message), place_of(file_, line), std::move(advice));
  }

  const char* at_;
  const char* end_;  // holds the terminator
  const ReadOptions& options_;
  const std::string& file_;
  std::size_t label_;
  Templates templates_;
  SequenceRows rows_;
  int line_ = 1;
  int first_line_ = 1;  // of the sequence
  std::vector<std::string_view> row_;
  Cells cells_;
};

}  // namespace

Dataset parse_conll(const Bytes& content, const ReadOptions& options, const std::string& file) {
  return ConllParser(content, options, file).parse();
}

}  // namespace fenchel::reading
