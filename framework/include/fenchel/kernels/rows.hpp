// A row of a data matrix against weights with `width` neighbouring numbers for each feature.
// `columns` null: the row is dense. Wide vectors are used where the processor has them.
#pragma once

#include <fenchel/abi.h>

#include <cstdint>

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && defined(__linux__)
#define FENCHEL_VECTOR_CLONES __attribute__((target_clones("avx2", "default")))
#else
#define FENCHEL_VECTOR_CLONES
#endif

#if defined(__GNUC__)
#define FENCHEL_ALWAYS_INLINE __attribute__((always_inline)) inline
#else
#define FENCHEL_ALWAYS_INLINE inline
#endif

namespace fenchel::kernels {

struct Row {
  std::int64_t count;
  const std::int32_t* columns;
  const double* values;

  std::int64_t feature(std::int64_t k) const { return columns ? std::int64_t{columns[k]} : k; }
};

inline std::int64_t row_entries(const fenchel_rows& rows, std::int64_t i) {
  return rows.starts ? rows.starts[i + 1] - rows.starts[i] : rows.width;
}
inline Row row_at(const fenchel_rows& rows, std::int64_t i) {
  const std::int64_t begin = rows.starts ? rows.starts[i] : i * rows.width;
  return {row_entries(rows, i), rows.columns ? rows.columns + begin : nullptr, rows.values + begin};
}

namespace detail {

// Four sums at a time: one after another would wait for each addition.
inline double row_score(const Row& row, const double* w) {
  double a = 0.0, b = 0.0, c = 0.0, d = 0.0;
  std::int64_t k = 0;
  for (; k + 4 <= row.count; k += 4) {
    a += row.values[k] * w[row.feature(k)];
    b += row.values[k + 1] * w[row.feature(k + 1)];
    c += row.values[k + 2] * w[row.feature(k + 2)];
    d += row.values[k + 3] * w[row.feature(k + 3)];
  }
  for (; k < row.count; ++k) a += row.values[k] * w[row.feature(k)];
  return (a + b) + (c + d);
}

// Few outputs: their number known to the compiler.
template <int kWidth>
void row_scores(const Row& row, const double* w, double* z) {
  double sum[kWidth] = {};
  for (std::int64_t k = 0; k < row.count; ++k) {
    const double* from = w + row.feature(k) * kWidth;
    for (int c = 0; c < kWidth; ++c) sum[c] += row.values[k] * from[c];
  }
  for (int c = 0; c < kWidth; ++c) z[c] = sum[c];
}
template <int kWidth>
void row_add(const Row& row, const double* change, double* w) {
  double fixed[kWidth];
  for (int c = 0; c < kWidth; ++c) fixed[c] = change[c];
  for (std::int64_t k = 0; k < row.count; ++k) {
    double* to = w + row.feature(k) * kWidth;
    for (int c = 0; c < kWidth; ++c) to[c] += row.values[k] * fixed[c];
  }
}

// kStrip of the `width` scores, their sums in registers. Part of its caller, for that one's
// vectors.
template <int kStrip>
FENCHEL_ALWAYS_INLINE void strip_scores(const Row& row, const double* w, std::int64_t width,
                                        double* z) {
  double sum[kStrip] = {};
  for (std::int64_t k = 0; k < row.count; ++k) {
    const double* from = w + row.feature(k) * width;
    const double x = row.values[k];
    for (int c = 0; c < kStrip; ++c) sum[c] += x * from[c];
  }
  for (int c = 0; c < kStrip; ++c) z[c] = sum[c];
}

FENCHEL_VECTOR_CLONES inline void wide_row_scores(const Row& row, const double* w,
                                                  std::int64_t width, double* z) {
  std::int64_t c = 0;
  for (; c + 16 <= width; c += 16) strip_scores<16>(row, w + c, width, z + c);
  for (; c + 4 <= width; c += 4) strip_scores<4>(row, w + c, width, z + c);
  for (; c < width; ++c) strip_scores<1>(row, w + c, width, z + c);
}
FENCHEL_VECTOR_CLONES inline void wide_row_add(const Row& row, const double* change,
                                               std::int64_t width, double* w) {
  for (std::int64_t k = 0; k < row.count; ++k) {
    double* to = w + row.feature(k) * width;
    const double x = row.values[k];
    for (std::int64_t c = 0; c < width; ++c) to[c] += x * change[c];
  }
}

}  // namespace detail

// z = Wᵀx.
inline void row_scores(const Row& row, const double* w, std::int64_t width, double* z) {
  switch (width) {
    case 1: *z = detail::row_score(row, w); return;
    case 2: return detail::row_scores<2>(row, w, z);
    case 3: return detail::row_scores<3>(row, w, z);
    case 4: return detail::row_scores<4>(row, w, z);
    default: return detail::wide_row_scores(row, w, width, z);
  }
}

// W += x changeᵀ.
inline void row_add(const Row& row, const double* change, std::int64_t width, double* w) {
  switch (width) {
    case 1: return detail::row_add<1>(row, change, w);
    case 2: return detail::row_add<2>(row, change, w);
    case 3: return detail::row_add<3>(row, change, w);
    case 4: return detail::row_add<4>(row, change, w);
    default: return detail::wide_row_add(row, change, width, w);
  }
}

}  // namespace fenchel::kernels
