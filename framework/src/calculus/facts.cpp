#include "calculus/facts.hpp"

#include <utility>

namespace fenchel {
namespace {

constexpr std::int32_t kFunctionFacts[] = {
    FENCHEL_FACT_CONVEX,           FENCHEL_FACT_LIPSCHITZ,   FENCHEL_FACT_SMOOTHNESS,
    FENCHEL_FACT_STRONG_CONVEXITY, FENCHEL_FACT_DUAL_RADIUS, FENCHEL_FACT_DOMAIN_RADIUS,
    FENCHEL_FACT_SEPARABLE,        FENCHEL_FACT_QUADRATIC,   FENCHEL_FACT_LOWER_BOUND,
    FENCHEL_FACT_GROWTH,           FENCHEL_FACT_ENTROPY,     FENCHEL_FACT_CONJUGATE_SLACK};

template <class AnyPart>
Facts collect(const AnyPart& part, const char* kind) {
  if (part.facts) return *part.facts;
  Facts facts;
  for (const std::int32_t id : kFunctionFacts)
    facts.set(id, {fact_of(part, id), std::string("stated by ") + kind + " '" + part.id + "'"});
  return facts;
}

Derived made(std::int32_t state, double value, std::string derivation, std::int32_t norm) {
  return {{sizeof(fenchel_fact), state, norm, 0, value}, std::move(derivation)};
}

}  // namespace

Derived known_fact(double value, std::string derivation, std::int32_t norm) {
  return made(FENCHEL_KNOWN, value, std::move(derivation), norm);
}
Derived absent_fact(std::string derivation) {
  return made(FENCHEL_ABSENT, 0.0, std::move(derivation), FENCHEL_NORM_L2);
}
Derived unknown_fact(std::string derivation) {
  return made(FENCHEL_UNKNOWN, 0.0, std::move(derivation), FENCHEL_NORM_L2);
}

Derived Facts::get(std::int32_t id) const {
  const auto found = facts_.find(id);
  return found == facts_.end() ? unknown_fact("nothing is stated") : found->second;
}

void Facts::answer(std::int32_t id, fenchel_fact* out) const {
  const fenchel_fact fact = get(id).fact;
  out->state = fact.state;
  out->norm = fact.norm;
  out->value = fact.value;
}

Facts facts_of(const LossPart& loss) { return collect(loss, "loss"); }
Facts facts_of(const RegularizerPart& regularizer) { return collect(regularizer, "regularizer"); }

}  // namespace fenchel
