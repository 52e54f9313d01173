// Smoothing as a strategy: levels by block, by temperature, and from coarse to fine.
#include "small_problem.hpp"

#include "run/automatic.hpp"
#include "run/plan.hpp"

#include <Eigen/Eigenvalues>

#include <boost/test/unit_test.hpp>

#include <cmath>

namespace {
using namespace fenchel;
using namespace fenchel::test;

PlanOutcome run_spec(const SmallProblem& small, const Spec& spec) {
  const Plan plan = make_plan(*small.problem, spec, built_plugins(), false);
  BOOST_TEST_REQUIRE(plan.refusal() == "");
  RunOptions options;
  options.stop = spec.stop;
  options.certify_every = 5.0;
  const std::atomic<bool> never{false};
  PlanOutcome outcome = run_plan(*small.problem, plan, options, {}, never);
  outcome.fits.clear();  // they belong to the plan
  return outcome;
}

Spec smoothing_spec(const char* solver, double gap) {
  Spec spec;
  spec.solver = component(solver);
  spec.repair = {"smooth-loss"};
  spec.stop.gap = gap;
  spec.stop.passes = 50000.0;
  return spec;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(smoothing)

// φ_γᵢ block by block is what one envelope with weights is, in all its oracles.
BOOST_AUTO_TEST_CASE(weights_give_every_block_its_own_level) {
  const auto small = small_problem("hinge", "{l2: {lambda: 0.1}}");
  auto weights = std::make_shared<std::vector<double>>();
  for (int i = 0; i < 40; ++i) weights->push_back(0.25 + 0.05 * i);
  constexpr double kGamma = 0.3;
  const Problem mixed(*small->problem, smoothed(small->problem->loss(), kGamma, weights),
                      small->problem->regularizer());
  std::vector<double> z(40), g(40), p(40), u(40);
  for (int i = 0; i < 40; ++i) z[static_cast<std::size_t>(i)] = 3.0 * std::sin(1.7 * i);
  mixed.loss_gradient(z.data(), g.data());
  mixed.loss_prox(z.data(), 0.7, p.data());
  for (std::size_t i = 0; i < 40; ++i) u[i] = -0.5 * small->y[i];
  double value = 0.0, conjugate = 0.0;
  for (std::size_t i = 0; i < 40; ++i) {
    const Problem alone(*small->problem, smoothed(small->problem->loss(), kGamma * (*weights)[i]),
                        small->problem->regularizer());
    std::vector<double> h(40), q(40), single(1);
    alone.loss_gradient(z.data(), h.data());
    alone.loss_prox(z.data(), 0.7, q.data());
    BOOST_TEST(g[i] == h[i]);
    BOOST_TEST(p[i] == q[i]);
    fenchel_batch batch = alone.batch(static_cast<std::int64_t>(i), 1);
    BOOST_TEST_REQUIRE(alone.loss().table->value(alone.loss().self, &batch, &z[i], single.data()) ==
                       FENCHEL_OK);
    value += single[0] / 40.0;
    BOOST_TEST_REQUIRE(alone.loss().table->conjugate(alone.loss().self, &batch, &u[i],
                                                     single.data()) == FENCHEL_OK);
    conjugate += single[0] / 40.0;
  }
  BOOST_TEST(mixed.risk(z.data()) == value, boost::test_tools::tolerance(1e-13));
  BOOST_TEST(mixed.risk_conjugate(u.data()) == conjugate, boost::test_tools::tolerance(1e-13));
}

BOOST_AUTO_TEST_CASE(the_constant_with_weights_is_the_largest_eigenvalue) {
  const auto small = small_problem("hinge", "{l2: {lambda: 0.1}}");
  auto weights = std::make_shared<std::vector<double>>();
  for (int i = 0; i < 40; ++i) weights->push_back(0.25 + 0.05 * i);
  const Problem mixed(*small->problem, smoothed(small->problem->loss(), 0.3, weights),
                      small->problem->regularizer());
  Eigen::MatrixXd a(40, 6);
  for (Eigen::Index j = 0; j < 6; ++j) {
    const Eigen::VectorXd unit = Eigen::VectorXd::Unit(6, j);
    Eigen::VectorXd column(40);
    small->problem->apply(unit.data(), column.data());
    a.col(j) = column;
  }
  Eigen::VectorXd beta(40);
  for (Eigen::Index i = 0; i < 40; ++i) beta[i] = 1.0 / (0.3 * (*weights)[std::size_t(i)]);
  const Eigen::MatrixXd h = a.transpose() * beta.asDiagonal() * a / 40.0;
  const double exact = h.selfadjointView<Eigen::Lower>().eigenvalues().maxCoeff();
  const double found =
      mixed.constants().find(FENCHEL_ABOUT_PROBLEM, FENCHEL_FACT_RISK_SMOOTHNESS).value();
  BOOST_TEST(found >= exact * (1.0 - 1e-12));
  BOOST_TEST(found <= exact * 1.06);
}

BOOST_AUTO_TEST_CASE(weights_by_the_data_cost_the_same_and_never_raise_the_constant) {
  SmallOptions options;
  options.rows = 200;
  for (const std::uint64_t seed : {1U, 2U, 3U, 4U}) {
    options.seed = seed;
    const auto small = small_problem("hinge", "{l2: {lambda: 0.1}}", options);
    // Rows of very different length are where the weights matter.
    for (std::size_t k = 0; k < small->x.values.size(); ++k)
      small->x.values[k] *= std::pow(10.0, std::sin(static_cast<double>(k / 12)));
    const auto fresh = std::make_unique<RowsMap>(small->x);
    const Problem problem(*fresh, small->y, small->problem->loss(), small->problem->regularizer(),
                          small->parallel);
    StopSpec stop;
    stop.gap = 1e-3;
    SmoothingSpec by_data;
    by_data.data_weights = true;
    const Scale scale = measure_scale(problem, stop);
    const Repair plain = possible_repairs(problem, scale).front(),
                 weighed = possible_repairs(problem, scale, by_data).front();
    BOOST_TEST(weighed.price == plain.price);
    const auto constant = [&](const Repair& repair) {
      return repaired(problem, {repair})
          ->constants()
          .find(FENCHEL_ABOUT_PROBLEM, FENCHEL_FACT_RISK_SMOOTHNESS)
          .value();
    };
    BOOST_TEST(constant(weighed) <= constant(plain));
    BOOST_TEST_REQUIRE(weighed.weights != nullptr);
    double mean = 0.0;
    for (const double b : *weighed.weights) mean += b / 200.0;
    BOOST_TEST(mean == 1.0, boost::test_tools::tolerance(1e-12));
  }
}

// The certificate of every level is that of the loss as it was: the optimum is prox-sdca's.
BOOST_AUTO_TEST_CASE(levels_from_coarse_to_fine_end_at_the_optimum_of_the_loss_itself) {
  const auto small = small_problem("hinge", "{l2: {lambda: 0.1}}");
  const double best = small->solve("prox-sdca", 1e-9).primal;
  for (const char* solver : {"agm-1", "fista", "acc-prox-sdca"})
    for (const double factor : {4.0, 100.0}) {
      Spec spec = smoothing_spec(solver, 1e-5);
      spec.smoothing.homotopy = true;
      spec.smoothing.factor = factor;
      const PlanOutcome outcome = run_spec(*small, spec);
      const RunOutcome& run = outcome.run;
      BOOST_TEST((run.status == Status::converged), solver << ": " << run.message);
      BOOST_TEST(run.primal - best <= 1e-5);
      BOOST_TEST(run.dual <= best + 1e-9);
      BOOST_TEST_REQUIRE(!run.notes.empty());
      BOOST_TEST(run.notes.back().find("levels of gamma") != std::string::npos);
      // One trace: passes never fall.
      for (std::size_t k = 1; k < run.trace.size(); ++k)
        BOOST_TEST(run.trace[k].passes >= run.trace[k - 1].passes);
    }
}

BOOST_AUTO_TEST_CASE(a_limit_ends_all_levels) {
  const auto small = small_problem("hinge", "{l2: {lambda: 0.1}}");
  Spec spec = smoothing_spec("fista", 1e-9);
  spec.smoothing.homotopy = true;
  spec.stop.passes = 30.0;
  const RunOutcome run = run_spec(*small, spec).run;
  BOOST_TEST((run.status == Status::limit), run.message);
  BOOST_TEST(run.passes <= 32.0);
}

BOOST_AUTO_TEST_CASE(a_temperature_is_taken_from_the_tolerance) {
  SmallOptions options;
  options.rows = 12;
  const auto small = small_problem("max", "{l2: {lambda: 0.5}}", options);
  Spec spec = smoothing_spec("agm-1", 1e-3);
  spec.smoothing.entropic = true;
  const Plan plan = make_plan(*small->problem, spec, built_plugins(), false);
  BOOST_TEST_REQUIRE(plan.chosen.needed.size() == 1U);
  BOOST_TEST(plan.chosen.needed[0].parameter == "temperature");
  BOOST_TEST(plan.chosen.needed[0].value == 0.5e-3 / std::log(12.0),
             boost::test_tools::tolerance(1e-12));
  const double best = small->solve("agm-dual", 1e-8).primal;
  const RunOutcome run = run_spec(*small, spec).run;
  BOOST_TEST((run.status == Status::converged), run.message);
  BOOST_TEST(run.primal - best <= 1e-3);
  // The hinge has no temperature: the check says that nothing fits.
  const auto hinge = small_problem("hinge", "{l2: {lambda: 0.1}}");
  BOOST_TEST(make_plan(*hinge->problem, spec, built_plugins(), false).refusal() != "");
}

BOOST_AUTO_TEST_SUITE_END()
