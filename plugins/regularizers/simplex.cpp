// The simplex  Ω(w) = 0 for w ≥ 0, Σ w = r,  +∞ elsewhere.
//
//   prox_{tΩ}(w) is the projection, max(0, w − θ) with the θ that makes the sum right: O(d)
//   Ω*(v) = r maxⱼ vⱼ                           attained at a corner, not always at one alone
//   mirror step  argmin ⟨p, x⟩ + c Σ xⱼ log(d xⱼ):  x = r exp(−p/c)/Σ exp(−p/c)
#include <fenchel/kernels/capped_simplex.hpp>
#include <fenchel/kernels/entropy.hpp>
#include <fenchel/sdk.hpp>

namespace {
using namespace fenchel::sdk;
namespace kernels = fenchel::kernels;

struct Simplex {
  static constexpr Card card{.id = "simplex",
                             .summary = "w >= 0 with the sum radius: weights of a mixture"};
  static constexpr Param params[] = {
      {.name = "radius", .fallback = "1", .range = "(0, inf)", .meaning = "what w sums up to"}};

  explicit Simplex(const Params& p) : radius_(p.number("radius")) {}
  RegularizerFacts facts() const {
    return {.convex = true,
            .lipschitz = absent,
            .smoothness = absent,
            .strong_convexity = absent,
            .domain_radius = known(radius_, Norm::l1),
            .quadratic = absent,
            .lower_bound = 0.0};
  }

  double value(Values w) const {
    const double margin = rounding_margin(w.size()) * radius_;
    double sum = 0.0;
    for (const double x : w) {
      if (!(x >= -margin)) return infinity;
      sum += x;
    }
    return std::abs(sum - radius_) <= margin ? 0.0 : infinity;
  }
  void prox(Values w, double, std::span<double> out) const {
    kernels::project_simplex(w, radius_, per_thread<kernels::QpWorkspace>(), out);
  }
  double conjugate(Values v) const { return radius_ * *std::max_element(v.begin(), v.end()); }
  void mirror_step(Values p, double c, double, std::span<double> out) const {
    kernels::entropic_minimiser(p, c, 1.0, scratch(p.size()), out);
    for (double& x : out) x *= radius_;
  }

 private:
  double radius_;
};
}  // namespace

FENCHEL_REGULARIZER(Simplex)
