#include "report_scratch.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cmath>
#include <random>

using namespace fenchel;
using namespace report_test;
namespace tt = boost::test_tools;

namespace {

constexpr double kTiny = 1e-14;

// P(positive above negative) + P(tie)/2, pair by pair.
double naive_auc(const std::vector<double>& scores, const std::vector<double>& targets) {
  double wins = 0.0, pairs = 0.0;
  for (std::size_t i = 0; i < scores.size(); ++i) {
    for (std::size_t j = 0; j < scores.size(); ++j) {
      if (targets[i] < 0.0 || targets[j] > 0.0) continue;
      pairs += 1.0;
      wins += scores[i] > scores[j] ? 1.0 : scores[i] == scores[j] ? 0.5 : 0.0;
    }
  }
  return wins / pairs;
}

std::set<std::string> keys(const Metrics& metrics) {
  std::set<std::string> names;
  for (const auto& [name, value] : metrics.values) names.insert(name);
  return names;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(report_metrics)

BOOST_AUTO_TEST_CASE(binary_metrics_agree_with_counts_by_hand) {
  // tp 2, fn 1, fp 1, tn 1; a score of zero is a negative prediction.
  const Metrics metrics =
      evaluate(binary_model({1.0}), {2.0, 0.5, 0.0, 1.0, -1.0}, {1, 1, 1, -1, -1});
  BOOST_TEST(metrics.at("accuracy") == 3.0 / 5.0, tt::tolerance(kTiny));
  BOOST_TEST(metrics.at("precision") == 2.0 / 3.0, tt::tolerance(kTiny));
  BOOST_TEST(metrics.at("recall") == 2.0 / 3.0, tt::tolerance(kTiny));
  BOOST_TEST(metrics.at("f1") == 2.0 / 3.0, tt::tolerance(kTiny));
  BOOST_TEST(metrics.at("auc") == 4.0 / 6.0, tt::tolerance(kTiny));
  BOOST_TEST(metrics.values.count("log_loss") == 0U);
}

BOOST_AUTO_TEST_CASE(auc_agrees_with_all_pairs_also_with_ties) {
  std::mt19937 random(7);
  for (const int levels : {1, 2, 5, 1000}) {
    std::vector<double> scores, targets;
    for (int i = 0; i < 60; ++i) {
      targets.push_back(i % 3 == 0 ? 1.0 : -1.0);
      scores.push_back(static_cast<double>(random() % static_cast<unsigned>(levels)) +
                       (levels > 2 && i % 3 == 0 ? 1.0 : 0.0));
    }
    const Metrics metrics = evaluate(binary_model({1.0}), scores, targets);
    BOOST_TEST(metrics.at("auc") == naive_auc(scores, targets), tt::tolerance(kTiny));
  }
}

BOOST_AUTO_TEST_CASE(log_loss_is_that_of_the_logistic_probability) {
  Model model = binary_model({1.0});
  model.loss = "logistic";
  const double p = 1.0 / (1.0 + std::exp(-1.5));
  const Metrics metrics = evaluate(model, {1.5, 1.5, 0.0}, {1, -1, 1});
  BOOST_TEST(metrics.at("log_loss") == -(std::log(p) + std::log(1 - p) + std::log(0.5)) / 3,
             tt::tolerance(1e-13));
  const Metrics far = evaluate(model, {1e4, 1e4}, {1, -1});
  BOOST_TEST(far.at("log_loss") == 5e3, tt::tolerance(kTiny));
  const Metrics near = evaluate(model, {50.0}, {1});
  BOOST_TEST(near.at("log_loss") == std::exp(-50.0), tt::tolerance(kTiny));
}

BOOST_AUTO_TEST_CASE(undefined_metrics_are_left_out) {
  const Model model = binary_model({1.0});
  BOOST_TEST(keys(evaluate(model, {-1.0, -2.0}, {-1, -1})) == std::set<std::string>{"accuracy"},
             tt::per_element());
  BOOST_TEST(keys(evaluate(model, {-1.0}, {1})) ==
                 (std::set<std::string>{"accuracy", "average_precision", "f1", "recall"}),
             tt::per_element());
  for (const Metrics& nothing : {evaluate(model, {}, {}), evaluate(model, {std::nan("")}, {1})}) {
    BOOST_TEST(nothing.values.empty());
    BOOST_TEST(nothing.classes.empty());
    BOOST_TEST(nothing.confusion.empty());
  }
  const std::set<std::string> errors{"mae", "rmse"};
  BOOST_TEST(keys(evaluate(real_model({1.0}), {1.0, 2.0, 3.0}, {0.1, 0.1, 0.1})) == errors,
             tt::per_element());
}

BOOST_AUTO_TEST_CASE(class_metrics_agree_with_counts_by_hand) {
  const Model model = class_model({"a", "b", "c", "d"}, {1, 1, 1, 1});
  // Predictions a, b, b, a (a tie goes to the first); "d" does not occur, "c" is never predicted.
  const std::vector<double> scores{3, 1, 0, 0, 0, 2, 1, 0, 0, 5, 1, 0, 1, 1, 1, 1};
  const Metrics metrics = evaluate(model, scores, {0, 1, 2, 0});
  BOOST_TEST(metrics.at("accuracy") == 0.75, tt::tolerance(kTiny));
  BOOST_TEST(metrics.at("macro_f1") == (1.0 + 2.0 / 3.0 + 0.0) / 3.0, tt::tolerance(kTiny));
  BOOST_TEST(metrics.values.size() == 2U);
  BOOST_TEST(predicted_label(model, scores.data() + 4) == "b");
  BOOST_TEST(predicted_label(model, scores.data() + 12) == "a");
}

BOOST_AUTO_TEST_CASE(every_class_is_told_apart_in_the_order_of_the_labels) {
  const Model model = class_model({"a", "b", "c", "d"}, {1, 1, 1, 1});
  const std::vector<double> scores{3, 1, 0, 0, 0, 2, 1, 0, 0, 5, 1, 0, 1, 1, 1, 1};
  const Metrics metrics = evaluate(model, scores, {0, 1, 2, 0});
  BOOST_TEST(metrics.confusion == (std::vector<std::int64_t>{2, 0, 0, 0,  // a twice as a
                                                             0, 1, 0, 0,  //
                                                             0, 1, 0, 0,  // c as b
                                                             0, 0, 0, 0}),
             tt::per_element());
  BOOST_REQUIRE(metrics.classes.size() == 4U);
  const ClassMetrics &a = metrics.classes[0], &b = metrics.classes[1], &c = metrics.classes[2],
                     &d = metrics.classes[3];
  BOOST_TEST(a.label == "a");
  BOOST_TEST(a.support == 2);
  BOOST_TEST(a.f1.value() == 1.0);
  BOOST_TEST(b.precision.value() == 0.5);
  BOOST_TEST(b.recall.value() == 1.0);
  BOOST_TEST(b.f1.value() == 2.0 / 3.0, tt::tolerance(kTiny));
  BOOST_TEST(!c.precision.has_value());  // never predicted
  BOOST_TEST(c.recall.value() == 0.0);
  BOOST_TEST(c.f1.value() == 0.0);
  BOOST_TEST(d.label == "d");
  BOOST_TEST(d.support == 0);
  BOOST_TEST((!d.precision && !d.recall && !d.f1));
}

BOOST_AUTO_TEST_CASE(the_confusion_matrix_counts_every_row_once_and_holds_all_class_metrics) {
  std::mt19937 random(11);
  constexpr std::size_t kClasses = 6;
  const Model model = class_model({"u", "v", "w", "x", "y", "z"}, {1, 1, 1, 1, 1, 1});
  std::vector<double> scores, targets;
  for (int i = 0; i < 500; ++i) {
    targets.push_back(static_cast<double>(random() % kClasses));
    for (std::size_t j = 0; j < kClasses; ++j)
      scores.push_back(static_cast<double>(random() % 7) +
                       (static_cast<double>(j) == targets.back() ? 2.0 : 0.0));
  }
  const Metrics metrics = evaluate(model, scores, targets);
  std::int64_t all = 0, right = 0;
  double f1 = 0.0;
  for (std::size_t k = 0; k < kClasses; ++k) {
    std::int64_t row = 0, column = 0;
    for (std::size_t j = 0; j < kClasses; ++j) {
      row += metrics.confusion[k * kClasses + j];
      column += metrics.confusion[j * kClasses + k];
    }
    const auto hits = static_cast<double>(metrics.confusion[k * kClasses + k]);
    const ClassMetrics& one = metrics.classes[k];
    BOOST_TEST(one.support == std::count(targets.begin(), targets.end(), static_cast<double>(k)));
    BOOST_TEST(one.support == row);
    const double precision = hits / static_cast<double>(column),
                 recall = hits / static_cast<double>(row);
    BOOST_TEST(one.precision.value() == precision, tt::tolerance(kTiny));
    BOOST_TEST(one.recall.value() == recall, tt::tolerance(kTiny));
    BOOST_TEST(one.f1.value() == 2.0 / (1.0 / precision + 1.0 / recall), tt::tolerance(kTiny));
    f1 += *one.f1 / static_cast<double>(kClasses);
    all += row;
    right += metrics.confusion[k * kClasses + k];
  }
  BOOST_TEST(all == 500);
  BOOST_TEST(metrics.at("accuracy") == static_cast<double>(right) / 500.0, tt::tolerance(kTiny));
  BOOST_TEST(metrics.at("macro_f1") == f1, tt::tolerance(kTiny));
}

BOOST_AUTO_TEST_CASE(two_classes_have_a_confusion_matrix_too) {
  // tp 2, fn 1, fp 1, tn 1; the negative label stands first.
  const Metrics metrics =
      evaluate(binary_model({1.0}), {2.0, 0.5, 0.0, 1.0, -1.0}, {1, 1, 1, -1, -1});
  BOOST_TEST(metrics.confusion == (std::vector<std::int64_t>{1, 1, 1, 2}), tt::per_element());
  BOOST_REQUIRE(metrics.classes.size() == 2U);
  BOOST_TEST(metrics.classes[0].label == "-1");
  BOOST_TEST(metrics.classes[0].support == 2);
  BOOST_TEST(metrics.classes[0].f1.value() == 0.5);
  BOOST_TEST(metrics.classes[1].f1.value() == metrics.at("f1"));
  BOOST_TEST(metrics.classes[1].precision.value() == metrics.at("precision"));
  BOOST_TEST(metrics.classes[1].recall.value() == metrics.at("recall"));
  BOOST_TEST(evaluate(real_model({1.0}), {1.0, 4.0}, {2.0, 2.0}).classes.empty());
}

BOOST_AUTO_TEST_CASE(beyond_a_thousand_classes_there_is_no_matrix_but_every_class_is_told) {
  std::vector<std::string> labels;
  for (int k = 0; k <= 1000; ++k) labels.push_back(std::to_string(k));
  const Model model = class_model(labels, std::vector<double>(1001, 1.0));
  std::vector<double> scores(1001);
  scores[7] = 1.0;
  const Metrics metrics = evaluate(model, scores, {7});
  BOOST_TEST(metrics.confusion.empty());
  BOOST_TEST(metrics.classes.size() == 1001U);
  BOOST_TEST(metrics.classes[7].f1.value() == 1.0);
}

BOOST_AUTO_TEST_CASE(regression_metrics_agree_with_sums_by_hand) {
  const Metrics metrics = evaluate(real_model({1.0}), {1.0, 4.0, 3.0}, {2.0, 2.0, 5.0});
  BOOST_TEST(metrics.at("rmse") == std::sqrt(9.0 / 3.0), tt::tolerance(kTiny));
  BOOST_TEST(metrics.at("mae") == 5.0 / 3.0, tt::tolerance(kTiny));
  BOOST_TEST(metrics.at("r2") == 1.0 - 9.0 / 6.0, tt::tolerance(kTiny));
}

BOOST_AUTO_TEST_CASE(scores_are_the_same_from_sparse_and_dense_rows) {
  const Matrix x = dense(3, 3, {1, 0, 2, 0, 0, 0, 0, -3, 4});
  Model model = class_model({"a", "b"}, {1, 2, 3, -1, 0.5, 0.25});
  model.bias = {10, 20};
  const std::vector<double> expected{17, 19.5, 10, 20, 16, 19.5};
  BOOST_TEST(score_rows(model, x) == expected, tt::per_element());
  BOOST_TEST(score_rows(model, sparse(x)) == expected, tt::per_element());
}

BOOST_AUTO_TEST_CASE(columns_beyond_the_model_are_ignored_and_missing_ones_are_zero) {
  const Model model = binary_model({1, 2});
  const Matrix wide = dense(1, 3, {1, 1, 100});
  BOOST_TEST(score_rows(model, wide) == std::vector<double>{3}, tt::per_element());
  BOOST_TEST(score_rows(model, sparse(wide)) == std::vector<double>{3}, tt::per_element());
  const Matrix narrow = dense(1, 1, {5});
  BOOST_TEST(score_rows(model, narrow) == std::vector<double>{5}, tt::per_element());
  BOOST_TEST(score_rows(model, sparse(narrow)) == std::vector<double>{5}, tt::per_element());
}

BOOST_AUTO_TEST_CASE(raw_rows_are_normalised_as_in_training) {
  const Matrix raw = dense(3, 2, {3, 4, 0, 0, 5, -12});
  for (const Matrix& x : {raw, sparse(raw)}) {
    Model model = binary_model({0.5, -2});
    model.bias = {0.25};
    model.normalize = Normalize::rows;
    Matrix rows = x;
    normalize_rows(rows);
    Model plain = model;
    plain.normalize = Normalize::none;
    BOOST_TEST(score_rows(model, x) == score_rows(plain, rows), tt::tolerance(kTiny)
                                                                    << tt::per_element());

    model.normalize = Normalize::columns;
    Matrix columns = x;
    model.column_divisors = normalize_columns(columns);
    BOOST_TEST(score_rows(model, x) == score_rows(plain, columns), tt::tolerance(kTiny)
                                                                       << tt::per_element());
    BOOST_TEST(model.column_divisors[0] != 1.0);
  }
}

BOOST_AUTO_TEST_CASE(labels_follow_the_sign_and_numbers_are_exact) {
  const Model binary = binary_model({1});
  const double scores[]{0.5, -0.5, 0.0, 0.1 + 0.2};
  BOOST_TEST(predicted_label(binary, scores) == "1");
  BOOST_TEST(predicted_label(binary, scores + 1) == "-1");
  BOOST_TEST(predicted_label(binary, scores + 2) == "-1");
  BOOST_TEST(predicted_label(real_model({1}), scores + 3) == "0.30000000000000004");
}

BOOST_AUTO_TEST_SUITE_END()
