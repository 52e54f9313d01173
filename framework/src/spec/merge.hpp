// Specs that build on others: `extends` between files, `--set` from the command line.
#pragma once

#include "spec/node.hpp"

#include <filesystem>
#include <string>
#include <string_view>

namespace fenchel::spec {

inline constexpr std::size_t kMaxExtends = 16;

// loss, regularizer, solver: their value is a component.
bool is_component_key(std::string_view key);

// `name` becomes {name: {}}, {name: null} likewise; gives the parameters. For a well-formed
// component.
Node& component_parameters(Node& component);

// The tree of a file merged over those that it extends; no `extends` key is left.
Node load_tree(const std::filesystem::path& file);

// Lays `over` over `base`. Maps merge key by key, everything else replaces, and null takes away
// what the base had. Components merge their parameters when they have the same name, else `over`
// replaces.
void merge_spec(Node& base, Node over);

// "dotted.key=value", value in YAML. Replaces what stands there, creates the maps above it; null
// takes it away. Below a component of another name: replaces that component.
void apply_set(Node& root, const std::string& set);

}  // namespace fenchel::spec
