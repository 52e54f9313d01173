// w ↦ L(A w) = (1/n) Σ φᵢ(Aᵢ w), all φᵢ with the same constants, Euclidean norms.
//
//   smooth         ∇²(L∘A) ≼ (β/n) Σ AᵢᵀAᵢ = (β/n) AᵀA ≼ (β‖A‖²/n) I  (differences of gradients
//   give the same
//                  without second derivatives).
//   Lipschitz      |L(Aw) − L(Aw′)| ≤ (ℓ/n) Σ ‖Aᵢ‖ ‖w − w′‖.
//   strongly conv. (μ/n) AᵀA ≽ (μ σ²/n) I with σ the least singular value; absent where A has a
//   kernel along
//                  which L∘A is constant, that is where it has fewer scores than parameters.
#pragma once

#include "calculus/facts.hpp"

#include <fmt/format.h>

namespace fenchel::rules {

inline Derived composed_smoothness(const Derived& beta, const Derived& squared_norm, double n) {
  if (!beta.known())
    return beta.absent() ? absent_fact("the loss is not smooth")
                         : unknown_fact("the loss has no known smoothness");
  if (!squared_norm.known()) return unknown_fact("|A| is not known");
  return known_fact(
      beta.value() * squared_norm.value() / n,
      fmt::format("beta |A|^2 / n with beta = {:g} ({}), |A|^2 = {:.6g} ({})", beta.value(),
                  beta.derivation, squared_norm.value(), squared_norm.derivation));
}

inline Derived composed_lipschitz(const Derived& ell, double mean_norm) {
  if (!ell.known())
    return ell.absent() ? absent_fact("the loss is not Lipschitz")
                        : unknown_fact("the loss has no known Lipschitz constant");
  return known_fact(ell.value() * mean_norm,
                    fmt::format("l mean |A_i| with l = {:g} ({}), mean |A_i| = {:.6g}", ell.value(),
                                ell.derivation, mean_norm));
}

inline Derived composed_strong_convexity(std::int64_t scores, std::int64_t parameters) {
  if (scores < parameters) return absent_fact("fewer scores than parameters: A has a kernel");
  return unknown_fact("the least singular value of A is not measured");
}

}  // namespace fenchel::rules
