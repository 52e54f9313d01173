// Conditional random field  φ(z; y) = log Σ_y′ exp(⟨z, f(y′)⟩ + m wrong(y′, y)) − ⟨z, f(y)⟩
// over the labellings y′ of a sequence; a margin m > 0 makes it the softmax-margin loss.
//
//   ∇φ = node marginals and summed pair marginals, less those of y, by forward-backward
//   √(2T + 2(T − 1)²)-Lipschitz, (T + (T − 1)²)/2-smooth for T positions (chain_path_loss.hpp)
#include <fenchel/kernels/chain_path_loss.hpp>
#include <fenchel/sdk.hpp>

namespace {
using namespace fenchel::sdk;
namespace kernels = fenchel::kernels;

struct Crf : kernels::PathLoss {
  static constexpr Card card{
      .id = "crf",
      .summary = "negative log-likelihood of a sequence of labels",
      .citation = "Lafferty, McCallum and Pereira, Conditional random fields, 2001"};
  static constexpr Param params[] = {
      {.name = "margin",
       .fallback = "0",
       .range = "[0, inf)",
       .meaning = "what a wrong label adds to a score; above 0: softmax-margin"}};
  static constexpr Target target = Target::sequence;

  explicit Crf(const Params& p)
      : PathLoss(chain_rules(p.shape()), static_cast<std::size_t>(p.shape().outputs),
                 static_cast<std::size_t>(p.shape().widest_block), 1.0, p.number("margin")) {}
  LossFacts facts() const {
    return {.convex = true,
            .lipschitz = PathLoss::lipschitz(),
            .smoothness = PathLoss::smoothness(),
            .strong_convexity = absent,
            .lower_bound = 0.0};
  }

  void marginals(const Sequence& z, std::span<double> out, std::span<double> scratch) const {
    soft_nodes(z, out, scratch);
  }
};
}  // namespace

FENCHEL_LOSS(Crf)
