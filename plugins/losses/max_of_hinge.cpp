// Max-of-hinge loss (Crammer and Singer)  φ(z; y) = maxⱼ ([j ≠ y] + zⱼ) − z_y.
//
//   ∂φ ∋ eⱼ − e_y for a maximising j            √2-Lipschitz, not smooth
//   φ*(u) = p_y − 1 = −Σ_{j≠y} pⱼ  for p = u + e_y in the simplex, +∞ elsewhere
//   prox_{tφ}(s) = s − t u with uⱼ = max(0, mⱼ − θ)/t for mⱼ = 1 + sⱼ − s_y,  θ = t Σ_{j≠y} uⱼ (the
//     label is among the maximisers), or a larger θ that makes this sum 1
#include <fenchel/kernels/label_margins.hpp>
#include <fenchel/kernels/simplex.hpp>
#include <fenchel/sdk.hpp>

#include <cmath>

namespace {
using namespace fenchel::sdk;
namespace kernels = fenchel::kernels;

struct MaxOfHinge {
  static constexpr Card card{
      .id = "max-of-hinge",
      .summary = "max([j != y] + z_j) - z_y: the multiclass support vector machine",
      .citation =
          "Crammer and Singer, On the algorithmic implementation of multiclass "
          "kernel-based vector machines, 2001"};
  static constexpr Target target = Target::classes;

  explicit MaxOfHinge(const Params&) {}
  LossFacts facts() const {
    return {.convex = true,
            .lipschitz = std::sqrt(2.0),
            .smoothness = absent,
            .strong_convexity = absent,
            .lower_bound = 0.0};
  }

  double value(Block z, double y) const {
    const auto label = static_cast<std::size_t>(y);
    return kernels::label_margin(z, label, best(z, label));
  }
  void gradient(Block z, double y, std::span<double> out) const {
    const auto label = static_cast<std::size_t>(y);
    const std::size_t top = best(z, label);
    std::fill(out.begin(), out.end(), 0.0);
    out[top] += 1.0;
    out[label] -= 1.0;
  }
  double conjugate(Block u, double y) const {
    const auto label = static_cast<std::size_t>(y);
    if (!kernels::in_label_simplex(u, label)) return infinity;
    return u[label];
  }
  void prox(Block s, double t, double y, std::span<double> out, std::span<double> scratch) const {
    kernels::margin_prox(s, static_cast<std::size_t>(y), 0.0, t, out, scratch);
  }
  void project_dual(std::span<double> u, double y, std::span<double> scratch) const {
    kernels::project_label_simplex(u, static_cast<std::size_t>(y), scratch);
  }

 private:
  static std::size_t best(Block z, std::size_t label) {
    std::size_t top = label;
    double margin = 0.0;
    for (std::size_t j = 0; j < z.size(); ++j) {
      const double other = kernels::label_margin(z, label, j);
      if (other > margin) top = j, margin = other;
    }
    return top;
  }
};
}  // namespace

FENCHEL_LOSS(MaxOfHinge)
