// The inner loops of the chain recursions: rows of up to 32 labels are kept in registers.
#pragma once

#include <fenchel/kernels/chain_block.hpp>

#include <cstring>
#include <type_traits>

#if defined(__x86_64__) && defined(__GNUC__) && __GNUC__ >= 12 && !defined(__clang__) && \
    defined(__linux__)
#define FENCHEL_CHAIN_CLONES __attribute__((target_clones("arch=x86-64-v3", "default")))
#else
#define FENCHEL_CHAIN_CLONES
#endif
#define FENCHEL_CHAIN_INLINE [[gnu::always_inline]] inline

namespace fenchel::kernels::detail {

using Lane = double __attribute__((vector_size(32)));
using LaneBits = std::int64_t __attribute__((vector_size(32)));
inline constexpr std::size_t kLane = 4;
static_assert(kChainLanes % kLane == 0);

// In registers: rows of kTiles × 8 labels.
template <int kTiles>
struct Tile {
  static constexpr std::size_t kWidth = kTiles * kChainLanes;
  static constexpr int kParts = static_cast<int>(kWidth / kLane);
  Lane part[kParts] = {};

  FENCHEL_CHAIN_INLINE explicit Tile(double x) {
    for (int i = 0; i < kParts; ++i) part[i] = Lane{} + x;
  }
  FENCHEL_CHAIN_INLINE void store(double* x) const {
    for (int i = 0; i < kParts; ++i)
      std::memcpy(x + static_cast<std::size_t>(i) * kLane, &part[i], sizeof(Lane));
  }
  // += factor · row
  FENCHEL_CHAIN_INLINE void add(double factor, const double* row) {
    for (int i = 0; i < kParts; ++i) {
      Lane r;
      std::memcpy(&r, row + static_cast<std::size_t>(i) * kLane, sizeof(Lane));
      part[i] += factor * r;
    }
  }
  // = max(this, shift + row)
  FENCHEL_CHAIN_INLINE void raise(double shift, const double* row) {
    for (int i = 0; i < kParts; ++i) {
      Lane r;
      std::memcpy(&r, row + static_cast<std::size_t>(i) * kLane, sizeof(Lane));
      r += shift;
      part[i] = part[i] > r ? part[i] : r;
    }
  }
};

// Calls body(number of tiles, first column) for each group of columns: one group up to 32 labels.
template <class Body>
FENCHEL_CHAIN_INLINE void over_tiles(std::size_t stride, Body body) {
  std::size_t column = 0;
  for (; stride - column > 4 * kChainLanes; column += 4 * kChainLanes)
    body(std::integral_constant<int, 4>{}, column);
  switch ((stride - column) / kChainLanes) {
    case 1: return body(std::integral_constant<int, 1>{}, column);
    case 2: return body(std::integral_constant<int, 2>{}, column);
    case 3: return body(std::integral_constant<int, 3>{}, column);
    default: return body(std::integral_constant<int, 4>{}, column);
  }
}

// out = xᵀ M for `rows` rows of M.
FENCHEL_CHAIN_INLINE void row_times(const double* x, const double* matrix, std::size_t rows,
                                    std::size_t stride, double* out) {
  over_tiles(
      stride, [&](auto tiles, std::size_t column) __attribute__((always_inline)) {
        Tile<tiles()> sum(0.0);
        for (std::size_t a = 0; a < rows; ++a) sum.add(x[a], matrix + a * stride + column);
        sum.store(out + column);
      });
}

// x = exp(x) for x ≤ 0, 0 below −708; within 1 ulp: x = n log 2 + r with |r| ≤ log(2)/2, a
// polynomial in r, and n added to the exponent.
FENCHEL_CHAIN_INLINE void falling_exp(Lane& x) {
  constexpr double kShift = 6755399441055744.0;  // 1.5 · 2^52: adding it rounds to an integer
  constexpr double kLog2e = 1.4426950408889634074;
  constexpr double kLn2High = 6.93147180369123816490e-01, kLn2Low = 1.90821492927058770002e-10;
  constexpr double kLowest = -708.0;
  const Lane lowest = Lane{} + kLowest, zero{};
  const Lane clipped = x < lowest ? lowest : x;
  const Lane shifted = clipped * kLog2e + kShift;
  const Lane n = shifted - kShift;
  const Lane r = (clipped - n * kLn2High) - n * kLn2Low;
  Lane p = Lane{} + 1.0 / 6227020800.0;
  p = p * r + 1.0 / 479001600.0;
  p = p * r + 1.0 / 39916800.0;
  p = p * r + 1.0 / 3628800.0;
  p = p * r + 1.0 / 362880.0;
  p = p * r + 1.0 / 40320.0;
  p = p * r + 1.0 / 5040.0;
  p = p * r + 1.0 / 720.0;
  p = p * r + 1.0 / 120.0;
  p = p * r + 1.0 / 24.0;
  p = p * r + 1.0 / 6.0;
  p = p * r + 0.5;
  p = (p * r) * r + r + 1.0;
  const LaneBits scaled =
      reinterpret_cast<LaneBits>(p) + (reinterpret_cast<LaneBits>(shifted) << 52);
  x = x < lowest ? zero : reinterpret_cast<Lane>(scaled);
}

}  // namespace fenchel::kernels::detail
