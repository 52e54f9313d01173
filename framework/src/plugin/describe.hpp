// What `fenchel plugins list` and `fenchel plugins info` say, for people and as JSON.
#pragma once

#include "plugin/registry.hpp"

#include <string>

namespace fenchel {

// "strong-convexity", "has-prox", "block-norm", …
std::string fact_name(std::int32_t id);
// "known", "absent", "unknown".
const char* state_name(std::int32_t state);
// "l2", "l1", "linf".
const char* norm_name(std::int32_t norm);
// "loss", "regularizer", "problem".
const char* about_name(std::int32_t about);
// "known", ">= 1", "<= 0.5", "not absent".
std::string relation_text(const fenchel_requirement& requirement);

// A table of all plugins by kind and id, then the libraries that could not be used and why.
std::string describe_list(const Registry& registry);
std::string registry_json(const Registry& registry);

// All about one plugin. Facts and requirements depend on parameters: they are those at the
// defaults, and where a parameter has none at a value that is named.
std::string describe_plugin(const Plugin& plugin);
std::string plugin_json(const Plugin& plugin);

// The plugin a person means by "hinge", or "loss/hinge" where several kinds have that id. Throws
// Error (bad_input) where there is none or more than one.
const Plugin& plugin_named(const Registry& registry, const std::string& name);

}  // namespace fenchel
