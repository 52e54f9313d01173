// Entropy on the simplex  Ω(w) = λ Σ wⱼ log(d wⱼ) for 0 ≤ w ≤ cap, Σ w = 1,  +∞ elsewhere: λ times
// the relative entropy to the uniform distribution. LPBoost's regularizer (AGM paper, example 5,
// where cap is ν).
//
//   prox_{tΩ}(w):  tλ log xⱼ + xⱼ = min(wⱼ − ν, tλ log cap + cap) with the ν that gives Σ x = 1
//   ∇Ω*(v) ∝ exp(v/λ), the largest entries held at cap;  Ω*(v) = λ log((1/d) Σ exp(vⱼ/λ)) if none
//   is mirror step  argmin ⟨p, x⟩ + c Σ xⱼ log(d xⱼ) + a Ω(x) = ∇Ω* at −p with c + aλ for λ
//
// λ-strongly convex with respect to ℓ1 (Pinsker's inequality); least, 0, at the uniform w.
#include <fenchel/kernels/entropy.hpp>
#include <fenchel/sdk.hpp>

namespace {
using namespace fenchel::sdk;
namespace kernels = fenchel::kernels;

struct Entropy {
  static constexpr Card card{
      .id = "entropy",
      .summary = "lambda sum w log(d w) on the simplex, w <= cap: spread weights of a mixture",
      .citation = "Warmuth, Glocer and Vishwanathan, Entropy regularized LPBoost, 2008"};
  static constexpr Param params[] = {
      {.name = "lambda", .range = "(0, inf)", .meaning = "weight of the entropy"},
      {.name = "cap", .fallback = "1", .range = "(0, 1]", .meaning = "largest entry of w"}};

  explicit Entropy(const Params& p)
      : lambda_(p.number("lambda")),
        cap_(p.number("cap")),
        log_d_(std::log(static_cast<double>(p.shape().parameters))) {
    const auto d = static_cast<double>(p.shape().parameters);
    if (cap_ * d < 1.0 - rounding_margin(0))
      throw std::invalid_argument("cap is below 1/" + std::to_string(p.shape().parameters) +
                                  ": the weights cannot sum up to 1");
  }
  RegularizerFacts facts() const {
    return {.convex = true,
            .lipschitz = absent,
            .smoothness = absent,
            .strong_convexity = known(lambda_, Norm::l1),
            .domain_radius = known(1.0, Norm::l1),
            .quadratic = absent,
            .lower_bound = 0.0};
  }

  double value(Values w) const {
    const double margin = rounding_margin(w.size());
    double sum = 0.0, entropy = 0.0;
    for (const double x : w) {
      if (!(x >= -margin && x <= cap_ + margin)) return infinity;
      sum += x;
      if (x > 0.0) entropy += x * (std::log(x) + log_d_);
    }
    return std::abs(sum - 1.0) <= margin ? lambda_ * std::max(0.0, entropy) : infinity;
  }
  void prox(Values w, double t, std::span<double> out) const {
    kernels::entropic_projection(w, t * lambda_, cap_, scratch(w.size()), out);
  }
  // Off the cap vⱼ − λ log(d wⱼ) is the same for all; there it is taken at the edge.
  double conjugate(Values v) const {
    const std::span<double> p = scratch(v.size());
    for (std::size_t j = 0; j < v.size(); ++j) p[j] = -v[j];
    const kernels::EntropicShape shape = kernels::entropic_shape(p, lambda_, cap_);
    double sum = 0.0;
    if (shape.mass > 0.0)
      sum += shape.mass * (-shape.edge - lambda_ * (std::log(shape.scale) + log_d_));
    for (const double x : v)
      if (-x < shape.edge) sum += cap_ * (x - lambda_ * (std::log(cap_) + log_d_));
    return sum;
  }
  void conjugate_gradient(Values v, std::span<double> out) const {
    minimise(v, -1.0, lambda_, out);
  }
  void mirror_step(Values p, double c, double a, std::span<double> out) const {
    minimise(p, 1.0, c + a * lambda_, out);
  }

 private:
  // argmin ⟨sign p, x⟩ + τ Σ xⱼ log xⱼ
  void minimise(Values p, double sign, double tau, std::span<double> out) const {
    for (std::size_t j = 0; j < p.size(); ++j) out[j] = sign * p[j];
    kernels::entropic_minimiser(out, tau, cap_, scratch(p.size()), out);
  }

  double lambda_, cap_, log_d_;
};
}  // namespace

FENCHEL_REGULARIZER(Entropy)
