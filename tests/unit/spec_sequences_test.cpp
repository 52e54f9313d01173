// The keys of a spec that sequences have.
#include "spec/parse.hpp"
#include "spec/spec.hpp"
#include "spec/validate.hpp"
#include "unit/spec_files.hpp"

#include <string>

using fenchel::Spec;
using spec_tests::error_of;

namespace {

// `keys` begin at column 8 of line 2.
Spec valid(const std::string& keys) {
  const std::string text = "fenchel: 1\ndata: {" + keys + "}\nloss: crf\nsolver: lbfgs\n";
  return fenchel::spec::validate(fenchel::spec::parse_yaml(text, "s.yaml"), "s.yaml");
}

std::string fault(const std::string& keys) {
  return error_of([&] { valid(keys); });
}

const std::string kConll = "train: a, columns: [word, tag], features: ['word[0]', bias]";

}  // namespace

BOOST_AUTO_TEST_SUITE(spec_sequences)

BOOST_AUTO_TEST_CASE(columns_and_templates_are_kept_with_their_places) {
  const Spec spec = valid(kConll + ", label: tag, begin-end: true, transitions: bio");
  BOOST_TEST(spec.data.format == "conll");  // as the columns say
  BOOST_TEST(spec.data.columns == (std::vector<std::string>{"word", "tag"}));
  BOOST_TEST(spec.data.label == "tag");
  BOOST_REQUIRE(spec.data.templates.size() == 2U);
  BOOST_TEST(spec.data.templates[0].text == "word[0]");
  BOOST_TEST(spec.data.templates[0].place.key == "data.features[0]");
  BOOST_TEST(spec.data.templates[0].place.line == 2);
  BOOST_TEST(spec.data.templates[0].place.column == 52);  // behind the quote
  BOOST_TEST(spec.data.templates[1].place.column == 62);
  BOOST_TEST(spec.data.begin_end);
  BOOST_TEST(spec.data.transitions.scalar == "bio");
  BOOST_TEST(!spec.data.keep_unseen_labels);
  BOOST_TEST(!spec.data.features.has_value());
}

BOOST_AUTO_TEST_CASE(the_defaults_ask_for_nothing) {
  const Spec spec = valid("train: a, format: crfsuite");
  BOOST_TEST(!spec.data.begin_end);
  BOOST_TEST(spec.data.transitions.is_null());
  BOOST_TEST(valid("train: a, format: crfsuite, unseen-labels: wrong").data.keep_unseen_labels);
}

BOOST_AUTO_TEST_CASE(the_resolved_spec_has_all_of_them) {
  const std::string keys =
      kConll + ", label: tag, begin-end: true, transitions: {tag: [a, b]}, unseen-labels: wrong";
  const std::string text = "fenchel: 1\ndata: {" + keys + "}\nloss: crf\nsolver: lbfgs\n";
  const fenchel::Node tree = fenchel::spec::parse_yaml(text, "s.yaml");
  const Spec spec = fenchel::spec::validate(tree, "s.yaml");
  const std::string out = fenchel::to_yaml(fenchel::spec::resolved_tree(tree, spec));
  for (const char* line :
       {"columns: [word, tag]", "label: tag", "begin-end: true", "unseen-labels: wrong", "bias]"})
    BOOST_TEST(out.find(line) != std::string::npos, line);
  const Spec again =
      fenchel::spec::validate(fenchel::spec::parse_yaml(out, "spec.yaml"), "spec.yaml");
  BOOST_TEST(again.data.templates[0].text == "word[0]");
  BOOST_TEST(again.data.transitions.find("tag")->items[1].scalar == "b");
}

BOOST_AUTO_TEST_CASE(a_wrong_value_is_refused_at_its_place) {
  BOOST_TEST(fault("train: a, columns: word, features: [word]") ==
             "s.yaml:2:27: data.columns: expected a list of names, found 'word'; write [word, tag, "
             "chunk]");
  BOOST_TEST(fault("train: a, columns: [word, word], features: [word]") ==
             "s.yaml:2:34: data.columns[1]: the column 'word' is named twice; give every column "
             "its own name");
  BOOST_TEST(fault("train: a, columns: [a b], features: [word]") ==
             "s.yaml:2:28: data.columns[0]: 'a b' cannot be the name of a column; take letters, "
             "digits, _ and -, but not 'bias'");
  BOOST_TEST(fault("train: a, columns: [bias], features: [bias]").find("cannot be the name") !=
             std::string::npos);
  BOOST_TEST(fault("train: a, columns: [word]") ==
             "s.yaml:2:7: data.features: the key is missing; list templates: features: "
             "[\"word[-2..2]\", \"tag[-2..2]\"]");
  BOOST_TEST(fault("train: a, columns: [word], features: 7") ==
             "s.yaml:2:45: data.features: expected a list of templates, found '7'; write "
             "[\"word[-2..2]\", \"tag[-2..2]\"]");
  BOOST_TEST(fault(kConll + ", label: tga") ==
             "s.yaml:2:76: data.label: no column is named 'tga'; did you mean 'tag'?");
  BOOST_TEST(fault(kConll + ", transitions: bios") ==
             "s.yaml:2:82: data.transitions: expected all, observed or bio, found 'bios'; did you "
             "mean 'bio'?");
  BOOST_TEST(fault(kConll + ", transitions: {O: {a: b}}").find("expected a label, or a list") !=
             std::string::npos);
  BOOST_TEST(fault(kConll + ", begin-end: 1").find("expected true or false") != std::string::npos);
  BOOST_TEST(fault(kConll + ", unseen-labels: right").find("expected refuse or wrong") !=
             std::string::npos);
}

BOOST_AUTO_TEST_CASE(keys_of_another_format_are_refused) {
  BOOST_TEST(fault("train: a, format: crfsuite, columns: [word]") ==
             "s.yaml:2:36: data.columns: this key is for the format conll; remove it");
  BOOST_TEST(fault("train: a, begin-end: true") ==
             "s.yaml:2:18: data.begin-end: this key is for the formats crfsuite and conll; say "
             "'format: …', or remove the key");
  BOOST_TEST(
      fault("train: a, format: csv, transitions: bio") ==
      "s.yaml:2:31: data.transitions: this key is for the formats crfsuite and conll; remove "
      "it");
  BOOST_TEST(fault("train: a, format: crfsuite, header: true") ==
             "s.yaml:2:36: data.header: this key is for the format csv; remove it");
  BOOST_TEST(
      fault("train: a, format: crfsuite, features: 5") ==
      "s.yaml:2:36: data.features: this key is for the formats libsvm, csv and conll; remove "
      "it");
  BOOST_TEST(fault(kConll + ", delimiter: tab") ==
             "s.yaml:2:69: data.delimiter: this key is for the format csv; remove it");
}

BOOST_AUTO_TEST_SUITE_END()
