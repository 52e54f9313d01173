// The regularizers with a bounded domain: what the generic checks of every plugin do not say of
// them.
#include "base/error.hpp"
#include "calculus/rules/norms.hpp"
#include "plugin/registry.hpp"
#include "plugin/sample.hpp"

#include <fmt/format.h>

#include <boost/test/unit_test.hpp>
#include <cmath>
#include <numeric>
#include <random>
#include <utility>

namespace {

using namespace fenchel;
using Parameters = std::vector<std::pair<std::string, double>>;
using Vector = std::vector<double>;

const Registry& registry() {
  static const Registry found = Registry::scan({FENCHEL_PLUGIN_DIR});
  return found;
}

class Omega {
 public:
  Omega(const std::string& id, const Parameters& parameters, std::size_t d) : d_(d) {
    Component component;
    component.name = id;
    component.parameters.kind = Node::Kind::map;
    for (const auto& [key, value] : parameters) {
      Node scalar;
      scalar.kind = Node::Kind::scalar;
      scalar.scalar = fmt::format("{}", value);
      component.parameters.entries.emplace_back(key, scalar);
    }
    fenchel_shape shape = nominal_shape();
    shape.parameters = shape.features = static_cast<std::int64_t>(d);
    part_ = registry().make_regularizer(component, shape);
  }

  const RegularizerPart& part() const { return part_; }
  double value(const Vector& w) const { return number(part_.table->value, w); }
  double conjugate(const Vector& v) const { return number(part_.table->conjugate, v); }
  Vector conjugate_gradient(const Vector& v) const {
    Vector out(d_);
    const fenchel_coords c = coords();
    BOOST_REQUIRE(part_.table->conjugate_gradient(part_.self, &c, v.data(), out.data()) ==
                  FENCHEL_OK);
    return out;
  }
  Vector prox(const Vector& w, double t) const {
    Vector out(d_);
    const fenchel_coords c = coords();
    BOOST_REQUIRE(part_.table->prox(part_.self, &c, w.data(), t, out.data()) == FENCHEL_OK);
    return out;
  }
  const fenchel_mirror_oracle* mirror(const char* name = "mirror-step",
                                      std::uint32_t revision = 1) const {
    if (!part_.table->oracle) return nullptr;
    return static_cast<const fenchel_mirror_oracle*>(part_.table->oracle(name, revision));
  }
  Vector mirror_step(const Vector& p, double c, double a) const {
    Vector out(d_);
    BOOST_REQUIRE(mirror()->step(part_.self, static_cast<std::int64_t>(d_), p.data(), c, a,
                                 out.data()) == FENCHEL_OK);
    return out;
  }

 private:
  fenchel_coords coords() const {
    return {sizeof(fenchel_coords), 0, 0, static_cast<std::int64_t>(d_), nullptr};
  }
  double number(std::int32_t (*oracle)(const void*, const fenchel_coords*, const double*, double*),
                const Vector& x) const {
    const fenchel_coords c = coords();
    double out = std::nan("");
    BOOST_REQUIRE(oracle(part_.self, &c, x.data(), &out) == FENCHEL_OK);
    return out;
  }

  std::size_t d_;
  RegularizerPart part_;
};

Vector random_vector(std::mt19937_64& random, std::size_t n, double size) {
  std::normal_distribution<double> normal(0.0, size);
  Vector x(n);
  for (double& a : x) a = normal(random);
  return x;
}

void expect_refused(const std::string& id, const Parameters& parameters, const char* why) {
  BOOST_CHECK_EXCEPTION(Omega(id, parameters, 10), Error, [&](const Error& error) {
    return std::string(error.what()).find(why) != std::string::npos;
  });
}

}  // namespace

BOOST_AUTO_TEST_SUITE(geometry_regularizers)

BOOST_AUTO_TEST_CASE(a_hundred_thousand_weights_stay_inside_after_prox_and_mirror_step) {
  std::mt19937_64 random(1);
  constexpr std::size_t kMany = 100000;
  const std::pair<const char*, Parameters> cases[] = {
      {"simplex", {{"radius", 3.0}}},
      {"l2-ball", {{"radius", 0.7}}},
      {"elastic-net-ball", {{"gamma", 0.3}, {"radius", 2.0}}},
      {"entropy", {{"lambda", 0.01}}},
      {"entropy", {{"lambda", 0.01}, {"cap", 2e-5}}}};
  for (const auto& [id, parameters] : cases) {
    const Omega omega(id, parameters, kMany);
    for (const double size : {1e-6, 1.0, 1e6}) {
      const Vector w = random_vector(random, kMany, size);
      BOOST_TEST(std::isfinite(omega.value(omega.prox(w, 0.5))), id << " " << size);
      if (omega.mirror()) BOOST_TEST(std::isfinite(omega.value(omega.mirror_step(w, 1.0, 0.5))));
    }
  }
}

BOOST_AUTO_TEST_CASE(outside_the_domain_the_value_is_infinite) {
  BOOST_TEST(std::isinf(Omega("simplex", {}, 2).value({0.5, 0.5 + 1e-9})));
  BOOST_TEST(std::isinf(Omega("simplex", {}, 2).value({1.0 + 1e-9, -1e-9})));
  BOOST_TEST(Omega("simplex", {}, 2).value({1.0, 0.0}) == 0.0);
  BOOST_TEST(std::isinf(Omega("box", {{"lower", -1.0}, {"upper", 2.0}}, 2).value({2.0, -1.001})));
  BOOST_TEST(Omega("box", {{"lower", -1.0}, {"upper", 2.0}}, 2).value({2.0, -1.0}) == 0.0);
  BOOST_TEST(std::isinf(Omega("l2-ball", {{"radius", 5.0}}, 2).value({3.0, 4.00001})));
  BOOST_TEST(Omega("l2-ball", {{"radius", 5.0}}, 2).value({3.0, 4.0}) == 0.0);
  const Omega net("elastic-net-ball", {{"gamma", 2.0}, {"radius", 4.5}}, 2);
  BOOST_TEST(std::isinf(net.value({1.0, -0.9})));
  BOOST_TEST(net.value({1.0, -0.8}) == 0.0);
  const Omega capped("entropy", {{"lambda", 1.0}, {"cap", 0.6}}, 2);
  BOOST_TEST(std::isinf(capped.value({0.7, 0.3})));
  BOOST_TEST(std::abs(capped.value({0.6, 0.4}) - (0.6 * std::log(1.2) + 0.4 * std::log(0.8))) <=
             1e-15);
}

BOOST_AUTO_TEST_CASE(the_conjugate_of_entropy_is_a_soft_maximum) {
  std::mt19937_64 random(2);
  for (const double lambda : {0.01, 1.0, 50.0}) {
    const Omega omega("entropy", {{"lambda", lambda}}, 6);
    for (int trial = 0; trial < 100; ++trial) {
      const Vector v = random_vector(random, 6, 3.0);
      const double top = *std::max_element(v.begin(), v.end());
      double sum = 0.0;
      for (const double x : v) sum += std::exp((x - top) / lambda);
      const double expected = top + lambda * std::log(sum / 6.0);
      BOOST_TEST(std::abs(omega.conjugate(v) - expected) <= 1e-13 * (std::abs(top) + lambda));
    }
  }
}

// Example 5 of the AGM paper: Ω*(v) = min over β ≥ 0 of λ log((1/d) Σ exp((v − β)/λ)) + ν Σ β. No
// β may be below it, and the β that the cap implies attains it.
BOOST_AUTO_TEST_CASE(the_conjugate_of_capped_entropy_equals_the_minimum_over_multipliers) {
  std::mt19937_64 random(3);
  constexpr std::size_t d = 6;
  const double lambda = 0.7, cap = 0.25;
  const Omega omega("entropy", {{"lambda", lambda}, {"cap", cap}}, d);
  const auto bound = [&](const Vector& v, const Vector& beta) {
    double sum = 0.0, price = 0.0;
    for (std::size_t j = 0; j < d; ++j) {
      sum += std::exp((v[j] - beta[j]) / lambda) / static_cast<double>(d);
      price += cap * beta[j];
    }
    return lambda * std::log(sum) + price;
  };
  for (int trial = 0; trial < 300; ++trial) {
    const Vector v = random_vector(random, d, 2.0);
    const Vector w = omega.conjugate_gradient(v);
    // Off the cap v − λ log w is one number; β is what exceeds it at the cap.
    double level = 0.0;
    for (std::size_t j = 0; j < d; ++j)
      if (w[j] < cap * (1.0 - 1e-12)) level = v[j] - lambda * std::log(w[j]);
    Vector beta(d, 0.0);
    for (std::size_t j = 0; j < d; ++j)
      if (w[j] >= cap * (1.0 - 1e-12))
        beta[j] = std::max(0.0, v[j] - lambda * std::log(cap) - level);
    BOOST_TEST(std::abs(omega.conjugate(v) - bound(v, beta)) <= 1e-12);
    for (double& b : beta) b = std::max(0.0, b + random_vector(random, 1, 0.3)[0]);
    BOOST_TEST(omega.conjugate(v) <= bound(v, beta) + 1e-12);
  }
}

BOOST_AUTO_TEST_CASE(the_mirror_step_of_entropy_adds_its_weight_to_the_distance) {
  std::mt19937_64 random(4);
  const Omega half("entropy", {{"lambda", 0.5}, {"cap", 0.3}}, 8);
  const Omega two("entropy", {{"lambda", 2.0}, {"cap", 0.3}}, 8);
  const Vector p = random_vector(random, 8, 2.0);
  Vector v = p;
  for (double& x : v) x = -x;
  const Vector expected = two.conjugate_gradient(v), found = half.mirror_step(p, 1.0, 2.0);
  for (std::size_t j = 0; j < 8; ++j) BOOST_TEST(std::abs(found[j] - expected[j]) <= 1e-15);
}

BOOST_AUTO_TEST_CASE(the_mirror_step_of_the_simplex_is_a_softmax_of_its_radius) {
  const Omega omega("simplex", {{"radius", 2.0}}, 3);
  const Vector x = omega.mirror_step({0.0, std::log(2.0), std::log(4.0)}, 1.0, 7.0);
  for (std::size_t j = 0; j < 3; ++j)
    BOOST_TEST(std::abs(x[j] - 2.0 * (4.0 / std::exp2(double(j))) / 7.0) <= 1e-15);
}

BOOST_AUTO_TEST_CASE(only_who_has_a_mirror_step_serves_it_and_only_by_its_name) {
  BOOST_TEST(Omega("simplex", {}, 3).mirror() != nullptr);
  BOOST_TEST(Omega("entropy", {{"lambda", 1.0}}, 3).mirror() != nullptr);
  BOOST_TEST(Omega("entropy", {{"lambda", 1.0}}, 3).mirror()->distance == FENCHEL_DISTANCE_ENTROPY);
  BOOST_TEST(Omega("simplex", {}, 3).mirror("mirror-step", 2) == nullptr);
  BOOST_TEST(Omega("simplex", {}, 3).mirror("mirror", 1) == nullptr);
  BOOST_TEST(Omega("l2", {{"lambda", 1.0}}, 3).mirror() == nullptr);
  BOOST_TEST(Omega("l2-ball", {{"radius", 1.0}}, 3).mirror() == nullptr);
}

BOOST_AUTO_TEST_CASE(entropy_states_its_constants_in_l1_and_the_calculus_converts_them) {
  const Omega omega("entropy", {{"lambda", 0.3}}, 10);
  const fenchel_fact mu = fact_of(omega.part(), FENCHEL_FACT_STRONG_CONVEXITY);
  BOOST_TEST(mu.value == 0.3);
  BOOST_TEST(mu.norm == FENCHEL_NORM_L1);
  const Facts euclidean = rules::to_l2(facts_of(omega.part()), 10);
  BOOST_TEST(euclidean.get(FENCHEL_FACT_STRONG_CONVEXITY).value() == 0.3, "|x|_1 >= |x|_2");
  BOOST_TEST(euclidean.get(FENCHEL_FACT_DOMAIN_RADIUS).value() == 1.0);
  const Omega box("box", {{"lower", -3.0}, {"upper", 2.0}}, 4);
  const Facts of_box = rules::to_l2(facts_of(box.part()), 4);
  BOOST_TEST(of_box.get(FENCHEL_FACT_DOMAIN_RADIUS).value() == 6.0, "3 sqrt(4)");
}

BOOST_AUTO_TEST_CASE(what_would_be_empty_is_refused) {
  expect_refused("box", {{"lower", 1.0}, {"upper", 0.0}}, "lower is above upper");
  expect_refused("entropy", {{"lambda", 1.0}, {"cap", 0.05}}, "cap is below 1/10");
  BOOST_TEST(Omega("entropy", {{"lambda", 1.0}, {"cap", 0.1}}, 10).value(Vector(10, 0.1)) <= 1e-15);
}

BOOST_AUTO_TEST_SUITE_END()
