// Max-margin Markov network  φ(z; y) = max_y′ m wrong(y′, y) + ⟨z, f(y′)⟩ − ⟨z, f(y)⟩  over the
// labellings y′ of a sequence; with a temperature μ > 0 the soft maximum μ log Σ exp(·/μ) instead,
// which lies above by at most μ T log k.
//
//   ∂φ ∋ f(y′) − f(y) for a best y′ (Viterbi); μ > 0: marginals, by forward-backward
//   √(2T + 2(T − 1)²)-Lipschitz, (T + (T − 1)²)/(2μ)-smooth for T positions (chain_path_loss.hpp)
//
// With temperature 1 and margin 0 it is the crf.
#include <fenchel/kernels/chain_path_loss.hpp>
#include <fenchel/sdk.hpp>

namespace {
using namespace fenchel::sdk;
namespace kernels = fenchel::kernels;

struct MaxMarginNetwork : kernels::PathLoss {
  static constexpr Card card{
      .id = "m3n",
      .summary = "max over labellings of wrong labels + score, above the truth's score",
      .citation = "Taskar, Guestrin and Koller, Max-margin Markov networks, 2004"};
  static constexpr Param params[] = {{.name = "temperature",
                                      .fallback = "0",
                                      .range = "[0, inf)",
                                      .meaning = "of the soft maximum; 0: the maximum itself"},
                                     {.name = "margin",
                                      .fallback = "1",
                                      .range = "[0, inf)",
                                      .meaning = "what a wrong label adds to a score"}};
  static constexpr Target target = Target::sequence;

  explicit MaxMarginNetwork(const Params& p)
      : PathLoss(chain_rules(p.shape()), static_cast<std::size_t>(p.shape().outputs),
                 static_cast<std::size_t>(p.shape().widest_block), p.number("temperature"),
                 p.number("margin")) {}
  LossFacts facts() const {
    return {.convex = true,
            .lipschitz = PathLoss::lipschitz(),
            .smoothness = temperature() > 0.0 ? Fact(PathLoss::smoothness()) : absent,
            .strong_convexity = absent,
            .lower_bound = 0.0};
  }
};
}  // namespace

FENCHEL_LOSS(MaxMarginNetwork)
