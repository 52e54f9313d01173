// Losses and regularizers at the edges of double precision, against references in long double.
#include "plugin/registry.hpp"
#include "plugin/sample.hpp"

#include <fmt/format.h>

#include <boost/test/unit_test.hpp>
#include <cmath>
#include <limits>
#include <utility>

namespace {

using namespace fenchel;
using Parameters = std::vector<std::pair<std::string, double>>;

constexpr double kEpsilon = std::numeric_limits<double>::epsilon();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

const Registry& registry() {
  static const Registry found = Registry::scan({FENCHEL_PLUGIN_DIR});
  return found;
}

Component component(const std::string& name, const Parameters& parameters) {
  Component made;
  made.name = name;
  made.parameters.kind = Node::Kind::map;
  for (const auto& [key, value] : parameters) {
    Node scalar;
    scalar.kind = Node::Kind::scalar;
    scalar.scalar = fmt::format("{}", value);
    made.parameters.entries.emplace_back(key, scalar);
  }
  return made;
}

// One block of a scalar loss.
class Loss {
 public:
  explicit Loss(const std::string& id, const Parameters& parameters = {})
      : part_(registry().make_loss(component(id, parameters), nominal_shape())) {}

  double value(double z, double y) const { return call(part_.table->value, z, y); }
  double gradient(double z, double y) const { return call(part_.table->gradient, z, y); }
  double conjugate(double u, double y) const { return call(part_.table->conjugate, u, y); }
  double prox(double s, double t, double y) const {
    const fenchel_batch one = batch(y);
    double out = 0.0;
    BOOST_REQUIRE(part_.table->prox(part_.self, &one, &s, &t, &out) == FENCHEL_OK);
    return out;
  }

 private:
  static fenchel_batch batch(const double& y) {
    fenchel_batch one{};
    one.struct_size = sizeof one;
    one.count = 1;
    one.width = 1;
    one.targets = &y;
    one.target_width = 1;
    return one;
  }
  template <class Oracle>
  double call(Oracle oracle, double x, double y) const {
    const fenchel_batch one = batch(y);
    double out = 0.0;
    BOOST_REQUIRE(oracle(part_.self, &one, &x, &out) == FENCHEL_OK);
    return out;
  }

  LossPart part_;
};

// Equal up to a few units in the last place of the reference, or of `scale` where that is larger.
void expect_near(double found, long double reference, double scale = 0.0) {
  const auto slack = 4.0L * static_cast<long double>(kEpsilon) *
                     std::max(std::abs(reference), static_cast<long double>(scale));
  BOOST_TEST(std::abs(static_cast<long double>(found) - reference) <= slack,
             fmt::format("{:.17g} against {:.20g}", found, reference));
}

long double logistic_value(long double margin) {
  return std::log1p(std::exp(-std::abs(margin))) + std::max(0.0L, -margin);
}

// The root of x - m - t / (1 + exp(x)), by bisection of [m, m + t]. For x < 0 it is evaluated as
// x - (m + t) + t / (1 + exp(-x)), which does not cancel.
long double logistic_prox(long double m, long double t) {
  long double low = m;
  long double high = m + t;
  for (int k = 0; k < 300; ++k) {
    const long double x = 0.5L * (low + high);
    const long double h =
        x < 0.0L ? x - (m + t) + t / (1.0L + std::exp(-x)) : x - m - t / (1.0L + std::exp(x));
    (h < 0.0L ? low : high) = x;
  }
  return 0.5L * (low + high);
}

constexpr double kMargins[] = {-1e4,  -750.0, -709.0, -100.0, -37.0, -10.0, -1.0, -1e-3, -1e-9, 0.0,
                               1e-12, 1e-6,   0.3,    2.0,    18.0,  36.0,  40.0, 300.0, 700.0};

}  // namespace

BOOST_AUTO_TEST_SUITE(losses_at_the_edges)

BOOST_AUTO_TEST_CASE(the_logistic_loss_is_accurate_for_any_margin) {
  const Loss loss("logistic");
  for (const double y : {-1.0, 1.0}) {
    for (const double margin : kMargins) {
      const auto m = static_cast<long double>(margin);
      expect_near(loss.value(y * margin, y), logistic_value(m));
      expect_near(loss.gradient(y * margin, y),
                  -static_cast<long double>(y) / (1.0L + std::exp(m)));
    }
    BOOST_TEST(loss.value(y * 1e4, y) == 0.0);
    BOOST_TEST(loss.gradient(y * 1e4, y) == 0.0);
    BOOST_TEST(loss.value(-y * 1e4, y) == 1e4);
    BOOST_TEST(loss.gradient(-y * 1e4, y) == -y);
  }
}

BOOST_AUTO_TEST_CASE(the_logistic_conjugate_is_exact_at_the_ends_and_accurate_near_them) {
  const Loss loss("logistic");
  for (const double y : {-1.0, 1.0}) {
    BOOST_TEST(loss.conjugate(0.0, y) == 0.0);
    BOOST_TEST(loss.conjugate(-0.0, y) == 0.0);
    BOOST_TEST(loss.conjugate(-y, y) == 0.0);
    BOOST_TEST(loss.conjugate(y * 1e-300, y) == kInfinity);
    BOOST_TEST(loss.conjugate(-y * (1.0 + kEpsilon), y) == kInfinity);
    for (const double a :
         {1e-300, 1e-16, 1e-5, 0.1, 0.5, 0.9, 1.0 - 1e-5, 1.0 - 1e-12, 1.0 - kEpsilon}) {
      const auto x = static_cast<long double>(a);
      expect_near(loss.conjugate(-y * a, y), x * std::log(x) + (1.0L - x) * std::log1p(-x));
    }
  }
}

BOOST_AUTO_TEST_CASE(the_logistic_prox_is_accurate_for_any_step) {
  const Loss loss("logistic");
  for (const double y : {-1.0, 1.0}) {
    for (int exponent = -12; exponent <= 12; ++exponent) {
      const double t = std::pow(10.0, exponent);
      // Besides fixed margins, those where the root is near 0 and where it leaves 0.
      std::vector<double> margins(std::begin(kMargins), std::end(kMargins));
      for (const double share : {0.25, 0.5, 0.75, 0.999, 1.0}) margins.push_back(-share * t);
      for (const double margin : margins) {
        const double found = y * loss.prox(y * margin, t, y);
        // Rounding of the input alone moves the root by that much near a root of 0.
        const double scale = std::abs(margin) / (1.0 + 0.25 * t);
        expect_near(found,
                    logistic_prox(static_cast<long double>(margin), static_cast<long double>(t)),
                    scale);
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(a_tiny_step_moves_by_the_gradient_and_a_huge_one_to_the_minimum) {
  constexpr double kTiny = 1e-12;
  for (const char* id :
       {"squared", "hinge", "smooth-hinge", "squared-hinge", "huber", "logistic"}) {
    const Loss loss(id);
    for (const double y : {-1.0, 1.0}) {
      for (const double z : {-3.0, -0.25, 0.0, 0.25, 3.0}) {
        const double moved = z - kTiny * loss.gradient(z, y);
        BOOST_TEST(std::abs(loss.prox(z, kTiny, y) - moved) <= 4.0 * kEpsilon * std::abs(z) + 1e-22,
                   id << " at " << z);
        BOOST_TEST(loss.value(loss.prox(z, 1e12, y), y) <= 1e-9, id << " at " << z);
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(conjugates_end_where_the_slopes_end) {
  const Loss smooth("smooth-hinge", {{"gamma", 0.5}});
  BOOST_TEST(smooth.conjugate(-1.0, 1.0) == -0.75);
  BOOST_TEST(smooth.conjugate(0.0, 1.0) == 0.0);
  BOOST_TEST(smooth.conjugate(std::nextafter(-1.0, -2.0), 1.0) == kInfinity);
  BOOST_TEST(smooth.conjugate(1e-300, 1.0) == kInfinity);

  const Loss huber("huber", {{"delta", 2.0}});
  BOOST_TEST(huber.conjugate(2.0, 3.0) == 8.0);
  BOOST_TEST(huber.conjugate(-2.0, 3.0) == -4.0);
  BOOST_TEST(huber.conjugate(std::nextafter(2.0, 3.0), 3.0) == kInfinity);

  const Loss squared_hinge("squared-hinge");
  BOOST_TEST(squared_hinge.conjugate(-2.0, 1.0) == -1.0);
  BOOST_TEST(squared_hinge.conjugate(2.0, -1.0) == -1.0);
  BOOST_TEST(squared_hinge.conjugate(1e-300, 1.0) == kInfinity);
}

BOOST_AUTO_TEST_CASE(values_are_those_of_the_definitions) {
  const Loss smooth("smooth-hinge", {{"gamma", 0.5}});
  BOOST_TEST(smooth.value(1.5, 1.0) == 0.0);
  BOOST_TEST(smooth.value(0.75, 1.0) == 0.0625);  // 0.25² / (2 · 0.5)
  BOOST_TEST(smooth.value(0.5, 1.0) == 0.25);
  BOOST_TEST(smooth.value(2.0, -1.0) == 2.75);  // 3 − 0.5/2

  const Loss huber("huber", {{"delta", 2.0}});
  BOOST_TEST(huber.value(4.0, 3.0) == 0.5);
  BOOST_TEST(huber.value(5.0, 3.0) == 2.0);
  BOOST_TEST(huber.value(-3.0, 3.0) == 10.0);  // 2 (6 − 1)

  BOOST_TEST(Loss("squared-hinge").value(-1.0, 1.0) == 4.0);
  BOOST_TEST(Loss("squared").value(5.0, 2.0) == 4.5);
}

// smooth-hinge is the Moreau envelope of the hinge:  min_x hinge(x) + (x − z)²/(2γ).
BOOST_AUTO_TEST_CASE(smooth_hinge_is_the_hinge_smoothed_by_its_prox) {
  const Loss hinge("hinge");
  for (const double gamma : {0.01, 1.0, 30.0}) {
    const Loss smooth("smooth-hinge", {{"gamma", gamma}});
    for (const double y : {-1.0, 1.0}) {
      for (double z = -40.0; z <= 40.0; z += 0.37) {
        const double p = hinge.prox(z, gamma, y);
        const double envelope = hinge.value(p, y) + (p - z) * (p - z) / (2.0 * gamma);
        BOOST_TEST(std::abs(smooth.value(z, y) - envelope) <= 1e-13 * (1.0 + std::abs(z)));
        BOOST_TEST(std::abs(smooth.gradient(z, y) - (z - p) / gamma) <=
                   1e-14 * (1.0 + std::abs(z) / gamma));
      }
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(regularizers_at_the_edges)

BOOST_AUTO_TEST_CASE(elastic_net_without_a_part_is_the_other_part) {
  const auto facts = [](const Parameters& parameters, std::int32_t id) {
    return fact_of(
        registry().make_regularizer(component("elastic-net", parameters), nominal_shape()), id);
  };
  const Parameters norm_only{{"l1", 0.5}, {"l2", 0.0}};
  BOOST_TEST(facts(norm_only, FENCHEL_FACT_STRONG_CONVEXITY).state == FENCHEL_ABSENT);
  BOOST_TEST(facts(norm_only, FENCHEL_FACT_LIPSCHITZ).value == 0.5);
  BOOST_TEST(facts(norm_only, FENCHEL_FACT_LIPSCHITZ).norm == FENCHEL_NORM_L1);
  const Parameters square_only{{"l1", 0.0}, {"l2", 0.5}};
  BOOST_TEST(facts(square_only, FENCHEL_FACT_QUADRATIC).value == 0.5);
  BOOST_TEST(facts(square_only, FENCHEL_FACT_SMOOTHNESS).value == 0.5);
  BOOST_TEST(facts(square_only, FENCHEL_FACT_LIPSCHITZ).state == FENCHEL_ABSENT);
}

BOOST_AUTO_TEST_CASE(elastic_net_refuses_to_be_nothing) {
  const Component nothing = component("elastic-net", {{"l1", 0.0}, {"l2", 0.0}});
  BOOST_CHECK_EXCEPTION(registry().make_regularizer(nothing, nominal_shape()), Error,
                        [](const Error& error) {
                          return std::string(error.what()).find("both 0") != std::string::npos;
                        });
}

BOOST_AUTO_TEST_CASE(a_dual_is_scaled_into_the_domain_and_no_further) {
  const auto scale = [](const char* id, const Parameters& parameters, std::vector<double> v) {
    const RegularizerPart omega =
        registry().make_regularizer(component(id, parameters), nominal_shape());
    fenchel_coords coords{};
    coords.struct_size = sizeof coords;
    coords.count = static_cast<std::int64_t>(v.size());
    double s = -1.0;
    BOOST_REQUIRE(omega.table->dual_scale(omega.self, &coords, v.data(), &s) == FENCHEL_OK);
    return s;
  };
  BOOST_TEST(scale("none", {}, {0.0, 0.0}) == 1.0);
  BOOST_TEST(scale("none", {}, {0.0, 1e-9}) == 0.0);
  BOOST_TEST(scale("l2", {{"lambda", 1.0}}, {1e9, -1e9}) == 1.0);
  BOOST_TEST(scale("elastic-net", {{"l1", 1.0}, {"l2", 1e-9}}, {1e9, -1e9}) == 1.0);
  BOOST_TEST(scale("elastic-net", {{"l1", 1.0}, {"l2", 0.0}}, {0.5, -4.0}) == 0.25,
             boost::test_tools::tolerance(1e-14));
  BOOST_TEST(scale("elastic-net", {{"l1", 1.0}, {"l2", 0.0}}, {0.5, -1.0}) == 1.0);
}

BOOST_AUTO_TEST_SUITE_END()
