// Accelerated gradient with an estimate function that remembers every gradient (algorithms 1 and 2
// of Zhang, Saha and Vishwanathan; sdk/estimate/sequence.hpp has the steps).
//
//   J(x_k) − J* ≤ Δ(x*, x₀) min{ 4L/(k + 1)², (L − λ₁)(1 + √(λ/(4L)))^(2 − 2k) },   λ = λ₁ + λ₂
//   J(x_k) − D(α_k) ≤ max Δ(x, x₀)/A_k  over dom Ω
#include <fenchel/sdk.hpp>
#include <fenchel/sdk/estimate/primal_method.hpp>

namespace {
using namespace fenchel::sdk;

struct AgmInfinity : estimate::PrimalMethod {
  static constexpr Card card{
      .id = "agm-inf",
      .summary = "accelerated gradient with an estimate function of unlimited memory",
      .citation =
          "Zhang, Saha and Vishwanathan, Regularized risk minimization by Nesterov's "
          "accelerated gradient methods: algorithmic extensions and empirical studies"};
  static constexpr Param params[] = {estimate::kStep, estimate::kUp, estimate::kDown,
                                     estimate::kGeometry};

  explicit AgmInfinity(const Params& p) : PrimalMethod(p, false) {}

  Rate rate(const RateQuery& q) const {
    return PrimalMethod::rate(
        q, "|w*|^2/2 min(4 L/(k + 1)^2, L (1 + sqrt(lambda/(4 L)))^(2 - 2 k))",
        [](double distance, double l, double mu, double error) {
          const double ratio = std::max(l * distance / error, 1.0);
          const double sublinear = 2.0 * std::sqrt(ratio);
          return mu > 0.0 ? std::min(sublinear, 1.0 + 0.5 * std::log(ratio) /
                                                          std::log1p(std::sqrt(mu / (4.0 * l))))
                          : sublinear;
        });
  }
};
}  // namespace

FENCHEL_SOLVER(AgmInfinity)
