// Rows while a file is being read.
#pragma once

#include "data/matrix.hpp"

#include <cstdint>
#include <string>

namespace fenchel::reading {

// Collects rows in sparse form. Columns count from 0 and increase within a row.
class Rows {
 public:
  void add(std::int32_t column, double value) {
    matrix_.indices.push_back(column);
    matrix_.values.push_back(value);
  }
  void end_row() { matrix_.starts.push_back(matrix_.entries()); }
  std::int64_t rows() const { return static_cast<std::int64_t>(matrix_.starts.size()) - 1; }
  std::int64_t entries() const { return matrix_.entries(); }

  // The rest of the file is expected to be like its first `done` of `all` bytes.
  void reserve_like(std::size_t done, std::size_t all);

  // The matrix in the `storage` asked for: sparse, dense, or by density (auto).
  Matrix take(std::int64_t columns, const std::string& storage, const std::string& file);

 private:
  Matrix matrix_;
};

}  // namespace fenchel::reading
