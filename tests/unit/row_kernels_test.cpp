// Rows against weights, for every number of outputs that has a path of its own, by plain loops.
#include <fenchel/kernels/rows.hpp>

#include <boost/test/unit_test.hpp>

#include <cmath>
#include <random>
#include <vector>

namespace kernels = fenchel::kernels;

BOOST_AUTO_TEST_SUITE(row_kernels)

BOOST_AUTO_TEST_CASE(scores_and_updates_are_those_of_plain_loops) {
  std::mt19937_64 random(5);
  std::normal_distribution<double> normal;
  for (const std::int64_t width : {1, 2, 3, 4, 5, 8, 13, 20})
    for (const bool dense : {false, true})
      for (std::int64_t count = 0; count <= 11; ++count) {
        std::vector<std::int32_t> columns;
        std::vector<double> values(static_cast<std::size_t>(count)), w(40 * 20),
            change(static_cast<std::size_t>(width));
        for (std::int32_t k = 0; k < count; ++k) columns.push_back(3 * k + 1);
        for (std::vector<double>* v : {&values, &w, &change})
          for (double& x : *v) x = normal(random);
        const kernels::Row row{count, dense ? nullptr : columns.data(), values.data()};
        std::vector<double> expected(static_cast<std::size_t>(width)), scores(expected),
            updated = w;
        for (std::int64_t k = 0; k < count; ++k)
          for (std::int64_t c = 0; c < width; ++c) {
            const std::int64_t feature = dense ? k : 3 * k + 1;
            const auto at = static_cast<std::size_t>(feature * width + c);
            const auto out = static_cast<std::size_t>(c), in = static_cast<std::size_t>(k);
            expected[out] += values[in] * w[at];
            updated[at] += values[in] * change[out];
          }
        kernels::row_scores(row, w.data(), width, scores.data());
        kernels::row_add(row, change.data(), width, w.data());
        for (std::size_t c = 0; c < scores.size(); ++c)
          BOOST_TEST(std::abs(scores[c] - expected[c]) <= 1e-13, "width " << width);
        for (std::size_t j = 0; j < w.size(); ++j)
          BOOST_TEST(std::abs(w[j] - updated[j]) <= 1e-13, "width " << width);
      }
}

BOOST_AUTO_TEST_SUITE_END()
