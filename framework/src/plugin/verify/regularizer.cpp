// A regularizer as functions of one and of several coordinates, and the checks that only it has.
#include "plugin/verify/coords.hpp"

#include <algorithm>
#include <cmath>

namespace fenchel {

namespace verify {
namespace {

Function function_of(const Coordinates& omega, std::size_t dim) {
  const fenchel_coords coords = coordinate_range(0, dim);
  Function f;
  f.dim = dim;
  f.label = fmt::format("{} coordinate{}", dim, dim == 1 ? "" : "s");
  f.fact = [&part = omega.part()](std::int32_t id) { return declared_fact(part, id); };
  f.value = [&omega, coords](const Vector& w) { return omega.value(coords, w); };
  if (omega.has_gradient())
    f.gradient = [&omega, coords](const Vector& w) { return omega.gradient(coords, w); };
  if (omega.has_conjugate())
    f.conjugate = [&omega, coords](const Vector& v) { return omega.conjugate(coords, v); };
  if (omega.has_prox())
    f.prox = [&omega, coords](const Vector& w, double t) { return omega.prox(coords, w, t); };
  if (omega.has_dual_scale()) {
    f.make_feasible = [&omega, coords](const Vector& v) {
      return scaled(v, omega.dual_scale(coords, v));
    };
  }
  return f;
}

// The conjugate gradient attains the supremum:  <v, g> - f(g) = f*(v).
void check_conjugate_gradient(Check& check, const Coordinates& omega, const Probe& probe,
                              Random& random) {
  const Function& f = probe.f();
  if (!omega.has_conjugate_gradient() || !omega.has_conjugate()) return;
  for (int k = 0; k < 200; ++k) {
    const Vector v = probe.dual(random);
    const double conjugate = f.conjugate(v);
    if (std::isinf(conjugate)) continue;
    const Vector g = omega.conjugate_gradient(coordinate_range(0, f.dim), v);
    const double value = f.value(g);
    const double product = dot(v, g);
    const double slack =
        1e-11 * (std::abs(conjugate) + std::abs(value) + std::abs(product)) + probe.value_noise(g);
    check.equal(product - value, conjugate, slack, [&] {
      return fmt::format("<v, g> - f(g) and f*(v) at v = {}, g = {}", text(v), text(g));
    });
  }
}

// s in [0, 1], s v in the domain, and no larger s would do.
void check_dual_scale(Check& check, const Coordinates& omega, const Probe& probe, Random& random) {
  const Function& f = probe.f();
  if (!omega.has_dual_scale() || !omega.has_conjugate()) return;
  for (int k = 0; k < 200; ++k) {
    const Vector v = probe.dual(random);
    const double s = omega.dual_scale(coordinate_range(0, f.dim), v);
    const auto where = [&](const char* what) {
      return fmt::format("{}: s = {:.17g} at v = {}", what, s, text(v));
    };
    check.holds(s >= 0.0 && s <= 1.0, [&] { return where("s outside [0, 1]"); });
    check.holds(std::isfinite(f.conjugate(scaled(v, s))),
                [&] { return where("f*(s v) is infinite"); });
    if (s >= 1.0) continue;
    const double larger = std::max(s * (1.0 + 1e-6), 1e-12);
    check.holds(std::isinf(f.conjugate(scaled(v, larger))),
                [&] { return where("a larger s is feasible too"); });
  }
}

// `out` may be the input array.
void check_in_place(Check& check, const Coordinates& omega, const Probe& probe, Random& random) {
  if (!omega.has_prox()) return;
  const fenchel_coords coords = coordinate_range(0, probe.f().dim);
  for (int k = 0; k < 50; ++k) {
    const Vector w = probe.point(random);
    const double t = random.log_uniform(-3.0, 3.0);
    check.holds(omega.prox(coords, w, t) == omega.prox_in_place(coords, w, t), [&] {
      return fmt::format("the prox differs when written over its input, w = {}, t = {:.9g}",
                         text(w), t);
    });
  }
}

struct Named {
  const char* name;
  void (*body)(Check&, const Coordinates&, const Probe&, Random&);
};
constexpr Named kOwnChecks[] = {{"conjugate-gradient", check_conjugate_gradient},
                                {"dual-scale", check_dual_scale},
                                {"in-place", check_in_place},
                                {"subsets", check_subsets},
                                {"mirror-step", check_mirror_step}};

}  // namespace
}  // namespace verify

std::vector<Finding> verify_regularizer(const RegularizerPart& regularizer,
                                        const fenchel_shape& shape, std::uint64_t seed) {
  using namespace verify;
  const Coordinates omega(regularizer);
  const bool separable = declared_fact(regularizer, FENCHEL_FACT_SEPARABLE).state == FENCHEL_KNOWN;
  const auto all = static_cast<std::size_t>(std::max<std::int64_t>(1, shape.parameters));
  constexpr std::size_t kSome = 5;
  // One coordinate shows the constants sharply, several show that they hold together.
  std::vector<std::size_t> dims{separable ? std::min(all, kSome) : all};
  if (separable && all > 1) dims.push_back(1);

  std::vector<Probe> probes;
  const Finding calls = run_check("calls", [&](Check& check) {
    for (const std::size_t dim : dims) {
      probes.emplace_back(function_of(omega, dim), seed);
      check.holds(true, [] { return ""; });
    }
  });
  if (!calls.passed) return {calls};

  std::vector<Finding> findings = run_checks(probes, seed);
  Random random(seed);
  for (const Named& named : kOwnChecks) {
    findings.push_back(run_check(named.name, [&](Check& check) {
      for (const Probe& probe : probes) named.body(check, omega, probe, random);
    }));
  }
  return findings;
}

}  // namespace fenchel
