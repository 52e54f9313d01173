// What the check predicts against what happens: a bound must not fall below what it bounds, and the
// solver that the ranking puts first must not be far from the best.
#include "run/automatic.hpp"
#include "run/session.hpp"
#include "small_problem.hpp"

#include <boost/test/unit_test.hpp>

#include <filesystem>
#include <fstream>
#include <limits>

namespace {
using namespace fenchel;

constexpr double kMostPasses = 4000.0;

struct Tally {
  int pairs = 0, near_best = 0;
};

struct Pair {
  std::string data, loss, regularizer;
  double relative_gap;
};

const std::string kShared = std::string(FENCHEL_SOURCE_DIR) + "/../shared/data/";
const std::string kShipped = std::string(FENCHEL_SOURCE_DIR) + "/specs/data/";

// Ten on data that ship with the project, ten on larger sets that may be absent.
std::vector<Pair> pairs() {
  const std::string notes = kShipped + "notes.libsvm", yield = kShipped + "yield.csv",
                    a1a = kShared + "a1a", mushrooms = kShared + "mushrooms",
                    abalone = kShared + "abalone", bardet = kShared + "bardet";
  return {{notes, "logistic", "{l2: {lambda: 1e-1}}", 1e-4},
          {notes, "logistic", "{l2: {lambda: 1e-3}}", 1e-4},
          {notes, "logistic", "{l1: {lambda: 1e-2}}", 1e-3},
          {notes, "{smooth-hinge: {gamma: 1}}", "{l2: {lambda: 1e-2}}", 1e-5},
          {notes, "hinge", "{l2: {lambda: 1e-2}}", 1e-3},
          {notes, "squared-hinge", "{elastic-net: {l1: 1e-3, l2: 1e-2}}", 1e-4},
          {yield, "squared", "{l2: {lambda: 1e-1}}", 1e-6},
          {yield, "squared", "{l1: {lambda: 1e-1}}", 1e-4},
          {yield, "huber", "{elastic-net: {l1: 0.01, l2: 0.01}}", 1e-4},
          {yield, "{smoothed: {of: {huber: {delta: 2}}, gamma: 1}}",
           "{sum: [{l1: {lambda: 0.01}}, {l2: {lambda: 0.1}}]}", 1e-5},
          {a1a, "logistic", "{l2: {lambda: 1e-2}}", 1e-4},
          {a1a, "logistic", "{l2: {lambda: 1e-3}}", 1e-3},
          {a1a, "{smooth-hinge: {gamma: 1}}", "{l2: {lambda: 1e-3}}", 1e-3},
          {a1a, "hinge", "{l2: {lambda: 1e-2}}", 1e-2},
          {a1a, "{weighted: {of: logistic, positive: 3}}", "{l2: {lambda: 1e-2}}", 1e-4},
          {mushrooms, "logistic", "{l2: {lambda: 1e-3}}", 1e-3},
          {mushrooms, "squared-hinge", "{l2: {lambda: 1e-2}}", 1e-4},
          {mushrooms, "logistic", "{elastic-net: {l1: 1e-3, l2: 1e-2}}", 1e-3},
          {abalone, "squared", "{l2: {lambda: 1e-1}}", 1e-4},
          {bardet, "{huber: {delta: 1}}", "{l2: {lambda: 1e-1}}", 1e-4}};
}

Spec spec_of(const Pair& pair) {
  const auto file = std::filesystem::temp_directory_path() / "fenchel-prediction-test.yaml";
  std::ofstream(file) << "fenchel: 1\ndata: {train: \"" << pair.data << "\"}\nloss: " << pair.loss
                      << "\nregularizer: " << pair.regularizer
                      << "\nsolver: auto\nstop: {relative-gap: " << pair.relative_gap
                      << ", passes: " << kMostPasses << "}\n";
  Spec spec = load_spec(file);
  std::filesystem::remove(file);
  return spec;
}

// Passes to the tolerance; infinity where the limit came first.
double measured_passes(const Problem& problem, const Fit& fit, const Spec& spec) {
  RunOptions options;
  options.stop = spec.stop;
  options.certify_every = 1e-9;  // every step, so that nothing is lost between two certificates
  const std::atomic<bool> never{false};
  const auto solver =
      test::built_plugins().make_solver(test::component(fit.solver.id), problem.shape());
  const RunOutcome run = run_solver(problem, solver, options, {}, never);
  BOOST_TEST_REQUIRE((run.status != Status::failed), run.message);
  return run.status == Status::converged ? run.passes : std::numeric_limits<double>::infinity();
}

void compare(const Pair& pair, Tally& tally) {
  const Session session(spec_of(pair), test::built_plugins());
  const Plan plan = make_plan(session.problem(), session.spec(), test::built_plugins(), true);
  double best = std::numeric_limits<double>::infinity(), first = best;
  for (const Fit& fit : plan.ranking) {
    if (!fit.fits) continue;
    const double passes = measured_passes(session.problem(), fit, session.spec());
    BOOST_TEST_MESSAGE(pair.data.substr(pair.data.rfind('/') + 1)
                       << " " << pair.loss << " " << pair.regularizer << " " << fit.solver.id
                       << ": predicted " << fit.passes << ", measured " << passes);
    if (std::isfinite(passes))
      BOOST_TEST(fit.passes >= 0.5 * passes);
    else
      BOOST_TEST(fit.passes >= 0.5 * kMostPasses);
    best = std::min(best, passes);
    if (&fit == &plan.ranking.front()) first = passes;
  }
  ++tally.pairs;
  tally.near_best += static_cast<int>(first <= 3.0 * best);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(prediction)

BOOST_AUTO_TEST_CASE(predicted_passes_bound_the_measured_and_the_first_choice_is_near_the_best) {
  Tally tally;
  for (const Pair& pair : pairs()) {
    if (std::filesystem::exists(pair.data))
      compare(pair, tally);
    else
      BOOST_TEST_MESSAGE("skipped: " << pair.data << " is not here");
  }
  BOOST_TEST_MESSAGE(tally.near_best << " of " << tally.pairs
                                     << " first choices within 3x of the best");
  BOOST_TEST(tally.near_best >= (tally.pairs * 4) / 5);
}

BOOST_AUTO_TEST_SUITE_END()
