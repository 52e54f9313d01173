// When to pay for a certificate: where the last two gaps, falling on as they did, would reach the
// tolerance; at the latest when the passes have doubled, so that a short run does not go on for
// long after it has converged; and beyond that as often as a tenth of the time pays for.
#pragma once

#include <algorithm>
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
    // A certificate always costs the same work. The cheapest so far is its price: dearer ones were
    // interrupted by other programs, and waiting longer after them would gain nothing.
    return (count_ + 1.0) * least_seconds_ <= kShare * (solve_seconds + count_ * least_seconds_);
  }

  // `excess`: the gap over the one that would end the run; 0 where nothing would.
  void paid(double passes, double seconds, double excess) {
    aim(passes, excess);
    next_pass_ = passes + every_;
    doubled_pass_ = 2.0 * passes;
    count_ += 1.0;
    least_seconds_ = std::min(least_seconds_, seconds);
    certify_seconds_ += seconds;
  }

  // As measured.
  double certify_seconds() const { return certify_seconds_; }

 private:
  static constexpr double kShare = 0.1;

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
  double count_ = 0.0;
  double least_seconds_ = std::numeric_limits<double>::infinity();
  double certify_seconds_ = 0.0;
};

}  // namespace fenchel
