// Declared facts: well formed, and consistent with each other.
#include "plugin/verify/checks.hpp"

#include <cmath>

namespace fenchel::verify {

namespace {

constexpr double kSame = 1e-12;

bool close(double a, double b) { return std::abs(a - b) <= kSame * (std::abs(a) + std::abs(b)); }

struct Bound {
  std::int32_t id;
  const char* name;
  bool positive;  // else it may be 0
};
constexpr Bound kBounds[] = {{FENCHEL_FACT_LIPSCHITZ, "lipschitz", false},
                             {FENCHEL_FACT_SMOOTHNESS, "smoothness", false},
                             {FENCHEL_FACT_STRONG_CONVEXITY, "strong convexity", true},
                             {FENCHEL_FACT_DUAL_RADIUS, "dual radius", false},
                             {FENCHEL_FACT_DOMAIN_RADIUS, "domain radius", false},
                             {FENCHEL_FACT_QUADRATIC, "quadratic", true}};

void check_forms(Check& check, const Function& f) {
  for (const Bound& bound : kBounds) {
    const fenchel_fact fact = f.fact(bound.id);
    const bool formed = fact.state >= FENCHEL_UNKNOWN && fact.state <= FENCHEL_ABSENT &&
                        fact.norm >= FENCHEL_NORM_L2 && fact.norm <= FENCHEL_NORM_LINF;
    check.holds(formed, [&] {
      return fmt::format("{}: state {} or norm {} unheard of", bound.name, fact.state, fact.norm);
    });
    if (fact.state != FENCHEL_KNOWN) continue;
    check.holds(
        std::isfinite(fact.value) && (bound.positive ? fact.value > 0.0 : fact.value >= 0.0),
        [&] { return fmt::format("{} is declared as {}", bound.name, fact.value); });
  }
  const fenchel_fact lower = f.fact(FENCHEL_FACT_LOWER_BOUND);
  check.holds(lower.state != FENCHEL_KNOWN || std::isfinite(lower.value),
              [&] { return fmt::format("lower bound is declared as {}", lower.value); });
}

void check_implications(Check& check, const Function& f) {
  const fenchel_fact lipschitz = f.fact(FENCHEL_FACT_LIPSCHITZ);
  const fenchel_fact smoothness = f.fact(FENCHEL_FACT_SMOOTHNESS);
  const fenchel_fact strong = f.fact(FENCHEL_FACT_STRONG_CONVEXITY);
  const fenchel_fact quadratic = f.fact(FENCHEL_FACT_QUADRATIC);
  const fenchel_fact radius = f.fact(FENCHEL_FACT_DUAL_RADIUS);

  if (strong.state == FENCHEL_KNOWN) {
    check.holds(f.convex(), [] { return "strongly convex, but not declared convex"; });
    check.holds(lipschitz.state != FENCHEL_KNOWN || f.known(FENCHEL_FACT_DOMAIN_RADIUS),
                [] { return "strongly convex on all of space, yet declared Lipschitz"; });
    if (smoothness.state == FENCHEL_KNOWN && smoothness.norm == strong.norm)
      check.at_most(strong.value, smoothness.value, kSame * smoothness.value,
                    [] { return "strong convexity above smoothness"; });
  }
  if (quadratic.state == FENCHEL_KNOWN) {
    for (const fenchel_fact& fact : {smoothness, strong}) {
      check.holds(fact.state == FENCHEL_KNOWN && close(fact.value, quadratic.value), [] {
        return "quadratic, but smoothness or strong convexity is not that number";
      });
    }
  }
  // f is l-Lipschitz exactly if dom f* lies in the ball of radius l (of the dual norm).
  if (f.convex() && radius.state != FENCHEL_UNKNOWN && lipschitz.state != FENCHEL_UNKNOWN) {
    const bool same = radius.state == lipschitz.state &&
                      (radius.state == FENCHEL_ABSENT || close(radius.value, lipschitz.value));
    check.holds(same || f.dim > 1, [] { return "Lipschitz constant and dual radius differ"; });
  }
}

// dom f* reaches no farther than declared.
void check_dual_radius(Check& check, const Probe& probe, Random& random) {
  const Function& f = probe.f();
  const fenchel_fact radius = f.fact(FENCHEL_FACT_DUAL_RADIUS);
  if (radius.state != FENCHEL_KNOWN || !f.conjugate || f.dim > 1) return;
  for (int k = 0; k < 100; ++k) {
    const Vector u =
        scaled(random.direction(1), radius.value * (1.0 + random.log_uniform(-6.0, 2.0)) + 1e-300);
    check.holds(f.conjugate(u) == HUGE_VAL, [&] {
      return fmt::format("{}, f* is finite at {}, beyond the dual radius {:.9g}", f.label, text(u),
                         radius.value);
    });
  }
}

}  // namespace

void check_facts(Check& check, const Probe& probe, Random& random) {
  check_forms(check, probe.f());
  check_implications(check, probe.f());
  check_dual_radius(check, probe, random);
}

// f(w) = (q/2)|w|^2, its prox w / (1 + t q) and its gradient q w.
void check_quadratic(Check& check, const Probe& probe, Random& random) {
  const Function& f = probe.f();
  const fenchel_fact quadratic = f.fact(FENCHEL_FACT_QUADRATIC);
  if (quadratic.state != FENCHEL_KNOWN) return;
  const double q = quadratic.value;
  for (int k = 0; k < 100; ++k) {
    const Vector w = probe.point(random);
    const double expected = 0.5 * q * dot(w, w);
    const auto where = [&] { return fmt::format("value at {}", text(w)); };
    check.equal(f.value(w), expected, kSame * expected, where);
    if (f.prox) {
      const double t = random.log_uniform(-6.0, 6.0);
      const Vector miss = difference(f.prox(w, t), scaled(w, 1.0 / (1.0 + t * q)));
      check.at_most(norm(miss), 0.0, kSame * norm(w) / (1.0 + t * q),
                    [&] { return fmt::format("prox at {}, t = {:.9g}", text(w), t); });
    }
    if (f.gradient) {
      check.at_most(norm(difference(f.gradient(w), scaled(w, q))), 0.0, kSame * q * norm(w),
                    [&] { return fmt::format("gradient at {}", text(w)); });
    }
  }
}

}  // namespace fenchel::verify
