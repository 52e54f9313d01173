// Precision at k over the whole sample, one block of m scores: what the best k rows miss,
//
//   φ(z; y) = max over sets S of k rows of  (r − |S ∩ P|)/k + (2/m)(Σ_{i ∈ S} zᵢ − Σᵢ tᵢzᵢ),
//
// P the positives, r = min(k, n₊) as many of them as k rows can hold, t the mean of the sets that
// hold r of them: tᵢ = r/n₊ for a positive, (k − r)/n₋ for a negative. So φ ≥ 0, and φ is at least
// the loss (r − |S ∩ P|)/k of the k rows with the largest scores; for k ≤ n₊ that is 1 − precision.
// k = 0 stands for n₊. There φ is the loss of Joachims (2005), whose score term is that of y
// itself; for another k that one is not bounded from below.
//
//   Value. S holds the k largest of (2/m)zᵢ, plus 1/k for a negative: a selection, O(m).
//   ∂φ ∋ u,  uᵢ = (2/m)(1[i ∈ S] − tᵢ)
//     ‖1_S − t‖² ≤ ‖1_S − t‖₁ ≤ 2 min(k, m − k): Lipschitz with (2/m)√(2 min(k, m − k)); not smooth
//   φ*(u) = (m/2k) Σ_P uᵢ  for (m/2)u + t ∈ [0, 1]ᵐ, Σ u = 0,  +∞ elsewhere
//   prox_{sφ}(v) = v − s u,  u the point of dom φ* nearest to (v − (m/2k) 1_P)/s, where 1_P may be
//     taken as −1_N since Σ u = 0
#include <fenchel/kernels/diagonal_qp.hpp>
#include <fenchel/sdk.hpp>

#include <cmath>
#include <functional>

namespace {
using namespace fenchel::sdk;
namespace kernels = fenchel::kernels;

constexpr double kRounding = 1e-12;  // of an x, and of Σ x in units of m

struct PrecisionAtK {
  static constexpr Card card{
      .id = "precision-at-k",
      .summary =
          "how many positives the k best scores miss, over k, with a margin; all rows at once",
      .citation = "Joachims, A support vector method for multivariate performance measures, 2005"};
  static constexpr Param params[] = {{.name = "k",
                                      .type = Type::integer,
                                      .fallback = "0",
                                      .range = "[0, inf)",
                                      .meaning = "how many rows; 0: as many as are positive"}};

  explicit PrecisionAtK(const Params& p)
      : m_(static_cast<double>(p.shape().scores)), k_(static_cast<double>(p.integer("k"))) {
    if (k_ > m_)
      throw std::invalid_argument("k is " + std::to_string(p.integer("k")) + ", but there are " +
                                  std::to_string(p.shape().scores) + " rows");
  }
  LossFacts facts() const {
    const double most = k_ == 0.0 ? m_ : 2.0 * std::min(k_, m_ - k_);
    return {.convex = true,
            .lipschitz = 2.0 / m_ * std::sqrt(most),
            .smoothness = m_ > 1.0 && most > 0.0 ? absent : unknown,
            .strong_convexity = absent,
            .lower_bound = 0.0};
  }

  double value(Block z, Targets y, std::span<double> scratch) const {
    const Sizes s(*this, y);
    if (s.k == 0.0) return 0.0;
    const double threshold = select(z, y, s, scratch);
    // Σ 1_S = Σ t, so all keys may be taken relative to the threshold; Σ_P t = r.
    double sum = 0.0;
    for (std::size_t i = 0; i < z.size(); ++i) {
      const double gain = key(z[i], y[i], s) - threshold;
      sum += std::max(0.0, gain) - s.mean(y[i]) * gain;
    }
    return sum;
  }
  void gradient(Block z, Targets y, std::span<double> out, std::span<double> scratch) const {
    const Sizes s(*this, y);
    std::fill(out.begin(), out.end(), 0.0);
    if (s.k == 0.0) return;
    const double threshold = select(z, y, s, scratch);
    double left = s.k;
    for (std::size_t i = 0; i < z.size(); ++i)
      if (key(z[i], y[i], s) > threshold) left -= 1.0;
    for (std::size_t i = 0; i < z.size(); ++i) {
      const double own = key(z[i], y[i], s);
      const bool tied = own == threshold && left > 0.0;
      if (tied) left -= 1.0;
      out[i] = 2.0 / m_ * ((own > threshold || tied ? 1.0 : 0.0) - s.mean(y[i]));
    }
  }
  double conjugate(Block u, Targets y) const {
    const Sizes s(*this, y);
    const bool single = s.k == 0.0 || s.k == m_;  // one set alone: dom φ* = {0}
    const bool fewer = 2.0 * s.positives <= m_;   // Σ_P u = −Σ_N u: the shorter sum
    double sum = 0.0, caught = 0.0;
    for (std::size_t i = 0; i < u.size(); ++i) {
      const double x = 0.5 * m_ * u[i], slack = single ? 0.0 : kRounding;
      const double low = single ? 0.0 : -s.mean(y[i]), high = single ? 0.0 : 1.0 - s.mean(y[i]);
      if (!(x >= low - slack && x <= high + slack)) return infinity;
      sum += x;
      if ((y[i] > 0.0) == fewer) caught += fewer ? x : -x;
    }
    if (single) return 0.0;
    return std::abs(sum) <= kRounding * m_ ? caught / s.k : infinity;
  }
  void prox(Block v, double step, Targets y, std::span<double> out, std::span<double>) const {
    const Sizes s(*this, y);
    for (std::size_t i = 0; i < v.size(); ++i)
      out[i] = s.k > 0.0 && y[i] < 0.0 ? v[i] + 0.5 * m_ / s.k : v[i];
    into_domain(out, y, s, step);
    for (std::size_t i = 0; i < v.size(); ++i) out[i] = v[i] - out[i];
  }
  void project_dual(std::span<double> u, Targets y, std::span<double>) const {
    if (!std::isfinite(conjugate(u, y))) into_domain(u, y, Sizes(*this, y), 1.0);
  }

 private:
  struct Sizes {
    double positives = 0.0, k = 0.0, held = 0.0;
    double of_positive = 0.0, of_negative = 0.0;  // t

    Sizes(const PrecisionAtK& self, Targets y) {
      for (const double label : y) positives += label > 0.0 ? 1.0 : 0.0;
      const double negatives = self.m_ - positives;
      k = self.k_ == 0.0 ? positives : self.k_;
      held = std::min(k, positives);
      if (positives > 0.0) of_positive = held / positives;
      if (negatives > 0.0) of_negative = (k - held) / negatives;
    }
    double mean(double y) const { return y > 0.0 ? of_positive : of_negative; }
  };

  double key(double z, double y, const Sizes& s) const {
    return 2.0 / m_ * z + (y > 0.0 ? 0.0 : 1.0 / s.k);
  }
  // The k-th largest key.
  double select(Block z, Targets y, const Sizes& s, std::span<double> scratch) const {
    const std::span<double> keys = scratch.first(z.size());
    for (std::size_t i = 0; i < z.size(); ++i) keys[i] = key(z[i], y[i], s);
    const auto at = keys.begin() + static_cast<std::ptrdiff_t>(s.k) - 1;
    std::nth_element(keys.begin(), at, keys.end(), std::greater<>());
    return *at;
  }
  // The points factor · u, u ∈ dom φ*, as the diagonal program of their projection.
  struct Domain {
    std::span<const double> x, y;
    const Sizes& s;
    double width;

    std::size_t size() const { return x.size(); }
    static double weight(std::size_t) { return 1.0; }
    double center(std::size_t i) const { return x[i]; }
    double lower(std::size_t i) const { return -width * s.mean(y[i]); }
    double upper(std::size_t i) const { return width * (1.0 - s.mean(y[i])); }
    static double sigma(std::size_t) { return 1.0; }
  };
  void into_domain(std::span<double> x, Targets y, const Sizes& s, double factor) const {
    const Domain domain{x, y, s, factor * 2.0 / m_};
    kernels::solve_diagonal_qp(domain, 0.0, per_thread<kernels::QpWorkspace>(), x);
  }

  double m_, k_;
};
}  // namespace

FENCHEL_LOSS(PrecisionAtK)
