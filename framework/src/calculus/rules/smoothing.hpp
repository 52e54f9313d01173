// The Moreau envelope φ_γ(z) = min_x φ(x) + ‖x − z‖²/(2γ) of a convex φ, that is φ_γ* = φ* +
// (γ/2)‖·‖².
//
//   smooth         φ_γ* is γ-strongly convex, so φ_γ is 1/γ-smooth. If φ is β-smooth, φ* is
//   1/β-strongly
//                  convex, φ_γ* is (1/β + γ)-strongly convex, and φ_γ is β/(1 + γβ)-smooth.
//   Lipschitz      dom φ_γ* = dom φ*, so the constant of φ stays.
//   strongly conv. φ μ-strongly convex: φ* is 1/μ-smooth, φ_γ* is (1/μ + γ)-smooth, φ_γ is μ/(1 +
//   γμ)-strongly
//                  convex.
//   distance       0 ≤ φ − φ_γ ≤ γℓ²/2 for φ ℓ-Lipschitz: φ_γ(z) = sup_u ⟨u,z⟩ − φ*(u) − (γ/2)‖u‖²,
//   ‖u‖ ≤ ℓ. lower bound    inf φ_γ = inf φ.
#pragma once

#include "calculus/facts.hpp"

#include <fmt/format.h>

namespace fenchel::rules {

// Constants in the Euclidean norm.
inline Facts smoothed(const Facts& f, double gamma) {
  Facts out;
  const Derived convex = f.get(FENCHEL_FACT_CONVEX);
  out.set(FENCHEL_FACT_CONVEX, convex);
  if (!convex.known()) return out;
  const auto along = [gamma](const Derived& d, const char* name) {
    return known_fact(
        d.value() / (1.0 + gamma * d.value()),
        fmt::format("{0}/(1 + gamma {0}) with {0} = {1:g}, gamma = {2:g} (Moreau envelope)", name,
                    d.value(), gamma));
  };
  const Derived beta = f.get(FENCHEL_FACT_SMOOTHNESS), mu = f.get(FENCHEL_FACT_STRONG_CONVEXITY);
  out.set(FENCHEL_FACT_SMOOTHNESS,
          beta.known()
              ? along(beta, "beta")
              : known_fact(1.0 / gamma,
                           fmt::format("1/gamma with gamma = {:g} (Moreau envelope)", gamma)));
  out.set(FENCHEL_FACT_STRONG_CONVEXITY, mu.known() ? along(mu, "mu") : mu);
  out.set(FENCHEL_FACT_LIPSCHITZ, f.get(FENCHEL_FACT_LIPSCHITZ));
  out.set(FENCHEL_FACT_DUAL_RADIUS, f.get(FENCHEL_FACT_DUAL_RADIUS));
  out.set(FENCHEL_FACT_LOWER_BOUND, f.get(FENCHEL_FACT_LOWER_BOUND));
  return out;
}

// By how much the envelope lies below an ℓ-Lipschitz loss at most.
inline double smoothing_error(double gamma, double lipschitz) {
  return 0.5 * gamma * lipschitz * lipschitz;
}

}  // namespace fenchel::rules
