#include "calculus/constants.hpp"

#include "calculus/operator_norm.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace fenchel {
namespace {

Derived known(double value, std::string derivation) {
  return {{sizeof(fenchel_fact), FENCHEL_KNOWN, FENCHEL_NORM_L2, 0, value}, std::move(derivation)};
}

Derived not_known(std::int32_t state, std::string derivation) {
  return {{sizeof(fenchel_fact), state, FENCHEL_NORM_L2, 0, 0.0}, std::move(derivation)};
}

double mean(const std::vector<double>& x) {
  return std::accumulate(x.begin(), x.end(), 0.0) / static_cast<double>(x.size());
}

}  // namespace

Derived Constants::find(std::int32_t about, std::int32_t id) const {
  switch (about) {
    case FENCHEL_ABOUT_LOSS: return {fact_of(loss_, id), "stated by loss '" + loss_.id + "'"};
    case FENCHEL_ABOUT_REGULARIZER:
      return {fact_of(regularizer_, id), "stated by regularizer '" + regularizer_.id + "'"};
    default: return of_problem(id);
  }
}

Derived Constants::squared_operator_norm() const {
  if (squared_operator_norm_) return *squared_operator_norm_;
  const double bound = map_.squared_norm_bound();
  const NormEstimate estimate = estimate_squared_norm(map_, parallel_);
  if (bound <= estimate.upper)
    squared_operator_norm_ = known(bound, "min(|A|_F^2, |A|_1 |A|_inf)");
  else if (estimate.chance > 0.0)
    squared_operator_norm_ =
        known(estimate.upper, fmt::format("{} Lanczos steps found {:.6g}; a margin of {:g} % is "
                                          "exceeded with probability below {:g}",
                                          estimate.steps, estimate.lower, 100.0 * estimate.margin,
                                          estimate.chance));
  else
    squared_operator_norm_ =
        known(estimate.upper, fmt::format("{} Lanczos steps, complete", estimate.steps));
  return *squared_operator_norm_;
}

// L(A w) = (1/n) Σ φᵢ(Aᵢ w). With φᵢ β-smooth:  ∇²(L∘A) ≼ (β/n) AᵀA, so β|A|²/n.
// With φᵢ ℓ-Lipschitz: |Σ (φᵢ(Aᵢw) − φᵢ(Aᵢw′))|/n ≤ (ℓ/n) Σ |Aᵢ| |w − w′|.
Derived Constants::of_problem(std::int32_t id) const {
  const std::vector<double>& norms = map_.squared_norms();
  const auto n = static_cast<double>(map_.shape().blocks);
  switch (id) {
    case FENCHEL_FACT_BLOCKS: return known(n, "counted");
    case FENCHEL_FACT_BLOCK_NORM:
      return known(std::sqrt(*std::max_element(norms.begin(), norms.end())),
                   "largest |A_i|, measured");
    case FENCHEL_FACT_MEAN_SQUARED_NORM: return known(mean(norms), "mean of |A_i|^2, measured");
    case FENCHEL_FACT_OPERATOR_NORM: {
      Derived squared = squared_operator_norm();
      squared.fact.value = std::sqrt(squared.fact.value);
      return squared;
    }
    case FENCHEL_FACT_RISK_SMOOTHNESS: {
      const fenchel_fact beta = fact_of(loss_, FENCHEL_FACT_SMOOTHNESS);
      if (beta.state != FENCHEL_KNOWN || beta.norm != FENCHEL_NORM_L2)
        return not_known(beta.state == FENCHEL_ABSENT ? FENCHEL_ABSENT : FENCHEL_UNKNOWN,
                         "the loss has no known smoothness");
      const Derived squared = squared_operator_norm();
      return known(beta.value * squared.fact.value / n,
                   fmt::format("beta |A|^2 / n with beta = {:g}, |A|^2 = {:.6g} ({})", beta.value,
                               squared.fact.value, squared.derivation));
    }
    case FENCHEL_FACT_RISK_LIPSCHITZ: {
      const fenchel_fact ell = fact_of(loss_, FENCHEL_FACT_LIPSCHITZ);
      if (ell.state != FENCHEL_KNOWN || ell.norm != FENCHEL_NORM_L2)
        return not_known(ell.state == FENCHEL_ABSENT ? FENCHEL_ABSENT : FENCHEL_UNKNOWN,
                         "the loss has no known Lipschitz constant");
      const double sum = std::accumulate(norms.begin(), norms.end(), 0.0,
                                         [](double s, double x) { return s + std::sqrt(x); });
      return known(ell.value * sum / n, fmt::format("l mean |A_i| with l = {:g}", ell.value));
    }
    case FENCHEL_FACT_RISK_STRONG_CONVEXITY:
      if (map_.shape().scores < map_.shape().parameters)
        return not_known(FENCHEL_ABSENT, "fewer scores than parameters: A has a kernel");
      return not_known(FENCHEL_UNKNOWN, "the smallest singular value of A is not measured");
    case FENCHEL_FACT_ROW_VIEW: {
      fenchel_rows rows{};
      rows.struct_size = sizeof rows;
      return map_.rows(&rows) ? known(1.0, "the map is a matrix")
                              : not_known(FENCHEL_ABSENT, "the map is no matrix");
    }
    case FENCHEL_FACT_BLOCK_WIDTH:
      if (map_.shape().scores != map_.shape().blocks * map_.shape().widest_block)
        return not_known(FENCHEL_ABSENT, "blocks differ in size");
      return known(static_cast<double>(map_.shape().widest_block), "counted");
    default: return not_known(FENCHEL_UNKNOWN, "not a fact of the problem");
  }
}

}  // namespace fenchel
