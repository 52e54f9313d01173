// The hinge loss with a free bias against its definition.
#include "calculus/combinators.hpp"
#include "plugin/verify.hpp"
#include "whole_support.hpp"

namespace {
using namespace whole_support;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

double mean_hinge(const Vector& z, const Vector& y, double b) {
  double sum = 0.0;
  for (std::size_t i = 0; i < z.size(); ++i) sum += std::max(0.0, 1.0 - y[i] * (z[i] + b));
  return sum / static_cast<double>(z.size());
}

// A piecewise linear function of b that does not fall for ever has its minimum at a bend.
double brute_value(const Vector& z, const Vector& y) {
  double least = kInfinity;
  for (std::size_t i = 0; i < z.size(); ++i) least = std::min(least, mean_hinge(z, y, y[i] - z[i]));
  return least;
}

// The nearest point to c of {-1/n <= y u <= 0, sum u = 0}, the multiplier by halving.
Vector brute_projection(const Vector& c, const Vector& y) {
  const double width = 1.0 / static_cast<double>(c.size());
  const auto at = [&](double theta) {
    Vector u(c.size());
    for (std::size_t i = 0; i < c.size(); ++i)
      u[i] = std::clamp(c[i] - theta, y[i] > 0.0 ? -width : 0.0, y[i] > 0.0 ? 0.0 : width);
    return u;
  };
  const double reach = 2.0 + *std::max_element(c.begin(), c.end()) -
                       *std::min_element(c.begin(), c.end()) + std::abs(c[0]);
  return at(root_by_halving(-2.0 * reach, 2.0 * reach, [&](double theta) {
    const Vector u = at(theta);
    return std::accumulate(u.begin(), u.end(), 0.0);
  }));
}

}  // namespace

BOOST_AUTO_TEST_SUITE(biased_hinge)

BOOST_AUTO_TEST_CASE(the_value_is_the_least_over_all_biases) {
  Draw draw(1);
  for (int k = 0; k < 2000; ++k) {
    const std::size_t n = draw.size();
    const Vector z = draw.scores(n), y = draw.labels(n);
    Whole loss("biased-hinge", y, n);
    const double value = loss.value(z), brute = brute_value(z, y);
    BOOST_TEST(std::abs(value - brute) <= 1e-14 * (1.0 + brute));
    BOOST_TEST(std::abs(mean_hinge(z, y, loss.bias(z)) - brute) <= 1e-14 * (1.0 + brute));
  }
}

BOOST_AUTO_TEST_CASE(one_class_alone_costs_nothing) {
  for (const double label : {-1.0, 1.0})
    for (const std::size_t n : {1U, 2U, 5U}) {
      Draw draw(n);
      const Vector z = draw.scores(n), y(n, label);
      Whole loss("biased-hinge", y, n);
      BOOST_TEST(loss.value(z) == 0.0);
      BOOST_TEST((loss.gradient(z) == Vector(n, 0.0)));
      BOOST_TEST((loss.prox(z, 3.0) == z));
      BOOST_TEST(mean_hinge(z, y, loss.bias(z)) <= 1e-15);
    }
}

BOOST_AUTO_TEST_CASE(the_gradient_is_a_subgradient_in_the_dual_domain) {
  Draw draw(2);
  for (int k = 0; k < 1000; ++k) {
    const std::size_t n = draw.size();
    const Vector z = draw.scores(n), y = draw.labels(n);
    Whole loss("biased-hinge", y, n);
    const Vector g = loss.gradient(z);
    BOOST_TEST(std::abs(std::accumulate(g.begin(), g.end(), 0.0)) <= 1e-15);
    BOOST_TEST(std::abs(loss.value(z) + loss.conjugate(g) - dot(z, g)) <= 1e-13);
    const Vector other = draw.scores(n);
    Vector move = other;
    for (std::size_t i = 0; i < n; ++i) move[i] -= z[i];
    BOOST_TEST(loss.value(z) + dot(g, move) <= brute_value(other, y) + 1e-13);
    BOOST_TEST(std::sqrt(dot(g, g)) <= loss.fact(FENCHEL_FACT_LIPSCHITZ).value * (1.0 + 1e-14));
  }
}

BOOST_AUTO_TEST_CASE(differences_of_values_give_the_gradient_between_kinks) {
  Draw draw(3);
  std::normal_distribution<double> normal;
  for (int k = 0; k < 200; ++k) {
    const std::size_t n = 2 + draw.random() % 8;
    const Vector y = draw.labels(n);
    Vector z(n);
    for (double& x : z) x = normal(draw.random);
    Whole loss("biased-hinge", y, n);
    const Vector g = loss.gradient(z);
    for (std::size_t i = 0; i < n; ++i) {
      constexpr double kStep = 1e-7;
      Vector above = z, below = z;
      above[i] += kStep;
      below[i] -= kStep;
      const double right = (brute_value(above, y) - brute_value(z, y)) / kStep;
      const double left = (brute_value(z, y) - brute_value(below, y)) / kStep;
      BOOST_TEST(g[i] <= right + 1e-7);
      BOOST_TEST(g[i] >= left - 1e-7);
    }
  }
}

BOOST_AUTO_TEST_CASE(the_conjugate_is_infinite_off_the_box_and_off_the_hyperplane) {
  Whole loss("biased-hinge", {1.0, -1.0, -1.0, 1.0}, 4);
  BOOST_TEST(loss.conjugate({-0.25, 0.25, 0.0, 0.0}) == -0.5);
  BOOST_TEST(loss.conjugate({-0.125, 0.25, 0.0, -0.125}) == -0.5);
  BOOST_TEST(loss.conjugate({0.0, 0.0, 0.0, 0.0}) == 0.0);
  BOOST_TEST(loss.conjugate({-0.25, 0.24, 0.0, 0.0}) == kInfinity);
  BOOST_TEST(loss.conjugate({0.1, 0.0, 0.0, -0.1}) == kInfinity);
  BOOST_TEST(loss.conjugate({-0.3, 0.3, 0.0, 0.0}) == kInfinity);
}

BOOST_AUTO_TEST_CASE(projection_and_prox_agree_with_a_multiplier_found_by_halving) {
  Draw draw(4);
  for (int k = 0; k < 2000; ++k) {
    const std::size_t n = draw.size();
    const Vector s = draw.scores(n), y = draw.labels(n);
    Whole loss("biased-hinge", y, n);
    const Vector c = draw.scores(n, draw.power(-2.0, 1.0));
    BOOST_TEST(farthest(loss.project_dual(c), brute_projection(c, y)) <= 1e-13);
    const double t = draw.power(-2.0, 2.0);
    Vector scaled(n), expected = s;
    for (std::size_t i = 0; i < n; ++i) scaled[i] = (s[i] - y[i]) / t;
    const Vector u = brute_projection(scaled, y);
    for (std::size_t i = 0; i < n; ++i) expected[i] -= t * u[i];
    BOOST_TEST(farthest(loss.prox(s, t), expected) <= 1e-12 * (1.0 + t));
  }
}

BOOST_AUTO_TEST_CASE(many_ties_and_boxes_of_any_width_leave_the_projection_on_the_hyperplane) {
  Draw draw(5);
  for (const std::size_t n : {1000U, 100000U}) {
    Vector y = draw.labels(n), c(n);
    y[0] = -y[1];
    for (const double size : {1e-9, 1e-3, 1.0, 1e6}) {
      for (double& x : c) x = size * static_cast<double>(draw.random() % 7);
      Whole loss("biased-hinge", y, n);
      BOOST_TEST(std::isfinite(loss.conjugate(loss.project_dual(c))));
    }
  }
}

// The envelope of a minimum over b is the minimum over b of the envelopes, a smooth hinge of
// gamma/n an example.
BOOST_AUTO_TEST_CASE(smoothed_it_is_the_least_mean_of_smooth_hinges) {
  Draw draw(6);
  for (int k = 0; k < 200; ++k) {
    const std::size_t n = draw.size();
    const Vector z = draw.scores(n), y = draw.labels(n);
    const double gamma = draw.power(-2.0, 1.0), each = gamma / static_cast<double>(n);
    Whole loss(smoothed(made("biased-hinge", n), gamma), y, n);
    const auto mean = [&](double b) {
      double sum = 0.0;
      for (std::size_t i = 0; i < n; ++i) {
        const double gap = std::max(0.0, 1.0 - y[i] * (z[i] + b));
        sum += gap > each ? gap - 0.5 * each : 0.5 * gap * gap / each;
      }
      return sum / static_cast<double>(n);
    };
    double low = -40.0, high = 40.0;
    for (int step = 0; step < 200; ++step) {
      const double a = low + (high - low) / 3.0, b = high - (high - low) / 3.0;
      (mean(a) <= mean(b) ? high : low) = mean(a) <= mean(b) ? b : a;
    }
    BOOST_TEST(std::abs(loss.value(z) - mean(0.5 * (low + high))) <= 1e-12);
  }
}

BOOST_AUTO_TEST_CASE(blocks_of_any_size_keep_to_the_definition) {
  for (const std::size_t n : {1U, 2U, 3U, 25U}) {
    const fenchel_shape shape = shape_of(n);
    for (const LossPart& part : {made("biased-hinge", n), smoothed(made("biased-hinge", n), 0.3),
                                 scaled(made("biased-hinge", n), 4.0)})
      for (const Finding& finding : verify_loss(part, shape, 5))
        BOOST_TEST(finding.passed,
                   part.text << " of " << n << ": " << finding.check << ": " << finding.detail);
  }
}

BOOST_AUTO_TEST_SUITE_END()
