// From one norm to another, on R^d.
//
//   ‖x‖∞ ≤ ‖x‖₂ ≤ ‖x‖₁ ≤ √d ‖x‖₂ ≤ d ‖x‖∞
//
// An upper bound (Lipschitz: ℓ‖x‖; smoothness: (β/2)‖x‖²) in norm p holds in ℓ2 after multiplying
// by the c (or c²) with ‖x‖_p ≤ c‖x‖₂: c = √d for ℓ1, 1 for ℓ∞. A lower bound (strong convexity,
// growth) holds with the c such that ‖x‖_p ≥ c‖x‖₂: c = 1 for ℓ1, 1/√d for ℓ∞. With the same c, a
// domain in the ball ‖x‖_p ≤ r lies in the ball ‖x‖₂ ≤ r/c.
#pragma once

#include "calculus/facts.hpp"

#include <cmath>

namespace fenchel::rules {

enum class Bound { upper, lower };

// `power`: 1 for a constant that multiplies the norm, 2 for one that multiplies its square, −1 for
// one that the norm is held against.
inline Derived to_l2(Derived d, Bound bound, int power, std::int64_t dimension) {
  if (!d.known() || d.fact.norm == FENCHEL_NORM_L2) return d;
  const double root = std::sqrt(static_cast<double>(dimension));
  const bool l1 = d.fact.norm == FENCHEL_NORM_L1;
  const double factor = bound == Bound::upper ? (l1 ? root : 1.0) : (l1 ? 1.0 : 1.0 / root);
  d.fact.value *= power == 2 ? factor * factor : power == 1 ? factor : 1.0 / factor;
  d.fact.norm = FENCHEL_NORM_L2;
  d.derivation += l1 ? ", from l1 to l2" : ", from linf to l2";
  return d;
}

// All constants in the Euclidean norm.
inline Facts to_l2(Facts facts, std::int64_t dimension) {
  const auto convert = [&](std::int32_t id, Bound bound, int power) {
    facts.set(id, to_l2(facts.get(id), bound, power, dimension));
  };
  convert(FENCHEL_FACT_LIPSCHITZ, Bound::upper, 1);
  convert(FENCHEL_FACT_DUAL_RADIUS, Bound::upper, 1);
  convert(FENCHEL_FACT_SMOOTHNESS, Bound::upper, 2);
  convert(FENCHEL_FACT_STRONG_CONVEXITY, Bound::lower, 2);
  convert(FENCHEL_FACT_GROWTH, Bound::lower, 1);
  convert(FENCHEL_FACT_DOMAIN_RADIUS, Bound::lower, -1);
  return facts;
}

}  // namespace fenchel::rules
