#include "data/row_products.hpp"
#include "report/result.hpp"

#include <fenchel/abi.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace fenchel {
namespace {

using kernels::Row;

// A row cut to the columns that the model knows.
Row row_of(const Matrix& x, std::int64_t i, std::int64_t features) {
  Row row = fenchel::row_of(x, i);
  row.count = row.columns
                  ? std::lower_bound(row.columns, row.columns + row.count, features) - row.columns
                  : std::min(row.count, features);
  return row;
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

// The weights feature by feature, so that a row reads whole stretches of memory, with the divisors
// of the columns in them.
std::vector<double> by_feature(const Model& model) {
  std::vector<double> weights(model.weights.size());
  for (std::int64_t o = 0; o < model.outputs; ++o)
    for (std::int64_t j = 0; j < model.features; ++j)
      weights[static_cast<std::size_t>(j * model.outputs + o)] =
          model.weights[static_cast<std::size_t>(o * model.features + j)];
  if (model.normalize == Normalize::columns)
    for (std::size_t k = 0; k < weights.size(); ++k)
      weights[k] /= model.column_divisors[k / static_cast<std::size_t>(model.outputs)];
  return weights;
}

}  // namespace

std::vector<double> score_rows(const Model& model, const Matrix& x) {
  const std::vector<double> weights = by_feature(model);
  std::vector<double> scores(static_cast<std::size_t>(x.rows * model.outputs));
  for (std::int64_t i = 0; i < x.rows; ++i) {
    const Row row = row_of(x, i, model.features);
    const double divisor = model.normalize == Normalize::rows ? row_divisor(row) : 1.0;
    double* z = scores.data() + i * model.outputs;
    kernels::row_scores(row, weights.data(), model.outputs, z);
    for (std::int64_t o = 0; o < model.outputs; ++o)
      z[o] = z[o] / divisor + (model.bias.empty() ? 0.0 : model.bias[static_cast<std::size_t>(o)]);
  }
  return scores;
}

std::size_t predicted_class(const Model& model, const double* scores) {
  if (model.labels.target == FENCHEL_TARGET_BINARY) return scores[0] > model.cut ? 1 : 0;
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
