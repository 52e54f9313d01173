// Columns of text with feature templates: what attributes a position gets, and every refusal.
#include "data_support.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>

namespace {
using namespace fenchel;
using Names = std::vector<std::string>;

const data_support::Folder kFolder;
const std::string kText = "The DT B-NP\ncat NN I-NP\nSat VBD O\n\nU.S.-led JJ O\n";

ReadOptions conll(const Names& templates) {
  ReadOptions options{.format = "conll", .storage = "sparse"};
  options.columns = {"word", "tag", "chunk"};
  for (const std::string& text : templates)
    options.templates.push_back({text, {"s.yaml", 7, 10, "data.features[0]"}});
  return options;
}

// The attributes of one position.
Names attributes(const Names& templates, std::size_t position, const std::string& text = kText) {
  const Dataset data = kFolder.read(text, conll(templates));
  Names names;
  for (auto k = static_cast<std::size_t>(data.x.starts[position]);
       k < static_cast<std::size_t>(data.x.starts[position + 1]); ++k) {
    BOOST_TEST(data.x.values[k] == 1.0);
    names.push_back(data.feature_names[static_cast<std::size_t>(data.x.indices[k])]);
  }
  return names;
}

std::string failure(const std::string& one) { return kFolder.failure(kText, conll({one})); }
std::string data_failure(const std::string& text) {
  return kFolder.failure(text, conll({"word[0]"}));
}

void expect(Names found, Names expected) {
  std::sort(found.begin(), found.end());
  std::sort(expected.begin(), expected.end());
  BOOST_TEST(found == expected, boost::test_tools::per_element());
}
}  // namespace

BOOST_AUTO_TEST_SUITE(data_conll)

BOOST_AUTO_TEST_CASE(a_template_is_a_column_at_an_offset) {
  expect(attributes({"word", "tag[-1]", "word[+1]"}, 1),
         {"word[0]=cat", "tag[-1]=DT", "word[1]=Sat"});
}

BOOST_AUTO_TEST_CASE(a_range_is_one_template_a_number) {
  expect(attributes({"tag[-1..1]"}, 1), {"tag[-1]=DT", "tag[0]=NN", "tag[1]=VBD"});
}

BOOST_AUTO_TEST_CASE(behind_the_ends_stand_symbols_by_their_distance) {
  expect(attributes({"word[-2..2]"}, 0),
         {"word[-2]=_B-2", "word[-1]=_B-1", "word[0]=The", "word[1]=cat", "word[2]=Sat"});
  expect(attributes({"word[-2..2]"}, 3),
         {"word[-2]=_B-2", "word[-1]=_B-1", "word[0]=U.S.-led", "word[1]=_B+1", "word[2]=_B+2"});
  expect(attributes({"lower(prefix(word[-1], 2))"}, 0), {"lower(prefix(word[-1],2))=_B-1"});
}

BOOST_AUTO_TEST_CASE(conjunctions_join_their_parts_and_their_ranges_move_together) {
  expect(attributes({"word[0] | tag[0]"}, 1), {"word[0]|tag[0]=cat NN"});
  expect(attributes({"tag[-2..0]|tag[-1..1]"}, 1),
         {"tag[-2]|tag[-1]=_B-1 DT", "tag[-1]|tag[0]=DT NN", "tag[0]|tag[1]=NN VBD"});
  expect(attributes({"tag[-1..0]|word[0]"}, 1),
         {"tag[-1]|word[0]=DT cat", "tag[0]|word[0]=NN cat"});
}

BOOST_AUTO_TEST_CASE(functions_cut_fold_and_abstract) {
  expect(attributes({"prefix(word[0],2)", "suffix(word[0], 1..3)"}, 1),
         {"prefix(word[0],2)=ca", "suffix(word[0],1)=t", "suffix(word[0],2)=at",
          "suffix(word[0],3)=cat"});
  expect(attributes({"lower(word)", "shape(word)", "suffix(lower(word),2)"}, 2),
         {"lower(word[0])=sat", "shape(word[0])=Xx", "suffix(lower(word[0]),2)=at"});
  expect(attributes({"shape(word)"}, 3), {"shape(word[0])=X.X.-x"});
  expect(attributes({"shape(word)"}, 0, "3,000-Mark x O\n"), {"shape(word[0])=d,d-Xx"});
}

BOOST_AUTO_TEST_CASE(a_text_that_is_too_short_has_no_such_prefix) {
  expect(attributes({"prefix(word,4)", "suffix(word,4)", "prefix(word,4)|tag", "tag"}, 1),
         {"tag[0]=NN"});
}

BOOST_AUTO_TEST_CASE(lengths_count_characters_not_bytes) {
  expect(attributes({"prefix(word,2)", "suffix(word,2)"}, 0, "äöü x O\n"),
         {"prefix(word[0],2)=äö", "suffix(word[0],2)=öü"});
}

BOOST_AUTO_TEST_CASE(a_bias_is_there_where_asked_for) {
  expect(attributes({"bias", "tag"}, 3), {"bias", "tag[0]=JJ"});
}

BOOST_AUTO_TEST_CASE(the_label_is_the_last_column_or_the_one_named) {
  ReadOptions options = conll({"word"});
  BOOST_TEST(kFolder.read(kText, options).labels.names == (Names{"B-NP", "I-NP", "O"}),
             boost::test_tools::per_element());
  options.label = "tag";
  const Dataset data = kFolder.read(kText, options);
  BOOST_TEST(data.labels.names == (Names{"DT", "NN", "VBD", "JJ"}),
             boost::test_tools::per_element());
  BOOST_TEST(data.sequences.lines == (std::vector<int>{1, 5}), boost::test_tools::per_element());
  options.label = "pos";
  BOOST_TEST(kFolder.failure(kText, options) ==
             "data: data.label: no column is named \"pos\"; the columns are word, tag, chunk");
}

BOOST_AUTO_TEST_CASE(labels_may_be_missing_where_they_are_asked_for) {
  ReadOptions options = conll({"word"});
  BOOST_TEST(kFolder.failure("a DT\n", options) ==
             "data:1: 2 cells instead of 3: word, tag, chunk; give every line a cell a column, or "
             "correct data.columns");
  options.labels_optional = true;
  BOOST_TEST(kFolder.read("a DT\nb NN O\n", options).labels.names == (Names{"", "O"}),
             boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(malformed_files_are_refused_with_their_line) {
  const std::string advice = "; give every line a cell a column, or correct data.columns";
  BOOST_TEST(data_failure("a DT O\nb NN\n") ==
             "data:2: 2 cells instead of 3: word, tag, chunk" + advice);
  BOOST_TEST(data_failure("a DT O\n\n\nb\n") ==
             "data:4: 1 cell instead of 3: word, tag, chunk" + advice);
  BOOST_TEST(data_failure("a\tb c  d\n") ==
             "data:1: 4 cells instead of 3: word, tag, chunk" + advice);
  BOOST_TEST(data_failure("a DT O\nb NN \xff\n") ==
             "data:2: label \"\\xff\" is not UTF-8 text; correct the label");
  BOOST_TEST(data_failure("\n") == "data: no sequences; the file holds no data");
}

BOOST_AUTO_TEST_CASE(a_bad_template_is_refused_at_its_place) {
  const std::string form =
      "; a template is like word[0], tag[-2..2], tag[-1]|tag[0] or suffix(word[0], 3)";
  const auto at = [](int column, const std::string& rest) {
    return "s.yaml:7:" + std::to_string(column) + ": data.features[0]: " + rest;
  };
  BOOST_TEST(failure("wrod[0]") ==
             at(10, "\"wrod[0]\": no column is named \"wrod\"; did you mean 'word'?"));
  BOOST_TEST(failure("tag[0]|pos[0]") ==
             at(17,
                "\"tag[0]|pos[0]\": no column is named \"pos\"; the columns are word, tag, "
                "chunk"));
  BOOST_TEST(failure("prefx(word,3)") ==
             at(10, "\"prefx(word,3)\": no function is named \"prefx\"; did you mean 'prefix'?"));
  BOOST_TEST(failure("reverse(word)") ==
             at(10,
                "\"reverse(word)\": no function is named \"reverse\"; the functions are prefix, "
                "suffix, shape, lower"));
  BOOST_TEST(failure("chunk[-1]") ==
             at(10,
                "\"chunk[-1]\": \"chunk\" is the label; it is not known when the model is "
                "applied; take another column"));
  BOOST_TEST(failure("word[0") == at(16, "\"word[0\": ']' is missing" + form));
  BOOST_TEST(failure("word[a]") == at(15, "\"word[a]\": an integer is missing" + form));
  BOOST_TEST(failure("word[0]]") == at(17, "\"word[0]]\": \"]\" is left over" + form));
  BOOST_TEST(failure("word|") == at(15, "\"word|\": a column is missing" + form));
  BOOST_TEST(failure("") == at(10, "\"\": a column is missing" + form));
  BOOST_TEST(failure("prefix(word)") == at(21, "\"prefix(word)\": ',' is missing" + form));
  BOOST_TEST(failure("prefix(word,0)") ==
             at(22, "\"prefix(word,0)\": the number is out of range; give 1 to 100"));
  BOOST_TEST(failure("word[-101]") ==
             at(15, "\"word[-101]\": the number is out of range; give -100 to 100"));
  BOOST_TEST(failure("word[99999999999999999999]") ==
             at(15,
                "\"word[99999999999999999999]\": the number is out of range; give -100 to "
                "100"));
  BOOST_TEST(failure("word[2..1]") ==
             at(15, "\"word[2..1]\": the range is empty; write the smaller end first"));
  BOOST_TEST(failure("word[0..1]|tag[0..2]") ==
             at(10,
                "\"word[0..1]|tag[0..2]\": ranges of 2 and of 3 numbers; the ranges of a "
                "template move together: make them equally long"));
  std::string deep = "word";
  for (int k = 0; k < 20; ++k) deep = "lower(" + deep + ")";
  BOOST_TEST(failure(deep).find("functions are nested too deeply") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_template_that_stands_twice_is_refused) {
  BOOST_TEST(kFolder.failure(kText, conll({"word[-1..1]", "tag", "word"})) ==
             "s.yaml:7:10: data.features[0]: \"word[0]=\" stands twice; keep one of them");
}

BOOST_AUTO_TEST_SUITE_END()
