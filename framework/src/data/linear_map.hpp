// The linear map A from parameters to scores, cut into blocks.
#pragma once

#include "data/matrix.hpp"
#include "data/row_products.hpp"
#include "run/parallel.hpp"

#include <fenchel/abi.h>

#include <cstdint>
#include <vector>

namespace fenchel {

class LinearMap {
 public:
  LinearMap() = default;
  LinearMap(const LinearMap&) = delete;
  LinearMap& operator=(const LinearMap&) = delete;
  virtual ~LinearMap() = default;

  const fenchel_shape& shape() const { return shape_; }
  // |A_i|^2 for each block, the squared operator norm of w -> z_i; empty where the one block is all
  // of A, whose norm takes iterations.
  const std::vector<double>& squared_norms() const { return squared_norms_; }
  // Where the scores and the targets of every block begin, and the end; empty where all blocks have
  // the same size.
  const std::vector<std::int64_t>& score_offsets() const { return score_offsets_; }
  const std::vector<std::int64_t>& target_offsets() const { return target_offsets_; }
  std::int64_t score_offset(std::int64_t block) const {
    return score_offsets_.empty() ? block * shape_.widest_block
                                  : score_offsets_[static_cast<std::size_t>(block)];
  }
  // An upper bound on |A|^2 that needs no iteration.
  virtual double squared_norm_bound() const = 0;
  // A smaller map with |A|² = max(|core|², core_floor).
  virtual const LinearMap& core() const { return *this; }
  virtual double core_floor() const { return 0.0; }

  // z = A w and v = A^T alpha. The result does not depend on the number of threads.
  virtual void apply(const Parallel& parallel, const double* w, double* scores) const = 0;
  virtual void adjoint(const Parallel& parallel, const double* duals, double* v) const = 0;

  // One block: z_i = A_i w;  v += factor A_i^T duals. Both return the stored entries touched.
  virtual std::int64_t block_scores(std::int64_t i, const double* w, double* scores) const = 0;
  virtual std::int64_t block_add(std::int64_t i, const double* duals, double factor,
                                 double* v) const = 0;

  // The rows, where A is a matrix with one row a block; false elsewhere.
  virtual bool rows(fenchel_rows* /*out*/) const { return false; }

 protected:
  fenchel_shape shape_{};
  std::vector<double> squared_norms_;
  std::vector<std::int64_t> score_offsets_, target_offsets_;
};

// One score a data row, each a block of its own. Keeps a reference to the matrix.
class RowsMap final : public LinearMap {
 public:
  explicit RowsMap(const Matrix& x);

  double squared_norm_bound() const override;
  void apply(const Parallel& parallel, const double* w, double* scores) const override;
  void adjoint(const Parallel& parallel, const double* duals, double* v) const override;
  std::int64_t block_scores(std::int64_t i, const double* w, double* scores) const override;
  std::int64_t block_add(std::int64_t i, const double* duals, double factor,
                         double* v) const override;
  bool rows(fenchel_rows* out) const override;

 private:
  const Columns& columns() const;
  void adjoint_dense(const Parallel& parallel, const double* duals, double* v) const;
  void adjoint_sparse(const Parallel& parallel, const double* duals, double* v) const;

  const Matrix& x_;
  mutable Columns columns_;  // made when several threads need it
};

// `outputs` scores a data row, z_i = Wᵀ x_i; each row a block. The weights of a feature lie
// together: parameter j · outputs + c is that of feature j and output c, so that a step on one row
// touches whole stretches of memory. Keeps a reference to the matrix.
class OutputsMap final : public LinearMap {
 public:
  OutputsMap(const Matrix& x, std::int32_t outputs);

  // W ↦ X W repeats X once for every output: the same norm.
  double squared_norm_bound() const override { return single_.squared_norm_bound(); }
  const LinearMap& core() const override { return single_; }
  void apply(const Parallel& parallel, const double* w, double* scores) const override;
  void adjoint(const Parallel& parallel, const double* duals, double* v) const override;
  std::int64_t block_scores(std::int64_t i, const double* w, double* scores) const override;
  std::int64_t block_add(std::int64_t i, const double* duals, double factor,
                         double* v) const override;
  bool rows(fenchel_rows* out) const override;

 private:
  const Matrix& x_;
  RowsMap single_;  // one output: norms, rows
  RowProducts products_;
  std::int64_t outputs_;
};

// One score a data row, all of them one block: |A_1| = |A|, and rows are not blocks. Keeps a
// reference to the matrix.
class WholeMap final : public LinearMap {
 public:
  explicit WholeMap(const Matrix& x);

  double squared_norm_bound() const override;
  void apply(const Parallel& parallel, const double* w, double* scores) const override;
  void adjoint(const Parallel& parallel, const double* duals, double* v) const override;
  std::int64_t block_scores(std::int64_t i, const double* w, double* scores) const override;
  std::int64_t block_add(std::int64_t i, const double* duals, double factor,
                         double* v) const override;

 private:
  RowsMap rows_;
};

}  // namespace fenchel
