// What the tests of plugins share: where the fixtures are, and the least that makes an instance.
#pragma once

#include "plugin/registry.hpp"

namespace fenchel::plugin_support {

inline const std::filesystem::path kFixtures = FENCHEL_FIXTURE_DIR;

inline Component component(const std::string& name) {
  Component made{.name = name, .parameters = {}, .place = {"spec.yaml", 3, 7, "loss"}};
  made.parameters.kind = Node::Kind::map;
  return made;
}

inline fenchel_shape shape() {
  fenchel_shape made{};
  made.struct_size = sizeof made;
  made.outputs = 1;
  made.blocks = made.scores = made.parameters = made.features = 4;
  made.widest_block = 1;
  return made;
}

}  // namespace fenchel::plugin_support
