// precision-at-k and roc-area against their definitions.
#include "calculus/combinators.hpp"
#include "plugin/verify.hpp"
#include "whole_support.hpp"

#include <fmt/format.h>

namespace {
using namespace whole_support;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

double positives_of(const Vector& y) {
  return static_cast<double>(std::count(y.begin(), y.end(), 1.0));
}

// The maximum over all sets of k rows.
double brute_precision(const Vector& z, const Vector& y, std::size_t k) {
  const double m = static_cast<double>(y.size()), n = positives_of(y);
  const double count = k == 0 ? n : static_cast<double>(k), held = std::min(count, n);
  if (count == 0.0) return 0.0;
  double reference = 0.0, most = -kInfinity;
  for (std::size_t i = 0; i < y.size(); ++i)
    reference += z[i] * (y[i] > 0.0 ? held / n : (count - held) / (m - n));
  for (unsigned set = 0; set < 1U << y.size(); ++set) {
    double rows = 0.0, hits = 0.0, sum = 0.0;
    for (std::size_t i = 0; i < y.size(); ++i) {
      if (((set >> i) & 1U) == 0) continue;
      rows += 1.0;
      hits += y[i] > 0.0 ? 1.0 : 0.0;
      sum += z[i];
    }
    if (rows == count) most = std::max(most, (held - hits) / count + 2.0 / m * (sum - reference));
  }
  return most;
}

double brute_area(const Vector& z, const Vector& y) {
  double sum = 0.0, pairs = 0.0;
  for (std::size_t p = 0; p < y.size(); ++p)
    for (std::size_t q = 0; q < y.size(); ++q) {
      if (y[p] < 0.0 || y[q] > 0.0) continue;
      sum += std::max(0.0, 1.0 - (z[p] - z[q]));
      pairs += 1.0;
    }
  return pairs > 0.0 ? sum / pairs : 0.0;
}

// A subgradient that meets its conjugate, is no steeper than declared and lies in dom f*.
void expect_duality(Whole& loss, const Vector& z, const Vector& other) {
  const Vector g = loss.gradient(z);
  const double size = 1.0 + std::abs(loss.value(z)) + std::sqrt(dot(z, z));
  BOOST_TEST(std::abs(loss.value(z) + loss.conjugate(g) - dot(z, g)) <= 1e-13 * size);
  Vector move = other;
  for (std::size_t i = 0; i < z.size(); ++i) move[i] -= z[i];
  BOOST_TEST(loss.value(z) + dot(g, move) <= loss.value(other) + 1e-13 * size);
  BOOST_TEST(std::sqrt(dot(g, g)) <= loss.fact(FENCHEL_FACT_LIPSCHITZ).value * (1.0 + 1e-14));
}

}  // namespace

BOOST_AUTO_TEST_SUITE(ranking_losses)

BOOST_AUTO_TEST_CASE(precision_at_k_is_the_largest_over_all_sets_of_k_rows) {
  Draw draw(1);
  for (int round = 0; round < 1500; ++round) {
    const std::size_t n = draw.size(), k = draw.random() % (n + 1);
    const Vector z = draw.scores(n), y = draw.labels(n);
    Whole loss(fmt::format("precision-at-k: {{k: {}}}", k), y, n);
    BOOST_TEST(std::abs(loss.value(z) - brute_precision(z, y, k)) <= 1e-14 * (1.0 + loss.value(z)));
    BOOST_TEST(loss.value(z) >= 0.0);
    expect_duality(loss, z, draw.scores(n));
  }
}

BOOST_AUTO_TEST_CASE(precision_at_k_is_at_least_the_share_of_negatives_among_the_best) {
  Draw draw(2);
  for (int round = 0; round < 300; ++round) {
    const std::size_t n = 2 + draw.random() % 30;
    const Vector z = draw.scores(n);
    Vector y = draw.labels(n);
    y[0] = 1.0;
    const auto k = 1 + draw.random() % static_cast<std::size_t>(positives_of(y));
    std::vector<std::size_t> order(n);
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::sort(order.begin(), order.end(), [&](auto a, auto b) { return z[a] > z[b]; });
    double wrong = 0.0;
    for (std::size_t i = 0; i < k; ++i) wrong += y[order[i]] < 0.0 ? 1.0 : 0.0;
    Whole loss(fmt::format("precision-at-k: {{k: {}}}", k), y, n);
    BOOST_TEST(loss.value(z) >= wrong / static_cast<double>(k) - 1e-14);
  }
}

BOOST_AUTO_TEST_CASE(precision_at_more_rows_than_there_are_is_refused) {
  BOOST_CHECK_THROW(made("precision-at-k: {k: 5}", 4), Error);
}

BOOST_AUTO_TEST_CASE(roc_area_is_the_mean_hinge_of_all_pairs) {
  Draw draw(3);
  for (int round = 0; round < 1500; ++round) {
    const std::size_t n = 1 + draw.random() % 20;
    const Vector z = draw.scores(n), y = draw.labels(n);
    Whole loss("roc-area", y, n);
    const double brute = brute_area(z, y);
    BOOST_TEST(std::abs(loss.value(z) - brute) <= 1e-14 * (1.0 + brute));
    expect_duality(loss, z, draw.scores(n));
  }
}

BOOST_AUTO_TEST_CASE(the_conjugate_of_roc_area_is_finite_for_sums_of_pairs_alone) {
  Whole loss("roc-area", {1.0, 1.0, -1.0, -1.0}, 4);
  BOOST_TEST(loss.conjugate({-0.5, 0.0, 0.25, 0.25}) == -0.5);
  BOOST_TEST(loss.conjugate({-0.25, -0.25, 0.25, 0.25}) == -0.5);
  // Within the box and of sum 0, but one pair would have to count twice.
  BOOST_TEST(loss.conjugate({-0.5, 0.0, 0.5, 0.0}) == kInfinity);
  BOOST_TEST(loss.conjugate({-0.25, 0.0, 0.2, 0.0}) == kInfinity);
  BOOST_TEST(loss.conjugate({0.25, 0.0, -0.25, 0.0}) == kInfinity);
  Draw draw(4);
  std::uniform_real_distribution<double> uniform(0.0, 1.0);
  for (int round = 0; round < 300; ++round) {
    const std::size_t n = draw.size();
    const Vector y = draw.labels(n);
    const double pairs = positives_of(y) * (static_cast<double>(n) - positives_of(y));
    Vector u(n, 0.0);
    double sum = 0.0;
    for (std::size_t p = 0; p < n; ++p)
      for (std::size_t q = 0; q < n; ++q) {
        if (y[p] < 0.0 || y[q] > 0.0) continue;
        const double part = uniform(draw.random) / pairs;
        u[p] -= part;
        u[q] += part;
        sum += part;
      }
    Whole any("roc-area", y, n);
    BOOST_TEST(std::abs(any.conjugate(u) + sum) <= 1e-14);
  }
}

BOOST_AUTO_TEST_CASE(blocks_of_any_size_keep_to_the_definition) {
  for (const std::size_t n : {1U, 2U, 3U, 25U})
    for (const std::string& text : {std::string("roc-area"), std::string("precision-at-k"),
                                    fmt::format("precision-at-k: {{k: {}}}", n),
                                    fmt::format("precision-at-k: {{k: {}}}", 1 + n / 3)})
      for (const LossPart& part :
           {made(text, n), smoothed(made(text, n), 0.3), scaled(made(text, n), 4.0)})
        for (const Finding& finding : verify_loss(part, shape_of(n), 5))
          BOOST_TEST(finding.passed,
                     part.text << " of " << n << ": " << finding.check << ": " << finding.detail);
}

BOOST_AUTO_TEST_SUITE_END()
