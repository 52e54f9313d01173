#include "report_scratch.hpp"

#include "report/version.hpp"

#include <boost/test/unit_test.hpp>
#include <nlohmann/json.hpp>

#include <cmath>
#include <limits>

using namespace fenchel;
using Json = nlohmann::ordered_json;

namespace {

Result full_result() {
  Result result;
  result.status = Status::limit;
  result.message = "stopped by the limit of 200 passes";
  result.primal = 0.1 + 0.2;
  result.dual = 1.0 / 3.0;
  result.gap = 5e-324;
  result.relative_gap = 1e-7;
  result.certificate_verified = true;
  result.iterations = 7;
  result.passes = 3.5;
  result.seconds = {.load = 0.5, .check = 0.25, .solve = 2.0, .certify = 0.125, .total = 3.0};
  result.n = 3;
  result.d = 4;
  result.nnz = 5;
  result.constants = {{"risk_smoothness", "known", 0.25, "1/4 |A|^2 / n"},
                      {"strong_convexity", "absent", 7.0, "l1 has none"},
                      {"lipschitz", "known", std::numeric_limits<double>::infinity(), "?"}};
  result.loss = "logistic";
  result.regularizer = "l1(lambda = 0.001)";
  result.solver = "fista";
  result.train.emplace().values = {{"accuracy", 0.75}};
  return result;
}

std::vector<std::string> keys(const Json& object) {
  std::vector<std::string> names;
  for (const auto& [key, value] : object.items()) names.push_back(key);
  return names;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(report_result)

BOOST_AUTO_TEST_CASE(result_json_has_exactly_the_promised_keys) {
  const Json json = Json::parse(to_json(full_result()));
  const std::vector<std::string> expected{
      "status",     "message", "primal",  "dual",    "gap",       "relative_gap", "certificate",
      "iterations", "passes",  "seconds", "problem", "constants", "loss",         "regularizer",
      "solver",     "repairs", "events",  "metrics", "version"};
  BOOST_TEST(keys(json) == expected, boost::test_tools::per_element());
  BOOST_TEST(keys(json["seconds"]) ==
                 (std::vector<std::string>{"load", "check", "solve", "certify", "total"}),
             boost::test_tools::per_element());
  BOOST_TEST(keys(json["problem"]) == (std::vector<std::string>{"n", "d", "nnz", "outputs"}),
             boost::test_tools::per_element());
  BOOST_TEST(keys(json["certificate"]) == (std::vector<std::string>{"kind", "verified"}),
             boost::test_tools::per_element());
  BOOST_TEST(keys(json["metrics"]) == (std::vector<std::string>{"train", "test"}),
             boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(numbers_come_back_exactly_as_they_went) {
  const Result result = full_result();
  const Json json = Json::parse(to_json(result));
  BOOST_TEST(json["primal"].get<double>() == *result.primal);
  BOOST_TEST(json["dual"].get<double>() == *result.dual);
  BOOST_TEST(json["gap"].get<double>() == *result.gap);
  BOOST_TEST(json["status"] == "limit");
  BOOST_TEST(json["message"] == result.message);
  BOOST_TEST(json["certificate"]["kind"] == "duality-gap");
  BOOST_TEST(json["certificate"]["verified"] == true);
  BOOST_TEST(json["iterations"] == 7);
  BOOST_TEST(json["passes"] == 3.5);
  BOOST_TEST(json["seconds"]["certify"] == 0.125);
  BOOST_TEST(json["problem"]["nnz"] == 5);
  BOOST_TEST(json["problem"]["outputs"] == 1);
  BOOST_TEST(json["regularizer"] == "l1(lambda = 0.001)");
  BOOST_TEST(json["metrics"]["train"]["accuracy"] == 0.75);
  BOOST_TEST(json["metrics"]["test"].is_null());
  BOOST_TEST(json["version"] == version());
  BOOST_TEST(std::string(version()).find('.') != std::string::npos);
}

BOOST_AUTO_TEST_CASE(classes_stand_in_the_order_of_the_labels_with_a_confusion_matrix) {
  Result result = full_result();
  result.train->classes = {
      {.label = "oak", .support = 3, .precision = 0.5, .recall = 1.0 / 3.0, .f1 = 0.4},
      {.label = "ash", .support = 1, .precision = {}, .recall = 0.0, .f1 = 0.0}};
  result.train->confusion = {1, 2, 1, 0};
  const Json train = Json::parse(to_json(result))["metrics"]["train"];
  BOOST_TEST(keys(train) == (std::vector<std::string>{"accuracy", "classes", "confusion"}),
             boost::test_tools::per_element());
  BOOST_TEST(keys(train["classes"]) == (std::vector<std::string>{"oak", "ash"}),
             boost::test_tools::per_element());
  BOOST_TEST(train["classes"]["oak"] ==
             Json({{"support", 3}, {"precision", 0.5}, {"recall", 1.0 / 3.0}, {"f1", 0.4}}));
  BOOST_TEST(!train["classes"]["ash"].contains("precision"));
  BOOST_TEST(train["classes"]["ash"]["recall"] == 0.0);
  BOOST_TEST(train["confusion"]["labels"] == Json({"oak", "ash"}));
  BOOST_TEST(train["confusion"]["counts"] == Json({{1, 2}, {1, 0}}));
  BOOST_TEST(to_json(result).find("[1,2]") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(absent_and_infinite_numbers_are_null) {
  Result result;
  result.primal = std::numeric_limits<double>::infinity();
  result.dual = std::nan("");
  const Json json = Json::parse(to_json(result));
  BOOST_TEST(json["status"] == "failed");
  for (const char* key : {"primal", "dual", "gap", "relative_gap"})
    BOOST_TEST(json[key].is_null(), key);
  BOOST_TEST(json["constants"].is_object());
  BOOST_TEST(json["metrics"]["train"].is_null());
}

BOOST_AUTO_TEST_CASE(constants_show_a_value_only_where_it_is_known) {
  const Json constants = Json::parse(to_json(full_result()))["constants"];
  BOOST_TEST(constants["risk_smoothness"]["state"] == "known");
  BOOST_TEST(constants["risk_smoothness"]["value"] == 0.25);
  BOOST_TEST(constants["risk_smoothness"]["derivation"] == "1/4 |A|^2 / n");
  BOOST_TEST(constants["strong_convexity"]["state"] == "absent");
  BOOST_TEST(constants["strong_convexity"]["value"].is_null());
  BOOST_TEST(constants["lipschitz"]["value"].is_null());
}

BOOST_AUTO_TEST_CASE(a_message_that_is_not_utf8_still_gives_json) {
  Result result;
  result.message = "cannot read caf\xe9.txt";
  const Json json = Json::parse(to_json(result));
  BOOST_TEST(json["message"].get<std::string>().find("cannot read caf") == 0U);
}

BOOST_AUTO_TEST_CASE(status_names_are_those_of_the_contract) {
  BOOST_TEST(status_name(Status::converged) == std::string("converged"));
  BOOST_TEST(status_name(Status::limit) == std::string("limit"));
  BOOST_TEST(status_name(Status::interrupted) == std::string("interrupted"));
  BOOST_TEST(status_name(Status::failed) == std::string("failed"));
}

BOOST_AUTO_TEST_SUITE_END()
