// Smooth max-of-hinge loss, with the margins mⱼ = 1 + zⱼ − z_y of the other classes and γ > 0:
//
//   φ(z; y) = max Σ_{j≠y} (bⱼ mⱼ − ½ γ bⱼ²) over b ≥ 0, Σ b ≤ 1
//   ∇φ = b on j ≠ y and −Σ b on y, where b projects m/γ onto {b ≥ 0, Σ b ≤ 1}        √2-Lipschitz
//   φ*(u) = Σ_{j≠y} (½ γ uⱼ² − uⱼ)  for u + e_y in the simplex, +∞ elsewhere
//   prox_{tφ}(s) = s − t u with uⱼ = max(0, mⱼ(s) − θ)/(γ + t),  θ = t Σ_{j≠y} uⱼ, or a larger θ
//     that makes this sum 1
//
// φ* is γ-strongly convex in b, and ‖u‖² = ‖b‖² + (Σ b)² ≤ k‖b‖², an equality where all bⱼ are
// alike: φ is k/γ-smooth for k scores, and not less, since near mⱼ = γ/k it is ‖m‖²/(2γ). It lies
// at most γ/2 below the max-of-hinge loss. With two classes it is the smooth hinge of z_y − zⱼ.
#include <fenchel/kernels/label_margins.hpp>
#include <fenchel/kernels/simplex.hpp>
#include <fenchel/sdk.hpp>

#include <cmath>

namespace {
using namespace fenchel::sdk;
namespace kernels = fenchel::kernels;

struct SmoothMaxOfHinge {
  static constexpr Card card{
      .id = "smooth-max-of-hinge",
      .summary = "the multiclass hinge with its kinks rounded over a width gamma",
      .citation =
          "Shalev-Shwartz and Zhang, Accelerated proximal stochastic dual coordinate "
          "ascent for regularized loss minimization, 2014"};
  static constexpr Param params[] = {{.name = "gamma",
                                      .fallback = "1",
                                      .range = "(0, inf)",
                                      .meaning = "width of the quadratic part"}};
  static constexpr Target target = Target::classes;

  explicit SmoothMaxOfHinge(const Params& p)
      : gamma_(p.number("gamma")), classes_(static_cast<double>(p.shape().outputs)) {}
  LossFacts facts() const {
    return {.convex = true,
            .lipschitz = std::sqrt(2.0),
            .smoothness = classes_ / gamma_,
            .strong_convexity = absent,
            .lower_bound = 0.0};
  }

  double value(Block z, double y, std::span<double> scratch) const {
    const auto label = static_cast<std::size_t>(y);
    const kernels::Threshold theta = threshold(z, label, scratch.first(z.size()));
    double sum = 0.0;
    for (std::size_t j = 0; j < z.size(); ++j) {
      const double m = kernels::label_margin(z, label, j), excess = theta.excess(m);
      if (j != label) sum += excess / gamma_ * (m - 0.5 * excess);
    }
    return sum;
  }
  void gradient(Block z, double y, std::span<double> out) const {
    const auto label = static_cast<std::size_t>(y);
    const kernels::Threshold theta = threshold(z, label, out);
    double sum = 0.0;
    for (std::size_t j = 0; j < z.size(); ++j) {
      out[j] = j == label ? 0.0 : theta.excess(kernels::label_margin(z, label, j)) / gamma_;
      sum += out[j];
    }
    out[label] = -sum;
  }
  double conjugate(Block u, double y) const {
    const auto label = static_cast<std::size_t>(y);
    if (!kernels::in_label_simplex(u, label)) return infinity;
    double squares = 0.0;
    for (std::size_t j = 0; j < u.size(); ++j)
      if (j != label) squares += u[j] * u[j];
    return u[label] + 0.5 * gamma_ * squares;
  }
  void prox(Block s, double t, double y, std::span<double> out, std::span<double> scratch) const {
    kernels::margin_prox(s, static_cast<std::size_t>(y), gamma_, t, out, scratch);
  }
  void project_dual(std::span<double> u, double y, std::span<double> scratch) const {
    kernels::project_label_simplex(u, static_cast<std::size_t>(y), scratch);
  }

 private:
  // Of the projection of m onto {b ≥ 0, Σ b ≤ γ}.
  kernels::Threshold threshold(Block z, std::size_t label, std::span<double> room) const {
    kernels::label_margins(z, label, room);
    return kernels::ball_threshold(room, 0.0, gamma_);
  }

  double gamma_;
  double classes_;
};
}  // namespace

FENCHEL_LOSS(SmoothMaxOfHinge)
