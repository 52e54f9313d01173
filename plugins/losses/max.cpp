// The largest score  φ(z) = maxᵢ zᵢ  of all N rows, or its soft maximum at temperature μ > 0,
//
//   φ_μ(z) = μ log((1/N) Σᵢ exp(zᵢ/μ)),      max z − μ log N ≤ φ_μ(z) ≤ max z.
//
//   ∂φ ∋ eᵢ for any i that attains the maximum; here their mean, or the first.
//   ∇φ_μ = softmax(z/μ)
//     1-Lipschitz, in ℓ2 as in ℓ∞; φ is not smooth, ∇²φ_μ = (diag(p) − ppᵀ)/μ ≼ I/(2μ): φ_μ is
//     1/(2μ)-smooth in ℓ2, and 1/μ-smooth in ℓ∞
//   φ*(u) = 0 and φ_μ*(u) = μ Σ uᵢ log(N uᵢ) on the unit simplex, +∞ elsewhere
//   prox_{tφ}(s) = min(s, θ),  Σ max(0, sᵢ − θ) = t
//   prox_{tφ_μ}(s) = s − t p  with  μ log pᵢ + t pᵢ = sᵢ − ν,  Σ pᵢ = 1
//
// LPBoost: the rows are those of −diag(y) H, examples by weak learners, so that the largest score
// is the least margin with its sign changed. A loss without targets: labels are not looked at. 0 is
// not in dom φ*: a dual can be certified where Ω* is finite everywhere (l2, or a bounded domain).
#include <fenchel/kernels/simplex.hpp>
#include <fenchel/kernels/softmax.hpp>
#include <fenchel/sdk.hpp>

#include <cmath>
#include <numeric>

namespace {
using namespace fenchel::sdk;
namespace kernels = fenchel::kernels;

constexpr double kRounding = 1e-12;  // granted to Σ u = 1

double top_of(Block z) { return *std::max_element(z.begin(), z.end()); }

bool in_simplex(Block u) {
  double sum = 0.0;
  for (const double x : u) {
    if (!(x >= 0.0)) return false;
    sum += x;
  }
  return std::abs(sum - 1.0) <= kRounding;
}

struct Max {
  static constexpr Card card{
      .id = "max",
      .summary = "max_i z_i over all rows, or its soft maximum: LPBoost; takes no targets",
      .citation =
          "Demiriz, Bennett and Shawe-Taylor, Linear programming boosting via column "
          "generation, 2002"};
  static constexpr Param params[] = {{.name = "temperature",
                                      .fallback = "0",
                                      .range = "[0, inf)",
                                      .meaning = "mu of mu log((1/N) sum exp(z_i/mu)); 0: max"},
                                     {.name = "ties",
                                      .type = Type::text,
                                      .fallback = "mean",
                                      .range = "mean | first",
                                      .meaning = "the subgradient where several rows attain it"}};
  static constexpr Target target = Target::none;

  explicit Max(const Params& p)
      : mu_(p.number("temperature")),
        first_(p.text("ties") == "first"),
        single_(p.shape().scores == 1),
        entropy_(std::log(static_cast<double>(p.shape().scores))) {}
  LossFacts facts() const {
    return {.convex = true,
            .lipschitz = 1.0,
            .smoothness = mu_ > 0.0 ? Fact(0.5 / mu_)
                          : single_ ? unknown
                                    : absent,
            .strong_convexity = absent,
            .lower_bound = absent,
            .entropy = entropy_};
  }

  double value(Block z, Targets) const {
    const double top = top_of(z);
    if (mu_ == 0.0) return top;
    // log of a mean near 1 takes the mean's distance from 1, or μ magnifies its rounding.
    const auto n = static_cast<double>(z.size());
    double sum = 0.0, less = 0.0;
    for (const double x : z) {
      sum += std::exp((x - top) / mu_);
      less += std::expm1((x - top) / mu_);
    }
    return top + mu_ * (less > -0.5 * n ? std::log1p(less / n) : std::log(sum / n));
  }
  void gradient(Block z, Targets, std::span<double> out) const {
    const double top = top_of(z);
    if (first_ && mu_ == 0.0) {
      std::fill(out.begin(), out.end(), 0.0);
      out[static_cast<std::size_t>(std::find(z.begin(), z.end(), top) - z.begin())] = 1.0;
      return;
    }
    double sum = 0.0;
    for (std::size_t i = 0; i < z.size(); ++i) {
      out[i] = mu_ > 0.0 ? std::exp((z[i] - top) / mu_) : z[i] == top ? 1.0 : 0.0;
      sum += out[i];
    }
    for (double& p : out) p /= sum;
  }
  double conjugate(Block u, Targets) const {
    if (!in_simplex(u)) return infinity;
    if (mu_ == 0.0) return 0.0;
    // Σ u log(Nu) = (1/N) Σ ((1 + v) log(1 + v) − v),  v = Nu − 1,  Σ v = 0: no term is negative,
    // and rounding in v counts to second order only.
    const auto n = static_cast<double>(u.size());
    double sum = 0.0;
    for (const double x : u) {
      const double v = n * x - 1.0;
      const double log = v > -0.5 ? std::log1p(v) : std::log(n * x);
      sum += (x > 0.0 ? n * x * log : 0.0) - v;
    }
    return mu_ * sum / n;
  }
  void prox(Block s, double t, Targets, std::span<double> out, std::span<double> scratch) const {
    if (mu_ > 0.0) return soft_prox(s, t, out, scratch);
    // Relative to the largest, where the digits are that count.
    const double top = top_of(s);
    std::transform(s.begin(), s.end(), out.begin(), [top](double x) { return x - top; });
    const double theta = top + kernels::simplex_threshold(out, t, scratch);
    std::transform(s.begin(), s.end(), out.begin(),
                   [theta](double x) { return std::min(x, theta); });
  }
  void project_dual(std::span<double> u, Targets, std::span<double> scratch) const {
    if (in_simplex(u)) return;
    // The projection does not see a shift along 1; near 0 the sum keeps its digits.
    const double top = top_of(u);
    for (double& x : u) x -= top;
    kernels::project_simplex(u, 1.0, scratch);
    const double sum = std::accumulate(u.begin(), u.end(), 0.0);
    for (double& x : u) x /= sum;
  }

 private:
  // A step longer than μ is taken as μ log p + ν, which does not cancel.
  void soft_prox(Block s, double t, std::span<double> out, std::span<double> scratch) const {
    const double top = top_of(s);
    const std::span<double> a = scratch.first(s.size());
    std::transform(s.begin(), s.end(), a.begin(), [top](double x) { return x - top; });
    const double nu = kernels::entropic_point(a, mu_, t, out);
    for (std::size_t i = 0; i < s.size(); ++i)
      out[i] = t > mu_ ? top + (mu_ * out[i] + nu) : s[i] - t * std::exp(out[i]);
  }

  double mu_;
  bool first_;
  bool single_;     // one score: φ(z) = z
  double entropy_;  // log N
};
}  // namespace

FENCHEL_LOSS(Max)
