#include "calculus/constants.hpp"

#include "calculus/operator_norm.hpp"
#include "calculus/rules/composition.hpp"
#include "calculus/rules/norms.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace fenchel {
namespace {

double mean_norm(const std::vector<double>& squared, double power) {
  double sum = 0.0;
  for (const double x : squared) sum += std::pow(x, 0.5 * power);
  return sum / static_cast<double>(squared.size());
}

}  // namespace

Constants::Constants(const LinearMap& map, const LossPart& loss, const RegularizerPart& regularizer,
                     const Parallel& parallel)
    : map_(map),
      loss_(loss),
      regularizer_(regularizer),
      parallel_(parallel),
      loss_facts_(rules::to_l2(facts_of(loss), map.shape().widest_block)),
      regularizer_facts_(rules::to_l2(facts_of(regularizer), map.shape().parameters)) {}

Derived Constants::find(std::int32_t about, std::int32_t id) const {
  if (about == FENCHEL_ABOUT_PROBLEM) return of_problem(id);
  const bool oracle = id >= FENCHEL_FACT_HAS_GRADIENT && id < FENCHEL_FACT_BLOCKS;
  if (about == FENCHEL_ABOUT_LOSS)
    return oracle ? Derived{fact_of(loss_, id), "oracle of the loss"} : loss_facts_.get(id);
  return oracle ? Derived{fact_of(regularizer_, id), "oracle of the regularizer"}
                : regularizer_facts_.get(id);
}

Derived Constants::squared_operator_norm() const {
  std::optional<Derived>& measured = *squared_operator_norm_;
  if (measured) return *measured;
  const double bound = map_.squared_norm_bound();
  const NormEstimate estimate = estimate_squared_norm(map_.core(), parallel_);
  if (const double floor = map_.core_floor(); floor > 0.0 && floor >= estimate.upper)
    measured = known_fact(
        floor, fmt::format("n, of the transitions; the attributes have {:.6g}", estimate.upper));
  else if (bound <= estimate.upper)
    measured = known_fact(bound, "min(|A|_F^2, |A|_1 |A|_inf)");
  else if (estimate.chance > 0.0)
    measured = known_fact(
        estimate.upper,
        fmt::format(
            "{} Lanczos steps found {:.6g}; the margin of {:g} % fails with probability below {:g}",
            estimate.steps, estimate.lower, 100.0 * estimate.margin, estimate.chance));
  else
    measured =
        known_fact(estimate.upper, fmt::format("{} Lanczos steps, complete", estimate.steps));
  return *measured;
}

// BLOCK_NORM or MEAN_SQUARED_NORM. Where one block is all of A, both come from |A|.
Derived Constants::block_norm(std::int32_t id) const {
  const std::vector<double>& norms = map_.squared_norms();
  const bool largest = id == FENCHEL_FACT_BLOCK_NORM;
  if (norms.empty()) {
    Derived whole = squared_operator_norm();
    if (largest) whole.fact.value = std::sqrt(whole.fact.value);
    whole.derivation = "one block: |A_1| = |A|; " + whole.derivation;
    return whole;
  }
  return largest ? known_fact(std::sqrt(*std::max_element(norms.begin(), norms.end())),
                              "largest |A_i|, measured")
                 : known_fact(mean_norm(norms, 2.0), "mean of |A_i|^2, measured");
}

double Constants::mean_block_norm() const {
  const std::vector<double>& norms = map_.squared_norms();
  return norms.empty() ? std::sqrt(squared_operator_norm().value()) : mean_norm(norms, 1.0);
}

// λ_max(Aᵀ diag(βᵢ) A)/n, where each block has its own βᵢ.
Derived Constants::weighted_smoothness() const {
  if (weighted_smoothness_) return *weighted_smoothness_;
  const std::vector<double>& beta = *loss_.block_smoothness;
  const auto width = static_cast<std::size_t>(map_.shape().scores / map_.shape().blocks);
  std::vector<double> factors;
  for (const double x : beta) factors.insert(factors.end(), width, x);
  const NormEstimate estimate = estimate_squared_norm(map_, parallel_, &factors);
  weighted_smoothness_ =
      known_fact(estimate.upper / static_cast<double>(beta.size()),
                 fmt::format("largest eigenvalue of A^T diag(beta_i) A / n, {} Lanczos steps",
                             estimate.steps));
  return *weighted_smoothness_;
}

Derived Constants::of_problem(std::int32_t id) const {
  const fenchel_shape& shape = map_.shape();
  const auto n = static_cast<double>(shape.blocks);
  switch (id) {
    case FENCHEL_FACT_BLOCKS: return known_fact(n, "counted");
    case FENCHEL_FACT_BLOCK_NORM:
    case FENCHEL_FACT_MEAN_SQUARED_NORM: return block_norm(id);
    case FENCHEL_FACT_OPERATOR_NORM: {
      Derived squared = squared_operator_norm();
      squared.fact.value = std::sqrt(squared.fact.value);
      return squared;
    }
    case FENCHEL_FACT_RISK_SMOOTHNESS: {
      if (loss_.block_smoothness) return weighted_smoothness();
      const Derived beta = loss_facts_.get(FENCHEL_FACT_SMOOTHNESS);
      // Measuring |A| costs passes; not without need.
      return rules::composed_smoothness(beta, beta.known() ? squared_operator_norm() : Derived{},
                                        n);
    }
    case FENCHEL_FACT_RISK_LIPSCHITZ: {
      const Derived ell = loss_facts_.get(FENCHEL_FACT_LIPSCHITZ);
      return rules::composed_lipschitz(ell, ell.known() ? mean_block_norm() : 0.0);
    }
    case FENCHEL_FACT_RISK_STRONG_CONVEXITY:
      return rules::composed_strong_convexity(shape.scores, shape.parameters);
    case FENCHEL_FACT_ROW_VIEW: {
      fenchel_rows rows{};
      rows.struct_size = sizeof rows;
      return map_.rows(&rows) ? known_fact(1.0, "the map is a matrix")
                              : absent_fact("no row of a matrix is a block");
    }
    case FENCHEL_FACT_BLOCK_WIDTH:
      if (shape.scores != shape.blocks * shape.widest_block)
        return absent_fact("blocks differ in size");
      return known_fact(static_cast<double>(shape.widest_block), "counted");
    default: return unknown_fact("not a fact of the problem");
  }
}

}  // namespace fenchel
