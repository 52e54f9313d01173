// The hinge loss of the whole sample with a free bias,
//
//   φ(z; y) = min_b (1/n) Σᵢ max(0, 1 − yᵢ(zᵢ + b)),    yᵢ ∈ {−1, +1},  n rows, one block.
//
// Value. Example i bends at rᵢ = yᵢ − zᵢ: its term is max(0, yᵢ(rᵢ − b))/n. From left to right the
// slope in b begins at −n₊/n and rises by 1/n at every rᵢ, of either class, so the minimisers are
// the interval from the n₊-th to the next of the sorted r: a selection, O(n).
//
//   ∂φ ∋ u,  uᵢ = −yᵢ aᵢ/n with aᵢ = 1 where yᵢ(rᵢ − b) > 0, 0 where it is < 0, and between where
//     rᵢ = b, such that Σ u = 0.       1/√n-Lipschitz (‖u‖² ≤ n/n²), not smooth
//   φ*(u) = Σ yᵢuᵢ  for yᵢuᵢ ∈ [−1/n, 0] and Σ u = 0,  +∞ elsewhere
//   prox_{tφ}(s) = s − t u,  where u is the point of dom φ* nearest to (s − y)/t
//
// The nearest point to c: with [lᵢ, hᵢ] the interval of uᵢ, of length 1/n for both classes,
// uᵢ = hᵢ − fᵢ/n, fᵢ = clamp(n(θ − (cᵢ − hᵢ)), 0, 1), and θ solves Σ f = n₋: intervals of one
// length that begin at cᵢ − hᵢ, so one sort orders their ends too. O(n log n).
#include <fenchel/sdk.hpp>

#include <cmath>
#include <numeric>

namespace {
using namespace fenchel::sdk;

constexpr double kRounding = 1e-12;  // of the box, and of Σ u in units of n · (1/n)

// Σ clamp((θ − rᵢ)/width, 0, 1) over sorted r: 1 up to θ − width, 0 from θ on.
double covered(Block r, double theta, double width) {
  const auto begun = std::lower_bound(r.begin(), r.end(), theta);
  const auto full = std::upper_bound(r.begin(), begun, theta - width);
  auto sum = static_cast<double>(full - r.begin());
  for (auto begin = full; begin != begun; ++begin)
    sum += std::clamp((theta - *begin) / width, 0.0, 1.0);
  return sum;
}

// How many of the sorted r have covered(rᵢ + shift) ≤ count.
std::size_t reached(Block r, double shift, double width, double count) {
  std::size_t low = 0, high = r.size();
  while (low < high) {
    const std::size_t middle = low + (high - low) / 2;
    if (covered(r, r[middle] + shift, width) <= count)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

// The θ with covered(θ) = count, an integer from 1 to r.size() − 1. Sorts r.
double level(std::span<double> r, double width, double count) {
  std::sort(r.begin(), r.end());
  const std::size_t begun = reached(r, 0.0, width, count);
  const std::size_t full = std::min({reached(r, width, width, count), begun, r.size() - 1});
  // Flat: `full` intervals are covered and the next has not begun.
  if (full == begun) return 0.5 * ((r[full - 1] + width) + std::max(r[full], r[full - 1] + width));
  // full · width + Σ (θ − rᵢ) over the others = count · width, relative to the last of them
  const double base = r[begun - 1];
  double sum = (count - static_cast<double>(full)) * width;
  for (std::size_t i = full; i < begun; ++i) sum += r[i] - base;
  return base + sum / static_cast<double>(begun - full);
}

struct BiasedHinge {
  static constexpr Card card{
      .id = "biased-hinge",
      .summary =
          "min_b mean_i max(0, 1 - y_i (z_i + b)): the support vector machine with a bias "
          "that is not penalized",
      .citation = "Cortes and Vapnik, Support-vector networks, 1995"};

  explicit BiasedHinge(const Params& p) : n_(static_cast<double>(p.shape().scores)) {}
  LossFacts facts() const {
    return {.convex = true,
            .lipschitz = 1.0 / std::sqrt(n_),
            .smoothness = n_ > 1.0 ? absent : unknown,
            .strong_convexity = absent,
            .lower_bound = 0.0};
  }

  double value(Block z, Targets y, std::span<double> scratch) const {
    const double b = least_bias(z, y, scratch);
    double sum = 0.0;
    for (std::size_t i = 0; i < z.size(); ++i) sum += std::max(0.0, y[i] * ((y[i] - z[i]) - b));
    return sum / n_;
  }
  // The examples that bend at b share what balances the two classes evenly.
  void gradient(Block z, Targets y, std::span<double> out, std::span<double> scratch) const {
    const double b = least_bias(z, y, scratch);
    double balance = 0.0, tied_positive = 0.0, tied_negative = 0.0;
    for (std::size_t i = 0; i < z.size(); ++i) {
      const double side = y[i] * ((y[i] - z[i]) - b);
      if (side > 0.0) balance += y[i];
      if (side == 0.0) (y[i] > 0.0 ? tied_positive : tied_negative) += 1.0;
    }
    const double positive = balance < 0.0 ? -balance / tied_positive : 0.0;
    const double negative = balance > 0.0 ? balance / tied_negative : 0.0;
    for (std::size_t i = 0; i < z.size(); ++i) {
      const double side = y[i] * ((y[i] - z[i]) - b);
      const double a = side > 0.0 ? 1.0 : side < 0.0 ? 0.0 : y[i] > 0.0 ? positive : negative;
      out[i] = -y[i] * a / n_;
    }
  }
  double conjugate(Block u, Targets y) const {
    if (!in_domain(u, y)) return infinity;
    return std::inner_product(u.begin(), u.end(), y.begin(), 0.0);
  }
  // t u is the projection of s − y with boxes of width t/n. Inside a wide box s − t u = y + θ keeps
  // more digits.
  void prox(Block s, double t, Targets y, std::span<double> out, std::span<double> scratch) const {
    const double width = t / n_;
    for (std::size_t i = 0; i < s.size(); ++i) out[i] = s[i] - y[i];
    const double theta = cover(out, y, width, scratch);
    for (std::size_t i = 0; i < s.size(); ++i) {
      const double f = out[i];
      const bool inside = f > 0.0 && f < 1.0;
      out[i] = inside && width > 1.0 ? y[i] + theta : s[i] - width * (high_of(y[i]) - f);
    }
  }
  void project_dual(std::span<double> u, Targets y, std::span<double> scratch) const {
    if (in_domain(u, y)) return;
    cover(u, y, 1.0 / n_, scratch);
    for (std::size_t i = 0; i < u.size(); ++i) u[i] = (high_of(y[i]) - u[i]) / n_;
  }
  // The middle of the minimisers; with one class alone, the end that they have.
  double bias(Block z, Targets y, std::span<double> scratch) const {
    const double low = least_bias(z, y, scratch);
    const auto positives = z.size() - static_cast<std::size_t>(negatives(y));
    if (positives == 0 || positives == z.size()) return low;
    // The selection leaves what is not below the n₊-th behind it.
    const auto rest = scratch.begin() + static_cast<std::ptrdiff_t>(positives);
    return 0.5 *
           (low + *std::min_element(rest, scratch.begin() + static_cast<std::ptrdiff_t>(z.size())));
  }

 private:
  static double negatives(Targets y) {
    return static_cast<double>(std::count_if(y.begin(), y.end(), [](double t) { return t < 0.0; }));
  }
  // h in units of the width.
  static double high_of(double y) { return y > 0.0 ? 0.0 : 1.0; }

  // Turns c into f, and returns θ. One class alone leaves u = 0.
  static double cover(std::span<double> c, Targets y, double width, std::span<double> scratch) {
    const double count = negatives(y);
    if (count == 0.0 || count == static_cast<double>(c.size())) {
      std::fill(c.begin(), c.end(), count > 0.0 ? 1.0 : 0.0);
      return 0.0;
    }
    for (std::size_t i = 0; i < c.size(); ++i) c[i] -= width * high_of(y[i]);
    const std::span<double> sorted = scratch.first(c.size());
    std::copy(c.begin(), c.end(), sorted.begin());
    const double theta = level(sorted, width, count);
    for (double& f : c) f = std::clamp((theta - f) / width, 0.0, 1.0);
    balance(c, count);
    return theta;
  }

  // The n₊-th of the sorted r (the first where there is none); leaves r partly sorted in scratch.
  static double least_bias(Block z, Targets y, std::span<double> scratch) {
    const std::span<double> r = scratch.first(z.size());
    for (std::size_t i = 0; i < z.size(); ++i) r[i] = y[i] - z[i];
    const auto positives = z.size() - static_cast<std::size_t>(negatives(y));
    const auto at = static_cast<std::ptrdiff_t>(std::max<std::size_t>(positives, 1) - 1);
    std::nth_element(r.begin(), r.begin() + at, r.end());
    return r[static_cast<std::size_t>(at)];
  }

  // Takes what rounding left of Σ f − count back from the f inside (0, 1).
  static void balance(std::span<double> f, double count) {
    for (int round = 0; round < 2; ++round) {
      double sum = 0.0, inside = 0.0;
      for (const double x : f) {
        sum += x;
        if (x > 0.0 && x < 1.0) inside += 1.0;
      }
      if (inside == 0.0) return;
      const double share = (count - sum) / inside;
      for (double& x : f)
        if (x > 0.0 && x < 1.0) x = std::clamp(x + share, 0.0, 1.0);
    }
  }

  bool in_domain(Block u, Targets y) const {
    double sum = 0.0;
    for (std::size_t i = 0; i < u.size(); ++i) {
      const double a = -y[i] * u[i] * n_;
      if (!(a >= -kRounding && a <= 1.0 + kRounding)) return false;
      sum += u[i];
    }
    return std::abs(sum) <= kRounding;
  }

  double n_;
};
}  // namespace

FENCHEL_LOSS(BiasedHinge)
