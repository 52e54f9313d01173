#include "report/ranking.hpp"

#include <fenchel/abi.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace fenchel {
namespace {

// Rows of one score, and how many of them are positive.
struct Group {
  double score;
  std::int64_t rows, positives;
};

std::vector<Group> groups_downwards(const std::vector<double>& scores,
                                    const std::vector<double>& targets) {
  std::vector<std::size_t> order(scores.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return scores[a] > scores[b]; });
  std::vector<Group> groups;
  for (const std::size_t i : order) {
    if (groups.empty() || groups.back().score != scores[i]) groups.push_back({scores[i], 0, 0});
    ++groups.back().rows;
    if (targets[i] > 0.0) ++groups.back().positives;
  }
  return groups;
}

// Between two neighbouring scores, and never on the upper one: a score is predicted positive where
// it is above the threshold.
double between(double upper, double lower) {
  const double middle = lower + 0.5 * (upper - lower);
  return middle < upper ? middle : lower;
}

}  // namespace

// From the sum of the positives' ranks (Mann-Whitney), tied scores taking their average rank.
double area_under_curve(const std::vector<double>& scores, const std::vector<double>& targets) {
  double above = 0.0, positives = 0.0, rank_sum = 0.0;
  const auto rows = static_cast<double>(scores.size());
  for (const Group& group : groups_downwards(scores, targets)) {
    const auto count = static_cast<double>(group.rows), tied = static_cast<double>(group.positives);
    rank_sum += tied * (rows - above - 0.5 * (count - 1.0));
    above += count;
    positives += tied;
  }
  return (rank_sum - positives * (positives + 1.0) / 2.0) / (positives * (rows - positives));
}

std::vector<CurvePoint> precision_recall(const std::vector<double>& scores,
                                         const std::vector<double>& targets) {
  const auto positives = static_cast<double>(
      std::count_if(targets.begin(), targets.end(), [](double y) { return y > 0.0; }));
  std::vector<CurvePoint> curve;
  if (positives == 0.0) return curve;
  double rows = 0.0, hits = 0.0;
  for (const Group& group : groups_downwards(scores, targets)) {
    rows += static_cast<double>(group.rows);
    hits += static_cast<double>(group.positives);
    curve.push_back({group.score, hits / rows, hits / positives});
  }
  return curve;
}

double average_precision(const std::vector<CurvePoint>& curve) {
  if (curve.empty()) return std::numeric_limits<double>::quiet_NaN();
  double sum = 0.0, before = 0.0;
  for (const CurvePoint& point : curve) {
    sum += (point.recall - before) * point.precision;
    before = point.recall;
  }
  return sum;
}

std::vector<CurvePoint> thinned(const std::vector<CurvePoint>& curve) {
  constexpr std::size_t kMost = Metrics::kMostCurve;
  if (curve.size() <= kMost) return curve;
  std::vector<CurvePoint> few;
  for (std::size_t k = 0; k < kMost; ++k)
    few.push_back(curve[k * (curve.size() - 1) / (kMost - 1)]);
  return few;
}

std::optional<double> best_threshold(const LabelMap& labels, const std::vector<double>& scores,
                                     const std::vector<double>& targets) {
  const auto unusable = [](double score) { return !std::isfinite(score); };
  if (labels.target != FENCHEL_TARGET_BINARY || scores.empty() ||
      std::any_of(scores.begin(), scores.end(), unusable))
    return std::nullopt;
  const std::vector<CurvePoint> curve = precision_recall(scores, targets);
  double best = 0.0;
  std::optional<double> threshold;
  for (std::size_t k = 0; k < curve.size(); ++k) {
    const CurvePoint& point = curve[k];
    if (point.recall == 0.0) continue;
    const double f1 = 2.0 * point.precision * point.recall / (point.precision + point.recall);
    if (f1 <= best) continue;
    best = f1;
    threshold = k + 1 < curve.size() ? between(point.threshold, curve[k + 1].threshold)
                                     : point.threshold - (1.0 + std::abs(point.threshold));
  }
  return threshold;
}

}  // namespace fenchel
