// FISTA: a proximal gradient step from an extrapolated point
//
//   y = w + β (w − w₋),   w⁺ = prox_{Ω/L}(y − ∇f(y)/L)
//
// with Ω μ-strongly convex, τ = 1/L, q = τμ/(1 + τμ)  (Chambolle and Pock 2016, algorithm 5):
//
//   t⁺ = (1 − q t² + √((1 − q t²)² + 4 t²))/2,   β = (t − 1)/t⁺ · (1 + τμ − t⁺ τμ),   t₁ = 1.
//
// μ = 0 is Beck and Teboulle's sequence: J(w_k) − J* ≤ 2L‖w₀ − w*‖²/(k + 1)²; for μ > 0 the error
// falls like (1 − √q)^k. Restart: momentum is dropped when it points uphill, ⟨y − w⁺, w⁺ − w⟩ > 0.
//
// Scores of y follow from those of w and w₋ by linearity, so a step is one pass.
#include <fenchel/sdk.hpp>
#include <fenchel/sdk/proximal_step.hpp>

#include <algorithm>
#include <cmath>

namespace {
using namespace fenchel::sdk;

struct Fista {
  static constexpr Card card{.id = "fista",
                             .summary = "accelerated proximal gradient with adaptive restart",
                             .citation =
                                 "Beck and Teboulle 2009; Chambolle and Pock, An introduction to "
                                 "continuous optimization for imaging, 2016; O'Donoghue and "
                                 "Candes, Adaptive restart for accelerated gradient schemes, 2015"};
  static constexpr Param params[] = {
      ProximalStep::kParams[0],
      {.name = "restart",
       .type = Type::flag,
       .fallback = "true",
       .meaning = "drop the momentum when it points uphill"},
      {.name = "strong-convexity",
       .type = Type::flag,
       .fallback = "true",
       .meaning = "use the regularizer's strong convexity where it is known"}};

  explicit Fista(const Params& p)
      : backtracking_(p.text("step") == "backtracking"),
        restart_(p.flag("restart")),
        use_mu_(p.flag("strong-convexity")) {}
  std::vector<Requirement> requirements() const {
    return ProximalStep::requirements(backtracking_);
  }

  Rate rate(const RateQuery& q) const {
    const double lipschitz = ProximalStep::predicted_lipschitz(q, backtracking_);
    const double mu = use_mu_ ? q.constant(About::regularizer, FENCHEL_FACT_STRONG_CONVEXITY) : 0.0;
    const double error = ProximalStep::error_for_gap(q.epsilon(), lipschitz, mu);
    const double squared = q.distance() * q.distance();
    double iterations = std::sqrt(2.0 * lipschitz * squared / error);
    if (mu > 0.0) {
      const double root = std::sqrt(mu / (lipschitz + mu));
      const double start = 0.5 * (lipschitz + mu) * squared;
      iterations =
          std::min(iterations, std::log(std::max(start / error, 1.0)) / -std::log1p(-root));
    }
    const auto& shape = q.shape();
    return {.iterations = iterations,
            .passes = ProximalStep::predicted_passes(iterations, backtracking_),
            .bytes = 8.0 * static_cast<double>(4 * shape.parameters + 5 * shape.scores),
            .theorem = mu > 0.0 ? "((L + mu) |w*|^2/2) (1 - sqrt(mu/(L + mu)))^k"
                                : "2 L |w*|^2/(k + 1)^2"};
  }

  void start(Problem problem) {
    problem_ = problem;
    step_.start(problem, backtracking_);
    mu_ = use_mu_ ? problem.constant(About::regularizer, FENCHEL_FACT_STRONG_CONVEXITY) : 0.0;
    weights_ = problem.numbers("weights", problem.parameters());
    scores_ = problem.numbers("scores", problem.scores());
    ahead_ = problem.numbers("ahead", problem.parameters());
    ahead_scores_ = problem.numbers("ahead-scores", problem.scores());
    t_ = problem.numbers("t", 1);
    next_.resize(static_cast<std::size_t>(problem.parameters()));
    next_scores_.resize(static_cast<std::size_t>(problem.scores()));
    if (problem.resumed()) return;
    *t_ = 1.0;
    if (const double* warm = problem.raw().warm_weights)
      std::copy_n(warm, problem.parameters(), weights_);
    problem.apply(weights_, scores_);
    std::copy_n(weights_, problem.parameters(), ahead_);
    std::copy_n(scores_, problem.scores(), ahead_scores_);
  }

  Outcome step() {
    step_.take(ahead_, ahead_scores_, next_.data(), next_scores_.data());
    const double beta = restart_ && uphill() ? reset() : momentum();
    extrapolate(next_, weights_, ahead_, beta);
    extrapolate(next_scores_, scores_, ahead_scores_, beta);
    return Outcome::more;
  }

  View view() const { return {.weights = weights_, .scores = scores_}; }

 private:
  bool uphill() const {
    double product = 0.0;
    for (std::size_t j = 0; j < next_.size(); ++j)
      product += (ahead_[j] - next_[j]) * (next_[j] - weights_[j]);
    return product > 0.0;
  }

  double reset() {
    *t_ = 1.0;
    return 0.0;
  }

  double momentum() {
    const double tau_mu = mu_ / step_.lipschitz();
    const double rest = 1.0 - tau_mu / (1.0 + tau_mu) * *t_ * *t_;
    const double t_next = 0.5 * (rest + std::sqrt(rest * rest + 4.0 * *t_ * *t_));
    const double beta = (*t_ - 1.0) / t_next * (1.0 + tau_mu - t_next * tau_mu);
    *t_ = t_next;
    return std::clamp(beta, 0.0, 1.0);
  }

  // ahead = next + β (next − current); current = next
  static void extrapolate(const std::vector<double>& next, double* current, double* ahead,
                          double beta) {
    for (std::size_t j = 0; j < next.size(); ++j) {
      ahead[j] = next[j] + beta * (next[j] - current[j]);
      current[j] = next[j];
    }
  }

  bool backtracking_, restart_, use_mu_;
  double mu_ = 0.0;
  Problem problem_;
  ProximalStep step_;
  double *weights_ = nullptr, *scores_ = nullptr, *ahead_ = nullptr, *ahead_scores_ = nullptr;
  double* t_ = nullptr;
  std::vector<double> next_, next_scores_;
};
}  // namespace

FENCHEL_SOLVER(Fista)
