// The conjugate against its definition  f*(u) = sup_z <u, z> - f(z),  found by search.
#include "plugin/verify/checks.hpp"

#include <cmath>
#include <limits>

namespace fenchel::verify {

namespace {

constexpr double kFar = 1e13;  // a supremum still rising here is infinite

// What the search found: a lower bound of the supremum, the size of the terms it is the difference
// of, and whether it still rose at the end.
struct Supremum {
  double value = -HUGE_VAL;
  double terms = 0.0;
  bool unbounded = false;
};

// <u, z> - f(z), less what rounding may have added: never above the true value, and so never
// mistaking noise on a plateau for a rise.
class Objective {
 public:
  Objective(const Function& f, const Vector& u) : f_(f), u_(u) {}

  double operator()(const Vector& z) {
    const double product = dot(u_, z);
    const double value = f_.value(z);
    const double terms = std::abs(product) + std::abs(value);
    const double bound = std::isfinite(value) ? product - value - kRounding * terms : -HUGE_VAL;
    if (bound > best_.value) {
      best_ = {bound, terms, false};
      argument_ = z;
    }
    return bound;
  }
  const Supremum& best() const { return best_; }
  const Vector& argument() const { return argument_; }

 private:
  const Function& f_;
  const Vector& u_;
  Supremum best_;
  Vector argument_;
};

// How far to go from `start` until the concave q falls; +infinity if it rises to the end.
double reach(Objective& q, double start, double sign) {
  double before = q({start});
  bool rising = false;
  for (double step = 1e-6 * (1.0 + std::abs(start)); step < kFar; step *= 4.0) {
    const double here = q({start + sign * step});
    if (here < before) return step;
    rising = here > before;
    before = here;
  }
  return rising ? HUGE_VAL : kFar;
}

// One dimension, from values alone: widen until both sides fall, then golden section.
Supremum search_line(Objective& q) {
  const double start = q.argument()[0];
  const double left = reach(q, start, -1.0);
  const double right = reach(q, start, 1.0);
  if (std::isinf(left) || std::isinf(right)) {
    Supremum result = q.best();
    result.unbounded = true;
    return result;
  }
  constexpr double kGolden = 0.6180339887498949;
  double low = start - left;
  double high = start + right;
  for (int k = 0; k < 120 && high - low > 1e-16 * (std::abs(low) + std::abs(high)); ++k) {
    const double width = high - low;
    const double a = high - kGolden * width;
    const double b = low + kGolden * width;
    const double left_value = q({a}), right_value = q({b});
    if (left_value == -HUGE_VAL && right_value == -HUGE_VAL) {
      // Both outside the domain, which is an interval around the start.
      if (a < start) low = a;
      if (b > start) high = b;
    } else if (left_value >= right_value) {
      high = b;
    } else {
      low = a;
    }
  }
  return q.best();
}

// Several dimensions: the proximal point method  z <- prox_t(z + t u)  with growing t.
Supremum search_prox(const Function& f, const Vector& u, Objective& q) {
  Vector z = q.argument();
  double before = q.best().value;
  double last = before;
  for (double t = 1.0; t < kFar; t *= 8.0) {
    z = f.prox(combine(z, t, u), t);
    before = last;
    last = q(z);
  }
  Supremum result = q.best();
  result.unbounded = last - before > 0.5 * std::abs(last) && last > 1.0;
  return result;
}

// So near to dom f* that the proximal search, which rises with the square of the distance, cannot
// tell that it is outside.
bool beside_domain(const Function& f, const Vector& u) {
  constexpr double kNear = 1e-5;
  if (f.dim == 1 || !f.make_feasible) return false;
  const double distance = norm(difference(f.make_feasible(u), u));
  return distance > 0.0 && distance < kNear;
}

}  // namespace

void check_conjugate(Check& check, const Probe& probe, Random& random) {
  const Function& f = probe.f();
  if (!f.conjugate || !f.convex()) return;
  if (f.dim > 1 && !f.prox) return check.note("several dimensions and no prox to search with");
  constexpr int kDuals = 100;
  for (int k = 0; k < kDuals; ++k) {
    const Vector u = k == 0 ? Vector(f.dim, 0.0) : probe.dual(random);
    Objective q(f, u);
    for (int j = 0; j < 10; ++j) q(probe.point(random));
    const Supremum found = f.dim == 1 ? search_line(q) : search_prox(f, u, q);
    const double declared = f.conjugate(u);
    if (std::isinf(declared) && !found.unbounded && beside_domain(f, u)) continue;
    const auto where = [&] {
      return fmt::format("{}, f*(u) and the supremum found at u = {}", f.label, text(u));
    };
    if (std::isinf(declared) || found.unbounded) {
      check.equal(declared, found.unbounded ? HUGE_VAL : found.value, 0.0, where);
    } else {
      // In several dimensions the search may end a little below a supremum that is far away; above
      // it, never.
      const double rounding = 1e-9 * (found.terms + std::abs(declared));
      check.equal(declared, found.value, rounding + (f.dim == 1 ? 1e-12 : 1e-6), where);
      check.at_most(found.value, declared, rounding + 1e-12, where);
    }
  }
}

}  // namespace fenchel::verify
