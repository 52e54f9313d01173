// What the order of the scores of a binary problem is worth: curves, areas and thresholds. Targets
// are -1 and +1. All in O(n log n).
#pragma once

#include "report/result.hpp"

#include <optional>
#include <vector>

namespace fenchel {

// Area under the ROC curve = P(score of a positive > score of a negative) + P(tie)/2; NaN with one
// class only.
double area_under_curve(const std::vector<double>& scores, const std::vector<double>& targets);

// Precision and recall of "at least this score", for every score that occurs, from the largest
// down. Nothing without positives.
std::vector<CurvePoint> precision_recall(const std::vector<double>& scores,
                                         const std::vector<double>& targets);

// The area under that curve, as the sum of precision times the rise in recall; NaN for no points.
double average_precision(const std::vector<CurvePoint>& curve);

// At most Metrics::kMostCurve points of it, evenly, both ends among them.
std::vector<CurvePoint> thinned(const std::vector<CurvePoint>& curve);

}  // namespace fenchel
