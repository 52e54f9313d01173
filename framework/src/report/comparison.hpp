// What several solvers came to on one problem, side by side.
#pragma once

#include "report/result.hpp"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace fenchel {

struct ComparisonRow {
  std::string solver;  // as the spec writes it, on one line
  std::string folder;  // its files, below the output folder; empty where it did not run
  Result result;
};

struct Comparison {
  StopSpec stop;
  std::vector<ComparisonRow> rows;
};

// The status that decides the exit code: one interrupted before one failed, refused, at a limit,
// converged.
Status overall_status(const Comparison& comparison);

// Relative gaps at which solvers are compared, decreasing: 1e-1, 1e-2, … and last the tolerance.
// Where only an absolute one is given: the decades that some solver reached. No decade below 1e-16.
std::vector<double> gap_levels(const Comparison& comparison);

// "1e-3", "2.5e-4"
std::string level_name(double level);

struct Reached {
  double passes = 0.0, seconds = 0.0;  // as in the trace
};

// For each level, the first certified row by which the best J and the best D of the run are that
// close.
std::vector<std::optional<Reached>> reached(const std::vector<TraceRow>& trace,
                                            const std::vector<double>& levels);

// For people: what each came to, how soon each was how close, and below what else is to be said.
std::string comparison_table(const Comparison& comparison, const std::filesystem::path& out_dir);
// comparison.csv
std::string comparison_csv(const Comparison& comparison);
// What `--json` prints; `results` holds each solver's result.json.
std::string comparison_json(const Comparison& comparison);

// Makes `dir` and the folders in it and finds out, before long runs, whether they can be written
// to. Throws Error (bad_input); then nothing that it made is left behind.
void prepare_comparison(const std::filesystem::path& dir, const std::vector<std::string>& folders);

// Writes comparison.csv into `dir`, whole or not at all. Throws Error (bad_input).
void write_comparison(const std::filesystem::path& dir, const Comparison& comparison);

}  // namespace fenchel
