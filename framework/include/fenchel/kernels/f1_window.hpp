// The entropic smoothing of the loss f1 in near-linear time: what f1_dynamic.hpp computes, from the
// counts that matter alone (f1_region.hpp). The law of a count is needed on windows of a few
// standard deviations, and comes from a product tree (count_law.hpp) of events tilted to a
// threshold t:
//
//   log V(k) = H(t) + rate t (k − k₀) + log P_t(N = k).
//
// One t serves every k with P_t(N = k) above exp(−80); counts farther apart (Δ has several peaks in
// b, or a wide one) get charts of their own. Examples that are flipped with a probability beyond
// the last digit of 0 or 1 stay out of the tree. O(n log n) for one chart; memory O(n log n).
#pragma once

#include <fenchel/kernels/count_law.hpp>
#include <fenchel/kernels/f1_region.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <span>
#include <vector>

namespace fenchel::kernels {

// The law of the flips of one class, on the counts that matter. Memory only grows.
class FlipLaw {
 public:
  // log V(k) where `matters(k)`, −∞ elsewhere.
  template <class Matters>
  void find(const FlipEnvelope& envelope, Matters matters) {
    envelope_ = &envelope;
    log_values.assign(envelope.size() + 1, -std::numeric_limits<double>::infinity());
    mass.assign(envelope.size() + 1, 0.0);
    // All or none of the examples: no law is needed.
    for (const std::size_t end : {std::size_t{0}, envelope.size()})
      log_values[end] = envelope.upper()[end];
    cover(matters);
    for (const Chart& chart : charts_) {
      build(chart);
      for (std::size_t k = chart.begin; k < chart.end; ++k)
        if (matters(k))
          log_values[k] =
              envelope.line(chart.tangent, static_cast<double>(k)) + std::log(law_.at(k - sure_));
    }
  }

  // out[i] = P(example i is flipped), where mass[k] is the probability of k flips.
  void flip_probabilities(std::span<double> out) {
    const std::size_t n = envelope_->size();
    std::fill(out.begin(), out.end(), n > 0 ? mass[n] : 0.0);
    for (const Chart& chart : charts_) {
      if (charts_.size() > 1) build(chart);
      weights_.assign(law_.values().size(), 0.0);
      double sum = 0.0;
      for (std::size_t k = chart.begin; k < chart.end; ++k) {
        const double probability = law_.at(k - sure_);
        if (!(probability > 0.0)) continue;
        sum += mass[k];
        weights_[k - sure_ - law_.low()] = mass[k] / probability;
      }
      for (std::size_t i = 0; i < sure_; ++i) out[i] += sum;
      law_.add_derivatives(weights_, out.subspan(sure_, p_.size()));
    }
  }

  std::vector<double> log_values, mass;

 private:
  static constexpr double kFarthest = 80.0;

  // One threshold for the counts begin … end − 1; `depth` bounds −log P_t(N = k) there.
  struct Chart {
    FlipEnvelope::Tangent tangent;
    std::size_t begin, end;
    double depth;
  };

  double distance(const FlipEnvelope::Tangent& tangent, std::size_t k) const {
    return envelope_->line(tangent, static_cast<double>(k)) - envelope_->lower()[k];
  }

  // The last tangent that is near enough to k, or else the nearest.
  const FlipEnvelope::Tangent& tangent_for(std::size_t k) const {
    const FlipEnvelope::Tangent *best = nullptr, *nearest = nullptr;
    for (const auto& tangent : envelope_->tangents()) {
      if (!tangent.line) continue;
      if (distance(tangent, k) <= kFarthest) best = &tangent;
      if (nearest == nullptr || distance(tangent, k) < distance(*nearest, k)) nearest = &tangent;
    }
    return best != nullptr ? *best : *nearest;
  }

  template <class Matters>
  void cover(Matters matters) {
    charts_.clear();
    for (std::size_t k = 1; k < envelope_->size(); ++k) {
      if (!matters(k)) continue;
      Chart chart{tangent_for(k), k, k, 0.0};
      const double limit = std::max(kFarthest, distance(chart.tangent, k));
      for (; k < envelope_->size() && distance(chart.tangent, k) <= limit; ++k) {
        if (!matters(k)) continue;
        chart.end = k + 1;
        chart.depth = std::max(chart.depth, distance(chart.tangent, k));
      }
      charts_.push_back(chart);
      k = chart.end - 1;
    }
  }

  // The law at the chart's threshold, of the examples that are neither sure to be flipped nor sure
  // to be left. What is cut off is below 1e-17 of the probability of each of the chart's counts.
  void build(const Chart& chart) {
    const auto& gains = envelope_->flips().gains;
    const auto n = static_cast<double>(gains.size());
    const double depth = chart.depth + envelope_->slack() + 39.2 + std::log(50.0 * (n + 1.0));
    const double least = std::exp(-std::min(depth, 600.0)), rate = envelope_->rate();
    const auto place = [&](double gain) {
      return std::lower_bound(gains.begin(), gains.end(), gain, std::greater<>()) - gains.begin();
    };
    sure_ = static_cast<std::size_t>(place(chart.tangent.threshold + depth / rate));
    const auto never = static_cast<std::size_t>(place(chart.tangent.threshold - depth / rate));
    p_.resize(never - sure_);
    contrary_.resize(never - sure_);
    for (std::size_t i = sure_; i < never; ++i) {
      const double x = rate * (gains[i] - chart.tangent.threshold), e = std::exp(-std::abs(x));
      p_[i - sure_] = (x > 0.0 ? 1.0 : e) / (1.0 + e);
      contrary_[i - sure_] = (x > 0.0 ? e : 1.0) / (1.0 + e);
    }
    law_.build(p_, contrary_, least);
  }

  const FlipEnvelope* envelope_ = nullptr;
  std::vector<Chart> charts_;
  std::vector<double> p_, contrary_, weights_;
  std::size_t sure_ = 0;
  CountLaw law_;
};

struct F1WindowWorkspace {
  F1Region region;
  FlipLaw positive, negative;
};

// Returns log Z of f1_dynamic.hpp. `first` and `second` get the flip probabilities of positives and
// negatives, in the order of their gains; both empty: they are not asked for.
inline double f1_smoothed_windowed(const F1Counts& counts, double temperature,
                                   const FlipClass& positive, const FlipClass& negative,
                                   F1WindowWorkspace& work, std::span<double> first,
                                   std::span<double> second) {
  F1Region& region = work.region;
  region.find(counts, temperature, positive, negative);
  work.positive.find(region.positive, [&](std::size_t b) { return region.in_row(b); });
  work.negative.find(region.negative, [&](std::size_t c) { return region.in_column(c); });
  std::vector<double>&law = work.negative.log_values, &mass = work.negative.mass;
  double sum = 0.0;
  for (const F1Region::Row& row : region.rows) {
    const auto b = static_cast<double>(row.b);
    const double base = work.positive.log_values[row.b] - region.top;
    double row_sum = 0.0;
    for (std::size_t c = row.begin; c < row.end; ++c) {
      const double weight = std::exp(region.tilt(b, static_cast<double>(c)) + (base + law[c]));
      row_sum += weight;
      mass[c] += weight;
    }
    work.positive.mass[row.b] = row_sum;
    sum += row_sum;
  }
  if (first.size() + second.size() > 0) {
    for (double& x : work.positive.mass) x /= sum;
    for (double& x : mass) x /= sum;
    work.positive.flip_probabilities(first);
    work.negative.flip_probabilities(second);
  }
  return region.top + std::log(sum);
}

}  // namespace fenchel::kernels
