#include "plugin/parts.hpp"

#include "base/error.hpp"

#include <fmt/format.h>

#include <cmath>

namespace fenchel {
namespace {

constexpr std::int32_t kMostRequirements = 1000;

fenchel_fact fact(std::int32_t state, double value = 0.0) {
  return {sizeof(fenchel_fact), state, FENCHEL_NORM_L2, 0, value};
}

fenchel_fact presence(bool present) {
  return present ? fact(FENCHEL_KNOWN, 1.0) : fact(FENCHEL_ABSENT);
}

// Whether a known fact may have this value at all.
bool meaningful(std::int32_t id, double value) {
  if (!std::isfinite(value)) return false;
  switch (id) {
    case FENCHEL_FACT_CONVEX:
    case FENCHEL_FACT_SEPARABLE: return value == 1.0;
    case FENCHEL_FACT_STRONG_CONVEXITY:
    case FENCHEL_FACT_QUADRATIC: return value > 0.0;
    case FENCHEL_FACT_LIPSCHITZ:
    case FENCHEL_FACT_SMOOTHNESS:
    case FENCHEL_FACT_DUAL_RADIUS:
    case FENCHEL_FACT_DOMAIN_RADIUS:
    case FENCHEL_FACT_CONJUGATE_SLACK: return value >= 0.0;
    default: return true;
  }
}

fenchel_fact sensible(std::int32_t id, const fenchel_fact& said) {
  if (said.state == FENCHEL_ABSENT) return fact(FENCHEL_ABSENT);
  const bool norm_known = said.norm >= FENCHEL_NORM_L2 && said.norm <= FENCHEL_NORM_LINF;
  if (said.state != FENCHEL_KNOWN || !norm_known || !meaningful(id, said.value))
    return fact(FENCHEL_UNKNOWN);
  fenchel_fact known = fact(FENCHEL_KNOWN, said.value);
  known.norm = said.norm;
  return known;
}

// Asks the plugin. What is beyond a part (the facts of a whole problem) it is not asked.
template <class PartType>
fenchel_fact asked(const PartType& part, std::int32_t id) {
  if (id >= FENCHEL_FACT_HAS_GRADIENT) return fact(FENCHEL_UNKNOWN);
  fenchel_fact said = fact(FENCHEL_UNKNOWN);
  try {
    part.table->fact(part.self, id, &said);
  } catch (...) {
    return fact(FENCHEL_UNKNOWN);  // a plugin that breaks the rule proves nothing
  }
  return sensible(id, said);
}

}  // namespace

fenchel_fact fact_of(const LossPart& loss, int32_t id) {
  switch (id) {
    case FENCHEL_FACT_HAS_GRADIENT: return presence(FENCHEL_MEMBER(loss.table, gradient));
    case FENCHEL_FACT_HAS_CONJUGATE: return presence(FENCHEL_MEMBER(loss.table, conjugate));
    case FENCHEL_FACT_HAS_PROX: return presence(FENCHEL_MEMBER(loss.table, prox));
    case FENCHEL_FACT_HAS_CONJUGATE_GRADIENT:
    case FENCHEL_FACT_HAS_MIRROR_STEP: return presence(false);
    default: return asked(loss, id);
  }
}

fenchel_fact fact_of(const RegularizerPart& regularizer, int32_t id) {
  const fenchel_regularizer* table = regularizer.table;
  switch (id) {
    case FENCHEL_FACT_HAS_GRADIENT: return presence(FENCHEL_MEMBER(table, gradient));
    case FENCHEL_FACT_HAS_CONJUGATE: return presence(FENCHEL_MEMBER(table, conjugate));
    case FENCHEL_FACT_HAS_PROX: return presence(FENCHEL_MEMBER(table, prox));
    case FENCHEL_FACT_HAS_CONJUGATE_GRADIENT:
      return presence(FENCHEL_MEMBER(table, conjugate_gradient));
    case FENCHEL_FACT_HAS_MIRROR_STEP: {
      const auto find = FENCHEL_MEMBER(table, oracle);
      return presence(find && find("mirror-step", 1));
    }
    default: return asked(regularizer, id);
  }
}

const LossPart& innermost(const LossPart& loss) {
  const LossPart* part = &loss;
  while (part->inner) part = part->inner.get();
  return *part;
}

const fenchel_bias_oracle* bias_oracle(const fenchel_loss& loss) {
  const auto find = FENCHEL_MEMBER(&loss, oracle);
  const auto* table = find ? static_cast<const fenchel_bias_oracle*>(find("bias", 1)) : nullptr;
  return table && FENCHEL_MEMBER(table, bias) ? table : nullptr;
}

std::vector<fenchel_requirement> requirements_of(const SolverPart& solver) {
  const auto failed = [&](const std::string& reason) {
    return Error(Exit::plugin_failed,
                 fmt::format("the solver {} cannot say what it needs: {}", solver.id, reason));
  };
  std::vector<fenchel_requirement> list;
  for (std::int32_t index = 0; index < kMostRequirements; ++index) {
    fenchel_requirement next{};
    next.struct_size = sizeof next;
    const std::int32_t status = solver.table->requirement(solver.self, index, &next);
    if (status == FENCHEL_END) return list;
    if (status != FENCHEL_OK) throw failed(explain_failure(solver.explain));
    list.push_back(next);
  }
  throw failed(fmt::format("its list has no end after {} requirements", kMostRequirements));
}

std::string explain_failure(const char* (*explain)()) {
  const char* reason = explain ? explain() : nullptr;
  return reason && *reason ? reason : "no reason given";
}

}  // namespace fenchel
