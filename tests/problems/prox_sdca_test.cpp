// Proximal dual coordinate ascent: every option, its theorem, its iterates and its stopping.
#include "reference.hpp"

#include "run/automatic.hpp"
#include "run/plan.hpp"
#include "run/solver_problem.hpp"

#include <fenchel/sdk/dual/ascent.hpp>

#include <fmt/format.h>

#include <boost/test/unit_test.hpp>

#include <cmath>

namespace {
using namespace fenchel;
using namespace fenchel::test;

struct Composition {
  const char* loss;
  const char* regularizer;
};

constexpr Composition kSmooth[] = {{"squared", "{l2: {lambda: 0.05}}"},
                                   {"logistic", "{l2: {lambda: 0.05}}"},
                                   {"logistic", "{elastic-net: {l1: 0.02, l2: 0.05}}"},
                                   {"smooth-hinge", "{l2: {lambda: 0.05}}"},
                                   {"smooth-hinge", "{elastic-net: {l1: 0.02, l2: 0.05}}"},
                                   {"multinomial", "{l2: {lambda: 0.05}}"},
                                   {"multinomial", "{elastic-net: {l1: 0.02, l2: 0.05}}"},
                                   {"{smooth-max-of-hinge: {gamma: 0.5}}", "{l2: {lambda: 0.05}}"},
                                   {"{soft-max-of-hinge: {gamma: 0.5}}", "{l2: {lambda: 0.05}}"}};
constexpr Composition kRough[] = {{"hinge", "{l2: {lambda: 0.05}}"},
                                  {"hinge", "{elastic-net: {l1: 0.02, l2: 0.05}}"},
                                  {"max-of-hinge", "{l2: {lambda: 0.05}}"},
                                  {"max-of-hinge", "{elastic-net: {l1: 0.02, l2: 0.05}}"}};

double constant(const SmallProblem& small, std::int32_t about, std::int32_t fact) {
  return small.problem->constants().find(about, fact).fact.value;
}

// D(α) from the host's oracles.
double dual_value(const Problem& problem, const double* alpha) {
  std::vector<double> u(alpha, alpha + problem.shape().scores),
      v(static_cast<std::size_t>(problem.shape().parameters));
  problem.adjoint(u.data(), v.data());
  for (double& x : u) x = -x;
  return -problem.risk_conjugate(u.data()) - problem.omega_conjugate(v.data());
}

// The lasso by way of the repair, as a spec would ask for it.
RunOutcome repaired_lasso(const SmallProblem& small, const std::string& solver, double gap) {
  Spec spec;
  spec.solver = component(solver);
  spec.repair = {"add-strong-convexity"};
  spec.stop.gap = gap;
  spec.stop.passes = 1e8;
  const Plan plan = make_plan(*small.problem, spec, built_plugins(), false);
  BOOST_TEST_REQUIRE(plan.chosen.allowed, plan.refusal());
  RunOptions options;
  options.stop = spec.stop;
  const std::atomic<bool> never{false};
  return run_plan(*small.problem, plan, options, {}, never).run;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(prox_sdca)

BOOST_AUTO_TEST_CASE(every_option_is_certified_to_1e_6_on_every_smooth_model) {
  for (const Composition& model : kSmooth)
    for (int option = 1; option <= 5; ++option)
      for (const char* sampling : {"permutation", "uniform"}) {
        SmallOptions options;
        options.dense = option % 2 == 0;
        const auto small = small_problem(model.loss, model.regularizer, options);
        const std::string solver =
            fmt::format("{{prox-sdca: {{option: {}, sampling: {}}}}}", option, sampling);
        const RunOutcome run = small->solve(solver, 1e-6);
        BOOST_TEST((run.status == Status::converged),
                   model.loss << " " << model.regularizer << " " << solver << ": " << run.message);
      }
}

BOOST_AUTO_TEST_CASE(option_one_is_certified_to_1e_6_on_hinges) {
  for (const Composition& model : kRough)
    for (const bool dense : {false, true}) {
      SmallOptions options;
      options.dense = dense;
      const auto small = small_problem(model.loss, model.regularizer, options);
      const RunOutcome run = small->solve("prox-sdca", 1e-6, 200000.0);
      BOOST_TEST((run.status == Status::converged), model.loss << ": " << run.message);
    }
}

// The repair leaves λ near 1e-6, and options three to five move by about λγn/R² of the way: a small
// and easy problem.
BOOST_AUTO_TEST_CASE(every_option_solves_the_lasso_by_way_of_its_repair) {
  SmallOptions options;
  options.rows = 12;
  options.columns = 2;
  options.density = 1.0;
  auto small = small_problem("squared", "{l1: {lambda: 0.6}}", options);
  for (std::size_t i = 0; i < 12; ++i) {
    small->y[i] = 1.0 + 0.1 * small->x.values[2 * i];
    small->x.values[2 * i] = 0.9;
    small->x.values[2 * i + 1] *= 0.1;
  }
  small->map = std::make_unique<RowsMap>(small->x);
  small->problem = std::make_unique<Problem>(*small->map, small->y, small->problem->loss(),
                                             small->problem->regularizer(), small->parallel);
  const double best = objective(*small->problem, coordinate_minimum(*small->problem));
  for (int option = 1; option <= 5; ++option) {
    const RunOutcome run =
        repaired_lasso(*small, fmt::format("{{prox-sdca: {{option: {}}}}}", option), 1e-6 * best);
    BOOST_TEST((run.status == Status::converged), "option " << option << ": " << run.message);
    BOOST_TEST(run.primal - best <= 1e-6 * best);
    BOOST_TEST_MESSAGE("option " << option << ": " << run.passes << " passes");
  }
}

BOOST_AUTO_TEST_CASE(class_losses_agree_with_coordinate_search) {
  for (const Composition& model : kSmooth) {
    SmallOptions options;
    options.columns = 2;
    const auto small = small_problem(model.loss, model.regularizer, options);
    const RunOutcome run = small->solve("prox-sdca", 1e-9);
    const double best = objective(*small->problem, coordinate_minimum(*small->problem));
    BOOST_TEST(std::abs(run.primal - best) <= 1e-8 * best, model.loss);
  }
}

BOOST_AUTO_TEST_CASE(the_dual_never_decreases_in_an_epoch_of_options_one_to_three) {
  const auto climbs = [](const Composition& model, int option) {
    const auto small = small_problem(model.loss, model.regularizer);
    SolverProblem view(*small->problem, 7, 0.0, 0.0);
    sdk::dual::Ascent ascent;
    sdk::dual::AscentOptions options;
    options.option = option;
    ascent.start(sdk::Problem(view.table()), options);
    double before = dual_value(*small->problem, ascent.alpha());
    for (int epoch = 0; epoch < 40; ++epoch) {
      ascent.epoch();
      const double now = dual_value(*small->problem, ascent.alpha());
      BOOST_TEST(now >= before - 1e-13 * (1.0 + std::abs(before)),
                 model.loss << " option " << option << " epoch " << epoch << ": " << before
                            << " -> " << now);
      before = now;
    }
  };
  for (const Composition& model : kSmooth)
    for (const int option : {1, 2, 3}) climbs(model, option);
  for (const Composition& model : kRough) climbs(model, 1);
}

// E[gap] ≤ ε after (n + R²/(μγ)) log((n + R²/(μγ))(D* − D₀)/ε) steps: theorem 1 of the paper, which
// draws uniformly and knows no shrinking.
BOOST_AUTO_TEST_CASE(the_gap_is_reached_within_the_theorems_epochs_on_average) {
  for (const Composition& model : kSmooth) {
    const auto small = small_problem(model.loss, model.regularizer);
    const double n = static_cast<double>(small->x.rows), epsilon = 1e-4;
    const double radius = constant(*small, FENCHEL_ABOUT_PROBLEM, FENCHEL_FACT_BLOCK_NORM);
    const double beta = constant(*small, FENCHEL_ABOUT_LOSS, FENCHEL_FACT_SMOOTHNESS);
    const double mu = constant(*small, FENCHEL_ABOUT_REGULARIZER, FENCHEL_FACT_STRONG_CONVEXITY);
    const double condition = n + radius * radius * beta / mu;
    const std::vector<double> zero(static_cast<std::size_t>(small->problem->shape().scores));
    const double climb =
        small->solve("prox-sdca", 1e-8).primal - dual_value(*small->problem, zero.data());
    const double bound = condition * std::log(condition * climb / epsilon) / n;
    for (int option = 1; option <= 5; ++option) {
      double epochs = 0.0;
      for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        SolverProblem view(*small->problem, seed, 0.0, 0.0);
        sdk::dual::Ascent ascent;
        ascent.start(sdk::Problem(view.table()),
                     {.option = option, .uniform = true, .shrinking = false});
        while (ascent.gap() > epsilon && epochs <= 20.0 * bound) {
          ascent.epoch();
          epochs += 1.0 / 20.0;
        }
      }
      BOOST_TEST(epochs <= bound, model.loss << " option " << option << ": " << epochs
                                             << " epochs on average, bound " << bound);
    }
  }
}

BOOST_AUTO_TEST_CASE(the_engines_gap_is_that_of_the_certificate) {
  for (const Composition& model : kSmooth) {
    const auto small = small_problem(model.loss, model.regularizer);
    SolverProblem view(*small->problem, 3, 0.0, 0.0);
    sdk::dual::Ascent ascent;
    ascent.start(sdk::Problem(view.table()), {});
    for (int k = 0; k < 3; ++k) ascent.epoch();
    const double* w = ascent.weights().all();
    const double gap = objective(*small->problem, {w, w + small->problem->shape().parameters}) -
                       dual_value(*small->problem, ascent.alpha());
    BOOST_TEST(std::abs(ascent.gap() - gap) <= 1e-12, model.loss);
  }
}

BOOST_AUTO_TEST_CASE(averaged_and_random_iterates_are_certified_too) {
  for (const Composition& model : kSmooth)
    for (const char* iterate : {"average", "random"}) {
      const auto small = small_problem(model.loss, model.regularizer);
      const RunOutcome run =
          small->solve(fmt::format("{{prox-sdca: {{iterate: {}}}}}", iterate), 1e-6);
      BOOST_TEST((run.status == Status::converged),
                 model.loss << " " << iterate << ": " << run.message);
    }
}

BOOST_AUTO_TEST_CASE(the_theorem_ends_a_run_that_nobody_certifies) {
  for (const Composition& model : kSmooth) {
    const auto small = small_problem(model.loss, model.regularizer);
    const double never = 1e12;
    const RunOutcome run =
        small->solve("{prox-sdca: {stopping: theoretical}}", 1e-4, 1e6, 1, never);
    BOOST_TEST((run.status == Status::converged), model.loss << ": " << run.message);
    BOOST_TEST(run.passes < 1e5);
    const RunOutcome waiting = small->solve("prox-sdca", 1e-4, 2.0 * run.passes, 1, never);
    BOOST_TEST(waiting.passes > run.passes);  // certified stopping waits for the host
  }
}

BOOST_AUTO_TEST_CASE(a_run_that_starts_from_the_dual_solution_is_done_at_once) {
  for (const Composition& model : kSmooth) {
    const auto small = small_problem(model.loss, model.regularizer);
    const RunOutcome cold = small->solve("prox-sdca", 1e-9, 20000.0, 1, 0.1);
    RunOptions options;
    options.stop.relative_gap = 1e-8;
    options.stop.passes = 1000.0;
    options.certify_every = 0.1;
    options.warm_dual = &cold.dual_point;
    const std::atomic<bool> never{false};
    for (const char* solver : {"prox-sdca", "acc-prox-sdca"}) {
      const RunOutcome warm =
          run_solver(*small->problem, small->solver(solver), options, {}, never);
      BOOST_TEST((warm.status == Status::converged), warm.message);
      BOOST_TEST(warm.passes <= 6.0, model.loss << " by " << solver << ": " << warm.passes);
      BOOST_TEST(cold.passes > warm.passes);
    }
  }
}

BOOST_AUTO_TEST_CASE(dense_and_sparse_storage_take_the_same_steps) {
  for (const Composition& model : kSmooth) {
    SmallOptions sparse, dense;
    sparse.density = dense.density = 1.0;
    dense.dense = true;
    const auto one = small_problem(model.loss, model.regularizer, sparse),
               other = small_problem(model.loss, model.regularizer, dense);
    const RunOutcome a = one->solve("prox-sdca", 1e-5), b = other->solve("prox-sdca", 1e-5);
    BOOST_TEST(a.passes == b.passes, model.loss);
    BOOST_TEST(a.primal == b.primal, boost::test_tools::tolerance(1e-12));
  }
}

BOOST_AUTO_TEST_SUITE_END()
