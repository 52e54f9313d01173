// The two smoothings of the max-of-hinge loss, against their definitions.
#include "multiclass_support.hpp"

namespace {
using namespace multiclass_support;

// max Σ bⱼ mⱼ − (a/2)‖b‖² − (t/2)(Σ b)² over b ≥ 0, Σ b ≤ 1, by trying every set of positive
// entries with the sum free and with the sum 1: the best of the feasible candidates.
long double brute_force(const std::vector<long double>& m, long double a, long double t) {
  long double best = 0.0L;
  for (std::size_t set = 1; set < std::size_t{1} << m.size(); ++set) {
    long double sum = 0.0L, count = 0.0L;
    for (std::size_t j = 0; j < m.size(); ++j)
      if ((set >> j & 1U) != 0) sum += m[j], count += 1.0L;
    for (const long double theta : {t * sum / (a + t * count), (sum - a) / count}) {
      long double total = 0.0L, value = 0.0L;
      bool feasible = true;
      for (std::size_t j = 0; j < m.size(); ++j) {
        if ((set >> j & 1U) == 0) continue;
        const long double b = (m[j] - theta) / a;
        feasible = feasible && b >= 0.0L;
        total += b;
        value += b * (m[j] - 0.5L * a * b);
      }
      if (feasible && total <= 1.0L + 1e-15L)
        best = std::max(best, value - 0.5L * t * total * total);
    }
  }
  return best;
}

std::vector<long double> margins(const Vector& z, std::size_t label) {
  std::vector<long double> m;
  for (std::size_t j = 0; j < z.size(); ++j)
    if (j != label) m.push_back(1.0L + static_cast<long double>(z[j]) - z[label]);
  return m;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(smoothings_of_the_max_of_hinge)

BOOST_AUTO_TEST_CASE(the_smooth_value_is_the_maximum_over_the_dual) {
  Draw draw(1);
  for (const std::size_t k : {2U, 3U, 10U}) {
    for (int trial = 0; trial < (k == 10 ? 60 : 1000); ++trial) {
      const double gamma = draw.power(-2.0, 2.0);
      const Loss loss("smooth-max-of-hinge", gamma, k);
      const Vector z = draw.scores(k);
      const std::size_t y = draw.label(k);
      const auto expected = static_cast<double>(brute_force(margins(z, y), gamma, 0.0L));
      BOOST_TEST(std::abs(loss.value(z, static_cast<double>(y)) - expected) <=
                 1e-13 * (1.0 + expected));
    }
  }
}

BOOST_AUTO_TEST_CASE(the_soft_value_is_its_logarithm_of_a_sum) {
  Draw draw(2);
  for (const std::size_t k : {2U, 3U, 10U}) {
    for (int trial = 0; trial < 500; ++trial) {
      const double gamma = draw.power(-1.0, 2.0);
      const Loss loss("soft-max-of-hinge", gamma, k);
      const Vector z = draw.scores(k);
      const std::size_t y = draw.label(k);
      long double sum = 1.0L;
      for (const long double m : margins(z, y)) sum += std::exp(m / gamma);
      const auto expected = static_cast<double>(gamma * std::log(sum));
      BOOST_TEST(std::abs(loss.value(z, static_cast<double>(y)) - expected) <=
                 1e-13 * (1.0 + expected));
    }
  }
}

BOOST_AUTO_TEST_CASE(gradients_are_the_slopes_of_the_values) {
  Draw draw(3);
  for (const char* id : kSmoothings) {
    for (const std::size_t k : {2U, 3U, 10U}) {
      for (int trial = 0; trial < 300; ++trial) {
        const double gamma = draw.power(-1.0, 1.0);
        const Loss loss(id, gamma, k);
        Vector z = draw.scores(k);
        const auto y = static_cast<double>(draw.label(k));
        const Vector gradient = loss.gradient(z, y);
        // The slope between z − h and z + h is off by at most the smoothness times h.
        constexpr double kStep = 1e-6;
        const double slack = loss.fact(FENCHEL_FACT_SMOOTHNESS) * kStep + 1e-8;
        for (std::size_t j = 0; j < k; ++j) {
          Vector above = z, below = z;
          above[j] += kStep;
          below[j] -= kStep;
          const double slope = (loss.value(above, y) - loss.value(below, y)) / (2.0 * kStep);
          BOOST_TEST(std::abs(gradient[j] - slope) <= slack,
                     id << ": " << gradient[j] << " and " << slope);
        }
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(conjugates_meet_the_values_at_the_gradients_and_nowhere_below) {
  Draw draw(4);
  for (const char* id : kSmoothings) {
    for (const std::size_t k : {2U, 3U, 10U}) {
      for (int trial = 0; trial < 500; ++trial) {
        const Loss loss(id, draw.power(-2.0, 2.0), k);
        const Vector z = draw.scores(k), other = draw.scores(k);
        const auto y = static_cast<double>(draw.label(k));
        const Vector u = loss.gradient(z, y);
        const double value = loss.value(z, y), conjugate = loss.conjugate(u, y);
        BOOST_TEST(std::abs(value + conjugate - dot(u, z)) <= 1e-12 * (1.0 + value));
        BOOST_TEST(loss.value(other, y) + conjugate - dot(u, other) >= -1e-12 * (1.0 + value));
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(conjugates_are_their_formulas_on_the_simplex_and_infinite_beyond) {
  const Loss smooth("smooth-max-of-hinge", 0.5, 3), soft("soft-max-of-hinge", 0.5, 3);
  BOOST_TEST(smooth.conjugate({0.25, -0.75, 0.5}, 1) == 0.25 * 0.3125 - 0.75);
  BOOST_TEST(smooth.conjugate({0, 0, 0}, 1) == 0.0);
  BOOST_TEST(smooth.conjugate({1, -1, 0}, 1) == -0.75);
  BOOST_TEST(soft.conjugate({0, 0, 0}, 1) == 0.0);
  BOOST_TEST(soft.conjugate({1, -1, 0}, 1) == -1.0);
  BOOST_TEST(soft.conjugate({0.25, -0.75, 0.5}, 1) ==
                 0.5 * (0.5 * std::log(0.25) + 0.5 * std::log(0.5)) - 0.75,
             boost::test_tools::tolerance(1e-14));
  for (const Loss& loss : {smooth, soft}) {
    BOOST_TEST(loss.conjugate({0.5, -0.6, 0.5}, 1) == kInfinity);
    BOOST_TEST(loss.conjugate({-0.1, 0.1, 0.0}, 1) == kInfinity);
    BOOST_TEST(loss.conjugate({0.6, -1.1, 0.5}, 1) == kInfinity);
    BOOST_TEST(loss.conjugate({0.5, -0.5, 0.0}, 2) == kInfinity);
  }
}

BOOST_AUTO_TEST_CASE(proxes_move_against_the_gradient_where_they_arrive) {
  Draw draw(5);
  for (const char* id : kSmoothings) {
    for (const std::size_t k : {2U, 3U, 10U, 200U}) {
      for (int trial = 0; trial < 400; ++trial) {
        const double gamma = draw.power(-1.0, 2.0), t = draw.power(-3.0, 3.0);
        const Loss loss(id, gamma, k);
        const Vector s = draw.scores(k, draw.power(-1.0, 1.0));
        const auto y = static_cast<double>(draw.label(k));
        const Vector x = loss.prox(s, t, y), u = loss.gradient(x, y);
        // Rounding of x moves u by the smoothness times as much.
        const double scale =
            1.0 + *std::max_element(s.begin(), s.end()) - *std::min_element(s.begin(), s.end());
        const double slack =
            64.0 * kEpsilon * scale * (1.0 + t * loss.fact(FENCHEL_FACT_SMOOTHNESS));
        for (std::size_t j = 0; j < k; ++j)
          BOOST_TEST(std::abs(s[j] - t * u[j] - x[j]) <= slack + 1e-13 * t,
                     id << ", k = " << k << ", gamma = " << gamma << ", t = " << t);
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(the_envelope_of_the_smooth_loss_is_its_maximum_over_the_dual) {
  Draw draw(6);
  for (const std::size_t k : {2U, 3U, 8U}) {
    for (int trial = 0; trial < 200; ++trial) {
      const double gamma = draw.power(-2.0, 1.0), t = draw.power(-2.0, 2.0);
      const Vector s = draw.scores(k);
      const std::size_t y = draw.label(k);
      const auto envelope = [&](const Loss& loss) {
        const Vector x = loss.prox(s, t, static_cast<double>(y));
        const double moved = distance(x, s);
        return loss.value(x, static_cast<double>(y)) + moved * moved / (2.0 * t);
      };
      const auto expected = [&](double width) {
        return static_cast<double>(
            brute_force(margins(s, y), static_cast<long double>(width) + t, t));
      };
      BOOST_TEST(std::abs(envelope({"smooth-max-of-hinge", gamma, k}) - expected(gamma)) <= 1e-12);
      BOOST_TEST(std::abs(envelope({"max-of-hinge", k}) - expected(0.0)) <= 1e-12);
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()
