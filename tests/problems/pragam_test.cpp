// The excessive gap: its condition and its bound at every step, and the optimum it comes to.
#include "reference.hpp"

#include "run/solver_problem.hpp"

#include <fenchel/sdk/estimate/excessive_gap.hpp>

#include <boost/test/unit_test.hpp>

#include <cmath>

namespace {
using namespace fenchel;
using namespace fenchel::test;
using sdk::estimate::ExcessiveGap;

struct Case {
  const char* loss;
  const char* regularizer;
  double modulus;  // of the regularizer
  double sigma;    // of the dual's other part, times n
};

constexpr Case kCases[] = {{"hinge", "{l2: {lambda: 0.1}}", 0.1, 0.0},
                           {"hinge", "{elastic-net: {l1: 0.02, l2: 0.1}}", 0.1, 0.0},
                           {"biased-hinge", "{l2: {lambda: 0.1}}", 0.1, 0.0},
                           {"max-of-hinge", "{l2: {lambda: 0.1}}", 0.1, 0.0},
                           {"{smooth-hinge: {gamma: 0.5}}", "{l2: {lambda: 0.1}}", 0.1, 0.5},
                           {"logistic", "{l2: {lambda: 0.1}}", 0.1, 4.0}};

double operator_norm(const SmallProblem& small) {
  return small.problem->constants()
      .find(FENCHEL_ABOUT_PROBLEM, FENCHEL_FACT_OPERATOR_NORM)
      .fact.value;
}

// J_μ(w): the inner maximum by Moreau's identity from the loss's prox, independent of the method's
// own arrangement. With t = 1/(nμ) and s = z/n − μ α_c a block's maximum over x of
// −⟨x, z⟩/n − φ*(−x)/n − (μ/2)|x − α_c|² is found from u = −x, and evaluated as it is written.
double smoothed_primal(const SmallProblem& small, const double* w, const double* centre,
                       double mu) {
  const Problem& problem = *small.problem;
  const auto n = static_cast<double>(problem.shape().blocks);
  std::vector<double> z(static_cast<std::size_t>(problem.shape().scores)), s(z), p(z), u(z);
  problem.apply(w, z.data());
  // u minimises φ*(u) − ⟨u, z⟩ + (nμ/2)|u + α_c|²: prox of φ*/(nμ) at z/(nμ) − α_c.
  const double c = n * mu;
  for (std::size_t i = 0; i < z.size(); ++i) s[i] = z[i] - c * centre[i];
  problem.loss_prox(s.data(), c, p.data());
  double value = problem.omega(w);
  for (std::size_t i = 0; i < z.size(); ++i) {
    u[i] = (s[i] - p[i]) / c;
    value += u[i] * z[i] / n - 0.5 * mu * (u[i] + centre[i]) * (u[i] + centre[i]);
  }
  problem.project_dual(u.data());
  return value - problem.risk_conjugate(u.data());
}

}  // namespace

BOOST_AUTO_TEST_SUITE(pragam)

BOOST_AUTO_TEST_CASE(the_excessive_gap_condition_holds_at_every_step) {
  for (const Case& made : kCases)
    for (const bool adaptive : {false, true}) {
      const auto small = small_problem(made.loss, made.regularizer);
      SolverProblem view(*small->problem, 1, 0.0, 0.0);
      const auto n = static_cast<double>(small->problem->shape().blocks);
      const double norm = operator_norm(*small);
      sdk::estimate::GapOptions options;
      options.adaptive = adaptive;
      options.lipschitz = norm * norm / (n * n * made.modulus) * (adaptive ? 0.01 : 1.0);
      options.sigma = made.sigma / n;
      ExcessiveGap gap;
      gap.start(sdk::Problem(view.table()), options, nullptr);
      for (int k = 0; k < 60; ++k) {
        gap.step();
        const double left =
            smoothed_primal(*small, gap.weights(), gap.centre(), gap.state()[ExcessiveGap::kMu]);
        BOOST_TEST(left <= gap.dual_value() + 1e-9 * (1.0 + std::abs(left)),
                   made.loss << " " << made.regularizer << " step " << k);
        const std::vector<double> w(gap.weights(),
                                    gap.weights() + small->problem->shape().parameters);
        BOOST_TEST(gap.primal() == objective(*small->problem, w),
                   boost::test_tools::tolerance(1e-10));
      }
    }
}

// (26) with μ₀ = L and the centre where the method starts: each α of the hinge moves by at most 1.
BOOST_AUTO_TEST_CASE(the_gap_keeps_its_bound) {
  const auto small = small_problem("hinge", "{l2: {lambda: 0.1}}");
  SolverProblem view(*small->problem, 1, 0.0, 0.0);
  const double n = 40.0, norm = operator_norm(*small);
  sdk::estimate::GapOptions options;
  options.adaptive = false;
  options.lipschitz = norm * norm / (n * n * 0.1);
  ExcessiveGap gap;
  gap.start(sdk::Problem(view.table()), options, nullptr);
  for (int k = 0; k < 200; ++k) {
    gap.step();
    const double mu = gap.state()[ExcessiveGap::kMu];
    BOOST_TEST(mu <= 4.0 * options.lipschitz / ((k + 2.0) * (k + 2.0)) * (1.0 + 1e-12));
    BOOST_TEST(gap.primal() - gap.dual_value() <= 0.5 * n * mu + 1e-10, "step " << k);
  }
}

// A smooth loss makes the dual strongly convex, and μ falls geometrically.
BOOST_AUTO_TEST_CASE(a_smooth_loss_gives_a_linear_rate) {
  const auto small = small_problem("{smooth-hinge: {gamma: 0.5}}", "{l2: {lambda: 0.1}}");
  SolverProblem view(*small->problem, 1, 0.0, 0.0);
  const double n = 40.0, norm = operator_norm(*small);
  sdk::estimate::GapOptions options;
  options.adaptive = false;
  options.lipschitz = norm * norm / (n * n * 0.1);
  options.sigma = 0.5 / n;
  const double factor =
      1.0 - 2.0 / (1.0 + std::sqrt(1.0 + 4.0 * options.lipschitz / options.sigma));
  ExcessiveGap gap;
  gap.start(sdk::Problem(view.table()), options, nullptr);
  for (int k = 0; k < 150; ++k) {
    gap.step();
    const double bound = 0.5 * n * options.lipschitz * std::pow(factor, k);
    BOOST_TEST(gap.primal() - gap.dual_value() <= bound + 1e-9, "step " << k);
  }
}

BOOST_AUTO_TEST_CASE(it_agrees_with_other_methods_on_losses_with_kinks) {
  for (const Case& made : kCases)
    for (const char* solver : {"pragam", "{pragam: {step: fixed}}"}) {
      const auto small = small_problem(made.loss, made.regularizer);
      const RunOutcome run = small->solve(solver, 1e-5);
      const RunOutcome other = small->solve("agm-dual", 1e-7);
      BOOST_TEST((run.status == Status::converged),
                 made.loss << " " << made.regularizer << " " << solver << ": " << run.message);
      BOOST_TEST(run.primal == other.primal, boost::test_tools::tolerance(2e-5));
      BOOST_TEST(run.dual <= other.primal);
    }
}

BOOST_AUTO_TEST_SUITE_END()
