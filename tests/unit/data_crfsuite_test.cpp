// CRFsuite's format: what is read, and what every malformed file is told.
#include "data_support.hpp"

#include <boost/test/unit_test.hpp>

namespace {
using namespace fenchel;
using Names = std::vector<std::string>;
using Starts = std::vector<std::int64_t>;

const data_support::Folder kFolder;

ReadOptions crfsuite() { return {.format = "crfsuite", .storage = "sparse"}; }
Dataset read(const std::string& text, const ReadOptions& options = crfsuite()) {
  return kFolder.read(text, options);
}
std::string failure(const std::string& text) { return kFolder.failure(text, crfsuite()); }

// "name:value name:value" of a position.
std::string row(const Dataset& data, std::size_t i) {
  std::string text;
  for (auto k = static_cast<std::size_t>(data.x.starts[i]);
       k < static_cast<std::size_t>(data.x.starts[i + 1]); ++k) {
    const std::string& name = data.feature_names[static_cast<std::size_t>(data.x.indices[k])];
    text += (text.empty() ? "" : " ") + name + "=" + std::to_string(data.x.values[k]).substr(0, 4);
  }
  return text;
}
}  // namespace

BOOST_AUTO_TEST_SUITE(data_crfsuite)

BOOST_AUTO_TEST_CASE(positions_sequences_attributes_and_labels_are_read) {
  const Dataset data = read("N\tw=the\tcap:0.5\nV\tw=runs\n\nN\tw=the\n");
  BOOST_TEST(data.sequences.starts == (Starts{0, 2, 3}), boost::test_tools::per_element());
  BOOST_TEST(data.sequences.lines == (std::vector<int>{1, 4}), boost::test_tools::per_element());
  BOOST_TEST(data.labels.names == (Names{"N", "V"}), boost::test_tools::per_element());
  BOOST_TEST(data.labels.numbers == (std::vector<double>{0, 1, 0}),
             boost::test_tools::per_element());
  BOOST_TEST(data.labels.lines == (std::vector<int>{1, 2}), boost::test_tools::per_element());
  BOOST_TEST(data.feature_names == (Names{"w=the", "cap", "w=runs"}),
             boost::test_tools::per_element());
  BOOST_TEST(row(data, 0) == "w=the=1.00 cap=0.50");
  BOOST_TEST(row(data, 1) == "w=runs=1.00");
}

BOOST_AUTO_TEST_CASE(blank_lines_in_any_number_and_carriage_returns_do_not_matter) {
  const Dataset data = read("\n\nA\tx\r\n\r\n \n\nB\tx\n\n\n");
  BOOST_TEST(data.sequences.starts == (Starts{0, 1, 2}), boost::test_tools::per_element());
  BOOST_TEST(data.sequences.lines == (std::vector<int>{3, 7}), boost::test_tools::per_element());
  BOOST_TEST(data.feature_names == (Names{"x"}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(escapes_are_undone_in_names) {
  const Dataset data = read("A\tw=a\\:b\tw=c\\\\d:2\tw=e\\f\tplain:-1e0\nB\n");
  BOOST_TEST(data.feature_names == (Names{"w=a:b", "w=c\\d", "w=e\\f", "plain"}),
             boost::test_tools::per_element());
  BOOST_TEST(row(data, 0) == "w=a:b=1.00 w=c\\d=2.00 w=e\\f=1.00 plain=-1.0");
  BOOST_TEST(row(data, 1) == "");  // a label alone
}

BOOST_AUTO_TEST_CASE(an_attribute_that_stands_twice_adds_up_and_zeros_are_not_stored) {
  const Dataset data = read("A\tb\ta:2\tb:0.5\tc:0\t\tb:1\nB\ta:1\ta:-1\n");
  BOOST_TEST(row(data, 0) == "b=2.50 a=2.00");
  BOOST_TEST(row(data, 1) == "");
}

BOOST_AUTO_TEST_CASE(begin_and_end_are_one_attribute_each) {
  ReadOptions options = crfsuite();
  options.begin_end = true;
  const Dataset data = read("A\tx\nB\nA\tx\n\nB\tx\n", options);
  BOOST_TEST(row(data, 0) == "__BEGIN__=1.00 x=1.00");
  BOOST_TEST(row(data, 1) == "");
  BOOST_TEST(row(data, 2) == "x=1.00 __END__=1.00");
  BOOST_TEST(row(data, 3) == "__BEGIN__=1.00 x=1.00 __END__=1.00");
}

BOOST_AUTO_TEST_CASE(attributes_unseen_in_training_are_dropped) {
  const Names known{"b", "a"};
  ReadOptions options = crfsuite();
  options.attributes = &known;
  const Dataset data = read("A\ta\tnew:3\tb\n", options);
  BOOST_TEST(data.x.columns == 2);
  BOOST_TEST(data.feature_names == known, boost::test_tools::per_element());
  BOOST_TEST(row(data, 0) == "b=1.00 a=1.00");
}

BOOST_AUTO_TEST_CASE(many_attributes_keep_their_numbers_while_the_dictionary_grows) {
  std::string text;
  for (int k = 0; k < 5000; ++k)
    text += "A\tw=" + std::to_string(k) + "\tw=" + std::to_string(k / 2) + "\n";
  const Dataset data = read(text);
  BOOST_TEST(data.x.columns == 5000);
  for (std::size_t k = 0; k < 5000; ++k) {
    const std::string one = "w=" + std::to_string(k) + "=1.00";
    const std::string half = "w=" + std::to_string(k / 2) + "=1.00";
    BOOST_REQUIRE(row(data, k) == (k == 0 ? "w=0=2.00" : half + " " + one));
  }
}

BOOST_AUTO_TEST_CASE(compressed_files_and_the_ending_are_recognised) {
  const std::string text = "A\tx\nB\ty\n";
  for (const std::string kind : {"gz", "bz2", "zst", "xz"})
    BOOST_TEST(kFolder.read(data_support::pack_as(kind, text), {}, "some.crfsuite." + kind)
                   .sequences.count() == 1);
}

BOOST_AUTO_TEST_CASE(malformed_files_are_refused_with_their_line) {
  const std::string form = "; an attribute is name or name:value; a colon in a name is written \\:";
  BOOST_TEST(failure("") == "data: no sequences; the file holds no data");
  BOOST_TEST(failure("\n \n") == "data: no sequences; the file holds no data");
  BOOST_TEST(failure("A\tx\n\tx\n") ==
             "data:2: the label is missing; a line is: label, tab, attribute, tab, …");
  BOOST_TEST(failure("A\tx\n\nB\tx:abc\n") ==
             "data:3: \"x:abc\": value \"abc\" is not a number" + form);
  BOOST_TEST(failure("A\tx:\n") == "data:1: \"x:\": value \"\" is not a number" + form);
  BOOST_TEST(failure("A\tx:1:2\n") == "data:1: \"x:1:2\": value \"1:2\" is not a number" + form);
  BOOST_TEST(failure("A\tx:inf\n") == "data:1: \"x:inf\": value \"inf\" is not finite" + form);
  BOOST_TEST(failure("A\t:1\n") == "data:1: \":1\" has no name" + form);
  BOOST_TEST(failure("A\tx\n\xff\tx\n") ==
             "data:2: label \"\\xff\" is not UTF-8 text; correct the label");
}

BOOST_AUTO_TEST_SUITE_END()
