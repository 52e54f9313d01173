// Accelerated gradient on the dual: no smoothing of the loss is needed where Ω is μ-strongly
// convex.
//
//   minimise over α   Ω*(Aᵀα/n) + (1/n) Σ φᵢ*(−αᵢ)
//
// The first part is ‖A‖²/(n²μ)-smooth, the second is handled by the prox of φ. The weights shown
// are the mean of ∇Ω*(Aᵀuᵢ/n) with the weights of the estimate function
// (sdk/estimate/sequence.hpp).
//
//   1-memory:  J(w_k) − D(α_k) ≤ L Π(1 − aᵢ) max Δ(α, α₀) ≤ 8 n ℓ² L/(k + 2)²   for ℓ-Lipschitz
//   losses
#include <fenchel/sdk.hpp>
#include <fenchel/sdk/estimate/adaptive.hpp>
#include <fenchel/sdk/estimate/dual_method.hpp>
#include <fenchel/sdk/estimate/sequence.hpp>
#include <fenchel/sdk/gap_target.hpp>

#include <cmath>
#include <vector>

namespace {
using namespace fenchel::sdk;

struct AgmDual {
  static constexpr Card card{
      .id = "agm-dual",
      .summary = "accelerated gradient on the dual, the weights by averaging",
      .citation =
          "Zhang, Saha and Vishwanathan, Regularized risk minimization by Nesterov's "
          "accelerated gradient methods: algorithmic extensions and empirical studies"};
  static constexpr Param params[] = {
      {.name = "memory",
       .type = Type::text,
       .fallback = "one",
       .range = "one | all",
       .meaning = "the estimate function: compressed at every step, or of all gradients"},
      estimate::kStep,
      estimate::kUp,
      estimate::kDown};

  explicit AgmDual(const Params& p) {
    options_.one_memory = p.text("memory") == "one";
    estimate::read_step(p, options_);
  }

  std::vector<Requirement> requirements() const { return estimate::dual_requirements(); }

  Rate rate(const RateQuery& q) const {
    const double iterations = estimate::dual_iterations(
        q, options_.adaptive ? options_.up : 1.0,
        [](double l, double sigma) { return std::sqrt(sigma / (l + sigma)); });
    return {.iterations = iterations,
            .passes = estimate::tries(iterations, options_) + 0.5,
            .bytes = 8.0 * static_cast<double>(7 * q.shape().parameters + 10 * q.shape().scores),
            .theorem =
                "2 n l^2 L min(4/(k + 2)^2, (1 - sqrt(lambda/(L + lambda)))^k), L = "
                "|A|^2/(n^2 mu), lambda = gamma/n"};
  }

  void start(Problem problem) {
    target_.start(problem);
    const estimate::DualConstants constants = estimate::dual_start(problem, options_.adaptive);
    options_.lipschitz = constants.lipschitz;
    options_.lambda2 = constants.sigma;
    estimate::Dual space;
    space.start(problem);
    sequence_.start(problem, std::move(space), options_, problem.raw().warm_dual);
  }

  Outcome step() {
    if (sequence_.exhausted()) return Outcome::stalled;
    sequence_.step();
    const double dual = -sequence_.value(), primal = -sequence_.other_value();
    return std::isfinite(primal) && target_.met({primal, dual}) ? Outcome::done : Outcome::more;
  }

  View view() const { return {.weights = sequence_.mean_slopes(), .dual = sequence_.x()}; }

 private:
  estimate::Options options_;
  GapTarget target_;
  estimate::Sequence<estimate::Dual> sequence_;
};
}  // namespace

FENCHEL_SOLVER(AgmDual)
