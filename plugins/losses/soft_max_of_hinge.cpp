// Soft max-of-hinge loss  φ(z; y) = γ log Σⱼ exp((zⱼ + [j ≠ y])/γ) − z_y,  γ > 0.
//
//   ∇φ = p − e_y,  p = softmax((z + 1 − e_y)/γ)
//     √2-Lipschitz; ∇²φ = (diag(p) − ppᵀ)/γ ≼ I/(2γ): 1/(2γ)-smooth
//   φ*(u) = γ Σ pⱼ log pⱼ − Σ_{j≠y} pⱼ  for p = u + e_y in the simplex, +∞ elsewhere
//   prox_{tφ}(s) = s − t(p − e_y) with  γ log pⱼ + t pⱼ = sⱼ + [j ≠ y] + t[j = y] − ν,  Σ pⱼ = 1
//
// It lies above the max-of-hinge loss by at most γ log k. With two classes it is γ times the
// logistic loss of (z_y − zⱼ − 1)/γ.
#include <fenchel/kernels/label_margins.hpp>
#include <fenchel/kernels/simplex.hpp>
#include <fenchel/kernels/softmax.hpp>
#include <fenchel/sdk.hpp>

#include <cmath>

namespace {
using namespace fenchel::sdk;
namespace kernels = fenchel::kernels;

struct SoftMaxOfHinge {
  static constexpr Card card{
      .id = "soft-max-of-hinge",
      .summary = "gamma log sum exp((z_j + [j != y])/gamma) - z_y: a soft multiclass hinge",
      .citation =
          "Shalev-Shwartz and Zhang, Accelerated proximal stochastic dual coordinate "
          "ascent for regularized loss minimization, 2014"};
  static constexpr Param params[] = {{.name = "gamma",
                                      .fallback = "1",
                                      .range = "(0, inf)",
                                      .meaning = "temperature of the soft maximum"}};
  static constexpr Target target = Target::classes;

  explicit SoftMaxOfHinge(const Params& p) : gamma_(p.number("gamma")) {}
  LossFacts facts() const {
    return {.convex = true,
            .lipschitz = std::sqrt(2.0),
            .smoothness = 0.5 / gamma_,
            .strong_convexity = absent,
            .lower_bound = 0.0};
  }

  double value(Block z, double y, std::span<double> scratch) const {
    const auto label = static_cast<std::size_t>(y);
    const std::span<double> margins = scratch.first(z.size());
    kernels::label_margins(z, label, margins);
    return kernels::soft_excess(margins, label, gamma_);
  }
  void gradient(Block z, double y, std::span<double> out) const {
    const auto label = static_cast<std::size_t>(y);
    kernels::label_margins(z, label, out);
    kernels::soft_excess_gradient(out, label, gamma_, out);
  }
  double conjugate(Block u, double y) const {
    const auto label = static_cast<std::size_t>(y);
    if (!kernels::in_label_simplex(u, label)) return infinity;
    return kernels::label_entropy(u, label, gamma_) + u[label];
  }
  // In the coordinates of the margins, s − s_y + 1 − e_y, which keep their digits at large scores.
  void prox(Block s, double t, double y, std::span<double> out, std::span<double> scratch) const {
    const auto label = static_cast<std::size_t>(y);
    const std::span<double> margins = scratch.first(s.size());
    kernels::label_margins(s, label, margins);
    kernels::soft_excess_prox(margins, label, gamma_, t, out, scratch.subspan(s.size()));
    for (std::size_t j = 0; j < s.size(); ++j)
      out[j] = s[label] + (j == label ? out[j] : out[j] - 1.0);
  }
  void project_dual(std::span<double> u, double y, std::span<double> scratch) const {
    kernels::project_label_simplex(u, static_cast<std::size_t>(y), scratch);
  }

 private:
  double gamma_;
};
}  // namespace

FENCHEL_LOSS(SoftMaxOfHinge)
