// The quadratic program on the simplex against all of its faces, one by one.
#include <fenchel/kernels/simplex_qp.hpp>

#include <Eigen/Dense>

#include <boost/test/unit_test.hpp>

#include <limits>
#include <random>

namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using fenchel::kernels::SimplexQp;

double objective(const MatrixXd& q, const VectorXd& b, const VectorXd& beta) {
  return 0.5 * beta.dot(q * beta) - b.dot(beta);
}

// The best stationary point of a face with nonsingular optimality conditions: one such face holds a
// solution.
double by_faces(const MatrixXd& q, const VectorXd& b) {
  const auto n = q.rows();
  double best = std::numeric_limits<double>::infinity();
  for (unsigned face = 1; face < (1U << n); ++face) {
    std::vector<Eigen::Index> in;
    for (Eigen::Index j = 0; j < n; ++j)
      if ((face >> j) & 1U) in.push_back(j);
    const auto s = static_cast<Eigen::Index>(in.size());
    const double size = std::max(1e-300, q.diagonal().maxCoeff());
    MatrixXd kkt = MatrixXd::Zero(s + 1, s + 1);
    VectorXd right(s + 1);
    for (Eigen::Index i = 0; i < s; ++i) {
      for (Eigen::Index k = 0; k < s; ++k)
        kkt(i, k) = q(in[static_cast<std::size_t>(i)], in[static_cast<std::size_t>(k)]) / size;
      kkt(i, s) = kkt(s, i) = 1.0;
      right[i] = b[in[static_cast<std::size_t>(i)]] / size;
    }
    right[s] = 1.0;
    const Eigen::FullPivLU<MatrixXd> lu(kkt);
    if (lu.rank() < s + 1) continue;
    const VectorXd x = lu.solve(right).head(s);
    if (x.minCoeff() < -1e-12) continue;
    VectorXd beta = VectorXd::Zero(n);
    for (Eigen::Index i = 0; i < s; ++i) beta[in[static_cast<std::size_t>(i)]] = x[i];
    best = std::min(best, objective(q, b, beta));
  }
  return best;
}

VectorXd solved(const MatrixXd& q, const VectorXd& b, VectorXd beta) {
  VectorXd gradient = q * beta - b;
  SimplexQp qp;
  qp.solve(q.data(), static_cast<std::size_t>(q.rows()),
           {beta.data(), static_cast<std::size_t>(beta.size())},
           {gradient.data(), static_cast<std::size_t>(gradient.size())});
  return beta;
}

class Draw {
 public:
  explicit Draw(unsigned seed) : random_(seed) {}
  double normal() { return normal_(random_); }
  // Gram matrix of n points of R^rank around a common one.
  MatrixXd gram(Eigen::Index n, Eigen::Index rank, double spread) {
    MatrixXd a(rank, n);
    VectorXd middle(rank);
    for (Eigen::Index i = 0; i < rank; ++i) middle[i] = normal();
    for (Eigen::Index j = 0; j < n; ++j)
      for (Eigen::Index i = 0; i < rank; ++i) a(i, j) = middle[i] + spread * normal();
    return a.transpose() * a;
  }
  VectorXd vector(Eigen::Index n, double size) {
    VectorXd b(n);
    for (Eigen::Index j = 0; j < n; ++j) b[j] = size * normal();
    return b;
  }
  VectorXd in_simplex(Eigen::Index n) {
    VectorXd beta(n);
    for (Eigen::Index j = 0; j < n; ++j) beta[j] = std::max(0.0, normal());
    if (beta.sum() == 0.0) beta[0] = 1.0;
    return beta / beta.sum();
  }

 private:
  std::mt19937_64 random_;
  std::normal_distribution<double> normal_;
};

}  // namespace

BOOST_AUTO_TEST_SUITE(simplex_qp)

BOOST_AUTO_TEST_CASE(it_finds_the_best_face_from_wherever_it_starts) {
  Draw draw(1);
  for (Eigen::Index n = 1; n <= 8; ++n)
    for (const Eigen::Index rank : {1, 2, 3, 9})
      for (const double spread : {1e-3, 1.0})
        for (const double scale : {1e-3, 1.0, 1e6})
          for (int round = 0; round < 3; ++round) {
            const MatrixXd q = scale * draw.gram(n, rank, spread);
            const VectorXd b = draw.vector(n, 1.0);
            const double best = by_faces(q, b);
            for (int start = 0; start < 3; ++start) {
              const VectorXd beta = solved(q, b, draw.in_simplex(n));
              BOOST_TEST(beta.minCoeff() >= 0.0);
              BOOST_TEST(std::abs(beta.sum() - 1.0) <= 1e-14);
              // Rounding of the objective itself.
              const double size = 1.0 + std::abs(best) + 1e-6 * q.maxCoeff();
              BOOST_TEST(objective(q, b, beta) <= best + 1e-10 * size,
                         "n " << n << " rank " << rank << " spread " << spread << " scale " << scale
                              << ": " << objective(q, b, beta) - best);
            }
          }
}

BOOST_AUTO_TEST_CASE(equal_cuts_and_a_vanishing_matrix_are_no_trouble) {
  Draw draw(2);
  for (int round = 0; round < 50; ++round) {
    MatrixXd q = draw.gram(6, 3, 1.0);
    VectorXd b = draw.vector(6, 1.0);
    for (const Eigen::Index twin : {4, 5}) {
      q.row(twin) = q.row(0);
      q.col(twin) = q.col(0);
      b[twin] = b[0] - (twin == 5 ? 0.1 : 0.0);
    }
    const double best = by_faces(q, b);
    BOOST_TEST(objective(q, b, solved(q, b, draw.in_simplex(6))) <= best + 1e-12);
    const VectorXd corner = solved(MatrixXd::Zero(6, 6), b, draw.in_simplex(6));
    BOOST_TEST(corner.dot(b) == b.maxCoeff(), boost::test_tools::tolerance(1e-14));
  }
}

// max β over the mean of (b − Qβ)ⱼ: what the best corner would gain.
BOOST_AUTO_TEST_CASE(a_hundred_cuts_are_settled_to_rounding_and_one_more_takes_few_steps) {
  Draw draw(3);
  for (const Eigen::Index rank : {10, 60, 150}) {
    const Eigen::Index n = 100;
    const MatrixXd q = draw.gram(n, rank, 0.3);
    const VectorXd b = draw.vector(n, 1.0);
    VectorXd beta = VectorXd::Zero(n);
    beta[0] = 1.0;
    beta = solved(q, b, beta);
    const VectorXd gain = b - q * beta;
    BOOST_TEST(gain.maxCoeff() - gain.dot(beta) <= 1e-13 * (1.0 + q.maxCoeff()));
  }
}

BOOST_AUTO_TEST_SUITE_END()
