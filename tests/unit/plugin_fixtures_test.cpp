// The fixtures that load: what they do is what the tests of the host count on.
#include "plugin/registry.hpp"
#include "unit/plugin_support.hpp"

#include <boost/test/unit_test.hpp>

#include <array>
#include <cmath>
#include <map>
#include <vector>

namespace {

using namespace fenchel;
using namespace fenchel::plugin_support;

// As much of a problem as the solvers of the fixtures touch.
struct Arena {
  std::map<std::string, std::vector<double>> numbers;
  std::map<std::string, std::vector<std::int64_t>> integers;
  fenchel_shape sizes = shape();
  fenchel_problem problem{};

  Arena() {
    problem.struct_size = sizeof problem;
    problem.context = this;
    problem.shape = &sizes;
    problem.numbers = [](void* self, const char* name, int64_t count) {
      auto& array = static_cast<Arena*>(self)->numbers[name];
      array.resize(static_cast<std::size_t>(count));
      return array.data();
    };
    problem.integers = [](void* self, const char* name, int64_t count) {
      auto& array = static_cast<Arena*>(self)->integers[name];
      array.resize(static_cast<std::size_t>(count));
      return array.data();
    };
  }
};

SolverPart started(const std::string& id, const Arena& arena) {
  const Registry registry = Registry::scan({kFixtures / id});
  SolverPart solver = registry.make_solver(component(id), arena.sizes);
  BOOST_TEST(solver.table->start(const_cast<void*>(solver.self), &arena.problem) == FENCHEL_OK);
  return solver;
}

// One step, and the first weight after it.
double weight_after_step(const SolverPart& solver, std::int32_t& outcome) {
  void* self = const_cast<void*>(solver.self);
  BOOST_TEST(solver.table->step(self, &outcome) == FENCHEL_OK);
  fenchel_view view{};
  view.struct_size = sizeof view;
  BOOST_TEST(solver.table->view(self, &view) == FENCHEL_OK);
  return view.weights[0];
}

}  // namespace

BOOST_AUTO_TEST_SUITE(plugin_fixtures)

BOOST_AUTO_TEST_CASE(a_plugin_in_plain_c_works_like_any_other) {
  const Registry registry = Registry::scan({kFixtures / "squared-c"});
  const LossPart loss = registry.make_loss(component("squared-c"), shape());
  BOOST_TEST(loss.text == "squared-c");
  BOOST_TEST(fact_of(loss, FENCHEL_FACT_SMOOTHNESS).value == 1.0);
  BOOST_TEST(fact_of(loss, FENCHEL_FACT_LIPSCHITZ).state == FENCHEL_ABSENT);
  BOOST_TEST(fact_of(loss, FENCHEL_FACT_SEPARABLE).state == FENCHEL_UNKNOWN);

  const std::array targets{1.0, -2.0};
  const std::array scores{3.0, 0.5};
  const std::array steps{1.0, 4.0};
  fenchel_batch batch{};
  batch.struct_size = sizeof batch;
  batch.count = 2;
  batch.width = batch.target_width = 1;
  batch.targets = targets.data();
  std::array<double, 2> values{}, gradients{}, conjugates{}, prox{};
  loss.table->value(loss.self, &batch, scores.data(), values.data());
  loss.table->gradient(loss.self, &batch, scores.data(), gradients.data());
  loss.table->conjugate(loss.self, &batch, gradients.data(), conjugates.data());
  loss.table->prox(loss.self, &batch, scores.data(), steps.data(), prox.data());
  for (std::size_t b = 0; b < 2; ++b) {
    // Fenchel-Young holds with equality at a gradient; prox satisfies (s - x) / t = phi'(x).
    BOOST_TEST(values[b] + conjugates[b] == gradients[b] * scores[b]);
    BOOST_TEST((scores[b] - prox[b]) / steps[b] == prox[b] - targets[b]);
  }
  BOOST_TEST(values[0] == 2.0);
}

BOOST_AUTO_TEST_CASE(the_gradient_of_a_fixture_fails_once_it_is_used_up) {
  const Registry registry = Registry::scan({kFixtures / "failing-gradient"});
  const LossPart loss = registry.make_loss(component("failing-gradient"), shape());
  BOOST_TEST(loss.text == "failing-gradient(after = 3)");
  const double target = 1.0, score = 4.0;
  double gradient = 0.0;
  fenchel_batch batch{};
  batch.struct_size = sizeof batch;
  batch.count = 1;
  batch.targets = &target;
  for (int call = 0; call < 3; ++call)
    BOOST_TEST(loss.table->gradient(loss.self, &batch, &score, &gradient) == FENCHEL_OK);
  BOOST_TEST(gradient == 3.0);
  BOOST_TEST(loss.table->gradient(loss.self, &batch, &score, &gradient) == FENCHEL_FAILED);
  BOOST_TEST(explain_failure(loss.explain) == "the gradient is used up");
}

BOOST_AUTO_TEST_CASE(the_solvers_of_the_fixtures_misbehave_as_they_say) {
  std::int32_t outcome = -1;
  Arena arena;
  const SolverPart nan = started("nan-solver", arena);
  BOOST_TEST(weight_after_step(nan, outcome) == 0.0);
  BOOST_TEST(outcome == FENCHEL_STEP_MORE);
  BOOST_TEST(std::isnan(weight_after_step(nan, outcome)));

  Arena other;
  const SolverPart done = started("false-done", other);
  BOOST_TEST(weight_after_step(done, outcome) == 0.0);
  BOOST_TEST(outcome == FENCHEL_STEP_DONE);

  Arena third;
  const SolverPart throwing = started("throwing-step", third);
  BOOST_TEST(throwing.table->step(const_cast<void*>(throwing.self), &outcome) == FENCHEL_FAILED);
  BOOST_TEST(explain_failure(throwing.explain) == "no step today");
}

BOOST_AUTO_TEST_CASE(the_lies_of_the_fixtures_are_taken_as_claimed_until_they_are_verified) {
  const Registry registry =
      Registry::scan({kFixtures / "lying-lipschitz", kFixtures / "lying-smoothness"});
  const LossPart hinge = registry.make_loss(component("lying-lipschitz"), shape());
  BOOST_TEST(fact_of(hinge, FENCHEL_FACT_LIPSCHITZ).value == 0.1);
  const LossPart logistic = registry.make_loss(component("lying-smoothness"), shape());
  BOOST_TEST(fact_of(logistic, FENCHEL_FACT_SMOOTHNESS).value == 0.05);
  BOOST_TEST(fact_of(logistic, FENCHEL_FACT_HAS_PROX).state == FENCHEL_ABSENT);
}

BOOST_AUTO_TEST_SUITE_END()
