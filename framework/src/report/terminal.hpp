// Text for people: progress while a run lasts, and what it found.
#pragma once

#include "report/result.hpp"

#include <filesystem>
#include <iosfwd>
#include <string>

namespace fenchel {

// "pass 12.0  J 0.351769  gap 3.2e-05 (rel 9.1e-05)  1.2 s"; what was not evaluated is left out.
std::string progress_line(const TraceRow& row);

enum class ProgressStyle {
  quiet,
  plain,     // lines, each time the passes have doubled: about 20 in a million passes
  terminal,  // one line rewritten in place, at most ten times a second, and cleared at the end
};

// terminal where the descriptor is one that can rewrite a line, else plain.
ProgressStyle progress_style(int descriptor);

// Shows a run as it goes. Time is that of the rows, so it never asks a clock. One thread.
class Progress {
 public:
  // `descriptor` is what `out` writes to; it is asked for the width of the terminal.
  Progress(std::ostream& out, ProgressStyle style, int descriptor = 2);
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  ~Progress();

  // A row without an evaluation shows the values of the last one that had them.
  void update(const TraceRow& row);
  // Clears the line (terminal) or writes the last row if it was not yet shown (plain). Once.
  void finish();

 private:
  void rewrite();
  void append();

  std::ostream& out_;
  ProgressStyle style_;
  int descriptor_;
  TraceRow last_;
  bool any_ = false;    // there was an update
  bool shown_ = false;  // last_ is on the screen
  bool finished_ = false;
  double next_seconds_ = 0.0;
  double next_passes_ = 0.0;
};

// A brief report: status and its meaning, values, certificate, cost, metrics, files (none for an
// empty `out_dir`). Result::message should say why the run ended, e.g. "stopped by the limit of 200
// passes".
std::string summary(const Result& result, const std::filesystem::path& out_dir);

}  // namespace fenchel
