#include "data/chain_map.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace fenchel {
namespace {

constexpr int kRounds = 12;          // of the bound on |X_i|²
constexpr double kTight = 1.02;      // over the lower bound: tight enough
constexpr double kRounding = 1e-12;  // what the sums may have lost

}  // namespace

ChainMap::ChainMap(const Matrix& x, const std::vector<std::int64_t>& starts, std::int32_t labels,
                   std::vector<std::uint8_t> allowed)
    : x_(x),
      single_(x),
      products_(x, labels),
      labels_(labels),
      pairs_(std::int64_t{labels} * labels),
      allowed_(std::move(allowed)) {
  const auto n = static_cast<std::int64_t>(starts.size()) - 1;
  target_offsets_ = starts;
  score_offsets_.resize(starts.size());
  sequence_of_.resize(static_cast<std::size_t>(x.rows));
  for (std::int64_t i = 0; i <= n; ++i) {
    const auto at = static_cast<std::size_t>(i);
    score_offsets_[at] = starts[at] * labels_ + i * pairs_;
    if (i == n) break;
    std::fill(sequence_of_.begin() + starts[at], sequence_of_.begin() + starts[at + 1],
              static_cast<std::int32_t>(i));
    shape_.widest_block =
        std::max(shape_.widest_block, (starts[at + 1] - starts[at]) * labels_ + pairs_);
  }
  shape_.struct_size = sizeof shape_;
  shape_.outputs = labels;
  shape_.blocks = n;
  shape_.scores = score_offsets_.back();
  shape_.parameters = x.columns * labels_ + pairs_;
  shape_.features = x.columns;
  shape_.entries = x.entries();
  shape_.transitions = allowed_.empty() ? nullptr : allowed_.data();
  measure_blocks();
}

void ChainMap::measure_blocks() {
  std::vector<double> sums(static_cast<std::size_t>(x_.columns), 0.0);
  squared_norms_.reserve(static_cast<std::size_t>(shape_.blocks));
  for (std::size_t i = 0; i + 1 < target_offsets_.size(); ++i)
    squared_norms_.push_back(
        std::max(squared_norm_of_rows(target_offsets_[i], target_offsets_[i + 1], sums), 1.0));
}

// |X|² ≤ λ(G) for G = |X||X|ᵀ ≥ 0, with equality for X ≥ 0, and for every y > 0 (Collatz, Wielandt)
//
//   min_r (Gy)_r / y_r  ≤  λ(G)  ≤  max_r (Gy)_r / y_r;
//
// powers of G bring the two together. `sums` holds a zero for every column, before and after.
double ChainMap::squared_norm_of_rows(std::int64_t first, std::int64_t last,
                                      std::vector<double>& sums) const {
  const auto each_entry = [&](std::int64_t i, const auto& body) {
    const kernels::Row row = row_of(x_, i);
    for (std::int64_t k = 0; k < row.count; ++k)
      body(sums[static_cast<std::size_t>(row.feature(k))], std::abs(row.values[k]));
  };
  std::vector<double> y(static_cast<std::size_t>(last - first), 1.0), next(y.size());
  double best = std::numeric_limits<double>::infinity();
  for (int round = 0; round < kRounds; ++round) {
    for (std::int64_t i = first; i < last; ++i)
      each_entry(i, [scale = y[static_cast<std::size_t>(i - first)]](double& sum, double x) {
        sum += scale * x;
      });
    double high = 0.0, low = std::numeric_limits<double>::infinity(), largest = 0.0;
    for (std::size_t r = 0; r < y.size(); ++r) {
      next[r] = 0.0;
      each_entry(first + static_cast<std::int64_t>(r),
                 [&](const double& sum, double x) { next[r] += x * sum; });
      high = std::max(high, next[r] / y[r]);
      low = std::min(low, next[r] / y[r]);
      largest = std::max(largest, next[r]);
    }
    for (std::int64_t i = first; i < last; ++i)
      each_entry(i, [](double& sum, double) { sum = 0.0; });
    best = std::min(best, high);
    if (high <= kTight * low || largest == 0.0) break;
    // Any positive y gives a bound: one that all but vanishes is held.
    for (std::size_t r = 0; r < y.size(); ++r) y[r] = std::max(next[r] / largest, 1e-9);
  }
  return best * (1.0 + kRounding);
}

double ChainMap::squared_norm_bound() const {
  return std::max(single_.squared_norm_bound(), core_floor());
}

void ChainMap::apply(const Parallel& parallel, const double* w, double* scores) const {
  // A function of nothing: results do not depend on the threads.
  const std::int64_t n = shape_.blocks, tasks = std::min<std::int64_t>(32, n);
  parallel.run(tasks, [&](std::int64_t task) {
    for (std::int64_t i = n * task / tasks; i < n * (task + 1) / tasks; ++i)
      block_scores(i, w, scores + score_offset(i));
  });
}

void ChainMap::adjoint(const Parallel& parallel, const double* duals, double* v) const {
  products_.adjoint(
      parallel,
      [&](std::int64_t row) {
        return duals + row * labels_ + sequence_of_[static_cast<std::size_t>(row)] * pairs_;
      },
      v);
  double* transitions = v + x_.columns * labels_;
  std::fill(transitions, transitions + pairs_, 0.0);
  for (std::int64_t i = 0; i < shape_.blocks; ++i) {
    const double* of_block = duals + score_offset(i + 1) - pairs_;
    for (std::int64_t p = 0; p < pairs_; ++p) transitions[p] += of_block[p];
  }
}

std::int64_t ChainMap::block_scores(std::int64_t i, const double* w, double* scores) const {
  const std::int64_t end = target_offsets_[static_cast<std::size_t>(i) + 1];
  std::int64_t touched = 0;
  for (std::int64_t t = target_offsets_[static_cast<std::size_t>(i)]; t < end; ++t) {
    const kernels::Row row = row_of(x_, t);
    kernels::row_scores(row, w, labels_, scores);
    scores += labels_;
    touched += row.count;
  }
  std::copy_n(w + x_.columns * labels_, pairs_, scores);
  return touched;
}

std::int64_t ChainMap::block_add(std::int64_t i, const double* duals, double factor,
                                 double* v) const {
  const std::int64_t end = target_offsets_[static_cast<std::size_t>(i) + 1];
  std::int64_t touched = 0;
  for (std::int64_t t = target_offsets_[static_cast<std::size_t>(i)]; t < end; ++t) {
    touched += products_.add(t, duals, factor, v);
    duals += labels_;
  }
  double* transitions = v + x_.columns * labels_;
  for (std::int64_t p = 0; p < pairs_; ++p) transitions[p] += factor * duals[p];
  return touched;
}

}  // namespace fenchel
