// The two smoothings of the max-of-hinge loss, against their definitions.
#include "calculus/combinators.hpp"
#include "plugin/registry.hpp"
#include "spec/parse.hpp"
#include "spec/validate.hpp"

#include <fmt/format.h>

#include <boost/test/unit_test.hpp>

#include <cmath>
#include <limits>
#include <numeric>
#include <random>
#include <vector>

namespace {
using namespace fenchel;

using Vector = std::vector<double>;
constexpr double kEpsilon = std::numeric_limits<double>::epsilon();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

fenchel_shape shape_of(std::size_t classes) {
  fenchel_shape shape{};
  shape.struct_size = sizeof shape;
  shape.outputs = static_cast<std::int32_t>(classes);
  shape.blocks = 1;
  shape.scores = shape.parameters = shape.widest_block = static_cast<std::int64_t>(classes);
  shape.features = 1;
  return shape;
}

LossPart made(const std::string& yaml, std::size_t classes) {
  static const Registry registry = Registry::scan({FENCHEL_PLUGIN_DIR});
  return registry.make_loss(spec::read_component(spec::parse_yaml(yaml, "test")),
                            shape_of(classes));
}

// One block of a loss.
class Loss {
 public:
  Loss(LossPart part, std::size_t classes) : part_(std::move(part)), classes_(classes) {}
  Loss(const std::string& yaml, std::size_t classes) : Loss(made(yaml, classes), classes) {}
  Loss(const std::string& id, double gamma, std::size_t classes)
      : Loss(fmt::format("{{{}: {{gamma: {:.17g}}}}}", id, gamma), classes) {}

  double value(const Vector& z, double y) const { return number(part_.table->value, z, y); }
  double conjugate(const Vector& u, double y) const { return number(part_.table->conjugate, u, y); }
  Vector gradient(const Vector& z, double y) const {
    Vector out(classes_), room(2 * classes_);
    const fenchel_batch one = batch(y, room);
    BOOST_REQUIRE(part_.table->gradient(part_.self, &one, z.data(), out.data()) == FENCHEL_OK);
    return out;
  }
  Vector prox(const Vector& s, double t, double y) const {
    Vector out(classes_), room(2 * classes_);
    const fenchel_batch one = batch(y, room);
    BOOST_REQUIRE(part_.table->prox(part_.self, &one, s.data(), &t, out.data()) == FENCHEL_OK);
    return out;
  }
  double fact(std::int32_t id) const { return fact_of(part_, id).value; }
  const LossPart& part() const { return part_; }

 private:
  fenchel_batch batch(const double& y, Vector& room) const {
    fenchel_batch one{};
    one.struct_size = sizeof one;
    one.count = one.target_width = 1;
    one.width = static_cast<std::int64_t>(classes_);
    one.targets = &y;
    one.scratch = room.data();
    return one;
  }
  template <class Oracle>
  double number(Oracle oracle, const Vector& x, double y) const {
    Vector room(2 * classes_);
    const fenchel_batch one = batch(y, room);
    double out = 0.0;
    BOOST_REQUIRE(oracle(part_.self, &one, x.data(), &out) == FENCHEL_OK);
    return out;
  }

  LossPart part_;
  std::size_t classes_;
};

double dot(const Vector& a, const Vector& b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}
double distance(const Vector& a, const Vector& b) {
  double sum = 0.0;
  for (std::size_t j = 0; j < a.size(); ++j) sum += (a[j] - b[j]) * (a[j] - b[j]);
  return std::sqrt(sum);
}

// Scores with ties now and then, labels and widths for a number of classes.
struct Draw {
  std::mt19937_64 random;
  explicit Draw(std::uint64_t seed) : random(seed) {}

  Vector scores(std::size_t classes, double size = 2.0) {
    std::normal_distribution<double> normal(0.0, size);
    Vector z(classes);
    for (double& x : z) x = normal(random);
    if (random() % 3 == 0) z[random() % classes] = z[random() % classes];
    if (random() % 7 == 0) std::fill(z.begin(), z.end(), z[0]);
    return z;
  }
  std::size_t label(std::size_t classes) { return random() % classes; }
  double power(double low, double high) {
    return std::pow(10.0, std::uniform_real_distribution<double>(low, high)(random));
  }
};

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

constexpr const char* kSmoothings[] = {"smooth-max-of-hinge", "soft-max-of-hinge"};

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
