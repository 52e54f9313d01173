#include "spec/merge.hpp"

#include <algorithm>
#include <array>
#include <unordered_map>
#include <unordered_set>
#include <utility>

namespace fenchel::spec {
namespace {

enum class Level { root, section, parameters };

// The name of a well-formed component, else empty.
std::string component_name(const Node& node) {
  if (node.is_scalar()) return node.scalar;
  if (node.is_map() && node.entries.size() == 1) {
    const auto& [name, parameters] = node.entries.front();
    if (parameters.is_map() || parameters.is_null()) return name;
  }
  return {};
}

void take_place(Node& node, const Node& from) {
  node.place = from.place;
  node.key_line = from.key_line;
  node.key_column = from.key_column;
}

void merge_maps(Node& base, Node&& over, Level level);

void merge_component(Node& base, Node over) {
  const std::string name = component_name(over);
  if (name.empty() || name != component_name(base)) {
    base = std::move(over);
    return;
  }
  take_place(base, over);
  Node& parameters = component_parameters(base);
  merge_maps(parameters, std::move(component_parameters(over)), Level::parameters);
}

void merge_value(Node& base, Node over, bool component, Level level) {
  if (component) {
    merge_component(base, std::move(over));
  } else if (level != Level::parameters && base.is_map() && over.is_map()) {
    merge_maps(base, std::move(over), Level::section);
  } else {
    base = std::move(over);
  }
}

void merge_maps(Node& base, Node&& over, Level level) {
  std::unordered_map<std::string, std::size_t> positions;
  for (std::size_t i = 0; i < base.entries.size(); ++i) positions[base.entries[i].first] = i;
  std::unordered_set<std::string> taken_away;
  for (auto& [key, value] : over.entries) {
    const auto found = positions.find(key);
    if (found == positions.end()) {
      base.entries.emplace_back(key, std::move(value));
    } else if (value.is_null()) {
      taken_away.insert(key);
    } else {
      merge_value(base.entries[found->second].second, std::move(value),
                  level == Level::root && is_component_key(key), level);
    }
  }
  std::erase_if(base.entries, [&](const auto& entry) { return taken_away.contains(entry.first); });
  take_place(base, over);
}

}  // namespace

bool is_component_key(std::string_view key) {
  constexpr std::array<std::string_view, 3> kKeys{"loss", "regularizer", "solver"};
  return std::find(kKeys.begin(), kKeys.end(), key) != kKeys.end();
}

Node& component_parameters(Node& node) {
  if (node.is_scalar()) {
    Node parameters;
    parameters.place = node.place;
    parameters.place.key += '.' + node.scalar;
    node.kind = Node::Kind::map;
    node.entries.emplace_back(std::exchange(node.scalar, {}), std::move(parameters));
  }
  Node& parameters = node.entries.front().second;
  parameters.kind = Node::Kind::map;
  return parameters;
}

void merge_spec(Node& base, Node over) { merge_maps(base, std::move(over), Level::root); }

}  // namespace fenchel::spec
