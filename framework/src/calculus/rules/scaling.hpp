// f ↦ c f, c > 0. Every inequality that defines a constant is multiplied by c. Where f differs from
// block to block by a factor in [low, high], an upper bound takes the largest factor and a lower
// bound the least.
#pragma once

#include "calculus/facts.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace fenchel::rules {

inline Facts scaled(const Facts& f, double low, double high) {
  Facts out = f;
  const auto multiply = [&](std::int32_t id, double factor) {
    Derived d = f.get(id);
    if (!d.known()) return;
    d.fact.value *= factor;
    d.derivation = fmt::format("{:g} times ({})", factor, d.derivation);
    out.set(id, d);
  };
  multiply(FENCHEL_FACT_LIPSCHITZ, high);
  multiply(FENCHEL_FACT_DUAL_RADIUS, high);
  multiply(FENCHEL_FACT_SMOOTHNESS, high);
  multiply(FENCHEL_FACT_STRONG_CONVEXITY, low);
  multiply(FENCHEL_FACT_GROWTH, low);
  multiply(FENCHEL_FACT_CONJUGATE_SLACK, high);
  const double bound = f.get(FENCHEL_FACT_LOWER_BOUND).value();
  multiply(FENCHEL_FACT_LOWER_BOUND, bound < 0.0 ? high : low);
  if (low == high)
    multiply(FENCHEL_FACT_QUADRATIC, low);
  else
    out.set(FENCHEL_FACT_QUADRATIC, absent_fact("the factor differs from block to block"));
  return out;
}

inline Facts scaled(const Facts& f, double factor) { return scaled(f, factor, factor); }

}  // namespace fenchel::rules
