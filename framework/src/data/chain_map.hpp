// Sequences: W for the attributes of a position and V for pairs of neighbouring labels,
//
//   A_i (W, V) = (X_i W, V)      T_i × k position scores, then the k × k transition scores.
//
// AᵀA is block diagonal: XᵀX on every column of W and n I on V, so that |A|² = max(|X|², n) and
// |A_i|² = max(|X_i|², 1).
#pragma once

#include "data/linear_map.hpp"

namespace fenchel {

// Sequence i has the rows starts[i] … starts[i + 1] − 1. Keeps references to matrix and starts.
class ChainMap final : public LinearMap {
 public:
  // `allowed` as fenchel_shape::transitions, or empty.
  ChainMap(const Matrix& x, const std::vector<std::int64_t>& starts, std::int32_t labels,
           std::vector<std::uint8_t> allowed = {});

  double squared_norm_bound() const override;
  const LinearMap& core() const override { return single_; }
  double core_floor() const override { return static_cast<double>(shape_.blocks); }
  void apply(const Parallel& parallel, const double* w, double* scores) const override;
  void adjoint(const Parallel& parallel, const double* duals, double* v) const override;
  std::int64_t block_scores(std::int64_t i, const double* w, double* scores) const override;
  std::int64_t block_add(std::int64_t i, const double* duals, double factor,
                         double* v) const override;

 private:
  void measure_blocks();
  double squared_norm_of_rows(std::int64_t first, std::int64_t last,
                              std::vector<double>& sums) const;

  const Matrix& x_;
  RowsMap single_;  // one label
  RowProducts products_;
  std::int64_t labels_, pairs_;  // k and k²
  std::vector<std::uint8_t> allowed_;
  std::vector<std::int32_t> sequence_of_;  // a row
};

}  // namespace fenchel
