// Parts made from parts keep the promises of parts: every combinator over every plugin that is
// found, held against its definition by the checks that plugins are held against.
#include "calculus/combinators.hpp"
#include "calculus/facts.hpp"
#include "plugin/registry.hpp"
#include "plugin/sample.hpp"
#include "plugin/verify.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

namespace {
using namespace fenchel;

const Registry& registry() {
  static const Registry found = Registry::scan({FENCHEL_PLUGIN_DIR});
  return found;
}

constexpr std::int64_t kDimension = 10;

// As many blocks as the checks number at most: a weighted loss has a factor for each.
fenchel_shape shape() {
  fenchel_shape made = nominal_shape();
  made.blocks = 40;
  made.widest_block = made.outputs * (3 + made.outputs);  // sequences of three positions
  return made;
}

class Random {
 public:
  explicit Random(std::uint64_t seed) : engine_(seed) {}
  double uniform(double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(engine_);
  }
  double factor() { return std::pow(10.0, uniform(-0.5, 0.5)); }
  std::vector<double> factors(std::int64_t count) {
    std::vector<double> list(static_cast<std::size_t>(count));
    std::generate(list.begin(), list.end(), [&] { return factor(); });
    return list;
  }
  std::vector<double> vector(double size) {
    std::vector<double> list(kDimension);
    std::generate(list.begin(), list.end(), [&] { return uniform(-size, size); });
    return list;
  }

 private:
  std::mt19937_64 engine_;
};

void expect_all(const std::string& part, const std::vector<Finding>& findings) {
  BOOST_TEST(findings.size() > 10U, part << " was hardly checked");
  for (const Finding& finding : findings)
    BOOST_TEST(finding.passed, part << ": " << finding.check << ": " << finding.detail);
}
void expect_all(const LossPart& loss) { expect_all(loss.text, verify_loss(loss, shape(), 7)); }
// Two checks bring a dual into the domain by one multiple for all coordinates, and search for a
// supremum over all of them at once: where blocks differ in size, these see rounding as a fault.
void expect_all(const RegularizerPart& omega, bool mixed = false) {
  std::vector<Finding> findings = verify_regularizer(omega, shape(), 7);
  if (mixed)
    std::erase_if(findings,
                  [](const Finding& f) { return f.check == "moreau" || f.check == "conjugate"; });
  expect_all(omega.text, findings);
}

template <class Make>
auto found(std::int32_t kind, Make&& make) {
  std::vector<decltype(make(std::declval<const Plugin&>()))> parts;
  for (const Plugin& plugin : registry().plugins())
    if (plugin.card->kind == kind) parts.push_back(make(plugin));
  BOOST_TEST_REQUIRE(!parts.empty());
  return parts;
}
std::vector<LossPart> losses() {
  return found(FENCHEL_KIND_LOSS, [](const Plugin& plugin) {
    return registry().make_loss(sample_of(*plugin.card).component, shape());
  });
}
RegularizerPart make_for(const Plugin& plugin, std::int64_t dimension) {
  fenchel_shape seen = shape();
  seen.parameters = dimension;
  return registry().make_regularizer(sample_of(*plugin.card).component, seen);
}
std::vector<RegularizerPart> regularizers(std::int64_t dimension = kDimension) {
  return found(FENCHEL_KIND_REGULARIZER,
               [=](const Plugin& plugin) { return make_for(plugin, dimension); });
}

RegularizerPart ridge(double lambda) {
  const Plugin* l2 = registry().find(FENCHEL_KIND_REGULARIZER, "l2");
  BOOST_TEST_REQUIRE(l2);
  return scaled(make_for(*l2, kDimension), lambda);
}

// Coordinates k, k + step, k + 2 step …
std::vector<std::int32_t> every(std::int32_t first, std::int32_t step, std::int32_t end) {
  std::vector<std::int32_t> list;
  for (std::int32_t j = first; j < end; j += step) list.push_back(j);
  return list;
}

bool known(const RegularizerPart& part, std::int32_t id) {
  return fact_of(part, id).state == FENCHEL_KNOWN;
}

fenchel_coords all(std::size_t count) {
  return {sizeof(fenchel_coords), 0, 0, static_cast<std::int64_t>(count), nullptr};
}

// Every oracle of the whole against those of its parts.
void expect_sum_of_blocks(const std::vector<RegularizerBlock>& list, Random& random) {
  const RegularizerPart whole = blocks(list, kDimension);
  const fenchel_coords everything = all(kDimension);
  for (int k = 0; k < 50; ++k) {
    const std::vector<double> w = random.vector(3.0);
    const double step = random.factor();
    double value = 0.0, conjugate = 0.0, value_sum = 0.0, conjugate_sum = 0.0;
    std::vector<double> prox(w.size());
    whole.table->value(whole.self, &everything, w.data(), &value);
    whole.table->conjugate(whole.self, &everything, w.data(), &conjugate);
    whole.table->prox(whole.self, &everything, w.data(), step, prox.data());
    for (const RegularizerBlock& block : list) {
      std::vector<double> x;
      for (const std::int32_t j : block.coordinates) x.push_back(w[static_cast<std::size_t>(j)]);
      const fenchel_coords coords = all(x.size());
      const RegularizerPart& part = block.part;
      double one = 0.0;
      part.table->value(part.self, &coords, x.data(), &one);
      value_sum += one;
      part.table->conjugate(part.self, &coords, x.data(), &one);
      conjugate_sum += one;
      part.table->prox(part.self, &coords, x.data(), step, x.data());
      for (std::size_t i = 0; i < x.size(); ++i)
        BOOST_TEST(prox[static_cast<std::size_t>(block.coordinates[i])] == x[i]);
    }
    BOOST_TEST(value == value_sum, boost::test_tools::tolerance(1e-13));
    if (std::isinf(conjugate_sum))
      BOOST_TEST(conjugate == conjugate_sum);
    else
      BOOST_TEST(conjugate == conjugate_sum, boost::test_tools::tolerance(1e-13));
  }
}

}  // namespace

BOOST_AUTO_TEST_SUITE(combinators_keep_the_promises_of_parts)

BOOST_AUTO_TEST_CASE(smoothed_losses) {
  for (const LossPart& loss : losses()) {
    if (!loss.table->prox) continue;
    for (const double gamma : {0.03, 0.5, 1.0, 20.0}) expect_all(smoothed(loss, gamma));
  }
}

BOOST_AUTO_TEST_CASE(scaled_and_weighted_losses) {
  Random random(1);
  for (const LossPart& loss : losses()) {
    for (const double factor : {0.02, 1.0 / 3.0, 49.0}) expect_all(scaled(loss, factor));
    for (int k = 0; k < 5; ++k)
      expect_all(weighted(loss, random.factors(shape().blocks), "random"));
  }
}

BOOST_AUTO_TEST_CASE(nested_losses) {
  Random random(2);
  for (const LossPart& loss : losses()) {
    if (!loss.table->prox) continue;
    expect_all(smoothed(scaled(loss, random.factor()), random.factor()));
    expect_all(scaled(smoothed(loss, random.factor()), random.factor()));
    expect_all(weighted(smoothed(scaled(loss, random.factor()), random.factor()),
                        random.factors(shape().blocks), "random"));
    expect_all(smoothed(
        weighted(smoothed(loss, random.factor()), random.factors(shape().blocks), "random"),
        random.factor()));
  }
}

BOOST_AUTO_TEST_CASE(scaled_shifted_and_tilted_regularizers) {
  Random random(3);
  for (const RegularizerPart& omega : regularizers()) {
    for (const double factor : {0.02, 1.0 / 3.0, 49.0}) expect_all(scaled(omega, factor));
    expect_all(scaled(scaled(scaled(omega, random.factor()), random.factor()), random.factor()));
    for (int k = 0; k < 3; ++k) {
      expect_all(shifted(omega, random.vector(1e-3)));
      expect_all(shifted(scaled(omega, random.factor()), random.vector(1e-3)));
      // The dual of a constant under a slope is one point, which no multiple of v meets.
      if (fact_of(omega, FENCHEL_FACT_LIPSCHITZ).value == 0.0 &&
          known(omega, FENCHEL_FACT_LIPSCHITZ))
        continue;
      expect_all(with_linear_term(omega, random.vector(0.3)));
      expect_all(scaled(with_linear_term(shifted(omega, random.vector(1e-3)), random.vector(0.3)),
                        random.factor()));
    }
  }
}

BOOST_AUTO_TEST_CASE(sums_with_a_quadratic) {
  Random random(4);
  for (const RegularizerPart& omega : regularizers()) {
    for (const double lambda : {0.05, 3.0}) {
      for (const RegularizerPart& made :
           {sum({omega, ridge(lambda)}, kDimension), sum({ridge(lambda), omega}, kDimension),
            with_ridge(omega, lambda, kDimension),
            sum({ridge(lambda), scaled(omega, random.factor()), ridge(1.0)}, kDimension),
            with_ridge(shifted(omega, random.vector(1e-3)), lambda, kDimension),
            with_ridge(with_linear_term(omega, random.vector(1e-3)), lambda, kDimension)}) {
        BOOST_TEST(made.table->prox);
        BOOST_TEST(made.table->conjugate);
        BOOST_TEST(made.table->conjugate_gradient);
        BOOST_TEST(fact_of(made, FENCHEL_FACT_STRONG_CONVEXITY).value >= lambda);
        expect_all(made);
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(a_sum_without_closed_form_has_a_value_and_facts_only) {
  const Plugin* l1 = registry().find(FENCHEL_KIND_REGULARIZER, "l1");
  BOOST_TEST_REQUIRE(l1);
  const RegularizerPart omega =
      shifted(make_for(*l1, kDimension), std::vector<double>(kDimension, 0.5));
  const RegularizerPart made = sum({omega, make_for(*l1, kDimension)}, kDimension);
  BOOST_TEST(!made.table->prox);
  BOOST_TEST(!made.table->conjugate);
  BOOST_TEST(known(made, FENCHEL_FACT_LIPSCHITZ));
  expect_all(made);
}

BOOST_AUTO_TEST_CASE(blocks_of_regularizers) {
  Random random(5);
  const std::vector<RegularizerPart> five = regularizers(5), three = regularizers(3);
  for (std::size_t a = 0; a < five.size(); ++a) {
    for (std::size_t b = 0; b < five.size(); ++b) {
      const std::vector<RegularizerBlock> halves = {{five[a], every(0, 1, 5), "0..4"},
                                                    {five[b], every(5, 1, 10), "5..9"}};
      const std::vector<RegularizerBlock> mixed = {{scaled(five[a], 0.3), every(0, 2, 10), "even"},
                                                   {five[b], every(1, 2, 10), "odd"}};
      expect_all(blocks(halves, kDimension), a != b);
      expect_all(blocks(mixed, kDimension), a != b);
      expect_sum_of_blocks(halves, random);
      expect_sum_of_blocks(mixed, random);
    }
    const std::vector<RegularizerBlock> list = {{five[a], every(0, 2, 10), "even"},
                                                {zero(), {1, 5}, "1, 5"},
                                                {three[a], {3, 7, 9}, "3, 7, 9"}};
    const RegularizerPart some_free = blocks(list, kDimension);
    expect_sum_of_blocks(list, random);
    expect_all(some_free, true);
    expect_all(with_ridge(some_free, 0.7, kDimension));
    expect_all(scaled(shifted(some_free, random.vector(1e-3)), 3.0), true);
    expect_all(with_free_bias(regularizers(9)[a], 9), true);
  }
}

BOOST_AUTO_TEST_CASE(parameters_that_no_regularizer_sees_stay_known_through_combinators) {
  const Plugin* l1 = registry().find(FENCHEL_KIND_REGULARIZER, "l1");
  BOOST_TEST_REQUIRE(l1);
  const RegularizerPart mixed =
      blocks({{make_for(*l1, 8), every(0, 1, 8), "0..7"}, {zero(), {8, 9}, "8..9"}}, kDimension);
  using List = std::vector<std::int32_t>;
  BOOST_TEST((free_parameters(mixed, kDimension) == List{8, 9}));
  BOOST_TEST((free_parameters(scaled(mixed, 2.0), kDimension) == List{8, 9}));
  std::vector<double> some(kDimension, 0.0);
  some[2] = some[8] = 0.1;
  BOOST_TEST((free_parameters(shifted(mixed, some), kDimension) == List{8, 9}));
  BOOST_TEST((free_parameters(with_linear_term(mixed, some), kDimension) == List{9}));
  BOOST_TEST(free_parameters(with_ridge(mixed, 1.0, kDimension), kDimension).empty());
  BOOST_TEST(free_parameters(scaled(zero(), 2.0), kDimension).size() == 10U);
}

BOOST_AUTO_TEST_SUITE_END()
