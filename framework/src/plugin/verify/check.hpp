// Collects what a check saw: how many samples, and the worst violation with its numbers.
#pragma once

#include "plugin/verify.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <concepts>
#include <stdexcept>
#include <string>
#include <utility>

namespace fenchel::verify {

// An oracle that returned FENCHEL_FAILED, with the plugin's explanation.
struct CallFailed : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// A fact in the plugin's own words, before the host discards what makes no sense.
template <class PartType>
fenchel_fact declared_fact(const PartType& part, std::int32_t id) {
  fenchel_fact fact{};
  fact.struct_size = sizeof fact;
  part.table->fact(part.self, id, &fact);
  return fact;
}

class Check {
 public:
  explicit Check(std::string name) : name_(std::move(name)) {}

  // Requires left <= right + slack; `where` is asked for its text only when that is violated.
  template <std::invocable Where>
  void at_most(double left, double right, double slack, Where&& where) {
    ++samples_;
    const double excess = left - right - slack;
    if (excess <= 0.0 || (left == right)) return;
    record(std::isnan(excess) ? HUGE_VAL : excess / std::max({slack, std::abs(right), 1e-300}),
           [&] { return fmt::format("{}: {:.9g} > {:.9g}", where(), left, right); });
  }
  template <std::invocable Where>
  void equal(double left, double right, double slack, Where&& where) {
    ++samples_;
    const double excess = std::abs(left - right) - slack;
    if (excess <= 0.0 || left == right) return;
    record(std::isnan(excess) ? HUGE_VAL : excess / std::max({slack, std::abs(right), 1e-300}),
           [&] { return fmt::format("{}: {:.9g} differs from {:.9g}", where(), left, right); });
  }
  template <std::invocable Where>
  void holds(bool condition, Where&& where) {
    ++samples_;
    if (!condition) record(HUGE_VAL, std::forward<Where>(where));
  }

  void fail(const std::string& why) {
    record(HUGE_VAL, [&] { return why; });
  }
  // Said besides the count of samples; the verdict stays as it is.
  void note(const std::string& text) {
    if (notes_.find(text) == std::string::npos) notes_ += (notes_.empty() ? "" : "; ") + text;
  }

  Finding finding() const {
    if (violations_ > 0) {
      return {name_, false,
              fmt::format("{} of {} samples, worst: {}", violations_,
                          std::max(samples_, violations_), worst_)};
    }
    if (samples_ == 0) return {name_, true, notes_.empty() ? "not checked" : notes_};
    const char* separator = notes_.empty() ? "" : "; ";
    return {name_, true, fmt::format("{} samples{}{}", samples_, separator, notes_)};
  }

 private:
  template <class Where>
  void record(double badness, Where&& where) {
    if (violations_++ == 0 || badness > worst_badness_) {
      worst_badness_ = badness;
      worst_ = where();
    }
  }

  std::string name_;
  std::string notes_;
  std::string worst_;
  double worst_badness_ = 0.0;
  long samples_ = 0;
  long violations_ = 0;
};

}  // namespace fenchel::verify
