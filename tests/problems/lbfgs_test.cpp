// L-BFGS against other solvers, against its own memory, and at what it must refuse.
#include "reference.hpp"

#include "run/solver_problem.hpp"

#include <fmt/format.h>

#include <boost/test/unit_test.hpp>

#include <cmath>

namespace {
using namespace fenchel;
using namespace fenchel::test;

class Steps {
 public:
  Steps(const SmallProblem& small, const std::string& solver_yaml)
      : small_(small), solver_(small.solver(solver_yaml)), view_(*small.problem, 1, 0.0, 0.0) {}

  void start() { BOOST_TEST_REQUIRE(solver_.table->start(self(), view_.table()) == FENCHEL_OK); }
  std::int32_t step() {
    std::int32_t said = 0;
    BOOST_TEST_REQUIRE(solver_.table->step(self(), &said) == FENCHEL_OK);
    return said;
  }
  std::vector<double> weights() const {
    fenchel_view now{};
    now.struct_size = sizeof now;
    BOOST_TEST_REQUIRE(solver_.table->view(self(), &now) == FENCHEL_OK);
    return {now.weights, now.weights + small_.problem->shape().parameters};
  }
  double passes() const { return view_.passes(); }
  Arena& arena() { return view_.arena(); }
  void resume() {
    view_.mark_resumed();
    start();
  }

 private:
  void* self() const { return const_cast<void*>(solver_.self); }
  const SmallProblem& small_;
  SolverPart solver_;
  SolverProblem view_;
};

}  // namespace

BOOST_AUTO_TEST_SUITE(lbfgs)

BOOST_AUTO_TEST_CASE(it_finds_the_optimum_of_prox_sdca_and_fista_to_eight_digits) {
  for (const char* loss : {"logistic", "squared", "multinomial", "squared-hinge"})
    for (const char* omega : {"{l2: {lambda: 0.1}}", "{l2: {lambda: 0.001}}"})
      for (const std::uint64_t seed : {1U, 2U}) {
        SmallOptions options;
        options.seed = seed;
        const auto small = small_problem(loss, omega, options);
        const RunOutcome run = small->solve("lbfgs", 1e-9, 500.0);
        const RunOutcome sdca = small->solve("prox-sdca", 1e-9),
                         fista = small->solve("fista", 1e-9);
        BOOST_TEST_CONTEXT(loss << " + " << omega << ", seed " << seed) {
          BOOST_TEST((run.status == Status::converged), run.message);
          BOOST_TEST(std::abs(run.primal - sdca.primal) <= 1e-8 * sdca.primal);
          BOOST_TEST(std::abs(run.primal - fista.primal) <= 1e-8 * fista.primal);
        }
      }
}

BOOST_AUTO_TEST_CASE(a_step_is_a_pass_and_never_ascends) {
  const auto small = small_problem("logistic", "{l2: {lambda: 0.001}}");
  Steps run(*small, "lbfgs");
  run.start();
  double last = objective(*small->problem, run.weights());
  BOOST_TEST(run.passes() == 1.0);  // A w and the first gradient
  for (int k = 1; k <= 12; ++k) {
    BOOST_TEST_REQUIRE(run.step() == FENCHEL_STEP_MORE);
    BOOST_TEST(run.passes() == 1.0 + k);
    const double now = objective(*small->problem, run.weights());
    BOOST_TEST(now < last);
    last = now;
  }
}

// One pair and exact line searches would be conjugate gradients; with a memory of the dimension a
// quadratic is solved in about as many steps as it has dimensions.
BOOST_AUTO_TEST_CASE(memory_pays_on_a_quadratic) {
  SmallOptions options;
  options.columns = 20;
  options.rows = 100;
  const auto small = small_problem("squared", "{l2: {lambda: 0.0001}}", options);
  const RunOutcome much = small->solve("{lbfgs: {memory: 20}}", 1e-8, 500.0),
                   little = small->solve("{lbfgs: {memory: 1}}", 1e-8, 500.0);
  BOOST_TEST((much.status == Status::converged), much.message);
  BOOST_TEST((little.status == Status::converged), little.message);
  BOOST_TEST_MESSAGE("memory 20: " << much.iterations << " steps, memory 1: " << little.iterations);
  BOOST_TEST(much.iterations <= little.iterations);
  BOOST_TEST(much.iterations <= 40);
}

BOOST_AUTO_TEST_CASE(parameters_that_no_regularizer_sees_are_no_exception) {
  for (const Bias bias : {Bias::free, Bias::penalized}) {
    SmallOptions options;
    options.bias = bias;
    const auto small = small_problem("logistic", "{l2: {lambda: 0.05}}", options);
    const RunOutcome run = small->solve("lbfgs", 1e-8, 500.0), other = small->solve("fista", 1e-8);
    BOOST_TEST((run.status == Status::converged), run.message);
    BOOST_TEST(std::abs(run.primal - other.primal) <= 2e-8);
  }
  const auto plain = small_problem("squared", "none");
  const RunOutcome run = plain->solve("lbfgs", 1e-8, 500.0);
  BOOST_TEST((run.status == Status::converged), run.message);
}

BOOST_AUTO_TEST_CASE(another_instance_goes_on_from_the_arena_as_if_nothing_had_been) {
  for (const int before : {1, 4, 9}) {  // the ring of pairs empty, half full, and turned over
    const auto small = small_problem("logistic", "{l2: {lambda: 0.001}}");
    Steps first(*small, "{lbfgs: {memory: 4}}"), second(*small, "{lbfgs: {memory: 4}}");
    first.start();
    for (int k = 0; k < before; ++k) first.step();
    second.arena().restore(first.arena().all_numbers(), first.arena().all_integers());
    second.resume();
    for (int k = 0; k < 5; ++k) {
      first.step();
      second.step();
      BOOST_TEST(first.weights() == second.weights(), boost::test_tools::per_element());
    }
  }
}

BOOST_AUTO_TEST_CASE(at_the_limit_of_rounding_it_says_so) {
  const auto small = small_problem("logistic", "{l2: {lambda: 0.1}}");
  Steps run(*small, "lbfgs");
  run.start();
  int steps = 0;
  while (steps < 500 && run.step() == FENCHEL_STEP_MORE) ++steps;
  BOOST_TEST(steps < 100);
  const double best = small->solve("prox-sdca", 1e-12, 5000.0).primal;
  BOOST_TEST(objective(*small->problem, run.weights()) - best <= 1e-14);
}

BOOST_AUTO_TEST_CASE(kinks_are_refused) {
  const auto refused = [](const char* loss, const char* omega, const char* what) {
    const auto small = small_problem(loss, omega);
    const Check check = check_problem(*small->problem, small->solver("lbfgs"));
    BOOST_TEST(!check.accepted);
    BOOST_TEST(check.refusal.find(what) != std::string::npos, check.refusal);
  };
  refused("hinge", "{l2: {lambda: 0.1}}", "smoothness of the loss");
  refused("logistic", "{l1: {lambda: 0.1}}", "of the regularizer");
  refused("logistic", "{elastic-net: {l1: 0.1, l2: 0.1}}", "smoothness of the regularizer");
  refused("logistic", "simplex", "of the regularizer");
}

BOOST_AUTO_TEST_SUITE_END()
