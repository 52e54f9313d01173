// The largest score, and its soft maximum, against their definitions.
#include "calculus/combinators.hpp"
#include "plugin/verify.hpp"
#include "whole_support.hpp"

#include <fmt/format.h>

namespace {
using namespace whole_support;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

std::string soft(double mu) { return fmt::format("{{max: {{temperature: {:.17g}}}}}", mu); }

double largest(const Vector& z) { return *std::max_element(z.begin(), z.end()); }

}  // namespace

BOOST_AUTO_TEST_SUITE(max_loss)

BOOST_AUTO_TEST_CASE(without_a_temperature_it_is_the_largest_score) {
  Draw draw(1);
  for (int k = 0; k < 500; ++k) {
    const std::size_t n = draw.size();
    const Vector z = draw.scores(n);
    Whole loss("max", {}, n);
    const Vector g = loss.gradient(z);
    BOOST_TEST(loss.value(z) == largest(z));
    BOOST_TEST(loss.conjugate(g) == 0.0);
    BOOST_TEST(std::abs(dot(g, z) - largest(z)) <= 1e-14 * (1.0 + std::abs(largest(z))));
  }
}

BOOST_AUTO_TEST_CASE(the_conjugate_is_the_indicator_of_the_simplex) {
  Whole loss("max", {}, 3);
  BOOST_TEST(loss.conjugate({0.5, 0.25, 0.25}) == 0.0);
  BOOST_TEST(loss.conjugate({0.0, 1.0, 0.0}) == 0.0);
  BOOST_TEST(loss.conjugate({0.0, 0.0, 0.0}) == kInfinity);
  BOOST_TEST(loss.conjugate({0.5, 0.5, 0.1}) == kInfinity);
  BOOST_TEST(loss.conjugate({1.1, -0.1, 0.0}) == kInfinity);
}

BOOST_AUTO_TEST_CASE(the_soft_maximum_lies_at_most_mu_log_n_below) {
  Draw draw(2);
  for (int k = 0; k < 500; ++k) {
    const std::size_t n = draw.size();
    const Vector z = draw.scores(n);
    const double mu = draw.power(-3.0, 1.0), below = mu * std::log(static_cast<double>(n));
    Whole loss(soft(mu), {}, n);
    double direct = 0.0;
    for (const double x : z) direct += std::exp((x - largest(z)) / mu);
    direct = largest(z) + mu * std::log(direct / static_cast<double>(n));
    BOOST_TEST(std::abs(loss.value(z) - direct) <= 1e-13 * (1.0 + std::abs(direct)));
    BOOST_TEST(loss.value(z) <= largest(z) + 1e-14);
    BOOST_TEST(loss.value(z) >= largest(z) - below - 1e-14);
  }
  Whole far(soft(1e-3), {}, 3);
  BOOST_TEST(std::abs(far.value({1e6, 0.0, -1e6}) - (1e6 - 1e-3 * std::log(3.0))) <= 1e-9);
}

// mu sum u log(N u): 0 in the middle of the simplex, mu log N at its corners.
BOOST_AUTO_TEST_CASE(the_entropic_conjugate_has_its_least_value_0_in_the_middle) {
  Whole loss(soft(0.5), {}, 4);
  BOOST_TEST(std::abs(loss.conjugate({0.25, 0.25, 0.25, 0.25})) <= 1e-15);
  BOOST_TEST(std::abs(loss.conjugate({0.0, 1.0, 0.0, 0.0}) - 0.5 * std::log(4.0)) <= 1e-15);
  BOOST_TEST(loss.conjugate({0.5, 0.5, 0.5, 0.5}) == kInfinity);
  Draw draw(3);
  for (int k = 0; k < 300; ++k) {
    const Vector z = draw.scores(4), g = loss.gradient(z);
    BOOST_TEST(std::abs(loss.value(z) + loss.conjugate(g) - dot(z, g)) <= 1e-13);
  }
}

BOOST_AUTO_TEST_CASE(the_prox_cuts_off_what_lies_above_a_level_found_by_halving) {
  Draw draw(4);
  for (int k = 0; k < 1000; ++k) {
    const std::size_t n = draw.size();
    const Vector s = draw.scores(n);
    const double t = draw.power(-2.0, 2.0);
    const double theta = root_by_halving(largest(s) - t - 1.0, largest(s) + 1.0, [&](double level) {
      double above = 0.0;
      for (const double x : s) above += std::max(0.0, x - level);
      return above - t;
    });
    Vector expected = s;
    for (double& x : expected) x = std::min(x, theta);
    BOOST_TEST(farthest(Whole("max", {}, n).prox(s, t), expected) <= 1e-13 * (1.0 + t));
  }
}

// At x = prox(s):  x + t softmax(x/mu) = s.
BOOST_AUTO_TEST_CASE(the_prox_of_the_soft_maximum_meets_its_equation) {
  Draw draw(5);
  for (int k = 0; k < 1000; ++k) {
    const std::size_t n = draw.size();
    const Vector s = draw.scores(n);
    const double t = draw.power(-2.0, 2.0), mu = draw.power(-1.0, 1.0);
    Whole loss(soft(mu), {}, n);
    Vector x = loss.prox(s, t);
    const Vector g = loss.gradient(x);
    for (std::size_t i = 0; i < n; ++i) x[i] += t * g[i];
    BOOST_TEST(farthest(x, s) <= 1e-11 * (1.0 + t / mu));
  }
}

BOOST_AUTO_TEST_CASE(half_the_inverse_temperature_is_the_smoothness) {
  for (const double mu : {0.1, 2.0}) {
    Whole loss(soft(mu), {}, 2);
    BOOST_TEST(loss.fact(FENCHEL_FACT_SMOOTHNESS).value == 0.5 / mu);
    // Attained at a tie of two, along their difference.
    constexpr double kStep = 1e-5;
    const Vector a = loss.gradient({kStep, -kStep}), b = loss.gradient({-kStep, kStep});
    BOOST_TEST(std::abs((a[0] - b[0]) / (2.0 * kStep) - 0.5 / mu) <= 1e-6 / mu);
  }
  BOOST_TEST(Whole("max", {}, 2).fact(FENCHEL_FACT_SMOOTHNESS).state == FENCHEL_ABSENT);
}

BOOST_AUTO_TEST_CASE(blocks_of_any_size_keep_to_the_definition) {
  for (const std::size_t n : {1U, 2U, 3U, 25U})
    for (const LossPart& part : {made("max", n), made(soft(0.2), n), smoothed(made("max", n), 0.3),
                                 scaled(made("max", n), 2.0)})
      for (const Finding& finding : verify_loss(part, shape_of(n), 5))
        BOOST_TEST(finding.passed,
                   part.text << " of " << n << ": " << finding.check << ": " << finding.detail);
}

BOOST_AUTO_TEST_SUITE_END()
