#include "report/result.hpp"

#include <fenchel/abi.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace fenchel {
namespace {

// One row of either storage, cut to the columns that the model knows.
struct Row {
  const double* values;
  const std::int32_t* indices;  // null: dense
  std::int64_t count;

  std::int64_t column(std::int64_t k) const { return indices != nullptr ? indices[k] : k; }
};

Row row_of(const Matrix& x, std::int64_t i, std::int64_t features) {
  if (x.dense) return {x.values.data() + i * x.columns, nullptr, std::min(x.columns, features)};
  const std::int64_t begin = x.starts[static_cast<std::size_t>(i)];
  const std::int64_t end = x.starts[static_cast<std::size_t>(i) + 1];
  const std::int32_t* first = x.indices.data() + begin;
  const std::int32_t* last = std::lower_bound(first, x.indices.data() + end, features);
  return {x.values.data() + begin, first, last - first};
}

// What the row's values are divided by: its norm, or 1 for a row of zeros. Scaled by the largest
// value, so that squares neither overflow nor vanish.
double row_divisor(const Row& row) {
  double largest = 0.0;
  for (std::int64_t k = 0; k < row.count; ++k) largest = std::max(largest, std::abs(row.values[k]));
  if (largest == 0.0) return 1.0;
  double sum = 0.0;
  for (std::int64_t k = 0; k < row.count; ++k) {
    const double ratio = row.values[k] / largest;
    sum += ratio * ratio;
  }
  return largest * std::sqrt(sum);
}

double dot(const Row& row, const double* weights, const double* divisors) {
  double sum = 0.0;
  for (std::int64_t k = 0; k < row.count; ++k) {
    const std::int64_t j = row.column(k);
    sum += weights[j] * (divisors != nullptr ? row.values[k] / divisors[j] : row.values[k]);
  }
  return sum;
}

}  // namespace

std::vector<double> score_rows(const Model& model, const Matrix& x) {
  const double* divisors =
      model.normalize == Normalize::columns ? model.column_divisors.data() : nullptr;
  std::vector<double> scores;
  scores.reserve(static_cast<std::size_t>(x.rows * model.outputs));
  for (std::int64_t i = 0; i < x.rows; ++i) {
    const Row row = row_of(x, i, model.features);
    const double divisor = model.normalize == Normalize::rows ? row_divisor(row) : 1.0;
    for (std::int64_t o = 0; o < model.outputs; ++o) {
      const double bias = model.bias.empty() ? 0.0 : model.bias[static_cast<std::size_t>(o)];
      const double* weights = model.weights.data() + o * model.features;
      scores.push_back(dot(row, weights, divisors) / divisor + bias);
    }
  }
  return scores;
}

std::size_t predicted_class(const Model& model, const double* scores) {
  if (model.labels.target == FENCHEL_TARGET_BINARY) return scores[0] > 0.0 ? 1 : 0;
  return static_cast<std::size_t>(std::max_element(scores, scores + model.outputs) - scores);
}

std::string predicted_label(const Model& model, const double* scores) {
  switch (model.labels.target) {
    case FENCHEL_TARGET_BINARY:
    case FENCHEL_TARGET_CLASS: return model.labels.labels[predicted_class(model, scores)];
    default: return fmt::format("{}", scores[0]);
  }
}

}  // namespace fenchel
