// The rows of a data matrix against k weights a feature: what the maps with several scores a row
// share. Parameter j · k + c is that of feature j and score c.
#pragma once

#include "data/matrix.hpp"
#include "run/parallel.hpp"

#include <fenchel/kernels/rows.hpp>

#include <algorithm>
#include <cstdint>
#include <vector>

namespace fenchel {

inline kernels::Row row_of(const Matrix& x, std::int64_t i) {
  const std::int64_t begin = x.dense ? i * x.columns : x.starts[static_cast<std::size_t>(i)];
  const std::int64_t end = x.dense ? begin + x.columns : x.starts[static_cast<std::size_t>(i) + 1];
  return {end - begin, x.dense ? nullptr : x.indices.data() + begin, x.values.data() + begin};
}

class RowProducts {
 public:
  RowProducts(const Matrix& x, std::int64_t width);

  // v[j · k + c] = Σᵢ xᵢⱼ dᵢ[c], with dᵢ at dual_of(i). Every thread goes through all rows and
  // takes a range of the columns, so that each sum is in the order of the rows whatever their
  // number, and no thread needs a copy of v.
  template <class DualOf>
  void adjoint(const Parallel& parallel, const DualOf& dual_of, double* v) const {
    const std::int64_t parts =
        std::min<std::int64_t>(parallel.threads(), std::max<std::int64_t>(x_.columns, 1));
    parallel.run(parts, [&](std::int64_t part) {
      const std::int64_t begin = cut(part, parts), end = cut(part + 1, parts);
      std::fill(v + begin * width_, v + end * width_, 0.0);
      for (std::int64_t i = 0; i < x_.rows; ++i) {
        const kernels::Row row = piece_of(i, begin, end);
        if (row.count > 0)
          kernels::row_add(row, dual_of(i), width_, row.columns ? v : v + begin * width_);
      }
    });
  }

  // v += factor xᵢ dᵀ; the entries of the row.
  std::int64_t add(std::int64_t i, const double* d, double factor, double* v) const;

 private:
  // Where part number `part` of the columns begins, parts having about as many entries each.
  std::int64_t cut(std::int64_t part, std::int64_t parts) const;
  // The entries of row i in the columns begin … end − 1.
  kernels::Row piece_of(std::int64_t i, std::int64_t begin, std::int64_t end) const;

  const Matrix& x_;
  std::int64_t width_;
  std::vector<std::int64_t> entries_before_;  // of every column, and at the end; sparse only
};

}  // namespace fenchel
