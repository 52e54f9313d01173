// Losses that see the whole sample as one block: the map, the constants, the optimum, the model.
#include "reference.hpp"

#include "report/files.hpp"
#include "run/automatic.hpp"
#include "run/plan.hpp"
#include "run/session.hpp"

#include <fmt/format.h>

#include <boost/test/unit_test.hpp>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <numeric>

namespace {
using namespace fenchel;
using namespace fenchel::test;

double constant(const Problem& problem, std::int32_t id) {
  const Derived found = problem.constants().find(FENCHEL_ABOUT_PROBLEM, id);
  BOOST_TEST_REQUIRE(found.known());
  return found.value();
}

Spec spec_of(const std::string& data, const std::string& rest) {
  const auto file = std::filesystem::temp_directory_path() / "fenchel-whole-sample-test.yaml";
  std::ofstream(file) << fmt::format("fenchel: 1\ndata: {{train: {}}}\n{}\n", data, rest);
  Spec spec = load_spec(file, {});
  std::filesystem::remove(file);
  return spec;
}

std::string shipped(const char* name) {
  return (std::filesystem::path(FENCHEL_SOURCE_DIR) / "specs" / "data" / name).string();
}

RunOutcome planned(const Session& session) {
  const Plan plan = make_plan(session.problem(), session.spec(), built_plugins(), false);
  RunOptions options;
  options.stop = session.spec().stop;
  options.certify_every = 200.0;
  const std::atomic<bool> never{false};
  return run_plan(session.problem(), plan, options, {}, never).run;
}

// The distance from 0 to the convex hull of the rows, squared: min |A^T u|^2 over the simplex, by
// Frank-Wolfe steps towards and away from rows (exact line search).
double squared_distance_to_hull(const SmallProblem& small) {
  const auto rows = static_cast<std::size_t>(small.x.rows);
  const auto columns = static_cast<std::size_t>(small.x.columns);
  std::vector<double> u(rows, 1.0 / static_cast<double>(rows)), v(columns), z(rows), d(columns);
  for (int k = 0; k < 200000; ++k) {
    small.map->adjoint(small.parallel, u.data(), v.data());
    small.map->apply(small.parallel, v.data(), z.data());
    const auto to = static_cast<std::size_t>(std::min_element(z.begin(), z.end()) - z.begin());
    std::size_t from = to;
    for (std::size_t i = 0; i < rows; ++i)
      if (u[i] > 0.0 && (from == to || z[i] > z[from])) from = i;
    if (z[from] - z[to] <= 1e-12) break;
    // Moves weight from one row to another.
    std::vector<double> move(rows, 0.0);
    move[to] += 1.0;
    move[from] -= 1.0;
    small.map->adjoint(small.parallel, move.data(), d.data());
    const double curvature = std::inner_product(d.begin(), d.end(), d.begin(), 0.0);
    const double step = std::min(u[from], (z[from] - z[to]) / curvature);
    u[to] += step;
    u[from] -= step;
  }
  small.map->adjoint(small.parallel, u.data(), v.data());
  return std::inner_product(v.begin(), v.end(), v.begin(), 0.0);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(whole_sample)

BOOST_AUTO_TEST_CASE(the_one_block_is_the_whole_map) {
  for (const bool dense : {false, true}) {
    SmallOptions options;
    options.dense = dense;
    const auto small = small_problem("biased-hinge", "{l2: {lambda: 0.1}}", options);
    const fenchel_shape& shape = small->map->shape();
    BOOST_TEST(shape.blocks == 1);
    BOOST_TEST(shape.scores == 40);
    BOOST_TEST(shape.widest_block == 40);
    std::vector<double> w{0.3, -1.0, 2.0, 0.0, 0.7, -0.2}, z(40), block(40), v(6), added(6, 0.0);
    small->map->apply(Parallel(1), w.data(), z.data());
    BOOST_TEST(small->map->block_scores(0, w.data(), block.data()) == shape.entries);
    BOOST_TEST((z == block));
    small->map->adjoint(Parallel(1), z.data(), v.data());
    BOOST_TEST(small->map->block_add(0, z.data(), 2.0, added.data()) == shape.entries);
    for (std::size_t j = 0; j < 6; ++j)
      BOOST_TEST(added[j] == 2.0 * v[j], boost::test_tools::tolerance(1e-13));
    std::vector<double> mean(6);
    small->problem->adjoint(z.data(), mean.data());
    BOOST_TEST((mean == v));  // n = 1
  }
}

BOOST_AUTO_TEST_CASE(the_norm_of_the_block_is_that_of_the_map_and_no_row_is_a_block) {
  const auto small = small_problem("biased-hinge", "{l2: {lambda: 0.1}}");
  const Problem& problem = *small->problem;
  const double norm = constant(problem, FENCHEL_FACT_OPERATOR_NORM);
  BOOST_TEST(constant(problem, FENCHEL_FACT_BLOCK_NORM) == norm);
  BOOST_TEST(constant(problem, FENCHEL_FACT_MEAN_SQUARED_NORM) == norm * norm,
             boost::test_tools::tolerance(1e-14));
  const RowsMap by_rows(small->x);
  BOOST_TEST(norm > std::sqrt(*std::ranges::max_element(by_rows.squared_norms())));
  BOOST_TEST(constant(problem, FENCHEL_FACT_RISK_LIPSCHITZ) == norm / std::sqrt(40.0),
             boost::test_tools::tolerance(1e-14));
  BOOST_TEST(constant(problem, FENCHEL_FACT_BLOCK_WIDTH) == 40.0);
  BOOST_TEST(problem.constants().find(FENCHEL_ABOUT_PROBLEM, FENCHEL_FACT_ROW_VIEW).absent());
}

BOOST_AUTO_TEST_CASE(threads_never_split_the_block) {
  SmallOptions options;
  options.rows = 30000;
  options.columns = 3;
  const auto small = small_problem("biased-hinge", "{l2: {lambda: 0.1}}", options);
  const Parallel three(3);
  const Problem threaded(*small->map, small->y, small->problem->loss(),
                         small->problem->regularizer(), three);
  const std::vector<double> w{0.4, -0.1, 0.2};
  std::vector<double> z(30000), g(30000), h(30000);
  small->problem->apply(w.data(), z.data());
  BOOST_TEST(threaded.risk(z.data()) == small->problem->risk(z.data()));
  threaded.loss_gradient(z.data(), g.data());
  small->problem->loss_gradient(z.data(), h.data());
  BOOST_TEST((g == h));
}

// The envelope of the minimum over b is the minimum over b of the envelopes: the same problem as
// gamma/n-smooth hinges with a free bias column, which is composed and solved otherwise.
BOOST_AUTO_TEST_CASE(smoothed_it_has_the_optimum_of_smooth_hinges_with_a_free_bias_column) {
  for (const std::uint64_t seed : {1U, 2U, 3U}) {
    SmallOptions options;
    options.seed = seed;
    auto small = small_problem("biased-hinge", "{l2: {lambda: 0.1}}", options);
    small->problem = std::make_unique<Problem>(
        *small->problem, smoothed(small->problem->loss(), 8.0), small->problem->regularizer());
    const RunOutcome run = small->solve("fista", 1e-8);
    BOOST_TEST_REQUIRE((run.status == Status::converged), run.message);
    options.bias = Bias::free;
    const auto other =
        small_problem("{smooth-hinge: {gamma: 0.2}}", "{l2: {lambda: 0.1}}", options);
    const RunOutcome expected = other->solve("fista", 1e-8);
    BOOST_TEST_REQUIRE((expected.status == Status::converged), expected.message);
    BOOST_TEST(std::abs(run.primal - expected.primal) <= 1e-7);
    for (std::size_t j = 0; j < 6; ++j)
      BOOST_TEST(std::abs(run.weights[j] - expected.weights[j]) <= 2e-3);
  }
}

// Reference: scikit-learn 1.2.1 (libsvm), SVC(kernel linear, C = 1/(0.1 n), tol 1e-12) on
// specs/data/notes.libsvm: the objective 0.1/2 |w|^2 + mean hinge, and the intercept.
BOOST_AUTO_TEST_CASE(the_repaired_problem_agrees_with_libsvm_in_objective_and_bias) {
  const Session session(
      spec_of(shipped("notes.libsvm"),
              "loss: biased-hinge\nregularizer: {l2: {lambda: 0.1}}\nsolver: fista\n"
              "repair: [smooth-loss]\nstop: {gap: 1e-5, passes: 50000}"),
      built_plugins());
  const RunOutcome run = planned(session);
  BOOST_TEST_REQUIRE((run.status == Status::converged), run.message);
  BOOST_TEST(std::abs(run.primal - 0.4212021152354228) <= 1e-5);
  BOOST_TEST(run.dual <= 0.4212021152354228 + 1e-12);
  const Model model = session.model(run.weights);
  BOOST_TEST_REQUIRE(model.bias.size() == 1U);
  BOOST_TEST(std::abs(model.bias[0] + 0.4760172341706) <= 2e-2);
}

BOOST_AUTO_TEST_CASE(the_model_scores_and_counts_with_the_bias_of_the_loss) {
  for (const char* loss : {"biased-hinge", "{smoothed: {of: biased-hinge, gamma: 40}}",
                           "{scaled: {of: biased-hinge, by: 2}}"})
    for (const char* bias : {"none", "penalized"}) {
      const Session session(
          spec_of(shipped("notes.libsvm") + ", bias: " + bias,
                  fmt::format("loss: {}\nregularizer: {{l2: {{lambda: 0.1}}}}\nsolver: "
                              "fista\nstop: {{gap: 1e-2, passes: 100}}",
                              loss)),
          built_plugins());
      std::vector<double> w(static_cast<std::size_t>(session.problem().shape().parameters));
      for (std::size_t j = 0; j < w.size(); ++j) w[j] = std::sin(static_cast<double>(j)) - 0.4;
      const Model model = session.model(w);
      BOOST_TEST_REQUIRE(model.bias.size() == 1U);

      const Dataset data = read_dataset(shipped("notes.libsvm"), {});
      const std::vector<double> y = model.labels.encode(data.labels, data.file);
      std::vector<double> z = score_rows(model, data.x);
      const auto mean_hinge = [&](double more) {
        double sum = 0.0;
        for (std::size_t i = 0; i < y.size(); ++i) sum += std::max(0.0, 1.0 - y[i] * (z[i] + more));
        return sum / static_cast<double>(y.size());
      };
      // No other bias is better.
      for (const double more : {-0.3, -1e-3, 1e-3, 0.3})
        BOOST_TEST(mean_hinge(0.0) <= mean_hinge(more) + 1e-14);
      BOOST_TEST(session.train_metrics(model, w).at("accuracy") ==
                 evaluate(model, z, y).at("accuracy"));
    }
}

BOOST_AUTO_TEST_CASE(the_largest_score_over_a_unit_matrix_has_a_known_optimum) {
  // min (lambda/2)|w|^2 + max w: w = -1/(lambda N), J = -1/(2 lambda N); soft maxima agree there.
  for (const char* loss : {"max", "{max: {temperature: 0.5}}"}) {
    SmallProblem made;
    made.x.rows = made.x.columns = 5;
    made.x.dense = true;
    made.x.starts.clear();
    for (int i = 0; i < 25; ++i) made.x.values.push_back(i % 6 == 0 ? 1.0 : 0.0);
    made.map = std::make_unique<WholeMap>(made.x);
    LossPart part = built_plugins().make_loss(component(loss), made.map->shape());
    if (std::string(loss) == "max") part = smoothed(std::move(part), 0.1);
    const double below = std::string(loss) == "max" ? 0.5 * 0.1 / 5.0 : 0.0;  // (gamma/2)|u|^2
    made.problem = std::make_unique<Problem>(
        *made.map, std::vector<double>{}, part,
        built_plugins().make_regularizer(component("{l2: {lambda: 0.2}}"), made.map->shape()),
        made.parallel);
    const RunOutcome run = made.solve("fista", 1e-9);
    BOOST_TEST_REQUIRE((run.status == Status::converged), run.message);
    BOOST_TEST(std::abs(run.primal + 0.5 + below) <= 1e-8);
  }
}

BOOST_AUTO_TEST_CASE(soft_maxima_come_within_mu_log_n_of_the_nearest_point_of_the_hull) {
  SmallOptions options;
  options.rows = 12;
  options.columns = 20;
  options.dense = true;
  options.density = 1.0;
  constexpr double kLambda = 0.5, kMu = 0.01;
  const auto small = small_problem(fmt::format("{{max: {{temperature: {}}}}}", kMu),
                                   fmt::format("{{l2: {{lambda: {}}}}}", kLambda), options);
  const RunOutcome run = small->solve("fista", 1e-8, 50000.0, 1, 50.0);
  BOOST_TEST_REQUIRE((run.status == Status::converged), run.message);
  const double best = -squared_distance_to_hull(*small) / (2.0 * kLambda);
  BOOST_TEST(run.primal <= best + 1e-7);
  BOOST_TEST(run.primal >= best - kMu * std::log(12.0) - 1e-7);
  std::vector<double> z(12);
  small->problem->apply(run.weights.data(), z.data());
  const double exact = small->problem->omega(run.weights.data()) + *std::ranges::max_element(z);
  BOOST_TEST(exact >= best - 1e-9);
  BOOST_TEST(exact <= best + kMu * std::log(12.0) + 1e-7);
}

BOOST_AUTO_TEST_CASE(a_loss_without_targets_takes_any_label_and_gives_no_metrics) {
  for (const char* rows : {"a,1,2\nb,-1,3\nc,0,1\n", "7,1,2\n7,-1,3\n7,0,1\n"}) {
    const auto file = std::filesystem::temp_directory_path() / "fenchel-unlabelled-test.csv";
    std::ofstream(file) << rows;
    const Session session(
        spec_of(file.string(),
                "loss: {max: {temperature: 0.1}}\nregularizer: {l2: {lambda: 0.1}}\n"
                "solver: fista\nstop: {gap: 1e-6, passes: 5000}"),
        built_plugins());
    std::filesystem::remove(file);
    const RunOutcome run = planned(session);
    BOOST_TEST((run.status == Status::converged), run.message);
    const Model model = session.model(run.weights);
    BOOST_TEST(model.labels.labels.empty());
    BOOST_TEST(model.bias.empty());
    BOOST_TEST(session.train_metrics(model, run.weights).values.empty());
  }
}

BOOST_AUTO_TEST_SUITE_END()
