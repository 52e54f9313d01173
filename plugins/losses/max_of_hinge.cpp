// Max-of-hinge loss (Crammer and Singer)  φ(z; y) = maxⱼ ([j ≠ y] + zⱼ) − z_y.
//
//   ∂φ ∋ eⱼ − e_y for a maximising j            √2-Lipschitz, not smooth
//   φ*(u) = p_y − 1 = −Σ_{j≠y} pⱼ  for p = u + e_y in the simplex, +∞ elsewhere
//   prox_{tφ}(s): xⱼ = min(sⱼ, τ) for j ≠ y, x_y = s_y + Σ_{j≠y} max(0, sⱼ − τ), where τ solves
//     Σ_{j≠y} max(0, sⱼ − τ) = 1 + τ − s_y   (the label is among the maximisers), or, if that sum
//     exceeds t, Σ_{j≠y} max(0, sⱼ − τ) = t
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
    return margin(z, label, best(z, label)) - z[label];
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
    const auto label = static_cast<std::size_t>(y);
    const std::span<double> others = scratch.first(s.size() - 1);
    std::copy(s.begin(), s.begin() + static_cast<std::ptrdiff_t>(label), others.begin());
    std::copy(s.begin() + static_cast<std::ptrdiff_t>(label) + 1, s.end(),
              others.begin() + static_cast<std::ptrdiff_t>(label));
    double tau = with_label(others, s[label]);
    if (excess(others, tau) > t)
      tau = kernels::simplex_threshold(others, t, scratch.subspan(s.size()));
    const double moved = std::min(excess(others, tau), t);
    for (std::size_t j = 0; j < s.size(); ++j)
      out[j] = j == label ? s[j] + moved : std::min(s[j], tau);
  }
  void project_dual(std::span<double> u, double y, std::span<double> scratch) const {
    kernels::project_label_simplex(u, static_cast<std::size_t>(y), scratch);
  }

 private:
  static double excess(Block others, double tau) {
    double sum = 0.0;
    for (const double x : others) sum += std::max(0.0, x - tau);
    return sum;
  }
  // The τ with Σ max(0, xⱼ − τ) = 1 + τ − s_y, from the largest x downwards. Sorts `others`.
  static double with_label(std::span<double> others, double label_score) {
    std::sort(others.begin(), others.end(), std::greater<>());
    double sum = label_score - 1.0, tau = sum;
    for (std::size_t m = 0; m < others.size() && others[m] > tau; ++m) {
      sum += others[m];
      tau = sum / static_cast<double>(m + 2);
    }
    return tau;
  }

  static double margin(Block z, std::size_t label, std::size_t j) {
    return z[j] + (j == label ? 0.0 : 1.0);
  }
  static std::size_t best(Block z, std::size_t label) {
    std::size_t top = label;
    for (std::size_t j = 0; j < z.size(); ++j)
      if (margin(z, label, j) > margin(z, label, top)) top = j;
    return top;
  }
};
}  // namespace

FENCHEL_LOSS(MaxOfHinge)
