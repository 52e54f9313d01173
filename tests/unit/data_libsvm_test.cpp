// The libsvm reader: every rule of the format, with its message.
#include "unit/data_support.hpp"

#include <fmt/format.h>

#include <boost/test/unit_test.hpp>
#include <random>

using data_support::Folder;
using fenchel::Dataset;
using fenchel::ReadOptions;
using Numbers = std::vector<double>;
using Indices = std::vector<std::int32_t>;
using Names = std::vector<std::string>;

namespace {

const ReadOptions kSparse{.format = "libsvm", .storage = "sparse"};

}  // namespace

BOOST_AUTO_TEST_SUITE(data_libsvm)

BOOST_AUTO_TEST_CASE(rows_labels_and_columns_are_as_written) {
  const Folder folder;
  const Dataset data = folder.read("+1 1:0.5 3:-2e1\n-1\n1\t2:+7  4:.25 \n", kSparse);
  BOOST_TEST(data.x.rows == 3);
  BOOST_TEST(data.x.columns == 4);
  BOOST_TEST(!data.x.dense);
  BOOST_TEST(data.x.starts == (std::vector<std::int64_t>{0, 2, 2, 4}));
  BOOST_TEST(data.x.indices == (Indices{0, 2, 1, 3}));
  BOOST_TEST(data.x.values == (Numbers{0.5, -20, 7, 0.25}));
  BOOST_TEST(data.labels.numbers == (Numbers{1, -1, 1}));
  BOOST_TEST(data.labels.names.empty());
  BOOST_TEST(data.file == folder.path("data").string());
}

BOOST_AUTO_TEST_CASE(comments_blank_lines_and_line_ends_do_not_matter) {
  const Folder folder;
  const Dataset plain = folder.read("1 1:2 2:3\n-1 2:4\n", kSparse);
  for (const std::string text :
       {"1 1:2 2:3\n-1 2:4", "1 1:2 2:3\r\n-1 2:4\r\n", "\n  \n1 1:2 2:3\n\n-1 2:4\n\n",
        "# head\n1 1:2 2:3 # note 9:9\n-1 2:4#x\n#", "\xEF\xBB\xBF 1 1:2 2:3\n -1 2:4\r"}) {
    const Dataset data = folder.read(text, kSparse);
    BOOST_TEST(data.x.starts == plain.x.starts);
    BOOST_TEST(data.x.indices == plain.x.indices);
    BOOST_TEST(data.x.values == plain.x.values);
    BOOST_TEST(data.labels.numbers == plain.labels.numbers);
  }
}

BOOST_AUTO_TEST_CASE(explicit_zeros_are_not_stored_but_their_column_counts) {
  const Folder folder;
  const Dataset data = folder.read("1 1:0 2:5 7:-0.0\n", kSparse);
  BOOST_TEST(data.x.columns == 7);
  BOOST_TEST(data.x.indices == Indices{1});
  BOOST_TEST(data.x.values == Numbers{5});
}

BOOST_AUTO_TEST_CASE(labels_may_be_names) {
  const Folder folder;
  const Dataset data = folder.read("spam 1:1\nham 1:2\nspam\n", kSparse);
  BOOST_TEST(data.labels.names == (Names{"spam", "ham"}));
  BOOST_TEST(data.labels.numbers == (Numbers{0, 1, 0}));
}

BOOST_AUTO_TEST_CASE(one_name_among_numbers_makes_names_of_all) {
  const Folder folder;
  const Dataset data = folder.read("+1 1:1\n2.50 1:2\nother\n1.0\n", kSparse);
  BOOST_TEST(data.labels.names == (Names{"1", "2.5", "other"}));
  BOOST_TEST(data.labels.numbers == (Numbers{0, 1, 2, 0}));
}

BOOST_AUTO_TEST_CASE(a_broken_line_is_reported_with_file_line_and_finding) {
  const Folder folder;
  const std::string shape = "; a line is: label index:value index:value …";
  const std::string order = ": indices must increase within a line; sort the entries of the line";
  const std::string finite = "; every value must be a finite number";
  const std::vector<std::pair<std::string, std::string>> cases{
      {"1 5:1 3:1", "index 3 after 5" + order},
      {"1 5:1 5:1", "index 5 twice" + order},
      {"1 3:0 3:1", "index 3 twice" + order},
      {"1 0:1", "index 0: indices start at 1; renumber the features from 1"},
      {"1 -2:1", "index -2: indices start at 1; renumber the features from 1"},
      {"1 2147483648:1",
       "index 2147483648 is beyond the largest possible, 2147483647; renumber the features"},
      {"1 99999999999999999999999:1",
       "index 99999999999999999999999 is beyond the largest "
       "possible, 2147483647; renumber the features"},
      {"1 2:", "index 2: the value is missing" + shape},
      {"1 2: 3:1", "index 2: the value is missing" + shape},
      {"1 2:abc", "index 2: value \"abc\" is not a number" + finite},
      {"1 2:1x", "index 2: value \"1x\" is not a number" + finite},
      {"1 2:+-1", "index 2: value \"+-1\" is not a number" + finite},
      {"1 2:0x10", "index 2: value \"0x10\" is not a number" + finite},
      {"1 2:1:3", "index 2: value \"1:3\" is not a number" + finite},
      {"1 2:nan", "index 2: value \"nan\" is not finite" + finite},
      {"1 2:-Inf", "index 2: value \"-Inf\" is not finite" + finite},
      {"1 2:1e999", "index 2: value \"1e999\" is not finite" + finite},
      {"1 2", "\"2\" is not an entry index:value" + shape},
      {"1 :2", "\":2\" is not an entry index:value" + shape},
      {"1 a:2", "\"a:2\" is not an entry index:value" + shape},
      {"1 1.5:2", "\"1.5:2\" is not an entry index:value" + shape},
      {"1 1:1\r2:1", "\"\\x0d2:1\" is not an entry index:value" + shape},
      {"1 qid:3 1:2",
       "\"qid:3\": query ids (ranking data) are not supported; remove the qid entries"},
      {"1,2 1:2", "several labels (\"1,2\") in one row; give each row one label"},
      {"1:2 3:4", "the line starts with \"1:2\", not with a label" + shape},
      {"nan 1:2", "label \"nan\" is not finite; correct the label"},
      {"-inf", "label \"-inf\" is not finite; correct the label"},
      {"caf\xE9 1:2", "label \"caf\\xe9\" is not UTF-8 text; correct the label"},
  };
  for (const auto& [line, message] : cases) {
    BOOST_TEST(folder.failure("1 1:1\n\n" + line + "\n1 1:1\n", kSparse) == "data:3: " + message);
    BOOST_TEST(folder.failure(line, kSparse) == "data:1: " + message);  // at the end of the file
  }
}

BOOST_AUTO_TEST_CASE(the_largest_index_is_accepted) {
  const Folder folder;
  const Dataset data = folder.read("1 2147483647:3\n");
  BOOST_TEST(data.x.columns == 2147483647);
  BOOST_TEST(data.x.indices == Indices{2147483646});
}

BOOST_AUTO_TEST_CASE(long_findings_are_cut_in_messages) {
  const Folder folder;
  BOOST_TEST(folder.failure("1 " + std::string(500, 'x'), kSparse) ==
             "data:1: \"" + std::string(40, 'x') +
                 "…\" is not an entry index:value; a line is: label index:value index:value …");
}

BOOST_AUTO_TEST_CASE(declared_features_bound_the_indices) {
  const Folder folder;
  ReadOptions options = kSparse;
  options.features = 3;
  BOOST_TEST(folder.read("1 1:1\n", options).x.columns == 3);
  BOOST_TEST(folder.failure("1 1:1\n1 2:1 4:1\n", options) ==
             "data:2: index 4 is beyond the 3 features declared; correct data.features, or the "
             "file");
  options.ignore_unseen = true;
  const Dataset data = folder.read("1 1:1 4:1 9:1\n1 3:2\n", options);
  BOOST_TEST(data.x.columns == 3);
  BOOST_TEST(data.x.starts == (std::vector<std::int64_t>{0, 1, 2}));
  BOOST_TEST(data.x.indices == (Indices{0, 2}));
  BOOST_TEST(folder.failure("1 4:1 2:1\n", options) ==
             "data:1: index 2 after 4: indices must increase within a line; sort the entries of "
             "the line");
  options.features = -1;
  BOOST_TEST(folder.failure("1 1:1\n", options) ==
             "data: data.features: -1 features; give a number from 1 to 2147483647");
}

BOOST_AUTO_TEST_CASE(storage_follows_density_unless_asked_for) {
  const Folder folder;
  const std::string half = "1 1:1\n1 2:1\n";
  const std::string more = "1 1:1\n1 1:4 2:1\n";
  BOOST_TEST(!folder.read(half).x.dense);
  BOOST_TEST(!folder.read(more, {.storage = "sparse"}).x.dense);
  const Dataset dense = folder.read(more);
  BOOST_TEST(dense.x.dense);
  BOOST_TEST(dense.x.values == (Numbers{1, 0, 4, 1}));
  BOOST_TEST(dense.x.starts.empty());
  BOOST_TEST(dense.x.indices.empty());
  BOOST_TEST(folder.read(half, {.storage = "dense"}).x.values == (Numbers{1, 0, 0, 1}));
  BOOST_TEST(folder.read("1 1:5 2:6\n2 1:7 2:8\n").x.values == (Numbers{5, 6, 7, 8}));
  BOOST_TEST(!folder.read("1\n2\n").x.dense);
}

BOOST_AUTO_TEST_CASE(dense_storage_beyond_16_gib_is_refused) {
  const Folder folder;
  BOOST_TEST(folder.failure("1 2147483647:1\n1 1:1\n", {.storage = "dense"}) ==
             "data: dense storage of 2 × 2147483647 takes 32 GiB, more than 16; set data.storage "
             "to sparse or auto");
  BOOST_TEST(folder.failure("1 1:1\n", {.storage = "tall"}) ==
             "data: data.storage: no storage is named \"tall\"; give auto, sparse or dense");
}

BOOST_AUTO_TEST_CASE(random_matrices_survive_writing_and_reading) {
  const Folder folder;
  std::mt19937_64 random(11);
  for (int round = 0; round < 30; ++round) {
    const auto rows = 1 + random() % 60;
    const auto columns = 1 + random() % 40;
    const double density = static_cast<double>(random() % 101) / 100.0;
    Numbers labels;
    Numbers cells;
    std::string text;
    for (std::uint64_t i = 0; i < rows; ++i) {
      labels.push_back(std::uniform_real_distribution(-5.0, 5.0)(random));
      text += fmt::format("{}", labels.back());
      for (std::uint64_t j = 1; j <= columns; ++j) {
        const bool stored = std::uniform_real_distribution(0.0, 1.0)(random) < density;
        const double scale = std::pow(10.0, static_cast<double>(random() % 600) - 300.0);
        cells.push_back(stored ? std::normal_distribution(0.0, scale)(random) : 0.0);
        if (cells.back() != 0.0) text += fmt::format(" {}:{}", j, cells.back());
      }
      text += '\n';
    }
    ReadOptions options{.format = "libsvm", .storage = "dense"};
    options.features = static_cast<std::int64_t>(columns);
    const Dataset dense = folder.read(text, options);
    BOOST_TEST(dense.labels.numbers == labels);
    BOOST_TEST(dense.x.values == cells);
    options.storage = "sparse";
    const fenchel::Matrix x = folder.read(text, options).x;
    Numbers filled(rows * columns, 0.0);
    for (std::uint64_t i = 0; i < rows; ++i) {
      for (auto k = static_cast<std::size_t>(x.starts[i]);
           k < static_cast<std::size_t>(x.starts[i + 1]); ++k) {
        filled[i * columns + static_cast<std::size_t>(x.indices[k])] = x.values[k];
      }
    }
    BOOST_TEST(filled == cells);
  }
}

BOOST_AUTO_TEST_CASE(files_beyond_the_sizing_sample_are_read_whole) {
  const Folder folder;
  std::string text;
  for (int i = 0; i < 60000; ++i) text += fmt::format("{} {}:{}\n", i, 1 + i % 50, i + 1);
  const Dataset data = folder.read(text);
  BOOST_TEST(data.x.rows == 60000);
  BOOST_TEST(data.x.entries() == 60000);
  for (std::size_t i = 0; i < 60000; i += 997) {
    BOOST_TEST(data.labels.numbers[i] == static_cast<double>(i));
    BOOST_TEST(data.x.values[i] == static_cast<double>(i + 1));
  }
  BOOST_TEST(folder.failure(text + "1 0:1\n") ==
             "data:60001: index 0: indices start at 1; renumber the features from 1");
}

BOOST_AUTO_TEST_CASE(mutated_files_load_or_are_refused) {
  const Folder folder;
  const std::string valid = "+1 1:0.5 3:-2e1 # note\r\n-1 qid:1\n1.5\t2:7 4:.25\nspam 9:nan\n";
  const std::string alphabet = std::string("01:+-.e#\"\n\r\t ,;\xE9\xFF", 17) + '\0';
  std::mt19937 random(5);
  int loaded = 0;
  int refused = 0;
  for (int round = 0; round < 3000; ++round) {
    std::string text = valid.substr(0, 24 + random() % (valid.size() - 24));
    for (std::uint32_t k = 1 + random() % 4; k > 0 && !text.empty(); --k) {
      const std::size_t at = random() % text.size();
      if (random() % 3 == 0) {
        text.erase(at, 1 + random() % 3);
      } else if (random() % 2 == 0) {
        text.insert(at, 1, alphabet[random() % alphabet.size()]);
      } else {
        text[at] = alphabet[random() % alphabet.size()];
      }
    }
    const bool fine = folder.failure(text, {.format = round % 2 == 0 ? "libsvm" : "csv"}).empty();
    ++(fine ? loaded : refused);
  }
  BOOST_TEST(loaded > 0);
  BOOST_TEST(refused > 0);
}

BOOST_AUTO_TEST_SUITE_END()
