// Weighted squared norm  Ω(w) = (λ/2) Σⱼ cⱼ wⱼ²,  cⱼ > 0: a plugin that another compiler and
// another standard library may build.
//
//   prox_{tΩ}(w)ⱼ = wⱼ / (1 + tλcⱼ)
//   Ω*(v) = Σⱼ vⱼ² / (2λcⱼ),  ∇Ω*(v)ⱼ = vⱼ / (λcⱼ)     λ min c strongly convex, λ max c smooth
#include <fenchel/sdk.hpp>

#include <string>
#include <vector>

namespace {
using namespace fenchel::sdk;

struct WeightedL2 {
  static constexpr Card card{.id = "weighted-l2", .summary = "(lambda/2) sum_j c_j w_j^2"};
  static constexpr Param params[] = {
      {.name = "lambda", .range = "(0, inf)", .meaning = "weight of the whole"},
      {.name = "weights",
       .type = Type::numbers,
       .fallback = "[]",
       .range = "(0, inf)",
       .meaning = "c, one number a parameter; all 1 where empty"}};

  explicit WeightedL2(const Params& p) {
    const auto given = p.numbers("weights");
    const auto wanted = static_cast<std::size_t>(p.shape().parameters);
    if (!given.empty() && given.size() != wanted) {
      throw std::invalid_argument("weights has " + std::to_string(given.size()) +
                                  " entries, the problem " + std::to_string(wanted) +
                                  " parameters");
    }
    curvature_.assign(given.begin(), given.end());
    if (given.empty()) curvature_.assign(wanted, 1.0);
    for (double& c : curvature_) c *= p.number("lambda");
  }

  RegularizerFacts facts() const {
    const auto [least, most] = std::minmax_element(curvature_.begin(), curvature_.end());
    return {.convex = true,
            .lipschitz = absent,
            .smoothness = *most,
            .strong_convexity = *least,
            .domain_radius = absent,
            .lower_bound = 0.0};
  }

  double value(Values w) const {
    double sum = 0.0;
    for (std::size_t j = 0; j < w.size(); ++j) sum += 0.5 * curvature_[j] * w[j] * w[j];
    return sum;
  }
  void prox(Values w, double t, std::span<double> out) const {
    for (std::size_t j = 0; j < w.size(); ++j) out[j] = w[j] / (1.0 + t * curvature_[j]);
  }
  double conjugate(Values v) const {
    double sum = 0.0;
    for (std::size_t j = 0; j < v.size(); ++j) sum += 0.5 * v[j] * v[j] / curvature_[j];
    return sum;
  }
  void conjugate_gradient(Values v, std::span<double> out) const {
    for (std::size_t j = 0; j < v.size(); ++j) out[j] = v[j] / curvature_[j];
  }
  void gradient(Values w, std::span<double> out) const {
    for (std::size_t j = 0; j < w.size(); ++j) out[j] = curvature_[j] * w[j];
  }

 private:
  std::vector<double> curvature_;  // λc
};
}  // namespace

FENCHEL_REGULARIZER(WeightedL2)
