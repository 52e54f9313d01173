// smoothed: {of: hinge, gamma: g} is smooth-hinge: {gamma: g}, oracle by oracle.
#include "calculus/combinators.hpp"
#include "plugin/registry.hpp"
#include "spec/parse.hpp"
#include "spec/validate.hpp"

#include <fmt/format.h>

#include <boost/test/unit_test.hpp>

#include <cmath>
#include <random>

namespace {
using namespace fenchel;

LossPart loss(const std::string& yaml) {
  static const Registry registry = Registry::scan({FENCHEL_PLUGIN_DIR});
  fenchel_shape shape{};
  shape.struct_size = sizeof shape;
  shape.outputs = 1;
  shape.blocks = shape.scores = 1;
  shape.widest_block = 1;
  shape.parameters = shape.features = 1;
  return registry.make_loss(spec::read_component(spec::parse_yaml(yaml, "test")), shape);
}

// The four oracles at one block; all 0 where a call fails.
struct Oracles {
  double value = 0.0, gradient = 0.0, conjugate = 0.0, prox = 0.0;

  Oracles(const LossPart& part, double y, double z, double u, double t) {
    fenchel_batch batch{};
    batch.struct_size = sizeof batch;
    batch.count = batch.width = batch.target_width = 1;
    batch.targets = &y;
    BOOST_TEST(part.table->value(part.self, &batch, &z, &value) == FENCHEL_OK);
    BOOST_TEST(part.table->gradient(part.self, &batch, &z, &gradient) == FENCHEL_OK);
    BOOST_TEST(part.table->conjugate(part.self, &batch, &u, &conjugate) == FENCHEL_OK);
    BOOST_TEST(part.table->prox(part.self, &batch, &z, &t, &prox) == FENCHEL_OK);
  }
};

bool near(double a, double b) {
  return a == b || std::abs(a - b) <= 1e-12 * std::max(1.0, std::abs(b));
}

void expect_same(const Oracles& a, const Oracles& b, const std::string& where) {
  BOOST_TEST(near(a.value, b.value), where << ": value " << a.value << " and " << b.value);
  BOOST_TEST(near(a.gradient, b.gradient),
             where << ": gradient " << a.gradient << " and " << b.gradient);
  BOOST_TEST(near(a.conjugate, b.conjugate),
             where << ": conjugate " << a.conjugate << " and " << b.conjugate);
  BOOST_TEST(near(a.prox, b.prox), where << ": prox " << a.prox << " and " << b.prox);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(smoothed_losses)

BOOST_AUTO_TEST_CASE(the_smoothed_hinge_is_the_smooth_hinge) {
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> score(-5.0, 5.0), dual(-1.2, 1.2), exponent(-2.0, 2.0);
  for (int k = 0; k < 40; ++k) {
    const double gamma = std::pow(10.0, exponent(random));
    const LossPart made = smoothed(loss("hinge"), gamma);
    const LossPart closed = loss(fmt::format("{{smooth-hinge: {{gamma: {:.17g}}}}}", gamma));
    for (int i = 0; i < 500; ++i) {
      const double y = i % 2 == 0 ? 1.0 : -1.0;
      // Also the ends of the three pieces, and those of the dual's domain.
      const double z = i % 50 == 0 ? y : i % 50 == 1 ? y * (1.0 - gamma) : score(random);
      const double u = i % 50 == 2 ? 0.0 : i % 50 == 3 ? -y : dual(random);
      const double t = std::pow(10.0, exponent(random));
      expect_same(Oracles(made, y, z, u, t), Oracles(closed, y, z, u, t),
                  fmt::format("gamma = {}, y = {}, z = {}, u = {}, t = {}", gamma, y, z, u, t));
    }
    for (const std::int32_t id :
         {FENCHEL_FACT_CONVEX, FENCHEL_FACT_LIPSCHITZ, FENCHEL_FACT_SMOOTHNESS,
          FENCHEL_FACT_STRONG_CONVEXITY, FENCHEL_FACT_LOWER_BOUND, FENCHEL_FACT_DUAL_RADIUS}) {
      BOOST_TEST(fact_of(made, id).state == fact_of(closed, id).state);
      BOOST_TEST(fact_of(made, id).value == fact_of(closed, id).value,
                 boost::test_tools::tolerance(1e-14));
    }
  }
}

// (φ_a)_b = φ_{a+b}, since φ* + (a/2)|.|² + (b/2)|.|² is the conjugate of both.
BOOST_AUTO_TEST_CASE(smoothing_twice_is_smoothing_by_the_sum) {
  std::mt19937_64 random(2);
  std::uniform_real_distribution<double> score(-5.0, 5.0), width(0.05, 3.0);
  for (const char* name :
       {"hinge", "logistic", "squared", "squared-hinge", "{huber: {delta: 2}}"}) {
    for (int k = 0; k < 200; ++k) {
      const double a = width(random), b = width(random), y = k % 2 == 0 ? 1.0 : -1.0;
      const double z = score(random), u = -0.7 * y * width(random) / 3.0, t = width(random);
      expect_same(Oracles(smoothed(smoothed(loss(name), a), b), y, z, u, t),
                  Oracles(smoothed(loss(name), a + b), y, z, u, t),
                  fmt::format("{}, {} then {}, z = {}", name, a, b, z));
    }
  }
}

// Without this a certificate would find D = -infinity at the edge of the domain.
BOOST_AUTO_TEST_CASE(gradients_of_smoothed_and_weighted_losses_lie_in_the_dual_domain) {
  std::mt19937_64 random(3);
  std::uniform_real_distribution<double> score(-50.0, 50.0), exponent(-3.0, 1.0);
  for (const char* name : {"hinge", "logistic", "{huber: {delta: 0.7}}", "squared-hinge"}) {
    for (int k = 0; k < 500; ++k) {
      const double gamma = std::pow(10.0, exponent(random)), c = std::pow(10.0, exponent(random));
      const double y = k % 2 == 0 ? 1.0 : -1.0, z = score(random);
      for (const LossPart& part : {smoothed(loss(name), gamma), scaled(loss(name), c),
                                   scaled(smoothed(scaled(loss(name), c), gamma), gamma),
                                   smoothed(scaled(loss(name), c), gamma)}) {
        const double u = Oracles(part, y, z, 0.0, 1.0).gradient;
        const double conjugate = Oracles(part, y, z, u, 1.0).conjugate;
        const double value = Oracles(part, y, z, u, 1.0).value;
        BOOST_TEST(std::isfinite(conjugate), part.text << " at z = " << z << ", y = " << y);
        // Fenchel-Young holds with equality at a gradient.
        BOOST_TEST(std::abs(value + conjugate - z * u) <= 1e-10 * (1.0 + std::abs(z * u) + value));
      }
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()
