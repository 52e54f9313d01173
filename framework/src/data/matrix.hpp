// The rows of a data set: sparse (CSR) or dense (row-major).
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace fenchel {

struct Matrix {
  std::int64_t rows = 0;
  std::int64_t columns = 0;
  bool dense = false;
  // Sparse: row i holds indices[k], values[k] for k in starts[i] .. starts[i+1], columns
  // increasing. Dense: `starts` and `indices` are empty; row i holds values[i * columns ..].
  std::vector<std::int64_t> starts{0};
  std::vector<std::int32_t> indices;
  std::vector<double> values;

  // Stored entries.
  std::int64_t entries() const { return static_cast<std::int64_t>(values.size()); }
  // Entries that are not zero; dense storage holds others too.
  std::int64_t nonzeros() const {
    return static_cast<std::int64_t>(values.size()) - std::count(values.begin(), values.end(), 0.0);
  }
};

// The transpose of a sparse matrix: column j holds rows[k], values[k] for k in starts[j] ..
// starts[j+1], rows increasing.
struct Columns {
  std::vector<std::int64_t> starts;
  std::vector<std::int32_t> rows;
  std::vector<double> values;
};
Columns transposed(const Matrix& x);

}  // namespace fenchel
