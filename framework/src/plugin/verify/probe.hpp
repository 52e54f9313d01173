// Where to look at a function: points at many scales, crowded around the places where its slope
// changes, and duals inside and outside its conjugate's domain.
#pragma once

#include "plugin/verify/function.hpp"

namespace fenchel::verify {

class Probe {
 public:
  Probe(Function function, std::uint64_t seed);

  const Function& f() const { return f_; }

  // A point of dom f of size up to 10^exponent, or that far from an anchor.
  Vector point(Random& random, double exponent = 4.0) const;
  // A dual: a subgradient, one of several times its size, or anything.
  Vector dual(Random& random) const;

  // What rounding may do to value(x): relative to it, by rounding inside x, and by cancellation of
  // terms of the function's usual size.
  double value_noise(const Vector& x) const;

 private:
  void find_anchors(Random& random);

  Function f_;
  double size_ = 0.0;            // of f at distance 1
  std::vector<Vector> anchors_;  // points near which the slope changes most
};

}  // namespace fenchel::verify
