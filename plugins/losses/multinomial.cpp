// Multinomial logistic loss  φ(z; y) = log Σⱼ exp(zⱼ) − z_y.
//
//   ∇φ = p − e_y,  p = softmax(z)              √2-Lipschitz; ∇²φ = diag(p) − ppᵀ ≼ ½ I: ½-smooth
//   φ*(u) = Σ pⱼ log pⱼ  for p = u + e_y in the simplex, +∞ elsewhere
//   prox_{tφ}(s) = s − t(p − e_y) with  log pⱼ + t pⱼ = sⱼ + t[j = y] − ν,  Σ pⱼ = 1
#include <fenchel/kernels/simplex.hpp>
#include <fenchel/kernels/softmax.hpp>
#include <fenchel/sdk.hpp>

#include <cmath>

namespace {
using namespace fenchel::sdk;
namespace kernels = fenchel::kernels;

struct Multinomial {
  static constexpr Card card{
      .id = "multinomial",
      .summary = "log sum exp(z) - z_y: multinomial logistic regression",
      .citation = "Bohning, Multinomial logistic regression algorithm, 1992"};
  static constexpr Target target = Target::classes;

  explicit Multinomial(const Params&) {}
  LossFacts facts() const {
    return {.convex = true,
            .lipschitz = std::sqrt(2.0),
            .smoothness = 0.5,
            .strong_convexity = absent,
            .lower_bound = 0.0};
  }

  double value(Block z, double y) const {
    return kernels::soft_excess(z, static_cast<std::size_t>(y), 1.0);
  }
  void gradient(Block z, double y, std::span<double> out) const {
    kernels::soft_excess_gradient(z, static_cast<std::size_t>(y), 1.0, out);
  }
  double conjugate(Block u, double y) const {
    const auto label = static_cast<std::size_t>(y);
    return kernels::in_label_simplex(u, label) ? kernels::label_entropy(u, label, 1.0) : infinity;
  }
  void prox(Block s, double t, double y, std::span<double> out, std::span<double> scratch) const {
    kernels::soft_excess_prox(s, static_cast<std::size_t>(y), 1.0, t, out, scratch);
  }
  void project_dual(std::span<double> u, double y, std::span<double> scratch) const {
    kernels::project_label_simplex(u, static_cast<std::size_t>(y), scratch);
  }
};
}  // namespace

FENCHEL_LOSS(Multinomial)
