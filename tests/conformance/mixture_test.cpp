// A dual shown as a mixture: the host recomputes all of it, so that an honest one certifies what
// the loss alone could not, and a lie about weights or parts is a failure of the solver.
#include "problems/reference.hpp"

#include "certify/certificate.hpp"

#include <fenchel/sdk.hpp>

#include <boost/test/unit_test.hpp>

#include <functional>
#include <limits>
#include <numeric>

namespace {

using namespace fenchel;
using namespace fenchel::test;
namespace sdk = fenchel::sdk;

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

// The hinge loss that knows its conjugate at the ends of the domain only, as a maximum over very
// many vertices does.
struct VertexHinge {
  sdk::LossFacts facts() const { return {.convex = true, .lipschitz = 1.0, .lower_bound = 0.0}; }
  double value(double z, double y) const { return std::max(0.0, 1.0 - y * z); }
  double gradient(double z, double y) const { return y * z < 1.0 ? -y : 0.0; }
  double conjugate(double u, double y) const { return u == 0.0 || u == -y ? y * u : sdk::infinity; }
  double prox(double s, double t, double y) const {
    return s + t * y * std::clamp((1.0 - y * s) / t, 0.0, 1.0);
  }
  sdk::Interval dual_domain(double y) const { return {std::min(0.0, -y), std::max(0.0, -y)}; }
};

// The small problem under that loss.
Problem vertex_problem(const SmallProblem& small) {
  static const VertexHinge hinge;
  LossPart loss;
  loss.id = "vertex-hinge";
  loss.self = &hinge;
  loss.table = &sdk::detail::kLossTable<VertexHinge>;
  loss.explain = sdk::detail::explain;
  return {*small.map, small.y, loss, small.problem->regularizer(), small.parallel};
}

struct Mixed {
  std::vector<double> weights;
  std::vector<std::vector<double>> parts;

  Mixture mixture() const {
    return {static_cast<std::int64_t>(parts.size()), weights.data(),
            [this](std::int64_t j, double* dual) {
              std::ranges::copy(parts[static_cast<std::size_t>(j)], dual);
            }};
  }
  std::vector<double> alpha() const {
    std::vector<double> sum(parts.front().size());
    for (std::size_t j = 0; j < parts.size(); ++j)
      for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += weights[j] * parts[j][i];
    return sum;
  }
};

// Subgradients at random weights, mixed at random.
Mixed random_mixture(const Problem& problem, std::size_t count, std::mt19937_64& random) {
  std::normal_distribution<double> normal;
  Mixed mixed;
  const auto scores = static_cast<std::size_t>(problem.shape().scores);
  for (std::size_t j = 0; j < count; ++j) {
    std::vector<double> w(static_cast<std::size_t>(problem.shape().parameters)), z(scores),
        u(scores);
    for (double& x : w) x = normal(random);
    problem.apply(w.data(), z.data());
    problem.loss_gradient(z.data(), u.data());
    for (double& x : u) x = -x;
    mixed.parts.push_back(std::move(u));
    mixed.weights.push_back(-std::log(std::uniform_real_distribution<double>(1e-9, 1.0)(random)));
  }
  const double sum = std::accumulate(mixed.weights.begin(), mixed.weights.end(), 0.0);
  for (double& beta : mixed.weights) beta /= sum;
  return mixed;
}

void expect_failure(const Problem& problem, const Mixed& mixed, const std::string& text) {
  const std::vector<double> w(static_cast<std::size_t>(problem.shape().parameters));
  BOOST_CHECK_EXCEPTION(certify(problem, w.data(), nullptr, mixed.mixture()), Error,
                        [&](const Error& e) {
                          BOOST_TEST_MESSAGE(e.what());
                          return e.exit() == Exit::plugin_failed &&
                                 std::string(e.what()).find(text) != std::string::npos;
                        });
}

// A solver that shows whatever mixture it is given.
struct Showing {
  static inline Mixed shown;
  static inline bool throws = false;
  static inline double gap = 0.25;

  std::vector<sdk::Requirement> requirements() const { return {}; }
  void start(sdk::Problem problem) { weights_ = problem.numbers("weights", problem.parameters()); }
  sdk::Outcome step() { return sdk::Outcome::stalled; }
  sdk::View view() const {
    return {.weights = weights_,
            .parts = static_cast<std::int64_t>(shown.parts.size()),
            .part_weights = shown.weights.data(),
            .own_gap = &gap};
  }
  void part(std::int64_t j, double* dual) const {
    if (throws) throw std::runtime_error("no part today");
    std::ranges::copy(shown.parts[static_cast<std::size_t>(j)], dual);
  }

 private:
  double* weights_ = nullptr;
};

RunOutcome run_showing(const Problem& problem) {
  Showing showing;
  SolverPart part;
  part.id = "showing";
  part.self = &showing;
  part.table = &sdk::detail::kSolverTable<Showing>;
  part.explain = sdk::detail::explain;
  RunOptions options;
  options.stop.gap = 1e-9;
  const std::atomic<bool> never{false};
  return run_solver(problem, part, options, {}, never);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(mixtures)

BOOST_AUTO_TEST_CASE(a_mixture_bounds_what_the_conjugate_cannot_tell) {
  std::mt19937_64 random(3);
  for (const char* omega : {"{l2: {lambda: 0.1}}", "{l1: {lambda: 0.05}}"}) {
    const auto small = small_problem("hinge", omega);
    const Problem vertex = vertex_problem(*small);
    const std::vector<double> w(static_cast<std::size_t>(small->x.columns));
    for (int round = 0; round < 20; ++round) {
      const Mixed mixed = random_mixture(vertex, 4, random);
      const double found = certify(vertex, w.data(), nullptr, mixed.mixture()).dual;
      // φ* is linear on the domain of the hinge loss: the mixture loses nothing.
      const std::vector<double> alpha = mixed.alpha();
      const double known = certify(*small->problem, w.data(), alpha.data()).dual;
      BOOST_TEST(std::abs(found - known) <= 1e-12);
      BOOST_TEST(!std::isfinite(certify(vertex, w.data(), alpha.data()).dual));
    }
  }
}

BOOST_AUTO_TEST_CASE(the_conjugate_itself_is_taken_where_it_says_more) {
  std::mt19937_64 random(4);
  const auto small = small_problem("logistic", "{l2: {lambda: 0.1}}");
  const std::vector<double> w(static_cast<std::size_t>(small->x.columns));
  for (int round = 0; round < 20; ++round) {
    const Mixed mixed = random_mixture(*small->problem, 5, random);
    const std::vector<double> alpha = mixed.alpha();
    const Certificate c = certify(*small->problem, w.data(), nullptr, mixed.mixture());
    BOOST_TEST(std::abs(c.dual - certify(*small->problem, w.data(), alpha.data()).dual) <= 1e-12);
    for (std::size_t i = 0; i < alpha.size(); ++i)
      BOOST_TEST(std::abs(c.alpha[i] - alpha[i]) <= 1e-14);
  }
}

BOOST_AUTO_TEST_CASE(weights_that_are_no_convex_combination_are_a_failure) {
  std::mt19937_64 random(5);
  const auto small = small_problem("hinge", "{l2: {lambda: 0.1}}");
  const Mixed honest = random_mixture(*small->problem, 3, random);
  const auto with = [&](std::vector<double> weights) {
    Mixed lie = honest;
    lie.weights = std::move(weights);
    return lie;
  };
  expect_failure(*small->problem, with({1.2, -0.2, 0.0}), "weight 1 is -0.2");
  expect_failure(*small->problem, with({0.5, 0.5, 1e-6}), "sum up to 1.000001");
  expect_failure(*small->problem, with({0.3, 0.3, 0.3}), "sum up to 0.9");
  expect_failure(*small->problem, with({0.5, kNaN, 0.5}), "weight 1 is nan");
  const std::vector<double> w(static_cast<std::size_t>(small->x.columns));
  Mixture none = honest.mixture();
  none.weights = nullptr;
  BOOST_CHECK_THROW(certify(*small->problem, w.data(), nullptr, none), Error);
  // What rounding does to weights is no lie.
  const std::vector<double> alpha = honest.alpha();
  Mixed rounded = honest;
  rounded.weights[0] += 1e-13;
  const double dual = certify(*small->problem, w.data(), nullptr, rounded.mixture()).dual;
  BOOST_TEST(std::abs(dual - certify(*small->problem, w.data(), alpha.data()).dual) <= 1e-11);
}

BOOST_AUTO_TEST_CASE(an_infeasible_part_is_a_failure_even_where_the_mixture_is_feasible) {
  std::mt19937_64 random(6);
  const auto small = small_problem("hinge", "{l2: {lambda: 0.1}}");
  Mixed lie{{0.5, 0.5}, {}};
  const std::size_t n = small->y.size();
  lie.parts = {std::vector<double>(n), std::vector<double>(n)};
  lie.parts[0][7] = 1.5 * small->y[7];
  lie.parts[1][7] = -0.5 * small->y[7];
  expect_failure(*small->problem, lie, "(part 0): entry 7");
  lie.parts[0][7] = kNaN;
  lie.parts[1][7] = 0.0;
  expect_failure(*small->problem, lie, "(part 0): entry 7");
  lie.weights = {0.0, 1.0};  // what has no weight is not looked at
  const std::vector<double> w(static_cast<std::size_t>(small->x.columns));
  BOOST_CHECK_NO_THROW(certify(*small->problem, w.data(), nullptr, lie.mixture()));
}

BOOST_AUTO_TEST_CASE(a_run_takes_parts_and_gap_from_the_view_of_a_solver) {
  std::mt19937_64 random(7);
  const auto small = small_problem("hinge", "{l2: {lambda: 0.1}}");
  const Problem vertex = vertex_problem(*small);
  Showing::shown = random_mixture(vertex, 3, random);
  Showing::throws = false;
  const RunOutcome run = run_showing(vertex);
  BOOST_TEST_REQUIRE((run.status == Status::limit), run.message);
  BOOST_TEST(std::isfinite(run.dual));
  BOOST_TEST_REQUIRE(run.trace.size() == 1U);
  BOOST_TEST(run.trace[0].own_gap.value() == Showing::gap);

  Showing::shown.weights[0] += 0.5;
  const RunOutcome lie = run_showing(vertex);
  BOOST_TEST((lie.status == Status::failed));
  BOOST_TEST(lie.message.find("no convex combination") != std::string::npos, lie.message);

  Showing::throws = true;
  Showing::shown.weights[0] -= 0.5;
  const RunOutcome broken = run_showing(vertex);
  BOOST_TEST((broken.status == Status::failed));
  BOOST_TEST(broken.message.find("'part' failed: no part today") != std::string::npos,
             broken.message);
}

// A bundle method shows its cuts one by one, so that such a loss can be solved and certified; the
// line search keeps their mixture alone, and says that it cannot.
BOOST_AUTO_TEST_CASE(a_loss_that_knows_its_conjugate_at_subgradients_alone_is_solved_by_bmrm) {
  const auto small = small_problem("hinge", "{l2: {lambda: 0.05}}");
  const Problem vertex = vertex_problem(*small);
  RunOptions options;
  options.stop.relative_gap = 1e-7;
  options.stop.passes = 2000.0;
  const std::atomic<bool> never{false};
  const RunOutcome run = run_solver(vertex, small->solver("bmrm"), options, {}, never);
  BOOST_TEST((run.status == Status::converged), run.message);
  BOOST_TEST(std::abs(run.primal - small->solve("prox-sdca", 1e-7).primal) <= 1e-6);
  const RunOutcome line =
      run_solver(vertex, small->solver("{bmrm: {variant: line-search}}"), options, {}, never);
  BOOST_TEST((line.status == Status::failed));
  BOOST_TEST(line.message.find("take variant 'qp'") != std::string::npos, line.message);
}

BOOST_AUTO_TEST_SUITE_END()
