// f + g on the same space, constants in the Euclidean norm.
//
//   convex         both convex.
//   Lipschitz      triangle inequality: ℓ_f + ℓ_g.
//   smooth         gradients add: β_f + β_g. If one is convex and proven non-smooth and the other
//   convex and
//                  smooth, the kink of the one stays: absent.
//   strongly conv. f − (μ_f/2)‖·‖² and g − (μ_g/2)‖·‖² convex add up: μ_f + μ_g, where convex
//   counts as 0. If
//                  neither has a modulus of its own, nothing is known: together they may have one.
//   growth         f(w) − f(0) ≥ a‖w‖ and g(w) − g(0) ≥ b‖w‖ add up: a + b.
//   domain         dom(f + g) = dom f ∩ dom g: the smaller radius. Where one is finite everywhere,
//                  the other's domain; two unbounded domains may well have a bounded intersection.
//   quadratic      both are. If only one is, the other may still be 0.
//   separable      both are. If one is not and the other is, the sum is not.
#pragma once

#include "calculus/facts.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace fenchel::rules {

inline Derived sum_of(const Derived& a, const Derived& b) {
  if (a.known() && b.known())
    return known_fact(a.value() + b.value(), fmt::format("{:g} + {:g}", a.value(), b.value()));
  return unknown_fact("a term's constant is not known");
}

inline Derived sum_smoothness(const Facts& f, const Facts& g) {
  const Derived a = f.get(FENCHEL_FACT_SMOOTHNESS), b = g.get(FENCHEL_FACT_SMOOTHNESS);
  const bool convex = f.get(FENCHEL_FACT_CONVEX).known() && g.get(FENCHEL_FACT_CONVEX).known();
  if (convex && (a.absent() || b.absent()))
    return absent_fact("a convex term has a kink, which stays");
  return sum_of(a, b);
}

inline Derived sum_strong_convexity(const Facts& f, const Facts& g) {
  const auto modulus = [](const Facts& h) {
    Derived own = h.get(FENCHEL_FACT_STRONG_CONVEXITY);
    if (own.known()) return own;
    return h.get(FENCHEL_FACT_CONVEX).known() ? known_fact(0.0, "convex") : own;
  };
  const Derived total = sum_of(modulus(f), modulus(g));
  return total.known() && !(total.value() > 0.0)
             ? unknown_fact("no term is strongly convex by itself")
             : total;
}

inline Derived sum_domain(const Facts& f, const Facts& g) {
  const auto finite = [](const Facts& h) {
    return h.get(FENCHEL_FACT_LIPSCHITZ).known() || h.get(FENCHEL_FACT_SMOOTHNESS).known();
  };
  Derived a = f.get(FENCHEL_FACT_DOMAIN_RADIUS), b = g.get(FENCHEL_FACT_DOMAIN_RADIUS);
  if (a.known() && b.known()) return a.value() <= b.value() ? a : b;
  if (a.known() || b.known()) return a.known() ? a : b;
  if (finite(f)) return b;
  return finite(g) ? a : unknown_fact("the intersection of two domains");
}

inline Derived sum_separable(const Facts& f, const Facts& g) {
  const Derived a = f.get(FENCHEL_FACT_SEPARABLE), b = g.get(FENCHEL_FACT_SEPARABLE);
  if (a.known() && b.known()) return known_fact(1.0, "all terms are separable");
  if ((a.known() && b.absent()) || (a.absent() && b.known()))
    return absent_fact("a single term is not separable");
  return unknown_fact("not known of every term");
}

inline Facts sum(const Facts& f, const Facts& g) {
  Facts out;
  const Derived convex_f = f.get(FENCHEL_FACT_CONVEX), convex_g = g.get(FENCHEL_FACT_CONVEX);
  out.set(FENCHEL_FACT_CONVEX, convex_f.known() && convex_g.known()
                                   ? known_fact(1.0, "all terms are convex")
                                   : unknown_fact("a term is not convex"));
  out.set(FENCHEL_FACT_LIPSCHITZ,
          sum_of(f.get(FENCHEL_FACT_LIPSCHITZ), g.get(FENCHEL_FACT_LIPSCHITZ)));
  out.set(FENCHEL_FACT_SMOOTHNESS, sum_smoothness(f, g));
  out.set(FENCHEL_FACT_STRONG_CONVEXITY, sum_strong_convexity(f, g));
  out.set(FENCHEL_FACT_GROWTH, sum_of(f.get(FENCHEL_FACT_GROWTH), g.get(FENCHEL_FACT_GROWTH)));
  out.set(FENCHEL_FACT_LOWER_BOUND,
          sum_of(f.get(FENCHEL_FACT_LOWER_BOUND), g.get(FENCHEL_FACT_LOWER_BOUND)));
  out.set(FENCHEL_FACT_DOMAIN_RADIUS, sum_domain(f, g));
  out.set(FENCHEL_FACT_SEPARABLE, sum_separable(f, g));
  out.set(FENCHEL_FACT_QUADRATIC,
          sum_of(f.get(FENCHEL_FACT_QUADRATIC), g.get(FENCHEL_FACT_QUADRATIC)));
  return out;
}

}  // namespace fenchel::rules
