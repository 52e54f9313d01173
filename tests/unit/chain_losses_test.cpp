// crf and m3n against the sum, or the maximum, over all labellings.
#include "chain_support.hpp"
#include "plugin/sample.hpp"
#include "plugin/verify.hpp"

#include <fmt/format.h>

namespace {
using namespace chain_support;

std::string m3n(double mu, double margin) {
  return fmt::format("{{m3n: {{temperature: {}, margin: {}}}}}", mu, margin);
}
std::string crf(double margin) { return fmt::format("{{crf: {{margin: {}}}}}", margin); }

void expect_soft(const std::string& yaml, double mu, double margin, Case& c) {
  Loss loss(yaml, c);
  const BruteForce brute(c, mu, margin);
  Vector expected = brute.mean(c);
  kernels::add_path(c.y, c.length, c.labels, -1.0, expected.data());
  BOOST_TEST(std::abs(loss.value(c.z) - brute.value) <= 1e-12 * (1.0 + brute.value));
  BOOST_TEST(farthest(loss.gradient(c.z), expected) <= 1e-13);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(chain_losses)

BOOST_AUTO_TEST_CASE(crf_is_the_negative_log_likelihood) {
  for (const double margin : {0.0, 1.0, 2.5})
    over_cases(11, 2.0, [=](Case& c) { expect_soft(crf(margin), 1.0, margin, c); });
}

BOOST_AUTO_TEST_CASE(m3n_with_a_temperature_is_the_soft_maximum) {
  for (const double mu : {0.1, 1.0, 4.0})
    for (const double margin : {0.0, 1.0})
      over_cases(12, 2.0, [=](Case& c) { expect_soft(m3n(mu, margin), mu, margin, c); });
}

BOOST_AUTO_TEST_CASE(m3n_is_the_largest_margin_violation) {
  for (const double margin : {1.0, 0.0, 0.4})
    over_cases(13, 1.0, [=](Case& c) {
      Loss loss(m3n(0.0, margin), c);
      const BruteForce brute(c, 0.0, margin);
      BOOST_TEST(std::abs(loss.value(c.z) - brute.value) <= 1e-12);
      // A vertex: some path that attains the maximum, less the truth.
      const Vector g = loss.gradient(c.z);
      double best = 1.0;
      for (const Path& path : brute.paths) {
        Vector f = c.features(path);
        kernels::add_path(c.y, c.length, c.labels, -1.0, f.data());
        if (farthest(f, g) == 0.0)
          best = std::min(best, std::abs(dot(c.z, f) + margin * c.wrong(path) - brute.value));
      }
      BOOST_TEST(best <= 1e-12);
    });
}

BOOST_AUTO_TEST_CASE(crf_is_m3n_with_temperature_1_and_no_margin) {
  over_cases(14, 3.0, [](Case& c) {
    Loss field(crf(0.0), c), network(m3n(1.0, 0.0), c);
    BOOST_TEST(field.value(c.z) == network.value(c.z));
    BOOST_TEST(field.gradient(c.z) == network.gradient(c.z), boost::test_tools::per_element());
  });
}

BOOST_AUTO_TEST_CASE(gradients_agree_with_finite_differences) {
  Draw draw(15);
  for (const std::string& yaml : {crf(0.0), crf(1.0), m3n(0.5, 1.0)})
    for (int k = 0; k < 10; ++k) {
      Case c = draw.sequence(5, 3, 1.0, k % 2 == 1);
      Loss loss(yaml, c);
      const Vector g = loss.gradient(c.z);
      constexpr double kStep = 1e-5;
      for (std::size_t i = 0; i < c.z.size(); ++i) {
        Vector up = c.z, down = c.z;
        up[i] += kStep;
        down[i] -= kStep;
        BOOST_TEST(std::abs((loss.value(up) - loss.value(down)) / (2.0 * kStep) - g[i]) <= 1e-8);
      }
    }
}

BOOST_AUTO_TEST_CASE(huge_scores_stay_exact) {
  for (const std::string& yaml : {crf(0.0), m3n(1.0, 1.0)})
    over_cases(16, 1e4, [&](Case& c) {
      const double margin = yaml == crf(0.0) ? 0.0 : 1.0;
      const BruteForce brute(c, 1.0, margin);
      Vector expected = brute.mean(c);
      kernels::add_path(c.y, c.length, c.labels, -1.0, expected.data());
      Loss loss(yaml, c);
      BOOST_TEST(std::abs(loss.value(c.z) - brute.value) <= 1e-10 * (1.0 + brute.value));
      BOOST_TEST(farthest(loss.gradient(c.z), expected) <= 1e-9);
    });
}

BOOST_AUTO_TEST_CASE(decoding_finds_the_best_allowed_labelling) {
  for (const std::string& yaml : {crf(1.0), m3n(0.0, 1.0), m3n(0.5, 1.0)})
    over_cases(17, 2.0, [&](Case& c) {
      Loss loss(yaml, c);
      const Path path = loss.decode(c.z);
      const BruteForce brute(c, 0.0, 0.0);
      BOOST_TEST(c.allows(path));
      BOOST_TEST(std::abs(dot(c.z, c.features(path)) - dot(c.z, c.features(c.y)) - brute.value) <=
                 1e-12);
    });
}

BOOST_AUTO_TEST_CASE(marginals_are_those_of_the_scores_without_a_margin) {
  over_cases(18, 2.0, [](Case& c) {
    Loss loss(crf(2.0), c);
    Vector nodes = BruteForce(c, 1.0, 0.0).mean(c);
    nodes.resize(c.length * c.labels);
    BOOST_TEST(farthest(loss.marginals(c.z), nodes) <= 1e-13);
  });
}

// Sequences of different lengths in one call, whose transitions repeat now and then.
BOOST_AUTO_TEST_CASE(a_batch_gives_what_its_sequences_give_alone) {
  Draw draw(19);
  constexpr std::size_t kLabels = 5;
  std::vector<Case> cases;
  Vector scores;
  Path targets;
  std::vector<std::int64_t> offsets{100}, target_offsets{7};
  for (int b = 0; b < 12; ++b) {
    Case c = draw.sequence(1 + draw.random() % 9, kLabels, 2.0, false);
    if (b % 3 != 0)
      std::copy_n(cases.back().block().transitions(), kLabels * kLabels,
                  c.z.end() - kLabels * kLabels);
    scores.insert(scores.end(), c.z.begin(), c.z.end());
    targets.insert(targets.end(), c.y.begin(), c.y.end());
    offsets.push_back(offsets.back() + static_cast<std::int64_t>(c.z.size()));
    target_offsets.push_back(target_offsets.back() + static_cast<std::int64_t>(c.length));
    cases.push_back(std::move(c));
  }
  Case longest = draw.sequence(9, kLabels, 1.0, false);
  fenchel_batch batch{};
  batch.struct_size = sizeof batch;
  batch.count = static_cast<std::int64_t>(cases.size());
  batch.offsets = offsets.data();
  batch.targets = targets.data();
  batch.target_offsets = target_offsets.data();
  for (const std::string& yaml : {crf(0.0), m3n(0.0, 1.0)}) {
    const fenchel_shape shape = shape_of(longest);
    const LossPart part = made(yaml, shape);
    Vector room(static_cast<std::size_t>(part.table->scratch(part.self, &shape)));
    batch.scratch = room.data();
    Vector values(cases.size()), gradients(scores.size()), labels(targets.size());
    const auto* both =
        static_cast<const fenchel_value_gradient_oracle*>(part.table->oracle("value-gradient", 1));
    const auto* decoding =
        static_cast<const fenchel_decode_oracle*>(part.table->oracle("decode", 1));
    BOOST_REQUIRE(both->value_gradient(part.self, &batch, scores.data(), values.data(),
                                       gradients.data()) == FENCHEL_OK);
    BOOST_REQUIRE(decoding->decode(part.self, &batch, scores.data(), labels.data()) == FENCHEL_OK);
    for (std::size_t b = 0; b < cases.size(); ++b) {
      Loss alone(yaml, cases[b]);
      const auto at = static_cast<std::ptrdiff_t>(offsets[b] - offsets[0]);
      const auto position = static_cast<std::ptrdiff_t>(target_offsets[b] - target_offsets[0]);
      const Vector g(gradients.begin() + at,
                     gradients.begin() + at + static_cast<std::ptrdiff_t>(cases[b].z.size()));
      const Path path(labels.begin() + position,
                      labels.begin() + position + static_cast<std::ptrdiff_t>(cases[b].length));
      BOOST_TEST(values[b] == alone.value(cases[b].z));
      BOOST_TEST(g == alone.gradient(cases[b].z), boost::test_tools::per_element());
      BOOST_TEST(path == alone.decode(cases[b].z), boost::test_tools::per_element());
    }
  }
}

BOOST_AUTO_TEST_CASE(a_block_of_the_wrong_size_is_refused) {
  Draw draw(20);
  const Case c = draw.sequence(3, 3, 1.0, false);
  const LossPart part = made("crf", shape_of(c));
  fenchel_batch batch{};
  batch.struct_size = sizeof batch;
  batch.count = 1;
  batch.width = 17;
  double value = 0.0;
  BOOST_TEST(part.table->value(part.self, &batch, c.z.data(), &value) == FENCHEL_FAILED);
}

// a, a, … against b, b, …: the constants are attained.
BOOST_AUTO_TEST_CASE(the_constants_are_attained_by_two_constant_labellings) {
  for (const std::size_t length : {1, 2, 5, 20}) {
    Case c;
    c.length = length;
    c.labels = 2;
    c.y.assign(length, 0.0);
    c.z.assign(2 * length + 4, 0.0);
    const Vector a = c.features(c.y), b = c.features(Path(length, 1.0));
    Vector way(a.size());
    for (std::size_t i = 0; i < a.size(); ++i) way[i] = b[i] - a[i];
    const double size = std::sqrt(dot(way, way));
    Loss loss(m3n(0.5, 0.0), c);
    BOOST_TEST(std::abs(fact_of(loss.part(), FENCHEL_FACT_LIPSCHITZ).value - size) <= 1e-12 * size);
    // Mixed labellings far below, the two alike: the curvature between them is that of a coin.
    Vector z = c.z;
    z[2 * length + 1] = z[2 * length + 2] = -200.0;
    const double smoothness = fact_of(loss.part(), FENCHEL_FACT_SMOOTHNESS).value;
    const double h = 1e-3 / size;
    Vector up = z, down = z;
    for (std::size_t i = 0; i < z.size(); ++i) {
      up[i] += h * way[i] / size;
      down[i] -= h * way[i] / size;
    }
    const double bend = loss.value(up) + loss.value(down) - 2.0 * loss.value(z);
    BOOST_TEST(std::abs(bend / (h * h) - smoothness) <= 1e-3 * smoothness);
  }
}

BOOST_AUTO_TEST_SUITE_END()
