// Proximal gradient:  w⁺ = prox_{Ω/L}(w − ∇f(w)/L).
//
// J(w_k) − J* ≤ L‖w₀ − w*‖²/(2k); with Ω μ-strongly convex the error falls by L/(L + μ) a step.
#include <fenchel/sdk.hpp>
#include <fenchel/sdk/proximal_step.hpp>

#include <algorithm>
#include <cmath>

namespace {
using namespace fenchel::sdk;

struct ProxGradient {
  static constexpr Card card{.id = "prox-gradient",
                             .summary = "proximal gradient descent, fixed or backtracking step",
                             .citation =
                                 "Beck and Teboulle, A fast iterative shrinkage-thresholding "
                                 "algorithm, 2009, section 3 (ISTA)"};
  static constexpr Param params[] = {ProximalStep::kParams[0]};

  explicit ProxGradient(const Params& p) : backtracking_(p.text("step") == "backtracking") {}
  std::vector<Requirement> requirements() const {
    return ProximalStep::requirements(backtracking_);
  }

  Rate rate(const RateQuery& q) const {
    const double lipschitz = ProximalStep::predicted_lipschitz(q, backtracking_);
    const double mu = q.constant(About::regularizer, FENCHEL_FACT_STRONG_CONVEXITY);
    const double error = ProximalStep::error_for_gap(q.epsilon(), lipschitz, mu);
    const double start = 0.5 * lipschitz * q.distance() * q.distance();
    double iterations = start / error;
    if (mu > 0.0)
      iterations =
          std::min(iterations, std::log(std::max(start / error, 1.0)) / std::log1p(mu / lipschitz));
    const auto& shape = q.shape();
    return {.iterations = iterations,
            .passes = ProximalStep::predicted_passes(iterations, backtracking_),
            .bytes = 8.0 * static_cast<double>(3 * shape.parameters + 4 * shape.scores),
            .theorem = mu > 0.0 ? "(L |w*|^2/2) (L/(L + mu))^k" : "L |w*|^2/(2k)"};
  }

  void start(Problem problem) {
    problem_ = problem;
    step_.start(problem, backtracking_);
    weights_ = problem.numbers("weights", problem.parameters());
    scores_ = problem.numbers("scores", problem.scores());
    next_.resize(static_cast<std::size_t>(problem.parameters()));
    next_scores_.resize(static_cast<std::size_t>(problem.scores()));
    if (problem.resumed()) return;
    if (const double* warm = problem.raw().warm_weights)
      std::copy_n(warm, problem.parameters(), weights_);
    problem.apply(weights_, scores_);
  }

  Outcome step() {
    step_.take(weights_, scores_, next_.data(), next_scores_.data());
    std::ranges::copy(next_, weights_);
    std::ranges::copy(next_scores_, scores_);
    return Outcome::more;
  }

  View view() const { return {.weights = weights_, .scores = scores_}; }

 private:
  bool backtracking_;
  Problem problem_;
  ProximalStep step_;
  double* weights_ = nullptr;
  double* scores_ = nullptr;
  std::vector<double> next_, next_scores_;
};
}  // namespace

FENCHEL_SOLVER(ProxGradient)
