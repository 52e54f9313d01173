// k scores a row: the map, the certificate and the optimum.
#include "data/linear_map.hpp"
#include "reference.hpp"
#include "run/session.hpp"

#include <boost/test/unit_test.hpp>

#include <cmath>
#include <filesystem>
#include <fstream>

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

// Reference: scikit-learn 1.2, LogisticRegression(newton-cg, multinomial, tol 1e-12), a column of
// ones added.
BOOST_AUTO_TEST_CASE(multinomial_on_digits_agrees_with_scikit_learn) {
  const auto data = std::filesystem::path(FENCHEL_SOURCE_DIR) / ".." / "shared" / "data" / "digits";
  if (!std::filesystem::exists(data)) {
    BOOST_TEST_MESSAGE("skipped: " << data << " is not here");
    return;
  }
  const auto file = std::filesystem::temp_directory_path() / "fenchel-digits-test.yaml";
  std::ofstream(file) << "fenchel: 1\ndata: {bias: penalized}\nloss: multinomial\nregularizer: "
                         "{l2: {lambda: 1e-2}}\n"
                         "solver: fista\nstop: {relative-gap: 1e-6, passes: 5000}\n";
  const Session session(
      load_spec(file, {"data.train=" + std::filesystem::canonical(data).string()}),
      built_plugins());
  std::filesystem::remove(file);
  RunOptions options;
  options.stop = session.spec().stop;
  const std::atomic<bool> never{false};
  const RunOutcome run = run_solver(
      session.problem(), built_plugins().make_solver(component("fista"), session.problem().shape()),
      options, {}, never);
  BOOST_TEST_REQUIRE((run.status == Status::converged), run.message);
  BOOST_TEST(run.primal == 0.0554614298957571, boost::test_tools::tolerance(1e-6));
}

BOOST_AUTO_TEST_SUITE_END()
