// The numerical kernels against naive twins.
#include <fenchel/kernels/simplex.hpp>
#include <fenchel/kernels/softmax.hpp>

#include <boost/test/unit_test.hpp>

#include <cmath>
#include <random>
#include <vector>

namespace {
using namespace fenchel::kernels;

using Vector = std::vector<double>;

Vector random_vector(std::mt19937_64& random, std::size_t k, double size) {
  std::normal_distribution<double> normal(0.0, size);
  Vector x(k);
  for (double& a : x) a = normal(random);
  return x;
}

// The projection by bisection on the threshold.
Vector naive_projection(const Vector& x, double radius) {
  double low = -1e6, high = 1e6;
  for (int k = 0; k < 200; ++k) {
    const double theta = 0.5 * (low + high);
    double sum = 0.0;
    for (const double a : x) sum += std::max(0.0, a - theta);
    (sum > radius ? low : high) = theta;
  }
  Vector out = x;
  for (double& a : out) a = std::max(0.0, a - 0.5 * (low + high));
  return out;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(kernels)

BOOST_AUTO_TEST_CASE(the_simplex_projection_equals_bisection_with_ties_and_single_entries) {
  std::mt19937_64 random(1);
  for (int trial = 0; trial < 5000; ++trial) {
    Vector x = random_vector(random, 1 + static_cast<std::size_t>(trial) % 9, 3.0);
    if (x.size() > 2 && trial % 3 == 0) x[1] = x[0];
    const double radius = std::exp(random_vector(random, 1, 1.0)[0]);
    Vector scratch(x.size()), fast = x;
    project_simplex(fast, radius, scratch);
    const Vector slow = naive_projection(x, radius);
    for (std::size_t j = 0; j < x.size(); ++j) BOOST_TEST(std::abs(fast[j] - slow[j]) <= 1e-9);
  }
}

BOOST_AUTO_TEST_CASE(the_positive_ball_projection_clips_inside_and_projects_outside) {
  std::mt19937_64 random(2);
  for (int trial = 0; trial < 2000; ++trial) {
    const Vector x = random_vector(random, 5, 0.4);
    Vector fast = x, scratch(5);
    project_positive_ball(fast, 1.0, scratch);
    double clipped = 0.0;
    for (const double a : x) clipped += std::max(0.0, a);
    const Vector slow = naive_projection(x, 1.0);
    for (std::size_t j = 0; j < x.size(); ++j)
      BOOST_TEST(std::abs(fast[j] - (clipped <= 1.0 ? std::max(0.0, x[j]) : slow[j])) <= 1e-9);
  }
}

// b = max(0, x − θ) minimises ½‖b − x‖² + ½ r (Σ b)² over b ≥ 0, Σ b ≤ radius, where
// b − x + r Σ b + ν ≥ 0, with equality where b > 0, and ν ≥ 0 only where Σ b = radius.
BOOST_AUTO_TEST_CASE(the_ball_threshold_solves_its_problem) {
  std::mt19937_64 random(5);
  int inside = 0, outside = 0;
  for (int trial = 0; trial < 5000; ++trial) {
    Vector x = random_vector(random, 1 + static_cast<std::size_t>(trial) % 9, 2.0);
    if (x.size() > 2 && trial % 3 == 0) x[1] = x[0];
    const double radius = std::exp(random_vector(random, 1, 1.0)[0]);
    const double r = trial % 4 == 0 ? 0.0 : std::exp(random_vector(random, 1, 1.0)[0]);
    Vector sorted = x;
    const Threshold theta = ball_threshold(sorted, r, radius);
    double sum = 0.0;
    for (const double a : x) sum += theta.excess(a);
    const double multiplier = (theta.top - theta.depth) - r * sum;  // θ = r Σ b + ν
    BOOST_TEST(sum <= radius * (1.0 + 1e-14));
    BOOST_TEST(multiplier >= -1e-13 * (1.0 + radius));
    BOOST_TEST((std::abs(multiplier) <= 1e-13 * (1.0 + radius) ||
                std::abs(sum - radius) <= 1e-14 * radius));
    for (const double a : x)
      BOOST_TEST(std::abs(theta.excess(a) - std::max(0.0, a - (r * sum + multiplier))) <= 1e-13);
    ++(sum < 0.99 * radius ? inside : outside);
  }
  BOOST_TEST(inside > 500);
  BOOST_TEST(outside > 500);
}

BOOST_AUTO_TEST_CASE(the_ball_projection_keeps_its_digits_at_huge_entries) {
  Vector x{1e12 + 0.25, 1e12, -1e12, 1e12 + 0.125}, scratch(4);
  project_positive_ball(x, 1.0, scratch);
  const Vector expected{11.0 / 24.0, 5.0 / 24.0, 0.0, 8.0 / 24.0};
  for (std::size_t j = 0; j < 4; ++j) BOOST_TEST(std::abs(x[j] - expected[j]) <= 1e-15);
}

BOOST_AUTO_TEST_CASE(the_soft_excess_and_its_gradient_equal_their_definition) {
  std::mt19937_64 random(3);
  for (int trial = 0; trial < 2000; ++trial) {
    const Vector x = random_vector(random, 4, 2.0);
    const double gamma = std::exp(random_vector(random, 1, 1.0)[0]);
    long double sum = 0.0L;
    for (const double a : x) sum += std::exp(static_cast<long double>(a - x[2]) / gamma);
    const auto expected = static_cast<double>(gamma * std::log1p(sum - 1.0L));
    BOOST_TEST(std::abs(soft_excess(x, 2, gamma) - expected) <= 1e-13 * (1.0 + expected));
    Vector gradient(4);
    soft_excess_gradient(x, 2, gamma, gradient);
    for (std::size_t j = 0; j < 4; ++j) {
      const long double p = std::exp(static_cast<long double>(x[j] - x[2]) / gamma) / sum;
      BOOST_TEST(std::abs(gradient[j] - static_cast<double>(p - (j == 2 ? 1.0L : 0.0L))) <= 1e-14);
    }
  }
  BOOST_TEST(soft_excess(Vector{1e4, -1e4, 0.0}, 0, 1.0) == 0.0);
  BOOST_TEST(soft_excess(Vector{0.0, 1e4}, 0, 1.0) == 1e4);
}

BOOST_AUTO_TEST_CASE(the_entropic_point_satisfies_its_equations) {
  std::mt19937_64 random(4);
  for (int trial = 0; trial < 5000; ++trial) {
    const Vector a = random_vector(random, 2 + static_cast<std::size_t>(trial) % 8, 5.0);
    const double gamma = std::exp(random_vector(random, 1, 2.0)[0]),
                 t = std::exp(random_vector(random, 1, 4.0)[0]);
    Vector log_p(a.size());
    const double nu = entropic_point(a, gamma, t, log_p);
    double sum = 0.0;
    for (std::size_t j = 0; j < a.size(); ++j) {
      const double p = std::exp(log_p[j]);
      sum += p;
      BOOST_TEST(std::abs(gamma * log_p[j] + t * p - (a[j] - nu)) <=
                 1e-12 * (1.0 + std::abs(a[j]) + std::abs(nu) + t));
    }
    BOOST_TEST(std::abs(sum - 1.0) <= 1e-12);
  }
}

BOOST_AUTO_TEST_SUITE_END()
