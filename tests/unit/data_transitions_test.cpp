// Which labels may follow which.
#include "data/transitions.hpp"

#include "spec/parse.hpp"

#include <fenchel/abi.h>

#include <boost/test/unit_test.hpp>

namespace {
using namespace fenchel;

const LabelMap kLabels{FENCHEL_TARGET_SEQUENCE, {"B-A", "B-C", "I-A", "O"}};
const Sequences kTwo{.starts = {0, 3, 5}, .lines = {1, 5}};
const std::vector<double> kTargets{0, 2, 3, 3, 1};  // B-A I-A O, O B-C

Allowed made(const std::string& rule, const std::vector<double>& targets = kTargets,
             const LabelMap& labels = kLabels) {
  return allowed_transitions(spec::parse_yaml(rule, "s.yaml", "data.transitions"), labels, targets,
                             kTwo, "train");
}

std::string text(const Allowed& allowed) {
  std::string rows;
  for (std::size_t k = 0; k < allowed.size(); ++k)
    rows += (k > 0 && k % 4 == 0 ? " " : "") + std::string(allowed[k] ? "1" : "0");
  return rows;
}

std::string failure(const std::string& rule, const std::vector<double>& targets = kTargets,
                    const LabelMap& labels = kLabels) {
  try {
    made(rule, targets, labels);
  } catch (const Error& error) {
    return error.exit() == Exit::bad_input ? error.what() : "wrong exit code";
  }
  return {};
}
}  // namespace

BOOST_AUTO_TEST_SUITE(data_transitions)

BOOST_AUTO_TEST_CASE(everything_is_allowed_where_nothing_is_said) {
  BOOST_TEST(made("all").empty());
  BOOST_TEST(allowed_transitions({}, kLabels, kTargets, kTwo, "train").empty());
}

BOOST_AUTO_TEST_CASE(observed_is_what_occurs) {
  // Rows: after B-A, B-C, I-A, O, and at the beginning.
  BOOST_TEST(text(made("observed")) == "0010 0000 0001 0100 1001");
}

BOOST_AUTO_TEST_CASE(bio_keeps_an_inside_label_behind_one_of_its_type) {
  BOOST_TEST(text(made("bio")) == "1111 1101 1111 1101 1101");
}

BOOST_AUTO_TEST_CASE(a_map_says_what_may_follow_the_labels_it_names) {
  BOOST_TEST(text(made("{B-A: [I-A, O], begin: [B-A, O], O: B-C}")) == "0011 1111 1111 0100 1001");
}

BOOST_AUTO_TEST_CASE(training_data_that_break_the_rule_are_refused_with_their_line) {
  const std::string advice =
      " is not allowed by data.transitions; correct the label, or allow the transition";
  BOOST_TEST(failure("bio", {0, 3, 2, 3, 1}) == "train:3: label \"I-A\" after \"O\"" + advice);
  BOOST_TEST(failure("bio", {0, 3, 3, 2, 1}) == "train:5: label \"I-A\" at the beginning" + advice);
  BOOST_TEST(failure("{O: [O]}") == "train:6: label \"B-C\" after \"O\"" + advice);
}

BOOST_AUTO_TEST_CASE(labels_that_do_not_fit_the_rule_are_refused_at_its_place) {
  const LabelMap tags{FENCHEL_TARGET_SEQUENCE, {"B-A", "I-A", "NN", "O"}};
  BOOST_TEST(failure("bio", kTargets, tags) ==
             "s.yaml:1:1: data.transitions: the label \"NN\" is none of O, B-… and I-…; take all, "
             "observed, or a map");
  BOOST_TEST(failure("{B-X: [O]}") ==
             "s.yaml:1:2: data.transitions.B-X: no label is \"B-X\"; did you mean 'B-A'?");
  BOOST_TEST(
      failure("{O: [O, nothing]}")
          .find(
              "data.transitions.O[1]: no label is \"nothing\"; the labels are B-A, B-C, I-A, O") !=
      std::string::npos);
}

BOOST_AUTO_TEST_SUITE_END()
