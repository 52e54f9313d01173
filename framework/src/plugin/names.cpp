// The words for what plugins say, and the plugin for a word.
#include "plugin/describe.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace fenchel {

std::string fact_name(std::int32_t id) {
  switch (id) {
    case FENCHEL_FACT_CONVEX: return "convex";
    case FENCHEL_FACT_LIPSCHITZ: return "lipschitz";
    case FENCHEL_FACT_SMOOTHNESS: return "smoothness";
    case FENCHEL_FACT_STRONG_CONVEXITY: return "strong-convexity";
    case FENCHEL_FACT_DUAL_RADIUS: return "dual-radius";
    case FENCHEL_FACT_DOMAIN_RADIUS: return "domain-radius";
    case FENCHEL_FACT_SEPARABLE: return "separable";
    case FENCHEL_FACT_QUADRATIC: return "quadratic";
    case FENCHEL_FACT_LOWER_BOUND: return "lower-bound";
    case FENCHEL_FACT_GROWTH: return "growth";
    case FENCHEL_FACT_ENTROPY: return "entropy";
    case FENCHEL_FACT_CONJUGATE_SLACK: return "conjugate-slack";
    case FENCHEL_FACT_HAS_GRADIENT: return "has-gradient";
    case FENCHEL_FACT_HAS_CONJUGATE: return "has-conjugate";
    case FENCHEL_FACT_HAS_PROX: return "has-prox";
    case FENCHEL_FACT_HAS_CONJUGATE_GRADIENT: return "has-conjugate-gradient";
    case FENCHEL_FACT_HAS_MIRROR_STEP: return "has-mirror-step";
    case FENCHEL_FACT_BLOCKS: return "blocks";
    case FENCHEL_FACT_BLOCK_NORM: return "block-norm";
    case FENCHEL_FACT_MEAN_SQUARED_NORM: return "mean-squared-norm";
    case FENCHEL_FACT_OPERATOR_NORM: return "operator-norm";
    case FENCHEL_FACT_RISK_SMOOTHNESS: return "risk-smoothness";
    case FENCHEL_FACT_RISK_LIPSCHITZ: return "risk-lipschitz";
    case FENCHEL_FACT_RISK_STRONG_CONVEXITY: return "risk-strong-convexity";
    case FENCHEL_FACT_ROW_VIEW: return "row-view";
    case FENCHEL_FACT_BLOCK_WIDTH: return "block-width";
    default: return fmt::format("fact {}", id);
  }
}

const char* state_name(std::int32_t state) {
  switch (state) {
    case FENCHEL_KNOWN: return "known";
    case FENCHEL_ABSENT: return "absent";
    default: return "unknown";
  }
}

const char* norm_name(std::int32_t norm) {
  switch (norm) {
    case FENCHEL_NORM_L2: return "l2";
    case FENCHEL_NORM_L1: return "l1";
    case FENCHEL_NORM_LINF: return "linf";
    default: return "unknown";
  }
}

const char* about_name(std::int32_t about) {
  switch (about) {
    case FENCHEL_ABOUT_LOSS: return "loss";
    case FENCHEL_ABOUT_REGULARIZER: return "regularizer";
    case FENCHEL_ABOUT_PROBLEM: return "problem";
    default: return "unknown";
  }
}

std::string relation_text(const fenchel_requirement& requirement) {
  switch (requirement.relation) {
    case FENCHEL_RELATION_KNOWN: return "known";
    case FENCHEL_RELATION_AT_LEAST: return fmt::format(">= {}", requirement.value);
    case FENCHEL_RELATION_AT_MOST: return fmt::format("<= {}", requirement.value);
    case FENCHEL_RELATION_POSSIBLE: return "not absent";
    default: return fmt::format("relation {}", requirement.relation);
  }
}

const Plugin& plugin_named(const Registry& registry, const std::string& name) {
  std::vector<const Plugin*> found;
  std::vector<std::string> full_names;
  std::vector<std::string> ids;
  for (const Plugin& plugin : registry.plugins()) {
    const std::string full = fmt::format("{}/{}", kind_name(plugin.card->kind), plugin.card->id);
    ids.emplace_back(name.find('/') == std::string::npos ? plugin.card->id : full);
    if (ids.back() != name) continue;
    found.push_back(&plugin);
    full_names.push_back(full);
  }
  if (found.size() == 1) return *found.front();
  if (found.size() > 1)
    throw Error(Exit::bad_input, fmt::format("several plugins are called '{}'", name), {},
                fmt::format("say which: {}", fmt::join(full_names, ", ")));

  for (const LoadFailure& failure : registry.failures())
    if (failure.file.stem().string().ends_with("-" + name.substr(name.find('/') + 1)))
      throw Error(Exit::bad_input, fmt::format("the plugin '{}' cannot be used: {} {}", name,
                                               failure.file.string(), failure.reason));
  const std::string near = nearest_name(name, ids);
  throw Error(
      Exit::bad_input, fmt::format("no plugin is called '{}'", name), {},
      near.empty() ? "see `fenchel plugins list`" : fmt::format("did you mean '{}'?", near));
}

}  // namespace fenchel
