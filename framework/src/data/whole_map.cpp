#include "data/linear_map.hpp"

namespace fenchel {

WholeMap::WholeMap(const Matrix& x) : rows_(x) {
  shape_ = rows_.shape();
  shape_.blocks = 1;
  shape_.widest_block = shape_.scores;
}

double WholeMap::squared_norm_bound() const { return rows_.squared_norm_bound(); }

void WholeMap::apply(const Parallel& parallel, const double* w, double* scores) const {
  rows_.apply(parallel, w, scores);
}

void WholeMap::adjoint(const Parallel& parallel, const double* duals, double* v) const {
  rows_.adjoint(parallel, duals, v);
}

std::int64_t WholeMap::block_scores(std::int64_t, const double* w, double* scores) const {
  std::int64_t touched = 0;
  for (std::int64_t i = 0; i < shape_.scores; ++i) touched += rows_.block_scores(i, w, scores + i);
  return touched;
}

std::int64_t WholeMap::block_add(std::int64_t, const double* duals, double factor,
                                 double* v) const {
  std::int64_t touched = 0;
  for (std::int64_t i = 0; i < shape_.scores; ++i)
    touched += rows_.block_add(i, duals + i, factor, v);
  return touched;
}

}  // namespace fenchel
