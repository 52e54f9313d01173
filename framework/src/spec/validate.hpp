// A merged tree to a Spec: every key known, every value of its type, defaults filled in.
#pragma once

#include "spec/spec.hpp"

namespace fenchel::spec {

// `file` names the spec. Leaves Spec::resolved to resolved_tree. Throws Error (bad_input).
Spec validate(const Node& tree, const std::filesystem::path& file);

// `name` or `{name: {parameters}}`. Throws Error (bad_input).
Component read_component(const Node& node);

// The map under `data`. Throws Error (bad_input).
DataSpec read_data(const Node& map);

// What spec.yaml will hold: the tree of a valid spec in the order of the guide, with defaults, and
// with absolute data paths, so that it loads from any folder.
Node resolved_tree(const Node& tree, const Spec& spec);

}  // namespace fenchel::spec
