// When to pay for a certificate: so that all of them together take at most a tenth of the time.
#pragma once

namespace fenchel {

class CertificateSchedule {
 public:
  // `every` passes where positive (the same iterates are certified in every run); else by time.
  explicit CertificateSchedule(double every) : every_(every) {}

  bool due(double passes, double solve_seconds) const {
    if (every_ > 0.0) return passes >= next_pass_;
    return certify_seconds_ + last_seconds_ <= kShare * (solve_seconds + certify_seconds_);
  }

  void paid(double passes, double seconds) {
    next_pass_ = passes + every_;
    last_seconds_ = seconds;
    certify_seconds_ += seconds;
  }

  double certify_seconds() const { return certify_seconds_; }

 private:
  static constexpr double kShare = 0.1;

  double every_;
  double next_pass_ = 0.0;
  double last_seconds_ = 0.0;
  double certify_seconds_ = 0.0;
};

}  // namespace fenchel
