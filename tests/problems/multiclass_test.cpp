// k scores a row: the map, the certificate and the optimum.
#include "data/linear_map.hpp"
#include "reference.hpp"
#include "run/session.hpp"

#include <boost/test/unit_test.hpp>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <optional>

namespace {
using namespace fenchel;
using namespace fenchel::test;

std::unique_ptr<SmallProblem> small_classes(const std::string& loss, const std::string& regularizer,
                                            bool dense = false) {
  SmallOptions options;
  options.columns = 2;
  options.dense = dense;
  options.seed = 3;
  return small_problem(loss, regularizer, options);
}

// A data file with λ = 1e-2 unless `more` sets it; nothing where the file is not here.
std::optional<RunOutcome> solved(const char* file, const char* more, const std::string& loss,
                                 const std::string& solver, double gap) {
  const auto data = std::filesystem::path(FENCHEL_SOURCE_DIR) / ".." / "shared" / "data" / file;
  if (!std::filesystem::exists(data)) {
    BOOST_TEST_MESSAGE("skipped: " << data << " is not here");
    return std::nullopt;
  }
  const auto spec = std::filesystem::temp_directory_path() / "fenchel-multiclass-test.yaml";
  std::ofstream(spec) << "fenchel: 1\ndata: {normalize: none}\nloss: " << loss
                      << "\nregularizer: {l2: {lambda: 1e-2}}\nsolver: " << solver << "\n";
  const Session session(
      load_spec(spec, {"data.train=" + std::filesystem::canonical(data).string(), more}),
      built_plugins());
  std::filesystem::remove(spec);
  RunOptions options;
  options.stop.relative_gap = gap;
  options.stop.passes = 5000.0;
  const std::atomic<bool> never{false};
  RunOutcome run = run_solver(
      session.problem(), built_plugins().make_solver(component(solver), session.problem().shape()),
      options, {}, never);
  BOOST_TEST_REQUIRE((run.status == Status::converged), run.message);
  return run;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(multiclass)

BOOST_AUTO_TEST_CASE(the_adjoint_belongs_to_the_map_with_any_number_of_threads) {
  for (const bool dense : {false, true}) {
    const auto small = small_classes("multinomial", "{l2: {lambda: 0.1}}", dense);
    std::mt19937_64 random(8);
    std::normal_distribution<double> normal;
    std::vector<double> w(6), z(120), a(120), v(6), v2(6);
    for (double& value : w) value = normal(random);
    for (double& value : a) value = normal(random);
    small->map->apply(Parallel(1), w.data(), z.data());
    small->map->adjoint(Parallel(1), a.data(), v.data());
    small->map->adjoint(Parallel(3), a.data(), v2.data());
    double left = 0.0, right = 0.0;
    for (std::size_t i = 0; i < z.size(); ++i) left += z[i] * a[i];
    for (std::size_t j = 0; j < w.size(); ++j) right += w[j] * v[j];
    BOOST_TEST(left == right, boost::test_tools::tolerance(1e-12));
    BOOST_TEST((v == v2));
  }
}

BOOST_AUTO_TEST_CASE(multinomial_by_fista_is_the_optimum_found_by_coordinate_search) {
  for (const char* omega : {"{l2: {lambda: 0.1}}", "{l1: {lambda: 0.02}}"}) {
    const auto small = small_classes("multinomial", omega);
    const RunOutcome run = small->solve("fista", 1e-8);
    BOOST_TEST_REQUIRE((run.status == Status::converged), run.message);
    const double best = objective(*small->problem, coordinate_minimum(*small->problem));
    BOOST_TEST(std::abs(run.primal - best) <= 1e-7);
    BOOST_TEST(run.dual <= best + 1e-10);
  }
}

// References: scikit-learn 1.2, LogisticRegression(multinomial, tol 1e-10) by newton-cg or lbfgs.
BOOST_AUTO_TEST_CASE(multinomial_agrees_with_scikit_learn) {
  const auto agrees = [](const char* file, const char* more, const char* solver, double expected) {
    const auto run = solved(file, more, "multinomial", solver, 2e-7);
    if (run) BOOST_TEST(run->primal == expected, boost::test_tools::tolerance(1e-6));
  };
  agrees("digits", "data.bias=penalized", "fista", 0.0554614298957571);
  agrees("letter", "data.bias=none", "prox-sdca", 1.2803321710090545);
  agrees("20news.xz", "regularizer.l2.lambda=1e-4", "prox-sdca", 1.3378857812479485);
}

// References: the primal value of LIBLINEAR 2.3 -s 4 -e 0.001, recomputed from its weights.
BOOST_AUTO_TEST_CASE(max_of_hinge_agrees_with_liblinear) {
  const auto agrees = [](const char* file, const char* more, double expected) {
    const auto run = solved(file, more, "max-of-hinge", "prox-sdca", 3e-5);
    if (run) BOOST_TEST(run->primal == expected, boost::test_tools::tolerance(1e-4));
  };
  agrees("letter", "data.bias=none", 0.681496694515161);
  agrees("20news.xz", "regularizer.l2.lambda=1e-4", 0.1782833532626273);
}

BOOST_AUTO_TEST_SUITE_END()
