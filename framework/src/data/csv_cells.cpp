#include "data/csv_cells.hpp"

#include "data/text.hpp"

#include <cstddef>

namespace fenchel::reading {

std::string Cell::plain() const {
  std::string result;
  for (std::size_t k = 0; k < text.size(); ++k) {
    result += text[k];
    if (escaped && text[k] == '"') ++k;
  }
  return result;
}

bool CsvCells::next(std::vector<Cell>& cells) {
  cells.clear();
  for (; at_ < end_; ++at_) {
    const char* at = skip_blank(at_);
    if (*at == '\r' && at[1] == '\n') ++at;
    if (*at != '\n') break;
    at_ = at;
  }
  if (at_ >= end_) return false;
  for (;; ++at_) {
    const char* first = skip_blank(at_);
    cells.push_back(*first == '"' ? quoted_cell() : bare_cell());
    if (*at_ != delimiter_) break;
  }
  at_ += *at_ == '\r' ? 2 : 1;
  return true;
}

const char* CsvCells::skip_blank(const char* at) const {
  while ((*at == ' ' || *at == '\t') && *at != delimiter_) ++at;
  return at;
}

bool CsvCells::ends_cell(const char* at) const {
  return *at == delimiter_ || *at == '\n' || (*at == '\r' && at[1] == '\n');
}

Cell CsvCells::quoted_cell() {
  const char* const first = skip_blank(at_) + 1;
  Cell cell;
  const char* last = first;
  for (; last < end_; ++last) {
    if (*last != '"') continue;
    if (last[1] != '"') break;
    cell.escaped = true;
    ++last;
  }
  if (last >= end_) fail(first, "a quoted cell without its closing quote");
  cell.text = {first, static_cast<std::size_t>(last - first)};
  at_ = skip_blank(last + 1);
  if (!ends_cell(at_)) fail(at_, "text behind the closing quote of a cell");
  return cell;
}

Cell CsvCells::bare_cell() {
  const char* const first = skip_blank(at_);
  const char* last = first;
  for (const char delimiter = delimiter_; *last != delimiter && *last != '\n'; ++last) {
    if (*last == '"') fail(last, "a quote inside a cell that does not start with one");
    if (*last == '\r' && last[1] == '\n') break;
  }
  at_ = last;
  while (last > first && (last[-1] == ' ' || last[-1] == '\t')) --last;
  return {.text = {first, static_cast<std::size_t>(last - first)}, .escaped = false};
}

void CsvCells::fail(const char* at, const std::string& message) const {
  throw Error(Exit::bad_input, message, place_of(*file_, line_of(begin_, at)),
              "quote the whole cell and double the quotes inside it");
}

char guess_delimiter(const char* at, const char* end) {
  std::ptrdiff_t commas = 0;
  std::ptrdiff_t semicolons = 0;
  std::ptrdiff_t tabs = 0;
  bool in_quotes = false;
  while (at < end && (*at == '\n' || *at == '\r' || *at == ' ')) ++at;
  for (; at < end && (in_quotes || *at != '\n'); ++at) {
    if (*at == '"') in_quotes = !in_quotes;
    if (in_quotes) continue;
    commas += *at == ',' ? 1 : 0;
    semicolons += *at == ';' ? 1 : 0;
    tabs += *at == '\t' ? 1 : 0;
  }
  if (tabs > commas && tabs > semicolons) return '\t';
  return semicolons > commas ? ';' : ',';
}

}  // namespace fenchel::reading
