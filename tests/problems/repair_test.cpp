// Repaired problems against the optimum of the original one, found another way.
#include "reference.hpp"

#include "run/automatic.hpp"
#include "run/plan.hpp"

#include <fmt/format.h>

#include <boost/test/unit_test.hpp>

namespace {
using namespace fenchel;
using namespace fenchel::test;

// The minimum of a convex function of one or two variables over a box, by nested ternary search:
// the inner minimum is convex in the outer variable. Kinks do not hurt it.
double grid_minimum(const Problem& problem, double reach) {
  std::vector<double> w(static_cast<std::size_t>(problem.shape().parameters), 0.0);
  const std::function<double(std::size_t)> least = [&](std::size_t j) {
    if (j == w.size()) return objective(problem, w);
    double low = -reach, high = reach, best = HUGE_VAL;
    for (int k = 0; k < 90; ++k) {
      const double a = low + (high - low) / 3.0, b = high - (high - low) / 3.0;
      w[j] = a;
      const double at_a = least(j + 1);
      w[j] = b;
      const double at_b = least(j + 1);
      best = std::min({best, at_a, at_b});
      (at_a <= at_b ? high : low) = at_a <= at_b ? b : a;
    }
    return best;
  };
  return least(0);
}

constexpr double kGap = 0.01;

Spec spec_with(const std::string& solver, const std::vector<std::string>& repair, double gap) {
  Spec spec;
  spec.solver = component(solver);
  spec.repair = repair;
  spec.stop.gap = gap;
  spec.stop.passes = 5000.0;
  return spec;
}

RunOutcome run(const Problem& problem, const Plan& plan, const Spec& spec) {
  RunOptions options;
  options.stop = spec.stop;
  options.certify_every = 20.0;
  const std::atomic<bool> never{false};
  return run_plan(problem, plan, options, {}, never).run;
}

SmallOptions small_options(std::uint64_t seed) {
  SmallOptions options;
  options.rows = 30;
  options.columns = 2;
  options.seed = seed;
  return options;
}

double total_price(const std::vector<Repair>& repairs) {
  double sum = 0.0;
  for (const Repair& repair : repairs) sum += repair.price;
  return sum;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(repairs)

BOOST_AUTO_TEST_CASE(hinge_with_l1_is_refused_until_both_repairs_are_allowed) {
  const auto small = small_problem("hinge", "{l1: {lambda: 0.1}}", small_options(1));
  using List = std::vector<std::string>;
  for (const List& allowed : {List{}, List{"smooth-loss"}, List{"add-strong-convexity"}}) {
    const Plan plan =
        make_plan(*small->problem, spec_with("{prox-sdca: {option: 3}}", allowed, 1e-3),
                  built_plugins(), false);
    BOOST_TEST(!plan.chosen.allowed);
    BOOST_TEST(!plan.repaired);
    for (const char* name : {"smooth-loss", "add-strong-convexity"})
      BOOST_TEST(plan.refusal().find(name) != std::string::npos, plan.refusal());
  }
}

BOOST_AUTO_TEST_CASE(the_gap_of_a_repaired_run_bounds_the_error_of_the_original_problem) {
  for (const double lambda : {0.02, 0.1, 0.2, 0.4}) {
    for (const std::uint64_t seed : {1U, 2U, 3U}) {
      const auto small = small_problem("hinge", fmt::format("{{l1: {{lambda: {}}}}}", lambda),
                                       small_options(seed));
      const Problem& problem = *small->problem;
      // J(0) = 1 bounds lambda |w*|_1.
      const double best = grid_minimum(problem, 1.0 / lambda);
      for (const int option : {1, 3}) {
        const Spec spec = spec_with(fmt::format("{{prox-sdca: {{option: {}}}}}", option),
                                    {"smooth-loss", "add-strong-convexity"}, kGap);
        const Plan plan = make_plan(problem, spec, built_plugins(), false);
        BOOST_TEST_CONTEXT("lambda " << lambda << ", seed " << seed << ", option " << option) {
          BOOST_TEST_REQUIRE(plan.chosen.allowed);
          BOOST_TEST_REQUIRE(plan.repaired);
          BOOST_TEST(total_price(plan.chosen.needed) <= 0.5 * kGap * (1.0 + 1e-12));
          const RunOutcome outcome = run(problem, plan, spec);
          // The bound |w*| <= 1/lambda leaves little strong convexity for a small lambda: slow, and
          // certified all the same.
          if (lambda >= 0.1) {
            BOOST_TEST((outcome.status == Status::converged), outcome.message);
            BOOST_TEST(outcome.primal - outcome.dual <= kGap);
          }
          BOOST_TEST(outcome.primal == objective(problem, outcome.weights),
                     boost::test_tools::tolerance(1e-12));
          BOOST_TEST(outcome.dual <= best + 1e-9);
          BOOST_TEST(outcome.primal >= best - 1e-9);
          BOOST_TEST(outcome.primal - best <= outcome.primal - outcome.dual + 1e-9);
          for (const TraceRow& row : outcome.trace)
            if (row.dual) BOOST_TEST(*row.dual <= best + 1e-9);
        }
      }
    }
  }
}

// The certificate of the repaired problem itself, far below the price, gives its optimum.
BOOST_AUTO_TEST_CASE(the_optimum_of_a_repaired_problem_costs_no_more_than_its_price) {
  for (const double lambda : {0.02, 0.1, 0.4}) {
    for (const double gap : {1e-1, 1e-2}) {
      const auto small =
          small_problem("hinge", fmt::format("{{l1: {{lambda: {}}}}}", lambda), small_options(4));
      const Problem& problem = *small->problem;
      const double best = grid_minimum(problem, 1.0 / lambda);
      StopSpec stop;
      stop.gap = gap;
      const std::vector<Repair> both = possible_repairs(problem, measure_scale(problem, stop));
      BOOST_TEST_REQUIRE(both.size() == 2U);
      for (const std::vector<Repair>& repairs :
           {std::vector{both[0]}, std::vector{both[1]}, both}) {
        const std::unique_ptr<Problem> other = repaired(problem, repairs);
        const bool smooth = other->loss().id == "smoothed";
        RunOptions options;
        options.stop.gap = 1e-9;
        options.stop.passes = 50000.0;
        options.certify_every = 20.0;
        const std::atomic<bool> never{false};
        const RunOutcome outcome =
            run_solver(*other, small->solver(smooth ? "fista" : "prox-sdca"), options, {}, never);
        BOOST_TEST_CONTEXT("lambda " << lambda << ", gap " << gap << ", " << repairs[0].name << ", "
                                     << repairs.size() << " repairs") {
          BOOST_TEST((outcome.primal - outcome.dual <= 1e-6), outcome.message);
          const double error = objective(problem, outcome.weights) - best;
          BOOST_TEST(error >= -1e-9);
          BOOST_TEST(error <= total_price(repairs) + 1e-6);
        }
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(the_lasso_by_prox_sdca_with_added_strong_convexity_agrees_with_fista) {
  for (const double lambda : {0.2, 0.5}) {
    SmallOptions options = small_options(5);
    options.columns = 5;
    const auto small =
        small_problem("squared", fmt::format("{{l1: {{lambda: {}}}}}", lambda), options);
    const double best = small->solve("fista", 1e-10, 20000.0, 1, 10.0).primal;
    for (const double gap : {1e-2, 1e-3}) {
      Spec spec = spec_with("prox-sdca", {"add-strong-convexity"}, gap);
      spec.stop.passes = 100000.0;
      const Plan plan = make_plan(*small->problem, spec, built_plugins(), false);
      BOOST_TEST_REQUIRE(plan.chosen.allowed);
      BOOST_TEST(plan.chosen.needed.size() == 1U);
      const RunOutcome outcome = run(*small->problem, plan, spec);
      BOOST_TEST((outcome.status == Status::converged), outcome.message);
      BOOST_TEST(outcome.primal - outcome.dual <= gap);
      BOOST_TEST(outcome.primal <= best + gap);
      BOOST_TEST(outcome.primal >= best - 1e-8);
      BOOST_TEST(outcome.dual <= best + 1e-8);
    }
  }
}

BOOST_AUTO_TEST_CASE(parameters_that_no_regularizer_sees_are_certified) {
  for (const char* loss : {"squared", "logistic", "{smooth-hinge: {gamma: 0.5}}", "squared-hinge",
                           "{huber: {delta: 0.7}}"}) {
    for (const bool dressed : {false, true}) {
      SmallOptions options = small_options(6);
      options.columns = 4;
      options.rows = 60;
      const auto small = small_problem(loss, "none", options);
      const auto l1 = [&](std::int64_t dimension) {
        fenchel_shape seen = small->map->shape();
        seen.parameters = dimension;
        return built_plugins().make_regularizer(component("{l1: {lambda: 0.05}}"), seen);
      };
      RegularizerPart omega = blocks({{l1(2), {0, 2}, "0, 2"}, {zero(), {1, 3}, "1, 3"}}, 4);
      if (dressed) omega = shifted(scaled(omega, 2.0), {0.1, 0.2, -0.1, 0.0});
      const Problem problem(*small->problem, small->problem->loss(), omega);
      BOOST_TEST((problem.free_parameters() == std::vector<std::int32_t>{1, 3}));
      RunOptions run_options;
      run_options.stop.relative_gap = 1e-6;
      run_options.stop.passes = 20000.0;
      run_options.certify_every = 10.0;
      const std::atomic<bool> never{false};
      const RunOutcome outcome =
          run_solver(problem, small->solver("fista"), run_options, {}, never);
      BOOST_TEST_CONTEXT(loss << (dressed ? ", scaled and shifted" : "")) {
        BOOST_TEST((outcome.status == Status::converged), outcome.message);
        const double best = objective(problem, coordinate_minimum(problem));
        BOOST_TEST(outcome.dual <= best + 1e-9);
        BOOST_TEST(outcome.primal <= best + 1e-6 * (1.0 + std::abs(best)));
      }
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()
