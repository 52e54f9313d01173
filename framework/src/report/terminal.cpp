#include "report/terminal.hpp"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <iterator>
#include <ostream>
#include <string_view>

namespace fenchel {
namespace {

constexpr double kRedrawSeconds = 0.1;
constexpr int kUsualWidth = 80;

int terminal_width(int descriptor) {
  winsize size{};
  if (::ioctl(descriptor, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return kUsualWidth;
  return size.ws_col;
}

// As the spec's `stop.relative-gap`.
double relative(double gap, double primal) { return gap / std::max(1e-12, std::abs(primal)); }

bool certified(const Result& result) {
  return result.certificate_verified && result.gap && std::isfinite(*result.gap);
}

// How far the result is from the optimum, as far as that is known.
std::string distance(const Result& result) {
  if (!certified(result)) return "how far J is from the optimum is not known (no certificate)";
  if (result.certificate_kind != "duality-gap")
    return fmt::format("stationary to {:.1e} (certified), which does not bound the optimum",
                       *result.gap);
  return fmt::format("J is within {:.1e} of the optimum (certified)", std::max(*result.gap, 0.0));
}

std::string headline(const Result& result) {
  const auto reason = [&](const char* fallback) {
    return result.message.empty() ? std::string(fallback) : result.message;
  };
  switch (result.status) {
    case Status::converged: {
      const bool says_more = !result.message.empty() && result.message != "converged";
      return says_more ? "converged: " + result.message : std::string("converged");
    }
    case Status::limit:
      return "NOT CONVERGED: " + reason("stopped by a limit") + "; " + distance(result);
    case Status::interrupted:
      return "INTERRUPTED, NOT CONVERGED: " + reason("stopped by a signal") + "; " +
             distance(result);
    case Status::refused: return "REFUSED: " + reason("it does not fit");
    case Status::failed: break;
  }
  return "FAILED: " + reason("no reason was given");
}

std::string value_text(const std::optional<double>& value) {
  return value ? fmt::format("{:.10g}", *value) : std::string("not evaluated");
}

std::string gap_text(const Result& result) {
  if (!result.gap) return "not evaluated";
  std::string text = fmt::format("{:.2e}", *result.gap);
  if (result.relative_gap) text += fmt::format("  (relative {:.2e})", *result.relative_gap);
  return text;
}

// Of several classes, the one that is told worst; nothing for two.
std::string worst_class(const Metrics& metrics) {
  const ClassMetrics* worst = nullptr;
  for (const ClassMetrics& one : metrics.classes)
    if (one.f1 && (worst == nullptr || *one.f1 < *worst->f1)) worst = &one;
  if (worst == nullptr || metrics.values.count("macro_f1") == 0) return {};
  return fmt::format("  lowest f1 {:.5g} ({})", *worst->f1, worst->label);
}

std::string metrics_text(const Metrics& metrics) {
  std::string text;
  for (const auto& [name, value] : metrics.values)
    text += fmt::format("{}{} {:.5g}", text.empty() ? "" : "  ", name, value);
  if (text.empty()) return "no metric is defined for these data";
  return text + worst_class(metrics);
}

std::string cost_text(const Result& result) {
  const Result::Seconds& seconds = result.seconds;
  return fmt::format(
      "{:.1f} passes, {} iterations, {:.2f} s (load {:.2f}, check {:.2f}, solve {:.2f}, "
      "certify {:.2f})",
      result.passes, result.iterations, seconds.total, seconds.load, seconds.check, seconds.solve,
      seconds.certify);
}

}  // namespace

std::string progress_line(const TraceRow& row) {
  std::string line = fmt::format("pass {:.1f}", row.passes);
  if (row.primal) line += fmt::format("  J {:.6g}", *row.primal);
  if (row.gap) line += fmt::format("  gap {:.1e}", *row.gap);
  if (row.gap && row.primal) line += fmt::format(" (rel {:.1e})", relative(*row.gap, *row.primal));
  return line + fmt::format("  {:.1f} s", row.seconds);
}

ProgressStyle progress_style(int descriptor) {
  const char* kind = std::getenv("TERM");
  const bool rewrites = kind != nullptr && std::string_view(kind) != "dumb";
  return rewrites && ::isatty(descriptor) == 1 ? ProgressStyle::terminal : ProgressStyle::plain;
}

Progress::Progress(std::ostream& out, ProgressStyle style, int descriptor)
    : out_(out), style_(style), descriptor_(descriptor) {}

Progress::~Progress() {
  try {
    finish();
  } catch (const std::exception&) {
    shown_ = false;  // a stream set to throw; a line of progress is not worth ending the program
  }
}

void Progress::update(const TraceRow& row) {
  if (style_ == ProgressStyle::quiet || finished_) return;
  const TraceRow before = std::exchange(last_, row);
  if (!last_.primal) last_.primal = before.primal;
  if (!last_.dual) last_.dual = before.dual;
  if (!last_.gap) last_.gap = before.gap;
  any_ = true;
  shown_ = false;
  if (style_ == ProgressStyle::terminal) {
    if (row.seconds >= next_seconds_) rewrite();
  } else if (row.passes >= next_passes_) {
    append();
  }
}

void Progress::rewrite() {
  next_seconds_ = last_.seconds + kRedrawSeconds;
  // One column less: a full line would wrap, and \r would not find its beginning again.
  const auto room = static_cast<std::size_t>(std::max(1, terminal_width(descriptor_) - 1));
  out_ << '\r' << progress_line(last_).substr(0, room) << "\x1b[K" << std::flush;
  shown_ = true;
}

void Progress::append() {
  next_passes_ = std::max(1.0, 2.0 * last_.passes);
  out_ << progress_line(last_) << '\n' << std::flush;
  shown_ = true;
}

void Progress::finish() {
  if (finished_) return;
  finished_ = true;
  if (!any_) return;
  if (style_ == ProgressStyle::terminal) out_ << "\r\x1b[K" << std::flush;
  if (style_ == ProgressStyle::plain && !shown_) append();
}

std::string summary(const Result& result, const std::filesystem::path& out_dir) {
  std::string text = headline(result) + '\n';
  const auto line = [&](std::string_view name, const std::string& value) {
    fmt::format_to(std::back_inserter(text), "  {:<13}{}\n", name, value);
  };
  if (result.primal || result.dual || result.gap) {
    line("primal", value_text(result.primal));
    line("dual", value_text(result.dual));
    line("gap", gap_text(result));
  }
  line("certificate",
       result.certificate_kind +
           (result.certificate_verified ? ", verified by the host" : ", NOT verified"));
  for (const std::string& repair : result.repairs) line("repair", repair);
  for (const std::string& event : result.events) line("note", event);
  line("cost", cost_text(result));
  if (result.train) line("train", metrics_text(*result.train));
  if (result.test) line("test", metrics_text(*result.test));
  if (!out_dir.empty()) line("files", "in " + out_dir.string());
  return text;
}

}  // namespace fenchel
