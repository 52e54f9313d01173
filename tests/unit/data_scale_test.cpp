// Scaling of rows and columns and the column of ones, sparse and dense alike.
#include "data/dataset.hpp"

#include <boost/test/unit_test.hpp>
#include <cmath>

using fenchel::Matrix;
using Numbers = std::vector<double>;

namespace {

// [3 4 0; 0 0 0; 0 1 0], column 3 empty.
Matrix sparse() {
  return {.rows = 3,
          .columns = 3,
          .dense = false,
          .starts = {0, 2, 2, 3},
          .indices = {0, 1, 1},
          .values = {3, 4, 1}};
}

Matrix dense() {
  return {.rows = 3,
          .columns = 3,
          .dense = true,
          .starts = {},
          .indices = {},
          .values = {3, 4, 0, 0, 0, 0, 0, 1, 0}};
}

const auto kClose = boost::test_tools::tolerance(1e-15);

}  // namespace

BOOST_AUTO_TEST_SUITE(data_scale)

BOOST_AUTO_TEST_CASE(rows_get_norm_one_and_zero_rows_stay, *boost::unit_test::tolerance(1e-15)) {
  Matrix s = sparse();
  Matrix d = dense();
  normalize_rows(s);
  normalize_rows(d);
  BOOST_TEST(s.values == (Numbers{0.6, 0.8, 1}), boost::test_tools::per_element());
  BOOST_TEST(d.values == (Numbers{0.6, 0.8, 0, 0, 0, 0, 0, 1, 0}),
             boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(columns_get_mean_square_one_and_zero_columns_stay,
                     *boost::unit_test::tolerance(1e-15)) {
  const double first = std::sqrt(9.0 / 3.0);
  const double second = std::sqrt(17.0 / 3.0);
  for (Matrix x : {sparse(), dense()}) {
    const Matrix before = x;
    const Numbers divisors = normalize_columns(x);
    BOOST_TEST(divisors == (Numbers{first, second, 1}), boost::test_tools::per_element());
    BOOST_TEST(x.values[0] == 3 / first);
    BOOST_TEST(x.values[1] == 4 / second);
    Matrix other = before;
    scale_columns(other, divisors);
    BOOST_TEST(other.values == x.values);
  }
}

BOOST_AUTO_TEST_CASE(huge_and_tiny_values_normalize_without_overflow) {
  for (const double scale : {1e300, 1e-300}) {
    Matrix x = dense();
    for (double& value : x.values) value *= scale;
    Matrix rows = x;
    normalize_rows(rows);
    BOOST_TEST(rows.values[0] == 0.6, kClose);
    BOOST_TEST(rows.values[1] == 0.8, kClose);
    const Numbers divisors = normalize_columns(x);
    BOOST_TEST(divisors[0] / scale == std::sqrt(3.0), kClose);
    BOOST_TEST(x.values[0] == std::sqrt(3.0), kClose);
  }
}

BOOST_AUTO_TEST_CASE(ones_are_appended_to_every_row) {
  Matrix s = sparse();
  append_ones(s);
  BOOST_TEST(s.columns == 4);
  BOOST_TEST(s.starts == (std::vector<std::int64_t>{0, 3, 4, 6}));
  BOOST_TEST(s.indices == (std::vector<std::int32_t>{0, 1, 3, 3, 1, 3}));
  BOOST_TEST(s.values == (Numbers{3, 4, 1, 1, 1, 1}));
  Matrix d = dense();
  append_ones(d);
  BOOST_TEST(d.columns == 4);
  BOOST_TEST(d.values == (Numbers{3, 4, 0, 1, 0, 0, 0, 1, 0, 1, 0, 1}));
}

BOOST_AUTO_TEST_CASE(ones_can_be_the_only_column) {
  Matrix x{
      .rows = 2, .columns = 0, .dense = false, .starts = {0, 0, 0}, .indices = {}, .values = {}};
  append_ones(x);
  BOOST_TEST(x.starts == (std::vector<std::int64_t>{0, 1, 2}));
  BOOST_TEST(x.indices == (std::vector<std::int32_t>{0, 0}));
  BOOST_TEST(x.values == (Numbers{1, 1}));
}

BOOST_AUTO_TEST_CASE(the_largest_column_number_still_takes_ones_once) {
  Matrix x{.rows = 1,
           .columns = 2147483647,
           .dense = false,
           .starts = {0, 0},
           .indices = {},
           .values = {}};
  append_ones(x);
  BOOST_TEST(x.indices == std::vector<std::int32_t>{2147483647});
  BOOST_CHECK_THROW(append_ones(x), fenchel::Error);
}

BOOST_AUTO_TEST_SUITE_END()
