// The best labelling of a sequence, max_y ⟨z, f(y)⟩ + weight · (number of wrong labels): max-sum,
// in O(T k²). Back pointers are not kept: the way back looks for them again, in O(T k).
#pragma once

#include <fenchel/kernels/chain_vector.hpp>

#include <algorithm>
#include <limits>

namespace fenchel::kernels {
namespace detail {

inline constexpr double kImpossible = -std::numeric_limits<double>::infinity();

// rows[t] = max over what comes before + what rows[t] held.
FENCHEL_CHAIN_CLONES inline void max_forward(std::size_t length, std::size_t labels,
                                             const double* transitions, double* rows) {
  const std::size_t stride = chain_stride(labels);
  for (std::size_t t = 1; t < length; ++t) {
    const double* before = rows + (t - 1) * stride;
    double* here = rows + t * stride;
    over_tiles(
        stride, [&](auto tiles, std::size_t column) __attribute__((always_inline)) {
          Tile<tiles()> best(kImpossible);
          for (std::size_t a = 0; a < labels; ++a)
            best.raise(before[a], transitions + a * stride + column);
          best.add(1.0, here + column);
          best.store(here + column);
        });
  }
}

// Row `from` of `to`, or the transpose, with −∞ where a transition is not allowed and in the ends.
inline void allowed_scores(const ChainBlock& z, const ChainRules& rules, double* to,
                           double* transposed) {
  const std::size_t k = z.labels, stride = chain_stride(k);
  std::fill(to, to + k * stride, kImpossible);
  for (std::size_t a = 0; a < k; ++a)
    for (std::size_t b = 0; b < k; ++b) {
      const double score = rules.follows(a, b) ? z.transitions()[a * k + b] : kImpossible;
      to[a * stride + b] = score;
      transposed[b * stride + a] = score;
    }
}

// The margin, as a loss of the true label instead of a gain of all others: Σ_t weight less.
inline void augmented_scores(const ChainBlock& z, const ChainMargin& margin, std::size_t t,
                             double* row, double ends) {
  std::copy(z.position(t), z.position(t) + z.labels, row);
  if (margin.weight != 0.0) row[margin.label(t)] -= margin.weight;
  std::fill(row + z.labels, row + chain_stride(z.labels), ends);
}

}  // namespace detail

constexpr std::size_t viterbi_scratch(std::size_t length, std::size_t labels) {
  return (2 * labels + length) * chain_stride(labels) + ChainScratch::kAlign;
}

// Writes the labels of the best path, the first of equals at each step back, and returns its score.
// The first 2 k rows of the scratch are the transitions, kept for a block that repeats them.
inline double chain_viterbi(const ChainBlock& z, const ChainRules& rules, const ChainMargin& margin,
                            std::span<double> scratch, double* path) {
  const std::size_t k = z.labels, stride = chain_stride(k);
  ChainScratch room(scratch);
  double* transitions = room.take(k * stride);
  double* transposed = room.take(k * stride);
  double* rows = room.take(z.length * stride);
  if (!z.repeats) detail::allowed_scores(z, rules, transitions, transposed);
  for (std::size_t t = 0; t < z.length; ++t)
    detail::augmented_scores(z, margin, t, rows + t * stride, detail::kImpossible);
  for (std::size_t j = 0; j < k; ++j)
    if (!rules.begins(j)) rows[j] = detail::kImpossible;
  detail::max_forward(z.length, k, transitions, rows);

  const double* last = rows + (z.length - 1) * stride;
  std::size_t label = static_cast<std::size_t>(std::max_element(last, last + k) - last);
  const double best = last[label];
  if (!(best > detail::kImpossible)) no_allowed_path();
  path[z.length - 1] = static_cast<double>(label);
  for (std::size_t t = z.length - 1; t > 0; --t) {
    const double* before = rows + (t - 1) * stride;
    const double* into = transposed + label * stride;
    label = 0;
    for (std::size_t a = 1; a < k; ++a)
      if (before[a] + into[a] > before[label] + into[label]) label = a;
    path[t - 1] = static_cast<double>(label);
  }
  return best + margin.weight * static_cast<double>(z.length);
}

}  // namespace fenchel::kernels
