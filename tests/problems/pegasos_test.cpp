// Stochastic subgradient steps against a plain rewriting of them, and against their theorem.
#include "reference.hpp"

#include "run/solver_problem.hpp"

#include <fenchel/sdk/solver.hpp>

#include <fmt/format.h>

#include <boost/test/unit_test.hpp>

#include <cmath>

namespace {
using namespace fenchel;
using namespace fenchel::test;

constexpr double kLambda = 0.05;
constexpr const char* kOmega = "{l2: {lambda: 0.05}}";

double fact(const SmallProblem& small, std::int32_t about, std::int32_t id) {
  return small.problem->constants().find(about, id).fact.value;
}

// The weights that `pegasos` shows after each step of the host, with the steps taken by then.
struct Shown {
  std::vector<double> weights;
  std::int64_t steps = 0;
};

std::vector<Shown> shown(const SmallProblem& small, const std::string& solver_yaml,
                         std::uint64_t seed, int host_steps) {
  const SolverPart solver = small.solver(solver_yaml);
  SolverProblem view(*small.problem, seed, 0.0, 0.0);
  auto* self = const_cast<void*>(solver.self);
  BOOST_TEST_REQUIRE(solver.table->start(self, view.table()) == FENCHEL_OK);
  std::vector<Shown> list;
  for (int k = 0; k < host_steps; ++k) {
    std::int32_t said = 0;
    BOOST_TEST_REQUIRE(solver.table->step(self, &said) == FENCHEL_OK);
    fenchel_view now{};
    now.struct_size = sizeof now;
    BOOST_TEST_REQUIRE(solver.table->view(self, &now) == FENCHEL_OK);
    list.push_back({{now.weights, now.weights + small.problem->shape().parameters},
                    *view.arena().integers("steps", 1)});
  }
  return list;
}

double ball(const SmallProblem& small) {
  const double slope = fact(small, FENCHEL_ABOUT_PROBLEM, FENCHEL_FACT_BLOCK_NORM) *
                       fact(small, FENCHEL_ABOUT_LOSS, FENCHEL_FACT_LIPSCHITZ);
  const std::vector<double> zero(static_cast<std::size_t>(small.problem->shape().scores));
  return std::min(slope / kLambda, std::sqrt(2.0 * small.problem->risk(zero.data()) / kLambda));
}

// The same steps on plain vectors: the weighted average of w_1 … w_T, or w_T.
std::vector<double> rewritten(const SmallProblem& small, std::int64_t batch, bool average,
                              bool projection, std::uint64_t seed, std::int64_t steps) {
  const Problem& problem = *small.problem;
  const auto width = static_cast<std::size_t>(problem.shape().outputs);
  const auto size = static_cast<std::size_t>(problem.shape().parameters);
  auto state = static_cast<std::int64_t>(seed);
  sdk::Random random(&state);
  std::vector<double> w(size), sum(size), z(static_cast<std::size_t>(problem.shape().scores)),
      gradient(z.size());
  for (std::int64_t t = 1; t <= steps; ++t) {
    problem.apply(w.data(), z.data());
    problem.loss_gradient(z.data(), gradient.data());
    std::vector<double> direction(size);
    for (std::int64_t b = 0; b < batch; ++b) {
      const std::int64_t i = random.below(problem.shape().blocks);
      small.map->block_add(i, gradient.data() + static_cast<std::size_t>(i) * width,
                           1.0 / static_cast<double>(batch), direction.data());
    }
    double squared = 0.0;
    for (std::size_t j = 0; j < size; ++j) {
      w[j] = (1.0 - 1.0 / static_cast<double>(t)) * w[j] -
             direction[j] / (kLambda * static_cast<double>(t));
      squared += w[j] * w[j];
    }
    const double factor = projection ? std::min(1.0, ball(small) / std::sqrt(squared)) : 1.0;
    for (std::size_t j = 0; j < size; ++j) {
      w[j] *= factor;
      sum[j] += static_cast<double>(t) * w[j];
    }
  }
  if (!average) return w;
  for (double& x : sum) x /= 0.5 * static_cast<double>(steps) * static_cast<double>(steps + 1);
  return sum;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(pegasos)

BOOST_AUTO_TEST_CASE(lazy_steps_are_the_plain_ones) {
  for (const char* loss : {"hinge", "logistic", "max-of-hinge"})
    for (const int batch : {1, 7})
      for (const bool average : {true, false})
        for (const bool projection : {true, false}) {
          const auto small = small_problem(loss, kOmega);
          const auto list =
              shown(*small,
                    fmt::format("{{pegasos: {{batch: {}, iterate: {}, projection: {}}}}}", batch,
                                average ? "average" : "last", projection),
                    5, 6);
          for (const Shown& at : list) {
            const auto expected = rewritten(*small, batch, average, projection, 5, at.steps);
            for (std::size_t j = 0; j < expected.size(); ++j)
              BOOST_TEST(
                  std::abs(at.weights[j] - expected[j]) <= 1e-9 * (1.0 + std::abs(expected[j])),
                  loss << " batch " << batch << " after " << at.steps);
          }
        }
}

// E[J(average) − J*] ≤ 20 (ℓR)²/(λT).
BOOST_AUTO_TEST_CASE(the_average_keeps_its_theorem_in_the_mean_of_20_seeds) {
  const auto small = small_problem("hinge", kOmega);
  const double best = hinge_l2_minimum(*small, kLambda);
  const double radius = fact(*small, FENCHEL_ABOUT_PROBLEM, FENCHEL_FACT_BLOCK_NORM);
  std::vector<double> excess(30), bound(30);
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const auto list = shown(*small, "pegasos", seed, 30);
    for (std::size_t k = 0; k < list.size(); ++k) {
      excess[k] += (objective(*small->problem, list[k].weights) - best) / 20.0;
      bound[k] += 20.0 * radius * radius / (kLambda * static_cast<double>(list[k].steps)) / 20.0;
    }
  }
  for (std::size_t k = 0; k < excess.size(); ++k) BOOST_TEST(excess[k] <= bound[k]);
  BOOST_TEST(excess.back() < 0.1 * excess.front());
}

BOOST_AUTO_TEST_CASE(its_certificates_close_slowly_and_are_true) {
  for (const char* loss : {"hinge", "logistic", "multinomial", "max-of-hinge"}) {
    const auto small = small_problem(loss, kOmega);
    const RunOutcome run = small->solve("pegasos", 1e-2, 20000.0, 1, 50.0);
    BOOST_TEST((run.status == Status::converged), loss << ": " << run.message);
    const RunOutcome exact = small->solve("prox-sdca", 1e-7, 1e5);
    BOOST_TEST(run.primal >= exact.dual);
    BOOST_TEST(run.dual <= exact.primal);
  }
}

BOOST_AUTO_TEST_SUITE_END()
