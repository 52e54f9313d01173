#include "report_scratch.hpp"

#include <boost/test/unit_test.hpp>
#include <nlohmann/json.hpp>

using namespace fenchel;
using namespace report_test;

namespace {

Node no_spec() {
  Node spec;
  spec.kind = Node::Kind::map;
  return spec;
}

struct Hand {
  Scratch scratch;
  Model read(const std::string& json) const {
    put(scratch / "model.json", json);
    return read_model(scratch / "model.json");
  }
};

}  // namespace

BOOST_AUTO_TEST_SUITE(report_model)

BOOST_AUTO_TEST_CASE(a_model_comes_back_as_it_was_written) {
  const Scratch scratch;
  Model model = class_model({"cat", "dog", "\"x\""}, {1, 2, 3, 4, 5, 6.5});
  model.bias = {0.1, 0.2, 0.3};
  model.normalize = Normalize::columns;
  model.column_divisors = {2.0, 0.5};
  model.feature_names = {"age", "weight"};
  model.reading = {.format = "csv", .header = true, .label = "kind", .delimiter = ";"};
  write_run(scratch.path(), {}, &model, no_spec());
  for (const fs::path& path : {scratch.path(), scratch / "model.json"}) {
    const Model back = read_model(path);
    BOOST_TEST(back.weights == model.weights, boost::test_tools::per_element());
    BOOST_TEST(back.outputs == 3);
    BOOST_TEST(back.features == 2);
    BOOST_TEST(back.bias == model.bias, boost::test_tools::per_element());
    BOOST_TEST(back.labels.target == FENCHEL_TARGET_CLASS);
    BOOST_TEST(back.labels.labels == model.labels.labels, boost::test_tools::per_element());
    BOOST_TEST(back.loss == "multinomial");
    BOOST_TEST(back.map == "multiclass");
    BOOST_CHECK(back.normalize == Normalize::columns);
    BOOST_TEST(back.column_divisors == model.column_divisors, boost::test_tools::per_element());
    BOOST_TEST(back.feature_names == model.feature_names, boost::test_tools::per_element());
    BOOST_TEST(back.reading.format == "csv");
    BOOST_CHECK(back.reading.header == true);
    BOOST_TEST(back.reading.label == "kind");
    BOOST_TEST(back.reading.delimiter == ";");
  }
}

BOOST_AUTO_TEST_CASE(model_json_has_the_promised_keys) {
  const Scratch scratch;
  Model model = binary_model({1.0, 2.0});
  model.bias = {0.5};
  write_run(scratch.path(), {}, &model, no_spec());
  const auto json = nlohmann::json::parse(get(scratch / "model.json"));
  BOOST_TEST(json["fenchel"] == 1);
  BOOST_TEST(json["weights"] == "weights.npy");
  BOOST_TEST(json["bias"] == 0.5);
  BOOST_TEST(json["labels"] == (nlohmann::json{"-1", "1"}));
  BOOST_TEST(json["target"] == "binary");
  BOOST_TEST(json["loss"] == "hinge");
  BOOST_TEST(json["map"] == "rows");
  BOOST_TEST(json["normalize"] == "none");
  BOOST_TEST(json["features"] == 2);
  BOOST_TEST(!json.contains("column_divisors"));
  BOOST_TEST(!json.contains("feature_names"));
  BOOST_TEST(json["reading"]["header"].is_null());
  std::vector<std::int64_t> shape;
  read_npy(scratch / "weights.npy", shape);
  BOOST_TEST(shape.size() == 1U);  // [d] for one output, not [1, d]

  model.bias.clear();
  write_run(scratch.path(), {}, &model, no_spec());
  BOOST_TEST(!nlohmann::json::parse(get(scratch / "model.json")).contains("bias"));
  BOOST_TEST(read_model(scratch.path()).bias.empty());
}

BOOST_AUTO_TEST_CASE(three_keys_of_another_tool_are_enough) {
  const Hand hand;
  write_npy(hand.scratch / "w.npy", {1.0, 2.0, 3.0}, {3});
  const Model model =
      hand.read(R"({"weights": "w.npy", "loss": "logistic", "labels": [0, 1], "made_by": "hand"})");
  BOOST_TEST(model.features == 3);
  BOOST_TEST(model.outputs == 1);
  BOOST_TEST(model.labels.target == FENCHEL_TARGET_BINARY);
  BOOST_TEST(model.labels.labels == (std::vector<std::string>{"0", "1"}),
             boost::test_tools::per_element());
  BOOST_TEST(model.map == "rows");
  BOOST_TEST(model.bias.empty());
  BOOST_CHECK(model.normalize == Normalize::none);
  BOOST_TEST(!model.reading.header.has_value());
}

BOOST_AUTO_TEST_CASE(weights_may_stand_in_the_file_itself) {
  const Hand hand;
  const Model flat = hand.read(R"({"weights": [1, 2.5], "labels": ["a", "b"], "bias": -1})");
  BOOST_TEST(flat.weights == (std::vector<double>{1, 2.5}), boost::test_tools::per_element());
  BOOST_TEST(flat.bias == std::vector<double>{-1}, boost::test_tools::per_element());
  const Model rows = hand.read(R"({"weights": [[1, 2], [3, 4], [5, 6]], "labels": [1, 2, 3.5]})");
  BOOST_TEST(rows.outputs == 3);
  BOOST_TEST(rows.labels.target == FENCHEL_TARGET_CLASS);
  BOOST_TEST(rows.labels.labels[2] == "3.5");
  BOOST_TEST(rows.map == "multiclass");
  const Model real = hand.read(R"({"weights": [1], "labels": null})");
  BOOST_TEST(real.labels.target == FENCHEL_TARGET_REAL);
  const Model signs = hand.read(R"({"weights": [1], "target": "binary"})");
  BOOST_TEST(signs.labels.labels == (std::vector<std::string>{"-1", "1"}),
             boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(every_defect_is_refused_with_its_key) {
  const Hand hand;
  write_npy(hand.scratch / "inf.npy", {1.0, 1.0 / 0.0}, {2});
  write_npy(hand.scratch / "cube.npy", {1.0}, {1, 1, 1});
  const auto check = [&](const char* json, const std::string& text) {
    BOOST_TEST_CONTEXT(json) {
      BOOST_CHECK_EXCEPTION(hand.read(json), Error, [&](const Error& error) {
        BOOST_TEST_INFO(error.what());
        BOOST_TEST(error.place().file.find(hand.scratch.path().string()) == 0U);
        return error.exit() == Exit::bad_input &&
               std::string(error.what()).find(text) != std::string::npos;
      });
    }
  };
  check(R"([1])", "must be a JSON object");
  check(R"({"loss": "hinge"})", "weights: is missing");
  check(R"({"weights": 3})", "weights: must be the name");
  check(R"({"weights": "none.npy"})", "none.npy: cannot read");
  check(R"({"weights": "inf.npy"})", "weights: holds a value that is not finite");
  check(R"({"weights": "cube.npy"})", "weights: must have the shape");
  check(R"({"weights": [1, "2"]})", "weights: holds \"2\"");
  check(R"({"weights": [[1, 2], [3]]})", "weights: must have rows of equal length");
  check(R"({"weights": [1e999]})", "not valid JSON");
  check(R"({"weights": [NaN]})", "not valid JSON");
  check(R"({"weights": [1], "fenchel": 2})", "fenchel: format 2");
  check(R"({"weights": [1], "features": 2})", "features: is 2, but the weights have 1");
  check(R"({"weights": [1], "bias": [1, 2]})", "bias: has 2 values");
  check(R"({"weights": [1], "bias": "x.npy"})", "x.npy");
  check(R"({"weights": [1], "bias": true})", "bias: must be");
  check(R"({"weights": [1], "labels": "a"})", "labels: must be a list");
  check(R"({"weights": [1], "labels": ["a"]})", "labels: must be [negative, positive]");
  check(R"({"weights": [1], "labels": ["a", "a"]})", "labels: holds the same label twice");
  check(R"({"weights": [1], "labels": ["a", []]})", "labels: holds an array");
  check(R"({"weights": [[1], [2]], "labels": ["a"]})", "labels: has 1 labels");
  check(R"({"weights": [[1], [2]], "target": "binary"})", "target: binary needs");
  check(R"({"weights": [[1], [2]], "target": "real"})", "target: real needs");
  check(R"({"weights": [1], "target": "real", "labels": [0, 1]})", "labels: must be empty");
  check(R"({"weights": [1], "target": "rank"})",
        "target: must be binary, class, sequence, real or none");
  check(R"({"weights": [1], "loss": 3})", "loss: must be a text");
  check(R"({"weights": [1], "normalize": "cols"})", "normalize: must be none, rows or columns");
  check(R"({"weights": [1], "normalize": "columns"})", "column_divisors: must be given");
  check(R"({"weights": [1], "column_divisors": [1]})", "column_divisors: must be given");
  check(R"({"weights": [1], "normalize": "columns", "column_divisors": [1, 2]})",
        "column_divisors: has 2 values");
  check(R"({"weights": [1], "normalize": "columns", "column_divisors": [0]})",
        "column_divisors: must be positive");
  check(R"({"weights": [1], "feature_names": ["a", "b"]})", "feature_names: has 2 names");
  check(R"({"weights": [1], "feature_names": [1]})", "feature_names: must be a text");
  check(R"({"weights": [1], "reading": []})", "reading: must be an object");
  check(R"({"weights": [1], "reading": {"header": "yes"}})", "reading.header: must be true");
  check(R"({"weights": [1], "reading": {"label": 3}})", "reading.label: must be a text");
}

BOOST_AUTO_TEST_CASE(broken_json_is_refused_with_line_and_column) {
  const Hand hand;
  try {
    hand.read("{\n  \"weights\": [1,\n  2}");
    BOOST_ERROR("not refused");
  } catch (const Error& error) {
    BOOST_TEST(error.place().line == 3);
    BOOST_TEST(error.place().column == 4);
  }
  CHECK_REFUSED(hand.read(""), "not valid JSON");
}

BOOST_AUTO_TEST_CASE(hostile_depth_is_refused_not_followed) {
  const Hand hand;
  const std::string deep(200000, '[');
  CHECK_REFUSED(hand.read("{\"weights\": [1], \"bias\": " + deep + "}"), "nested deeper");
}

BOOST_AUTO_TEST_CASE(a_missing_model_is_refused_with_what_to_give) {
  const Scratch scratch;
  CHECK_REFUSED(read_model(scratch.path()), "give model.json or the folder that holds it");
  CHECK_REFUSED(read_model(scratch / "none.json"), "none.json: cannot read: No such file");
}

BOOST_AUTO_TEST_SUITE_END()
