// The vertex that the loss f1 attains,
//
//   max over b, c   Δ(b, c) + κ (s₁ + … + s_b) + κ (r₁ + … + r_c),
//
// where s are the gains of flipping a positive example (−z) and r those of flipping a negative one
// (z), both sorted downwards: with b flips of the positives the best are the first b. For every b
// the best c maximises a concave sequence, whose steps κ r_{c+1} + Δ(b, c+1) − Δ(b, c) fall, and is
// found by halving: O(n₊ log n₋) after the sort.
#pragma once

#include <fenchel/kernels/f1_counts.hpp>

#include <algorithm>
#include <cstddef>
#include <functional>
#include <span>

namespace fenchel::kernels {

struct F1Vertex {
  double value = 0.0;
  std::size_t false_negatives = 0, false_positives = 0;
};

// sums[k] = x₁ + … + x_k; `sums` has one entry more than x.
inline void prefix_sums(std::span<const double> x, std::span<double> sums) {
  sums[0] = 0.0;
  for (std::size_t i = 0; i < x.size(); ++i) sums[i + 1] = sums[i] + x[i];
}

// How many of the sorted gains are taken beside b false negatives: the first c whose step is not
// positive.
inline std::size_t best_false_positives(const F1Counts& counts, double scale,
                                        std::span<const double> gains, double b) {
  std::size_t low = 0, high = gains.size();
  while (low < high) {
    const std::size_t middle = low + (high - low) / 2;
    if (counts.step(b, static_cast<double>(middle)) + scale * gains[middle] > 0.0)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

// `sums` holds gains_positive.size() + gains_negative.size() + 2 numbers.
inline F1Vertex f1_argmax(const F1Counts& counts, double scale,
                          std::span<const double> gains_positive,
                          std::span<const double> gains_negative, std::span<double> sums) {
  const std::span<double> first = sums.first(gains_positive.size() + 1);
  const std::span<double> second = sums.subspan(first.size(), gains_negative.size() + 1);
  prefix_sums(gains_positive, first);
  prefix_sums(gains_negative, second);
  F1Vertex best;
  for (std::size_t b = 0; b < first.size(); ++b) {
    const auto number = static_cast<double>(b);
    const std::size_t c = best_false_positives(counts, scale, gains_negative, number);
    const double value =
        counts.loss(number, static_cast<double>(c)) + scale * (first[b] + second[c]);
    if (value > best.value) best = {value, b, c};
  }
  return best;
}

// The gains of the examples of one class, sorted downwards.
inline std::span<double> sorted_gains(std::span<const double> scores,
                                      std::span<const double> targets, double label,
                                      std::span<double> out) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < scores.size(); ++i)
    if (targets[i] * label > 0.0) out[count++] = -label * scores[i];
  std::sort(out.begin(), out.begin() + static_cast<std::ptrdiff_t>(count), std::greater<>());
  return out.first(count);
}

// Takes the first `count` of the sorted gains one by one, of several equal ones those that are
// asked first.
class TakeFirst {
 public:
  TakeFirst(std::span<const double> sorted, std::size_t count) {
    if (count == 0) return;
    least_ = sorted[count - 1];
    const auto equal = std::lower_bound(sorted.begin(), sorted.end(), least_, std::greater<>());
    ties_ = count - static_cast<std::size_t>(equal - sorted.begin());
    any_ = true;
  }
  bool operator()(double gain) {
    if (!any_ || gain < least_) return false;
    if (gain > least_) return true;
    if (ties_ == 0) return false;
    --ties_;
    return true;
  }

 private:
  double least_ = 0.0;
  std::size_t ties_ = 0;
  bool any_ = false;
};

}  // namespace fenchel::kernels
