// The metrics of imbalanced data: the precision-recall curve, its area, the threshold for F1.
#include "report_scratch.hpp"

#include "report/predict.hpp"
#include "report/ranking.hpp"

#include <boost/test/unit_test.hpp>

#include <cmath>
#include <random>
#include <sstream>

using namespace fenchel;
using namespace report_test;
namespace tt = boost::test_tools;

namespace {

constexpr double kTiny = 1e-14;

const std::vector<double> kScores{0.9, 0.8, 0.8, 0.7, 0.7, 0.6, 0.55, 0.5, 0.5, 0.4, 0.3, 0.2};
const std::vector<double> kTargets{1, 1, -1, 1, -1, -1, 1, -1, 1, -1, -1, 1};

double f1_above(double threshold, const std::vector<double>& scores,
                const std::vector<double>& targets) {
  double hits = 0.0, wrong = 0.0;
  for (std::size_t i = 0; i < scores.size(); ++i) {
    const bool positive = scores[i] > threshold;
    if (positive && targets[i] > 0.0) hits += 1.0;
    if (positive != (targets[i] > 0.0)) wrong += 1.0;
  }
  return hits > 0.0 ? 2.0 * hits / (2.0 * hits + wrong) : 0.0;
}

Node no_spec() {
  Node spec;
  spec.kind = Node::Kind::map;
  return spec;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(report_ranking)

// The numbers are those of scikit-learn's average_precision_score, roc_auc_score and
// precision_recall_curve.
BOOST_AUTO_TEST_CASE(areas_and_curve_agree_with_another_tool) {
  const Metrics metrics = evaluate(binary_model({1.0}), kScores, kTargets);
  BOOST_TEST(metrics.at("average_precision") == 0.6489417989417989, tt::tolerance(kTiny));
  BOOST_TEST(metrics.at("auc") == 0.5972222222222223, tt::tolerance(kTiny));
  BOOST_REQUIRE(metrics.curve.size() == 9U);
  BOOST_TEST(metrics.curve[0].threshold == 0.9);
  BOOST_TEST(metrics.curve[1].precision == 2.0 / 3.0, tt::tolerance(kTiny));
  BOOST_TEST(metrics.curve[4].precision == 4.0 / 7.0, tt::tolerance(kTiny));
  BOOST_TEST(metrics.curve[4].recall == 4.0 / 6.0, tt::tolerance(kTiny));
  BOOST_TEST(metrics.curve[8].precision == 0.5);
  BOOST_TEST(metrics.curve[8].recall == 1.0);
}

BOOST_AUTO_TEST_CASE(the_best_threshold_has_the_largest_f1_of_all) {
  std::mt19937 random(5);
  for (int round = 0; round < 200; ++round) {
    std::vector<double> scores, targets;
    const std::size_t n = 1 + random() % 30;
    for (std::size_t i = 0; i < n; ++i) {
      scores.push_back(0.1 * static_cast<double>(random() % 12) - 0.5);
      targets.push_back(random() % 4 == 0 ? 1.0 : -1.0);
    }
    const std::optional<double> best = best_threshold(binary_model({1.0}).labels, scores, targets);
    const bool any = std::count(targets.begin(), targets.end(), 1.0) > 0;
    BOOST_TEST(best.has_value() == any);
    if (!best) continue;
    double most = f1_above(-1e9, scores, targets);
    for (const double score : scores) most = std::max(most, f1_above(score, scores, targets));
    BOOST_TEST(f1_above(*best, scores, targets) == most, tt::tolerance(kTiny));
    Model model = binary_model({1.0});
    model.threshold = best;
    const Metrics metrics = evaluate(model, scores, targets);
    BOOST_TEST(metrics.at("f1_at_threshold") == most, tt::tolerance(kTiny));
    BOOST_TEST(metrics.at("threshold") == *best);
  }
}

BOOST_AUTO_TEST_CASE(a_threshold_between_neighbouring_doubles_still_divides_them) {
  const double low = 1.0, high = std::nextafter(1.0, 2.0);
  const std::optional<double> best =
      best_threshold(binary_model({1.0}).labels, {high, low}, {1, -1});
  BOOST_REQUIRE(best.has_value());
  BOOST_TEST((low <= *best && *best < high));
}

BOOST_AUTO_TEST_CASE(only_binary_targets_have_a_threshold) {
  BOOST_TEST(!best_threshold(real_model({1.0}).labels, {1.0, 2.0}, {1.0, 2.0}).has_value());
  BOOST_TEST(evaluate(real_model({1.0}), {1.0, 2.0}, {1.0, 2.0}).curve.empty());
}

BOOST_AUTO_TEST_CASE(a_long_curve_is_thinned_and_keeps_its_ends) {
  std::vector<CurvePoint> curve;
  for (int k = 0; k < 25000; ++k) curve.push_back({-static_cast<double>(k), 1.0, 0.0});
  const std::vector<CurvePoint> few = thinned(curve);
  BOOST_TEST(few.size() == Metrics::kMostCurve);
  BOOST_TEST(few.front().threshold == 0.0);
  BOOST_TEST(few.back().threshold == -24999.0);
}

BOOST_AUTO_TEST_CASE(curves_are_files_beside_the_result_and_go_with_it) {
  const Scratch scratch;
  const Model model = binary_model({1.0});
  Result result;
  result.test = evaluate(model, {2.0, 1.0}, {1, -1});
  write_run(scratch.path(), result, &model, no_spec());
  BOOST_TEST(get(scratch / "pr-test.csv") == "threshold,precision,recall\n2,1,1\n1,0.5,1\n");
  BOOST_TEST(!fs::exists(scratch / "pr-train.csv"));
  result.test.reset();
  write_run(scratch.path(), result, &model, no_spec());
  BOOST_TEST(!fs::exists(scratch / "pr-test.csv"));
}

BOOST_AUTO_TEST_CASE(the_model_keeps_its_threshold_and_predicts_by_it_only_if_asked) {
  const Scratch scratch;
  Model model = binary_model({1.0});
  model.threshold = 1.5;
  model.reading.format = "libsvm";
  write_run(scratch.path(), {}, &model, no_spec());
  const Model back = read_model(scratch.path());
  BOOST_REQUIRE(back.threshold.has_value());
  BOOST_TEST(*back.threshold == 1.5);
  BOOST_TEST(back.cut == 0.0);

  put(scratch / "data.libsvm", "1 1:2\n-1 1:1\n-1 1:-1\n");
  const auto labels = [&](const std::string& threshold) {
    std::ostringstream out;
    const auto metrics = predict(back, scratch / "data.libsvm", out, {.threshold = threshold});
    BOOST_REQUIRE(metrics.has_value());
    return out.str() + std::to_string(metrics->at("accuracy")).substr(0, 4);
  };
  BOOST_TEST(labels("") == "1\n1\n-1\n0.66");
  BOOST_TEST(labels("best") == "1\n-1\n-1\n1.00");
  BOOST_TEST(labels("2.5") == "-1\n-1\n-1\n0.66");
  std::ostringstream out;
  const auto refused = [&](const Model& of, const std::string& threshold) {
    BOOST_CHECK_THROW(predict(of, scratch / "data.libsvm", out, {.threshold = threshold}), Error);
  };
  refused(back, "high");
  refused(back, "nan");
  refused(binary_model({1.0}), "best");
  refused(real_model({1.0}), "1");
}

BOOST_AUTO_TEST_SUITE_END()
