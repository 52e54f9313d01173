#include "report/comparison.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace fenchel {
namespace {

using Cells = std::vector<std::string>;

constexpr std::size_t kShownLevels = 6;
constexpr std::size_t kTextColumns = 2;  // number and solver are flush left, what follows right

std::size_t width(const std::string& text) {
  // Bytes that go on with a character of UTF-8 take no column of their own.
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U;
  }));
}

std::string aligned(const std::vector<Cells>& rows) {
  std::vector<std::size_t> widths(rows.front().size());
  for (const Cells& row : rows)
    for (std::size_t k = 0; k < row.size(); ++k) widths[k] = std::max(widths[k], width(row[k]));
  std::string text;
  for (const Cells& row : rows) {
    std::string line;
    for (std::size_t k = 0; k < row.size(); ++k) {
      const std::string space(widths[k] - width(row[k]), ' ');
      line += (k == 0 ? "" : "  ") + (k < kTextColumns ? row[k] + space : space + row[k]);
    }
    text += line.substr(0, line.find_last_not_of(' ') + 1) + '\n';
  }
  return text;
}

bool ran(const Result& result) { return result.iterations > 0; }

std::string seconds_text(double seconds) {
  return fmt::format("{:.{}f}", seconds, seconds < 10.0 ? 3 : 1);
}

std::string value_text(const std::optional<double>& value, const char* format) {
  return value ? fmt::format(fmt::runtime(format), *value) : std::string("-");
}

Cells result_cells(const Result& result) {
  return {status_name(result.status),
          ran(result) ? fmt::format("{:.1f}", result.passes) : "-",
          ran(result) ? seconds_text(result.seconds.solve) : "-",
          value_text(result.primal, "{:#.8g}"),
          value_text(result.dual, "{:#.8g}"),
          value_text(result.gap, "{:.1e}"),
          value_text(result.relative_gap, "{:.1e}")};
}

// Not more than fit on a line: every second, third, …, the last always.
std::vector<double> shown_levels(const std::vector<double>& levels) {
  const std::size_t step = (levels.size() + kShownLevels - 1) / kShownLevels;
  std::vector<double> shown;
  for (std::size_t k = 0; k < levels.size(); ++k)
    if ((levels.size() - 1 - k) % step == 0) shown.push_back(levels[k]);
  return shown;
}

Cells reached_cells(const Result& result, const std::vector<double>& levels) {
  Cells cells;
  for (const auto& at : reached(result.trace, levels))
    cells.push_back(at ? fmt::format("{:.1f} ({:.2f})", at->passes, at->seconds) : "-");
  return cells;
}

Cells begin_row(std::size_t number, const std::string& solver, const Cells& rest) {
  Cells row{std::to_string(number), solver};
  row.insert(row.end(), rest.begin(), rest.end());
  return row;
}

// Why one did not converge, and what its result says besides.
std::string notes(std::size_t number, const ComparisonRow& row) {
  const Result& result = row.result;
  std::string text;
  const auto note = [&](const std::string& what) {
    text += fmt::format("{}  {}: {}\n", number, row.solver, what);
  };
  if (result.status != Status::converged)
    note(fmt::format("{}: {}", status_name(result.status), result.message));
  for (const std::string& repair : result.repairs) note("repair: " + repair);
  for (const std::string& event : result.events) note(event);
  return text;
}

}  // namespace

std::string comparison_table(const Comparison& comparison, const std::filesystem::path& out_dir) {
  const std::vector<double> levels = shown_levels(gap_levels(comparison));
  std::vector<Cells> results{
      {"", "solver", "status", "passes", "seconds", "primal", "dual", "gap", "relative"}};
  Cells head;
  for (const double level : levels) head.push_back(level_name(level));
  std::vector<Cells> soon{begin_row(0, "", head)};
  soon.front().front().clear();
  std::string below;
  for (std::size_t k = 0; k < comparison.rows.size(); ++k) {
    const ComparisonRow& row = comparison.rows[k];
    results.push_back(begin_row(k + 1, row.solver, result_cells(row.result)));
    soon.push_back(begin_row(k + 1, row.solver, reached_cells(row.result, levels)));
    below += notes(k + 1, row);
  }
  std::string text = aligned(results);
  if (!levels.empty()) text += "\npasses (seconds) to a relative gap of\n" + aligned(soon);
  if (!below.empty()) text += '\n' + below;
  if (!out_dir.empty()) text += "\nfiles in " + out_dir.string() + '\n';
  return text;
}

}  // namespace fenchel
