// The certificate against the truth, at points that are not optimal.
#include "reference.hpp"

#include "certify/certificate.hpp"

#include <boost/test/unit_test.hpp>

#include <limits>

namespace {
using namespace fenchel;
using namespace fenchel::test;
}  // namespace

BOOST_AUTO_TEST_SUITE(certificate)

BOOST_AUTO_TEST_CASE(the_gap_bounds_the_error_of_any_weights) {
  std::mt19937_64 random(5);
  std::normal_distribution<double> normal;
  for (const char* loss : {"squared", "logistic", "smooth-hinge", "squared-hinge", "huber"}) {
    for (const char* omega :
         {"{l2: {lambda: 0.1}}", "{l1: {lambda: 0.05}}", "{elastic-net: {l1: 0.02, l2: 0.05}}"}) {
      for (const Bias bias : {Bias::none, Bias::penalized, Bias::free}) {
        SmallOptions options;
        options.bias = bias;
        options.columns = 3;
        const auto small = small_problem(loss, omega, options);
        const std::vector<double> best = coordinate_minimum(*small->problem);
        const double optimum = objective(*small->problem, best);
        for (const double size : {0.0, 1e-3, 0.1, 3.0}) {
          std::vector<double> w = best;
          for (double& x : w) x += size * normal(random);
          const Certificate c = certify(*small->problem, w.data(), nullptr);
          BOOST_TEST_CONTEXT(loss << " + " << omega << ", bias " << static_cast<int>(bias)
                                  << ", off by " << size) {
            BOOST_TEST(c.dual <= optimum + 1e-9);
            BOOST_TEST(c.primal - optimum <= c.gap() + 1e-9);
            if (size == 0.0) BOOST_TEST(c.gap() <= 1e-5 * (1.0 + optimum));
          }
        }
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(an_infeasible_dual_is_a_failure_of_the_solver) {
  const auto small = small_problem("hinge", "{l2: {lambda: 0.1}}");
  const std::vector<double> w(static_cast<std::size_t>(small->x.columns), 0.0);
  std::vector<double> alpha(static_cast<std::size_t>(small->x.rows), 0.0);
  BOOST_CHECK_NO_THROW(certify(*small->problem, w.data(), alpha.data()));
  alpha[3] = 1.5 * small->y[3];
  BOOST_CHECK_EXCEPTION(
      certify(*small->problem, w.data(), alpha.data()), Error, [](const Error& e) {
        return e.exit() == Exit::plugin_failed &&
               std::string(e.what()).find("infeasible dual: entry 3") != std::string::npos;
      });
  alpha[3] = std::numeric_limits<double>::quiet_NaN();
  BOOST_CHECK_THROW(certify(*small->problem, w.data(), alpha.data()), Error);
}

BOOST_AUTO_TEST_CASE(results_do_not_depend_on_the_number_of_threads) {
  SmallOptions options;
  options.rows = 20000;  // enough for several cuts
  options.columns = 30;
  for (const bool dense : {false, true}) {
    options.dense = dense;
    const auto small = small_problem("logistic", "{l1: {lambda: 0.001}}", options);
    std::vector<double> w(30);
    for (std::size_t j = 0; j < w.size(); ++j) w[j] = std::sin(static_cast<double>(j));
    std::vector<Certificate> found;
    for (const int threads : {1, 2, 4}) {
      const Parallel parallel(threads);
      const Problem problem(*small->map, small->y, small->problem->loss(),
                            small->problem->regularizer(), parallel);
      found.push_back(certify(problem, w.data(), nullptr));
    }
    for (const Certificate& c : found) {
      BOOST_TEST(c.primal == found[0].primal);
      BOOST_TEST(c.dual == found[0].dual);
      BOOST_TEST((c.alpha == found[0].alpha));
    }
  }
}

// Fenchel and Young: at the loss's own gradient the oracle `conjugate` says nothing new.
BOOST_AUTO_TEST_CASE(a_smooth_loss_without_a_conjugate_has_the_same_certificate) {
  for (const char* loss : {"logistic", "squared", "multinomial"}) {
    const auto small = small_problem(loss, "{l2: {lambda: 0.1}}");
    fenchel_loss table = *small->problem->loss().table;
    table.conjugate = nullptr;
    table.project_dual = nullptr;
    LossPart bare = small->problem->loss();
    bare.table = &table;
    const Problem problem(*small->problem, bare, small->problem->regularizer());
    std::vector<double> w(static_cast<std::size_t>(problem.shape().parameters), 0.1);
    const std::vector<double> alpha(static_cast<std::size_t>(problem.shape().scores), 0.3);
    const Certificate known = certify(*small->problem, w.data(), nullptr),
                      unknown = certify(problem, w.data(), nullptr);
    BOOST_TEST(unknown.primal == known.primal);
    BOOST_TEST(unknown.dual == known.dual, boost::test_tools::tolerance(1e-12));
    // A dual that cannot be judged is not believed.
    BOOST_TEST(certify(problem, w.data(), alpha.data()).dual == unknown.dual);
    for (const char* solver : {"fista", "agm-1", "lbfgs"})
      BOOST_TEST(check_problem(problem, small->solver(solver)).accepted, loss << " " << solver);
    BOOST_TEST(!check_problem(problem, small->solver("agm-dual")).accepted);
  }
}

BOOST_AUTO_TEST_SUITE_END()
