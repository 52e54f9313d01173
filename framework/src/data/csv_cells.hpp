// Comma-separated text (RFC 4180) cut into records and cells.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fenchel::reading {

struct Cell {
  std::string_view text;  // without the quotes around it, or without blanks where it has none
  bool escaped = false;   // holds doubled quotes

  // As meant: doubled quotes made single.
  std::string plain() const;
};

// Walks through terminated text (data/bytes.hpp). Copies are cheap, so a copy can look ahead.
class CsvCells {
 public:
  CsvCells(const char* begin, const char* at, const char* end, char delimiter,
           const std::string& file)
      : begin_(begin), at_(at), end_(end), delimiter_(delimiter), file_(&file) {}

  // The next record that is not a blank line; false at the end of the text.
  bool next(std::vector<Cell>& cells);

 private:
  const char* skip_blank(const char* at) const;
  bool ends_cell(const char* at) const;
  Cell quoted_cell();
  Cell bare_cell();
  [[noreturn]] void fail(const char* at, const std::string& message) const;

  const char* begin_;
  const char* at_;
  const char* end_;
  char delimiter_;
  const std::string* file_;
};

// The one of , ; and tab that the first record holds most often outside quotes.
char guess_delimiter(const char* at, const char* end);

}  // namespace fenchel::reading
