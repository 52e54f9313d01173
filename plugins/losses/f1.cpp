// 1 − F_β over the whole sample, one block of m scores,
//
//   φ(z; y) = max over y′ ∈ {−1, +1}ᵐ of  Δ(y′, y) + (1/m) Σᵢ zᵢ (y′ᵢ − yᵢ),    yᵢ ∈ {−1, +1},
//
//   Δ = 1 − F_β = (β²b + c)/((1 + β²)n₊ − b + c),   b false negatives, c false positives, n₊
//   positives
//
// (Joachims 2005; AGM paper, eq. 43, whose Δ must be the loss). Labels are ±1 there and here, so an
// example that is flipped in y′ adds −2yᵢzᵢ/m. φ is at least 0 (y′ = y) and at least Δ of sign(z).
// Without positives Δ is 0 at c = 0 and 1 elsewhere.
//
//   Value. Sort both classes; for every b the best c maximises a concave sequence: O(m log m).
//   ∂φ ∋ u,  uᵢ = −2yᵢ/m where the best y′ flips i, else 0: a vertex.
//     2/√m-Lipschitz (‖u‖² ≤ m·4/m²), not smooth
//   φ*(u) = −max E Δ over random y′ with P(i flipped) = −m yᵢuᵢ/2 ∈ [0, 1], +∞ elsewhere: exact,
//   see
//     f1_conjugate.hpp; at a vertex it is −Δ
//
// With temperature τ > 0 the maximum is softened,
//
//   φ_τ(z) = (τ/m) log Σ_{y′} exp((m Δ(y′, y) + Σᵢ zᵢ(y′ᵢ − yᵢ))/τ),     φ ≤ φ_τ ≤ φ + τ log 2.
//
// τ is on the scale of the scores, as the paper's μ: with Δ = 0 this is the mean of the logistic
// losses τ log(1 + exp(−2yᵢzᵢ/τ)). The paper's own constant, (μ/m) log m more, is left out.
//
//   ∇φ_τ = E (y′ − y)/m under the law of y′ ∝ the exponential. By counts: `windowed` (near-linear)
//     or `exact` (the paper's dynamic programme, O(m²) time and memory).
//     ∇²φ_τ = Cov(y′)/(mτ) ≼ I/τ, since ⟨v, y′⟩ has a range of 2‖v‖₁ ≤ 2√m‖v‖: 1/τ-smooth
//   φ_τ*(u) = min over the laws of y′ above of −E Δ − (τ/m) entropy. Its minimiser is known from z,
//     not from u. Here an upper bound, at most τ log 2 above it: the lesser of φ*(u) and the value
//     of the law that flips independently. At a vertex both are exact.
#include <fenchel/kernels/count_law.hpp>
#include <fenchel/kernels/f1_argmax.hpp>
#include <fenchel/kernels/f1_conjugate.hpp>
#include <fenchel/kernels/f1_smoothed.hpp>
#include <fenchel/sdk.hpp>

#include <cmath>
#include <numbers>

namespace {
using namespace fenchel::sdk;
namespace kernels = fenchel::kernels;

constexpr double kRounding = 1e-13;  // granted to a flip probability of 1

struct Workspace {
  kernels::F1SmoothedWorkspace smoothed;
  kernels::F1ConjugateWorkspace conjugate;
  kernels::CountLaw positive, negative;
  std::vector<double> kept_positive, kept_negative;
};

struct F1 {
  static constexpr Card card{
      .id = "f1",
      .summary =
          "max over y' of 1 - F_beta(y', y) + (1/m) sum z_i (y'_i - y_i), all m rows at once",
      .citation = "Joachims, A support vector method for multivariate performance measures, 2005"};
  static constexpr Param params[] = {
      {.name = "beta", .fallback = "1", .range = "(0, inf)", .meaning = "recall counts beta times"},
      {.name = "temperature",
       .fallback = "0",
       .range = "[0, inf)",
       .meaning = "of the softened maximum, on the scale of the scores; 0: the maximum"},
      {.name = "counts",
       .type = Type::text,
       .fallback = "windowed",
       .range = "windowed | exact",
       .meaning = "how the softened maximum is summed: near-linear, or in m^2 time and memory"}};
  static constexpr std::size_t scratch_per_score = 4;  // sorted gains, and their sums

  explicit F1(const Params& p)
      : m_(static_cast<double>(p.shape().scores)),
        beta_squared_(p.number("beta") * p.number("beta")),
        smoothing_{beta_squared_, p.number("temperature"), p.text("counts") == "exact"} {}
  LossFacts facts() const {
    const double tau = smoothing_.temperature;
    return {.convex = true,
            .lipschitz = 2.0 / std::sqrt(m_),
            .smoothness = tau > 0.0 ? Fact(1.0 / tau) : absent,
            .strong_convexity = absent,
            .lower_bound = 0.0,
            .entropy = std::numbers::ln2,
            .conjugate_slack = tau > 0.0 ? Fact(tau * std::numbers::ln2) : unknown};
  }

  double value(Block z, Targets y, std::span<double> scratch) const {
    if (smoothing_.temperature > 0.0) return smoothing_(z, y, {}, per_thread<Workspace>().smoothed);
    return Best(*this, z, y, scratch).vertex.value;
  }
  void gradient(Block z, Targets y, std::span<double> out, std::span<double> scratch) const {
    if (smoothing_.temperature > 0.0) {
      smoothing_(z, y, out, per_thread<Workspace>().smoothed);
      for (std::size_t i = 0; i < z.size(); ++i) out[i] *= -2.0 * y[i] / m_;
      return;
    }
    const Best best(*this, z, y, scratch);
    kernels::TakeFirst missed(best.positive, best.vertex.false_negatives);
    kernels::TakeFirst alarms(best.negative, best.vertex.false_positives);
    for (std::size_t i = 0; i < z.size(); ++i) {
      const bool flipped = y[i] > 0.0 ? missed(-z[i]) : alarms(z[i]);
      out[i] = flipped ? -2.0 * y[i] / m_ : 0.0;
    }
  }
  double conjugate(Block u, Targets y) const {
    auto& work = per_thread<Workspace>();
    std::vector<double>& first = work.conjugate.flips_positive;
    std::vector<double>& second = work.conjugate.flips_negative;
    first.clear();
    second.clear();
    for (std::size_t i = 0; i < u.size(); ++i) {
      const double flip = -0.5 * m_ * y[i] * u[i];
      if (!(flip >= 0.0 && flip <= 1.0 + kRounding)) return infinity;
      (y[i] > 0.0 ? first : second).push_back(std::min(flip, 1.0));
    }
    const kernels::F1Counts counts{static_cast<double>(first.size()),
                                   static_cast<double>(second.size()), beta_squared_};
    const double independent =
        smoothing_.temperature > 0.0 ? independent_bound(counts, work) : infinity;
    return std::min(independent, -kernels::f1_most_mean_loss(counts, work.conjugate));
  }
  void project_dual(std::span<double> u, Targets y, std::span<double>) const {
    for (std::size_t i = 0; i < u.size(); ++i)
      u[i] = std::clamp(u[i], y[i] > 0.0 ? -2.0 / m_ : 0.0, y[i] > 0.0 ? 0.0 : 2.0 / m_);
  }

 private:
  // The vertex that attains φ, and the sorted gains.
  struct Best {
    std::span<double> positive, negative;
    kernels::F1Vertex vertex;

    Best(const F1& self, Block z, Targets y, std::span<double> scratch)
        : positive(kernels::sorted_gains(z, y, 1.0, scratch)),
          negative(kernels::sorted_gains(z, y, -1.0, scratch.subspan(positive.size()))),
          vertex(kernels::f1_argmax({static_cast<double>(positive.size()),
                                     static_cast<double>(negative.size()), self.beta_squared_},
                                    2.0 / self.m_, positive, negative, scratch.subspan(z.size()))) {
    }
  };

  // −E Δ − (τ/m) entropy of independent flips.
  double independent_bound(const kernels::F1Counts& counts, Workspace& work) const {
    constexpr double kLeast = 1e-24;  // of a count's probability
    double entropy = 0.0;
    const auto law = [&](const std::vector<double>& flips, std::vector<double>& kept,
                         kernels::CountLaw& counted) {
      kept.clear();
      for (const double p : flips) {
        kept.push_back(1.0 - p);
        if (p > 0.0 && p < 1.0) entropy -= p * std::log(p) + (1.0 - p) * std::log1p(-p);
      }
      counted.build(flips, kept, kLeast);
    };
    law(work.conjugate.flips_positive, work.kept_positive, work.positive);
    law(work.conjugate.flips_negative, work.kept_negative, work.negative);
    double mean = 0.0;
    for (std::size_t i = 0; i < work.positive.values().size(); ++i) {
      const auto b = static_cast<double>(work.positive.low() + i);
      double row = 0.0;
      for (std::size_t j = 0; j < work.negative.values().size(); ++j)
        row += work.negative.values()[j] *
               counts.loss(b, static_cast<double>(work.negative.low() + j));
      mean += work.positive.values()[i] * row;
    }
    return -mean - smoothing_.temperature / m_ * entropy;
  }

  double m_, beta_squared_;
  kernels::F1Smoothing smoothing_;
};
}  // namespace

FENCHEL_LOSS(F1)
