// Public data sets, where they are at hand: known sizes and labels.
#include "data/dataset.hpp"

#include <fenchel/abi.h>

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <filesystem>
#include <optional>

using fenchel::Dataset;
using fenchel::LabelMap;
using Names = std::vector<std::string>;

namespace {

std::optional<Dataset> read(const std::string& name, const fenchel::ReadOptions& options = {}) {
  const auto file = std::filesystem::path(FENCHEL_SOURCE_DIR) / "../shared/data" / name;
  if (std::filesystem::exists(file)) return fenchel::read_dataset(file, options);
  BOOST_TEST_MESSAGE("skipped: no " << file);
  return {};
}

Names binary_labels(const Dataset& data) {
  return LabelMap::learn(FENCHEL_TARGET_BINARY, data.labels, data.file).labels;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(data_real)

BOOST_AUTO_TEST_CASE(a9a_has_its_published_size) {
  const auto data = read("a9a");
  if (!data) return;
  BOOST_TEST(data->x.rows == 32561);
  BOOST_TEST(data->x.columns == 123);
  BOOST_TEST(data->x.entries() == 451592);
  BOOST_TEST(std::ranges::all_of(data->x.values, [](double v) { return v == 1.0; }));
  BOOST_TEST(binary_labels(*data) == (Names{"-1", "1"}));
}

BOOST_AUTO_TEST_CASE(mushrooms_has_labels_one_and_two) {
  const auto data = read("mushrooms");
  if (!data) return;
  BOOST_TEST(data->x.rows == 8124);
  BOOST_TEST(data->x.columns == 112);
  BOOST_TEST(data->x.entries() == 170604);
  BOOST_TEST(binary_labels(*data) == (Names{"1", "2"}));
}

BOOST_AUTO_TEST_CASE(wide_text_is_read_from_its_archive) {
  const auto data = read("20news-binary.xz");
  if (!data) return;
  BOOST_TEST(data->x.rows == 18846);
  BOOST_TEST(data->x.columns == 1593151);
  BOOST_TEST(data->x.entries() == 7115523);
  BOOST_TEST(!data->x.dense);
}

BOOST_AUTO_TEST_CASE(full_tables_become_dense) {
  const auto data = read("colon-cancer");
  if (!data) return;
  BOOST_TEST(data->x.dense);
  BOOST_TEST(data->x.rows == 62);
  BOOST_TEST(data->x.columns == 2000);
}

BOOST_AUTO_TEST_CASE(conll_2000_has_its_published_sentences_words_and_labels) {
  fenchel::ReadOptions options{.format = "conll"};
  options.columns = {"word", "tag", "chunk"};
  options.templates = {{"word[0]", {}}, {"tag[-1..1]", {}}};
  const auto train = read("conll2000/train.txt", options);
  if (!train) return;
  BOOST_TEST(train->sequences.count() == 8936U);
  BOOST_TEST(train->x.rows == 211727);
  BOOST_TEST(train->x.entries() == 4 * 211727);
  BOOST_TEST(train->labels.names.size() == 22U);
  options.attributes = &train->feature_names;
  const auto test = read("conll2000/test.txt", options);
  BOOST_TEST(test->sequences.count() == 2012U);
  BOOST_TEST(test->x.rows == 47377);
  BOOST_TEST(test->x.columns == train->x.columns);
}

BOOST_AUTO_TEST_SUITE_END()
