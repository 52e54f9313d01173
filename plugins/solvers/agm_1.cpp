// Accelerated gradient with a 1-memory estimate function (algorithms 3 and 4 of Zhang, Saha and
// Vishwanathan; sdk/estimate/sequence.hpp has the steps).
//
//   J(x_k) − J* ≤ (L − λ₁) Δ(x*, u₀) min{ (1 − √(λ/L′))^k, 4/(k + 2)² },   λ = λ₁ + λ₂, L′ = L + λ₂
//   J(x_k) − D(α_k) ≤ L Π(1 − aᵢ) max Δ(x, u₀)  over dom Ω
#include <fenchel/sdk.hpp>
#include <fenchel/sdk/estimate/primal_method.hpp>

namespace {
using namespace fenchel::sdk;

struct AgmOne : estimate::PrimalMethod {
  static constexpr Card card{
      .id = "agm-1",
      .summary = "accelerated gradient with a 1-memory estimate function",
      .citation =
          "Zhang, Saha and Vishwanathan, Regularized risk minimization by Nesterov's "
          "accelerated gradient methods: algorithmic extensions and empirical studies"};
  static constexpr Param params[] = {estimate::kStep, estimate::kUp, estimate::kDown,
                                     estimate::kGeometry};

  explicit AgmOne(const Params& p) : PrimalMethod(p, true) {}

  Rate rate(const RateQuery& q) const {
    return PrimalMethod::rate(
        q, "L |w*|^2/2 min((1 - sqrt(lambda/(L + lambda)))^k, 4/(k + 2)^2)",
        [](double distance, double l, double mu, double error) {
          const double ratio = std::max(l * distance / error, 1.0);
          const double sublinear = 2.0 * std::sqrt(ratio);
          return mu > 0.0
                     ? std::min(sublinear, -std::log(ratio) / std::log1p(-std::sqrt(mu / (l + mu))))
                     : sublinear;
        });
  }
};
}  // namespace

FENCHEL_SOLVER(AgmOne)
