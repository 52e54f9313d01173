// What the forms of losses share: targets, facts, and the head of the table.
#pragma once

#include <fenchel/sdk/base.hpp>

namespace fenchel::sdk {

enum class Target : std::int32_t {
  none = FENCHEL_TARGET_NONE,
  binary = FENCHEL_TARGET_BINARY,
  real = FENCHEL_TARGET_REAL,
  classes = FENCHEL_TARGET_CLASS,
  sequence = FENCHEL_TARGET_SEQUENCE,
};

// The scores of one block.
using Block = std::span<const double>;
// The targets of a block that is the whole sample, one a score.
using Targets = std::span<const double>;

struct Interval {
  double low = -infinity;
  double high = infinity;
};

// The constants of one block, without the 1/n. What is not said is unknown.
struct LossFacts {
  Fact convex{};
  Fact lipschitz{};
  Fact smoothness{};
  Fact strong_convexity{};
  Fact lower_bound{};
  Fact entropy{};  // of a loss with parameter `temperature` t: it lies within t times this
  Fact conjugate_slack{};  // the conjugate may be this much above φ*; else it is φ* itself
};

namespace detail {

template <class T>
constexpr std::int32_t target_of() {
  if constexpr (requires { T::target; })
    return static_cast<std::int32_t>(T::target);
  else
    return FENCHEL_TARGET_BINARY;
}

template <class T>
struct LossCommon {
  static void fact(const void* self, std::int32_t id, fenchel_fact* out) {
    const LossFacts facts = as<T>(self).facts();
    switch (id) {
      case FENCHEL_FACT_CONVEX: return store(facts.convex, out);
      // Lipschitz with constant l and dom phi* within [-l, l] say the same.
      case FENCHEL_FACT_LIPSCHITZ:
      case FENCHEL_FACT_DUAL_RADIUS: return store(facts.lipschitz, out);
      case FENCHEL_FACT_SMOOTHNESS: return store(facts.smoothness, out);
      case FENCHEL_FACT_STRONG_CONVEXITY: return store(facts.strong_convexity, out);
      case FENCHEL_FACT_LOWER_BOUND: return store(facts.lower_bound, out);
      case FENCHEL_FACT_ENTROPY: return store(facts.entropy, out);
      case FENCHEL_FACT_CONJUGATE_SLACK: return store(facts.conjugate_slack, out);
      default: return store(unknown, out);
    }
  }

  static constexpr fenchel_loss head(std::int32_t layout) {
    fenchel_loss t{};
    t.struct_size = sizeof(fenchel_loss);
    t.targets = target_of<T>();
    t.layout = layout;
    t.fact = fact;
    return t;
  }
};

}  // namespace detail
}  // namespace fenchel::sdk
