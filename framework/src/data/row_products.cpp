#include "data/row_products.hpp"

namespace fenchel {

RowProducts::RowProducts(const Matrix& x, std::int64_t width) : x_(x), width_(width) {
  if (x.dense) return;
  entries_before_.assign(static_cast<std::size_t>(x.columns) + 1, 0);
  for (const std::int32_t j : x.indices) ++entries_before_[static_cast<std::size_t>(j) + 1];
  for (std::size_t j = 1; j < entries_before_.size(); ++j)
    entries_before_[j] += entries_before_[j - 1];
}

std::int64_t RowProducts::cut(std::int64_t part, std::int64_t parts) const {
  if (part == 0) return 0;
  if (part == parts) return x_.columns;
  if (x_.dense) return x_.columns * part / parts;
  return std::lower_bound(entries_before_.begin(), entries_before_.end(),
                          x_.entries() * part / parts) -
         entries_before_.begin();
}

kernels::Row RowProducts::piece_of(std::int64_t i, std::int64_t begin, std::int64_t end) const {
  kernels::Row row = row_of(x_, i);
  if (!row.columns) return {end - begin, nullptr, row.values + begin};
  if (begin == 0 && end == x_.columns) return row;
  const std::int32_t* last = row.columns + row.count;
  const std::int32_t* from = std::lower_bound(row.columns, last, begin);
  const std::int32_t* to = std::lower_bound(from, last, end);
  return {to - from, from, row.values + (from - row.columns)};
}

std::int64_t RowProducts::add(std::int64_t i, const double* d, double factor, double* v) const {
  const kernels::Row row = row_of(x_, i);
  if (factor == 1.0) {
    kernels::row_add(row, d, width_, v);
    return row.count;
  }
  for (std::int64_t k = 0; k < row.count; ++k) {
    double* to = v + row.feature(k) * width_;
    const double x = factor * row.values[k];
    for (std::int64_t c = 0; c < width_; ++c) to[c] += x * d[c];
  }
  return row.count;
}

}  // namespace fenchel
