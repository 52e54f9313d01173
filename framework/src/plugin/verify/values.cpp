// Checks of value and gradient alone.
#include "plugin/verify/checks.hpp"

#include <cmath>

namespace fenchel::verify {

namespace {

constexpr int kPoints = 300;

std::string at(const Function& f, const Vector& x) {
  return fmt::format("{} at {}", f.label, text(x));
}

}  // namespace

void check_finite(Check& check, const Probe& probe, Random& random) {
  const Function& f = probe.f();
  for (int k = 0; k < kPoints; ++k) {
    const Vector x = probe.point(random);
    check.holds(std::isfinite(f.value(x)),
                [&] { return fmt::format("value {} {}", f.value(x), at(f, x)); });
    if (f.gradient)
      check.holds(finite(f.gradient(x)), [&] { return "a gradient not finite, " + at(f, x); });
    if (f.prox) {
      const double t = random.log_uniform(-12.0, 12.0);
      check.holds(finite(f.prox(x, t)),
                  [&] { return fmt::format("a prox not finite, {}, t = {:.9g}", at(f, x), t); });
    }
    if (f.conjugate) {
      const Vector u = probe.dual(random);
      const double conjugate = f.conjugate(u);
      check.holds(!std::isnan(conjugate) && conjugate > -HUGE_VAL,
                  [&] { return fmt::format("conjugate {} {}", conjugate, at(f, u)); });
    }
  }
}

// For convex f a subgradient lies between the one-sided differences, at kinks too; away from kinks
// they agree to first order in h, which makes the comparison sharp.
void check_gradient(Check& check, const Probe& probe, Random& random) {
  const Function& f = probe.f();
  if (!f.gradient) return;
  for (int k = 0; k < kPoints; ++k) {
    const Vector x = probe.point(random);
    const Vector direction = random.direction(f.dim);
    const double slope = dot(f.gradient(x), direction);
    for (const double relative : {1e-3, 1e-5, 1e-7}) {
      const double h = relative * (1e-3 + norm(x));
      const Vector ahead = combine(x, h, direction);
      const Vector behind = combine(x, -h, direction);
      // The points as rounded, not as asked for.
      const double to_ahead = dot(difference(ahead, x), direction);
      const double to_behind = dot(difference(x, behind), direction);
      const double middle = f.value(x);
      const double forward = (f.value(ahead) - middle) / to_ahead;
      const double backward = (middle - f.value(behind)) / to_behind;
      if (!std::isfinite(forward) || !std::isfinite(backward)) continue;
      const double noise =
          (probe.value_noise(ahead) + 2.0 * probe.value_noise(x) + probe.value_noise(behind)) / h;
      const double slack = 0.5 * std::abs(forward - backward) + noise +
                           1e-6 * (std::abs(forward) + std::abs(backward));
      check.equal(slope, 0.5 * (forward + backward), slack,
                  [&] { return fmt::format("gradient and difference {}", at(f, x)); });
    }
  }
}

void check_subgradient(Check& check, const Probe& probe, Random& random) {
  const Function& f = probe.f();
  if (!f.gradient || !f.convex()) return;
  for (int k = 0; k < 2 * kPoints; ++k) {
    const Vector a = probe.point(random);
    const Vector b = k % 2 == 0
                         ? probe.point(random)
                         : combine(a, random.log_uniform(-6.0, 2.0), random.direction(f.dim));
    const double bound = dot(f.gradient(a), difference(b, a));
    const double slack = probe.value_noise(a) + probe.value_noise(b) + kRounding * std::abs(bound);
    check.at_most(f.value(a) + bound, f.value(b), slack, [&] {
      return fmt::format("the tangent at {} above f({}), {}", text(a), text(b), f.label);
    });
  }
}

void check_convexity(Check& check, const Probe& probe, Random& random) {
  const Function& f = probe.f();
  if (!f.convex()) return check.note("not claimed to be convex");
  for (int k = 0; k < 2 * kPoints; ++k) {
    const Vector a = probe.point(random);
    const Vector b = k % 2 == 0
                         ? probe.point(random)
                         : combine(a, random.log_uniform(-3.0, 2.0), random.direction(f.dim));
    const double weight = k % 3 == 0 ? 0.5 : random.uniform(0.0, 1.0);
    const Vector mean = combine(a, weight, difference(b, a));
    const double slack =
        2.0 * (probe.value_noise(a) + probe.value_noise(b) + probe.value_noise(mean));
    check.at_most(f.value(mean), (1.0 - weight) * f.value(a) + weight * f.value(b), slack, [&] {
      return fmt::format("f above its chord between {} and {}, {}", text(a), text(b), f.label);
    });
  }
}

void check_lower_bound(Check& check, const Probe& probe, Random& random) {
  const Function& f = probe.f();
  const fenchel_fact bound = f.fact(FENCHEL_FACT_LOWER_BOUND);
  if (bound.state == FENCHEL_ABSENT && f.conjugate) {
    const double conjugate = f.conjugate(Vector(f.dim, 0.0));
    return check.holds(conjugate == HUGE_VAL, [&] {
      return fmt::format("declared absent, yet f >= {:.9g} = -f*(0), {}", -conjugate, f.label);
    });
  }
  if (bound.state != FENCHEL_KNOWN) return;
  for (int k = 0; k < kPoints; ++k) {
    const Vector x = probe.point(random);
    check.at_most(bound.value, f.value(x), probe.value_noise(x), [&] { return at(f, x); });
  }
  if (!f.conjugate) return;
  // inf f = -f*(0)
  const double infimum = -f.conjugate(Vector(f.dim, 0.0));
  check.at_most(bound.value, infimum, kRounding * std::abs(infimum), [&] { return "-f*(0)"; });
}

void check_domain(Check& check, const Probe& probe, Random& random) {
  const Function& f = probe.f();
  const fenchel_fact radius = f.fact(FENCHEL_FACT_DOMAIN_RADIUS);
  if (radius.state == FENCHEL_UNKNOWN) return;
  bool unbounded = false;
  for (int k = 0; k < kPoints; ++k) {
    const Vector direction = random.direction(f.dim);
    const double size = random.log_uniform(-6.0, 6.0);
    if (radius.state == FENCHEL_ABSENT) {
      unbounded = unbounded || std::isfinite(f.value(scaled(direction, 1e6 * size)));
      continue;
    }
    const double beyond = radius.value * (1.0 + 1e-6 + size) / norm(direction, radius.norm);
    const Vector x = scaled(direction, beyond);
    check.holds(f.value(x) == HUGE_VAL, [&] {
      return fmt::format("f is finite beyond the declared radius {:.9g}, {}", radius.value,
                         at(f, x));
    });
  }
  if (radius.state == FENCHEL_ABSENT && !unbounded)
    check.note("domain radius declared absent, but no far point of the domain was found");
}

}  // namespace fenchel::verify
