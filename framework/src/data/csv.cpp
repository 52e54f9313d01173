// Tables in comma-separated text: one column holds the label, all others are numbers.
//
// Is the first row a header? Unless `header` says it: yes when the label column is given by name;
// when its label cell is no number but that of the second row is; or when at least half of its
// other cells are words. So one misspelt number in a first row of data is reported, not swallowed.
#include "data/csv_cells.hpp"
#include "data/label_column.hpp"
#include "data/parsers.hpp"
#include "data/rows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace fenchel::reading {
namespace {

bool is_number(const Cell& cell) {
  double value = 0.0;
  return parse_number(cell.text, value) != Number::none;
}

bool is_word(const Cell& cell) { return !cell.text.empty() && !is_number(cell); }

bool all_digits(const std::string& text) {
  return !text.empty() && std::ranges::all_of(text, is_digit);
}

[[noreturn]] void bad_option(const std::string& file, const std::string& key, std::string message,
                             std::string advice) {
  throw Error(Exit::bad_input, std::move(message), place_of(file, 0, "data." + key),
              std::move(advice));
}

char delimiter_of(const Bytes& content, const ReadOptions& options, const std::string& file) {
  const std::string& given = options.delimiter;
  if (given.empty()) {
    return guess_delimiter(content_begin(content), content.data() + content.size());
  }
  if (given == "tab") return '\t';
  if (given.size() == 1 && given.find_first_of("\"\r\n") == std::string::npos) return given[0];
  bad_option(file, "delimiter", fmt::format("{} is not a delimiter", shown(given)),
             "give one character, or tab");
}

class CsvParser {
 public:
  CsvParser(const Bytes& content, const ReadOptions& options, const std::string& file)
      : begin_(content.data()),
        options_(options),
        file_(file),
        cells_(begin_, content_begin(content), begin_ + content.size(),
               delimiter_of(content, options, file), file) {}

  Dataset parse() {
    CsvCells behind_first = cells_;
    std::vector<Cell> first;
    if (!behind_first.next(first)) no_rows();
    width_ = first.size();
    if (width_ < 2) {
      fail(first[0], "only one column, the label", "check data.delimiter: no other was found");
    }
    choose_columns(first, behind_first);
    std::vector<Cell> row;
    while (cells_.next(row)) add_row(row);
    if (labels_.size() == 0) no_rows();
    return {.x = rows_.take(features_, options_.storage, file_),
            .labels = labels_.take(),
            .feature_names = std::move(names_),
            .file = file_};
  }

 private:
  // Settles header, label column and number of features; leaves `cells_` at the first row of data.
  void choose_columns(const std::vector<Cell>& first, const CsvCells& behind_first) {
    const bool by_name = !options_.label.empty() && !all_digits(options_.label);
    if (by_name && options_.header == false) {
      bad_option(file_, "label", "a label column given by name needs a header row",
                 "give its number, from 1");
    }
    if (!by_name) label_ = label_by_number();
    const bool header = by_name || options_.header.value_or(looks_like_header(first, behind_first));
    if (by_name) label_ = label_by_name(first);
    features_ = feature_count();
    if (!header) return;
    cells_ = behind_first;
    for (std::size_t k = 0; k < width_ && std::ssize(names_) < features_; ++k) {
      if (k != label_) names_.push_back(name_of(first[k]));
    }
  }

  bool looks_like_header(const std::vector<Cell>& first, CsvCells behind_first) const {
    std::vector<Cell> second;
    if (is_word(first[label_]) && behind_first.next(second) && label_ < second.size() &&
        is_number(second[label_])) {
      return true;
    }
    const auto words = std::ranges::count_if(first, is_word) - (is_word(first[label_]) ? 1 : 0);
    return 2 * static_cast<std::size_t>(words) >= width_ - 1;
  }

  std::size_t label_by_number() const {
    if (options_.label.empty()) return 0;
    // No more digits than can matter: a table has far fewer columns.
    const std::size_t number = options_.label.size() > 9 ? 0 : std::stoul(options_.label);
    if (number < 1 || number > width_) {
      bad_option(file_, "label", fmt::format("column {} of {}", options_.label, width_),
                 fmt::format("give a number from 1 to {}, or a name", width_));
    }
    return number - 1;
  }

  std::size_t label_by_name(const std::vector<Cell>& header) const {
    std::vector<std::string> names;
    names.reserve(header.size());
    for (const Cell& cell : header) names.push_back(cell.plain());
    const auto found = std::ranges::find(names, options_.label);
    if (found == names.end()) {
      bad_option(file_, "label", fmt::format("no column is named {}", shown(options_.label)),
                 fmt::format("the columns are {}", first_few(names, 10)));
    }
    if (std::find(found + 1, names.end(), options_.label) != names.end()) {
      bad_option(file_, "label", fmt::format("several columns are named {}", shown(options_.label)),
                 "give the number of the column, from 1");
    }
    return static_cast<std::size_t>(found - names.begin());
  }

  // Unlike a sparse file, a table states its columns: fewer than declared is a mistake.
  std::int64_t feature_count() const {
    const auto found = static_cast<std::int64_t>(width_) - 1;
    const std::int64_t declared = options_.features;
    if (declared == 0 || declared == found) return found;
    if (declared < found && options_.ignore_unseen) return declared;
    throw Error(Exit::bad_input,
                fmt::format("{} columns besides the label, {} features declared", found, declared),
                place_of(file_), "check data.features, data.label and data.delimiter");
  }

  std::string name_of(const Cell& cell) const {
    std::string name = cell.plain();
    if (!is_utf8(name)) {
      fail(cell, fmt::format("the column name {} is not UTF-8 text", shown(name)),
           "convert the file to UTF-8");
    }
    return name;
  }

  void add_row(const std::vector<Cell>& row) {
    if (row.size() != width_) {
      fail(row[0], fmt::format("{} cells, the first row has {}", row.size(), width_),
           "give every row the same number of cells");
    }
    add_label(row[label_]);
    std::int32_t feature = 0;
    for (std::size_t k = 0; k < width_ && feature < features_; ++k) {
      if (k == label_) continue;
      double value = 0.0;
      const Number kind = parse_number(row[k].text, value);
      if (kind != Number::finite) bad_cell(row[k], k);
      if (value != 0.0) rows_.add(feature, value);
      ++feature;
    }
    rows_.end_row();
  }

  void add_label(const Cell& cell) {
    if (cell.text.empty()) fail(cell, "the label is missing", "give every row a label");
    const auto fault = cell.escaped ? labels_.add(cell.plain()) : labels_.add(cell.text);
    if (fault != LabelColumn::Fault::none)
      fail(cell, describe(fault, cell.text), "correct the label");
  }

  [[noreturn]] void bad_cell(const Cell& cell, std::size_t column) const {
    const std::string where = column_text(column);
    if (cell.text.empty()) {
      fail(cell, where + ": missing value", "fill the empty cell, or remove the row");
    }
    if (is_number(cell)) {
      fail(cell, fmt::format("{}: {} is not finite", where, shown(cell.text)),
           "every value must be a finite number");
    }
    const bool first_row = labels_.size() <= 1 && names_.empty();
    fail(cell, fmt::format("{}: {} is not a number", where, shown(cell.text)),
         first_row
             ? "set data.header: true if this row is a header, else give the column as numbers"
             : "give the column as numbers, or name it in data.label if it is the label");
  }

  std::string column_text(std::size_t column) const {
    if (names_.empty()) return fmt::format("column {}", column + 1);
    return fmt::format("column {} ({})", column + 1,
                       shown(names_[column - (column > label_ ? 1 : 0)]));
  }

  [[noreturn]] void fail(const Cell& cell, std::string message, std::string advice) const {
    throw Error(Exit::bad_input, std::move(message),
                place_of(file_, line_of(begin_, cell.text.data())), std::move(advice));
  }

  [[noreturn]] void no_rows() const {
    throw Error(Exit::bad_input, "no rows", place_of(file_), "the file holds no data");
  }

  const char* begin_;
  const ReadOptions& options_;
  const std::string& file_;
  CsvCells cells_;
  std::size_t width_ = 0;  // cells of a row
  std::size_t label_ = 0;
  std::int64_t features_ = 0;
  std::vector<std::string> names_;
  LabelColumn labels_;
  Rows rows_;
};

}  // namespace

Dataset parse_csv(const Bytes& content, const ReadOptions& options, const std::string& file) {
  return CsvParser(content, options, file).parse();
}

}  // namespace fenchel::reading
