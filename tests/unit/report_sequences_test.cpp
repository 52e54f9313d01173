// Models of sequences: written, read, and applied to raw text.
#include "plugin/registry.hpp"
#include "report/decode.hpp"
#include "report/predict.hpp"
#include "report_scratch.hpp"
#include "spec/parse.hpp"

#include <boost/test/unit_test.hpp>

#include <sstream>

using namespace fenchel;
using namespace report_test;

namespace {

// Two labels: the word decides by itself, or A follows A where it says nothing.
Model letters() {
  Model model;
  model.map = "chain";
  model.outputs = 2;
  model.features = 2;
  model.weights = {3.0, 0.0, 0.0, 2.0};  // A: word=a; B: word=b
  model.transitions = {1.0, 0.0, 0.0, 0.5};
  model.labels = {FENCHEL_TARGET_SEQUENCE, {"A", "B"}};
  model.loss = "chain-squared";
  model.feature_names = {"word[0]=a", "word[0]=b"};
  model.reading.format = "conll";
  model.reading.columns = {"word", "kind"};
  model.reading.templates = {{"word[0]", {}}};
  return model;
}

Node no_spec() {
  Node spec;
  spec.kind = Node::Kind::map;
  return spec;
}

LossPart decoder(const Model& model) {
  const fs::path folder = fs::path(FENCHEL_FIXTURE_DIR) / "chain-squared";
  Component component{.name = model.loss, .parameters = model.loss_parameters, .place = {}};
  component.parameters.kind = Node::Kind::map;
  return make_loss(load_plugin(folder / "fenchel-loss-chain-squared.so"), component,
                   sequence_shape(model, {0, 1}));
}

struct Prediction {
  std::string text;
  std::optional<Metrics> metrics;
};
Prediction run(const Model& model, const std::string& content, bool probabilities = false) {
  const Scratch scratch;
  put(scratch / "data", content);
  const LossPart loss = decoder(model);
  std::ostringstream out;
  PredictOptions options;
  options.probabilities = probabilities;
  options.loss = &loss;
  const auto metrics = predict(model, scratch / "data", out, options);
  return {out.str(), metrics};
}

}  // namespace

BOOST_AUTO_TEST_SUITE(report_sequences)

BOOST_AUTO_TEST_CASE(a_model_comes_back_as_it_was_written) {
  const Scratch scratch;
  Model model = letters();
  model.allowed = {1, 0, 1, 1, 1, 1};
  model.reading.begin_end = true;
  model.reading.keep_unseen_labels = true;
  model.loss_parameters =
      spec::parse_yaml("{unused: .5, list: [1, 2.5], flag: true, word: up}", "s");
  model.feature_names = {"word[0]=\\ \"a\t", "x:y"};
  write_run(scratch.path(), {}, &model, no_spec());
  const Model back = read_model(scratch.path());
  BOOST_TEST(back.of_sequences());
  BOOST_TEST(back.weights == model.weights, boost::test_tools::per_element());
  BOOST_TEST(back.transitions == model.transitions, boost::test_tools::per_element());
  BOOST_TEST(back.allowed == model.allowed, boost::test_tools::per_element());
  BOOST_TEST(back.labels.target == FENCHEL_TARGET_SEQUENCE);
  BOOST_TEST(back.labels.labels == model.labels.labels, boost::test_tools::per_element());
  BOOST_TEST(back.feature_names == model.feature_names, boost::test_tools::per_element());
  BOOST_TEST(back.reading.format == "conll");
  BOOST_TEST(back.reading.columns == model.reading.columns, boost::test_tools::per_element());
  BOOST_REQUIRE(back.reading.templates.size() == 1U);
  BOOST_TEST(back.reading.templates[0].text == "word[0]");
  BOOST_TEST(back.reading.begin_end);
  BOOST_TEST(back.reading.keep_unseen_labels);
  BOOST_TEST(back.loss_parameters.find("unused")->scalar == "0.5");
  BOOST_TEST(back.loss_parameters.find("list")->items[0].scalar == "1");
  BOOST_TEST(back.loss_parameters.find("flag")->scalar == "true");
  BOOST_TEST(!back.loss_parameters.find("flag")->quoted);
  BOOST_TEST(back.loss_parameters.find("word")->scalar == "up");
}

BOOST_AUTO_TEST_CASE(the_files_of_a_sequence_model_go_with_it) {
  const Scratch scratch;
  const Model model = letters();
  write_run(scratch.path(), {}, &model, no_spec());
  BOOST_TEST(names(scratch.path()).count("transitions.npy") == 1U);
  BOOST_TEST(get(scratch / "attributes.txt") == "word[0]=a\nword[0]=b\n");
  const Model other = binary_model({1.0});
  write_run(scratch.path(), {}, &other, no_spec());
  BOOST_TEST(names(scratch.path()).count("transitions.npy") == 0U);
  BOOST_TEST(names(scratch.path()).count("attributes.txt") == 0U);
}

BOOST_AUTO_TEST_CASE(every_defect_is_refused_with_its_key) {
  const Scratch scratch;
  const Model model = letters();
  write_run(scratch.path(), {}, &model, no_spec());
  const std::string good = get(scratch / "model.json");
  const auto broken = [&](const std::string& from, const std::string& to) {
    std::string text = good;
    BOOST_REQUIRE(text.find(from) != std::string::npos);
    put(scratch / "model.json", text.replace(text.find(from), from.size(), to));
    return scratch.path();
  };
  CHECK_REFUSED(read_model(broken("\"transitions.npy\"", "null")), "transitions: is missing");
  CHECK_REFUSED(read_model(broken("\"transitions.npy\"", "\"weights.npyx\"")), "weights.npyx");
  CHECK_REFUSED(read_model(broken("\"attributes.txt\"", "null")), "attributes: is missing");
  CHECK_REFUSED(read_model(broken("\"attributes.txt\"", "7")), "attributes: must be the name");
  CHECK_REFUSED(read_model(broken("\"loss_parameters\"", "\"allowed\": [\"11\"], \"x\"")),
                "allowed: must be 3 texts of 2 characters 0 or 1");
  CHECK_REFUSED(read_model(broken("\"begin_end\": false", "\"begin_end\": 3")),
                "reading.begin_end: must be true or false");
  put(scratch / "model.json", good);
  put(scratch / "attributes.txt", "one\n");
  CHECK_REFUSED(read_model(scratch.path()), "attributes: the file has 1 of them");
  put(scratch / "attributes.txt", "one\ntwo\n");
  write_npy(scratch / "transitions.npy", {1, 2}, {2});
  CHECK_REFUSED(read_model(scratch.path()), "transitions: must have the shape [2, 2]");
}

BOOST_AUTO_TEST_CASE(one_label_a_line_and_a_blank_line_between_sequences) {
  const Prediction found = run(letters(), "b B\nx A\na A\n\nx A\nb A\n");
  // b: 2 for B; x between b and a: B,A costs nothing but the transition bonus 0.5 or 1.
  BOOST_TEST(found.text == "B\nA\nA\n\nB\nB\n");
  BOOST_REQUIRE(found.metrics.has_value());
  BOOST_TEST(found.metrics->at("accuracy") == 3.0 / 5.0);
  BOOST_TEST(found.metrics->at("sequence_accuracy") == 0.5);
}

BOOST_AUTO_TEST_CASE(transitions_that_are_not_allowed_are_not_predicted) {
  Model model = letters();
  model.allowed = {1, 0, 1, 1, 1, 1};  // no B after A
  BOOST_TEST(run(model, "a A\nb B\n").text == "A\nA\n");
  model.allowed = {1, 1, 1, 1, 0, 1};  // no A first
  BOOST_TEST(run(model, "a A\na A\n").text == "B\nA\n");
}

BOOST_AUTO_TEST_CASE(probabilities_are_a_csv) {
  BOOST_TEST(run(letters(), "a A\n\nb B\n", true).text ==
             "prediction,probability_A,probability_B\nA,0.5,0.5\n\nB,0.5,0.5\n");
}

BOOST_AUTO_TEST_CASE(labels_may_be_missing_or_unknown) {
  BOOST_TEST(run(letters(), "a\nb\n").text == "A\nB\n");
  BOOST_TEST(!run(letters(), "a\nb\n").metrics.has_value());
  BOOST_TEST(!run(letters(), "a A\nb C\n").metrics.has_value());
  Model model = letters();
  model.reading.keep_unseen_labels = true;
  const Prediction kept = run(model, "a A\nb C\n");
  BOOST_REQUIRE(kept.metrics.has_value());
  BOOST_TEST(kept.metrics->at("accuracy") == 0.5);
}

BOOST_AUTO_TEST_CASE(scores_and_probabilities_are_refused_where_there_are_none) {
  const Scratch scratch;
  put(scratch / "data", "1 1:1\n");
  std::ostringstream out;
  PredictOptions options;
  options.scores = true;
  CHECK_REFUSED(predict(letters(), scratch / "data", out, options), "--probabilities");
  options = {};
  options.probabilities = true;
  CHECK_REFUSED(predict(binary_model({1.0}), scratch / "data", out, options), "--scores");
}

BOOST_AUTO_TEST_CASE(scores_of_several_outputs_are_those_of_the_definition) {
  Model model = class_model({"a", "b", "c"}, {1, 2, 3, 4, 5, 6});
  model.bias = {0.5, 0.0, -1.0};
  model.normalize = Normalize::columns;
  model.column_divisors = {2.0, 4.0};
  const Matrix x = dense(2, 2, {2.0, 4.0, 0.0, 8.0});
  const std::vector<double> expected{3.5, 7.0, 10.0, 4.5, 8.0, 11.0};
  BOOST_TEST(score_rows(model, x) == expected, boost::test_tools::per_element());
  BOOST_TEST(score_rows(model, sparse(x)) == expected, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_SUITE_END()
