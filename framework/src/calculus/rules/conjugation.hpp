// f convex and closed ↦ f*, constants in dual norms (ℓ2 ↔ ℓ2, ℓ1 ↔ ℓ∞).
//
//   β-smooth       ⇔  f* is 1/β-strongly convex        (Hiriart-Urruty and Lemaréchal, E 4.2.2)
//   μ-strongly     ⇔  f* is 1/μ-smooth                 (the same, applied to f*)
//   ℓ-Lipschitz    ⇔  dom f* lies in the ball of radius ℓ (lemma 1 of the SDCA paper, and its
//   converse) dom f in the ball of radius r  ⇔  f* is r-Lipschitz  (the same, applied to f*)
//   (q/2)‖·‖²      ⇔  (1/(2q))‖·‖²
#pragma once

#include "calculus/facts.hpp"

namespace fenchel::rules {

inline std::int32_t dual_norm(std::int32_t norm) {
  if (norm == FENCHEL_NORM_L1) return FENCHEL_NORM_LINF;
  return norm == FENCHEL_NORM_LINF ? FENCHEL_NORM_L1 : norm;
}

inline Facts conjugate(const Facts& f) {
  Facts out;
  const Derived convex = f.get(FENCHEL_FACT_CONVEX);
  out.set(FENCHEL_FACT_CONVEX, known_fact(1.0, "a supremum of affine functions"));
  if (!convex.known()) return out;
  const auto carry = [&](std::int32_t from, std::int32_t to, bool invert, const char* how) {
    const Derived d = f.get(from);
    if (d.absent()) return out.set(to, absent_fact(how));
    if (!d.known() || (invert && !(d.value() > 0.0))) return;
    out.set(to, known_fact(invert ? 1.0 / d.value() : d.value(), how, dual_norm(d.fact.norm)));
  };
  carry(FENCHEL_FACT_SMOOTHNESS, FENCHEL_FACT_STRONG_CONVEXITY, true,
        "1/smoothness of the conjugate");
  carry(FENCHEL_FACT_STRONG_CONVEXITY, FENCHEL_FACT_SMOOTHNESS, true,
        "1/strong convexity of the conjugate");
  carry(FENCHEL_FACT_LIPSCHITZ, FENCHEL_FACT_DOMAIN_RADIUS, false,
        "Lipschitz constant of the conjugate");
  carry(FENCHEL_FACT_DOMAIN_RADIUS, FENCHEL_FACT_LIPSCHITZ, false,
        "radius of the conjugate's domain");
  carry(FENCHEL_FACT_QUADRATIC, FENCHEL_FACT_QUADRATIC, true, "conjugate of a quadratic");
  return out;
}

}  // namespace fenchel::rules
