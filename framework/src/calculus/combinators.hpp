// Parts made from parts. Each is a table of the boundary like a plugin's, so that nothing
// downstream knows the difference, and brings its facts by the rules of calculus/rules.
#pragma once

#include "plugin/parts.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace fenchel {

// φ_γ, the Moreau envelope of a loss that has a prox. With `weights` (positive, one a block) block
// i has the level γ wᵢ.
LossPart smoothed(LossPart inner, double gamma,
                  std::shared_ptr<const std::vector<double>> weights = nullptr);

// c φ, and cᵢ φᵢ with one positive factor a block.
LossPart scaled(LossPart inner, double factor);
LossPart weighted(LossPart inner, std::vector<double> factors, const std::string& text);

// c Ω.
RegularizerPart scaled(RegularizerPart inner, double factor);

// Σ Ω_k. Has prox and conjugate where all terms but one are quadratic; elsewhere only its value.
RegularizerPart sum(std::vector<RegularizerPart> terms, std::int64_t dimension);

// Ω + (μ/2)‖·‖².
RegularizerPart with_ridge(RegularizerPart inner, double mu, std::int64_t dimension);

// Σ_b Ω_b(w_b). Every coordinate 0 … dimension − 1 belongs to exactly one block; lists increase.
struct RegularizerBlock {
  RegularizerPart part;
  std::vector<std::int32_t> coordinates;
  std::string text;  // how the spec names the coordinates
};
RegularizerPart blocks(std::vector<RegularizerBlock> list, std::int64_t dimension);

// 0, and Ω on all parameters but the last, the bias.
RegularizerPart zero();
RegularizerPart with_free_bias(RegularizerPart inner, std::int64_t bias);

// The parameters on which Ω is constant, so that its dual there is {0}; increasing.
std::vector<std::int32_t> free_parameters(const RegularizerPart& regularizer,
                                          std::int64_t dimension);

// Ω(w) + ⟨c, w⟩, and Ω(w − c).
RegularizerPart with_linear_term(RegularizerPart inner, std::vector<double> slope);
RegularizerPart shifted(RegularizerPart inner, std::vector<double> center);

}  // namespace fenchel
