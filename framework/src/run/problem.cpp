#include "run/problem.hpp"

#include "calculus/combinators.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numeric>

namespace fenchel {
namespace {

constexpr std::int64_t kScoresPerTask = 4096;
constexpr std::int64_t kParametersPerTask = 1 << 16;

std::int64_t tasks_for(std::int64_t items, std::int64_t per_task) {
  return std::clamp<std::int64_t>(items / per_task, 1, 64);
}

void demand(std::int32_t status, const char* kind, const Part& part, const char* oracle) {
  if (status == FENCHEL_OK) return;
  const char* reason = part.explain ? part.explain() : nullptr;
  throw part_failure(kind, part,
                     std::string("'") + oracle + "' failed" +
                         (reason && *reason ? std::string(": ") + reason : ""));
}

void demand_number(double value, const char* kind, const Part& part, const char* oracle) {
  if (std::isnan(value))
    throw part_failure(kind, part, std::string("'") + oracle + "' returned NaN");
}

}  // namespace

Error part_failure(const char* kind, const Part& part, const std::string& what) {
  return {Exit::plugin_failed,
          std::string(kind) + " '" + part.id + "': " + what,
          {},
          "run 'fenchel plugins verify' on its library"};
}

Problem::Problem(const LinearMap& map, std::vector<double> targets, LossPart loss,
                 RegularizerPart regularizer, const Parallel& parallel)
    : map_(map),
      targets_(std::move(targets)),
      loss_(std::move(loss)),
      regularizer_(std::move(regularizer)),
      free_(fenchel::free_parameters(regularizer_, map.shape().parameters)),
      parallel_(parallel),
      constants_(map, loss_, regularizer_, parallel),
      target_width_(static_cast<std::int64_t>(targets_.size()) / map.shape().blocks),
      block_tasks_(std::min(tasks_for(map.shape().scores, kScoresPerTask), map.shape().blocks)),
      parameter_tasks_(1),
      values_(static_cast<std::size_t>(map.shape().blocks)) {
  if (fact_of(regularizer_, FENCHEL_FACT_SEPARABLE).state == FENCHEL_KNOWN)
    parameter_tasks_ = tasks_for(shape().parameters, kParametersPerTask);
  if (const auto scratch = FENCHEL_MEMBER(loss_.table, scratch))
    scratch_size_ = scratch(loss_.self, &shape());
  scratch_.resize(static_cast<std::size_t>(scratch_size_ * block_tasks_));
}

Problem::Problem(const Problem& like, LossPart loss, RegularizerPart regularizer)
    : Problem(like.map_, like.targets_, std::move(loss), std::move(regularizer), like.parallel_) {
  constants_.share_measurements(like.constants_);
}

fenchel_batch Problem::batch(std::int64_t first, std::int64_t count) const {
  fenchel_batch b{};
  b.struct_size = sizeof b;
  b.first = first;
  b.count = count;
  b.width = shape().widest_block;
  b.targets = targets_.empty() ? nullptr : targets_.data() + first * target_width_;
  b.target_width = target_width_;
  if (!map_.score_offsets().empty()) {
    b.offsets = map_.score_offsets().data() + first;
    b.target_offsets = map_.target_offsets().data() + first;
    if (!targets_.empty()) b.targets = targets_.data() + *b.target_offsets;
  }
  b.scratch = scratch_.data();
  return b;
}

void Problem::each_block_range(const Cut& body) const {
  const std::int64_t n = shape().blocks;
  parallel_.run(block_tasks_, [&](std::int64_t task) {
    const std::int64_t begin = n * task / block_tasks_;
    body(begin, n * (task + 1) / block_tasks_ - begin, task);
  });
}

void Problem::each_parameter_range(const Cut& body) const {
  const std::int64_t p = shape().parameters;
  parallel_.run(parameter_tasks_, [&](std::int64_t task) {
    const std::int64_t begin = p * task / parameter_tasks_;
    body(begin, p * (task + 1) / parameter_tasks_ - begin, task);
  });
}

void Problem::adjoint(const double* duals, double* v) const {
  map_.adjoint(parallel_, duals, v);
  const double scale = 1.0 / static_cast<double>(shape().blocks);
  std::for_each(v, v + shape().parameters, [scale](double& x) { x *= scale; });
}

double Problem::mean_over_blocks(
    const char* oracle,
    const std::function<std::int32_t(const fenchel_batch&, std::int64_t, double*)>& values) const {
  std::vector<double> partial(static_cast<std::size_t>(block_tasks_));
  each_block_range([&](std::int64_t first, std::int64_t count, std::int64_t task) {
    fenchel_batch b = batch(first, count);
    b.scratch = scratch_.data() + task * scratch_size_;
    demand(values(b, map_.score_offset(first), values_.data() + first), "loss", loss_, oracle);
    partial[static_cast<std::size_t>(task)] =
        std::accumulate(values_.begin() + first, values_.begin() + first + count, 0.0);
  });
  const double sum = std::accumulate(partial.begin(), partial.end(), 0.0);
  demand_number(sum, "loss", loss_, oracle);
  return sum / static_cast<double>(shape().blocks);
}

double Problem::risk(const double* scores) const {
  return mean_over_blocks("value", [&](const fenchel_batch& b, std::int64_t offset, double* out) {
    return loss_.table->value(loss_.self, &b, scores + offset, out);
  });
}

double Problem::risk_conjugate(const double* duals) const {
  const auto conjugate = FENCHEL_MEMBER(loss_.table, conjugate);
  if (!conjugate) return std::numeric_limits<double>::infinity();  // nothing is known of it
  return mean_over_blocks("conjugate",
                          [&](const fenchel_batch& b, std::int64_t offset, double* out) {
                            return conjugate(loss_.self, &b, duals + offset, out);
                          });
}

void Problem::loss_gradient(const double* scores, double* gradient) const {
  each_block_range([&](std::int64_t first, std::int64_t count, std::int64_t task) {
    fenchel_batch b = batch(first, count);
    b.scratch = scratch_.data() + task * scratch_size_;
    const std::int64_t offset = map_.score_offset(first);
    demand(loss_.table->gradient(loss_.self, &b, scores + offset, gradient + offset), "loss", loss_,
           "gradient");
  });
}

void Problem::loss_prox(const double* scores, double step, double* out) const {
  const auto prox = FENCHEL_MEMBER(loss_.table, prox);
  if (!prox) throw part_failure("loss", loss_, "has no prox");
  each_block_range([&](std::int64_t first, std::int64_t count, std::int64_t task) {
    fenchel_batch b = batch(first, count);
    b.scratch = scratch_.data() + task * scratch_size_;
    double* steps = values_.data() + first;
    std::fill(steps, steps + count, step);
    const std::int64_t offset = map_.score_offset(first);
    demand(prox(loss_.self, &b, scores + offset, steps, out + offset), "loss", loss_, "prox");
  });
}

void Problem::project_dual(double* duals) const {
  const auto project = FENCHEL_MEMBER(loss_.table, project_dual);
  if (!project) return;
  each_block_range([&](std::int64_t first, std::int64_t count, std::int64_t task) {
    fenchel_batch b = batch(first, count);
    b.scratch = scratch_.data() + task * scratch_size_;
    demand(project(loss_.self, &b, duals + map_.score_offset(first)), "loss", loss_,
           "project_dual");
  });
}

double Problem::omega_sum(const char* oracle,
                          std::int32_t (*call)(const void*, const fenchel_coords*, const double*,
                                               double*),
                          const double* x) const {
  if (!call) throw part_failure("regularizer", regularizer_, std::string("has no ") + oracle);
  std::vector<double> partial(static_cast<std::size_t>(parameter_tasks_));
  each_parameter_range([&](std::int64_t begin, std::int64_t count, std::int64_t task) {
    const fenchel_coords c{sizeof(fenchel_coords), 0, begin, count, nullptr};
    demand(call(regularizer_.self, &c, x + begin, &partial[static_cast<std::size_t>(task)]),
           "regularizer", regularizer_, oracle);
  });
  const double sum = std::accumulate(partial.begin(), partial.end(), 0.0);
  demand_number(sum, "regularizer", regularizer_, oracle);
  return sum;
}

double Problem::omega(const double* w) const {
  return omega_sum("value", regularizer_.table->value, w);
}

double Problem::omega_conjugate(const double* v) const {
  return omega_sum("conjugate", FENCHEL_MEMBER(regularizer_.table, conjugate), v);
}

void Problem::omega_prox(const double* w, double step, double* out) const {
  const auto prox = FENCHEL_MEMBER(regularizer_.table, prox);
  if (!prox) throw part_failure("regularizer", regularizer_, "has no prox");
  each_parameter_range([&](std::int64_t begin, std::int64_t count, std::int64_t) {
    const fenchel_coords c{sizeof(fenchel_coords), 0, begin, count, nullptr};
    demand(prox(regularizer_.self, &c, w + begin, step, out + begin), "regularizer", regularizer_,
           "prox");
  });
}

void Problem::omega_conjugate_gradient(const double* v, double* out) const {
  const auto gradient = FENCHEL_MEMBER(regularizer_.table, conjugate_gradient);
  if (!gradient) throw part_failure("regularizer", regularizer_, "has no conjugate_gradient");
  each_parameter_range([&](std::int64_t begin, std::int64_t count, std::int64_t) {
    const fenchel_coords c{sizeof(fenchel_coords), 0, begin, count, nullptr};
    demand(gradient(regularizer_.self, &c, v + begin, out + begin), "regularizer", regularizer_,
           "conjugate_gradient");
  });
}

// The smallest scale over the ranges: every range of a separable Ω must be feasible.
double Problem::dual_scale(const double* v) const {
  const auto scale = FENCHEL_MEMBER(regularizer_.table, dual_scale);
  if (!scale) return 1.0;
  std::vector<double> partial(static_cast<std::size_t>(parameter_tasks_), 1.0);
  each_parameter_range([&](std::int64_t begin, std::int64_t count, std::int64_t task) {
    const fenchel_coords c{sizeof(fenchel_coords), 0, begin, count, nullptr};
    demand(scale(regularizer_.self, &c, v + begin, &partial[static_cast<std::size_t>(task)]),
           "regularizer", regularizer_, "dual_scale");
  });
  const double least = *std::min_element(partial.begin(), partial.end());
  demand_number(least, "regularizer", regularizer_, "dual_scale");
  return std::clamp(least, 0.0, 1.0);
}

}  // namespace fenchel
