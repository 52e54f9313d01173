// Checks that tie value, gradient, conjugate and prox together.
#include "plugin/verify/checks.hpp"

#include <cmath>

namespace fenchel::verify {

namespace {

constexpr int kPoints = 300;

// The last term stands for what underflows.
double magnitude(double a, double b, double c) {
  return std::abs(a) + std::abs(b) + std::abs(c) + 1e-290;
}

// A prox with its dual u = (s - p)/t, and what rounding may do to them.
struct Step {
  Vector s, p, u;
  double t = 1.0;
  double point_noise = 0.0;  // of p
  double dual_noise = 0.0;   // of u

  Step(const Probe& probe, Random& random, double smallest, double largest)
      : s(probe.point(random)), t(random.log_uniform(smallest, largest)) {
    // A point of the domain would make the prox of an indicator trivial.
    if (random.chance(0.3))
      s = scaled(random.direction(probe.f().dim),
                 random.log_uniform(-4.0, std::min(4.0, probe.f().reach)));
    p = probe.f().prox(s, t);
    u = scaled(difference(s, p), 1.0 / t);
    // In several dimensions a prox is found by iterating, to an absolute accuracy.
    point_noise = kRounding * (norm(s) + norm(p) + (probe.f().dim > 1 ? 1.0 : 0.0));
    dual_noise = point_noise / t;
  }
  std::string text(const Function& f) const {
    return fmt::format("{}, s = {}, t = {:.9g}, prox = {}", f.label, verify::text(s), t,
                       verify::text(p));
  }
};

}  // namespace

void check_fenchel_young(Check& check, const Probe& probe, Random& random) {
  const Function& f = probe.f();
  if (!f.conjugate) return;
  for (int k = 0; k < kPoints; ++k) {
    const Vector z = probe.point(random);
    const Vector u = probe.dual(random);
    const double value = f.value(z);
    const double conjugate = f.conjugate(u);
    const double slack =
        1e-11 * magnitude(value, std::isinf(conjugate) ? 0.0 : conjugate, dot(z, u)) +
        probe.value_noise(z);
    check.at_most(dot(z, u), value + conjugate, slack, [&] {
      return fmt::format("{}, <z, u> above f(z) + f*(u) at z = {}, u = {}", f.label, text(z),
                         text(u));
    });
    if (!f.gradient || !f.convex()) continue;
    const Vector g = f.gradient(z);
    const double at_gradient = f.conjugate(g);
    const double rounding = 1e-11 * magnitude(value, at_gradient, dot(z, g)) + probe.value_noise(z);
    const auto where = [&] {
      return fmt::format("{}, f(z) + f*(g) and <z, g> at z = {}, g = gradient(z) = {}", f.label,
                         text(z), text(g));
    };
    const fenchel_fact above = f.fact(FENCHEL_FACT_CONJUGATE_SLACK);
    if (above.state != FENCHEL_KNOWN) {
      check.equal(value + at_gradient, dot(z, g), rounding, where);
    } else {
      check.at_most(dot(z, g), value + at_gradient, rounding, where);
      check.at_most(value + at_gradient, dot(z, g) + above.value, rounding, where);
    }
  }
}

void check_prox(Check& check, const Probe& probe, Random& random) {
  const Function& f = probe.f();
  if (!f.prox) return;
  for (int k = 0; k < kPoints; ++k) {
    const Step step(probe, random, -6.0, 6.0);
    const double value = f.value(step.p);
    check.holds(std::isfinite(value), [&] { return "f(prox) is not finite, " + step.text(f); });
    for (int j = 0; j < 8; ++j) {
      const double size = random.log_uniform(-8.0, 1.0) * (1e-3 + norm(step.p));
      const Vector x =
          j == 0 ? probe.point(random) : combine(step.p, size, random.direction(f.dim));
      const Vector move = difference(x, step.p);
      const double there = f.value(x);
      if (std::isinf(there)) continue;
      const double noise = probe.value_noise(x) + probe.value_noise(step.p) +
                           step.point_noise * norm(step.u) + step.dual_noise * norm(move);
      const double slope = dot(step.u, move);
      // The objective at x minus that at p is  f(x) - f(p) - <u, x - p> + |x - p|^2 / (2t); where f
      // is convex it is at least the last term.
      const double allowed = f.convex() ? 0.0 : dot(move, move) / (2.0 * step.t);
      check.at_most(value + slope, there + allowed, noise + kRounding * std::abs(slope), [&] {
        return fmt::format("x = {} beats the prox, {}", text(x), step.text(f));
      });
    }
  }
}

void check_moreau(Check& check, const Probe& probe, Random& random) {
  const Function& f = probe.f();
  if (!f.prox || !f.conjugate || !f.convex()) return;
  for (int k = 0; k < kPoints; ++k) {
    const Step step(probe, random, -3.0, 3.0);
    // Rounding may leave the domain by a little; that much is taken back.
    const Vector u = f.make_feasible ? f.make_feasible(step.u) : step.u;
    const double moved = norm(difference(u, step.u));
    check.at_most(moved, 0.0, step.dual_noise + 1e-13 * norm(u), [&] {
      return fmt::format("(s - prox)/t = {} lies outside dom f*, {}", text(step.u), step.text(f));
    });
    const double value = f.value(step.p);
    const double conjugate = f.conjugate(u);
    const double product = dot(step.p, u);
    const double slack = 1e-11 * magnitude(value, conjugate, product) + probe.value_noise(step.p) +
                         step.point_noise * norm(u) + step.dual_noise * norm(step.p);
    check.equal(value + conjugate, product, slack, [&] {
      return fmt::format("f(p) + f*(u) and <p, u> with u = (s - p)/t, {}", step.text(f));
    });
  }
}

void check_dual_domain(Check& check, const Probe& probe, Random& random) {
  const Function& f = probe.f();
  if (!f.conjugate) return;
  for (int k = 0; k < kPoints; ++k) {
    const Vector u = probe.dual(random);
    const bool feasible = std::isfinite(f.conjugate(u));
    const auto where = [&](const char* what) {
      return fmt::format("{}, {} at u = {}", f.label, what, text(u));
    };
    if (!f.make_feasible) {
      check.holds(feasible, [&] { return where("f* is infinite, though no projection is given"); });
      continue;
    }
    const Vector inside = f.make_feasible(u);
    const double tolerance = 1e-13 * (norm(u) + norm(inside));  // 0 may lie outside the domain
    check.holds(std::isfinite(f.conjugate(inside)),
                [&] { return where("f* is infinite at the projection") + " -> " + text(inside); });
    check.at_most(norm(difference(f.make_feasible(inside), inside)), 0.0, tolerance,
                  [&] { return where("projecting twice moves on"); });
    if (feasible) {
      check.at_most(norm(difference(inside, u)), 0.0, tolerance,
                    [&] { return where("a point of the domain is moved"); });
    }
    if (!f.projects) continue;
    const Vector other = f.make_feasible(probe.dual(random));
    if (!std::isfinite(f.conjugate(other))) continue;
    check.at_most(norm(difference(inside, u)), norm(difference(other, u)), tolerance, [&] {
      return where("the projection is farther than another point of the domain") + ", " +
             text(other);
    });
  }
}

}  // namespace fenchel::verify
