// The entropic smoothing of the loss f1 at unsorted scores: sorts both classes, takes the vertex
// that attains f1 as the reference, and adds what the other vertices weigh.
//
//   φ_τ(z) = (τ/m) log Σ_{y′} exp((m Δ(y′, y) + Σ zᵢ(y′ᵢ − yᵢ))/τ) = φ(z) + (τ/m) log Z
#pragma once

#include <fenchel/kernels/f1_argmax.hpp>
#include <fenchel/kernels/f1_dynamic.hpp>
#include <fenchel/kernels/f1_window.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace fenchel::kernels {

// Memory that only grows: kept between calls, a call allocates nothing.
struct F1SmoothedWorkspace {
  struct Class {
    std::vector<std::pair<double, std::size_t>> order;  // gain, example
    std::vector<double> gains, flips;

    void sort(std::span<const double> scores, std::span<const double> targets, double label) {
      order.clear();
      for (std::size_t i = 0; i < scores.size(); ++i)
        if (targets[i] * label > 0.0) order.emplace_back(-label * scores[i], i);
      std::sort(order.begin(), order.end(),
                [](const auto& a, const auto& b) { return a.first > b.first; });
      gains.clear();
      for (const auto& [gain, example] : order) gains.push_back(gain);
    }
  };
  Class positive, negative;
  std::vector<double> sums;
  F1DynamicWorkspace dynamic;
  F1WindowWorkspace window;
};

struct F1Smoothing {
  double beta_squared = 1.0;
  double temperature = 1.0;
  bool exact = false;  // f1_dynamic.hpp instead of f1_window.hpp

  // φ_τ(z). `flips` gets the probability that each example is flipped; empty: not asked for.
  double operator()(std::span<const double> scores, std::span<const double> targets,
                    std::span<double> flips, F1SmoothedWorkspace& work) const {
    auto &positive = work.positive, &negative = work.negative;
    positive.sort(scores, targets, 1.0);
    negative.sort(scores, targets, -1.0);
    const auto m = static_cast<double>(scores.size());
    const F1Counts counts{static_cast<double>(positive.gains.size()),
                          static_cast<double>(negative.gains.size()), beta_squared};
    work.sums.resize(scores.size() + 2);
    const F1Vertex vertex = f1_argmax(counts, 2.0 / m, positive.gains, negative.gains, work.sums);
    for (auto* one : {&positive, &negative})
      one->flips.resize(flips.empty() ? 0 : one->gains.size());
    const FlipClass first{positive.gains, vertex.false_negatives},
        second{negative.gains, vertex.false_positives};
    const double log_sum = exact
                               ? f1_smoothed_exact(counts, temperature, first, second, work.dynamic,
                                                   positive.flips, negative.flips)
                               : f1_smoothed_windowed(counts, temperature, first, second,
                                                      work.window, positive.flips, negative.flips);
    if (!flips.empty())
      for (const auto* one : {&positive, &negative})
        for (std::size_t k = 0; k < one->order.size(); ++k)
          flips[one->order[k].second] = std::min(1.0, one->flips[k]);
    return vertex.value + temperature / m * log_sum;
  }
};

}  // namespace fenchel::kernels
