#include "data/linear_map.hpp"

#include <algorithm>

namespace fenchel {

OutputsMap::OutputsMap(const Matrix& x, std::int32_t outputs)
    : x_(x), single_(x), products_(x, outputs), outputs_(outputs) {
  shape_ = single_.shape();
  shape_.outputs = outputs;
  shape_.scores = x.rows * outputs;
  shape_.widest_block = outputs;
  shape_.parameters = x.columns * outputs;
  squared_norms_ = single_.squared_norms();
}

void OutputsMap::apply(const Parallel& parallel, const double* w, double* scores) const {
  // A function of nothing: results do not depend on the threads.
  const std::int64_t tasks = std::min<std::int64_t>(32, x_.rows);
  parallel.run(tasks, [&](std::int64_t task) {
    const std::int64_t end = x_.rows * (task + 1) / tasks;
    for (std::int64_t i = x_.rows * task / tasks; i < end; ++i)
      block_scores(i, w, scores + i * outputs_);
  });
}

void OutputsMap::adjoint(const Parallel& parallel, const double* duals, double* v) const {
  products_.adjoint(
      parallel, [&](std::int64_t i) { return duals + i * outputs_; }, v);
}

std::int64_t OutputsMap::block_scores(std::int64_t i, const double* w, double* scores) const {
  const kernels::Row row = row_of(x_, i);
  kernels::row_scores(row, w, outputs_, scores);
  return row.count;
}

std::int64_t OutputsMap::block_add(std::int64_t i, const double* duals, double factor,
                                   double* v) const {
  return products_.add(i, duals, factor, v);
}

bool OutputsMap::rows(fenchel_rows* out) const { return single_.rows(out); }

}  // namespace fenchel
