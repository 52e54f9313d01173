// Declared constants against the worst pair of points that a search finds. Every ratio is rounded
// to the side of the plugin, so noise cannot convict it; a constant that is a few per cent too good
// is found because the search closes in on the steepest place.
#include "plugin/verify/checks.hpp"

#include <cmath>

namespace fenchel::verify {

namespace {

struct Pair {
  Vector a, b;
  Vector move() const { return difference(a, b); }
};

// The larger, the worse for the claim; -infinity where the pair says nothing.
using Score = std::function<double(const Pair&)>;

struct Worst {
  Pair pair;
  double score = -HUGE_VAL;

  bool offer(const Pair& candidate, const Score& score_of) {
    const double found = score_of(candidate);
    if (!(found > score)) return false;
    pair = candidate;
    score = found;
    return true;
  }
};

// Where a search looks: pairs at least `gap` apart, points of size up to 10^exponent.
struct Reach {
  double gap = 0.0;
  double exponent = 6.0;
};
constexpr Reach kNear{.gap = 1e-2, .exponent = 2.0};
constexpr Reach kWide{.gap = 0.0, .exponent = 9.0};

// The halves and the middle half of a segment: a ratio of slopes is a mean of theirs, so one of
// them is at least as bad.
void close_in(Worst& worst, const Score& score) {
  for (int depth = 0; depth < 60; ++depth) {
    const auto [a, b] = worst.pair;
    const Vector middle = midpoint(a, b);
    bool better = worst.offer({a, middle}, score);
    better = worst.offer({middle, b}, score) || better;
    better = worst.offer({midpoint(a, middle), midpoint(middle, b)}, score) || better;
    if (!better) return;
  }
}

void climb(Worst& worst, const Score& score, Random& random) {
  for (int step = 0; step < 30; ++step) {
    const auto [a, b] = worst.pair;
    const double length = norm(difference(a, b));
    const double size = length * random.log_uniform(-2.0, 1.0);
    const Vector shift = scaled(random.direction(a.size()), size);
    switch (step % 3) {
      case 0: worst.offer({combine(a, 1.0, shift), b}, score); break;
      case 1: worst.offer({combine(a, 1.0, shift), combine(b, 1.0, shift)}, score); break;
      default: {
        const double factor = random.log_uniform(-1.0, 1.0);
        worst.offer({scaled(a, factor), scaled(b, factor)}, score);
      }
    }
  }
}

Worst search(const Probe& probe, Random& random, const Score& score, Reach reach = {}) {
  constexpr int kStarts = 80;
  const double limit = std::pow(10.0, reach.exponent);
  const Score within = [&](const Pair& pair) {
    const double length = norm(pair.move());
    const bool inside = norm(pair.a) <= limit && norm(pair.b) <= limit;
    return length > 0.0 && length >= reach.gap && inside ? score(pair) : -HUGE_VAL;
  };
  Worst overall;
  for (int k = 0; k < kStarts; ++k) {
    const Vector a = probe.point(random, reach.exponent);
    const Vector b = k % 2 == 0 ? probe.point(random, reach.exponent)
                                : combine(a, random.log_uniform(-6.0, reach.exponent),
                                          random.direction(probe.f().dim));
    Worst local;
    if (!local.offer({a, b}, within)) continue;
    close_in(local, within);
    climb(local, within, random);
    close_in(local, within);
    overall.offer(local.pair, within);
  }
  return overall;
}

// f(a) + f(b) - 2 f((a + b)/2), and what rounding may do to it.
struct Bend {
  double value = 0.0;
  double noise = 0.0;

  Bend(const Probe& probe, const Pair& pair) {
    const Vector middle = midpoint(pair.a, pair.b);
    const Function& f = probe.f();
    value = f.value(pair.a) + f.value(pair.b) - 2.0 * f.value(middle);
    noise = probe.value_noise(pair.a) + probe.value_noise(pair.b) + 2.0 * probe.value_noise(middle);
  }
};

// |f(a) - f(b)| / |a - b|, and the dual norm of the gradient at a.
Score slope(const Probe& probe, std::int32_t which) {
  return [&probe, which](const Pair& pair) {
    const Function& f = probe.f();
    const double rise = std::abs(f.value(pair.a) - f.value(pair.b)) - probe.value_noise(pair.a) -
                        probe.value_noise(pair.b);
    double ratio = std::isfinite(rise) ? rise / norm(pair.move(), which) : -HUGE_VAL;
    if (f.gradient) {
      const double steepness = norm(f.gradient(pair.a), dual_norm(which));
      ratio = std::max(ratio, steepness * (1.0 - kRounding));
    }
    return ratio;
  };
}

// |g(a) - g(b)|* / |a - b|; without gradients 4 (f(a) + f(b) - 2 f(mean)) / |a - b|^2, which is no
// larger for a smooth convex f. `smoothness` tells how rounding of a point moves its gradient.
Score curvature(const Probe& probe, std::int32_t which, double smoothness) {
  return [&probe, which, smoothness](const Pair& pair) {
    const Function& f = probe.f();
    const double length = norm(pair.move(), which);
    if (!f.gradient) {
      const Bend bend(probe, pair);
      const double ratio = 4.0 * (std::abs(bend.value) - bend.noise) / (length * length);
      return std::isfinite(ratio) ? ratio : -HUGE_VAL;
    }
    const Vector left = f.gradient(pair.a);
    const Vector right = f.gradient(pair.b);
    const double noise = kRounding * (norm(left, dual_norm(which)) + norm(right, dual_norm(which)) +
                                      smoothness * (norm(pair.a, which) + norm(pair.b, which)));
    return (norm(difference(left, right), dual_norm(which)) - noise) / length;
  };
}

// -<g(a) - g(b), a - b> / |a - b|^2, or with values -4 (f(a) + f(b) - 2 f(mean)) / |a - b|^2.
Score flatness(const Probe& probe, std::int32_t which, double modulus) {
  return [&probe, which, modulus](const Pair& pair) {
    const Function& f = probe.f();
    const Vector move = pair.move();
    const double length = norm(move, which);
    if (!f.gradient) {
      const Bend bend(probe, pair);
      const double ratio = -4.0 * (bend.value + bend.noise) / (length * length);
      return std::isfinite(ratio) ? ratio : -HUGE_VAL;
    }
    const Vector left = f.gradient(pair.a);
    const Vector right = f.gradient(pair.b);
    const double noise = kRounding *
                         (norm(left) + norm(right) + modulus * (norm(pair.a) + norm(pair.b))) *
                         norm(move);
    return -(dot(difference(left, right), move) + noise) / (length * length);
  };
}

std::string between(const Probe& probe, const Worst& worst) {
  return fmt::format("{}, between {} and {}", probe.f().label, text(worst.pair.a),
                     text(worst.pair.b));
}

// A bound that is declared absent should grow where one looks closer and farther out.
void look_for_bound(Check& check, const Probe& probe, Random& random, const Score& score) {
  const double near = search(probe, random, score, kNear).score;
  const double wide = search(probe, random, score, kWide).score;
  check.note(wide > 2.0 * near
                 ? fmt::format("{}: declared absent, and the ratio grows from {:.3g} to {:.3g}",
                               probe.f().label, near, wide)
                 : fmt::format("{}: declared absent, but it looks bounded by {:.6g}",
                               probe.f().label, wide));
}

void note_seen(Check& check, const Probe& probe, double seen, double declared) {
  check.note(fmt::format("{}: seen {:.9g}, declared {:.9g}", probe.f().label, seen, declared));
}

}  // namespace

void check_lipschitz(Check& check, const Probe& probe, Random& random) {
  const fenchel_fact fact = probe.f().fact(FENCHEL_FACT_LIPSCHITZ);
  if (fact.state == FENCHEL_UNKNOWN) return;
  const Score score = slope(probe, fact.norm);
  if (fact.state == FENCHEL_ABSENT) return look_for_bound(check, probe, random, score);
  const Worst worst = search(probe, random, score);
  note_seen(check, probe, worst.score, fact.value);
  check.at_most(worst.score, fact.value, 1e-9 * fact.value,
                [&] { return "slope above the declared constant, " + between(probe, worst); });
}

void check_smoothness(Check& check, const Probe& probe, Random& random) {
  const fenchel_fact fact = probe.f().fact(FENCHEL_FACT_SMOOTHNESS);
  if (fact.state == FENCHEL_UNKNOWN) return;
  const Score score = curvature(probe, fact.norm, fact.value);
  if (fact.state == FENCHEL_ABSENT) return look_for_bound(check, probe, random, score);
  const Worst worst = search(probe, random, score);
  note_seen(check, probe, worst.score, fact.value);
  check.at_most(worst.score, fact.value, 1e-9 * fact.value,
                [&] { return "curvature above the declared constant, " + between(probe, worst); });
}

void check_strong_convexity(Check& check, const Probe& probe, Random& random) {
  const fenchel_fact fact = probe.f().fact(FENCHEL_FACT_STRONG_CONVEXITY);
  if (fact.state == FENCHEL_UNKNOWN) return;
  const Worst worst = search(probe, random, flatness(probe, fact.norm, fact.value));
  if (fact.state == FENCHEL_ABSENT) {
    const double steepest = search(probe, random, curvature(probe, fact.norm, 0.0)).score;
    const bool vanishes = -worst.score <= 1e-3 * steepest || steepest <= 0.0;
    return check.note(fmt::format("{}: declared absent, {} {:.3g}", probe.f().label,
                                  vanishes ? "and curvature falls to" : "but curvature is at least",
                                  std::max(0.0, -worst.score)));
  }
  note_seen(check, probe, -worst.score, fact.value);
  check.at_most(fact.value, -worst.score, 1e-9 * fact.value,
                [&] { return "declared constant above the curvature, " + between(probe, worst); });
}

}  // namespace fenchel::verify
