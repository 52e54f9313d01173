#include "plugin/verify/probe.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace fenchel::verify {

namespace {

// How much the slope of f changes between a and b.
double bend(const Function& f, const Vector& a, const Vector& b) {
  if (f.gradient) return norm(difference(f.gradient(a), f.gradient(b)));
  const double change = f.value(a) + f.value(b) - 2.0 * f.value(midpoint(a, b));
  return std::isfinite(change) ? std::abs(change) : 0.0;
}

}  // namespace

Probe::Probe(Function function, std::uint64_t seed) : f_(std::move(function)) {
  Random random(seed);
  constexpr int kDirections = 4;
  for (int k = 0; k < kDirections; ++k) {
    const double value = std::abs(f_.value(random.direction(f_.dim)));
    if (std::isfinite(value)) size_ = std::max(size_, value);
  }
  anchors_.emplace_back(f_.dim, 0.0);
  find_anchors(random);
}

// Halves a random segment towards the larger change of slope: a kink, or the steepest curvature.
void Probe::find_anchors(Random& random) {
  constexpr int kSegments = 24;
  for (int k = 0; k < kSegments; ++k) {
    const double scale = random.log_uniform(-1.0, f_.reach);
    Vector a = scaled(random.direction(f_.dim), random.uniform(0.0, scale));
    Vector b = scaled(random.direction(f_.dim), random.uniform(0.0, scale));
    for (int halving = 0; halving < 40; ++halving) {
      const Vector middle = midpoint(a, b);
      const double left = bend(f_, a, middle);
      const double right = bend(f_, middle, b);
      if (left == 0.0 && right == 0.0) break;
      (left >= right ? b : a) = middle;
    }
    anchors_.push_back(a);
  }
}

Vector Probe::point(Random& random, double exponent) const {
  Vector x(f_.dim, 0.0);
  double smallest = -4.0;
  if (random.chance(0.5)) {
    x = anchors_[random.below(anchors_.size())];
    smallest = -7.0;
  }
  x = combine(x, random.log_uniform(smallest, std::min(exponent, f_.reach)),
              random.direction(f_.dim));
  // A function with a small domain is looked at inside it.
  if (f_.prox && !std::isfinite(f_.value(x))) x = f_.prox(x, 1.0);
  return x;
}

Vector Probe::dual(Random& random) const {
  if (random.chance(0.3)) {
    return scaled(random.direction(f_.dim), random.log_uniform(-4.0, 4.0));
  }
  Vector u(f_.dim, 0.0);
  if (f_.gradient) {
    u = f_.gradient(point(random));
  } else if (f_.prox) {
    const Vector s = point(random);
    u = difference(s, f_.prox(s, 1.0));
    // Rounding may have left the domain, on whose edge a test could not say which side is meant.
    if (f_.make_feasible) u = f_.make_feasible(u);
  }
  if (random.chance(0.4)) return u;
  if (random.chance(0.5)) return scaled(u, random.uniform(-2.0, 2.0));
  return combine(u, random.log_uniform(-3.0, 1.0), random.direction(f_.dim));
}

double Probe::value_noise(const Vector& x) const {
  double noise = std::abs(f_.value(x));
  if (f_.gradient) noise += norm(f_.gradient(x)) * norm(x);
  if (f_.dim > 1)
    noise += 100.0 * norm(x);  // differences of coordinates cancel, whatever the gradient says
  return kRounding * noise + std::numeric_limits<double>::epsilon() * size_;
}

}  // namespace fenchel::verify
