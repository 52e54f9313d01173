// Every solver against its own theorem.
#include "reference.hpp"

#include "run/solver_problem.hpp"

#include <boost/test/unit_test.hpp>

#include <cmath>

namespace {
using namespace fenchel;
using namespace fenchel::test;

// J(w_k) for k = 1 … steps.
std::vector<double> values(const SmallProblem& small, const std::string& solver_yaml, int steps) {
  const SolverPart solver = small.solver(solver_yaml);
  SolverProblem view(*small.problem, 1, 0.0, 0.0);
  auto* self = const_cast<void*>(solver.self);
  BOOST_TEST_REQUIRE(solver.table->start(self, view.table()) == FENCHEL_OK);
  std::vector<double> list;
  for (int k = 0; k < steps; ++k) {
    std::int32_t said = 0;
    BOOST_TEST_REQUIRE(solver.table->step(self, &said) == FENCHEL_OK);
    fenchel_view now{};
    now.struct_size = sizeof now;
    BOOST_TEST_REQUIRE(solver.table->view(self, &now) == FENCHEL_OK);
    list.push_back(
        objective(*small.problem, {now.weights, now.weights + small.problem->shape().parameters}));
  }
  return list;
}

double squared_norm(const std::vector<double>& w) {
  double sum = 0.0;
  for (const double x : w) sum += x * x;
  return sum;
}

double smoothness(const SmallProblem& small) {
  return small.problem->constants()
      .find(FENCHEL_ABOUT_PROBLEM, FENCHEL_FACT_RISK_SMOOTHNESS)
      .fact.value;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(rates)

BOOST_AUTO_TEST_CASE(fista_keeps_two_L_R2_over_k_plus_one_squared) {
  for (const std::uint64_t seed : {1U, 2U, 3U, 4U}) {
    SmallOptions options;
    options.seed = seed;
    const auto small = small_problem("logistic", "{l1: {lambda: 0.02}}", options);
    const std::vector<double> best = coordinate_minimum(*small->problem);
    const double optimum = objective(*small->problem, best),
                 bound = 2.0 * smoothness(*small) * squared_norm(best);
    const auto list = values(*small, "{fista: {step: fixed, restart: false}}", 60);
    for (std::size_t k = 1; k <= list.size(); ++k)
      BOOST_TEST(list[k - 1] - optimum <= bound / static_cast<double>((k + 1) * (k + 1)) + 1e-10);
  }
}

BOOST_AUTO_TEST_CASE(fista_is_linear_where_the_regularizer_is_strongly_convex) {
  SmallOptions options;
  options.rows = 30;
  const double mu = 0.01;
  const auto small = small_problem("squared", "{l2: {lambda: 0.01}}", options);
  const std::vector<double> best = coordinate_minimum(*small->problem, 2000);
  const double optimum = objective(*small->problem, best), lipschitz = smoothness(*small);
  const double q = (mu / lipschitz) / (1.0 + mu / lipschitz);
  const auto list = values(*small, "{fista: {step: fixed, restart: false}}", 150);
  for (std::size_t k = 1; k <= list.size(); ++k) {
    // Chambolle and Pock, theorem 4.10 (with mu in the regularizer).
    const double rate = std::min(std::pow(1.0 - std::sqrt(q), static_cast<double>(k)),
                                 4.0 / static_cast<double>((k + 1) * (k + 1)));
    BOOST_TEST(list[k - 1] - optimum <=
               rate * 0.5 * (lipschitz + mu) * squared_norm(best) * (1.0 + 1e-6) + 1e-10);
  }
}

BOOST_AUTO_TEST_CASE(prox_gradient_keeps_L_R2_over_two_k_and_never_ascends) {
  for (const char* step : {"fixed", "backtracking"}) {
    const auto small = small_problem("logistic", "{l1: {lambda: 0.02}}");
    const std::vector<double> best = coordinate_minimum(*small->problem);
    const double optimum = objective(*small->problem, best);
    const auto list = values(*small, std::string("{prox-gradient: {step: ") + step + "}}", 100);
    // Doubling from below overshoots the constant by at most a factor of two.
    const double lipschitz = smoothness(*small) * (step == std::string("fixed") ? 1.0 : 2.0);
    for (std::size_t k = 1; k <= list.size(); ++k) {
      BOOST_TEST(list[k - 1] - optimum <=
                 lipschitz * squared_norm(best) / (2.0 * static_cast<double>(k)) + 1e-10);
      if (k > 1) BOOST_TEST(list[k - 1] <= list[k - 2] + 1e-13);
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()
