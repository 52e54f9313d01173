#include "data/rows.hpp"

#include "data/text.hpp"

#include <fmt/format.h>

#include <utility>

namespace fenchel::reading {
namespace {

constexpr double kDenseLimit = 16.0 * (1U << 30);  // bytes

double cells(const Matrix& x) {
  return static_cast<double>(x.rows) * static_cast<double>(x.columns);
}

// Above half, dense (8 bytes a cell) is also smaller than twice the sparse form (12 an entry).
bool dense_is_better(const Matrix& x) {
  return 2.0 * static_cast<double>(x.entries()) > cells(x) && 8.0 * cells(x) <= kDenseLimit;
}

void make_dense(Matrix& x) {
  const auto rows = static_cast<std::size_t>(x.rows);
  const auto columns = static_cast<std::size_t>(x.columns);
  if (x.values.size() != rows * columns) {  // else the values already stand as they shall
    std::vector<double> values(rows * columns);
    for (std::size_t i = 0; i < rows; ++i) {
      const auto end = static_cast<std::size_t>(x.starts[i + 1]);
      for (auto k = static_cast<std::size_t>(x.starts[i]); k < end; ++k) {
        values[i * columns + static_cast<std::size_t>(x.indices[k])] = x.values[k];
      }
    }
    x.values = std::move(values);
  }
  x.starts = {};
  x.indices = {};
  x.dense = true;
}

}  // namespace

void Rows::reserve_like(std::size_t done, std::size_t all) {
  const double scale = 1.05 * static_cast<double>(all) / static_cast<double>(done);
  const auto expect = [scale](std::size_t count) {
    return static_cast<std::size_t>(scale * static_cast<double>(count)) + 16;
  };
  matrix_.starts.reserve(expect(matrix_.starts.size()));
  matrix_.indices.reserve(expect(matrix_.indices.size()));
  matrix_.values.reserve(expect(matrix_.values.size()));
}

Matrix Rows::take(std::int64_t columns, const std::string& storage, const std::string& file) {
  matrix_.rows = rows();
  matrix_.columns = columns;
  if (storage == "dense" && 8.0 * cells(matrix_) > kDenseLimit) {
    throw Error(Exit::bad_input,
                fmt::format("dense storage of {} × {} takes {:.0f} GiB, more than 16", matrix_.rows,
                            columns, 8.0 * cells(matrix_) / (1U << 30)),
                place_of(file), "set data.storage to sparse or auto");
  }
  if (storage == "dense" || (storage == "auto" && dense_is_better(matrix_))) make_dense(matrix_);
  return std::move(matrix_);
}

}  // namespace fenchel::reading
