// The CSV reader: quoting, header, label column, and every refusal with its message.
#include "unit/data_support.hpp"

#include <boost/test/unit_test.hpp>

using data_support::Folder;
using fenchel::Dataset;
using fenchel::ReadOptions;
using Numbers = std::vector<double>;
using Names = std::vector<std::string>;

namespace {

const ReadOptions kCsv{.format = "csv"};

ReadOptions with_label(const std::string& label) { return {.format = "csv", .label = label}; }

}  // namespace

BOOST_AUTO_TEST_SUITE(data_csv)

BOOST_AUTO_TEST_CASE(the_first_column_is_the_label_by_default) {
  const Folder folder;
  const Dataset data = folder.read("1,0.5,2\n-1,+3,4e1\n", kCsv);
  BOOST_TEST(data.x.dense);
  BOOST_TEST(data.x.rows == 2);
  BOOST_TEST(data.x.columns == 2);
  BOOST_TEST(data.x.values == (Numbers{0.5, 2, 3, 40}));
  BOOST_TEST(data.labels.numbers == (Numbers{1, -1}));
  BOOST_TEST(data.feature_names.empty());
}

BOOST_AUTO_TEST_CASE(mostly_zero_tables_become_sparse) {
  const Folder folder;
  const Dataset data = folder.read("1,0,0,5\n2,0,0,0\n", kCsv);
  BOOST_TEST(!data.x.dense);
  BOOST_TEST(data.x.starts == (std::vector<std::int64_t>{0, 1, 1}));
  BOOST_TEST(data.x.indices == std::vector<std::int32_t>{2});
  BOOST_TEST(folder.read("1,0,0,5\n2,0,0,0\n", {.format = "csv", .storage = "dense"}).x.dense);
}

BOOST_AUTO_TEST_CASE(a_header_names_the_features) {
  const Folder folder;
  const Dataset data =
      folder.read("age, \"in \"\"cm\"\"\" ,class\n1,2,a\n3,4,b\n", with_label("class"));
  BOOST_TEST(data.feature_names == (Names{"age", "in \"cm\""}));
  BOOST_TEST(data.labels.names == (Names{"a", "b"}));
  BOOST_TEST(data.x.values == (Numbers{1, 2, 3, 4}));
  const Dataset by_number = folder.read("age,size,class\n1,2,a\n3,4,b\n", with_label("3"));
  BOOST_TEST(by_number.feature_names == (Names{"age", "size"}));
  BOOST_TEST(by_number.labels.names == (Names{"a", "b"}));
}

BOOST_AUTO_TEST_CASE(a_header_is_recognised) {
  const Folder folder;
  const auto has_header = [&](const std::string& text) {
    return !folder.read(text, kCsv).feature_names.empty();
  };
  BOOST_TEST(has_header("y,a,b\n1,2,3\n"));
  BOOST_TEST(has_header("y,a,b\nspam,2,3\n"));
  BOOST_TEST(has_header("y,a,2020\n1,2,3\n"));
  BOOST_TEST(has_header("y,1,2\n1,2,3\n"));  // the label cell tells
  BOOST_TEST(!has_header("spam,1,2\nham,2,3\n"));
  BOOST_TEST(!has_header("1,1,2\n1,2,3\n"));
}

BOOST_AUTO_TEST_CASE(header_can_be_said) {
  const Folder folder;
  const Dataset with = folder.read("1,2\n3,4\n", {.format = "csv", .header = true});
  BOOST_TEST(with.feature_names == Names{"2"});
  BOOST_TEST(with.x.rows == 1);
  BOOST_TEST(folder.failure("y,a\n3,4\n", {.format = "csv", .header = false}) ==
             "data:1: column 2: \"a\" is not a number; set data.header: true if this row is a "
             "header, else give the column as numbers");
  BOOST_TEST(folder.failure("y,a\n3,4\n", {.format = "csv", .header = false, .label = "y"}) ==
             "data: data.label: a label column given by name needs a header row; give its number, "
             "from 1");
}

BOOST_AUTO_TEST_CASE(quoted_cells_may_hold_anything) {
  const Folder folder;
  const Dataset data =
      folder.read("\"one, two\",\"1\"\r\n\"say \"\"hi\"\"\",2\r\n\"two\nlines\" , 3\r\n", kCsv);
  BOOST_TEST(data.labels.names == (Names{"one, two", "say \"hi\"", "two\nlines"}));
  BOOST_TEST(data.x.values == (Numbers{1, 2, 3}));
  BOOST_TEST(folder.failure("\"a\nb\",1\nc,x\n", kCsv) ==
             "data:3: column 2: \"x\" is not a number; give the column as numbers, or name it in "
             "data.label if it is the label");
}

BOOST_AUTO_TEST_CASE(broken_quoting_is_reported) {
  const Folder folder;
  const std::string advice = "; quote the whole cell and double the quotes inside it";
  BOOST_TEST(folder.failure("1,2\n\"3,4\n5,6\n", kCsv) ==
             "data:2: a quoted cell without its closing quote" + advice);
  BOOST_TEST(folder.failure("1,2\n\"3\"x,4\n", kCsv) ==
             "data:2: text behind the closing quote of a cell" + advice);
  BOOST_TEST(folder.failure("1,2\n3\"x\",4\n", kCsv) ==
             "data:2: a quote inside a cell that does not start with one" + advice);
}

BOOST_AUTO_TEST_CASE(the_delimiter_is_guessed_or_given) {
  const Folder folder;
  for (const std::string text : {"1,2,3\n", "1;2;3\n", "1\t2\t3\n", "\"1,,,,\";2;3\n"}) {
    BOOST_TEST(folder.read(text, kCsv).x.values == (Numbers{2, 3}));
  }
  BOOST_TEST(folder.read("1|2|3\n", {.format = "csv", .delimiter = "|"}).x.columns == 2);
  BOOST_TEST(folder.read("1\t2\t3\n", {.format = "csv", .delimiter = "tab"}).x.columns == 2);
  BOOST_TEST(folder.read("a,b\t2\n", {}, "data.tsv").labels.names == Names{"a,b"});
  BOOST_TEST(folder.failure("1,2\n", {.format = "csv", .delimiter = "::"}) ==
             "data: data.delimiter: \"::\" is not a delimiter; give one character, or tab");
  BOOST_TEST(folder.failure("1|2|3\n", kCsv) ==
             "data:1: only one column, the label; check data.delimiter: no other was found");
}

BOOST_AUTO_TEST_CASE(line_ends_blank_lines_and_a_byte_order_mark_do_not_matter) {
  const Folder folder;
  for (const std::string text : {"1,2\n3,4", "1,2\r\n3,4\r\n", "\n1,2\n\n  \r\n3,4\n\n",
                                 "\xEF\xBB\xBF"
                                 "1,2\n3,4\r"}) {
    const Dataset data = folder.read(text, kCsv);
    BOOST_TEST(data.labels.numbers == (Numbers{1, 3}));
    BOOST_TEST(data.x.values == (Numbers{2, 4}));
  }
}

BOOST_AUTO_TEST_CASE(a_bad_cell_is_reported_with_line_and_column) {
  const Folder folder;
  const std::string head = "y,age,size\n1,2,3\n";
  BOOST_TEST(folder.failure(head + "1,x,3\n", kCsv) ==
             "data:3: column 2 (\"age\"): \"x\" is not a number; give the column as numbers, or "
             "name it in data.label if it is the label");
  BOOST_TEST(folder.failure(head + "1,2,\n", kCsv) ==
             "data:3: column 3 (\"size\"): missing value; fill the empty cell, or remove the row");
  BOOST_TEST(folder.failure(head + "1,NaN,3\n", kCsv) ==
             "data:3: column 2 (\"age\"): \"NaN\" is not finite; every value must be a finite "
             "number");
  BOOST_TEST(folder.failure(head + "1,2,-inf\n", kCsv) ==
             "data:3: column 3 (\"size\"): \"-inf\" is not finite; every value must be a finite "
             "number");
  BOOST_TEST(folder.failure(head + ",2,3\n", kCsv) ==
             "data:3: the label is missing; give every row a label");
  BOOST_TEST(folder.failure(head + "inf,2,3\n", kCsv) ==
             "data:3: label \"inf\" is not finite; correct the label");
  BOOST_TEST(folder.failure(head + "1,2\n", kCsv) ==
             "data:3: 2 cells, the first row has 3; give every row the same number of cells");
  BOOST_TEST(folder.failure(head + "1,2,3,4\n", kCsv) ==
             "data:3: 4 cells, the first row has 3; give every row the same number of cells");
  BOOST_TEST(folder.failure("a\xE9,b,c\n1,2,3\n", with_label("2")) ==
             "data:1: the column name \"a\\xe9\" is not UTF-8 text; convert the file to UTF-8");
}

BOOST_AUTO_TEST_CASE(one_bad_number_in_a_first_row_is_not_taken_for_a_header) {
  const Folder folder;
  BOOST_TEST(folder.failure("1,2,3,x4\n1,2,3,4\n", kCsv) ==
             "data:1: column 4: \"x4\" is not a number; set data.header: true if this row is a "
             "header, else give the column as numbers");
}

BOOST_AUTO_TEST_CASE(a_label_column_that_is_not_there_is_reported) {
  const Folder folder;
  const std::string text = "y,a,a\n1,2,3\n";
  BOOST_TEST(folder.failure(text, with_label("z")) ==
             "data: data.label: no column is named \"z\"; the columns are y, a, a");
  BOOST_TEST(folder.failure(text, with_label("a")) ==
             "data: data.label: several columns are named \"a\"; give the number of the column, "
             "from 1");
  for (const std::string number : {"0", "4", "99999999999999999999"}) {
    BOOST_TEST(folder.failure(text, with_label(number)) ==
               "data: data.label: column " + number +
                   " of 3; give a number from 1 to 3, or a name");
  }
}

BOOST_AUTO_TEST_CASE(declared_features_must_be_there) {
  const Folder folder;
  ReadOptions options = kCsv;
  options.features = 2;
  BOOST_TEST(folder.read("1,2,3\n", options).x.columns == 2);
  BOOST_TEST(folder.failure("1,2,3,4\n", options) ==
             "data: 3 columns besides the label, 2 features declared; check data.features, "
             "data.label and data.delimiter");
  BOOST_TEST(folder.failure("1,2\n", options) ==
             "data: 1 columns besides the label, 2 features declared; check data.features, "
             "data.label and data.delimiter");
  options.ignore_unseen = true;
  const Dataset data = folder.read("y,a,b,c\n1,2,3,4\n", options);
  BOOST_TEST(data.x.values == (Numbers{2, 3}));
  BOOST_TEST(data.feature_names == (Names{"a", "b"}));
}

BOOST_AUTO_TEST_CASE(the_format_is_guessed_from_name_and_content) {
  const Folder folder;
  const auto columns = [&](const std::string& name, const std::string& text) {
    return folder.read(text, {}, name).x.columns;
  };
  BOOST_TEST(columns("a.csv", "1,2,3\n") == 2);
  BOOST_TEST(columns("a.CSV.gz", "1,2,3\n") == 2);
  BOOST_TEST(columns("a.tsv.xz", "1\t2\t3\n") == 2);
  BOOST_TEST(columns("a.txt", "1,2,3\n") == 2);
  BOOST_TEST(columns("a", "1\t2\t3\n") == 2);
  BOOST_TEST(columns("a", "y,a b,c\n1,2,3\n") == 2);
  BOOST_TEST(folder.failure("spam,1\n", {}, "a.svm.gz") ==
             "a.svm.gz:1: several labels (\"spam,1\") in one row; give each row one label");
  BOOST_TEST(columns("a.txt", "# note\n\n1 2:3\n") == 2);
  BOOST_TEST(columns("a", "spam\nham 5:1\n") == 5);
  BOOST_TEST(folder.failure("1,2 1:3\n") ==
             "data:1: several labels (\"1,2\") in one row; give each row one label");
  BOOST_TEST(folder.failure("1,2\n", {.format = "arff"}) ==
             "data: data.format: no format is named \"arff\"; give libsvm, csv, "
             "crfsuite or conll");
}

BOOST_AUTO_TEST_SUITE_END()
