// Forward-backward on exponentials, scaled at every position (Rabiner 1989):
//
//   e_t(b) = exp((z_t(b) − top_t)/μ),   E(a, b) = exp((Θ(a, b) − top)/μ)
//   α_t(b) = e_t(b) Σ_a α_{t−1}(a) E(a, b) / c_t,   Σ_b α_t(b) = 1
//   g_t(b) = e_t(b) β_t(b) / c_t,   β_{t−1}(a) = Σ_b E(a, b) g_t(b),   β_last = 1
//
//   P(y_t = b) = α_t(b) β_t(b),   P(y_{t−1} = a, y_t = b) = α_{t−1}(a) E(a, b) g_t(b)
//   μ log Z = Σ_t (μ log c_t + top_t) + (T − 1) top
//
// k exponentials a position, k² once for all blocks with the same transitions.
#pragma once

#include <fenchel/kernels/chain_viterbi.hpp>

#include <cmath>

namespace fenchel::kernels::detail {

struct ScaledChain {
  std::size_t length, labels, stride;
  double *exponentials, *transposed;         // k rows each; kept between blocks
  double* highest;                           // of the transition scores; kept too
  double *forward, *emission, *beta, *norm;  // T rows; emission becomes g; beta one row; norm T

  static constexpr std::size_t size(std::size_t length, std::size_t labels) {
    return (2 * labels + 2 * length + 1) * chain_stride(labels) + length + 2 * ChainScratch::kAlign;
  }
  ScaledChain(std::size_t T, std::size_t k, std::span<double> scratch)
      : length(T), labels(k), stride(chain_stride(k)) {
    ChainScratch room(scratch);
    highest = room.take(ChainScratch::kAlign);
    exponentials = room.take(k * stride);
    transposed = room.take(k * stride);
    forward = room.take(T * stride);
    emission = room.take(T * stride);
    beta = room.take(stride);
    norm = room.take(T);
  }
};

FENCHEL_CHAIN_INLINE double row_sum(const double* row, std::size_t stride) {
  Lane sum{};
  for (std::size_t j = 0; j < stride; j += kLane) {
    Lane part;
    std::memcpy(&part, row + j, sizeof part);
    sum += part;
  }
  return (sum[0] + sum[2]) + (sum[1] + sum[3]);
}
FENCHEL_CHAIN_INLINE double row_max(const double* row, std::size_t stride) {
  Lane best = Lane{} + kImpossible;
  for (std::size_t j = 0; j < stride; j += kLane) {
    Lane part;
    std::memcpy(&part, row + j, sizeof part);
    best = part > best ? part : best;
  }
  const double left = best[0] > best[1] ? best[0] : best[1];
  const double right = best[2] > best[3] ? best[2] : best[3];
  return left > right ? left : right;
}

// row = exp((row − its largest)/μ); returns the largest. Zeros where all are −∞.
FENCHEL_CHAIN_INLINE double exponentiate(double* row, std::size_t count, double inverse) {
  const double highest = row_max(row, count), top = highest > -1e300 ? highest : -1e300;
  for (std::size_t j = 0; j < count; j += kLane) {
    Lane x;
    std::memcpy(&x, row + j, sizeof x);
    x = (x - top) * inverse;
    falling_exp(x);
    std::memcpy(row + j, &x, sizeof x);
  }
  return top;
}

FENCHEL_CHAIN_CLONES inline double exponentiate_all(double* rows, std::size_t count,
                                                    double inverse) {
  return exponentiate(rows, count, inverse);
}

inline void exponentiate_transitions(const ChainBlock& z, const ChainRules& rules, double mu,
                                     const ScaledChain& c) {
  const std::size_t k = c.labels, stride = c.stride;
  std::fill(c.transposed, c.transposed + k * stride, 0.0);
  allowed_scores(z, rules, c.exponentials, c.transposed);
  *c.highest = exponentiate_all(c.exponentials, k * stride, 1.0 / mu);
  for (std::size_t a = 0; a < k; ++a)
    for (std::size_t b = 0; b < k; ++b)
      c.transposed[b * stride + a] = c.exponentials[a * stride + b];
}

// Turns `emission` from scores into exponentials and fills `forward` and `norm`. Returns Σ top_t.
// `lost` bounds the share of what underflow may have swept away: each position loses at most
// 1e-300, and a norm c < 1 makes earlier losses 1/c times larger.
FENCHEL_CHAIN_CLONES inline double scaled_forward(const ScaledChain& c, double inverse,
                                                  double* lost) {
  constexpr double kUnderflow = 1e-300;
  double tops = 0.0, share = 0.0;
  for (std::size_t t = 0; t < c.length; ++t) {
    double* here = c.forward + t * c.stride;
    double* emission = c.emission + t * c.stride;
    tops += exponentiate(emission, c.stride, inverse);
    if (t > 0) {
      row_times(here - c.stride, c.exponentials, c.labels, c.stride, here);
      for (std::size_t j = 0; j < c.stride; ++j) here[j] *= emission[j];
    } else {
      std::memcpy(here, emission, c.stride * sizeof(double));
    }
    const double sum = row_sum(here, c.stride), factor = 1.0 / sum;
    for (std::size_t j = 0; j < c.stride; ++j) here[j] *= factor;
    c.norm[t] = sum;
    share = (share + kUnderflow) * (factor > 1.0 ? factor : 1.0);
  }
  *lost = share;
  return tops;
}

// Node marginals into rows of `labels` numbers; `emission` becomes g. Returns the sum of the first
// position's, which is 1 unless something overflowed.
FENCHEL_CHAIN_CLONES inline double scaled_backward(const ScaledChain& c, double* nodes) {
  for (std::size_t j = 0; j < c.stride; ++j) c.beta[j] = j < c.labels ? 1.0 : 0.0;
  for (std::size_t t = c.length; t-- > 0;) {
    const double* forward = c.forward + t * c.stride;
    double* g = c.emission + t * c.stride;
    double* node = nodes + t * c.labels;
    const double factor = 1.0 / c.norm[t];
    for (std::size_t j = 0; j < c.labels; ++j) node[j] = forward[j] * c.beta[j];
    for (std::size_t j = 0; j < c.stride; ++j) g[j] *= c.beta[j] * factor;
    if (t > 0) row_times(g, c.transposed, c.labels, c.stride, c.beta);
  }
  double sum = 0.0;
  for (std::size_t j = 0; j < c.labels; ++j) sum += nodes[j];
  return sum;
}

// out(a, b) = E(a, b) Σ_t α_{t−1}(a) g_t(b): two rows at a time in registers.
FENCHEL_CHAIN_CLONES inline void scaled_pairs(const ScaledChain& c, double* out) {
  const std::size_t k = c.labels;
  for (std::size_t a = 0; a < k; a += 2) {
    const bool two = a + 1 < k;
    over_tiles(
        c.stride, [&](auto tiles, std::size_t column) __attribute__((always_inline)) {
          Tile<tiles()> sum(0.0), other(0.0);
          for (std::size_t t = 1; t < c.length; ++t) {
            const double* forward = c.forward + (t - 1) * c.stride + a;
            const double* g = c.emission + t * c.stride + column;
            sum.add(forward[0], g);
            other.add(two ? forward[1] : 0.0, g);
          }
          constexpr std::size_t kWidth = Tile<tiles()>::kWidth;
          double row[kWidth], second[kWidth];
          sum.store(row);
          other.store(second);
          const std::size_t end = k - column < kWidth ? k - column : kWidth;
          const double* e = c.exponentials + a * c.stride + column;
          for (std::size_t j = 0; j < end; ++j) out[a * k + column + j] = row[j] * e[j];
          if (two)
            for (std::size_t j = 0; j < end; ++j)
              out[(a + 1) * k + column + j] = second[j] * e[c.stride + j];
        });
  }
}

// The marginals of each edge: (T − 1) tables of k × k.
inline void scaled_edges(const ScaledChain& c, double* edges) {
  for (std::size_t t = 1; t < c.length; ++t)
    for (std::size_t a = 0; a < c.labels; ++a)
      for (std::size_t b = 0; b < c.labels; ++b)
        *edges++ = c.forward[(t - 1) * c.stride + a] * c.exponentials[a * c.stride + b] *
                   c.emission[t * c.stride + b];
}

}  // namespace fenchel::kernels::detail
