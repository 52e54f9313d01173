#include "report/ranking.hpp"

#include <fenchel/abi.h>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numeric>

namespace fenchel {
namespace {

std::optional<double> ratio(std::int64_t part, std::int64_t whole) {
  if (whole == 0) return std::nullopt;
  return static_cast<double>(part) / static_cast<double>(whole);
}

// Rows by true class, by predicted class, and those that are right; all of them as pairs where
// there are few enough classes.
struct Counts {
  std::vector<std::int64_t> truth, guess, right, pairs;

  Counts(const Model& model, const std::vector<double>& scores,
         const std::vector<double>& targets) {
    const std::size_t classes = model.labels.labels.size();
    const bool binary = model.labels.target == FENCHEL_TARGET_BINARY;
    for (auto* counts : {&truth, &guess, &right}) counts->resize(classes);
    if (classes <= Metrics::kMostConfusion) pairs.resize(classes * classes);
    for (std::size_t i = 0; i < targets.size(); ++i) {
      const auto t = static_cast<std::size_t>(binary ? (targets[i] > 0.0 ? 1.0 : 0.0) : targets[i]);
      const std::size_t g =
          predicted_class(model, scores.data() + i * static_cast<std::size_t>(model.outputs));
      ++truth[t];
      ++guess[g];
      if (t == g) ++right[t];
      if (!pairs.empty()) ++pairs[t * classes + g];
    }
  }
};

// What is told of every class, and the accuracy.
Metrics classified(const Model& model, const std::vector<double>& scores,
                   const std::vector<double>& targets) {
  Counts counts(model, scores, targets);
  Metrics metrics;
  for (std::size_t k = 0; k < counts.truth.size(); ++k) {
    const std::int64_t truth = counts.truth[k], guess = counts.guess[k], right = counts.right[k];
    metrics.classes.push_back({.label = model.labels.labels[k],
                               .support = truth,
                               .precision = ratio(right, guess),
                               .recall = ratio(right, truth),
                               .f1 = ratio(2 * right, truth + guess)});
  }
  const auto right = std::accumulate(counts.right.begin(), counts.right.end(), std::int64_t{0});
  metrics.values["accuracy"] = static_cast<double>(right) / static_cast<double>(targets.size());
  metrics.confusion = std::move(counts.pairs);
  return metrics;
}

// -log of the probability 1/(1 + exp(-y z)), which is log(1 + exp(-y z)), without overflow.
double log_loss(const std::vector<double>& scores, const std::vector<double>& targets) {
  double sum = 0.0;
  for (std::size_t i = 0; i < scores.size(); ++i) {
    const double margin = targets[i] * scores[i];
    sum += std::max(-margin, 0.0) + std::log1p(std::exp(-std::abs(margin)));
  }
  return sum / static_cast<double>(scores.size());
}

Metrics binary_metrics(const Model& model, const std::vector<double>& scores,
                       const std::vector<double>& targets) {
  Metrics metrics = classified(model, scores, targets);
  const ClassMetrics& positive = metrics.classes[1];
  const auto put = [&](const char* name, std::optional<double> value) {
    if (value) metrics.values[name] = *value;
  };
  put("f1", positive.f1);
  put("precision", positive.precision);
  put("recall", positive.recall);
  put("auc", area_under_curve(scores, targets));
  const std::vector<CurvePoint> curve = precision_recall(scores, targets);
  put("average_precision", average_precision(curve));
  metrics.curve = thinned(curve);
  if (model.threshold) {
    Model cut = model;
    cut.cut = *model.threshold;
    put("threshold", model.threshold);
    put("f1_at_threshold", classified(cut, scores, targets).classes[1].f1);
  }
  if (model.loss == "logistic") put("log_loss", log_loss(scores, targets));
  return metrics;
}

Metrics class_metrics(const Model& model, const std::vector<double>& scores,
                      const std::vector<double>& targets) {
  Metrics metrics = classified(model, scores, targets);
  // The mean is over the classes that occur, among the targets or the predictions.
  double sum = 0.0, occurring = 0.0;
  for (const ClassMetrics& one : metrics.classes) {
    if (!one.f1) continue;
    sum += *one.f1;
    occurring += 1.0;
  }
  metrics.values["macro_f1"] = sum / occurring;
  return metrics;
}

Metrics real_metrics(const std::vector<double>& scores, const std::vector<double>& targets) {
  const auto n = static_cast<double>(targets.size());
  const double mean = std::accumulate(targets.begin(), targets.end(), 0.0) / n;
  const auto [low, high] = std::minmax_element(targets.begin(), targets.end());
  double squared = 0.0, absolute = 0.0, spread = 0.0;
  for (std::size_t i = 0; i < targets.size(); ++i) {
    const double residual = scores[i] - targets[i];
    squared += residual * residual;
    absolute += std::abs(residual);
    spread += (targets[i] - mean) * (targets[i] - mean);
  }
  Metrics metrics;
  metrics.values = {{"rmse", std::sqrt(squared / n)}, {"mae", absolute / n}};
  // Not asked of `spread`, which rounding keeps from being zero.
  if (*low < *high) metrics.values["r2"] = 1.0 - squared / spread;
  return metrics;
}

}  // namespace

Metrics evaluate(const Model& model, const std::vector<double>& scores,
                 const std::vector<double>& targets) {
  if (model.labels.target == FENCHEL_TARGET_NONE) return {};
  assert(scores.size() == targets.size() * static_cast<std::size_t>(model.outputs));
  const auto is_nan = [](double score) { return std::isnan(score); };
  if (targets.empty() || std::any_of(scores.begin(), scores.end(), is_nan)) return {};
  Metrics metrics;
  switch (model.labels.target) {
    case FENCHEL_TARGET_BINARY: metrics = binary_metrics(model, scores, targets); break;
    case FENCHEL_TARGET_CLASS: metrics = class_metrics(model, scores, targets); break;
    default: metrics = real_metrics(scores, targets);
  }
  std::erase_if(metrics.values, [](const auto& metric) { return !std::isfinite(metric.second); });
  return metrics;
}

}  // namespace fenchel
