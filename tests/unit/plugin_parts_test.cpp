// Facts and requirements as the host takes them from a part.
#include "plugin/parts.hpp"

#include "base/error.hpp"

#include <boost/test/unit_test.hpp>

#include <limits>
#include <stdexcept>

namespace {

using namespace fenchel;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

// What the fake plugin answers to any question.
struct Answer {
  std::int32_t state = FENCHEL_KNOWN;
  double value = 0.0;
  std::int32_t norm = FENCHEL_NORM_L2;
};

template <class Table>
Table fact_table() {
  Table table{};
  table.struct_size = sizeof table;
  table.fact = [](const void* self, int32_t, fenchel_fact* out) {
    const auto& answer = *static_cast<const Answer*>(self);
    BOOST_TEST(out->struct_size == sizeof(fenchel_fact));
    BOOST_TEST(out->state == FENCHEL_UNKNOWN);
    out->state = answer.state;
    out->value = answer.value;
    out->norm = answer.norm;
  };
  return table;
}

fenchel_fact taken(std::int32_t id, const Answer& answer) {
  static const auto table = fact_table<fenchel_loss>();
  LossPart part;
  part.table = &table;
  part.self = &answer;
  return fact_of(part, id);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(plugin_parts)

BOOST_AUTO_TEST_CASE(a_sensible_claim_is_taken_as_it_is) {
  const fenchel_fact fact = taken(FENCHEL_FACT_LIPSCHITZ, {FENCHEL_KNOWN, 0.25, FENCHEL_NORM_LINF});
  BOOST_TEST(fact.state == FENCHEL_KNOWN);
  BOOST_TEST(fact.value == 0.25);
  BOOST_TEST(fact.norm == FENCHEL_NORM_LINF);
  BOOST_TEST(taken(FENCHEL_FACT_LOWER_BOUND, {FENCHEL_KNOWN, -3.0}).value == -3.0);
  BOOST_TEST(taken(FENCHEL_FACT_SMOOTHNESS, {FENCHEL_KNOWN, 0.0}).state == FENCHEL_KNOWN);
  BOOST_TEST(taken(FENCHEL_FACT_SMOOTHNESS, {FENCHEL_ABSENT, kNan}).state == FENCHEL_ABSENT);
  BOOST_TEST(taken(FENCHEL_FACT_SMOOTHNESS, {FENCHEL_ABSENT, kNan}).value == 0.0);
}

BOOST_AUTO_TEST_CASE(a_claim_that_cannot_be_meant_is_unknown) {
  for (const std::int32_t id :
       {FENCHEL_FACT_CONVEX, FENCHEL_FACT_LIPSCHITZ, FENCHEL_FACT_SMOOTHNESS,
        FENCHEL_FACT_STRONG_CONVEXITY, FENCHEL_FACT_DUAL_RADIUS, FENCHEL_FACT_DOMAIN_RADIUS,
        FENCHEL_FACT_SEPARABLE, FENCHEL_FACT_QUADRATIC})
    for (const double value : {-1.0, kNan, kInfinity})
      BOOST_TEST(taken(id, {FENCHEL_KNOWN, value}).state == FENCHEL_UNKNOWN,
                 "fact " << id << " with " << value);
  BOOST_TEST(taken(FENCHEL_FACT_LOWER_BOUND, {FENCHEL_KNOWN, -kInfinity}).state == FENCHEL_UNKNOWN);
  BOOST_TEST(taken(FENCHEL_FACT_STRONG_CONVEXITY, {FENCHEL_KNOWN, 0.0}).state == FENCHEL_UNKNOWN);
  BOOST_TEST(taken(FENCHEL_FACT_QUADRATIC, {FENCHEL_KNOWN, 0.0}).state == FENCHEL_UNKNOWN);
  BOOST_TEST(taken(FENCHEL_FACT_CONVEX, {FENCHEL_KNOWN, 0.0}).state == FENCHEL_UNKNOWN);
  BOOST_TEST(taken(FENCHEL_FACT_LIPSCHITZ, {7, 1.0}).state == FENCHEL_UNKNOWN);
  BOOST_TEST(taken(FENCHEL_FACT_LIPSCHITZ, {FENCHEL_KNOWN, 1.0, 9}).state == FENCHEL_UNKNOWN);
}

BOOST_AUTO_TEST_CASE(facts_of_the_problem_are_not_asked_of_a_part) {
  BOOST_TEST(taken(FENCHEL_FACT_BLOCKS, {FENCHEL_KNOWN, 5.0}).state == FENCHEL_UNKNOWN);
}

BOOST_AUTO_TEST_CASE(an_exception_from_a_fact_proves_nothing) {
  auto table = fact_table<fenchel_regularizer>();
  table.fact = [](const void*, int32_t, fenchel_fact* out) {
    out->state = FENCHEL_KNOWN;
    out->value = 1.0;
    throw std::runtime_error("against the rules");
  };
  RegularizerPart part;
  part.table = &table;
  BOOST_TEST(fact_of(part, FENCHEL_FACT_CONVEX).state == FENCHEL_UNKNOWN);
}

BOOST_AUTO_TEST_CASE(oracles_are_seen_in_the_table_whatever_the_plugin_says) {
  const Answer absent{FENCHEL_ABSENT};
  auto table = fact_table<fenchel_regularizer>();
  table.prox = [](const void*, const fenchel_coords*, const double*, double, double*) -> int32_t {
    return FENCHEL_OK;
  };
  RegularizerPart part;
  part.table = &table;
  part.self = &absent;
  const fenchel_fact prox = fact_of(part, FENCHEL_FACT_HAS_PROX);
  BOOST_TEST(prox.state == FENCHEL_KNOWN);
  BOOST_TEST(prox.value == 1.0);
  for (const std::int32_t id :
       {FENCHEL_FACT_HAS_GRADIENT, FENCHEL_FACT_HAS_CONJUGATE, FENCHEL_FACT_HAS_CONJUGATE_GRADIENT})
    BOOST_TEST(fact_of(part, id).state == FENCHEL_ABSENT);
  BOOST_TEST(taken(FENCHEL_FACT_HAS_PROX, {FENCHEL_KNOWN, 1.0}).state == FENCHEL_ABSENT);
}

BOOST_AUTO_TEST_CASE(an_oracle_beyond_the_end_of_a_shorter_table_is_absent) {
  auto table = fact_table<fenchel_regularizer>();
  table.gradient = [](const void*, const fenchel_coords*, const double*, double*) -> int32_t {
    return FENCHEL_OK;
  };
  RegularizerPart part;
  part.table = &table;
  BOOST_TEST(fact_of(part, FENCHEL_FACT_HAS_GRADIENT).state == FENCHEL_KNOWN);
  table.struct_size = offsetof(fenchel_regularizer, gradient);
  BOOST_TEST(fact_of(part, FENCHEL_FACT_HAS_GRADIENT).state == FENCHEL_ABSENT);
}

BOOST_AUTO_TEST_CASE(requirements_end_where_the_solver_says_so) {
  fenchel_solver table{};
  table.struct_size = sizeof table;
  table.requirement = [](const void*, int32_t index, fenchel_requirement* out) -> int32_t {
    if (index == 2) return FENCHEL_END;
    out->fact = FENCHEL_FACT_CONVEX + index;
    return FENCHEL_OK;
  };
  SolverPart part;
  part.table = &table;
  BOOST_TEST(requirements_of(part).size() == 2);
  BOOST_TEST(requirements_of(part)[1].fact == FENCHEL_FACT_LIPSCHITZ);
}

BOOST_AUTO_TEST_CASE(a_solver_that_cannot_say_its_requirements_has_failed) {
  fenchel_solver table{};
  table.struct_size = sizeof table;
  table.requirement = [](const void*, int32_t, fenchel_requirement*) -> int32_t {
    return FENCHEL_FAILED;
  };
  SolverPart part;
  part.id = "shy";
  part.table = &table;
  part.explain = [] { return "it is shy"; };
  const auto said = [](const Error& error) {
    return error.exit() == Exit::plugin_failed &&
           error.message() == "the solver shy cannot say what it needs: it is shy";
  };
  BOOST_CHECK_EXCEPTION(requirements_of(part), Error, said);
  table.requirement = [](const void*, int32_t, fenchel_requirement*) -> int32_t {
    return FENCHEL_OK;
  };
  BOOST_CHECK_THROW(requirements_of(part), Error);
}

BOOST_AUTO_TEST_CASE(a_plugin_without_a_reason_gets_words_for_that) {
  BOOST_TEST(explain_failure(nullptr) == "no reason given");
  BOOST_TEST(explain_failure([]() -> const char* { return nullptr; }) == "no reason given");
  BOOST_TEST(explain_failure([] { return ""; }) == "no reason given");
  BOOST_TEST(explain_failure([] { return "rain"; }) == "rain");
}

BOOST_AUTO_TEST_SUITE_END()
