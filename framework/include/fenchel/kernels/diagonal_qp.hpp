// The diagonal quadratic program with a box and one linear equality
//
//   minimise ½ Σ dᵢ (xᵢ − mᵢ)²   subject to   lᵢ ≤ xᵢ ≤ uᵢ,   Σ σᵢ xᵢ = z,        dᵢ > 0,
//
// in O(n) (AGM paper, section 5.5.1, algorithm 8; d here is its d²). With a multiplier λ
//
//   xᵢ(λ) = clamp(mᵢ + λ σᵢ/dᵢ, lᵢ, uᵢ),     f(λ) = Σ σᵢ xᵢ(λ) − z  never falls,
//
// so its root is sought among the kinks by halving: the median of those left is a selection, and a
// term whose kinks are all decided is summed up once. Bounds may be infinite or equal, σ of either
// sign or 0; kinks may coincide.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <span>
#include <vector>

namespace fenchel::kernels {

// Memory that only grows: kept between calls, a call allocates nothing.
struct QpWorkspace {
  // σx(λ) = offset + slope · clamp(λ, low, high)
  struct Term {
    double offset, slope, low, high;
  };
  std::vector<Term> terms;
  std::vector<double> kinks;
};

// The data of a program, entry by entry. Anything with these members will do in its place.
struct DiagonalQp {
  std::span<const double> weights, centers, lowers, uppers, sigmas;

  std::size_t size() const { return weights.size(); }
  double weight(std::size_t i) const { return weights[i]; }
  double center(std::size_t i) const { return centers[i]; }
  double lower(std::size_t i) const { return lowers[i]; }
  double upper(std::size_t i) const { return uppers[i]; }
  double sigma(std::size_t i) const { return sigmas[i]; }
};

namespace detail {

// A sum with its rounding errors (Knuth), so that a million terms lose no digits.
class CompensatedSum {
 public:
  void add(double x) {
    const double next = sum_ + x, taken = next - sum_;
    error_ += (sum_ - (next - taken)) + (x - taken);
    sum_ = next;
  }
  double value() const { return sum_ + error_; }

 private:
  double sum_ = 0.0, error_ = 0.0;
};

inline constexpr double kInfinite = std::numeric_limits<double>::infinity();

// The search for the root of f(λ) = settled + slope λ + Σ terms: `low` ≤ root ≤ `high`.
class KinkSearch {
 public:
  KinkSearch(QpWorkspace& work, double z) : work_(work), settled_(-z) {
    work_.terms.clear();
    work_.kinks.clear();
  }

  void add(const QpWorkspace::Term& term) {
    if (term.low == -kInfinite && term.high == kInfinite) {
      settled_ += term.offset;
      slope_ += term.slope;
    } else {
      work_.terms.push_back(term);
    }
  }
  void run() {
    for (double middle = 0.0; median_of_kinks(middle);) {
      const double f = value(middle);
      if (f == 0.0) {
        low_ = high_ = middle;
        return;
      }
      (f > 0.0 ? high_ : low_) = middle;
      settle();
    }
  }
  // In [low, high] f is linear; a λ there as near to its root as rounding allows.
  double root() const {
    const double guess = slope_ > 0.0 ? -settled_ / slope_ : 0.0;
    return std::min(std::max(guess, low_), high_);
  }

 private:
  bool median_of_kinks(double& middle) {
    std::vector<double>& kinks = work_.kinks;
    kinks.clear();
    for (const auto& t : work_.terms) {
      if (t.low > low_ && t.low < high_) kinks.push_back(t.low);
      if (t.high > low_ && t.high < high_) kinks.push_back(t.high);
    }
    if (kinks.empty()) return false;
    const auto half = kinks.begin() + static_cast<std::ptrdiff_t>(kinks.size() / 2);
    std::nth_element(kinks.begin(), half, kinks.end());
    middle = *half;
    return true;
  }
  double value(double lambda) const {
    CompensatedSum sum;
    sum.add(settled_);
    sum.add(slope_ * lambda);
    for (const auto& t : work_.terms)
      sum.add(t.offset + t.slope * std::clamp(lambda, t.low, t.high));
    return sum.value();
  }
  // Terms without a kink inside (low, high) are linear there for good. A term that is left has one,
  // so that their number halves with that of the kinks.
  void settle() {
    std::erase_if(work_.terms, [this](const QpWorkspace::Term& t) {
      if (t.high <= low_) {
        settled_ += t.offset + t.slope * t.high;
      } else if (t.low >= high_) {
        settled_ += t.offset + t.slope * t.low;
      } else if (t.low <= low_ && t.high >= high_) {
        settled_ += t.offset;
        slope_ += t.slope;
      } else {
        return false;
      }
      return true;
    });
  }

  QpWorkspace& work_;
  double settled_ = 0.0, slope_ = 0.0;
  double low_ = -kInfinite, high_ = kInfinite;
};

// x(λ + δ), kept apart since δ may be far below the last digit of λ.
template <class Program>
double qp_entry(const Program& qp, std::size_t i, double lambda, double delta) {
  const double ratio = qp.sigma(i) / qp.weight(i);
  return std::clamp((qp.center(i) + lambda * ratio) + delta * ratio, qp.lower(i), qp.upper(i));
}

// Newton's steps on the equality, from a λ that is right up to rounding: Σ σx = z to the last
// digits, however large λ is.
template <class Program>
double qp_correction(const Program& qp, double z, double lambda) {
  double delta = 0.0;
  for (int round = 0; round < 2; ++round) {
    CompensatedSum residual;
    residual.add(z);
    double slope = 0.0;
    for (std::size_t i = 0; i < qp.size(); ++i) {
      const double x = qp_entry(qp, i, lambda, delta);
      residual.add(-qp.sigma(i) * x);
      if (x > qp.lower(i) && x < qp.upper(i)) slope += qp.sigma(i) * qp.sigma(i) / qp.weight(i);
    }
    if (!(slope > 0.0) || residual.value() == 0.0) break;
    delta += residual.value() / slope;
  }
  return delta;
}

}  // namespace detail

// Writes the solution to `out`, which may be the array of centers. False, with `out` as it was:
// there is none, since a box is empty or z is out of reach by more than rounding.
template <class Program>
bool solve_diagonal_qp(const Program& qp, double z, QpWorkspace& work, std::span<double> out) {
  constexpr double kRounding = 1e-14;
  detail::KinkSearch search(work, z);
  detail::CompensatedSum least, most;
  double size = std::abs(z);
  for (std::size_t i = 0; i < qp.size(); ++i) {
    const double l = qp.lower(i), u = qp.upper(i), sigma = qp.sigma(i);
    if (!(l <= u)) return false;
    if (sigma == 0.0) continue;
    const double below = sigma > 0.0 ? l : u, above = sigma > 0.0 ? u : l;
    least.add(std::isinf(below) ? -detail::kInfinite : sigma * below);
    most.add(std::isinf(above) ? detail::kInfinite : sigma * above);
    for (const double end : {l, u})
      if (std::isfinite(end)) size = std::max(size, std::abs(sigma * end));
    const double ratio = sigma / qp.weight(i);
    search.add({sigma * qp.center(i), sigma * ratio, (below - qp.center(i)) / ratio,
                (above - qp.center(i)) / ratio});
  }
  const double slack = kRounding * size * static_cast<double>(qp.size() + 1);
  // An infinite end makes its compensated sum infinite or not a number; neither refuses.
  if (least.value() > z + slack || most.value() < z - slack) return false;
  search.run();
  const double lambda = search.root();
  const double delta = detail::qp_correction(qp, z, lambda);
  for (std::size_t i = 0; i < qp.size(); ++i) out[i] = detail::qp_entry(qp, i, lambda, delta);
  return true;
}

}  // namespace fenchel::kernels
