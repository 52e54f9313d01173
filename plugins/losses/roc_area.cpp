// The area above the ROC curve, with a margin, over the whole sample as one block:
//
//   φ(z; y) = (1/(n₊n₋)) Σ_{p positive, q negative} max(0, 1 − (z_p − z_q)),
//
// the mean hinge of all pairs, hence at least 1 − AUC. With one class alone there is no pair and φ
// = 0.
//
//   Value. A walk through both sorted classes: O(n log n).
//   ∂φ ∋ u,  u_p = −#{q : z_q > z_p − 1}/(n₊n₋),  u_q = #{p : z_p < z_q + 1}/(n₊n₋)
//     |u_p| ≤ 1/n₊ and |u_q| ≤ 1/n₋, and 1/n₊ + 1/n₋ ≤ n/(n − 1): √(n/(n − 1))-Lipschitz; not
//     smooth
//   φ*(u) = Σ_p u_p  where u is a sum of pairs, a_pq (e_q − e_p)/(n₊n₋) with 0 ≤ a_pq ≤ 1; +∞
//     elsewhere. Those u are the base polytope of pair_order.hpp.
//   prox_{tφ}(s): by the same kernel
#include <fenchel/kernels/pair_order.hpp>
#include <fenchel/sdk.hpp>

#include <cmath>

namespace {
using namespace fenchel::sdk;
namespace kernels = fenchel::kernels;

constexpr double kRounding = 1e-12;  // of u(T), which is at most 1

struct RocArea {
  static constexpr Card card{
      .id = "roc-area",
      .summary = "mean over positive-negative pairs of max(0, 1 - (z_p - z_q)), all rows at once",
      .citation = "Joachims, A support vector method for multivariate performance measures, 2005"};

  explicit RocArea(const Params& p) : n_(static_cast<double>(p.shape().scores)) {}
  LossFacts facts() const {
    return {.convex = true,
            .lipschitz = n_ > 1.0 ? std::sqrt(n_ / (n_ - 1.0)) : 0.0,
            .smoothness = n_ > 1.0 ? absent : unknown,
            .strong_convexity = absent,
            .lower_bound = 0.0};
  }

  double value(Block z, Targets y, std::span<double> scratch) const {
    const Classes classes(z, y, scratch);
    if (classes.single()) return 0.0;
    return kernels::mean_pair_excess(classes.positive, classes.negative);
  }
  void gradient(Block z, Targets y, std::span<double> out, std::span<double> scratch) const {
    std::fill(out.begin(), out.end(), 0.0);
    const Classes classes(z, y, scratch);
    if (classes.single()) return;
    const auto &a = classes.positive, &b = classes.negative;
    const double pairs = static_cast<double>(a.size()) * static_cast<double>(b.size());
    for (std::size_t i = 0; i < z.size(); ++i) {
      const std::ptrdiff_t count =
          y[i] > 0.0 ? -(b.end() - std::upper_bound(b.begin(), b.end(), z[i] - 1.0))
                     : std::lower_bound(a.begin(), a.end(), z[i]) - a.begin();
      out[i] = static_cast<double>(count) / pairs;
    }
  }
  double conjugate(Block u, Targets y) const {
    double sum = 0.0, positive = 0.0;
    for (std::size_t i = 0; i < u.size(); ++i) {
      sum += u[i];
      if (y[i] > 0.0) positive += u[i];
    }
    if (!(std::abs(sum) <= kRounding)) return infinity;
    kernels::PairOrder& order = sorted(u, y, 0.0);
    if (order.a.values.empty() || order.b.values.empty()) {
      for (const double x : u)
        if (x != 0.0) return infinity;
      return 0.0;
    }
    if (order.worst_excess() > kRounding) return infinity;
    return positive;
  }
  void prox(Block s, double t, Targets y, std::span<double> out, std::span<double>) const {
    kernels::PairOrder& order = sorted(s, y, 1.0);
    std::copy(s.begin(), s.end(), out.begin());
    if (order.a.values.empty() || order.b.values.empty()) return;
    order.prox(t, [&](std::size_t i, double x) { out[i] = x; });
  }
  // Twice, since what comes from far away misses the polytope by its rounding.
  void project_dual(std::span<double> u, Targets y, std::span<double>) const {
    if (std::isfinite(conjugate(u, y))) return;
    for (int round = 0; round < 2; ++round) {
      kernels::PairOrder& order = sorted(u, y, 0.0);
      if (order.a.values.empty() || order.b.values.empty()) {
        std::fill(u.begin(), u.end(), 0.0);
        return;
      }
      order.prox(1.0, [&](std::size_t i, double x) { u[i] -= x; });
    }
  }

 private:
  // Both classes sorted upwards, the positives less their margin.
  struct Classes {
    std::span<double> positive, negative;

    Classes(Block z, Targets y, std::span<double> scratch) {
      std::size_t first = 0, last = z.size();
      for (std::size_t i = 0; i < z.size(); ++i)
        if (y[i] > 0.0)
          scratch[first++] = z[i] - 1.0;
        else
          scratch[--last] = z[i];
      positive = scratch.first(first);
      negative = scratch.subspan(first, z.size() - first);
      std::sort(positive.begin(), positive.end());
      std::sort(negative.begin(), negative.end());
    }
    bool single() const { return positive.empty() || negative.empty(); }
  };

  static kernels::PairOrder& sorted(Block x, Targets y, double margin) {
    auto& order = per_thread<kernels::PairOrder>();
    order.a.values.clear();
    order.b.values.clear();
    order.margin = margin;
    for (std::size_t i = 0; i < x.size(); ++i)
      if (y[i] > 0.0)
        order.a.values.emplace_back(x[i], i);
      else
        order.b.values.emplace_back(x[i], i);
    order.sort();
    return order;
  }

  double n_;
};
}  // namespace

FENCHEL_LOSS(RocArea)
