#include "report/comparison.hpp"

#include "report/files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string_view>
#include <system_error>

namespace fenchel {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr int kDecades = 16;  // a relative gap below 1e-16 is rounding
constexpr const char* kFile = "comparison.csv";

// 10^-k as the nearest double, which a power computed in doubles need not be.
double decade(int k) {
  const std::string text = fmt::format("1e-{}", k);
  double value = 0.0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

double relative(double gap, double primal) { return gap / std::max(1e-12, std::abs(primal)); }

double smallest_relative_gap(const Comparison& comparison) {
  double smallest = decade(1);
  for (const ComparisonRow& row : comparison.rows)
    smallest = std::min(smallest, row.result.relative_gap.value_or(smallest));
  return smallest;
}

std::string quoted_cell(const std::string& text) {
  if (text.find_first_of(",\"\n\r") == std::string::npos) return text;
  std::string out = "\"";
  for (const char c : text) out += c == '"' ? std::string("\"\"") : std::string(1, c);
  return out + '"';
}

std::string cell(const std::optional<double>& value) {
  return value ? fmt::format("{}", *value) : std::string();
}

bool missing(const fs::path& path) {
  std::error_code ignored;  // what cannot even be asked for is refused by whoever makes it
  return fs::symlink_status(path, ignored).type() == fs::file_type::not_found;
}

}  // namespace

Status overall_status(const Comparison& comparison) {
  constexpr std::array kWorstFirst{Status::interrupted, Status::failed, Status::refused,
                                   Status::limit};
  for (const Status status : kWorstFirst)
    for (const ComparisonRow& row : comparison.rows)
      if (row.result.status == status) return status;
  return Status::converged;
}

std::vector<double> gap_levels(const Comparison& comparison) {
  const std::optional<double> tolerance = comparison.stop.relative_gap;
  const double last = tolerance.value_or(smallest_relative_gap(comparison));
  std::vector<double> levels;
  for (int k = 1; k <= kDecades && decade(k) >= last; ++k) levels.push_back(decade(k));
  if (tolerance && (levels.empty() || levels.back() > *tolerance)) levels.push_back(*tolerance);
  return levels;
}

std::string level_name(double level) {
  std::array<char, 40> buffer{};
  const auto [end, error] = std::to_chars(buffer.data(), buffer.data() + buffer.size(), level,
                                          std::chars_format::scientific);
  const std::string_view text(buffer.data(), static_cast<std::size_t>(end - buffer.data()));
  const std::size_t e = text.find('e');  // the exponent has a sign and at least two digits
  int exponent = 0;
  std::from_chars(text.data() + e + (text[e + 1] == '+' ? 2 : 1), end, exponent);
  return fmt::format("{}e{}", text.substr(0, e), exponent);
}

std::vector<std::optional<Reached>> reached(const std::vector<TraceRow>& trace,
                                            const std::vector<double>& levels) {
  std::vector<std::optional<Reached>> found(levels.size());
  std::optional<double> primal, dual;
  for (const TraceRow& row : trace) {
    if (!row.primal || !row.dual) continue;
    primal = std::min(*row.primal, primal.value_or(*row.primal));
    dual = std::max(*row.dual, dual.value_or(*row.dual));
    const double gap = relative(std::max(0.0, *primal - *dual), *primal);
    for (std::size_t k = 0; k < levels.size(); ++k)
      if (!found[k] && gap <= levels[k]) found[k] = {row.passes, row.seconds};
  }
  return found;
}

std::string comparison_csv(const Comparison& comparison) {
  const std::vector<double> levels = gap_levels(comparison);
  std::string text = "solver,folder,status,iterations,passes,seconds,primal,dual,gap,relative_gap";
  for (const double level : levels) text += ",passes_to_" + level_name(level);
  for (const double level : levels) text += ",seconds_to_" + level_name(level);
  text += '\n';
  for (const auto& [solver, folder, result] : comparison.rows) {
    fmt::format_to(std::back_inserter(text), "{},{},{},{},{},{}", quoted_cell(solver),
                   quoted_cell(folder), status_name(result.status), result.iterations,
                   result.passes, result.seconds.solve);
    for (const auto& value : {result.primal, result.dual, result.gap, result.relative_gap})
      text += ',' + cell(value);
    const std::vector<std::optional<Reached>> found = reached(result.trace, levels);
    for (const auto& at : found) text += ',' + (at ? fmt::format("{}", at->passes) : "");
    for (const auto& at : found) text += ',' + (at ? fmt::format("{}", at->seconds) : "");
    text += '\n';
  }
  return text;
}

std::string comparison_json(const Comparison& comparison) {
  const std::vector<double> levels = gap_levels(comparison);
  Json solvers = Json::array(), results = Json::array();
  for (const auto& [solver, folder, result] : comparison.rows) {
    Json passes = Json::array(), seconds = Json::array();
    for (const auto& at : reached(result.trace, levels)) {
      passes.push_back(at ? Json(at->passes) : Json());
      seconds.push_back(at ? Json(at->seconds) : Json());
    }
    solvers.push_back({{"name", solver},
                       {"folder", folder.empty() ? Json() : Json(folder)},
                       {"passes_to", passes},
                       {"seconds_to", seconds}});
    results.push_back(Json::parse(to_json(result)));
  }
  const Json json = {{"status", status_name(overall_status(comparison))},
                     {"relative_gaps", levels},
                     {"solvers", solvers},
                     {"results", results}};
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + '\n';
}

void prepare_comparison(const fs::path& dir, const std::vector<std::string>& folders) {
  std::vector<fs::path> made;  // outermost first
  for (fs::path at = dir; !at.empty() && missing(at); at = at.parent_path())
    made.insert(made.begin(), at);
  try {
    prepare_output(dir);
    if (fs::is_directory(dir / kFile))
      throw Error(Exit::bad_input, "cannot write: it is a folder", in_file(dir / kFile),
                  "choose another folder with --out");
    for (const std::string& folder : folders) {
      if (missing(dir / folder)) made.push_back(dir / folder);
      prepare_output(dir / folder);
    }
  } catch (...) {
    remove_folders(std::move(made));
    throw;
  }
}

void write_comparison(const fs::path& dir, const Comparison& comparison) {
  write_file(dir / kFile, comparison_csv(comparison));
}

}  // namespace fenchel
