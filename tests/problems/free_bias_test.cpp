// An SVM with a free bias by three methods that share no step: the smoothed primal, the accelerated
// dual, the excessive gap. References: scikit-learn 1.2.1 (libsvm), SVC(kernel linear, C = 1/(λ n),
// tol 1e-10), whose primal and dual values agree to 1e-11.
#include "small_problem.hpp"

#include "run/automatic.hpp"
#include "run/plan.hpp"
#include "run/session.hpp"

#include <fmt/format.h>

#include <boost/test/unit_test.hpp>

#include <cmath>
#include <filesystem>
#include <fstream>

namespace {
using namespace fenchel;
using namespace fenchel::test;
namespace fs = std::filesystem;

struct Reference {
  fs::path data;
  double lambda, objective, bias;
};

struct Trained {
  RunOutcome run;
  Model model;
};

Trained train(const Reference& reference, const std::string& rest) {
  const fs::path file = fs::temp_directory_path() / "fenchel-free-bias-test.yaml";
  std::ofstream(file) << fmt::format(
      "fenchel: 1\ndata: {{train: {}}}\nloss: biased-hinge\nregularizer: {{l2: {{lambda: {}}}}}\n"
      "stop: {{gap: 1e-5, passes: 50000}}\n{}\n",
      reference.data.string(), reference.lambda, rest);
  const Session session(load_spec(file, {}), built_plugins());
  fs::remove(file);
  const Plan plan = make_plan(session.problem(), session.spec(), built_plugins(), false);
  BOOST_TEST_REQUIRE(plan.refusal() == "");
  RunOptions options;
  options.stop = session.spec().stop;
  options.certify_every = 20.0;
  const std::atomic<bool> never{false};
  RunOutcome run = run_plan(session.problem(), plan, options, {}, never).run;
  Model model = session.model(run.weights);
  return {std::move(run), std::move(model)};
}

void agree(const Reference& reference) {
  for (const char* way :
       {"solver: agm-1\nrepair: [smooth-loss]",
        "solver: agm-1\nrepair: [{smooth-loss: {levels: homotopy}}]", "solver: agm-dual",
        "solver: pragam", "solver: {pragam: {step: fixed}}"}) {
    const auto [run, model] = train(reference, way);
    BOOST_TEST((run.status == Status::converged), way << ": " << run.message);
    BOOST_TEST(std::abs(run.primal - reference.objective) <= 1e-5, way);
    BOOST_TEST(run.dual <= reference.objective + 1e-10, way);
    BOOST_TEST_REQUIRE(model.bias.size() == 1U);
    BOOST_TEST(std::abs(model.bias[0] - reference.bias) <= 2e-2, way << " " << model.bias[0]);
  }
}

}  // namespace

BOOST_AUTO_TEST_SUITE(free_bias)

BOOST_AUTO_TEST_CASE(three_methods_agree_with_libsvm) {
  agree({fs::path(FENCHEL_SOURCE_DIR) / "specs" / "data" / "notes.libsvm", 0.1, 0.4212021152354228,
         -0.4760172341706});
}

BOOST_AUTO_TEST_CASE(three_methods_agree_with_libsvm_on_real_data) {
  const fs::path data = fs::path(FENCHEL_SOURCE_DIR) / ".." / "shared" / "data" / "a1a";
  if (!fs::exists(data)) {
    BOOST_TEST_MESSAGE("skipped: " << data << " is not here");
    return;
  }
  agree({fs::canonical(data), 1e-2, 0.37644055629404655, -0.9547396957822564});
}

BOOST_AUTO_TEST_SUITE_END()
