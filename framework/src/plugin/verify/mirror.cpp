// The mirror step  x = argmin <p, x> + c d(x) + a Omega(x),  d(x) = sum x_i log(N x_i). For convex
// Omega that is so exactly if, at every y of the domain,
//
//   a (Omega(y) - Omega(x)) + <p + c grad d(x), y - x> >= 0,      grad d(x)_i = 1 + log(N x_i).
#include "plugin/verify/coords.hpp"

#include <cmath>

namespace fenchel::verify {

namespace {

constexpr int kSteps = 200;
constexpr int kOthers = 8;

struct MirrorStep {
  Vector p, x;
  double c = 1.0, a = 1.0;

  std::string text() const {
    return fmt::format("p = {}, c = {:.9g}, a = {:.9g}, x = {}", verify::text(p), c, a,
                       verify::text(x));
  }
};

const fenchel_mirror_oracle* mirror_of(const RegularizerPart& part) {
  const auto oracle = FENCHEL_MEMBER(part.table, oracle);
  return oracle ? static_cast<const fenchel_mirror_oracle*>(oracle("mirror-step", 1)) : nullptr;
}

// c and a of one size, either of them 0 now and then, and p small enough that no share underflows.
MirrorStep drawn(std::size_t dim, Random& random) {
  MirrorStep step;
  step.c = random.chance(0.2) ? 0.0 : random.log_uniform(-1.0, 1.0);
  step.a = step.c > 0.0 && random.chance(0.2) ? 0.0 : random.log_uniform(-1.0, 1.0);
  step.p = scaled(random.direction(dim), (step.c + step.a) * random.log_uniform(-3.0, 1.0));
  step.x.resize(dim);
  return step;
}

// The left side of the condition, and the size of its terms.
struct Rise {
  double value = 0.0, terms = 0.0;

  Rise(const MirrorStep& step, const Function& f, const Vector& y) {
    const double here = f.value(step.x), there = f.value(y);
    value = step.a > 0.0 ? step.a * (there - here) : 0.0;
    terms = step.a * (std::abs(there) + std::abs(here));
    const auto n = static_cast<double>(y.size());
    for (std::size_t i = 0; i < y.size(); ++i) {
      const double slope =
          step.p[i] +
          (step.c > 0.0 && step.x[i] > 0.0 ? step.c * (1.0 + std::log(n * step.x[i])) : 0.0);
      value += slope * (y[i] - step.x[i]);
      terms +=
          (std::abs(slope) + std::abs(step.p[i]) + step.c) * (std::abs(y[i]) + std::abs(step.x[i]));
    }
  }
};

}  // namespace

void check_mirror_step(Check& check, const Coordinates& omega, const Probe& probe, Random& random) {
  const Function& f = probe.f();
  const RegularizerPart& part = omega.part();
  const fenchel_mirror_oracle* mirror = mirror_of(part);
  if (!mirror || !f.convex()) return;
  check.holds(mirror->struct_size >= sizeof(fenchel_mirror_oracle) &&
                  mirror->distance == FENCHEL_DISTANCE_ENTROPY,
              [&] { return fmt::format("distance {} unheard of", mirror->distance); });
  for (int k = 0; k < kSteps; ++k) {
    MirrorStep step = drawn(f.dim, random);
    if (mirror->step(part.self, static_cast<std::int64_t>(f.dim), step.p.data(), step.c, step.a,
                     step.x.data()) != FENCHEL_OK)
      throw CallFailed("a mirror step failed: " + explain_failure(part.explain));
    check.holds(std::isfinite(f.value(step.x)),
                [&] { return "f is not finite at the mirror step, " + step.text(); });
    for (int j = 0; j < kOthers; ++j) {
      const Vector y = probe.point(random);
      const Rise rise(step, f, y);
      check.at_most(0.0, rise.value, 1e-12 * rise.terms + step.a * probe.value_noise(y), [&] {
        return fmt::format("y = {} is better than the mirror step, {}", text(y), step.text());
      });
    }
  }
}

}  // namespace fenchel::verify
