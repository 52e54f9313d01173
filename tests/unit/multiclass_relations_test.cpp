// The smoothings of the max-of-hinge loss: how they stand to other losses, that their constants are
// the best, and what they do at the edges of double precision.
#include "multiclass_support.hpp"

using namespace multiclass_support;

BOOST_AUTO_TEST_SUITE(smoothings_beside_the_max_of_hinge)

BOOST_AUTO_TEST_CASE(with_two_classes_they_are_the_smooth_hinge_and_the_logistic_loss) {
  Draw draw(7);
  for (int trial = 0; trial < 500; ++trial) {
    const double gamma = draw.power(-2.0, 2.0);
    const Loss smooth("smooth-max-of-hinge", gamma, 2), soft("soft-max-of-hinge", gamma, 2);
    const Loss hinge("smooth-hinge", gamma, 1), logistic("logistic", 1);
    const Vector z = draw.scores(2);
    const std::size_t y = draw.label(2);
    const double margin = z[y] - z[1 - y];
    BOOST_TEST(std::abs(smooth.value(z, static_cast<double>(y)) - hinge.value({margin}, 1.0)) <=
               1e-13);
    BOOST_TEST(std::abs(smooth.gradient(z, static_cast<double>(y))[y] -
                        hinge.gradient({margin}, 1.0)[0]) <= 1e-13);
    const double scaled = (margin - 1.0) / gamma;
    BOOST_TEST(std::abs(soft.value(z, static_cast<double>(y)) -
                        gamma * logistic.value({scaled}, 1.0)) <= 1e-13 * (1.0 + gamma));
    BOOST_TEST(std::abs(soft.gradient(z, static_cast<double>(y))[y] -
                        logistic.gradient({scaled}, 1.0)[0]) <= 1e-13);
    BOOST_TEST(smooth.fact(FENCHEL_FACT_SMOOTHNESS) == 2.0 * hinge.fact(FENCHEL_FACT_SMOOTHNESS),
               boost::test_tools::tolerance(1e-15));
  }
}

BOOST_AUTO_TEST_CASE(the_max_of_hinge_is_at_most_half_gamma_above_and_gamma_log_k_below) {
  Draw draw(8);
  double smooth_most = 0.0, soft_most = 0.0;
  for (const std::size_t k : {2U, 3U, 10U, 100U}) {
    for (int trial = 0; trial < 500; ++trial) {
      const double gamma = draw.power(-2.0, 2.0);
      const Vector z = draw.scores(k);
      const auto y = static_cast<double>(draw.label(k));
      const double exact = Loss("max-of-hinge", k).value(z, y), slack = 1e-13 * (1.0 + exact);
      const double smooth = Loss("smooth-max-of-hinge", gamma, k).value(z, y);
      const double soft = Loss("soft-max-of-hinge", gamma, k).value(z, y);
      const double most = gamma * std::log(static_cast<double>(k));
      BOOST_TEST(smooth <= exact + slack);
      BOOST_TEST(smooth >= exact - 0.5 * gamma - slack);
      BOOST_TEST(soft >= exact - slack);
      BOOST_TEST(soft <= exact + most + slack + 1e-14 * most);
      smooth_most = std::max(smooth_most, (exact - smooth) / (0.5 * gamma));
      soft_most = std::max(soft_most, (soft - exact) / most);
      if (exact == 0.0) BOOST_TEST(smooth == 0.0);
    }
  }
  // Both bounds are reached: by a single class far above, and by wide smoothing.
  BOOST_TEST(smooth_most > 0.999);
  BOOST_TEST(soft_most > 0.98);
}

// Smoothing by the prox counts (Σ b)² too: ½ γ ‖u‖² instead of ½ γ ‖b‖².
BOOST_AUTO_TEST_CASE(smoothing_by_the_prox_lies_below_and_is_another_loss) {
  Draw draw(9);
  for (const std::size_t k : {2U, 3U, 10U}) {
    for (int trial = 0; trial < 200; ++trial) {
      const double gamma = draw.power(-1.0, 1.0);
      const Loss closed("smooth-max-of-hinge", gamma, k);
      const Loss by_prox(smoothed(made("max-of-hinge", k), gamma), k);
      const Vector z = draw.scores(k), u = closed.gradient(z, 0.0);
      BOOST_TEST(by_prox.value(z, 0.0) <= closed.value(z, 0.0) + 1e-12);
      BOOST_TEST(std::abs(by_prox.conjugate(u, 0.0) - closed.conjugate(u, 0.0) -
                          0.5 * gamma * u[0] * u[0]) <= 1e-12 * (1.0 + gamma));
    }
  }
  const Loss closed("smooth-max-of-hinge", 1.0, 3);
  const Loss by_prox(smoothed(made("max-of-hinge", 3), 1.0), 3);
  BOOST_TEST(closed.value({5.0, 0.0, 0.0}, 1.0) == 5.5);   // 6 − ½
  BOOST_TEST(by_prox.value({5.0, 0.0, 0.0}, 1.0) == 5.0);  // 6 − ½ · 2
}

BOOST_AUTO_TEST_CASE(smoothness_and_lipschitz_constants_hold_and_are_reached) {
  Draw draw(10);
  for (const char* id : kSmoothings) {
    for (const std::size_t k : {2U, 3U, 10U, 100U}) {
      const double gamma = draw.power(-1.0, 1.0);
      const Loss loss(id, gamma, k);
      const double smoothness = loss.fact(FENCHEL_FACT_SMOOTHNESS);
      for (int trial = 0; trial < 300; ++trial) {
        const Vector a = draw.scores(k);
        Vector b = draw.scores(k, draw.power(-3.0, 0.0));
        for (std::size_t j = 0; j < k; ++j) b[j] += a[j];
        const double moved = distance(loss.gradient(a, 0.0), loss.gradient(b, 0.0));
        BOOST_TEST(moved <= smoothness * distance(a, b) * (1.0 + 1e-9) + 1e-13);
        BOOST_TEST(std::sqrt(dot(loss.gradient(a, 0.0), loss.gradient(a, 0.0))) <=
                   loss.fact(FENCHEL_FACT_LIPSCHITZ) * (1.0 + 1e-14));
      }
      // Where it is largest: all margins alike within the quadratic part; two alike, the rest far.
      const bool quadratic = id == kSmoothings[0];
      const double margin = quadratic ? gamma / static_cast<double>(k) : 0.0;
      Vector z(k, quadratic ? margin - 1.0 : -1e3 * gamma - 1.0), h(k, quadratic ? 1.0 : 0.0);
      z[0] = 0.0;
      z[1] = margin - 1.0;
      h[1] = 1.0;
      h[0] = quadratic ? 1.0 - static_cast<double>(k) : -1.0;
      const double step = 1e-4 * gamma / static_cast<double>(k);
      Vector moved = z;
      for (std::size_t j = 0; j < k; ++j) moved[j] += step * h[j];
      const double seen =
          distance(loss.gradient(z, 0.0), loss.gradient(moved, 0.0)) / distance(z, moved);
      BOOST_TEST(seen == smoothness, boost::test_tools::tolerance(1e-6));
    }
    BOOST_TEST(Loss(id, 0.25, 4).fact(FENCHEL_FACT_SMOOTHNESS) ==
               (id == kSmoothings[0] ? 16.0 : 2.0));
  }
}

BOOST_AUTO_TEST_CASE(a_shift_of_all_scores_changes_nothing_however_large) {
  Draw draw(11);
  constexpr double kShift = 1099511627776.0;  // 2^40; the scores are multiples of 2^-10
  for (const char* id : {"max-of-hinge", kSmoothings[0], kSmoothings[1]}) {
    for (int trial = 0; trial < 200; ++trial) {
      const Loss loss(id, 10);
      Vector z = draw.scores(10), far(10);
      for (std::size_t j = 0; j < 10; ++j) {
        z[j] = std::round(z[j] * 1024.0) / 1024.0;
        far[j] = z[j] + kShift;
      }
      BOOST_TEST(loss.value(far, 3.0) == loss.value(z, 3.0));
      BOOST_TEST(loss.gradient(far, 3.0) == loss.gradient(z, 3.0),
                 boost::test_tools::per_element());
      const Vector x = loss.prox(z, 2.0, 3.0), there = loss.prox(far, 2.0, 3.0);
      for (std::size_t j = 0; j < 10; ++j)
        BOOST_TEST(std::abs(there[j] - kShift - x[j]) <= 2.0 * kEpsilon * kShift);
    }
  }
}

BOOST_AUTO_TEST_CASE(huge_scores_neither_overflow_nor_leave_the_dual_domain) {
  for (const char* id : kSmoothings) {
    for (const double gamma : {1e-3, 1.0, 1e3}) {
      const Loss loss(id, gamma, 4);
      for (const double size : {1e6, 1e12, 1e100, 1e300}) {
        const Vector wrong{size, 0.0, -size, size}, right{-size, size, -size, 0.0};
        const double split = id == kSmoothings[0] ? -0.25 * gamma : gamma * std::log(2.0);
        BOOST_TEST(loss.value(wrong, 1.0) == size + 1.0 + split,
                   boost::test_tools::tolerance(1e-15));
        BOOST_TEST(loss.value(right, 1.0) == 0.0);
        BOOST_TEST(loss.gradient(wrong, 1.0) == (Vector{0.5, -1.0, 0.0, 0.5}),
                   boost::test_tools::per_element());
        BOOST_TEST(loss.gradient(right, 1.0) == Vector(4, 0.0), boost::test_tools::per_element());
        for (const double t : {1e-3, 1.0, 1e3}) {
          const Vector x = loss.prox(wrong, t, 1.0);
          const Vector expected{size - 0.5 * t, t, -size, size - 0.5 * t};
          for (std::size_t j = 0; j < 4; ++j)
            BOOST_TEST(std::abs(x[j] - expected[j]) <= 8.0 * kEpsilon * size + 1e-12 * t);
          BOOST_TEST(loss.prox(right, t, 1.0) == right, boost::test_tools::per_element());
        }
      }
      // Not far apart, but far from 0: the gradient stays within the simplex.
      Draw draw(12);
      for (int trial = 0; trial < 100; ++trial) {
        Vector z = draw.scores(4);
        for (double& x : z) x += 1e8;
        z[2] = -1e8;
        BOOST_TEST(std::isfinite(loss.conjugate(loss.gradient(z, 2.0), 2.0)));
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(many_classes_are_served_as_few_are) {
  constexpr std::size_t kClasses = 5000;
  Draw draw(13);
  for (const char* id : kSmoothings) {
    const Loss loss(id, 0.5, kClasses);
    const Vector z = draw.scores(kClasses), u = loss.gradient(z, 17.0);
    BOOST_TEST(std::abs(std::accumulate(u.begin(), u.end(), 0.0)) <= 1e-12);
    BOOST_TEST(std::abs(loss.value(z, 17.0) + loss.conjugate(u, 17.0) - dot(u, z)) <= 1e-11);
    // All alike: the dual is shared evenly.
    const Vector even = loss.gradient(Vector(kClasses, 3.0), 0.0);
    for (std::size_t j = 2; j < kClasses; ++j) BOOST_REQUIRE(even[j] == even[1]);
    const double others = static_cast<double>(kClasses - 1);
    const double share = id == kSmoothings[0] ? 1.0 / others : 1.0 / (others + std::exp(-2.0));
    BOOST_TEST(even[1] == share, boost::test_tools::tolerance(1e-12));
  }
}

BOOST_AUTO_TEST_SUITE_END()
