// The estimate of |A|² against the singular values.
#include "calculus/operator_norm.hpp"

#include <Eigen/Dense>

#include <boost/test/unit_test.hpp>

#include <cmath>
#include <random>
#include <string>

namespace {
using namespace fenchel;
using Dense = Eigen::MatrixXd;

class Random {
 public:
  explicit Random(std::uint64_t seed) : engine_(seed) {}
  double normal() { return normal_(engine_); }
  double uniform(double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(engine_);
  }
  Dense matrix(Eigen::Index rows, Eigen::Index columns) {
    Dense a(rows, columns);
    for (double& entry : a.reshaped()) entry = normal();
    return a;
  }
  // Orthonormal columns.
  Dense rotation(Eigen::Index rows, Eigen::Index columns) {
    const Dense a = matrix(rows, columns);
    return Eigen::HouseholderQR<Dense>(a).householderQ() * Dense::Identity(rows, columns);
  }
  // U diag(s) Vᵀ
  Dense with_spectrum(Eigen::Index rows, Eigen::Index columns, const Eigen::VectorXd& s) {
    return rotation(rows, s.size()) * s.asDiagonal() * rotation(columns, s.size()).transpose();
  }

 private:
  std::mt19937_64 engine_;
  std::normal_distribution<double> normal_;
};

Matrix stored(const Dense& a, bool dense) {
  Matrix x;
  x.rows = a.rows();
  x.columns = a.cols();
  x.dense = dense;
  if (dense) x.starts.clear();
  for (Eigen::Index i = 0; i < a.rows(); ++i) {
    for (Eigen::Index j = 0; j < a.cols(); ++j) {
      if (!dense && a(i, j) == 0.0) continue;
      if (!dense) x.indices.push_back(static_cast<std::int32_t>(j));
      x.values.push_back(a(i, j));
    }
    if (!dense) x.starts.push_back(static_cast<std::int64_t>(x.values.size()));
  }
  return x;
}

void expect_bounds(const Dense& a, const std::string& what) {
  const double norm = Eigen::BDCSVD<Dense>(a).singularValues()[0];
  const double truth = norm * norm;
  for (const bool dense : {true, false}) {
    const Matrix x = stored(a, dense);
    const RowsMap map(x);
    const NormEstimate found = estimate_squared_norm(map, Parallel(1));
    BOOST_TEST_CONTEXT(what << ", " << a.rows() << " x " << a.cols() << ", " << found.steps
                            << " steps, truth " << truth << ", found " << found.lower << " to "
                            << found.upper) {
      BOOST_TEST(found.lower <= truth * (1.0 + 1e-12));
      BOOST_TEST(found.upper >= truth * (1.0 - 1e-12));
      BOOST_TEST(found.upper <= 1.06 * truth);
      BOOST_TEST(found.chance <= 1e-6);
      BOOST_TEST(map.squared_norm_bound() >= truth * (1.0 - 1e-12));
    }
  }
}

}  // namespace

BOOST_AUTO_TEST_SUITE(operator_norm)

BOOST_AUTO_TEST_CASE(random_matrices_tall_and_square) {
  Random random(1);
  for (const Eigen::Index columns : {1, 2, 3, 7, 30, 60, 100})
    for (const Eigen::Index rows : {columns, columns + 1, 3 * columns, 200 + columns})
      for (int k = 0; k < 3; ++k)
        expect_bounds(random.matrix(rows, columns) * std::pow(10.0, random.uniform(-6.0, 6.0)),
                      "random");
}

BOOST_AUTO_TEST_CASE(random_wide_matrices) {
  Random random(2);
  for (const Eigen::Index rows : {1, 2, 3, 10, 30, 60, 80})
    for (const Eigen::Index columns : {rows + 1, rows + 2, 3 * rows + 20, 300 + rows})
      for (int k = 0; k < 3; ++k)
        expect_bounds(random.matrix(rows, columns) * std::pow(10.0, random.uniform(-6.0, 6.0)),
                      "wide");
}

BOOST_AUTO_TEST_CASE(a_repeated_largest_singular_value) {
  Random random(3);
  for (const Eigen::Index d : {4, 20, 80}) {
    Eigen::VectorXd s = Eigen::VectorXd::LinSpaced(d, 0.1, 2.0);
    s.tail(d / 2).setConstant(2.0);
    expect_bounds(random.with_spectrum(2 * d, d, s), "repeated");
    expect_bounds(random.with_spectrum(2 * d, d, Eigen::VectorXd::Ones(d)), "orthonormal");
  }
}

BOOST_AUTO_TEST_CASE(matrices_of_low_rank) {
  Random random(4);
  for (const Eigen::Index d : {5, 30, 90})
    for (const Eigen::Index rank : {1, 2, 5}) {
      expect_bounds(random.matrix(2 * d, rank) * random.matrix(rank, d), "low rank");
      expect_bounds(random.matrix(d, rank) * random.matrix(rank, 2 * d), "low rank and wide");
    }
  Dense some = random.matrix(50, 8);
  some.col(3).setZero();
  some.topRows(20).setZero();
  expect_bounds(some, "rows and columns of zeros");
}

BOOST_AUTO_TEST_CASE(clustered_and_spread_spectra) {
  Random random(5);
  for (const Eigen::Index d : {10, 40, 150}) {
    for (const double width : {1e-1, 1e-3, 1e-6, 1e-12})
      expect_bounds(random.with_spectrum(d + 5, d, Eigen::VectorXd::LinSpaced(d, 1.0 - width, 1.0)),
                    "clustered at the top");
    expect_bounds(
        random.with_spectrum(d + 5, d, Eigen::ArrayXd::LinSpaced(d, -12.0, 0.0).exp().matrix()),
        "spread");
    Eigen::VectorXd alone = Eigen::VectorXd::Constant(d, 1.0);
    alone[0] = 1.5;
    expect_bounds(random.with_spectrum(d + 5, d, alone), "one above a cluster");
  }
}

BOOST_AUTO_TEST_CASE(a_single_column_and_nothing_at_all) {
  Random random(6);
  for (const Eigen::Index rows : {1, 2, 50}) expect_bounds(random.matrix(rows, 1), "one column");
  for (const Eigen::Index columns : {1, 3, 50}) {
    const Matrix x = stored(Dense::Zero(10, columns), true);
    const NormEstimate found = estimate_squared_norm(RowsMap(x), Parallel(1));
    BOOST_TEST(found.lower == 0.0);
    BOOST_TEST(found.upper == 0.0);
  }
}

BOOST_AUTO_TEST_CASE(more_threads_find_the_same) {
  Random random(7);
  const Matrix x = stored(random.matrix(5000, 40), false);
  const RowsMap map(x);
  const double one = estimate_squared_norm(map, Parallel(1)).upper;
  BOOST_TEST(estimate_squared_norm(map, Parallel(3)).upper == one);
}

BOOST_AUTO_TEST_SUITE_END()
