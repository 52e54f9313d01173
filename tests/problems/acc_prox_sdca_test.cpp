// Accelerated dual coordinate ascent where it accelerates, and where it steps aside.
#include "reference.hpp"
#include "run/plan.hpp"

#include <fmt/format.h>

#include <boost/test/unit_test.hpp>

#include <cmath>

namespace {
using namespace fenchel;
using namespace fenchel::test;

struct Composition {
  const char* loss;
  const char* regularizer;
};

// R²/(λγ) is far above 10 n in each.
constexpr Composition kIllConditioned[] = {
    {"squared", "{l2: {lambda: 1e-4}}"},
    {"logistic", "{elastic-net: {l1: 1e-3, l2: 1e-4}}"},
    {"smooth-hinge", "{elastic-net: {l1: 1e-3, l2: 1e-4}}"},
    {"multinomial", "{l2: {lambda: 1e-4}}"},
    {"{smooth-max-of-hinge: {gamma: 0.5}}", "{elastic-net: {l1: 1e-3, l2: 1e-4}}"}};

}  // namespace

BOOST_AUTO_TEST_SUITE(acc_prox_sdca)

BOOST_AUTO_TEST_CASE(reaches_the_optimum_in_fewer_passes_than_the_plain_method) {
  for (const Composition& model : kIllConditioned) {
    const auto small = small_problem(model.loss, model.regularizer);
    const RunOutcome fast = small->solve("acc-prox-sdca", 1e-6, 1e5),
                     plain = small->solve("prox-sdca", 1e-6, 1e5);
    BOOST_TEST((fast.status == Status::converged), model.loss << ": " << fast.message);
    BOOST_TEST(fast.notes.empty());
    BOOST_TEST(fast.passes < plain.passes,
               model.loss << ": " << fast.passes << " against " << plain.passes);
    const RunOutcome other = small->solve("fista", 1e-7, 1e5);
    BOOST_TEST(fast.primal <= other.primal * (1.0 + 1e-6));
    BOOST_TEST(fast.dual <= other.primal);
  }
}

BOOST_AUTO_TEST_CASE(every_option_and_sampling_works_inside) {
  for (int option = 1; option <= 5; ++option)
    for (const char* sampling : {"permutation", "uniform"}) {
      const auto small = small_problem("logistic", "{elastic-net: {l1: 1e-3, l2: 1e-4}}");
      const std::string solver =
          fmt::format("{{acc-prox-sdca: {{option: {}, sampling: {}}}}}", option, sampling);
      const RunOutcome run = small->solve(solver, 1e-6, 1e5);
      BOOST_TEST((run.status == Status::converged), solver << ": " << run.message);
    }
}

// Theorem 3 bounds the outer iterations; each has at least one epoch and one evaluation of the gap.
BOOST_AUTO_TEST_CASE(the_theoretical_variant_stops_by_itself_within_its_theorem) {
  for (const Composition& model : kIllConditioned) {
    const auto small = small_problem(model.loss, model.regularizer);
    Spec spec;
    spec.solver = component("{acc-prox-sdca: {inner: theoretical}}");
    spec.stop.gap = 1e-5;
    const Plan plan = make_plan(*small->problem, spec, built_plugins(), true);
    RunOptions options;
    options.stop = spec.stop;
    options.certify_every = 1e12;  // nobody else ends the run
    const std::atomic<bool> never{false};
    const RunOutcome run = run_solver(*small->problem, plan.chosen.solver, options, {}, never);
    BOOST_TEST((run.status == Status::converged), model.loss << ": " << run.message);
    BOOST_TEST(run.passes <= plan.chosen.passes,
               model.loss << ": " << run.passes << " passes, promised " << plan.chosen.passes);
  }
}

BOOST_AUTO_TEST_CASE(without_anything_to_accelerate_it_is_the_plain_method_and_says_so) {
  const auto small = small_problem("logistic", "{l2: {lambda: 0.1}}");
  const RunOutcome aside = small->solve("acc-prox-sdca", 1e-8),
                   plain = small->solve("prox-sdca", 1e-8);
  BOOST_TEST_REQUIRE(aside.notes.size() == 1U);
  BOOST_TEST(aside.notes[0].find("plain prox-sdca") != std::string::npos);
  BOOST_TEST(aside.passes == plain.passes);
  BOOST_TEST(aside.primal == plain.primal);
}

BOOST_AUTO_TEST_SUITE_END()
