#include "report_scratch.hpp"

#include "report/predict.hpp"

#include <boost/test/unit_test.hpp>

#include <sstream>

using namespace fenchel;
using namespace report_test;

namespace {

struct Prediction {
  std::string text;
  std::optional<Metrics> metrics;
};

Prediction run(const Model& model, const std::string& content, const std::string& format,
               bool scores = false) {
  const Scratch scratch;
  put(scratch / ("data." + format), content);
  std::ostringstream out;
  PredictOptions options{.scores = scores, .reading = {}};
  Model with_format = model;
  with_format.reading.format = format;
  const auto metrics = predict(with_format, scratch / ("data." + format), out, options);
  return {out.str(), metrics};
}

}  // namespace

BOOST_AUTO_TEST_SUITE(report_predict)

BOOST_AUTO_TEST_CASE(one_label_a_line_and_metrics_where_labels_are_known) {
  Model model = binary_model({1.0, -1.0});
  model.labels.labels = {"0", "1"};
  const Prediction prediction = run(model, "1 1:2\n0 2:1\n0 1:3\n", "libsvm");
  BOOST_TEST(prediction.text == "1\n0\n1\n");
  BOOST_REQUIRE(prediction.metrics.has_value());
  BOOST_TEST(prediction.metrics->at("accuracy") == 2.0 / 3.0);
}

BOOST_AUTO_TEST_CASE(unknown_labels_mean_no_metrics_and_no_error) {
  const Prediction prediction = run(binary_model({1.0}), "7 1:2\n1 1:-2\n", "libsvm");
  BOOST_TEST(prediction.text == "1\n-1\n");
  BOOST_TEST(!prediction.metrics.has_value());
}

BOOST_AUTO_TEST_CASE(features_the_model_does_not_know_are_ignored) {
  const Prediction prediction = run(real_model({2.0}), "4 1:2\n0 5:100\n", "libsvm");
  BOOST_TEST(prediction.text == "4\n0\n");
  BOOST_TEST(prediction.metrics->at("rmse") == 0.0);
}

BOOST_AUTO_TEST_CASE(scores_are_a_csv) {
  BOOST_TEST(run(binary_model({0.5}), "1 1:3\n-1 1:-1\n", "libsvm", true).text ==
             "prediction,score\n1,1.5\n-1,-0.5\n");
  const Model classes = class_model({"plain", "a,b"}, {1, 0, 0, 2});
  BOOST_TEST(run(classes, "1 1:1\n1 2:1\n", "libsvm", true).text ==
             "prediction,score_plain,\"score_a,b\"\nplain,1,0\n\"a,b\",0,2\n");
}

BOOST_AUTO_TEST_CASE(columns_of_another_table_are_refused) {
  Model model = binary_model({1.0, -1.0});
  model.feature_names = {"age", "height"};
  model.labels.labels = {"no", "yes"};
  model.reading.header = true;
  model.reading.label = "y";
  BOOST_TEST(run(model, "y,age,height\nyes,2,1\nno,1,2\n", "csv").text == "yes\nno\n");
  CHECK_REFUSED(run(model, "y,height,age\nyes,2,1\nno,1,2\n", "csv"),
                "feature column 1 is 'height', the model has 'age'");
  CHECK_REFUSED(run(model, "y,age\nyes,2\nno,1\n", "csv"), "data.csv");
}

BOOST_AUTO_TEST_CASE(a_stream_that_takes_nothing_is_an_error) {
  const Scratch scratch;
  put(scratch / "data.libsvm", "1 1:1\n");
  std::ostringstream out;
  out.setstate(std::ios::badbit);
  CHECK_REFUSED(predict(binary_model({1.0}), scratch / "data.libsvm", out),
                "cannot write the predictions");
  CHECK_REFUSED(predict(binary_model({1.0}), scratch / "none", out), "none");
}

BOOST_AUTO_TEST_SUITE_END()
