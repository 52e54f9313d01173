// Two ways to write the same loss give the same run.
#include "small_problem.hpp"

#include <boost/test/unit_test.hpp>

#include <fmt/format.h>

#include <cmath>

namespace {
using namespace fenchel;
using namespace fenchel::test;
}  // namespace

BOOST_AUTO_TEST_SUITE(trajectories)

BOOST_AUTO_TEST_CASE(the_smoothed_hinge_and_the_smooth_hinge_take_the_same_way) {
  for (const double gamma : {0.05, 0.5, 2.0}) {
    for (const char* omega : {"{l2: {lambda: 0.02}}", "{elastic-net: {l1: 0.01, l2: 0.05}}"}) {
      for (const int option : {1, 2, 3, 4, 5}) {
        SmallOptions options;
        options.seed = 3;
        const auto closed =
            small_problem(fmt::format("{{smooth-hinge: {{gamma: {}}}}}", gamma), omega, options);
        const auto made = small_problem("hinge", omega, options);
        BOOST_TEST((made->y == closed->y));
        made->problem = std::make_unique<Problem>(
            *made->problem, smoothed(made->problem->loss(), gamma), made->problem->regularizer());
        // Shrinking asks whether a number moved at all, where rounding may differ.
        const std::string solver =
            fmt::format("{{prox-sdca: {{option: {}, shrinking: false}}}}", option);
        const RunOutcome a = closed->solve(solver, 0.0, 12.0, 7),
                         b = made->solve(solver, 0.0, 12.0, 7);
        BOOST_TEST_CONTEXT("gamma " << gamma << ", " << omega << ", option " << option) {
          BOOST_TEST_REQUIRE(a.trace.size() == b.trace.size());
          BOOST_TEST(a.trace.size() > 10U);
          for (std::size_t k = 0; k < a.trace.size(); ++k) {
            BOOST_TEST(a.trace[k].passes == b.trace[k].passes);
            BOOST_TEST_REQUIRE((a.trace[k].primal.has_value() == b.trace[k].primal.has_value()));
            if (!a.trace[k].primal) continue;
            BOOST_TEST(std::abs(*a.trace[k].primal - *b.trace[k].primal) <= 1e-10);
            BOOST_TEST(std::abs(*a.trace[k].dual - *b.trace[k].dual) <= 1e-10);
          }
          for (std::size_t j = 0; j < a.weights.size(); ++j)
            BOOST_TEST(std::abs(a.weights[j] - b.weights[j]) <= 1e-10);
          for (std::size_t i = 0; i < a.dual_point.size(); ++i)
            BOOST_TEST(std::abs(a.dual_point[i] - b.dual_point[i]) <= 1e-10);
        }
      }
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()
