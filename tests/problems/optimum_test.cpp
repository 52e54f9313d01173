// Every solver against an optimum found another way.
#include "reference.hpp"

#include <Eigen/Dense>

#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

namespace {
using namespace fenchel;
using namespace fenchel::test;

struct Case {
  std::string loss, regularizer, solver;
  Bias bias = Bias::none;
  bool dense = false;
};

std::ostream& operator<<(std::ostream& out, const Case& c) {
  return out << c.loss << " + " << c.regularizer << " by " << c.solver
             << (c.bias == Bias::free        ? ", free bias"
                 : c.bias == Bias::penalized ? ", penalized bias"
                                             : "")
             << (c.dense ? ", dense" : "");
}

std::vector<Case> smooth_cases() {
  std::vector<Case> cases;
  const std::string losses[] = {"squared", "logistic", "{smooth-hinge: {gamma: 0.5}}",
                                "squared-hinge", "{huber: {delta: 0.7}}"};
  const std::string regularizers[] = {"{l2: {lambda: 0.1}}", "{l1: {lambda: 0.03}}",
                                      "{elastic-net: {l1: 0.02, l2: 0.05}}", "none"};
  for (const std::string& loss : losses) {
    for (const std::string& regularizer : regularizers) {
      if (regularizer == "none" && loss != "squared" && loss.find("huber") == std::string::npos)
        continue;
      for (const Bias bias : {Bias::none, Bias::penalized, Bias::free})
        cases.push_back({loss, regularizer, "fista", bias, bias == Bias::penalized});
      cases.push_back({loss, regularizer, "{fista: {step: fixed, restart: false}}"});
    }
    cases.push_back({loss, "{l2: {lambda: 0.1}}", "prox-gradient"});
    cases.push_back(
        {loss, "{l1: {lambda: 0.03}}", "{prox-gradient: {step: fixed}}", Bias::none, true});
    for (const bool dense : {false, true}) {
      cases.push_back({loss, "{l2: {lambda: 0.1}}", "prox-sdca", Bias::penalized, dense});
      cases.push_back(
          {loss, "{elastic-net: {l1: 0.02, l2: 0.05}}", "prox-sdca", Bias::none, dense});
    }
  }
  return cases;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(optimum)

BOOST_DATA_TEST_CASE(the_certified_value_is_the_optimum_found_by_coordinate_search,
                     boost::unit_test::data::make(smooth_cases()), c) {
  SmallOptions options;
  options.bias = c.bias;
  options.dense = c.dense;
  options.columns = 4;
  const auto small = small_problem(c.loss, c.regularizer, options);
  const RunOutcome run = small->solve(c.solver, 1e-8, 20000.0, 1, 10.0);
  BOOST_TEST(run.message != "");
  BOOST_TEST_REQUIRE((run.status == Status::converged), run.message);
  const double best = objective(*small->problem, coordinate_minimum(*small->problem));
  BOOST_TEST(run.primal <= best + 1e-7 * (1.0 + std::abs(best)));
  BOOST_TEST(run.dual <= best + 1e-12 * (1.0 + std::abs(best)));
  BOOST_TEST(run.primal >= best - 1e-7 * (1.0 + std::abs(best)));
}

BOOST_AUTO_TEST_CASE(prox_sdca_on_the_hinge_agrees_with_projected_gradient_on_the_dual) {
  for (const std::uint64_t seed : {1U, 2U, 3U}) {
    SmallOptions options;
    options.seed = seed;
    options.rows = 25;
    const auto small = small_problem("hinge", "{l2: {lambda: 0.05}}", options);
    const RunOutcome run = small->solve("prox-sdca", 1e-7);
    BOOST_TEST((run.status == Status::converged), run.message);
    const double best = hinge_l2_minimum(*small, 0.05);
    BOOST_TEST(run.primal >= best - 1e-9);
    BOOST_TEST(run.dual <= best + 1e-6);
    BOOST_TEST(run.primal == best, boost::test_tools::tolerance(1e-5));
  }
}

BOOST_AUTO_TEST_CASE(ridge_equals_the_normal_equations) {
  SmallOptions options;
  options.dense = true;
  options.density = 1.0;
  const auto small = small_problem("squared", "{l2: {lambda: 0.2}}", options);
  using Rows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  const Eigen::Map<const Rows> x(small->x.values.data(), small->x.rows, small->x.columns);
  const Eigen::Map<const Eigen::VectorXd> y(small->y.data(), small->x.rows);
  const double n = static_cast<double>(small->x.rows);
  const Eigen::VectorXd w =
      (x.transpose() * x / n + 0.2 * Eigen::MatrixXd::Identity(x.cols(), x.cols()))
          .ldlt()
          .solve(x.transpose() * y / n);
  for (const char* solver : {"prox-sdca", "fista", "prox-gradient"}) {
    const RunOutcome run = small->solve(solver, 1e-13, 2000.0);
    BOOST_TEST_CONTEXT(solver)
    for (Eigen::Index j = 0; j < w.size(); ++j)
      BOOST_TEST(run.weights[static_cast<std::size_t>(j)] == w[j],
                 boost::test_tools::tolerance(1e-5));
  }
}

BOOST_AUTO_TEST_SUITE_END()
