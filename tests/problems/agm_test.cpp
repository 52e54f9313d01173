// Accelerated gradient with estimate functions: the papers' invariants and bounds, step by step.
#include "reference.hpp"

#include "run/session.hpp"
#include "run/solver_problem.hpp"

#include <fenchel/sdk/estimate/sequence.hpp>

#include <fmt/format.h>
#include <Eigen/Eigenvalues>

#include <boost/test/unit_test.hpp>

#include <cmath>
#include <filesystem>
#include <fstream>

namespace {
using namespace fenchel;
using namespace fenchel::test;
using Primal = sdk::estimate::Primal;
using Dual = sdk::estimate::Dual;

struct Composition {
  const char* loss;
  const char* regularizer;
};

constexpr Composition kSmooth[] = {
    {"squared", "{l2: {lambda: 0.02}}"},      {"squared", "{l1: {lambda: 0.02}}"},
    {"logistic", "{l2: {lambda: 0.02}}"},     {"logistic", "{elastic-net: {l1: 0.02, l2: 0.01}}"},
    {"smooth-hinge", "{l1: {lambda: 0.02}}"}, {"multinomial", "{l2: {lambda: 0.02}}"}};

double constant(const SmallProblem& small, std::int32_t about, std::int32_t fact) {
  const fenchel_fact found = small.problem->constants().find(about, fact).fact;
  return found.state == FENCHEL_KNOWN ? found.value : 0.0;
}

double smoothness(const SmallProblem& small) {
  return constant(small, FENCHEL_ABOUT_PROBLEM, FENCHEL_FACT_RISK_SMOOTHNESS);
}

sdk::estimate::Options options_for(const SmallProblem& small, bool one, bool adaptive) {
  sdk::estimate::Options options;
  options.one_memory = one;
  options.adaptive = adaptive;
  options.lambda2 = constant(small, FENCHEL_ABOUT_REGULARIZER, FENCHEL_FACT_STRONG_CONVEXITY);
  options.lipschitz = smoothness(small) * (adaptive ? 0.01 : 1.0);
  return options;
}

// A sequence on the primal of a small problem.
struct Run {
  SolverProblem view;
  sdk::estimate::Sequence<Primal> sequence;

  Run(const SmallProblem& small, const sdk::estimate::Options& options)
      : view(*small.problem, 1, 0.0, 0.0) {
    const sdk::Problem problem(view.table());
    Primal space;
    space.start(problem, false);
    sequence.start(problem, std::move(space), options, nullptr);
  }
  double at(std::size_t what) const { return sequence.state()[what]; }
};

using State = sdk::estimate::Sequence<Primal>;

double squared_norm(const std::vector<double>& w) {
  double sum = 0.0;
  for (const double x : w) sum += x * x;
  return sum;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(agm)

BOOST_AUTO_TEST_CASE(the_value_stays_below_the_models_minimum_at_every_step) {
  for (const Composition& made : kSmooth)
    for (const bool one : {false, true})
      for (const bool adaptive : {false, true}) {
        const auto small = small_problem(made.loss, made.regularizer);
        Run run(*small, options_for(*small, one, adaptive));
        for (int k = 0; k < 60; ++k) {
          run.sequence.step();
          const double left = run.at(State::kScale) * run.at(State::kValue);
          BOOST_TEST(left <= run.at(State::kModel) + 1e-11 * (1.0 + std::abs(left)),
                     made.loss << " " << made.regularizer << " step " << k);
          const double* x = run.sequence.x();
          BOOST_TEST(run.at(State::kValue) ==
                         objective(*small->problem, {x, x + small->problem->shape().parameters}),
                     boost::test_tools::tolerance(1e-11));
        }
      }
}

// The model never exceeds its minimiser's value elsewhere: z is the argmin, by random directions.
BOOST_AUTO_TEST_CASE(the_model_is_least_at_its_minimiser) {
  const auto small = small_problem("logistic", "{elastic-net: {l1: 0.02, l2: 0.01}}");
  Run run(*small, options_for(*small, false, false));
  const auto size = static_cast<std::size_t>(small->problem->shape().parameters);
  std::mt19937_64 random(3);
  std::normal_distribution<double> normal;
  for (int k = 0; k < 20; ++k) {
    run.sequence.step();
    const double* z = run.view.arena().numbers("z", static_cast<std::int64_t>(size));
    const double* p = run.view.arena().numbers("linear", static_cast<std::int64_t>(size));
    const auto model = [&](const std::vector<double>& x) {
      double value = run.at(State::kConstant) + 0.5 * squared_norm(x) +
                     run.at(State::kMass) * small->problem->omega(x.data());
      for (std::size_t j = 0; j < size; ++j) value += p[j] * x[j];
      return value;
    };
    const std::vector<double> best(z, z + size);
    BOOST_TEST(model(best) == run.at(State::kModel), boost::test_tools::tolerance(1e-9));
    for (int m = 0; m < 50; ++m) {
      std::vector<double> other = best;
      for (double& x : other) x += std::pow(10.0, -m / 10.0) * normal(random);
      BOOST_TEST(model(other) >= run.at(State::kModel) - 1e-9 * std::abs(run.at(State::kModel)));
    }
  }
}

// Theorems 6 and 14.
BOOST_AUTO_TEST_CASE(the_bounds_on_the_value_hold_with_a_fixed_L) {
  for (const Composition& made : kSmooth)
    for (const bool one : {false, true}) {
      SmallOptions few;
      few.columns = 3;
      const auto small = small_problem(made.loss, made.regularizer, few);
      const std::vector<double> best = coordinate_minimum(*small->problem);
      const double optimum = objective(*small->problem, best), distance = 0.5 * squared_norm(best),
                   l = smoothness(*small);
      const sdk::estimate::Options options = options_for(*small, one, false);
      const double lambda = options.lambda2;
      Run run(*small, options);
      if (one) run.sequence.step();  // x₀ of the 1-memory method is itself a step
      for (int k = 1; k <= 80; ++k) {
        run.sequence.step();
        const double bound =
            one ? l * distance *
                      std::min(std::pow(1.0 - std::sqrt(lambda / (l + lambda)), k),
                               4.0 / ((k + 2.0) * (k + 2.0)))
                : distance *
                      std::min(4.0 * l / ((k + 1.0) * (k + 1.0)),
                               l * std::pow(1.0 + std::sqrt(lambda / (4.0 * l)), 2.0 - 2.0 * k));
        BOOST_TEST(
            run.at(State::kValue) - optimum <= bound + 1e-9,
            made.loss << " " << made.regularizer << (one ? " one" : " all") << " step " << k);
      }
    }
}

BOOST_AUTO_TEST_CASE(a_strongly_convex_regularizer_gives_a_linear_rate) {
  for (const bool one : {false, true}) {
    const auto small = small_problem("logistic", "{l2: {lambda: 0.05}}");
    Run run(*small, options_for(*small, one, false));
    std::vector<double> gaps;
    for (int k = 0; k < 120; ++k) {
      run.sequence.step();
      gaps.push_back(run.sequence.value() - run.sequence.other_value());
    }
    BOOST_TEST(gaps[39] < 0.2 * gaps[9]);
    BOOST_TEST(gaps[79] < 0.05 * gaps[39]);
    BOOST_TEST(gaps[119] < 0.05 * gaps[79]);
  }
}

// (22) and (35): α_k is feasible and its gap costs no pass.
BOOST_AUTO_TEST_CASE(the_averaged_dual_has_the_value_that_the_oracles_give) {
  for (const Composition& made : kSmooth) {
    if (std::string(made.regularizer).find("l1: {lambda") != std::string::npos) continue;
    for (const bool one : {false, true}) {
      const auto small = small_problem(made.loss, made.regularizer);
      Run run(*small, options_for(*small, one, true));
      for (int k = 0; k < 15; ++k) run.sequence.step();
      const auto scores = static_cast<std::size_t>(small->problem->shape().scores);
      std::vector<double> u(run.sequence.mean_slopes(), run.sequence.mean_slopes() + scores),
          v(static_cast<std::size_t>(small->problem->shape().parameters));
      const double conjugate = small->problem->risk_conjugate(u.data());
      for (double& x : u) x = -x;
      small->problem->adjoint(u.data(), v.data());
      const double dual = -conjugate - small->problem->omega_conjugate(v.data());
      BOOST_TEST(run.sequence.other_value() == dual, boost::test_tools::tolerance(1e-9));
      BOOST_TEST(dual <= run.sequence.value());
    }
  }
}

BOOST_AUTO_TEST_CASE(every_variant_is_certified_and_agrees_with_fista) {
  for (const Composition& made : kSmooth)
    for (const char* solver :
         {"agm-1", "agm-inf", "{agm-1: {step: fixed}}", "{agm-inf: {step: fixed}}"}) {
      const auto small = small_problem(made.loss, made.regularizer);
      const RunOutcome run = small->solve(solver, 1e-6), other = small->solve("fista", 1e-8);
      BOOST_TEST((run.status == Status::converged),
                 made.loss << " " << made.regularizer << " " << solver << ": " << run.message);
      BOOST_TEST(run.primal <= other.primal * (1.0 + 1e-6));
      BOOST_TEST(run.dual <= other.primal);
    }
}

BOOST_AUTO_TEST_CASE(the_dual_method_needs_no_smooth_loss) {
  for (const char* loss : {"hinge", "logistic", "squared", "max-of-hinge", "multinomial"})
    for (const char* omega : {"{l2: {lambda: 0.1}}", "{elastic-net: {l1: 0.02, l2: 0.1}}"})
      for (const char* solver :
           {"agm-dual", "{agm-dual: {memory: all}}", "{agm-dual: {step: fixed}}"}) {
        const auto small = small_problem(loss, omega);
        const RunOutcome run = small->solve(solver, 1e-5), other = small->solve("prox-sdca", 1e-7);
        BOOST_TEST((run.status == Status::converged),
                   loss << " " << omega << " " << solver << ": " << run.message);
        BOOST_TEST(run.primal <= other.primal * (1.0 + 1e-5));
        BOOST_TEST(run.dual <= other.primal);
      }
}

// Theorem 18 on the dual: J(w_k) − D(α_k) ≤ L Π(1 − aᵢ) max Δ, the domain of the hinge's α being
// [0, 1]ⁿ up to signs.
BOOST_AUTO_TEST_CASE(the_gap_on_a_bounded_domain_keeps_its_bound) {
  for (const bool one : {false, true}) {
    const auto small = small_problem("hinge", "{l2: {lambda: 0.1}}");
    SolverProblem view(*small->problem, 1, 0.0, 0.0);
    const sdk::Problem problem(view.table());
    const double n = static_cast<double>(small->x.rows);
    const double norm = constant(*small, FENCHEL_ABOUT_PROBLEM, FENCHEL_FACT_OPERATOR_NORM);
    sdk::estimate::Options options;
    options.one_memory = one;
    options.adaptive = false;
    options.lipschitz = norm * norm / (n * n * 0.1);
    Dual space;
    space.start(problem);
    sdk::estimate::Sequence<Dual> sequence;
    sequence.start(problem, std::move(space), options, nullptr);
    const double widest = 0.5 * n;  // each αᵢ moves by at most 1
    for (int k = 0; k < 100; ++k) {
      sequence.step();
      const double left = sequence.state()[sdk::estimate::Sequence<Dual>::kDecay];
      const double gap = sequence.value() - sequence.other_value();
      BOOST_TEST(gap <= (one ? options.lipschitz : 1.0) * left * widest + 1e-10);
    }
  }
}

// Theorems 10 and 18 on the primal: dom Ω is bounded, so that the gap of (x_k, α_k) is at most what
// is left of the first model times the largest distance from the start.
BOOST_AUTO_TEST_CASE(the_gap_keeps_its_bound_where_the_parameters_are_bounded) {
  const auto log_n = std::log(6.0);
  struct Bounded {
    const char* regularizer;
    bool entropy;
    double widest;  // max Δ(x, u₀) over dom Ω, with u₀ in the middle
  };
  // |x − 0|²/2 ≤ r²/2; |x − 1/N|²/2 ≤ (1 − 1/N)/2; KL(x, 1/N) ≤ log N.
  for (const Bounded& made :
       {Bounded{"{l2-ball: {radius: 0.7}}", false, 0.245},
        Bounded{"simplex", false, 0.5 * (1.0 - 1.0 / 6.0)}, Bounded{"simplex", true, log_n},
        Bounded{"{entropy: {lambda: 0.05}}", true, log_n}})
    for (const char* loss : {"squared", "logistic"})
      for (const bool one : {false, true}) {
        const auto small = small_problem(loss, made.regularizer);
        SolverProblem view(*small->problem, 1, 0.0, 0.0);
        const sdk::Problem problem(view.table());
        Primal space;
        space.start(problem, made.entropy);
        sdk::estimate::Sequence<Primal> sequence;
        const sdk::estimate::Options options = options_for(*small, one, false);
        sequence.start(problem, std::move(space), options, nullptr);
        for (int k = 0; k < 100 && !sequence.exhausted(); ++k) {
          sequence.step();
          const double left = sequence.state()[State::kDecay];
          const double gap = sequence.value() - sequence.other_value();
          BOOST_TEST(gap <= (one ? options.lipschitz : 1.0) * left * made.widest + 1e-9,
                     loss << " " << made.regularizer << (one ? " one" : " all") << " step " << k);
          BOOST_TEST(gap >= -1e-9);
        }
      }
}

// λ₂ in the norm of the entropy: the gap falls by a constant factor.
BOOST_AUTO_TEST_CASE(the_entropy_geometry_has_a_linear_rate_too) {
  for (const bool one : {false, true}) {
    const auto small = small_problem("logistic", "{entropy: {lambda: 0.05}}");
    SolverProblem view(*small->problem, 1, 0.0, 0.0);
    const sdk::Problem problem(view.table());
    Primal space;
    space.start(problem, true);
    sdk::estimate::Sequence<Primal> sequence;
    sdk::estimate::Options options = options_for(*small, one, false);
    options.lambda2 = 0.05;
    const double rate = one ? 1.0 - std::sqrt(0.05 / (options.lipschitz + 0.05))
                            : std::pow(1.0 + std::sqrt(0.05 / (4.0 * options.lipschitz)), -2.0);
    sequence.start(problem, std::move(space), options, nullptr);
    std::vector<double> gaps;
    for (int k = 0; k < 60; ++k) {
      sequence.step();
      gaps.push_back(sequence.value() - sequence.other_value());
    }
    // The distance from the start is at most log N, and the first step is not a decrease.
    for (int k = 2; k < 60; ++k)
      BOOST_TEST(gaps[static_cast<std::size_t>(k)] <=
                     options.lipschitz * std::log(6.0) * std::pow(rate, k - 1) + 1e-12,
                 (one ? "one" : "all") << " step " << k);
    BOOST_TEST(gaps[59] < 1e-4 * gaps[9]);
  }
}

// The same invariant with the entropy as distance, where the regularizer has a mirror step; the
// optimum is that of fista, which knows only Euclidean projections.
BOOST_AUTO_TEST_CASE(the_entropy_geometry_keeps_the_invariant_and_finds_the_optimum) {
  for (const char* omega :
       {"simplex", "{entropy: {lambda: 0.05}}", "{entropy: {lambda: 0.05, cap: 0.4}}"})
    for (const bool one : {false, true})
      for (const bool adaptive : {false, true}) {
        const auto small = small_problem("squared", omega);
        SolverProblem view(*small->problem, 1, 0.0, 0.0);
        const sdk::Problem problem(view.table());
        Primal space;
        space.start(problem, true);
        sdk::estimate::Sequence<Primal> sequence;
        sequence.start(problem, std::move(space), options_for(*small, one, adaptive), nullptr);
        const double best = small->solve("fista", 1e-9).primal;
        for (int k = 0; k < 400 && !sequence.exhausted(); ++k) {
          sequence.step();
          const double left = sequence.state()[State::kScale] * sequence.value();
          BOOST_TEST(left <= sequence.state()[State::kModel] + 1e-10 * (1.0 + std::abs(left)),
                     omega << " step " << k);
          BOOST_TEST(sequence.value() >= best * (1.0 - 1e-8));
        }
        BOOST_TEST(sequence.value() <= best * (1.0 + 1e-4), omega);
      }
  for (const char* solver : {"agm-1", "agm-inf"}) {
    const auto small = small_problem("squared", "{entropy: {lambda: 0.05, cap: 0.4}}");
    const RunOutcome run = small->solve(fmt::format("{{{}: {{geometry: entropy}}}}", solver), 1e-7);
    BOOST_TEST((run.status == Status::converged), run.message);
    BOOST_TEST(run.primal == small->solve("fista", 1e-9).primal,
               boost::test_tools::tolerance(1e-6));
  }
}

// λ₁: the least eigenvalue of AᵀA/n for the squared loss, and nothing from Ω. Theorems 6 and 14.
BOOST_AUTO_TEST_CASE(the_strong_convexity_of_the_loss_is_used) {
  SmallOptions few;
  few.columns = 3;
  const auto small = small_problem("squared", "{l1: {lambda: 0.02}}", few);
  Eigen::MatrixXd a(small->x.rows, 3);
  for (Eigen::Index j = 0; j < 3; ++j) {
    const Eigen::VectorXd unit = Eigen::VectorXd::Unit(3, j);
    Eigen::VectorXd column(small->x.rows);
    small->problem->apply(unit.data(), column.data());
    a.col(j) = column;
  }
  const Eigen::MatrixXd square = a.transpose() * a / static_cast<double>(small->x.rows);
  const double lambda = square.selfadjointView<Eigen::Lower>().eigenvalues().minCoeff();
  const std::vector<double> best = coordinate_minimum(*small->problem);
  const double optimum = objective(*small->problem, best), distance = 0.5 * squared_norm(best),
               l = smoothness(*small);
  for (const bool one : {false, true}) {
    sdk::estimate::Options options = options_for(*small, one, false);
    options.lambda1 = lambda;
    Run run(*small, options);
    if (one) run.sequence.step();
    for (int k = 1; k <= 60; ++k) {
      run.sequence.step();
      const double bound = distance * (l - lambda) *
                           (one ? std::pow(1.0 - std::sqrt(lambda / l), k)
                                : std::pow(1.0 + std::sqrt(lambda / (4.0 * l)), 2.0 - 2.0 * k));
      BOOST_TEST(run.at(State::kValue) - optimum <= bound + 1e-9, "step " << k);
      const double left = run.at(State::kScale) * run.at(State::kValue);
      BOOST_TEST(left <= run.at(State::kModel) + 1e-10 * (1.0 + std::abs(left)));
    }
  }
}

// On real data the accepted L is well below ‖A‖²/(4n), at few gradients a step.
BOOST_AUTO_TEST_CASE(adaptive_L_on_a9a_is_small_and_cheap) {
  const auto data = std::filesystem::path(FENCHEL_SOURCE_DIR) / ".." / "shared" / "data" / "a9a";
  if (!std::filesystem::exists(data)) {
    BOOST_TEST_MESSAGE("skipped: " << data << " is not here");
    return;
  }
  const auto file = std::filesystem::temp_directory_path() / "fenchel-agm-test.yaml";
  std::ofstream(file) << "fenchel: 1\ndata: {normalize: none}\nloss: logistic\nregularizer: {l2: "
                         "{lambda: 1e-5}}\nsolver: agm-1\n";
  const Session session(
      load_spec(file, {"data.train=" + std::filesystem::canonical(data).string()}),
      built_plugins());
  std::filesystem::remove(file);
  const double l = session.problem()
                       .constants()
                       .find(FENCHEL_ABOUT_PROBLEM, FENCHEL_FACT_RISK_SMOOTHNESS)
                       .fact.value;
  for (const bool one : {false, true}) {
    SolverProblem view(session.problem(), 1, 0.0, 0.0);
    const sdk::Problem problem(view.table());
    Primal space;
    space.start(problem, false);
    sdk::estimate::Options options;
    options.one_memory = one;
    options.lambda2 = 1e-5;
    options.lipschitz = 1e-3 * l;
    sdk::estimate::Sequence<Primal> sequence;
    sequence.start(problem, std::move(space), options, nullptr);
    double sum = 0.0;
    for (int k = 0; k < 200; ++k) {
      sequence.step();
      sum += sequence.state()[State::kL] / 200.0;
    }
    const double tries = sequence.state()[State::kTries] / sequence.state()[State::kSteps];
    BOOST_TEST_MESSAGE("mean L " << sum / l << " of the constant, " << tries
                                 << " gradients a step");
    BOOST_TEST(sum < 0.5 * l);
    BOOST_TEST(tries <= 3.0);
  }
}

BOOST_AUTO_TEST_SUITE_END()
