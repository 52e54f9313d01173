// The map of sequences against its definition written out: A as a matrix.
#include "data/chain_map.hpp"

#include "calculus/operator_norm.hpp"

#include <Eigen/Dense>

#include <boost/test/unit_test.hpp>

#include <random>

namespace {
using namespace fenchel;
using Dense = Eigen::MatrixXd;
using Vector = Eigen::VectorXd;

// Sequences of 3, 1, 5 and 2 positions with random attributes.
struct Sample {
  std::vector<std::int64_t> starts{0, 3, 4, 9, 11};
  std::int64_t labels;
  Dense x;
  Matrix stored;

  Sample(std::int64_t k, bool dense, bool positive, unsigned seed, double density = 0.4)
      : labels(k), x(Dense::Zero(11, 7)) {
    std::mt19937_64 random(seed);
    std::uniform_real_distribution<double> chance(0.0, 1.0), value(positive ? 0.0 : -1.0, 1.0);
    for (Eigen::Index i = 0; i < x.rows(); ++i)
      for (Eigen::Index j = 0; j < x.cols(); ++j)
        if (chance(random) < density) x(i, j) = value(random);
    x.row(6).setZero();
    stored.rows = x.rows();
    stored.columns = x.cols();
    stored.dense = dense;
    if (dense) stored.starts.clear();
    for (Eigen::Index i = 0; i < x.rows(); ++i) {
      for (Eigen::Index j = 0; j < x.cols(); ++j) {
        if (!dense && x(i, j) == 0.0) continue;
        if (!dense) stored.indices.push_back(static_cast<std::int32_t>(j));
        stored.values.push_back(x(i, j));
      }
      if (!dense) stored.starts.push_back(stored.entries());
    }
  }

  // A_i of the definition, T·k + k² rows.
  Dense block(std::size_t i) const {
    const Eigen::Index k = labels, length = starts[i + 1] - starts[i], d = x.cols();
    Dense a = Dense::Zero(length * k + k * k, d * k + k * k);
    for (Eigen::Index t = 0; t < length; ++t)
      for (Eigen::Index j = 0; j < d; ++j)
        for (Eigen::Index c = 0; c < k; ++c) a(t * k + c, j * k + c) = x(starts[i] + t, j);
    a.bottomRightCorner(k * k, k * k).setIdentity();
    return a;
  }
  Dense whole() const {
    Dense a(0, x.cols() * labels + labels * labels);
    for (std::size_t i = 0; i + 1 < starts.size(); ++i) {
      const Dense b = block(i);
      Dense more(a.rows() + b.rows(), a.cols());
      more << a, b;
      a = std::move(more);
    }
    return a;
  }
};

Vector random_vector(Eigen::Index size, unsigned seed) {
  std::mt19937_64 random(seed);
  std::normal_distribution<double> normal;
  Vector v(size);
  for (double& x : v) x = normal(random);
  return v;
}

double squared_norm(const Dense& a) {
  const double s = Eigen::JacobiSVD<Dense>(a).singularValues()[0];
  return s * s;
}

const Sample kSamples[] = {{2, false, true, 1},
                           {3, false, false, 2},
                           {5, true, false, 3},
                           {4, false, true, 4, 0.05},
                           {6, true, true, 5, 0.9}};
}  // namespace

BOOST_AUTO_TEST_SUITE(chain_map)

BOOST_AUTO_TEST_CASE(the_shape_counts_sequences_scores_and_parameters) {
  const Sample s(3, false, true, 1);
  const ChainMap map(s.stored, s.starts, 3);
  const fenchel_shape& shape = map.shape();
  BOOST_TEST(shape.outputs == 3);
  BOOST_TEST(shape.blocks == 4);
  BOOST_TEST(shape.scores == 11 * 3 + 4 * 9);
  BOOST_TEST(shape.widest_block == 5 * 3 + 9);
  BOOST_TEST(shape.parameters == 7 * 3 + 9);
  BOOST_TEST(shape.features == 7);
  BOOST_TEST(shape.entries == s.stored.entries());
  BOOST_TEST(!shape.transitions);
  BOOST_TEST(map.score_offsets() == (std::vector<std::int64_t>{0, 18, 30, 54, 69}),
             boost::test_tools::per_element());
  BOOST_TEST(map.target_offsets() == s.starts, boost::test_tools::per_element());

  const ChainMap bound(s.stored, s.starts, 3, std::vector<std::uint8_t>(12, 1));
  BOOST_REQUIRE(bound.shape().transitions);
  BOOST_TEST(bound.shape().transitions[11] == 1);
}

BOOST_AUTO_TEST_CASE(apply_and_adjoint_are_those_of_the_matrix_whatever_the_threads) {
  for (const Sample& s : kSamples)
    for (const int threads : {1, 2, 5}) {
      const Parallel parallel(threads);
      const ChainMap map(s.stored, s.starts, static_cast<std::int32_t>(s.labels));
      const Dense a = s.whole();
      const Vector w = random_vector(a.cols(), 7), alpha = random_vector(a.rows(), 8);
      Vector z(a.rows()), v = Vector::Constant(a.cols(), 99.0);
      map.apply(parallel, w.data(), z.data());
      map.adjoint(parallel, alpha.data(), v.data());
      BOOST_TEST((z - a * w).cwiseAbs().maxCoeff() < 1e-13);
      BOOST_TEST((v - a.transpose() * alpha).cwiseAbs().maxCoeff() < 1e-13);
      BOOST_TEST(z.dot(alpha) == w.dot(v), boost::test_tools::tolerance(1e-12));
    }
}

BOOST_AUTO_TEST_CASE(the_number_of_threads_does_not_change_a_bit) {
  for (const Sample& s : kSamples) {
    const ChainMap map(s.stored, s.starts, static_cast<std::int32_t>(s.labels));
    const Vector alpha = random_vector(map.shape().scores, 9);
    Vector one(map.shape().parameters), several(one.size());
    map.adjoint(Parallel(1), alpha.data(), one.data());
    for (const int threads : {2, 3, 16}) {
      map.adjoint(Parallel(threads), alpha.data(), several.data());
      BOOST_TEST((one.array() == several.array()).all());
    }
  }
}

BOOST_AUTO_TEST_CASE(single_blocks_agree_with_the_whole) {
  for (const Sample& s : kSamples) {
    const ChainMap map(s.stored, s.starts, static_cast<std::int32_t>(s.labels));
    const Vector w = random_vector(map.shape().parameters, 3);
    std::int64_t touched = 0;
    for (std::int64_t i = 0; i < map.shape().blocks; ++i) {
      const Dense a = s.block(static_cast<std::size_t>(i));
      const Vector alpha = random_vector(a.rows(), 4);
      Vector z(a.rows()), v = w;
      touched += map.block_scores(i, w.data(), z.data());
      BOOST_TEST((z - a * w).cwiseAbs().maxCoeff() < 1e-13);
      for (const double factor : {1.0, -0.25}) {
        v = w;
        map.block_add(i, alpha.data(), factor, v.data());
        BOOST_TEST((v - w - factor * a.transpose() * alpha).cwiseAbs().maxCoeff() < 1e-13);
      }
    }
    BOOST_TEST(touched == s.stored.entries());
  }
}

BOOST_AUTO_TEST_CASE(the_norms_bound_those_of_the_blocks_and_are_near_for_positive_values) {
  for (const Sample& s : kSamples) {
    const ChainMap map(s.stored, s.starts, static_cast<std::int32_t>(s.labels));
    BOOST_REQUIRE(map.squared_norms().size() == 4U);
    for (std::size_t i = 0; i < 4; ++i) {
      const double exact = squared_norm(s.block(i));
      BOOST_TEST(map.squared_norms()[i] >= exact * (1.0 - 1e-12));
      const Dense rows = s.x.middleRows(s.starts[i], s.starts[i + 1] - s.starts[i]);
      BOOST_TEST(map.squared_norms()[i] <= std::max(rows.squaredNorm(), 1.0) * (1.0 + 1e-6) * 2.0);
      if ((rows.array() > 0.0).all()) BOOST_TEST(map.squared_norms()[i] <= exact * 1.03);
    }
    const double exact = squared_norm(s.whole());
    BOOST_TEST(map.squared_norm_bound() >= exact * (1.0 - 1e-12));
    const NormEstimate core = estimate_squared_norm(map.core(), Parallel(1));
    BOOST_TEST(std::max(core.upper, map.core_floor()) >= exact * (1.0 - 1e-9));
    BOOST_TEST(std::max(core.upper, map.core_floor()) <= exact * 1.06);
  }
}

BOOST_AUTO_TEST_SUITE_END()
