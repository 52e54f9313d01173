// The step shared by proximal gradient methods:
//
//   w⁺ = prox_{Ω/L}(y − ∇f(y)/L),   f(w) = L(A w),
//
// with L given, or found by doubling until f(w⁺) ≤ f(y) + ⟨∇f(y), w⁺ − y⟩ + (L/2)‖w⁺ − y‖².
// One adjoint and one apply a step, and one more apply for each doubling.
#pragma once

#include <fenchel/sdk/solver.hpp>

#include <cmath>
#include <vector>

namespace fenchel::sdk {

class ProximalStep {
 public:
  static constexpr Param kParams[] = {
      {.name = "step",
       .type = Type::text,
       .fallback = "backtracking",
       .range = "fixed | backtracking",
       .meaning = "L from the derived smoothness constant, or found while running"}};

  // What any method built on this step needs.
  static std::vector<Requirement> requirements(bool backtracking) {
    return {{About::loss, FENCHEL_FACT_CONVEX,
             "the rate and the certificate are those of convex problems"},
            {About::loss, FENCHEL_FACT_SMOOTHNESS, "a gradient step needs a Lipschitz gradient",
             backtracking ? Relation::possible : Relation::known},
            {About::regularizer, FENCHEL_FACT_CONVEX,
             "the rate and the certificate are those of convex problems"},
            {About::regularizer, FENCHEL_FACT_HAS_PROX,
             "each step applies the prox of the regularizer"}};
  }

  // Doubling ends at most a factor of two above the constant, and costs half a pass each time.
  static double predicted_lipschitz(const RateQuery& q, bool backtracking) {
    return q.constant(About::problem, FENCHEL_FACT_RISK_SMOOTHNESS, infinity) *
           (backtracking ? 2.0 : 1.0);
  }
  static double predicted_passes(double iterations, bool backtracking) {
    constexpr double kDoublings = 20.0;
    return iterations + (backtracking ? 0.5 * kDoublings : 0.0) + 0.5;
  }
  // β R²/n is below β‖A‖²/n: a search that grows starts low.
  static double low_guess(const Problem& problem) {
    const double norm = problem.constant(About::problem, FENCHEL_FACT_BLOCK_NORM);
    const double beta = problem.constant(About::loss, FENCHEL_FACT_SMOOTHNESS, 1e-3);
    return beta * norm * norm / static_cast<double>(problem.blocks());
  }
  // With Omega mu-strongly convex the gap at a proximal gradient point is at most 4 (L + mu)/mu
  // times the error: gap <= |dJ|^2/(2 mu), |dJ| <= 2 L |w+ - y|, |w+ - y|^2 <= 2 error/L.
  static double error_for_gap(double gap, double lipschitz, double mu) {
    return mu > 0.0 ? gap * mu / (4.0 * (lipschitz + mu)) : gap;
  }

  void start(Problem problem, bool backtracking) {
    problem_ = problem;
    backtracking_ = backtracking;
    lipschitz_ = problem.numbers("lipschitz", 1);
    score_gradient_.resize(static_cast<std::size_t>(problem.scores()));
    next_score_gradient_.resize(score_gradient_.size());
    gradient_.resize(static_cast<std::size_t>(problem.parameters()));
    if (!problem.resumed()) *lipschitz_ = first_guess();
  }

  double lipschitz() const { return *lipschitz_; }

  // From y with scores zy to next with its scores.
  void take(const double* y, const double* zy, double* next, double* next_scores) {
    const double risk = problem_.risk_gradient(zy, score_gradient_.data());
    problem_.adjoint(score_gradient_.data(), gradient_.data());
    for (int doublings = 0;; ++doublings) {
      for (std::size_t j = 0; j < gradient_.size(); ++j)
        next[j] = y[j] - gradient_[j] / *lipschitz_;
      problem_.omega_prox(next, 1.0 / *lipschitz_, next);
      problem_.apply(next, next_scores);
      if (!backtracking_ || majorises(y, zy, risk, next, next_scores)) return;
      if (doublings == kMostDoublings)
        throw std::runtime_error("backtracking found no step size: the loss is not smooth here");
      *lipschitz_ *= 2.0;
    }
  }

 private:
  static constexpr int kMostDoublings = 200;
  static constexpr double kRounding = 1e-15;

  double first_guess() const {
    const double guess = backtracking_
                             ? low_guess(problem_)
                             : problem_.constant(About::problem, FENCHEL_FACT_RISK_SMOOTHNESS);
    return guess > 0.0 ? guess : 1.0;  // a data set of zeros: every L will do
  }

  // The difference of the two sides loses all digits once the step is small; then its bound
  // f(w⁺) − f(y) − ⟨∇f(y), d⟩ ≤ ⟨∇f(w⁺) − ∇f(y), d⟩ is compared with L‖d‖² instead.
  bool majorises(const double* y, const double* zy, double risk, const double* next,
                 const double* next_scores) {
    double squared = 0.0;
    for (std::size_t j = 0; j < gradient_.size(); ++j)
      squared += (next[j] - y[j]) * (next[j] - y[j]);
    double slope = 0.0;
    for (std::size_t i = 0; i < score_gradient_.size(); ++i)
      slope += score_gradient_[i] * (next_scores[i] - zy[i]);
    slope /= static_cast<double>(problem_.blocks());

    const double next_risk = problem_.risk(next_scores);
    const double excess = next_risk - risk - slope;
    if (std::abs(excess) > 1e-8 * (std::abs(risk) + std::abs(slope)))
      return excess <= 0.5 * *lipschitz_ * squared;
    problem_.risk_gradient(next_scores, next_score_gradient_.data());
    double bound = 0.0, noise = 0.0;
    for (std::size_t i = 0; i < score_gradient_.size(); ++i) {
      bound += (next_score_gradient_[i] - score_gradient_[i]) * (next_scores[i] - zy[i]);
      noise += kRounding * std::abs(score_gradient_[i]) * std::abs(next_scores[i] + zy[i]);
    }
    return (bound - noise) / static_cast<double>(problem_.blocks()) <= *lipschitz_ * squared;
  }

  Problem problem_;
  bool backtracking_ = true;
  double* lipschitz_ = nullptr;
  std::vector<double> score_gradient_, next_score_gradient_, gradient_;
};

}  // namespace fenchel::sdk
