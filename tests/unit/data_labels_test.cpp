// Labels to targets.
#include "data/dataset.hpp"

#include <fenchel/abi.h>

#include <boost/test/unit_test.hpp>
#include <functional>

using fenchel::LabelMap;
using fenchel::RawLabels;
using Numbers = std::vector<double>;
using Names = std::vector<std::string>;

namespace {

std::string failure(const std::function<void()>& act) {
  try {
    act();
  } catch (const fenchel::Error& error) {
    return error.exit() == fenchel::Exit::bad_input ? error.what() : "wrong exit code";
  }
  return {};
}

LabelMap learn(std::int32_t target, const RawLabels& labels) {
  return LabelMap::learn(target, labels, "train");
}

RawLabels numbers(Numbers values) { return {.numbers = std::move(values), .names = {}}; }

}  // namespace

BOOST_AUTO_TEST_SUITE(data_labels)

BOOST_AUTO_TEST_CASE(two_numbers_become_minus_and_plus_one) {
  const std::vector<std::pair<Numbers, Names>> cases{{{1, -1, 1}, {"-1", "1"}},
                                                     {{1, 0, 1}, {"0", "1"}},
                                                     {{2, 1, 2}, {"1", "2"}},
                                                     {{0.1, -2.5e-7, 0.1}, {"-2.5e-07", "0.1"}}};
  for (const auto& [labels, texts] : cases) {
    const LabelMap map = learn(FENCHEL_TARGET_BINARY, numbers(labels));
    BOOST_TEST(map.labels == texts);
    BOOST_TEST(map.encode(numbers(labels), "train") == (Numbers{1, -1, 1}));
  }
}

BOOST_AUTO_TEST_CASE(two_names_become_minus_and_plus_one_in_their_order) {
  const RawLabels labels{.numbers = {0, 1, 0}, .names = {"spam", "ham"}};
  const LabelMap map = learn(FENCHEL_TARGET_BINARY, labels);
  BOOST_TEST(map.labels == (Names{"ham", "spam"}));
  BOOST_TEST(map.encode(labels, "train") == (Numbers{1, -1, 1}));
}

BOOST_AUTO_TEST_CASE(negative_zero_is_zero) {
  const LabelMap map = learn(FENCHEL_TARGET_BINARY, numbers({-0.0, 1, 0.0}));
  BOOST_TEST(map.labels == (Names{"0", "1"}));
  BOOST_TEST(map.encode(numbers({0.0, -0.0}), "t") == (Numbers{-1, -1}));
}

BOOST_AUTO_TEST_CASE(binary_needs_exactly_two_classes) {
  BOOST_TEST(failure([] {
               learn(FENCHEL_TARGET_BINARY, numbers({3, 3}));
             }) ==
             "train: every label is 3, the loss needs two classes; check which column holds the "
             "label");
  BOOST_TEST(failure([] {
               learn(FENCHEL_TARGET_BINARY, numbers({7, 6, 5, 4, 3, 2, 1, 1}));
             }) ==
             "train: 7 classes (1, 2, 3, 4, 5, …), the loss needs two; take a loss for several "
             "classes, or check which column holds the label");
  const RawLabels names{.numbers = {0, 1, 2}, .names = {"c", "b", "a"}};
  BOOST_TEST(failure([&] { learn(FENCHEL_TARGET_BINARY, names); }) ==
             "train: 3 classes (a, b, c), the loss needs two; take a loss for several classes, or "
             "check which column holds the label");
}

BOOST_AUTO_TEST_CASE(classes_count_in_the_order_of_numbers_or_names) {
  const LabelMap by_number = learn(FENCHEL_TARGET_CLASS, numbers({10, 9, -1, 9}));
  BOOST_TEST(by_number.labels == (Names{"-1", "9", "10"}));
  BOOST_TEST(by_number.encode(numbers({10, 9, -1, 9}), "t") == (Numbers{2, 1, 0, 1}));
  const RawLabels names{.numbers = {0, 1, 2}, .names = {"b", "10", "9"}};
  const LabelMap by_name = learn(FENCHEL_TARGET_CLASS, names);
  BOOST_TEST(by_name.labels == (Names{"10", "9", "b"}));
  BOOST_TEST(by_name.encode(names, "t") == (Numbers{2, 0, 1}));
  BOOST_TEST(failure([] {
               learn(FENCHEL_TARGET_CLASS, numbers({3, 3}));
             }) ==
             "train: every label is 3, the loss needs two classes; check which column holds the "
             "label");
}

BOOST_AUTO_TEST_CASE(real_targets_are_the_numbers_themselves) {
  const LabelMap map = learn(FENCHEL_TARGET_REAL, numbers({3.5, 3.5}));
  BOOST_TEST(map.labels.empty());
  BOOST_TEST(map.encode(numbers({1.25, -7}), "test") == (Numbers{1.25, -7}));
  const RawLabels names{.numbers = {0, 1}, .names = {"spam", "ham"}};
  const std::string message =
      ": labels are class names (spam, ham), the loss needs numbers; take a loss for "
      "classification, or check which column holds the label";
  BOOST_TEST(failure([&] { learn(FENCHEL_TARGET_REAL, names); }) == "train" + message);
  BOOST_TEST(failure([&] { map.encode(names, "test"); }) == "test" + message);
}

BOOST_AUTO_TEST_CASE(an_unseen_label_is_named_with_those_known) {
  const LabelMap map = learn(FENCHEL_TARGET_BINARY, numbers({1, 2}));
  const std::string advice = "; the labels must be among those of the training data";
  BOOST_TEST(failure([&] {
               map.encode(numbers({2, 3.5}), "test");
             }) == "test: label 3.5 of row 2 is none of those known: 1, 2" + advice);
  const RawLabels names{.numbers = {0, 0, 1}, .names = {"1", "x"}};
  BOOST_TEST(failure([&] { map.encode(names, "test"); }) ==
             "test: label x of row 3 is none of those known: 1, 2" + advice);
}

BOOST_AUTO_TEST_CASE(numbers_in_one_file_meet_names_in_another) {
  const RawLabels mixed{.numbers = {0, 1, 2}, .names = {"2", "other", "1"}};
  const LabelMap map = learn(FENCHEL_TARGET_CLASS, mixed);
  BOOST_TEST(map.labels == (Names{"1", "2", "other"}));
  BOOST_TEST(map.encode(numbers({1, 2, 1}), "test") == (Numbers{0, 1, 0}));
  const LabelMap plain = learn(FENCHEL_TARGET_CLASS, numbers({1, 2}));
  const RawLabels names{.numbers = {0, 1}, .names = {"2", "1"}};
  BOOST_TEST(plain.encode(names, "test") == (Numbers{1, 0}));
}

BOOST_AUTO_TEST_CASE(other_kinds_of_target) {
  BOOST_TEST(learn(FENCHEL_TARGET_NONE, {.numbers = {0}, .names = {"x"}}).labels.empty());
}

BOOST_AUTO_TEST_CASE(labels_of_sequences_are_classes_and_an_unseen_one_is_refused_with_its_line) {
  const RawLabels seen{.numbers = {0, 1, 0}, .names = {"O", "B-X"}, .lines = {1, 2}};
  const LabelMap map = learn(FENCHEL_TARGET_SEQUENCE, seen);
  BOOST_TEST(map.labels == (std::vector<std::string>{"B-X", "O"}));
  BOOST_TEST(map.encode(seen, "train") == (Numbers{1, 0, 1}));
  const RawLabels other{.numbers = {0, 1}, .names = {"O", "I-X"}, .lines = {1, 7}};
  BOOST_TEST(failure([&] { map.encode(other, "test"); }) ==
             "test:7: label \"I-X\" is none of those known: B-X, O; the labels must be among those "
             "of the training data");
  const LabelMap wider = map.extended(other);
  BOOST_TEST(wider.labels == (std::vector<std::string>{"B-X", "O", "I-X"}));
  BOOST_TEST(wider.encode(other, "test") == (Numbers{1, 2}));
}

BOOST_AUTO_TEST_SUITE_END()
