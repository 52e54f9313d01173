// Primal-adjoint gap minimisation by the excessive gap technique (sdk/estimate/excessive_gap.hpp
// has the step). It needs no smoothness of the loss, takes a loss with a free bias as it is, and
// both w and α are explicit.
//
//   J(w_k) − D(α_k) ≤ μ_k max ‖α − α_c‖²/2,   μ_k ≤ L min{4/(k + 2)², (1 − τ)^k}
//
// with L = ‖A‖²/(n²μ_Ω), σ = γ/n for a (1/γ)-smooth loss and τ = 2/(1 + √(1 + 4L/σ)).
#include <fenchel/sdk.hpp>
#include <fenchel/sdk/estimate/adaptive.hpp>
#include <fenchel/sdk/estimate/dual_method.hpp>
#include <fenchel/sdk/estimate/excessive_gap.hpp>
#include <fenchel/sdk/gap_target.hpp>

#include <cmath>
#include <vector>

namespace {
using namespace fenchel::sdk;

struct Pragam {
  static constexpr Card card{
      .id = "pragam",
      .summary = "excessive gap: primal and dual together, for losses with kinks or a free bias",
      .citation =
          "Zhang, Saha and Vishwanathan, Lower bounds on rate of convergence of cutting plane "
          "methods"};
  static constexpr Param params[] = {estimate::kStep, estimate::kUp, estimate::kDown};

  explicit Pragam(const Params& p) { estimate::read_step(p, options_); }

  std::vector<Requirement> requirements() const { return estimate::dual_requirements(); }

  Rate rate(const RateQuery& q) const {
    const double iterations = estimate::dual_iterations(
        q, options_.adaptive ? options_.up : 1.0,
        [](double l, double sigma) { return 2.0 / (1.0 + std::sqrt(1.0 + 4.0 * l / sigma)); });
    return {.iterations = iterations,
            .passes = estimate::tries(iterations, options_) + 0.5 * iterations + 0.5,
            .bytes = 8.0 * static_cast<double>(7 * q.shape().parameters + 9 * q.shape().scores),
            .theorem =
                "2 n l^2 L min(4/(k + 2)^2, (1 - tau)^k), L = |A|^2/(n^2 mu), tau = "
                "2/(1 + sqrt(1 + 4 L/sigma)), sigma = gamma/n"};
  }

  void start(Problem problem) {
    target_.start(problem);
    const estimate::DualConstants constants = estimate::dual_start(problem, options_.adaptive);
    options_.lipschitz = constants.lipschitz;
    options_.sigma = constants.sigma;
    gap_.start(problem, options_, problem.raw().warm_dual);
  }

  Outcome step() {
    gap_.step();
    return target_.met({gap_.primal(), gap_.dual_value()}) ? Outcome::done : Outcome::more;
  }

  View view() const {
    return {.weights = gap_.weights(), .dual = gap_.dual(), .scores = gap_.scores()};
  }

 private:
  estimate::GapOptions options_;
  GapTarget target_;
  estimate::ExcessiveGap gap_;
};
}  // namespace

FENCHEL_SOLVER(Pragam)
