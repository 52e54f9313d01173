// The rules of the calculus against functions whose values are at hand: what a rule derives is
// never violated, and a rule claims no more than its head comment proves.
#include "calculus/rules/blocks.hpp"
#include "calculus/rules/composition.hpp"
#include "calculus/rules/conjugation.hpp"
#include "calculus/rules/norms.hpp"
#include "calculus/rules/scaling.hpp"
#include "calculus/rules/smoothing.hpp"
#include "calculus/rules/sum.hpp"
#include "rules_support.hpp"

#include <boost/test/unit_test.hpp>

namespace {
using namespace fenchel;
using namespace fenchel::rules_support;

constexpr auto kStrong = FENCHEL_FACT_STRONG_CONVEXITY;
constexpr int kRounds = 40;

bool same_state(const Facts& a, const Facts& b, std::int32_t id) {
  return a.get(id).fact.state == b.get(id).fact.state;
}

// One fact alone, all others unknown.
Facts only(std::int32_t id, const Derived& fact) {
  Facts facts;
  facts.set(id, fact);
  return facts;
}

const std::vector<std::int32_t> kConstants = {FENCHEL_FACT_CONVEX,      FENCHEL_FACT_LIPSCHITZ,
                                              FENCHEL_FACT_SMOOTHNESS,  kStrong,
                                              FENCHEL_FACT_DUAL_RADIUS, FENCHEL_FACT_DOMAIN_RADIUS,
                                              FENCHEL_FACT_SEPARABLE,   FENCHEL_FACT_QUADRATIC,
                                              FENCHEL_FACT_LOWER_BOUND, FENCHEL_FACT_GROWTH};

void expect_nothing_claimed(const Facts& facts, std::int32_t id) {
  BOOST_TEST((facts.get(id).fact.state == FENCHEL_UNKNOWN), "fact " << id);
}

Function plus(const Function& f, const Function& g) {
  return {f.dim, [f, g](const Vector& x) { return f.value(x) + g.value(x); },
          rules::sum(rules::to_l2(f.facts, f.dim), rules::to_l2(g.facts, g.dim))};
}

Function stacked(const Function& f, const Function& g) {
  return {f.dim + g.dim,
          [f, g](const Vector& x) { return f.value(x.head(f.dim)) + g.value(x.tail(g.dim)); },
          rules::blocks({rules::to_l2(f.facts, f.dim), rules::to_l2(g.facts, g.dim)})};
}

}  // namespace

BOOST_AUTO_TEST_SUITE(calculus_rules)

// Without this the other tests could hold because nothing is ever sampled.
BOOST_AUTO_TEST_CASE(sampling_sees_a_constant_that_is_one_per_cent_too_good) {
  Random random(1);
  for (const std::int32_t id : {FENCHEL_FACT_SMOOTHNESS, kStrong}) {
    Function f = euclidean(3, 2.0);
    BOOST_TEST(violation(f, random) == "");
    f.facts.set(id, known_fact(id == kStrong ? 2.02 : 1.98, "a lie"));
    BOOST_TEST(violation(f, random) != "");
  }
  Function f = absolute(1, 2.0);
  for (const std::int32_t id : {FENCHEL_FACT_LIPSCHITZ, FENCHEL_FACT_GROWTH}) {
    Function g = f;
    g.facts.set(id, known_fact(id == FENCHEL_FACT_GROWTH ? 2.02 : 1.98, "a lie"));
    BOOST_TEST(violation(g, random) != "");
  }
}

BOOST_AUTO_TEST_CASE(from_any_norm_to_l2_every_constant_still_holds) {
  Random random(2);
  for (int k = 0; k < kRounds; ++k) {
    for (Function f : atoms(1 + k % 5, random)) {
      BOOST_TEST(violation(f, random) == "");
      const Facts before = f.facts;
      f.facts = rules::to_l2(f.facts, f.dim);
      BOOST_TEST(violation(f, random) == "");
      for (const std::int32_t id : kConstants) {
        BOOST_TEST(f.facts.get(id).fact.norm == FENCHEL_NORM_L2);
        BOOST_TEST(same_state(before, f.facts, id));
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(a_multiple_has_the_multiplied_constants) {
  Random random(3);
  for (int k = 0; k < kRounds; ++k) {
    for (const Function& f : atoms(1 + k % 4, random)) {
      const double low = random.log_uniform(-2.0, 2.0), high = low * random.log_uniform(0.0, 1.0);
      for (const double c : {low, high, std::sqrt(low * high)}) {
        const auto value = [f, c](const Vector& x) { return c * f.value(x); };
        BOOST_TEST(violation({f.dim, value, rules::scaled(f.facts, c)}, random) == "");
        BOOST_TEST(violation({f.dim, value, rules::scaled(f.facts, low, high)}, random) == "");
      }
      for (const std::int32_t id : kConstants)
        BOOST_TEST(same_state(f.facts, rules::scaled(f.facts, low), id));
    }
  }
  const Facts negative = only(FENCHEL_FACT_LOWER_BOUND, known_fact(-2.0, ""));
  BOOST_TEST(rules::scaled(negative, 1.0, 3.0).get(FENCHEL_FACT_LOWER_BOUND).value() == -6.0);
  for (const std::int32_t id : kConstants) expect_nothing_claimed(rules::scaled({}, 2.0), id);
}

BOOST_AUTO_TEST_CASE(a_sum_keeps_to_its_constants) {
  Random random(4);
  for (int k = 0; k < kRounds; ++k) {
    const std::vector<Function> list = atoms(1 + k % 4, random);
    for (const Function& f : list)
      for (const Function& g : list) {
        const Function h = plus(f, g);
        BOOST_TEST(violation(h, random) == "");
        const bool both_strong = f.facts.get(kStrong).known() || g.facts.get(kStrong).known();
        BOOST_TEST(h.facts.get(kStrong).known() == both_strong);
        if (f.facts.get(FENCHEL_FACT_SMOOTHNESS).absent())
          BOOST_TEST(h.facts.get(FENCHEL_FACT_SMOOTHNESS).absent());
      }
  }
}

BOOST_AUTO_TEST_CASE(a_sum_claims_nothing_that_its_terms_do_not_prove) {
  Random random(5);
  const Facts quadratic = euclidean(2, 1.0).facts;
  for (const std::int32_t id : kConstants) {
    if (id == kStrong) continue;  // one strongly convex term is enough, the other being convex
    Facts other = quadratic;
    other.set(id, unknown_fact(""));
    // A smooth function is finite everywhere, whatever is said of its domain.
    if (id == FENCHEL_FACT_DOMAIN_RADIUS) other.set(FENCHEL_FACT_SMOOTHNESS, unknown_fact(""));
    expect_nothing_claimed(rules::sum(quadratic, other), id);
    expect_nothing_claimed(rules::sum(other, quadratic), id);
  }
  const Facts rough = only(kStrong, unknown_fact(""));  // not known to be convex
  expect_nothing_claimed(rules::sum(quadratic, rough), kStrong);
  // Half lines are unbounded, and their intersection is not.
  Facts half = only(FENCHEL_FACT_DOMAIN_RADIUS, absent_fact("half a line"));
  expect_nothing_claimed(rules::sum(half, half), FENCHEL_FACT_DOMAIN_RADIUS);
  // 0 is no quadratic by itself, and q/2 |w|^2 + 0 is one.
  const Facts zero = only(FENCHEL_FACT_QUADRATIC, absent_fact("the zero function"));
  BOOST_TEST(!rules::sum(quadratic, zero).get(FENCHEL_FACT_QUADRATIC).absent());
  BOOST_TEST(rules::sum(quadratic, quadratic).get(FENCHEL_FACT_QUADRATIC).value() == 2.0);
  BOOST_TEST(rules::sum(box(2, 1.0).facts, quadratic).get(FENCHEL_FACT_DOMAIN_RADIUS).known());
}

BOOST_AUTO_TEST_CASE(blocks_keep_to_their_constants) {
  Random random(6);
  for (int k = 0; k < kRounds; ++k) {
    const std::vector<Function> left = atoms(1 + k % 3, random), right = atoms(2, random);
    for (const Function& f : left)
      for (const Function& g : right) {
        const Function h = stacked(f, g);
        BOOST_TEST(violation(h, random) == "");
        for (const std::int32_t id : {FENCHEL_FACT_LIPSCHITZ, FENCHEL_FACT_SMOOTHNESS, kStrong,
                                      FENCHEL_FACT_DOMAIN_RADIUS}) {
          const Derived a = f.facts.get(id), b = g.facts.get(id), c = h.facts.get(id);
          BOOST_TEST(c.known() == (a.known() && b.known()));
          BOOST_TEST(c.absent() == (a.absent() || b.absent()));
        }
      }
  }
}

BOOST_AUTO_TEST_CASE(blocks_claim_nothing_that_one_of_them_leaves_open) {
  const Facts quadratic = euclidean(2, 1.0).facts;
  for (const std::int32_t id : kConstants) {
    Facts other = quadratic;
    other.set(id, unknown_fact(""));
    if (quadratic.get(id).absent()) continue;  // absent in one block is absent in all
    expect_nothing_claimed(rules::blocks({quadratic, other}), id);
    expect_nothing_claimed(rules::blocks({other, quadratic}), id);
  }
  const Facts twice = euclidean(2, 2.0).facts;
  BOOST_TEST(rules::blocks({quadratic, quadratic}).get(FENCHEL_FACT_QUADRATIC).value() == 1.0);
  BOOST_TEST(rules::blocks({quadratic, twice}).get(FENCHEL_FACT_QUADRATIC).absent());
}

BOOST_AUTO_TEST_CASE(a_moreau_envelope_keeps_to_its_constants) {
  Random random(7);
  for (int k = 0; k < 200; ++k) {
    const double gamma = random.log_uniform(-2.0, 2.0), a = random.log_uniform(-1.0, 1.0);
    const Eigen::MatrixXd q = semidefinite(3, random);
    const Function f = quadratic(q);
    const Eigen::MatrixXd inner = Eigen::MatrixXd::Identity(3, 3) + gamma * q;
    const Function smooth = quadratic(q * inner.inverse());
    BOOST_TEST(violation({3, smooth.value, rules::smoothed(f.facts, gamma)}, random) == "");
    BOOST_TEST(rules::smoothed(f.facts, gamma).get(FENCHEL_FACT_SMOOTHNESS).value() ==
                   smooth.facts.get(FENCHEL_FACT_SMOOTHNESS).value(),
               boost::test_tools::tolerance(1e-9));
    // a|x| becomes the Huber function of width aγ; that of width δ and slope a, one of δ + aγ.
    const Facts kink = rules::smoothed(absolute(1, a).facts, gamma);
    BOOST_TEST(violation({1, huber(1, a, a * gamma).value, kink}, random) == "");
    const Function wide = huber(1, a, a * gamma + 0.7);
    BOOST_TEST(violation({1, wide.value, rules::smoothed(huber(1, a, 0.7).facts, gamma)}, random) ==
               "");
    const Vector far = Vector::Constant(1, 5.0 * a * gamma);
    BOOST_TEST(absolute(1, a).value(far) - huber(1, a, a * gamma).value(far) <=
               rules::smoothing_error(gamma, a) * (1.0 + 1e-9));
  }
  const Facts convex = only(FENCHEL_FACT_CONVEX, known_fact(1.0, ""));
  BOOST_TEST(rules::smoothed(convex, 0.5).get(FENCHEL_FACT_SMOOTHNESS).value() == 2.0);
  for (const std::int32_t id : {FENCHEL_FACT_LIPSCHITZ, kStrong, FENCHEL_FACT_LOWER_BOUND})
    expect_nothing_claimed(rules::smoothed(convex, 0.5), id);
  for (const std::int32_t id : kConstants) expect_nothing_claimed(rules::smoothed({}, 0.5), id);
}

BOOST_AUTO_TEST_CASE(a_conjugate_keeps_to_its_constants) {
  Random random(8);
  for (int k = 0; k < 200; ++k) {
    const double a = random.log_uniform(-1.0, 1.0), delta = random.log_uniform(-1.0, 1.0);
    const Eigen::MatrixXd q = semidefinite(3, random) + 0.1 * Eigen::MatrixXd::Identity(3, 3);
    BOOST_TEST(violation({3, quadratic(q.inverse()).value, rules::conjugate(quadratic(q).facts)},
                         random) == "");
    BOOST_TEST(violation({2, box(2, a).value, rules::conjugate(absolute(2, a).facts)}, random) ==
               "");
    // The conjugate of the indicator of the box is a‖·‖₁.
    BOOST_TEST(violation({2, absolute(2, a).value, rules::conjugate(box(2, a).facts)}, random) ==
               "");
    const auto value = [a, delta](const Vector& u) {
      return box(2, a).value(u) + 0.5 * delta / a * u.squaredNorm();
    };
    BOOST_TEST(violation({2, value, rules::conjugate(huber(2, a, delta).facts)}, random) == "");
  }
  const Facts dual = rules::conjugate(absolute(2, 1.0).facts);
  BOOST_TEST(dual.get(FENCHEL_FACT_DOMAIN_RADIUS).fact.norm == FENCHEL_NORM_LINF);
  BOOST_TEST(dual.get(kStrong).absent());
  BOOST_TEST(dual.get(FENCHEL_FACT_SMOOTHNESS).absent());
  for (const std::int32_t id : kConstants) {
    if (id == FENCHEL_FACT_CONVEX) continue;  // every conjugate is
    Facts rough = absolute(2, 1.0).facts;
    rough.set(FENCHEL_FACT_CONVEX, unknown_fact(""));
    expect_nothing_claimed(rules::conjugate(rough), id);
  }
}

BOOST_AUTO_TEST_CASE(a_composition_with_a_matrix_keeps_to_its_constants) {
  Random random(9);
  for (int k = 0; k < 200; ++k) {
    const Eigen::Index n = 1 + k % 6, d = 1 + k % 4;
    Eigen::MatrixXd a(n, d);
    for (double& entry : a.reshaped()) entry = random.normal();
    const double count = static_cast<double>(n), slope = random.log_uniform(-1.0, 1.0);
    const Function f = huber(1, slope, random.log_uniform(-1.0, 0.5));
    const double norm = a.jacobiSvd().singularValues().maxCoeff();
    Function risk{d,
                  [a, f, count](const Vector& w) {
                    double sum = 0.0;
                    for (const double z : Vector(a * w)) sum += f.value(Vector::Constant(1, z));
                    return sum / count;
                  },
                  {}};
    risk.facts.set(FENCHEL_FACT_SMOOTHNESS,
                   rules::composed_smoothness(f.facts.get(FENCHEL_FACT_SMOOTHNESS),
                                              known_fact(norm * norm, "singular values"), count));
    risk.facts.set(
        FENCHEL_FACT_LIPSCHITZ,
        rules::composed_lipschitz(f.facts.get(FENCHEL_FACT_LIPSCHITZ), a.rowwise().norm().mean()));
    BOOST_TEST(violation(risk, random) == "");
    BOOST_TEST(rules::composed_strong_convexity(n, d).absent() == (n < d));
    BOOST_TEST(!rules::composed_strong_convexity(n, d).known());
  }
  const Derived one = known_fact(1.0, ""), none = absent_fact(""), open = unknown_fact("");
  BOOST_TEST(rules::composed_smoothness(none, one, 2.0).absent());
  BOOST_TEST((rules::composed_smoothness(open, one, 2.0).fact.state == FENCHEL_UNKNOWN));
  BOOST_TEST((rules::composed_smoothness(one, open, 2.0).fact.state == FENCHEL_UNKNOWN));
  BOOST_TEST(rules::composed_lipschitz(none, 1.0).absent());
  BOOST_TEST((rules::composed_lipschitz(open, 1.0).fact.state == FENCHEL_UNKNOWN));
}

BOOST_AUTO_TEST_SUITE_END()
