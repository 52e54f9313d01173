// The bundle method: its optimum, its gap, its bound, and the problem on which the bound is met.
#include "reference.hpp"

#include "run/solver_problem.hpp"

#include <fenchel/sdk/bundle/master.hpp>

#include <fmt/format.h>

#include <boost/test/unit_test.hpp>

#include <cmath>

namespace {
using namespace fenchel;
using namespace fenchel::test;

double fact(const SmallProblem& small, std::int32_t about, std::int32_t id) {
  return small.problem->constants().find(about, id).fact.value;
}

// A solver taken step by step.
class Steps {
 public:
  Steps(const SmallProblem& small, const std::string& solver_yaml)
      : solver_(small.solver(solver_yaml)), view_(*small.problem, 1, 0.0, 0.0) {}

  void start() { BOOST_TEST_REQUIRE(solver_.table->start(self(), view_.table()) == FENCHEL_OK); }
  // What the method says of itself after the step.
  double step() {
    std::int32_t said = 0;
    BOOST_TEST_REQUIRE(solver_.table->step(self(), &said) == FENCHEL_OK);
    shown_.struct_size = sizeof shown_;
    BOOST_TEST_REQUIRE(solver_.table->view(self(), &shown_) == FENCHEL_OK);
    return *shown_.own_gap;
  }
  const fenchel_view& shown() const { return shown_; }
  Arena& arena() { return view_.arena(); }
  void resume() {
    view_.mark_resumed();
    start();
  }

 private:
  void* self() const { return const_cast<void*>(solver_.self); }
  SolverPart solver_;
  SolverProblem view_;
  fenchel_view shown_{};
};

std::vector<double> gaps(const SmallProblem& small, const std::string& solver_yaml, int steps) {
  Steps run(small, solver_yaml);
  run.start();
  std::vector<double> list;
  for (int t = 0; t < steps; ++t) list.push_back(run.step());
  return list;
}

// The first step whose gap is at most epsilon, counted from 1; 0 where there is none.
std::size_t reached(const std::vector<double>& gaps, double epsilon) {
  for (std::size_t t = 0; t < gaps.size(); ++t)
    if (gaps[t] <= epsilon) return t + 1;
  return 0;
}

// max_i <a_i, w> over the rows of H_d/sqrt(d).
std::unique_ptr<SmallProblem> hadamard(std::size_t d, double lambda) {
  auto made = std::make_unique<SmallProblem>();
  made->x.rows = made->x.columns = static_cast<std::int64_t>(d);
  made->x.dense = true;
  made->x.starts.clear();
  const double entry = 1.0 / std::sqrt(static_cast<double>(d));
  for (std::size_t i = 0; i < d; ++i)
    for (std::size_t j = 0; j < d; ++j)
      made->x.values.push_back(__builtin_popcountll(i & j) % 2 == 0 ? entry : -entry);
  made->map = std::make_unique<WholeMap>(made->x);
  made->problem = std::make_unique<Problem>(
      *made->map, std::vector<double>{},
      built_plugins().make_loss(component("{max: {ties: first}}"), made->map->shape()),
      built_plugins().make_regularizer(component(fmt::format("{{l2: {{lambda: {}}}}}", lambda)),
                                       made->map->shape()),
      made->parallel);
  return made;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(bmrm)

BOOST_AUTO_TEST_CASE(it_finds_the_certified_optimum_of_prox_sdca) {
  constexpr double kGap = 1e-7;
  for (const char* loss : {"hinge", "logistic", "max-of-hinge", "squared", "multinomial"})
    for (const char* omega : {"{l2: {lambda: 0.05}}", "{elastic-net: {l1: 0.02, l2: 0.05}}"})
      for (const std::uint64_t seed : {1U, 2U}) {
        SmallOptions options;
        options.seed = seed;
        const auto small = small_problem(loss, omega, options);
        const RunOutcome run = small->solve("bmrm", kGap), exact = small->solve("prox-sdca", kGap);
        BOOST_TEST_CONTEXT(loss << " + " << omega << ", seed " << seed) {
          BOOST_TEST((run.status == Status::converged), run.message);
          BOOST_TEST_REQUIRE((exact.status == Status::converged), exact.message);
          BOOST_TEST(std::abs(run.primal - exact.primal) <= kGap * (run.primal + exact.primal));
          BOOST_TEST(run.dual <= exact.primal + 1e-12);
          BOOST_TEST(exact.dual <= run.primal + 1e-12);
        }
      }
}

// Weights of a mixture by the entropy, the largest score as loss: no quadratic, one block.
BOOST_AUTO_TEST_CASE(entropy_and_one_block_of_all_scores_are_no_exception) {
  for (const char* loss : {"max", "biased-hinge"})
    for (const char* omega : {"{entropy: {lambda: 0.1}}", "{entropy: {lambda: 0.1, cap: 0.4}}"}) {
      const auto small = small_problem(loss, omega);
      const RunOutcome run = small->solve("bmrm", 1e-8, 3000.0);
      BOOST_TEST((run.status == Status::converged), loss << " + " << omega << ": " << run.message);
      const RunOutcome other = small->solve("agm-dual", 1e-5, 20000.0, 1, 20.0);
      BOOST_TEST_REQUIRE((other.status == Status::converged), other.message);
      BOOST_TEST(run.primal <= other.primal + 1e-8);
      BOOST_TEST(run.primal >= other.dual - 1e-8);
    }
}

// Neither is a multiple of |w|^2, though both are made of one.
BOOST_AUTO_TEST_CASE(combined_regularizers_are_no_exception) {
  const auto small = small_problem("hinge", "{l2: {lambda: 0.05}}");
  const RegularizerPart ridge = small->problem->regularizer(),
                        lasso = built_plugins().make_regularizer(component("{l1: {lambda: 0.02}}"),
                                                                 small->map->shape());
  for (const RegularizerPart& omega :
       {shifted(ridge, {1.0, -1.0, 0.5, 0.0, 0.0, 2.0}), sum({ridge, lasso}, 6),
        with_linear_term(ridge, {0.1, 0.0, -0.1, 0.0, 0.05, 0.0})}) {
    const Problem problem(*small->problem, small->problem->loss(), omega);
    RunOptions options;
    options.stop.gap = 1e-8;
    options.stop.passes = 5000.0;
    const std::atomic<bool> never{false};
    const RunOutcome run = run_solver(problem, small->solver("bmrm"), options, {}, never);
    const RunOutcome exact = run_solver(problem, small->solver("prox-sdca"), options, {}, never);
    BOOST_TEST((run.status == Status::converged), omega.text << ": " << run.message);
    BOOST_TEST_REQUIRE((exact.status == Status::converged), exact.message);
    BOOST_TEST(std::abs(run.primal - exact.primal) <= 1e-8);
  }
}

// Random cuts around a common slope, one by one: the gap of the model's own dual problem.
BOOST_AUTO_TEST_CASE(the_master_problem_is_solved_to_rounding) {
  std::mt19937_64 random(11);
  std::normal_distribution<double> normal;
  SmallOptions options;
  options.columns = 30;
  for (const char* omega :
       {"{l2: {lambda: 0.1}}", "{l2: {lambda: 1e-5}}", "{elastic-net: {l1: 0.3, l2: 0.1}}",
        "{elastic-net: {l1: 0.3, l2: 1e-4}}", "{entropy: {lambda: 0.05}}",
        "{entropy: {lambda: 0.01, cap: 0.1}}"}) {
    const auto small = small_problem("hinge", omega, options);
    SolverProblem view(*small->problem, 1, 0.0, 0.0);
    sdk::bundle::Cuts cuts;
    sdk::bundle::Master master;
    cuts.start(sdk::Problem(view.table()));
    master.start(sdk::Problem(view.table()), cuts);
    const std::vector<double> dual(small->y.size());
    std::vector<double> middle(30), slope(30), w(30);
    for (double& x : middle) x = 0.3 * normal(random);
    double worst = 0.0;
    for (int t = 0; t < 60; ++t) {
      for (std::size_t j = 0; j < slope.size(); ++j) slope[j] = middle[j] + 0.5 * normal(random);
      master.added(cuts.add(slope.data(), normal(random), dual.data()));
      master.solve();
      // D(β) against the model at w: Ω(w) + max slack.
      std::copy_n(master.minimiser(), w.size(), w.begin());
      double top = -1e300, size = 0.0;
      for (std::size_t j = 0; j < cuts.size(); ++j) {
        const double product = sdk::bundle::product(cuts.slope(j), w.data(), w.size());
        top = std::max(top, product + cuts.offset(j));
        size = std::max(size, std::abs(product) + std::abs(cuts.offset(j)));
      }
      const double gap = small->problem->omega(w.data()) + top - master.value();
      worst = std::max(worst, gap / size);
      BOOST_TEST(gap >= -1e-12 * size);
    }
    BOOST_TEST_MESSAGE(omega << ": master gap at most " << worst << " of its terms");
    BOOST_TEST(worst <= 1e-12, omega);
  }
}

BOOST_AUTO_TEST_CASE(its_own_gap_is_the_certified_one_and_bounds_the_error) {
  for (const char* solver : {"bmrm", "{bmrm: {variant: line-search}}"})
    for (const char* loss : {"hinge", "logistic", "max-of-hinge"}) {
      const auto small = small_problem(loss, "{l2: {lambda: 0.05}}");
      const double best = small->solve("prox-sdca", 1e-9).primal;
      const RunOutcome run = small->solve(solver, 1e-12, 40.0);
      double last = std::numeric_limits<double>::infinity();
      for (const TraceRow& row : run.trace) {
        BOOST_TEST_CONTEXT(solver << " on " << loss << ", step " << row.iteration) {
          BOOST_TEST_REQUIRE(row.own_gap.has_value());
          BOOST_TEST(*row.own_gap <= last);
          BOOST_TEST(*row.own_gap >= *row.primal - best - 1e-8);
          // The conjugate at the mixture may say more than the mean over its parts.
          BOOST_TEST(*row.gap <= *row.own_gap + 1e-12);
          if (loss == std::string("hinge")) BOOST_TEST(std::abs(*row.gap - *row.own_gap) <= 1e-11);
          last = *row.own_gap;
        }
      }
    }
}

// (13) with H* = 1/sigma, and the bound without its logarithm that holds from w_0 = argmin Omega.
BOOST_AUTO_TEST_CASE(steps_stay_under_the_bound_13) {
  for (const char* solver : {"bmrm", "{bmrm: {variant: line-search}}"})
    for (const char* loss : {"hinge", "logistic", "max-of-hinge"})
      for (const double lambda : {0.3, 0.02}) {
        const auto small = small_problem(loss, fmt::format("{{l2: {{lambda: {}}}}}", lambda));
        const double g = fact(*small, FENCHEL_ABOUT_PROBLEM, FENCHEL_FACT_RISK_LIPSCHITZ);
        const std::vector<double> zero(
            static_cast<std::size_t>(small->problem->shape().parameters));
        const double start = objective(*small->problem, zero), curvature = g * g / lambda;
        const std::vector<double> list = gaps(*small, solver, 300);
        for (std::size_t t = 1; t <= list.size(); ++t)
          BOOST_TEST(list[t - 1] <= 8.0 * curvature / static_cast<double>(t + 3) + 1e-12);
        for (double epsilon = 3.9 * curvature; epsilon > std::max(list.back(), 1e-9);
             epsilon *= 0.7) {
          const double bound = std::log2(start / curvature) + 8.0 * curvature / epsilon - 4.0;
          BOOST_TEST(static_cast<double>(reached(list, epsilon)) <= std::max(1.0, bound),
                     solver << " on " << loss << ", epsilon " << epsilon);
        }
      }
}

BOOST_AUTO_TEST_CASE(the_line_search_goes_like_one_over_t_and_the_program_is_ahead_of_it) {
  SmallOptions options;
  options.rows = 200;
  options.columns = 30;
  const auto small = small_problem("hinge", "{l2: {lambda: 0.01}}", options);
  const std::vector<double> by_line = gaps(*small, "{bmrm: {variant: line-search}}", 3000),
                            by_program = gaps(*small, "bmrm", 200);
  // The slope of log gap over log t, over more than a decade.
  const double slope = std::log(by_line[2999] / by_line[149]) / std::log(3000.0 / 150.0);
  BOOST_TEST_MESSAGE("line search: gap ~ t^" << slope);
  BOOST_TEST(slope < -0.8);
  BOOST_TEST(slope > -1.5);
  for (const double epsilon : {1e-1, 1e-2, 1e-3}) {
    const std::size_t line = reached(by_line, epsilon), program = reached(by_program, epsilon);
    BOOST_TEST_MESSAGE("gap " << epsilon << ": " << program << " steps by the program, " << line
                              << " by line search");
    BOOST_TEST_REQUIRE(program > 0U);
    BOOST_TEST((line == 0 || program < line));
  }
}

// Every cut is one row and every new one an unseen row: w_t = -(1/(lambda t)) sum a_i, J(w_t) =
// 1/(2 lambda t), the model's minimum -1/(2 lambda t). The mean over cuts is also where the line
// search goes: its steps are 1/t.
BOOST_AUTO_TEST_CASE(on_orthonormal_rows_the_gap_is_one_over_lambda_t) {
  for (const char* solver : {"bmrm", "{bmrm: {variant: line-search}}"})
    for (const std::size_t d : {16U, 64U, 128U})
      for (const double lambda : {0.01, 1.0}) {
        const auto small = hadamard(d, lambda);
        const RunOutcome run = small->solve(solver, 1e-12, static_cast<double>(d) + 5.0);
        BOOST_TEST_REQUIRE(run.trace.size() >= d);
        for (std::size_t t = 1; t < d; ++t) {
          const TraceRow& row = run.trace[t - 1];
          const double expected = 1.0 / (lambda * static_cast<double>(t));
          BOOST_TEST_CONTEXT(solver << ", d " << d << ", t " << t) {
            BOOST_TEST(std::abs(*row.own_gap - expected) <= 1e-9 * expected);
            BOOST_TEST(std::abs(*row.gap - expected) <= 1e-9 * expected);
            BOOST_TEST(std::abs(*row.primal - 0.5 * expected) <= 1e-9 * expected);
          }
        }
        BOOST_TEST(*run.trace[d - 1].own_gap <= 1e-9 / lambda);
      }
}

BOOST_AUTO_TEST_CASE(dropping_cuts_without_weight_keeps_the_optimum_and_the_memory_small) {
  SmallOptions options;
  options.rows = 300;
  options.columns = 40;
  const auto small = small_problem("hinge", "{l2: {lambda: 0.003}}", options);
  const RunOutcome all = small->solve("{bmrm: {age: 100000}}", 1e-6);
  BOOST_TEST_REQUIRE((all.status == Status::converged), all.message);
  for (const int age : {1, 5}) {
    const RunOutcome some = small->solve(fmt::format("{{bmrm: {{age: {}}}}}", age), 1e-6);
    BOOST_TEST((some.status == Status::converged), some.message);
    BOOST_TEST(std::abs(some.primal - all.primal) <= 2e-6 * all.primal);
    Steps run(*small, fmt::format("{{bmrm: {{age: {}}}}}", age));
    run.start();
    for (std::int64_t t = 0; t < all.iterations; ++t) run.step();
    const std::int64_t slots = *run.arena().integers("cut-slots", 1);
    BOOST_TEST_MESSAGE("age " << age << ": " << some.iterations << " steps, " << slots
                              << " cuts kept; all: " << all.iterations << " steps");
    // At most 41 affinely independent slopes have weight, the new one and those of the last steps.
    BOOST_TEST(slots <= 41 + 2 + age + 1);
    BOOST_TEST(slots < all.iterations);
  }
}

BOOST_AUTO_TEST_CASE(another_instance_goes_on_from_the_arena_as_if_nothing_had_been) {
  for (const char* solver : {"{bmrm: {age: 3}}", "{bmrm: {variant: line-search}}"})
    for (const char* loss : {"hinge", "logistic"}) {  // coded duals, and plain ones
      const auto small = small_problem(loss, "{elastic-net: {l1: 0.01, l2: 0.02}}");
      Steps first(*small, solver), second(*small, solver);
      first.start();
      for (int t = 0; t < 12; ++t) first.step();
      second.arena().restore(first.arena().all_numbers(), first.arena().all_integers());
      second.resume();
      for (int t = 0; t < 8; ++t) BOOST_TEST(first.step() == second.step());
      const auto count = small->problem->shape().parameters;
      BOOST_TEST(std::vector<double>(first.shown().weights, first.shown().weights + count) ==
                 std::vector<double>(second.shown().weights, second.shown().weights + count));
      BOOST_TEST(first.shown().parts == second.shown().parts);
    }
}

BOOST_AUTO_TEST_CASE(a_warm_start_takes_over_what_is_known) {
  const auto small = small_problem("hinge", "{l2: {lambda: 0.05}}");
  const RunOutcome known = small->solve("prox-sdca", 1e-8);
  RunOptions options;
  options.stop.relative_gap = 1e-6;
  options.stop.passes = 100.0;
  options.warm_weights = &known.weights;
  options.warm_dual = &known.dual_point;
  const std::atomic<bool> never{false};
  const RunOutcome run = run_solver(*small->problem, small->solver("bmrm"), options, {}, never);
  BOOST_TEST((run.status == Status::converged), run.message);
  BOOST_TEST(run.iterations <= 2);
}

BOOST_AUTO_TEST_CASE(a_regularizer_that_is_not_strongly_convex_is_refused) {
  for (const char* omega : {"{l1: {lambda: 0.1}}", "simplex", "{l2-ball: {radius: 1}}"}) {
    const auto small = small_problem("hinge", omega);
    const Check check = check_problem(*small->problem, small->solver("bmrm"));
    BOOST_TEST(!check.accepted);
    BOOST_TEST(check.refusal.find("strong-convexity") != std::string::npos, check.refusal);
  }
}

BOOST_AUTO_TEST_SUITE_END()
