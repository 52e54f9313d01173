// f(w) = Σ_b f_b(w_b) over disjoint sets of coordinates, constants in the Euclidean norm.
//
//   convex         all are.
//   Lipschitz      Σ ℓ_b‖x_b‖ ≤ √(Σ ℓ_b²) ‖x‖ (Cauchy-Schwarz).
//   smooth         Σ (β_b/2)‖x_b‖² ≤ (max β_b/2)‖x‖²; a kink of one block is a kink of f.
//   strongly conv. the least modulus; a block without one is a direction without one.
//   growth         Σ a_b‖x_b‖ ≥ (min a_b)‖x‖, since Σ‖x_b‖ ≥ ‖x‖.
//   domain         a product: √(Σ r_b²); unbounded if one is.
#pragma once

#include "calculus/facts.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

namespace fenchel::rules {

// One constant from those of all blocks: absent if one is (where `absent_spreads`), else unknown if
// one is.
inline Derived fold(const std::vector<Facts>& blocks, std::int32_t id, bool absent_spreads,
                    const char* how, double start,
                    const std::function<double(double, double)>& combine) {
  double value = start;
  bool all_known = true;
  for (const Facts& block : blocks) {
    const Derived d = block.get(id);
    if (d.absent() && absent_spreads) return absent_fact("absent for a block");
    all_known = all_known && d.known();
    value = combine(value, d.value());
  }
  return all_known ? known_fact(value, how) : unknown_fact("not known for every block");
}

inline Facts blocks(const std::vector<Facts>& list) {
  const auto largest = [](double a, double b) { return std::max(a, b); };
  const auto least = [](double a, double b) { return std::min(a, b); };
  const auto add = [](double a, double b) { return a + b; };
  const auto euclid = [](double a, double b) { return std::hypot(a, b); };
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  Facts out;
  const auto put = [&](std::int32_t id, bool spreads, const char* how, double start,
                       const auto& combine) {
    out.set(id, fold(list, id, spreads, how, start, combine));
  };
  put(FENCHEL_FACT_CONVEX, true, "all blocks are convex", 1.0, largest);
  put(FENCHEL_FACT_SEPARABLE, true, "all blocks are separable", 1.0, largest);
  put(FENCHEL_FACT_LIPSCHITZ, true, "root of the sum of squares over blocks", 0.0, euclid);
  put(FENCHEL_FACT_SMOOTHNESS, true, "largest over blocks", 0.0, largest);
  put(FENCHEL_FACT_STRONG_CONVEXITY, true, "least over blocks", kInfinity, least);
  put(FENCHEL_FACT_GROWTH, true, "least over blocks", kInfinity, least);
  put(FENCHEL_FACT_LOWER_BOUND, true, "sum over blocks", 0.0, add);
  put(FENCHEL_FACT_DOMAIN_RADIUS, true, "root of the sum of squares over blocks", 0.0, euclid);
  const Derived low =
      fold(list, FENCHEL_FACT_QUADRATIC, true, "all blocks alike", kInfinity, least);
  const Derived high = fold(list, FENCHEL_FACT_QUADRATIC, true, "all blocks alike", 0.0, largest);
  out.set(FENCHEL_FACT_QUADRATIC,
          !low.known() || low.value() == high.value() ? low : absent_fact("blocks differ"));
  return out;
}

}  // namespace fenchel::rules
