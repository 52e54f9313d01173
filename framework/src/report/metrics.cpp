#include "report/result.hpp"

#include <fenchel/abi.h>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numeric>

namespace fenchel {
namespace {

// A score counts as positive where predicted_label says so.
bool positive(double score) { return score > 0.0; }

// 2 tp / (2 tp + fp + fn); NaN where there is nothing to count.
double f1_score(double tp, double fp, double fn) { return 2.0 * tp / (2.0 * tp + fp + fn); }

// Area under the ROC curve = P(score of a positive > score of a negative) + P(tie)/2, from the sum
// of the positives' ranks (Mann-Whitney), tied scores taking their average rank. O(n log n). NaN
// with one class only.
double area_under_curve(const std::vector<double>& scores, const std::vector<double>& targets) {
  std::vector<std::size_t> order(scores.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return scores[a] < scores[b]; });
  double positives = 0.0;
  double rank_sum = 0.0;
  for (std::size_t begin = 0, end = 0; begin < order.size(); begin = end) {
    double tied = 0.0;
    for (end = begin; end < order.size() && scores[order[end]] == scores[order[begin]]; ++end)
      tied += targets[order[end]] > 0.0 ? 1.0 : 0.0;
    positives += tied;
    rank_sum += tied * (static_cast<double>(begin + 1) + static_cast<double>(end)) / 2.0;
  }
  const double negatives = static_cast<double>(scores.size()) - positives;
  return (rank_sum - positives * (positives + 1.0) / 2.0) / (positives * negatives);
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
  double tp = 0, fp = 0, fn = 0, tn = 0;
  for (std::size_t i = 0; i < scores.size(); ++i) {
    if (targets[i] > 0.0) {
      (positive(scores[i]) ? tp : fn) += 1.0;
    } else {
      (positive(scores[i]) ? fp : tn) += 1.0;
    }
  }
  Metrics metrics{{"accuracy", (tp + tn) / static_cast<double>(scores.size())},
                  {"f1", f1_score(tp, fp, fn)},
                  {"precision", tp / (tp + fp)},
                  {"recall", tp / (tp + fn)},
                  {"auc", area_under_curve(scores, targets)}};
  if (model.loss == "logistic") metrics["log_loss"] = log_loss(scores, targets);
  return metrics;
}

Metrics class_metrics(const Model& model, const std::vector<double>& scores,
                      const std::vector<double>& targets) {
  const auto classes = static_cast<std::size_t>(model.outputs);
  std::vector<double> tp(classes), fp(classes), fn(classes);
  for (std::size_t i = 0; i < targets.size(); ++i) {
    const double* row = scores.data() + i * classes;
    const auto guess = static_cast<std::size_t>(std::max_element(row, row + classes) - row);
    const auto truth = static_cast<std::size_t>(targets[i]);
    if (guess == truth) {
      tp[truth] += 1.0;
    } else {
      fp[guess] += 1.0;
      fn[truth] += 1.0;
    }
  }
  // The mean is over the classes that occur, among the targets or the predictions.
  double sum = 0.0;
  double occurring = 0.0;
  for (std::size_t k = 0; k < classes; ++k) {
    if (tp[k] + fp[k] + fn[k] == 0.0) continue;
    sum += f1_score(tp[k], fp[k], fn[k]);
    occurring += 1.0;
  }
  const double right = std::accumulate(tp.begin(), tp.end(), 0.0);
  return {{"accuracy", right / static_cast<double>(targets.size())}, {"macro_f1", sum / occurring}};
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
  Metrics metrics{{"rmse", std::sqrt(squared / n)}, {"mae", absolute / n}};
  // Not asked of `spread`, which rounding keeps from being zero.
  if (*low < *high) metrics["r2"] = 1.0 - squared / spread;
  return metrics;
}

}  // namespace

Metrics evaluate(const Model& model, const std::vector<double>& scores,
                 const std::vector<double>& targets) {
  assert(scores.size() == targets.size() * static_cast<std::size_t>(model.outputs));
  const auto is_nan = [](double score) { return std::isnan(score); };
  if (targets.empty() || std::any_of(scores.begin(), scores.end(), is_nan)) return {};
  Metrics metrics;
  switch (model.labels.target) {
    case FENCHEL_TARGET_BINARY: metrics = binary_metrics(model, scores, targets); break;
    case FENCHEL_TARGET_CLASS: metrics = class_metrics(model, scores, targets); break;
    default: metrics = real_metrics(scores, targets);
  }
  std::erase_if(metrics, [](const auto& metric) { return !std::isfinite(metric.second); });
  return metrics;
}

}  // namespace fenchel
