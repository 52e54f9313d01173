// The elastic-net ball and the entropic points of the capped simplex against bisection in long
// double.
#include <fenchel/kernels/elastic_net_ball.hpp>
#include <fenchel/kernels/entropy.hpp>

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

namespace {
using namespace fenchel::kernels;

using Vector = std::vector<double>;
using Long = long double;

Vector random_vector(std::mt19937_64& random, std::size_t n, double size) {
  std::normal_distribution<double> normal(0.0, size);
  Vector x(n);
  for (double& a : x) a = normal(random);
  if (n > 3) {
    x[1] = x[0];
    x[2] = -x[0];
  }
  return x;
}

double power(std::mt19937_64& random, double low, double high) {
  return std::pow(10.0, std::uniform_real_distribution<double>(low, high)(random));
}

// The point sign(g) max(0, |g| − λγ)/(base + λ) on the boundary, by bisection on λ.
std::vector<Long> naive_boundary(const Vector& g, Long gamma, Long r, Long base) {
  std::vector<Long> w(g.size());
  const auto value = [&](Long lambda) {
    Long sum = 0.0L;
    for (std::size_t i = 0; i < g.size(); ++i) {
      w[i] = std::max(0.0L, std::abs(Long(g[i])) - lambda * gamma) / (base + lambda);
      sum += w[i] * (gamma + 0.5L * w[i]);
      w[i] = std::copysign(w[i], Long(g[i]));
    }
    return sum;
  };
  Long low = 0.0L, high = 1.0L;
  while (value(high) > r) high *= 2.0L;
  for (int k = 0; k < 400; ++k) (value(0.5L * (low + high)) > r ? low : high) = 0.5L * (low + high);
  value(high);
  return w;
}

double farthest(const Vector& a, const std::vector<Long>& b) {
  Long most = 0.0L;
  for (std::size_t i = 0; i < a.size(); ++i) most = std::max(most, std::abs(Long(a[i]) - b[i]));
  return double(most);
}

// min(cap, exp(−p/τ − ν)) with Σ = 1, by bisection on ν.
std::vector<Long> naive_entropic(const Vector& p, Long tau, Long cap) {
  std::vector<Long> x(p.size());
  const auto sum = [&](Long nu) {
    Long total = 0.0L;
    for (std::size_t i = 0; i < p.size(); ++i)
      total += x[i] = std::min(cap, std::exp(-Long(p[i]) / tau - nu));
    return total;
  };
  Long low = 1e300L, high = -1e300L;
  for (const double a : p) {
    low = std::min(low, -Long(a) / tau);
    high = std::max(high, -Long(a) / tau);
  }
  low -= 1.0L;
  high += 20.0L;
  for (int k = 0; k < 300; ++k)
    (sum(0.5L * (low + high)) > 1.0L ? low : high) = 0.5L * (low + high);
  sum(high);
  return x;
}

double sum_of(const Vector& x) {
  Long sum = 0.0L;
  for (const double a : x) sum += Long(a);
  return double(sum);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(geometry_kernels)

BOOST_AUTO_TEST_CASE(the_elastic_net_ball_projection_equals_bisection) {
  std::mt19937_64 random(1);
  for (int trial = 0; trial < 2000; ++trial) {
    const Vector g = random_vector(random, 1 + random() % 30, power(random, -3.0, 3.0));
    const double gamma = trial % 5 == 0 ? 0.0 : power(random, -3.0, 3.0);
    const double r = power(random, -3.0, 3.0);
    Vector w = g, scratch(g.size());
    project_elastic_net_ball(w, gamma, r, scratch, w);
    if (elastic_net(g, gamma) <= r) {
      BOOST_TEST((w == g));
      continue;
    }
    const std::vector<Long> slow = naive_boundary(g, gamma, r, 1.0L);
    const double size = double(std::abs(
        *std::ranges::max_element(slow, [](Long a, Long b) { return std::abs(a) < std::abs(b); })));
    // |g| − λγ cancels: the twin has no more than the digits of γ.
    BOOST_TEST(farthest(w, slow) <= 1e-12 * size + 2e-19 * gamma);
    BOOST_TEST(std::abs(elastic_net(w, gamma) - r) <= 1e-14 * r);
  }
}

BOOST_AUTO_TEST_CASE(the_farthest_point_of_the_elastic_net_ball_equals_bisection) {
  std::mt19937_64 random(2);
  for (int trial = 0; trial < 2000; ++trial) {
    const Vector v = random_vector(random, 1 + random() % 30, power(random, -3.0, 3.0));
    const double gamma = trial % 5 == 0 ? 0.0 : power(random, -3.0, 3.0);
    const double r = power(random, -3.0, 3.0);
    Vector w(v.size()), scratch(2 * v.size());
    farthest_in_elastic_net_ball(v, gamma, r, scratch, w);
    const std::vector<Long> slow = naive_boundary(v, gamma, r, 0.0L);
    const double size = double(std::abs(
        *std::ranges::max_element(slow, [](Long a, Long b) { return std::abs(a) < std::abs(b); })));
    BOOST_TEST(farthest(w, slow) <= 1e-12 * size + 2e-19 * gamma);
    BOOST_TEST(std::abs(elastic_net(w, gamma) - r) <= 1e-14 * r);
  }
}

BOOST_AUTO_TEST_CASE(the_entropic_minimiser_equals_bisection_with_and_without_a_cap) {
  std::mt19937_64 random(3);
  for (int trial = 0; trial < 3000; ++trial) {
    const std::size_t n = 1 + random() % 30;
    const Vector p = random_vector(random, n, power(random, -3.0, 2.0));
    const double tau = power(random, -1.0, 2.0);
    const double cap = trial % 3 == 0 ? 1.0 : 1.0 / double(1 + random() % n);
    Vector x = p, scratch(n);
    entropic_minimiser(x, tau, cap, scratch, x);
    BOOST_TEST(farthest(x, naive_entropic(p, tau, cap)) <= 1e-13);
    BOOST_TEST(std::abs(sum_of(x) - 1.0) <= 1e-14);
    BOOST_TEST(*std::ranges::max_element(x) <= cap);
  }
}

BOOST_AUTO_TEST_CASE(the_entropic_minimiser_stays_finite_where_p_over_tau_is_huge_or_tiny) {
  Vector scratch(4), x(4);
  const Vector huge{-1e300, 1e300, -1e300, 0.0};
  entropic_minimiser(huge, 1e-300, 1.0, scratch, x);
  BOOST_TEST((x == Vector{0.5, 0.0, 0.5, 0.0}));
  entropic_minimiser(huge, 1e-300, 0.375, scratch, x);
  BOOST_TEST((x == Vector{0.375, 0.0, 0.375, 0.25}));
  entropic_minimiser(huge, 0.0, 1.0, scratch, x);
  BOOST_TEST((x == Vector{0.5, 0.0, 0.5, 0.0}), "the limit: ties share alike");
  const Vector tiny{1e-300, -1e-300, 0.0, 1e-310};
  entropic_minimiser(tiny, 1e300, 1.0, scratch, x);
  for (const double a : x) BOOST_TEST(a == 0.25);
  // Far from 0 only the differences matter.
  const Vector far{1e15, 1e15 + 1.0, 1e15 + 2.0, 1e15 + 3.0}, near{0.0, 1.0, 2.0, 3.0};
  Vector y(4);
  entropic_minimiser(far, 1.0, 0.4, scratch, x);
  entropic_minimiser(near, 1.0, 0.4, scratch, y);
  BOOST_TEST((x == y));
}

BOOST_AUTO_TEST_CASE(the_entropic_projection_fulfils_its_equations) {
  std::mt19937_64 random(4);
  for (int trial = 0; trial < 1500; ++trial) {
    const std::size_t n = 1 + random() % 30;
    const Vector a = random_vector(random, n, power(random, -3.0, 6.0));
    const double gamma = power(random, -9.0, 6.0);
    const double cap = trial % 3 == 0 ? 1.0 : 1.0 / double(1 + random() % n);
    Vector x = a, scratch(n);
    entropic_projection(x, gamma, cap, scratch, x);
    BOOST_TEST(std::abs(sum_of(x) - 1.0) <= 1e-13);
    // a − γ log x − x is one ν off the cap, and at least ν there.
    Long nu = -1e300L, held = 1e300L, lowest = 1e300L;
    for (std::size_t i = 0; i < n; ++i) {
      BOOST_TEST((x[i] >= 0.0 && x[i] <= cap));
      if (x[i] < 1e-300) continue;
      const Long own = Long(a[i]) - Long(gamma) * std::log(Long(x[i])) - Long(x[i]);
      if (x[i] >= cap * (1.0 - 1e-14)) {
        held = std::min(held, own);
      } else {
        nu = std::max(nu, own);
        lowest = std::min(lowest, own);
      }
    }
    const Long slack = 1e-12L * (1.0L + Long(gamma));
    if (nu > -1e299L) BOOST_TEST(double(nu - lowest) <= double(700.0L * slack));
    BOOST_TEST(double(nu - held) <= double(slack));
  }
}

BOOST_AUTO_TEST_SUITE_END()
