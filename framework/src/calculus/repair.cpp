// smooth-loss: φ ℓ-Lipschitz, γ = ε/ℓ². Then 0 ≤ J − J_γ ≤ γℓ²/2 = ε/2 everywhere, so that the
// minimiser of J_γ has J ≤ J* + ε/2. By entropy: a temperature t changes φ by at most t h, t =
// ε/(2h).
//
// add-strong-convexity: Ω + (λ/2)‖·‖² with Ω(w) − Ω(0) ≥ a‖w‖ and ȳ = L(0) − inf L, λ = ε (a/ȳ)².
// The minimiser w_λ has J(w_λ) ≤ J(w*) + (λ/2)‖w*‖² ≤ J* + (λ/2)(ȳ/a)² = J* + ε/2. For the lasso, a
// = σ and ȳ = Σ yᵢ²/(2n).
#include "calculus/repair.hpp"

#include "calculus/combinators.hpp"
#include "calculus/operator_norm.hpp"
#include "calculus/rules/smoothing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace fenchel {
namespace {

// Weights of the data-dependent prox-function (γᵢ = γ bᵢ with mean b = 1): 1 − share + share × what
// is in proportion to |A_i v|, v the top direction, which makes λ_max(Σ A_iᵀA_i/bᵢ) small.
std::shared_ptr<const std::vector<double>> data_weights(const std::vector<double>& lengths,
                                                        double share) {
  const double total = std::accumulate(lengths.begin(), lengths.end(), 0.0);
  const double scale = total > 0.0 ? static_cast<double>(lengths.size()) / total : 0.0;
  std::vector<double> weights;
  weights.reserve(lengths.size());
  for (const double length : lengths) weights.push_back(1.0 - share + share * scale * length);
  return std::make_shared<const std::vector<double>>(std::move(weights));
}

// L of the risk under a smoothed loss.
double risk_smoothness(const Problem& problem, const Repair& repair) {
  return repaired(problem, {repair})
      ->constants()
      .find(FENCHEL_ABOUT_PROBLEM, FENCHEL_FACT_RISK_SMOOTHNESS)
      .value();
}

// The top direction is a guess at the best weights: of a few shares the one with the least L is
// taken, and none where one level is better.
void weigh_by_data(const Problem& problem, Repair& repair) {
  if (problem.map().squared_norms().empty()) {
    repair.text += "; one block has no weights by the data";
    return;
  }
  const double before = risk_smoothness(problem, repair);
  const std::vector<double> lengths = top_block_lengths(problem.map(), problem.parallel());
  double least = before;
  for (const double share : {0.25, 0.5, 0.75, 0.9}) {
    Repair weighed = repair;
    weighed.weights = data_weights(lengths, share);
    const double now = risk_smoothness(problem, weighed);
    if (now >= least) continue;
    least = now;
    repair.weights = weighed.weights;
  }
  repair.text += fmt::format("; levels by the data change L from {:.3g} to {:.3g}", before, least);
}

std::optional<Repair> temper_loss(const Problem& problem, const Scale& scale) {
  const Derived entropy = problem.constants().find(FENCHEL_ABOUT_LOSS, FENCHEL_FACT_ENTROPY);
  if (!problem.loss().tempered || !(entropy.value() > 0.0)) return std::nullopt;
  const double price = 0.5 * scale.epsilon;
  const double temperature = price / entropy.value();
  return Repair{"smooth-loss", "temperature", temperature, price,
                fmt::format("give the loss the temperature epsilon/(2 h) = {:.3g}, h = {:.4g} its "
                            "entropy: J rises by at most {:.3g}",
                            temperature, entropy.value(), price)};
}

std::optional<Repair> envelope(const Problem& problem, const Scale& scale,
                               const SmoothingSpec& smoothing) {
  const Derived ell = problem.constants().find(FENCHEL_ABOUT_LOSS, FENCHEL_FACT_LIPSCHITZ);
  const bool convex = problem.constants().find(FENCHEL_ABOUT_LOSS, FENCHEL_FACT_CONVEX).known();
  if (!convex || !ell.known() || !(ell.value() > 0.0) ||
      !FENCHEL_MEMBER(problem.loss().table, prox))
    return std::nullopt;
  const double gamma = scale.epsilon / (ell.value() * ell.value());
  const double price = rules::smoothing_error(gamma, ell.value());
  Repair repair{"smooth-loss", "gamma", gamma, price,
                fmt::format("smooth the loss with gamma = epsilon/l^2 = {:.3g}: J rises by at most "
                            "gamma l^2/2 = {:.3g}",
                            gamma, price)};
  if (smoothing.data_weights) weigh_by_data(problem, repair);
  return repair;
}

std::optional<Repair> smooth_loss(const Problem& problem, const Scale& scale,
                                  const SmoothingSpec& smoothing) {
  std::optional<Repair> repair =
      smoothing.entropic ? temper_loss(problem, scale) : envelope(problem, scale, smoothing);
  if (repair && smoothing.homotopy) {
    repair->factor = smoothing.factor;
    repair->text += fmt::format(", come to by levels a factor {:g} apart", smoothing.factor);
  }
  return repair;
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

std::vector<Repair> possible_repairs(const Problem& problem, const Scale& scale,
                                     const SmoothingSpec& smoothing) {
  std::vector<Repair> list;
  if (!std::isfinite(scale.epsilon)) return list;
  if (std::optional<Repair> repair = smooth_loss(problem, scale, smoothing))
    list.push_back(*repair);
  if (std::optional<Repair> repair = add_strong_convexity(problem, scale)) list.push_back(*repair);
  return list;
}

Repair at_level(Repair repair, double value) {
  repair.price *= value / repair.value;
  repair.value = value;
  return repair;
}

std::unique_ptr<Problem> repaired(const Problem& problem, const std::vector<Repair>& repairs) {
  LossPart loss = problem.loss();
  RegularizerPart regularizer = problem.regularizer();
  for (const Repair& repair : repairs) {
    if (repair.parameter == "temperature")
      loss = loss.tempered(repair.value);
    else if (repair.name == "smooth-loss")
      loss = smoothed(std::move(loss), repair.value, repair.weights);
    else
      regularizer = with_ridge(std::move(regularizer), repair.value, problem.shape().parameters);
  }
  return std::make_unique<Problem>(problem, std::move(loss), std::move(regularizer));
}

}  // namespace fenchel
