// Real data against other software. References for a9a without bias, computed with scikit-learn 1.2
// at its tightest tolerances:
//   logistic + l2 1e-4             LogisticRegression newton-cg          0.324506924713757
//   logistic + l1 1e-3             LogisticRegression liblinear, l1      0.3470350693729798
//   logistic + l1 1e-3 + l2 1e-4   LogisticRegression saga               0.3478203653430698
//   hinge + l2 1e-4                LinearSVC; LIBLINEAR's dual and primal 0.351757 <= J* <=
//   0.3517618 logistic + l2 1e-4, free bias  LogisticRegression newton-cg 0.32441304411196165
#include "plugin/registry.hpp"
#include "run/run.hpp"
#include "run/session.hpp"
#include "small_problem.hpp"

#include <boost/test/unit_test.hpp>

#include <cmath>
#include <filesystem>
#include <fstream>

namespace {
using namespace fenchel;

const std::filesystem::path kData =
    std::filesystem::path(FENCHEL_SOURCE_DIR) / ".." / "shared" / "data" / "a9a";

RunOutcome solve(const std::string& body) {
  const std::filesystem::path file =
      std::filesystem::temp_directory_path() / "fenchel-a9a-test.yaml";
  std::ofstream(file) << "fenchel: 1\n" << body;
  const Session session(
      load_spec(file, {"data.train=" + std::filesystem::canonical(kData).string()}),
      test::built_plugins());
  std::filesystem::remove(file);
  RunOptions options;
  options.stop = session.spec().stop;
  const std::atomic<bool> never{false};
  const SolverPart solver =
      test::built_plugins().make_solver(session.spec().solver, session.problem().shape());
  return run_solver(session.problem(), solver, options, {}, never);
}

void check_against(const std::string& body, double reference, double tolerance) {
  if (!std::filesystem::exists(kData)) {
    BOOST_TEST_MESSAGE("skipped: " << kData << " is not here");
    return;
  }
  const RunOutcome run = solve(body);
  BOOST_TEST_REQUIRE((run.status == Status::converged), run.message);
  BOOST_TEST_MESSAGE("J = " << run.primal << ", gap " << run.primal - run.dual << ", " << run.passes
                            << " passes");
  BOOST_TEST(std::abs(run.primal - reference) <= tolerance * reference);
  BOOST_TEST(run.dual <= reference * (1.0 + 1e-12));
}

}  // namespace

BOOST_AUTO_TEST_SUITE(a9a)

BOOST_AUTO_TEST_CASE(hinge_l2_by_prox_sdca_certified_to_1e_6) {
  check_against(
      "loss: hinge\nregularizer: {l2: {lambda: 1e-4}}\nsolver: prox-sdca\nstop: {relative-gap: "
      "1e-6, passes: 20000}\n",
      0.3517618, 2e-6);
}

BOOST_AUTO_TEST_CASE(logistic_l2_by_fista_certified_to_1e_8) {
  check_against(
      "loss: logistic\nregularizer: {l2: {lambda: 1e-4}}\nsolver: fista\nstop: {relative-gap: "
      "1e-8, passes: 20000}\n",
      0.324506924713757, 1e-6);
}

BOOST_AUTO_TEST_CASE(logistic_l1_by_fista_certified_to_1e_7) {
  check_against(
      "loss: logistic\nregularizer: {l1: {lambda: 1e-3}}\nsolver: fista\nstop: {relative-gap: "
      "1e-7, passes: 20000}\n",
      0.3470350693729798, 1e-6);
}

BOOST_AUTO_TEST_CASE(logistic_elastic_net_by_fista_certified_to_1e_7) {
  check_against(
      "loss: logistic\nregularizer: {elastic-net: {l1: 1e-3, l2: 1e-4}}\nsolver: fista\n"
      "stop: {relative-gap: 1e-7, passes: 20000}\n",
      0.3478203653430698, 1e-6);
}

BOOST_AUTO_TEST_CASE(logistic_l2_with_a_free_bias_by_fista_certified_to_1e_7) {
  check_against(
      "data: {bias: free}\nloss: logistic\nregularizer: {l2: {lambda: 1e-4}}\nsolver: fista\n"
      "stop: {relative-gap: 1e-7, passes: 20000}\n",
      0.32441304411196165, 1e-6);
}

BOOST_AUTO_TEST_SUITE_END()
