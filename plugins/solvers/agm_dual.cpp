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
#include <fenchel/sdk/estimate/primal_method.hpp>

#include <algorithm>
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
    options_.adaptive = p.text("step") == "adaptive";
    options_.up = p.number("up");
    options_.down = p.number("down");
  }

  std::vector<Requirement> requirements() const {
    return {{About::loss, FENCHEL_FACT_CONVEX, "the dual exists and is tight for convex losses"},
            {About::loss, FENCHEL_FACT_HAS_PROX, "a step is one prox of the loss"},
            {About::loss, FENCHEL_FACT_HAS_CONJUGATE, "the dual value is made of conjugates"},
            {About::regularizer, FENCHEL_FACT_STRONG_CONVEXITY, "the dual is smooth by it"},
            {About::regularizer, FENCHEL_FACT_HAS_CONJUGATE_GRADIENT,
             "w is the gradient of the conjugate of the regularizer"}};
  }

  Rate rate(const RateQuery& q) const {
    const auto n = static_cast<double>(q.shape().blocks);
    const double norm = q.constant(About::problem, FENCHEL_FACT_OPERATOR_NORM, infinity);
    const double mu = q.constant(About::regularizer, FENCHEL_FACT_STRONG_CONVEXITY);
    const double ell = q.constant(About::loss, FENCHEL_FACT_DUAL_RADIUS, infinity);
    const double beta = q.constant(About::loss, FENCHEL_FACT_SMOOTHNESS, infinity);
    const double l = norm * norm / (n * n * mu) * (options_.adaptive ? options_.up : 1.0);
    const double lambda = 1.0 / (beta * n);
    const double ratio = std::max(2.0 * n * ell * ell * l / q.epsilon(), 1.0);
    double iterations = 2.0 * std::sqrt(ratio);
    if (lambda > 0.0)
      iterations =
          std::min(iterations, -std::log(ratio) / std::log1p(-std::sqrt(lambda / (l + lambda))));
    const double tries =
        options_.adaptive
            ? iterations * (1.0 + std::log(options_.down) / std::log(options_.up)) + 40.0
            : iterations;
    return {.iterations = iterations,
            .passes = tries + 0.5,
            .bytes = 8.0 * static_cast<double>(7 * q.shape().parameters + 10 * q.shape().scores),
            .theorem =
                "2 n l^2 L min(4/(k + 2)^2, (1 - sqrt(lambda/(L + lambda)))^k), L = "
                "|A|^2/(n^2 mu), lambda = gamma/n"};
  }

  void start(Problem problem) {
    problem_ = problem;
    target_.start(problem);
    const auto n = static_cast<double>(problem.blocks());
    const double mu = problem.constant(About::regularizer, FENCHEL_FACT_STRONG_CONVEXITY);
    // R is below |A|: adaptive L starts low.
    const double norm = problem.constant(
        About::problem, options_.adaptive ? FENCHEL_FACT_BLOCK_NORM : FENCHEL_FACT_OPERATOR_NORM);
    options_.lipschitz = std::max(norm * norm / (n * n * mu), 1e-300);
    options_.lambda2 = 1.0 / (problem.constant(About::loss, FENCHEL_FACT_SMOOTHNESS, infinity) * n);
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
  Problem problem_;
  GapTarget target_;
  estimate::Sequence<estimate::Dual> sequence_;
};
}  // namespace

FENCHEL_SOLVER(AgmDual)
