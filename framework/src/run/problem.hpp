// J(w) = Ω(w) + (1/n) Σ φᵢ(zᵢ), z = A w: the composed problem with its oracles, evaluated on the
// host's threads. Sums are taken over cuts that depend on the data alone, so no result depends on
// the number of threads. A part that fails or returns NaN surfaces as Error (plugin_failed).
#pragma once

#include "base/error.hpp"
#include "calculus/constants.hpp"
#include "data/linear_map.hpp"
#include "plugin/parts.hpp"
#include "run/parallel.hpp"

#include <cstdint>
#include <functional>
#include <vector>

namespace fenchel {

class Problem {
 public:
  // The same data under another loss and regularizer.
  Problem(const Problem& like, LossPart loss, RegularizerPart regularizer);
  Problem(const LinearMap& map, std::vector<double> targets, LossPart loss,
          RegularizerPart regularizer, const Parallel& parallel);

  const LinearMap& map() const { return map_; }
  const Parallel& parallel() const { return parallel_; }
  const fenchel_shape& shape() const { return map_.shape(); }
  const LossPart& loss() const { return loss_; }
  const RegularizerPart& regularizer() const { return regularizer_; }
  // Those that Ω does not see: their dual is {0}. Increasing.
  const std::vector<std::int32_t>& free_parameters() const { return free_; }
  const Constants& constants() const { return constants_; }

  void apply(const double* w, double* scores) const { map_.apply(parallel_, w, scores); }
  void adjoint(const double* duals, double* v) const;  // with the 1/n

  double risk(const double* scores) const;
  void loss_gradient(const double* scores, double* gradient) const;
  double risk_conjugate(const double* duals) const;
  void loss_prox(const double* scores, double step, double* out) const;
  void project_dual(double* duals) const;

  double omega(const double* w) const;
  void omega_prox(const double* w, double step, double* out) const;
  double omega_conjugate(const double* v) const;
  void omega_conjugate_gradient(const double* v, double* out) const;
  double dual_scale(const double* v) const;

  // Consecutive blocks as a loss wants them.
  fenchel_batch batch(std::int64_t first, std::int64_t count) const;

 private:
  using Cut = std::function<void(std::int64_t first, std::int64_t count, std::int64_t task)>;
  void each_block_range(const Cut& body) const;
  void each_parameter_range(const Cut& body) const;
  double mean_over_blocks(
      const char* oracle,
      const std::function<std::int32_t(const fenchel_batch&, std::int64_t, double*)>& values) const;
  double omega_sum(const char* oracle,
                   std::int32_t (*call)(const void*, const fenchel_coords*, const double*, double*),
                   const double* x) const;

  const LinearMap& map_;
  std::vector<double> targets_;
  LossPart loss_;
  RegularizerPart regularizer_;
  std::vector<std::int32_t> free_;
  const Parallel& parallel_;
  Constants constants_;
  std::int64_t target_width_;  // targets a block, where all have the same size
  std::int64_t block_tasks_;
  std::int64_t parameter_tasks_;
  std::int64_t scratch_size_ = 0;
  mutable std::vector<double> scratch_;  // one piece a task
  mutable std::vector<double> values_;   // one a block
};

// The error of a part whose call failed, with what the plugin says of it.
Error part_failure(const char* kind, const Part& part, const std::string& what);

}  // namespace fenchel
