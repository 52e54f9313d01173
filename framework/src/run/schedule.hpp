// When to pay for a certificate: where the last two gaps, falling on as they did, would reach the
// tolerance; at the latest when the passes have doubled, so that a short run does not go on for
// long after it has converged; and beyond that as often as a tenth of the time pays for.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace fenchel {

class CertificateSchedule {
 public:
  // `every` passes where positive (the same iterates are certified in every run); else by time.
  explicit CertificateSchedule(double every) : every_(every) {}

  bool due(double passes, double solve_seconds) const {
    if (every_ > 0.0) return passes >= next_pass_;
    if (passes >= std::min(doubled_pass_, aimed_pass_)) return true;
    return spent_ + price() <= kShare * (solve_seconds + spent_);
  }

  // `excess`: the gap over the one that would end the run; 0 where nothing would.
  void paid(double passes, double seconds, double excess) {
    aim(passes, excess);
    next_pass_ = passes + every_;
    doubled_pass_ = 2.0 * passes;
    std::rotate(last_seconds_.begin(), last_seconds_.begin() + 1, last_seconds_.end());
    last_seconds_.back() = seconds;
    spent_ += price();
    certify_seconds_ += seconds;
  }

  // As measured.
  double certify_seconds() const { return certify_seconds_; }

 private:
  static constexpr double kShare = 0.1;
  static constexpr double kNever = std::numeric_limits<double>::infinity();

  // The cheapest of the last few: a dearer one was interrupted by other programs, and waiting
  // longer after it would gain nothing. Of the last few, since the work may grow, as it does for a
  // mixture with more and more parts.
  double price() const { return *std::min_element(last_seconds_.begin(), last_seconds_.end()); }

  // log(excess) as a straight line through the last two certificates; no nearer than a tenth of the
  // passes so far, and than two passes, so that aiming too short costs little.
  void aim(double passes, double excess) {
    const double fall = std::log(last_excess_ / excess) / (passes - last_pass_);
    aimed_pass_ = std::numeric_limits<double>::infinity();
    if (excess > 1.0 && last_excess_ > 1.0 && fall > 0.0 && std::isfinite(fall))
      aimed_pass_ = passes + std::max({std::log(excess) / fall, 0.1 * passes, 2.0});
    last_pass_ = passes;
    last_excess_ = excess;
  }

  double every_;
  double next_pass_ = 0.0;
  double doubled_pass_ = 2.0;  // the first iterates are hardly ever good enough
  double aimed_pass_ = std::numeric_limits<double>::infinity();
  double last_pass_ = 0.0, last_excess_ = 0.0;
  std::array<double, 3> last_seconds_{kNever, kNever, kNever};
  double spent_ = 0.0;  // by their prices
  double certify_seconds_ = 0.0;
};

}  // namespace fenchel
