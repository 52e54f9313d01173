// The diagonal program with a box and one equality, and the projections made of it, against the
// sorting method and bisection in long double.
#include <fenchel/kernels/capped_simplex.hpp>
#include <fenchel/kernels/diagonal_qp.hpp>

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

namespace {
using namespace fenchel::kernels;

using Vector = std::vector<double>;
using Long = long double;
constexpr double kInf = std::numeric_limits<double>::infinity();

struct Case {
  Vector d, m, l, u, sigma;
  double z = 0.0;

  DiagonalQp qp() const { return {d, m, l, u, sigma}; }
  std::size_t size() const { return d.size(); }

  Long entry(std::size_t i, Long lambda) const {
    const Long x = Long(m[i]) + lambda * Long(sigma[i]) / Long(d[i]);
    return std::clamp(x, Long(l[i]), Long(u[i]));
  }
  Long excess(Long lambda) const {
    Long sum = -Long(z);
    for (std::size_t i = 0; i < size(); ++i) sum += Long(sigma[i]) * entry(i, lambda);
    return sum;
  }
  // All kinks sorted, the first with f >= 0 sought, and the line before it followed to its root.
  std::vector<Long> by_sorting() const {
    std::vector<Long> kinks;
    for (std::size_t i = 0; i < size(); ++i) {
      if (sigma[i] == 0.0) continue;
      for (const double end : {l[i], u[i]})
        kinks.push_back((Long(end) - Long(m[i])) * Long(d[i]) / Long(sigma[i]));
    }
    Long lambda = 0.0L;
    if (!kinks.empty()) {
      std::sort(kinks.begin(), kinks.end());
      std::size_t k = 0;
      while (k + 1 < kinks.size() && excess(kinks[k]) < 0.0L) ++k;
      const Long high = excess(kinks[k]), low = k > 0 ? excess(kinks[k - 1]) : high;
      lambda = high > low ? kinks[k] - high * (kinks[k] - kinks[k - 1]) / (high - low) : kinks[k];
    }
    std::vector<Long> x(size());
    for (std::size_t i = 0; i < size(); ++i) x[i] = entry(i, lambda);
    return x;
  }
};

// Values from a short list, so that kinks coincide; boxes of no width; σ of either sign and 0.
Case random_case(std::mt19937_64& random) {
  const auto below = [&](unsigned k) { return static_cast<unsigned>(random() % k); };
  const auto real = [&](double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(random);
  };
  const bool ties = below(2) == 0;
  const auto number = [&] { return ties ? double(below(5)) - 2.0 : real(-3.0, 3.0); };
  Case c;
  const std::size_t n = 1 + below(below(10) == 0 ? 300 : 12);
  Long least = 0.0L, most = 0.0L;
  for (std::size_t i = 0; i < n; ++i) {
    c.d.push_back(ties ? 1.0 + below(2) : real(0.1, 4.0));
    c.m.push_back(number());
    const double a = number(), b = below(5) == 0 ? a : number();
    c.l.push_back(std::min(a, b));
    c.u.push_back(std::max(a, b));
    // x has the error of the equality divided by σ, so that σ stays away from 0 or is 0.
    const double size = ties ? 1.0 : real(0.1, 3.0);
    const double sigma = below(12) == 0 ? 0.0 : below(2) ? size : -size;
    c.sigma.push_back(sigma);
    least += std::min(Long(sigma) * Long(c.l[i]), Long(sigma) * Long(c.u[i]));
    most += std::max(Long(sigma) * Long(c.l[i]), Long(sigma) * Long(c.u[i]));
  }
  const unsigned where = below(10);
  const Long share = where == 0 ? 0.0L : where == 1 ? 1.0L : Long(real(0.0, 1.0));
  c.z = double(least + share * (most - least));
  if (ties && where > 1) c.z = std::clamp(std::round(c.z), double(least), double(most));
  return c;
}

double farthest(const Vector& a, const std::vector<Long>& b) {
  Long most = 0.0L;
  for (std::size_t i = 0; i < a.size(); ++i) most = std::max(most, std::abs(Long(a[i]) - b[i]));
  return double(most);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(diagonal_qp)

BOOST_AUTO_TEST_CASE(ten_thousand_programs_with_ties_and_empty_boxes_equal_the_sorting_method) {
  std::mt19937_64 random(1);
  QpWorkspace work;
  double worst = 0.0;
  for (int trial = 0; trial < 10000; ++trial) {
    const Case c = random_case(random);
    Vector x(c.size());
    BOOST_REQUIRE(solve_diagonal_qp(c.qp(), c.z, work, x));
    worst = std::max(worst, farthest(x, c.by_sorting()));
  }
  BOOST_TEST(worst <= 1e-12);
}

BOOST_AUTO_TEST_CASE(the_solution_is_feasible_and_no_feasible_move_lowers_the_objective) {
  std::mt19937_64 random(2);
  QpWorkspace work;
  for (int trial = 0; trial < 2000; ++trial) {
    const Case c = random_case(random);
    Vector x(c.size());
    BOOST_REQUIRE(solve_diagonal_qp(c.qp(), c.z, work, x));
    Long sum = -Long(c.z);
    for (std::size_t i = 0; i < x.size(); ++i) {
      sum += Long(c.sigma[i]) * Long(x[i]);
      BOOST_TEST((x[i] >= c.l[i] && x[i] <= c.u[i]));
      if (c.sigma[i] == 0.0) BOOST_TEST(x[i] == std::clamp(c.m[i], c.l[i], c.u[i]));
    }
    BOOST_TEST(std::abs(double(sum)) <= 1e-13 * double(x.size() + 1));
    // Moving mass between i and j along the equality, where both may go.
    for (int pair = 0; pair < 20; ++pair) {
      const std::size_t i = random() % x.size(), j = random() % x.size();
      if (i == j || c.sigma[i] == 0.0 || c.sigma[j] == 0.0) continue;
      const double step = 1e-6, to_i = step / c.sigma[i], to_j = -step / c.sigma[j];
      const auto inside = [&](std::size_t k, double y) { return y >= c.l[k] && y <= c.u[k]; };
      if (!inside(i, x[i] + to_i) || !inside(j, x[j] + to_j)) continue;
      const double slope = c.d[i] * (x[i] - c.m[i]) * to_i + c.d[j] * (x[j] - c.m[j]) * to_j;
      BOOST_TEST(slope >= -1e-12);
    }
  }
}

BOOST_AUTO_TEST_CASE(what_cannot_be_met_is_said_so) {
  QpWorkspace work;
  Vector x{7.0, 7.0};
  const Vector d{1, 1}, m{0, 0}, l{0, 0}, u{1, 1}, up{1, 1}, mixed{1, -1}, none{0, 0};
  BOOST_TEST(!solve_diagonal_qp(DiagonalQp{d, m, l, u, up}, 2.1, work, x));
  BOOST_TEST(!solve_diagonal_qp(DiagonalQp{d, m, l, u, up}, -0.1, work, x));
  BOOST_TEST(!solve_diagonal_qp(DiagonalQp{d, m, l, u, mixed}, 1.1, work, x));
  BOOST_TEST(!solve_diagonal_qp(DiagonalQp{d, m, l, u, none}, 0.1, work, x));
  BOOST_TEST(!solve_diagonal_qp(DiagonalQp{d, m, u, l, up}, 1.0, work, x), "l > u");
  BOOST_TEST((x == Vector{7.0, 7.0}));
  BOOST_TEST(solve_diagonal_qp(DiagonalQp{d, m, l, u, up}, 2.0, work, x));
  BOOST_TEST((x == Vector{1.0, 1.0}));
  BOOST_TEST(solve_diagonal_qp(DiagonalQp{d, m, l, u, none}, 0.0, work, x));
  BOOST_TEST((x == Vector{0.0, 0.0}));
}

BOOST_AUTO_TEST_CASE(bounds_may_be_infinite) {
  QpWorkspace work;
  const Vector d{1, 2, 4}, m{1, -1, 3}, l{-kInf, -kInf, 0}, u{kInf, 0, kInf}, sigma{1, 1, -1};
  Vector x(3);
  BOOST_TEST(solve_diagonal_qp(DiagonalQp{d, m, l, u, sigma}, 4.0, work, x));
  // λ = 4, where the second is held at 0: 1 + λ + 0 − (3 − λ/4) = 4 at λ = 24/5.
  BOOST_TEST(std::abs(x[0] - 5.8) <= 1e-14);
  BOOST_TEST(x[1] == 0.0);
  BOOST_TEST(std::abs(x[2] - 1.8) <= 1e-14);
}

BOOST_AUTO_TEST_CASE(the_capped_simplex_projection_equals_bisection_and_keeps_its_sum_far_away) {
  std::mt19937_64 random(3);
  QpWorkspace work;
  for (int trial = 0; trial < 3000; ++trial) {
    const std::size_t n = 1 + random() % 40;
    const double size = std::pow(10.0, double(trial % 12) - 3.0);
    std::normal_distribution<double> normal(0.0, size);
    Vector x(n);
    for (double& a : x) a = normal(random);
    if (n > 2) x[1] = x[0];
    const double radius = trial % 2 == 0 ? 1.0 : 3.5;
    const double cap = trial % 3 == 0 ? kInf : radius / double(n) * (1.0 + double(random() % 5));
    Vector b(n);
    BOOST_REQUIRE(project_capped_simplex(x, cap, radius, work, b));
    Long low = -100.0L * Long(size) - Long(radius), high = -low;
    for (int k = 0; k < 300; ++k) {
      const Long theta = 0.5L * (low + high);
      Long sum = 0.0L;
      for (const double a : x) sum += std::clamp(Long(a) - theta, 0.0L, Long(cap));
      (sum > Long(radius) ? low : high) = theta;
    }
    Long sum = 0.0L;
    for (std::size_t i = 0; i < n; ++i) {
      sum += Long(b[i]);
      const double slow = double(std::clamp(Long(x[i]) - high, 0.0L, Long(cap)));
      BOOST_TEST(std::abs(b[i] - slow) <= 1e-13 * radius + 1e-18 * size);
    }
    BOOST_TEST(std::abs(double(sum - Long(radius))) <= 1e-14 * radius);
  }
}

BOOST_AUTO_TEST_CASE(an_empty_capped_simplex_is_said_so) {
  QpWorkspace work;
  Vector x{0.0, 1.0};
  BOOST_TEST(!project_capped_simplex(x, 0.4, 1.0, work, x));
  BOOST_TEST(!project_simplex(x, -1.0, work, x));
  BOOST_TEST(project_capped_simplex(x, 0.5, 1.0, work, x));
  BOOST_TEST((x == Vector{0.5, 0.5}));
}

BOOST_AUTO_TEST_SUITE_END()
