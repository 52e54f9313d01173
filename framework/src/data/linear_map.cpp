#include "data/linear_map.hpp"

#include <algorithm>
#include <cmath>

namespace fenchel {
namespace {

// Cuts are a function of the data alone, so that results do not depend on the number of threads.
constexpr std::int64_t kEntriesPerTask = 1 << 16;

std::int64_t task_count(std::int64_t entries, std::int64_t most) {
  return std::clamp<std::int64_t>(entries / kEntriesPerTask, 1,
                                  std::clamp<std::int64_t>(most, 1, 64));
}

std::int64_t cut(std::int64_t total, std::int64_t tasks, std::int64_t task) {
  return total * task / tasks;
}

double sparse_dot(const Matrix& x, std::int64_t i, const double* w) {
  double sum = 0.0;
  const auto end = static_cast<std::size_t>(x.starts[static_cast<std::size_t>(i) + 1]);
  for (auto k = static_cast<std::size_t>(x.starts[static_cast<std::size_t>(i)]); k < end; ++k)
    sum += x.values[k] * w[x.indices[k]];
  return sum;
}

// Four partial sums: the compiler may keep them in vector registers.
double dense_dot(const double* x, const double* w, std::int64_t count) {
  double sum[4] = {0.0, 0.0, 0.0, 0.0};
  std::int64_t j = 0;
  for (; j + 4 <= count; j += 4)
    for (int k = 0; k < 4; ++k) sum[k] += x[j + k] * w[j + k];
  for (; j < count; ++j) sum[0] += x[j] * w[j];
  return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

}  // namespace

RowsMap::RowsMap(const Matrix& x) : x_(x) {
  shape_ = {sizeof(fenchel_shape), 1,      x.rows, x.rows, 1, x.columns, x.columns,
            x.entries(),           nullptr};
  squared_norms_.resize(static_cast<std::size_t>(x.rows));
  for (std::int64_t i = 0; i < x.rows; ++i) {
    const auto row = static_cast<std::size_t>(i);
    const std::int64_t begin = x.dense ? i * x.columns : x.starts[row];
    const std::int64_t end = x.dense ? begin + x.columns : x.starts[row + 1];
    const double* values = x.values.data();
    squared_norms_[row] = dense_dot(values + begin, values + begin, end - begin);
  }
}

// |A|^2 is at most the Frobenius norm squared, and at most |A|_1 |A|_inf.
double RowsMap::squared_norm_bound() const {
  std::vector<double> column_sums(static_cast<std::size_t>(x_.columns), 0.0);
  double largest_row = 0.0, frobenius = 0.0;
  for (std::int64_t i = 0; i < x_.rows; ++i) {
    const auto row = static_cast<std::size_t>(i);
    const std::int64_t begin = x_.dense ? i * x_.columns : x_.starts[row];
    const std::int64_t end = x_.dense ? begin + x_.columns : x_.starts[row + 1];
    double row_sum = 0.0;
    for (std::int64_t k = begin; k < end; ++k) {
      const double size = std::abs(x_.values[static_cast<std::size_t>(k)]);
      row_sum += size;
      const std::int64_t column = x_.dense ? k - begin : x_.indices[static_cast<std::size_t>(k)];
      column_sums[static_cast<std::size_t>(column)] += size;
    }
    largest_row = std::max(largest_row, row_sum);
    frobenius += squared_norms_[row];
  }
  const double largest_column =
      column_sums.empty() ? 0.0 : *std::max_element(column_sums.begin(), column_sums.end());
  return std::min(frobenius, largest_row * largest_column);
}

void RowsMap::apply(const Parallel& parallel, const double* w, double* scores) const {
  const std::int64_t tasks = task_count(x_.entries(), x_.rows);
  parallel.run(tasks, [&](std::int64_t task) {
    const std::int64_t end = cut(x_.rows, tasks, task + 1);
    for (std::int64_t i = cut(x_.rows, tasks, task); i < end; ++i) block_scores(i, w, scores + i);
  });
}

void RowsMap::adjoint(const Parallel& parallel, const double* duals, double* v) const {
  if (x_.dense)
    adjoint_dense(parallel, duals, v);
  else
    adjoint_sparse(parallel, duals, v);
}

void RowsMap::adjoint_dense(const Parallel& parallel, const double* duals, double* v) const {
  constexpr std::int64_t kColumnsPerTask = 64;
  const std::int64_t tasks = task_count(x_.entries(), x_.columns / kColumnsPerTask);
  parallel.run(tasks, [&](std::int64_t task) {
    const std::int64_t begin = cut(x_.columns, tasks, task), end = cut(x_.columns, tasks, task + 1);
    std::fill(v + begin, v + end, 0.0);
    for (std::int64_t i = 0; i < x_.rows; ++i) {
      const double* row = x_.values.data() + i * x_.columns;
      for (std::int64_t j = begin; j < end; ++j) v[j] += duals[i] * row[j];
    }
  });
}

// Both ways add the rows of a column in the same order, so they agree to the last bit.
void RowsMap::adjoint_sparse(const Parallel& parallel, const double* duals, double* v) const {
  if (parallel.threads() == 1) {
    std::fill(v, v + x_.columns, 0.0);
    for (std::int64_t i = 0; i < x_.rows; ++i) block_add(i, duals + i, 1.0, v);
    return;
  }
  const Columns& c = columns();
  const std::int64_t tasks = task_count(x_.entries(), x_.columns);
  parallel.run(tasks, [&](std::int64_t task) {
    // Cut by entries, not by columns: a few columns may hold most of the data.
    const auto column_at = [&](std::int64_t entry) {
      return std::lower_bound(c.starts.begin(), c.starts.end(), entry) - c.starts.begin();
    };
    const std::int64_t begin = task == 0 ? 0 : column_at(cut(x_.entries(), tasks, task));
    const std::int64_t end =
        task + 1 == tasks ? x_.columns : column_at(cut(x_.entries(), tasks, task + 1));
    for (std::int64_t j = begin; j < end; ++j) {
      double sum = 0.0;
      const auto last = static_cast<std::size_t>(c.starts[static_cast<std::size_t>(j) + 1]);
      for (auto k = static_cast<std::size_t>(c.starts[static_cast<std::size_t>(j)]); k < last; ++k)
        sum += duals[c.rows[k]] * c.values[k];
      v[j] = sum;
    }
  });
}

const Columns& RowsMap::columns() const {
  if (columns_.starts.empty()) columns_ = transposed(x_);
  return columns_;
}

std::int64_t RowsMap::block_scores(std::int64_t i, const double* w, double* scores) const {
  if (x_.dense) {
    *scores = dense_dot(x_.values.data() + i * x_.columns, w, x_.columns);
    return x_.columns;
  }
  *scores = sparse_dot(x_, i, w);
  const auto row = static_cast<std::size_t>(i);
  return x_.starts[row + 1] - x_.starts[row];
}

std::int64_t RowsMap::block_add(std::int64_t i, const double* duals, double factor,
                                double* v) const {
  const double scale = factor * *duals;
  if (x_.dense) {
    const double* row = x_.values.data() + i * x_.columns;
    for (std::int64_t j = 0; j < x_.columns; ++j) v[j] += scale * row[j];
    return x_.columns;
  }
  const std::int64_t begin = x_.starts[static_cast<std::size_t>(i)];
  const std::int64_t end = x_.starts[static_cast<std::size_t>(i) + 1];
  for (auto k = static_cast<std::size_t>(begin); k < static_cast<std::size_t>(end); ++k)
    v[x_.indices[k]] += scale * x_.values[k];
  return end - begin;
}

bool RowsMap::rows(fenchel_rows* out) const {
  out->count = x_.rows;
  out->width = x_.columns;
  out->starts = x_.dense ? nullptr : x_.starts.data();
  out->columns = x_.dense ? nullptr : x_.indices.data();
  out->values = x_.values.data();
  out->squared_norms = squared_norms_.data();
  return true;
}

}  // namespace fenchel
