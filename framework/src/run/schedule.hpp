// When to pay for a certificate: so that all of them together take at most a tenth of the time.
#pragma once

#include <algorithm>
#include <limits>

namespace fenchel {

class CertificateSchedule {
 public:
  // `every` passes where positive (the same iterates are certified in every run); else by time.
  explicit CertificateSchedule(double every) : every_(every) {}

  bool due(double passes, double solve_seconds) const {
    if (every_ > 0.0) return passes >= next_pass_;
    if (count_ == 0.0) return true;
    // A certificate always costs the same work. The cheapest so far is its price: dearer ones were
    // interrupted by other programs, and waiting longer after them would gain nothing.
    return (count_ + 1.0) * least_seconds_ <= kShare * (solve_seconds + count_ * least_seconds_);
  }

  void paid(double passes, double seconds) {
    next_pass_ = passes + every_;
    count_ += 1.0;
    least_seconds_ = std::min(least_seconds_, seconds);
    certify_seconds_ += seconds;
  }

  // As measured.
  double certify_seconds() const { return certify_seconds_; }

 private:
  static constexpr double kShare = 0.1;

  double every_;
  double next_pass_ = 0.0;
  double count_ = 0.0;
  double least_seconds_ = std::numeric_limits<double>::infinity();
  double certify_seconds_ = 0.0;
};

}  // namespace fenchel
