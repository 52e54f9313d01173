// The loss f1 against its definition: value, subgradient, conjugate.
#include "f1_support.hpp"
#include "plugin/verify.hpp"

#include <fmt/format.h>

namespace {
using namespace f1_support;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

std::string of_beta(double beta) { return fmt::format("f1: {{beta: {}}}", beta); }

Vector labels_of(std::size_t n, unsigned pattern) {
  Vector y(n);
  for (std::size_t i = 0; i < n; ++i) y[i] = ((pattern >> i) & 1U) != 0 ? 1.0 : -1.0;
  return y;
}

// Scores of which many tie with each other or with a step of the loss.
Vector tied_scores(Draw& draw, std::size_t n) {
  Vector z = draw.scores(n, draw.power(-1.0, 1.0));
  if (draw.random() % 2 == 0)
    for (double& x : z) x = 0.5 * std::round(2.0 * x);
  return z;
}

Vector gradient_of(const Vector& y, const Vector& flips) {
  Vector u(y.size());
  for (std::size_t i = 0; i < y.size(); ++i)
    u[i] = -2.0 * y[i] * flips[i] / static_cast<double>(y.size());
  return u;
}

Vector losses_of(const Vector& y, double beta) {
  Vector values(std::size_t{1} << y.size());
  for (unsigned flips = 0; flips < values.size(); ++flips) values[flips] = loss_of(y, flips, beta);
  return values;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(f1)

BOOST_AUTO_TEST_CASE(the_value_is_the_largest_over_all_labellings_for_every_pattern_of_labels) {
  Draw draw(1);
  for (std::size_t n = 1; n <= 12; ++n) {
    const LossPart part = made("f1", n);
    // All patterns up to 8, and of more examples the counts of positives in random places.
    const unsigned patterns = n <= 8 ? 1U << n : 3U * static_cast<unsigned>(n + 1);
    for (unsigned k = 0; k < patterns; ++k) {
      Vector y = labels_of(n, n <= 8 ? k : (1U << (k % (n + 1))) - 1U);
      std::shuffle(y.begin(), y.end(), draw.random);
      const Vector z = tied_scores(draw, n);
      Whole loss(part, y, n);
      const double brute = brute_value(z, y), value = loss.value(z);
      BOOST_TEST(std::abs(value - brute) <= 1e-14 * (1.0 + brute));
      // The subgradient is a labelling that attains it.
      const Vector g = loss.gradient(z);
      unsigned flips = 0;
      for (std::size_t i = 0; i < n; ++i) {
        if (g[i] == 0.0) continue;
        BOOST_TEST(g[i] == -2.0 * y[i] / static_cast<double>(n));
        flips |= 1U << i;
      }
      BOOST_TEST(std::abs(term_of(z, y, flips) - brute) <= 1e-14 * (1.0 + brute));
    }
  }
}

BOOST_AUTO_TEST_CASE(every_beta_has_its_own_largest_labelling) {
  Draw draw(2);
  for (int k = 0; k < 1500; ++k) {
    const std::size_t n = draw.size();
    const Vector y = draw.labels(n), z = tied_scores(draw, n);
    const double beta = draw.power(-1.0, 1.0);
    Whole loss(of_beta(beta), y, n);
    const double brute = brute_value(z, y, beta);
    BOOST_TEST(std::abs(loss.value(z) - brute) <= 1e-14 * (1.0 + brute));
  }
}

BOOST_AUTO_TEST_CASE(it_is_at_least_the_loss_of_the_signs_and_vanishes_where_all_margins_are_wide) {
  Draw draw(3);
  for (int k = 0; k < 300; ++k) {
    const std::size_t n = draw.size();
    const Vector y = draw.labels(n), z = draw.scores(n);
    Whole loss("f1", y, n);
    unsigned wrong = 0;
    for (std::size_t i = 0; i < n; ++i)
      if (y[i] * z[i] <= 0.0) wrong |= 1U << i;
    BOOST_TEST(loss.value(z) >= loss_of(y, wrong) - 1e-15);
    Vector wide = y;
    for (double& x : wide) x *= static_cast<double>(n);
    BOOST_TEST(loss.value(wide) == 0.0);
  }
}

BOOST_AUTO_TEST_CASE(value_and_conjugate_meet_at_every_vertex) {
  Draw draw(4);
  for (int k = 0; k < 400; ++k) {
    const std::size_t n = draw.size();
    const Vector y = draw.labels(n), z = tied_scores(draw, n);
    const double beta = draw.power(-1.0, 1.0);
    Whole loss(of_beta(beta), y, n);
    const Vector g = loss.gradient(z);
    BOOST_TEST(std::abs(loss.value(z) + loss.conjugate(g) - dot(z, g)) <=
               1e-13 * (1.0 + dot(z, z)));
    const auto flips = static_cast<unsigned>(draw.random() % (1U << n));
    Vector corner(n);
    for (std::size_t i = 0; i < n; ++i) corner[i] = (flips >> i) & 1U;
    BOOST_TEST(std::abs(loss.conjugate(gradient_of(y, corner)) + loss_of(y, flips, beta)) <= 1e-13);
  }
}

// The maximum over all mixtures of labellings, a linear program, by the simplex method.
BOOST_AUTO_TEST_CASE(the_conjugate_is_that_of_the_best_mixture_of_labellings) {
  Draw draw(5);
  std::uniform_real_distribution<double> uniform(0.0, 1.0);
  for (int k = 0; k < 1000; ++k) {
    const std::size_t n = 1 + draw.random() % 7;
    const Vector y = draw.labels(n);
    const double beta = k % 3 == 0 ? 1.0 : draw.power(-1.0, 1.0);
    Vector flips(n);
    for (double& q : flips) q = uniform(draw.random);
    if (k % 4 == 0)
      for (double& q : flips) q = std::round(4.0 * q) / 4.0;
    if (k % 5 == 0) flips[draw.random() % n] = static_cast<double>(draw.random() % 2);
    const double best = best_mixture(losses_of(y, beta), flips);
    Whole loss(of_beta(beta), y, n);
    BOOST_TEST(std::abs(loss.conjugate(gradient_of(y, flips)) + best) <= 1e-10,
               "n " << n << " beta " << beta << ": " << -loss.conjugate(gradient_of(y, flips))
                    << " best " << best);
  }
}

// No maximum of <u, z> - f(z) that a random search finds is above it, on samples too large for a
// linear program; and it is no more than the mean over the labellings that u is made of.
BOOST_AUTO_TEST_CASE(the_conjugate_of_a_larger_sample_lies_between_its_bounds) {
  Draw draw(6);
  for (int k = 0; k < 60; ++k) {
    const std::size_t n = 30 + draw.random() % 300;
    Vector y(n, -1.0);
    for (std::size_t i = 0; i < 1 + n / (2 + k % 10); ++i) y[i] = 1.0;
    Whole loss(of_beta(k % 2 == 0 ? 1.0 : draw.power(-0.5, 0.5)), y, n);
    Vector mean(n, 0.0);
    double mixed = 0.0;
    constexpr int kParts = 8;
    std::vector<Vector> points;
    for (int part = 0; part < kParts; ++part) {
      points.push_back(draw.scores(n, draw.power(-1.0, 1.0)));
      const Vector g = loss.gradient(points.back());
      mixed += loss.conjugate(g) / kParts;
      for (std::size_t i = 0; i < n; ++i) mean[i] += g[i] / kParts;
    }
    const double conjugate = loss.conjugate(mean);
    BOOST_TEST(conjugate <= mixed + 1e-12);
    for (const Vector& z : points) BOOST_TEST(dot(mean, z) - loss.value(z) <= conjugate + 1e-12);
  }
}

BOOST_AUTO_TEST_CASE(the_conjugate_is_infinite_off_the_box_and_projection_goes_to_its_side) {
  Whole loss("f1", {1.0, -1.0, -1.0, 1.0}, 4);
  BOOST_TEST(loss.conjugate({-0.5, 0.0, 0.5, 0.0}) == -0.5);
  BOOST_TEST(loss.conjugate({0.0, 0.0, 0.0, 0.0}) == 0.0);
  BOOST_TEST(loss.conjugate({0.1, 0.0, 0.0, 0.0}) == kInfinity);
  BOOST_TEST(loss.conjugate({0.0, -0.1, 0.0, 0.0}) == kInfinity);
  BOOST_TEST(loss.conjugate({-0.6, 0.0, 0.0, 0.0}) == kInfinity);
  BOOST_TEST((loss.project_dual({-0.6, -1.0, 0.7, 0.2}) == Vector{-0.5, 0.0, 0.5, 0.0}));
}

BOOST_AUTO_TEST_CASE(a_sample_without_positives_costs_one_false_alarm) {
  for (const std::size_t n : {1U, 2U, 7U}) {
    Whole loss("f1", Vector(n, -1.0), n);
    BOOST_TEST(loss.value(Vector(n, 0.0)) == 1.0);
    BOOST_TEST(loss.value(Vector(n, -static_cast<double>(n))) == 0.0);
  }
}

BOOST_AUTO_TEST_CASE(blocks_of_any_size_keep_to_the_definition) {
  for (const std::size_t n : {1U, 2U, 7U})
    for (const char* text : {"f1", "f1: {beta: 0.5}", "f1: {temperature: 0.2}",
                             "f1: {temperature: 0.05, counts: exact}"})
      for (const Finding& finding : verify_loss(made(text, n), shape_of(n), 5))
        BOOST_TEST(finding.passed,
                   text << " of " << n << ": " << finding.check << ": " << finding.detail);
}

BOOST_AUTO_TEST_SUITE_END()
