// smooth-loss: φ ℓ-Lipschitz, γ = ε/ℓ². Then 0 ≤ J − J_γ ≤ γℓ²/2 = ε/2 everywhere, so that the
// minimiser of J_γ has J ≤ J* + ε/2.
//
// add-strong-convexity: Ω + (λ/2)‖·‖² with Ω(w) − Ω(0) ≥ a‖w‖ and ȳ = L(0) − inf L, λ = ε (a/ȳ)².
// The minimiser w_λ has J(w_λ) ≤ J(w*) + (λ/2)‖w*‖² ≤ J* + (λ/2)(ȳ/a)² = J* + ε/2. For the lasso, a
// = σ and ȳ = Σ yᵢ²/(2n).
#include "calculus/repair.hpp"

#include "calculus/combinators.hpp"
#include "calculus/rules/smoothing.hpp"

#include <fmt/format.h>

#include <cmath>

namespace fenchel {
namespace {

std::optional<Repair> smooth_loss(const Problem& problem, const Scale& scale) {
  const Derived ell = problem.constants().find(FENCHEL_ABOUT_LOSS, FENCHEL_FACT_LIPSCHITZ);
  const bool convex = problem.constants().find(FENCHEL_ABOUT_LOSS, FENCHEL_FACT_CONVEX).known();
  if (!convex || !ell.known() || !(ell.value() > 0.0) ||
      !FENCHEL_MEMBER(problem.loss().table, prox))
    return std::nullopt;
  const double gamma = scale.epsilon / (ell.value() * ell.value());
  const double price = rules::smoothing_error(gamma, ell.value());
  return Repair{"smooth-loss", "gamma", gamma, price,
                fmt::format("smooth the loss with gamma = epsilon/l^2 = {:.3g}: J rises by at most "
                            "gamma l^2/2 = {:.3g}",
                            gamma, price)};
}

std::optional<Repair> add_strong_convexity(const Problem& problem, const Scale& scale) {
  const bool has_prox = FENCHEL_MEMBER(problem.regularizer().table, prox) != nullptr;
  const bool convex =
      problem.constants().find(FENCHEL_ABOUT_REGULARIZER, FENCHEL_FACT_CONVEX).known();
  if (!has_prox || !convex || !std::isfinite(scale.distance) || !(scale.distance > 0.0))
    return std::nullopt;
  const double lambda = scale.epsilon / (scale.distance * scale.distance);
  return Repair{"add-strong-convexity", "lambda", lambda, 0.5 * scale.epsilon,
                fmt::format("add (lambda/2)|w|^2 with lambda = epsilon/|w*|^2 = {:.3g}, |w*| <= "
                            "{:.4g} ({}): J rises by at "
                            "most lambda |w*|^2/2 = {:.3g}",
                            lambda, scale.distance, scale.distance_from, 0.5 * scale.epsilon)};
}

}  // namespace

std::vector<Repair> possible_repairs(const Problem& problem, const Scale& scale) {
  std::vector<Repair> list;
  if (!std::isfinite(scale.epsilon)) return list;
  if (std::optional<Repair> repair = smooth_loss(problem, scale)) list.push_back(*repair);
  if (std::optional<Repair> repair = add_strong_convexity(problem, scale)) list.push_back(*repair);
  return list;
}

std::unique_ptr<Problem> repaired(const Problem& problem, const std::vector<Repair>& repairs) {
  LossPart loss = problem.loss();
  RegularizerPart regularizer = problem.regularizer();
  for (const Repair& repair : repairs) {
    if (repair.name == "smooth-loss")
      loss = smoothed(std::move(loss), repair.value);
    else
      regularizer = with_ridge(std::move(regularizer), repair.value, problem.shape().parameters);
  }
  return std::make_unique<Problem>(problem, std::move(loss), std::move(regularizer));
}

}  // namespace fenchel
