// The weights of a dual method, one row at a time.
//
//   Ω̃(w) = Ω(w) + (κ/2)‖w‖² − κ⟨y, w⟩,    v = (1/n) Σ xᵢ αᵢᵀ,    w = ∇Ω̃*(v)
//
// κ = 0 is the plain problem. Where Ω = (μ/2)‖w‖² the weights w = (v + κy)/(μ + κ) themselves are
// kept; elsewhere s = v + κy, and w = ∇Ω*(s), or prox_{Ω/κ}(s/κ) for κ > 0, is taken on the support
// of a row alone. A row touches `outputs` neighbouring numbers for each of its entries.
#pragma once

#include <fenchel/kernels/rows.hpp>
#include <fenchel/sdk/solver.hpp>

#include <algorithm>
#include <limits>
#include <vector>

namespace fenchel::sdk::dual {

class RowWeights {
 public:
  void start(Problem problem, double kappa) {
    problem_ = problem;
    raw_ = &problem.raw();
    rows_ = problem.rows();
    width_ = problem.shape().outputs;
    kappa_ = kappa;
    n_ = static_cast<double>(problem.blocks());
    mu_ = problem.constant(About::regularizer, FENCHEL_FACT_STRONG_CONVEXITY);
    quadratic_ = problem.constant(About::regularizer, FENCHEL_FACT_QUADRATIC) > 0.0;
    state_ = problem.numbers(quadratic_ ? "weights" : "v", problem.parameters());
    if (kappa > 0.0) center_ = problem.numbers("center", problem.parameters());
    if (quadratic_) return;
    weights_.resize(static_cast<std::size_t>(problem.parameters()));
    support_.resize(static_cast<std::size_t>(longest_row() * width_));
    if (width_ == 1 || !rows_.columns) return;
    if (problem.parameters() > std::numeric_limits<std::int32_t>::max())
      throw std::runtime_error("features times classes exceed what a list of coordinates can hold");
    coords_.resize(support_.size());
  }

  const fenchel_rows& rows() const { return rows_; }
  std::int64_t entries(std::int64_t i) const { return kernels::row_entries(rows_, i); }
  double modulus() const { return mu_ + kappa_; }

  // z = wᵀxᵢ, and for a block z = Wᵀxᵢ.
  double score(std::int64_t i) {
    double z = 0.0;
    const Row row = seen(at(i));
    kernels::row_scores(row, seen_weights_, 1, &z);
    return z;
  }
  void scores(std::int64_t i, double* z) {
    const Row row = seen(at(i));
    kernels::row_scores(row, seen_weights_, width_, z);
  }

  // αᵢ has changed by this much; a block's change is scaled in place.
  void add(std::int64_t i, double change) {
    change /= scale();
    kernels::row_add(at(i), &change, 1, state_);
  }
  void add(std::int64_t i, double* change) {
    for (std::int64_t c = 0; c < width_; ++c) change[c] /= scale();
    kernels::row_add(at(i), change, width_, state_);
  }

  // Anew from α: the rounding errors of the running sums are gone.
  void refresh(const double* alpha) {
    problem_.adjoint(alpha, state_);
    const double divisor = quadratic_ ? modulus() : 1.0;
    for (std::int64_t j = 0; j < problem_.parameters(); ++j)
      state_[j] = (state_[j] + (center_ ? kappa_ * center_[j] : 0.0)) / divisor;
  }

  // For κ > 0: y becomes `center`.
  void move_center(const double* center) {
    const double factor = kappa_ / (quadratic_ ? modulus() : 1.0);
    for (std::int64_t j = 0; j < problem_.parameters(); ++j) {
      state_[j] += factor * (center[j] - center_[j]);
      center_[j] = center[j];
    }
  }
  const double* center() const { return center_; }

  // All of w; holds until the next change.
  const double* all() {
    if (quadratic_) return state_;
    if (kappa_ > 0.0) {
      for (std::size_t j = 0; j < weights_.size(); ++j) weights_[j] = state_[j] / kappa_;
      problem_.omega_prox(weights_.data(), 1.0 / kappa_, weights_.data());
    } else {
      problem_.omega_conjugate_gradient(state_, weights_.data());
    }
    return weights_.data();
  }

  // A row ahead in a random order is not in the cache: ask for it early.
  void prefetch_start(std::int64_t i) const {
    if (rows_.starts) __builtin_prefetch(rows_.starts + i);
  }
  void prefetch(std::int64_t i) const {
    const Row row = at(i);
    constexpr std::int64_t kLine = 8, kMost = 4 * kLine;  // doubles in a cache line
    for (std::int64_t k = 0; k < std::min(row.count + kLine, kMost); k += kLine) {
      __builtin_prefetch(row.values + k);
      if (row.columns && k % (2 * kLine) == 0) __builtin_prefetch(row.columns + k);
    }
  }

 private:
  using Row = kernels::Row;
  Row at(std::int64_t i) const { return kernels::row_at(rows_, i); }
  std::int64_t longest_row() const {
    std::int64_t longest = 0;
    for (std::int64_t i = 0; i < rows_.count; ++i) longest = std::max(longest, entries(i));
    return longest;
  }
  double scale() const { return n_ * (quadratic_ ? modulus() : 1.0); }

  // A row and the weights that it meets: its own features of w, or w on its support, packed.
  Row seen(const Row& row) {
    seen_weights_ = quadratic_ ? state_ : on_support(row);
    return {row.count, quadratic_ ? row.columns : nullptr, row.values};
  }
  const double* on_support(const Row& row) {
    const double factor = kappa_ > 0.0 ? 1.0 / kappa_ : 1.0;
    double* out = support_.data();
    for (std::int64_t k = 0; k < row.count; ++k) {
      const double* from = state_ + row.feature(k) * width_;
      for (std::int64_t c = 0; c < width_; ++c) *out++ = factor * from[c];
    }
    const fenchel_coords coords{sizeof(fenchel_coords), 0, 0, row.count * width_, list(row)};
    double* w = support_.data();
    Problem::call(
        kappa_ > 0.0
            ? raw_->regularizer->prox(raw_->regularizer_self, &coords, w, 1.0 / kappa_, w)
            : raw_->regularizer->conjugate_gradient(raw_->regularizer_self, &coords, w, w));
    return w;
  }
  const std::int32_t* list(const Row& row) {
    if (!row.columns || width_ == 1) return row.columns;
    std::int32_t* out = coords_.data();
    for (std::int64_t k = 0; k < row.count; ++k)
      for (std::int64_t c = 0; c < width_; ++c)
        *out++ = static_cast<std::int32_t>(row.columns[k] * width_ + c);
    return coords_.data();
  }

  Problem problem_;
  const fenchel_problem* raw_ = nullptr;
  fenchel_rows rows_{};
  std::int64_t width_ = 1;
  double kappa_ = 0.0, mu_ = 0.0, n_ = 1.0;
  bool quadratic_ = false;
  double* state_ = nullptr;
  double* center_ = nullptr;
  const double* seen_weights_ = nullptr;
  std::vector<double> weights_, support_;
  std::vector<std::int32_t> coords_;
};

}  // namespace fenchel::sdk::dual
