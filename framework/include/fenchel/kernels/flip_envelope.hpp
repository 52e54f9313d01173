// Bounds on the logarithm of an elementary symmetric sum, for all orders k at once:
//
//   V(k) = Σ over sets of k examples of Π exp(rate · gain),   relative to the first k₀ examples,
//
// where the gains are sorted downwards. For a threshold t let Xᵢ be independent with odds
// exp(rate (gainᵢ − t)), N = Σ Xᵢ. Then log V(k) = H(t) + rate t (k − k₀) + log P_t(N = k), with
//
//   H(t) = Σ_{i ≤ k₀} log(1 + exp(−xᵢ)) + Σ_{i > k₀} log(1 + exp(xᵢ)),   xᵢ = rate (gainᵢ − t).
//
// So every t gives a line above log V. The least of all lines, U(k), is concave and touches the
// line of t at the mean of N: known tangents bound it from above, chords between the points they
// touch from below (the sandwich method; a new tangent takes the slope of the chord). And V is near
// U: at the threshold with mean k, whole, k is the mode (Darroch 1964), and no variable on the
// integers has a mode less probable than 1/√(1 + 12 σ²), so
//
//   U(k) − ½ log(1 + 3n) ≤ log V(k) ≤ U(k)          (σ² ≤ n/4).
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <span>
#include <vector>

namespace fenchel::kernels {

// One class of examples: their sorted gains, and how many of them the reference flips.
struct FlipClass {
  std::span<const double> gains;
  std::size_t flipped = 0;
};

class FlipEnvelope {
 public:
  // A line above U, and where it touches. The ends k = 0 and k = n have a value and no line.
  struct Tangent {
    double threshold, constant;  // t, H(t)
    double count, value;
    bool line;
    bool settled;  // nothing more to find between this one and the next
  };

  void start(const FlipClass& flips, double rate) {
    flips_ = flips;
    rate_ = rate;
    sums_.assign(1, 0.0);
    for (const double gain : flips.gains) sums_.push_back(sums_.back() + gain);
    const double before = sums_[flips.flipped], after = sums_.back() - before;
    const auto n = static_cast<double>(size());
    tangents_.clear();
    tangents_.push_back({0.0, 0.0, 0.0, -rate * before, false, false});
    if (size() > 0) {
      tangents_.push_back({0.0, 0.0, n, rate * after, false, false});
      insert(0, reference_threshold());
    }
    upper_.resize(size() + 1);
    lower_.resize(size() + 1);
    fill();
  }

  std::size_t size() const { return flips_.gains.size(); }
  double rate() const { return rate_; }
  const FlipClass& flips() const { return flips_; }
  std::span<const double> upper() const { return upper_; }
  std::span<const double> lower() const { return lower_; }
  std::span<const Tangent> tangents() const { return tangents_; }
  double slack() const { return 0.5 * std::log1p(3.0 * static_cast<double>(size())); }
  double line(const Tangent& tangent, double k) const {
    return tangent.constant + rate_ * tangent.threshold * (k - static_cast<double>(flips_.flipped));
  }

  // New tangents wherever the bounds are more than `apart` from each other at a k that counts.
  // False: there is no such place.
  template <class Counts>
  bool refine(double apart, Counts counts) {
    bool any = false;
    for (std::size_t j = 0; j + 1 < tangents_.size() && tangents_.size() < kMost; ++j) {
      if (tangents_[j].settled || !wide(j, apart, counts)) continue;
      const Tangent &a = tangents_[j], &b = tangents_[j + 1];
      if (insert(j, (b.value - a.value) / (b.count - a.count) / rate_)) {
        ++j;
        any = true;
      } else {
        tangents_[j].settled = true;
      }
    }
    if (any) fill();
    return any;
  }

 private:
  static constexpr std::size_t kMost = 1000;

  double reference_threshold() const {
    const std::size_t k = flips_.flipped;
    if (k == 0) return flips_.gains.front();
    if (k == size()) return flips_.gains.back();
    return 0.5 * (flips_.gains[k - 1] + flips_.gains[k]);
  }

  template <class Counts>
  bool wide(std::size_t j, double apart, Counts counts) const {
    const auto begin = static_cast<std::size_t>(std::floor(tangents_[j].count)) + 1;
    const auto end = static_cast<std::size_t>(std::ceil(tangents_[j + 1].count));
    for (std::size_t k = begin; k < end; ++k)
      if (upper_[k] - lower_[k] > apart && counts(k)) return true;
    return false;
  }

  // Behind tangent j, if it touches strictly between j and the next.
  bool insert(std::size_t j, double threshold) {
    const Tangent made = tangent_at(threshold);
    if (!(made.count > tangents_[j].count && made.count < tangents_[j + 1].count)) return false;
    tangents_.insert(tangents_.begin() + static_cast<std::ptrdiff_t>(j) + 1, made);
    return true;
  }

  // Σ gain − t over the examples begin … end − 1, times rate.
  double excess(std::size_t begin, std::size_t end, double threshold) const {
    return rate_ * ((sums_[end] - sums_[begin]) - static_cast<double>(end - begin) * threshold);
  }

  Tangent tangent_at(double threshold) const {
    const auto& gains = flips_.gains;
    const auto place = [&](double gain) {
      return static_cast<std::size_t>(
          std::lower_bound(gains.begin(), gains.end(), gain, std::greater<>()) - gains.begin());
    };
    constexpr double kSure = 40.0;  // exp(−40) is below the last digit
    const std::size_t above = place(threshold), sure = place(threshold + kSure / rate_),
                      never = place(threshold - kSure / rate_), k = flips_.flipped;
    Tangent made{threshold, 0.0, static_cast<double>(sure), 0.0, true, false};
    made.constant = above > k ? excess(k, above, threshold) : -excess(above, k, threshold);
    double product = 1.0;
    for (std::size_t i = sure; i < never; ++i) {
      const double e = std::exp(-rate_ * std::abs(gains[i] - threshold));
      made.count += (i < above ? 1.0 : e) / (1.0 + e);
      product *= 1.0 + e;
      if (product > 1e280) {
        made.constant += std::log(product);
        product = 1.0;
      }
    }
    made.constant += std::log(product);
    made.value = line(made, made.count);
    return made;
  }

  void fill() {
    for (std::size_t j = 0; j + 1 < tangents_.size(); ++j) {
      const Tangent &a = tangents_[j], &b = tangents_[j + 1];
      const double slope = (b.value - a.value) / (b.count - a.count);
      const auto begin = static_cast<std::size_t>(std::ceil(a.count));
      const auto end = static_cast<std::size_t>(std::ceil(b.count));
      for (std::size_t k = begin; k < end; ++k) {
        const auto number = static_cast<double>(k);
        lower_[k] = a.value + slope * (number - a.count);
        upper_[k] =
            std::min(a.line ? line(a, number) : HUGE_VAL, b.line ? line(b, number) : HUGE_VAL);
        upper_[k] = std::max(upper_[k], lower_[k]);
      }
    }
    lower_[0] = upper_[0] = tangents_.front().value;
    lower_[size()] = upper_[size()] = tangents_.back().value;
  }

  FlipClass flips_;
  double rate_ = 1.0;
  std::vector<double> sums_, upper_, lower_;
  std::vector<Tangent> tangents_;
};

}  // namespace fenchel::kernels
