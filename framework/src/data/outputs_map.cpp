#include "data/linear_map.hpp"

#include <fenchel/kernels/rows.hpp>

#include <algorithm>

namespace fenchel {
namespace {

constexpr std::int64_t kTasks = 32;  // a function of nothing: results do not depend on the threads

kernels::Row row_of(const Matrix& x, std::int64_t i) {
  const std::int64_t begin = x.dense ? i * x.columns : x.starts[static_cast<std::size_t>(i)];
  const std::int64_t end = x.dense ? begin + x.columns : x.starts[static_cast<std::size_t>(i) + 1];
  return {end - begin, x.dense ? nullptr : x.indices.data() + begin, x.values.data() + begin};
}

}  // namespace

OutputsMap::OutputsMap(const Matrix& x, std::int32_t outputs)
    : x_(x), single_(x), outputs_(outputs) {
  shape_ = single_.shape();
  shape_.outputs = outputs;
  shape_.scores = x.rows * outputs;
  shape_.widest_block = outputs;
  shape_.parameters = x.columns * outputs;
  squared_norms_ = single_.squared_norms();
}

// W ↦ X W repeats X once for every output: the same norm.
double OutputsMap::squared_norm_bound() const { return single_.squared_norm_bound(); }

void OutputsMap::apply(const Parallel& parallel, const double* w, double* scores) const {
  const std::int64_t tasks = std::min(kTasks, x_.rows);
  parallel.run(tasks, [&](std::int64_t task) {
    const std::int64_t end = x_.rows * (task + 1) / tasks;
    for (std::int64_t i = x_.rows * task / tasks; i < end; ++i)
      block_scores(i, w, scores + i * outputs_);
  });
}

// One thread scatters the rows; several gather the columns. Both add the rows of a column in the
// same order.
void OutputsMap::adjoint(const Parallel& parallel, const double* duals, double* v) const {
  std::fill(v, v + shape_.parameters, 0.0);
  if (parallel.threads() == 1 || x_.dense) {
    for (std::int64_t i = 0; i < x_.rows; ++i) block_add(i, duals + i * outputs_, 1.0, v);
    return;
  }
  const Columns& c = columns();
  const std::int64_t tasks = std::min(kTasks, std::max<std::int64_t>(x_.columns, 1));
  parallel.run(tasks, [&](std::int64_t task) {
    for (std::int64_t j = x_.columns * task / tasks; j < x_.columns * (task + 1) / tasks; ++j) {
      const auto last = static_cast<std::size_t>(c.starts[static_cast<std::size_t>(j) + 1]);
      for (auto k = static_cast<std::size_t>(c.starts[static_cast<std::size_t>(j)]); k < last; ++k)
        for (std::int64_t o = 0; o < outputs_; ++o)
          v[j * outputs_ + o] += duals[c.rows[k] * outputs_ + o] * c.values[k];
    }
  });
}

const Columns& OutputsMap::columns() const {
  if (columns_.starts.empty()) columns_ = transposed(x_);
  return columns_;
}

std::int64_t OutputsMap::block_scores(std::int64_t i, const double* w, double* scores) const {
  const kernels::Row row = row_of(x_, i);
  kernels::row_scores(row, w, outputs_, scores);
  return row.count;
}

std::int64_t OutputsMap::block_add(std::int64_t i, const double* duals, double factor,
                                   double* v) const {
  const kernels::Row row = row_of(x_, i);
  if (factor == 1.0) {
    kernels::row_add(row, duals, outputs_, v);
    return row.count;
  }
  for (std::int64_t k = 0; k < row.count; ++k)
    for (std::int64_t o = 0; o < outputs_; ++o)
      v[row.feature(k) * outputs_ + o] += factor * duals[o] * row.values[k];
  return row.count;
}

bool OutputsMap::rows(fenchel_rows* out) const { return single_.rows(out); }

}  // namespace fenchel
