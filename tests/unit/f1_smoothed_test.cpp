// The softened maximum of the loss f1: against all labellings, the paper's dynamic programme
// against the windowed sum, and the kernels below it against naive twins.
#include "f1_support.hpp"

#include <fmt/format.h>
#include <fenchel/kernels/count_law.hpp>
#include <fenchel/kernels/f1_smoothed.hpp>

namespace {
using namespace f1_support;
using kernels::CountLaw;
using kernels::F1SmoothedWorkspace;
using kernels::F1Smoothing;

std::string soft(double tau, double beta, const char* counts) {
  return fmt::format("f1: {{temperature: {}, beta: {}, counts: {}}}", tau, beta, counts);
}

double relative_difference(double a, double b) { return std::abs(a - b) / (1.0 + std::abs(b)); }

// The law of a count, one event after the other.
Vector naive_law(const Vector& p) {
  Vector law{1.0};
  for (const double x : p) {
    law.push_back(0.0);
    for (std::size_t v = law.size() - 1; v > 0; --v) law[v] = x * law[v - 1] + (1.0 - x) * law[v];
    law[0] *= 1.0 - x;
  }
  return law;
}

struct Sample {
  Vector z, y;

  // Scores around `shift` times the label, of which `positives` are positive.
  Sample(std::size_t n, std::size_t positives, double shift, double size, std::uint64_t seed) {
    Draw draw(seed);
    z = draw.scores(n, size);
    y.assign(n, -1.0);
    std::fill_n(y.begin(), positives, 1.0);
    for (std::size_t i = 0; i < n; ++i) z[i] += shift * y[i];
  }
};

struct Smoothed {
  double value;
  Vector flips;
  Smoothed(const Sample& sample, double beta, double tau, bool exact) {
    F1SmoothedWorkspace work;
    flips.resize(sample.z.size());
    value = F1Smoothing{beta * beta, tau, exact}(sample.z, sample.y, flips, work);
  }
};

void expect_the_same(const Sample& sample, double beta, double tau, const std::string& what) {
  const Smoothed exact(sample, beta, tau, true), windowed(sample, beta, tau, false);
  BOOST_TEST(relative_difference(windowed.value, exact.value) <= 1e-12, what);
  BOOST_TEST(farthest(windowed.flips, exact.flips) <= 1e-10, what);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(f1_smoothed)

BOOST_AUTO_TEST_CASE(value_and_gradient_are_those_of_the_sum_over_all_labellings) {
  Draw draw(1);
  for (std::size_t n = 1; n <= 14; ++n) {
    for (int k = 0; k < (n < 11 ? 40 : 4); ++k) {
      const Vector y = draw.labels(n), z = draw.scores(n);
      const double tau = draw.power(-1.5, 1.5), beta = k % 2 == 0 ? 1.0 : draw.power(-1.0, 1.0);
      Vector gradient;
      const double value = brute_smoothed(z, y, beta, tau, gradient);
      for (const char* counts : {"exact", "windowed"}) {
        Whole loss(soft(tau, beta, counts), y, n);
        BOOST_TEST(relative_difference(loss.value(z), value) <= 1e-12, counts << " n " << n);
        BOOST_TEST(farthest(loss.gradient(z), gradient) <= 1e-12,
                   counts << " n " << n << " tau " << tau << " beta " << beta);
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(differences_of_values_give_the_gradient) {
  Draw draw(2);
  for (const std::size_t n : {5U, 60U, 300U}) {
    const Vector y = draw.labels(n), z = draw.scores(n);
    for (const double tau : {0.3, 3.0}) {
      Whole loss(soft(tau, 1.0, "windowed"), y, n);
      const Vector g = loss.gradient(z);
      for (int k = 0; k < 10; ++k) {
        constexpr double kStep = 1e-5;
        const Vector d = draw.scores(n, 1.0);
        Vector above = z, below = z;
        for (std::size_t i = 0; i < n; ++i) {
          above[i] += kStep * d[i];
          below[i] -= kStep * d[i];
        }
        BOOST_TEST(std::abs((loss.value(above) - loss.value(below)) / (2.0 * kStep) - dot(g, d)) <=
                   1e-7);
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(it_lies_above_the_maximum_by_at_most_its_bound) {
  Draw draw(3);
  for (int k = 0; k < 200; ++k) {
    const std::size_t n = 1 + draw.random() % 200;
    const Vector y = draw.labels(n), z = draw.scores(n);
    const double tau = draw.power(-2.0, 2.0);
    Whole hard("f1", y, n), loss(soft(tau, 1.0, "windowed"), y, n);
    const double excess = loss.value(z) - hard.value(z);
    BOOST_TEST(excess >= -1e-15);
    BOOST_TEST(excess <= tau * std::log(2.0) * (1.0 + 1e-14));
  }
}

BOOST_AUTO_TEST_CASE(windowed_and_exact_agree_on_two_thousand_examples) {
  std::uint64_t seed = 1;
  for (const std::size_t positives : {1U, 20U, 400U})
    for (const double tau : {0.01, 0.3, 10.0}) {
      ++seed;
      expect_the_same({2000, positives, 0.4, 1.0, seed}, seed % 2 == 0 ? 1.0 : 2.0, tau,
                      fmt::format("{} positives, temperature {}", positives, tau));
    }
  expect_the_same({2000, 2000, 0.0, 1.0, 7}, 1.0, 0.1, "positives only");
  expect_the_same({2000, 0, 0.0, 1.0, 8}, 1.0, 0.1, "negatives only");
}

// Where two labellings far apart attain the maximum together, the law of b has peaks far apart.
BOOST_AUTO_TEST_CASE(windowed_and_exact_agree_where_the_law_has_several_peaks) {
  for (const double tau : {0.002, 0.02, 0.1}) {
    Sample sample(500, 150, 0.0, 0.02, 5);
    // Every positive at one score: 1 - F1 is convex in b, so none or all of them are flipped. The
    // level at which both are worth the same, by halving.
    double low = 0.0, high = 5.0;
    for (int k = 0; k < 60; ++k) {
      const double level = 0.5 * (low + high);
      for (std::size_t i = 0; i < 150; ++i) sample.z[i] = level + 1e-3 * static_cast<double>(i % 7);
      const Smoothed here(sample, 1.0, tau, false);
      (here.flips[0] > 0.5 ? low : high) = level;
    }
    const Smoothed middle(sample, 1.0, tau, false);
    BOOST_TEST(middle.flips[0] > 0.01);
    BOOST_TEST(middle.flips[0] < 0.99);
    expect_the_same(sample, 1.0, tau, fmt::format("temperature {}", tau));
  }
}

BOOST_AUTO_TEST_CASE(
    the_bound_of_the_conjugate_is_valid_tight_within_its_slack_and_exact_at_vertices) {
  Draw draw(4);
  for (int k = 0; k < 200; ++k) {
    const std::size_t n = 1 + draw.random() % 40;
    const Vector y = draw.labels(n);
    const double tau = draw.power(-2.0, 1.0);
    Whole loss(soft(tau, 1.0, "windowed"), y, n), hard("f1", y, n);
    const double slack = loss.fact(FENCHEL_FACT_CONJUGATE_SLACK).value;
    BOOST_TEST(slack == tau * std::log(2.0));
    const Vector z = draw.scores(n), g = loss.gradient(z);
    const double excess = loss.value(z) + loss.conjugate(g) - dot(z, g);
    BOOST_TEST(excess >= -1e-12 * (1.0 + dot(z, z)));
    BOOST_TEST(excess <= slack + 1e-12);
    const Vector other = draw.scores(n);
    BOOST_TEST(dot(other, g) - loss.value(other) <= loss.conjugate(g) + 1e-12);
    const Vector corner = hard.gradient(z);
    BOOST_TEST(std::abs(loss.conjugate(corner) - hard.conjugate(corner)) <= 1e-13);
  }
}

BOOST_AUTO_TEST_CASE(the_tree_of_a_count_gives_the_law_and_the_derivatives_of_the_recursion) {
  Draw draw(5);
  std::uniform_real_distribution<double> uniform(0.0, 1.0);
  for (const std::size_t n : {0U, 1U, 31U, 32U, 33U, 100U, 333U}) {
    Vector p(n), contrary(n);
    for (std::size_t i = 0; i < n; ++i) {
      p[i] = i % 5 == 0 ? 1e-9 * uniform(draw.random) : uniform(draw.random);
      contrary[i] = 1.0 - p[i];
    }
    const Vector law = naive_law(p);
    CountLaw tree;
    tree.build(p, contrary, 0.0);
    for (std::size_t k = 0; k <= n; ++k)
      BOOST_TEST(std::abs(tree.at(k) - law[k]) <= 1e-12 * law[k] + 1e-270);
    Vector weight(tree.values().size()), got(n, 0.0);
    for (double& w : weight) w = uniform(draw.random);
    tree.add_derivatives(weight, got);
    for (std::size_t i = 0; i < n; i += 7) {
      Vector without = p;
      without.erase(without.begin() + static_cast<std::ptrdiff_t>(i));
      const Vector rest = naive_law(without);
      double expected = 0.0;
      for (std::size_t k = 0; k < rest.size(); ++k) {
        const std::size_t at = k + 1 - tree.low();
        if (k + 1 >= tree.low() && at < weight.size()) expected += p[i] * rest[k] * weight[at];
      }
      BOOST_TEST(std::abs(got[i] - expected) <= 1e-13 * expected);
    }
  }
}

BOOST_AUTO_TEST_CASE(what_a_cut_tree_loses_is_below_its_bound) {
  Draw draw(6);
  std::uniform_real_distribution<double> uniform(0.0, 1.0);
  Vector p(2000), contrary(2000);
  for (std::size_t i = 0; i < p.size(); ++i) {
    p[i] = uniform(draw.random);
    contrary[i] = 1.0 - p[i];
  }
  CountLaw whole, cut;
  whole.build(p, contrary, 0.0);
  cut.build(p, contrary, 1e-25);
  BOOST_TEST(cut.values().size() < 500U);
  for (std::size_t k = 0; k <= p.size(); ++k)
    BOOST_TEST(std::abs(whole.at(k) - cut.at(k)) <= 1e-25 * 2000.0 * 8.0 + 1e-13 * whole.at(k));
}

BOOST_AUTO_TEST_SUITE_END()
