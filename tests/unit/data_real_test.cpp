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

std::optional<Dataset> read(const std::string& name) {
  const auto file = std::filesystem::path(FENCHEL_SOURCE_DIR) / "../shared/data" / name;
  if (std::filesystem::exists(file)) return fenchel::read_dataset(file, {});
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

BOOST_AUTO_TEST_SUITE_END()
