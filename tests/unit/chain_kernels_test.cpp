// The recursions on chains against the sum, or the maximum, over all labellings.
#include "chain_support.hpp"

#include <fenchel/kernels/chain_marginals.hpp>

namespace {
using namespace chain_support;
using kernels::ChainMargin;
using kernels::ChainMethod;
using kernels::ChainRules;
using kernels::SoftChain;

struct Soft {
  double value = 0.0;
  bool logarithms = false;
  Vector marginals, edges;

  Soft(const Case& c, double mu, double margin, ChainMethod method = ChainMethod::automatic) {
    const kernels::ChainBlock block = c.block();
    const ChainRules rules(c.mask(), c.labels);
    Vector room(kernels::chain_scratch(c.length, c.labels));
    SoftChain chain(block, rules, {c.y, margin}, mu, room, method);
    value = chain.value();
    marginals.resize(c.z.size());
    edges.resize((c.length - 1) * c.labels * c.labels);
    chain.marginals(marginals.data(), edges.data());
    logarithms = chain.used_logarithms();
  }
};

}  // namespace

BOOST_AUTO_TEST_SUITE(chain_kernels)

BOOST_AUTO_TEST_CASE(viterbi_finds_the_best_of_all_labellings) {
  for (const double margin : {0.0, 1.0, 0.3})
    over_cases(1, 2.0, [margin](Case& c) {
      const BruteForce brute(c, 0.0, margin);
      Vector room(kernels::viterbi_scratch(c.length, c.labels));
      Path path(c.length);
      const ChainRules rules(c.mask(), c.labels);
      const double best =
          kernels::chain_viterbi(c.block(), rules, ChainMargin{c.y, margin}, room, path.data());
      const double truth = dot(c.z, c.features(c.y));
      BOOST_TEST(c.allows(path));
      BOOST_TEST(std::abs(best - truth - brute.value) <= 1e-12);
      BOOST_TEST(std::abs(dot(c.z, c.features(path)) + margin * c.wrong(path) - best) <= 1e-12);
    });
}

BOOST_AUTO_TEST_CASE(both_recursions_give_the_sum_over_all_labellings) {
  for (const double mu : {1.0, 0.2, 3.0})
    for (const double margin : {0.0, 1.0})
      over_cases(2, 2.0, [=](Case& c) {
        const BruteForce brute(c, mu, margin);
        for (const ChainMethod method : {ChainMethod::scaled, ChainMethod::logarithms}) {
          const Soft soft(c, mu, margin, method);
          BOOST_TEST(std::abs(soft.value - brute.value) <= 1e-12);
          BOOST_TEST(farthest(soft.marginals, brute.mean(c)) <= 1e-13);
        }
      });
}

BOOST_AUTO_TEST_CASE(the_marginals_of_the_edges_sum_to_those_of_the_block) {
  over_cases(3, 1.5, [](Case& c) {
    const std::size_t k = c.labels;
    for (const ChainMethod method : {ChainMethod::scaled, ChainMethod::logarithms}) {
      const Soft soft(c, 1.0, 0.0, method);
      Vector pairs(k * k), nodes(c.length * k);
      for (std::size_t t = 1; t < c.length; ++t)
        for (std::size_t i = 0; i < k * k; ++i) {
          const double p = soft.edges[(t - 1) * k * k + i];
          pairs[i] += p;
          nodes[t * k + i % k] += p;
          if (t == 1) nodes[i / k] += p;
        }
      if (c.length == 1) continue;
      pairs.insert(pairs.begin(), nodes.begin(), nodes.end());
      BOOST_TEST(farthest(pairs, soft.marginals) <= 1e-13);
    }
  });
}

// Scores so far apart that exponentials underflow on the best path too.
BOOST_AUTO_TEST_CASE(huge_scores_fall_back_to_logarithms_and_stay_exact) {
  int fallen = 0;
  over_cases(4, 1e4, [&](Case& c) {
    const BruteForce brute(c, 1.0, 1.0);
    const Soft soft(c, 1.0, 1.0);
    fallen += soft.logarithms ? 1 : 0;
    BOOST_TEST(std::abs(soft.value - brute.value) <= 1e-11 * (1.0 + std::abs(brute.value)));
    BOOST_TEST(farthest(soft.marginals, brute.mean(c)) <= 1e-9);
  });
  BOOST_TEST(fallen > 5);
}

// One label is far ahead at each position, but no transition leads from one to the next.
BOOST_AUTO_TEST_CASE(a_path_that_underflows_position_by_position_is_not_lost) {
  Case c;
  c.length = 6;
  c.labels = 2;
  c.z.assign(c.length * 2 + 4, 0.0);
  c.y.assign(c.length, 0.0);
  for (std::size_t t = 0; t < c.length; ++t) c.z[t * 2 + t % 2] = 500.0;
  c.z[c.length * 2 + 1] = c.z[c.length * 2 + 2] = -1400.0;
  const BruteForce brute(c, 1.0, 0.0);
  const Soft soft(c, 1.0, 0.0);
  BOOST_TEST(soft.logarithms);
  BOOST_TEST(std::abs(soft.value - brute.value) <= 1e-10);
  BOOST_TEST(farthest(soft.marginals, brute.mean(c)) <= 1e-12);
}

BOOST_AUTO_TEST_CASE(ordinary_scores_need_no_logarithms) {
  Draw draw(5);
  for (int k = 0; k < 20; ++k) {
    const Case c = draw.sequence(60, 22, 3.0, false);
    const Soft scaled(c, 1.0, 0.0), logs(c, 1.0, 0.0, ChainMethod::logarithms);
    BOOST_TEST(!scaled.logarithms);
    BOOST_TEST(std::abs(scaled.value - logs.value) <= 1e-11);
    BOOST_TEST(farthest(scaled.marginals, logs.marginals) <= 1e-12);
  }
}

// Rows of any number of vectors, and more labels than registers hold.
BOOST_AUTO_TEST_CASE(every_number_of_labels_agrees_with_the_logarithms) {
  Draw draw(6);
  for (const std::size_t labels : {1, 2, 7, 8, 9, 16, 17, 24, 31, 32, 33, 50, 65})
    for (const bool masked : {false, true}) {
      const Case c = draw.sequence(9, labels, 2.0, masked);
      const Soft scaled(c, 0.5, 1.0, ChainMethod::scaled);
      const Soft logs(c, 0.5, 1.0, ChainMethod::logarithms);
      BOOST_TEST(std::abs(scaled.value - logs.value) <= 1e-11);
      BOOST_TEST(farthest(scaled.marginals, logs.marginals) <= 1e-12);
      BOOST_TEST(farthest(scaled.edges, logs.edges) <= 1e-12);
    }
}

BOOST_AUTO_TEST_CASE(the_exponential_is_right_to_rounding) {
  double worst = 0.0;
  for (double x = 0.0; x > -708.0; x -= 0.0137) {
    kernels::detail::Lane lane = kernels::detail::Lane{} + x;
    kernels::detail::falling_exp(lane);
    worst = std::max(worst, std::abs(lane[0] / std::exp(x) - 1.0));
  }
  BOOST_TEST(worst <= 1e-15);
  kernels::detail::Lane far = kernels::detail::Lane{} - std::numeric_limits<double>::infinity();
  kernels::detail::falling_exp(far);
  BOOST_TEST(far[0] == 0.0);
}

BOOST_AUTO_TEST_CASE(without_an_allowed_labelling_the_caller_is_told) {
  Case c;
  c.length = c.labels = 2;
  c.z.assign(8, 0.0);
  c.y.assign(2, 0.0);
  c.allowed.assign(6, 0);
  BOOST_CHECK_THROW(Soft(c, 1.0, 0.0), std::invalid_argument);
}

BOOST_AUTO_TEST_SUITE_END()
