#include "spec/merge.hpp"
#include "spec/parse.hpp"
#include "spec/text.hpp"

#include <algorithm>
#include <utility>
#include <vector>

namespace fenchel::spec {
namespace {

constexpr const char* kSource = "--set";

Place set_place(const std::string& key) { return {kSource, 0, 0, key}; }

[[noreturn]] void fail(const std::string& message, const std::string& key,
                       const std::string& advice) {
  throw Error(Exit::bad_input, message, set_place(key), advice);
}

std::vector<std::string> split_key(const std::string& key, const std::string& set) {
  std::vector<std::string> steps;
  for (std::size_t from = 0; from <= key.size();) {
    const std::size_t dot = std::min(key.find('.', from), key.size());
    steps.push_back(key.substr(from, dot - from));
    from = dot + 1;
  }
  const auto bad = [](const std::string& step) {
    return step.empty() || step.size() > kMaxKeyBytes || has_control_character(step) ||
           step.find(' ') != std::string::npos;
  };
  if (std::any_of(steps.begin(), steps.end(), bad) || steps.size() > kMaxDepth ||
      key.size() > kMaxPathBytes)
    fail("malformed key in '" + printable(set) + "'", {}, "write --set dotted.key=value");
  if (steps.front() == "extends") fail("cannot be set", "extends", "write it in the spec file");
  return steps;
}

// A value from the command line has no lines.
void forget_lines(Node& node) {
  node.place.line = node.place.column = node.key_line = node.key_column = 0;
  for (Node& item : node.items) forget_lines(item);
  for (auto& [key, value] : node.entries) forget_lines(value);
}

Node parse_value(const std::string& text, const std::string& key) {
  if (text.empty()) fail("no value after '='", key, "write " + key + "=null to take the key away");
  try {
    Node value = parse_yaml(text, kSource, key);
    forget_lines(value);
    return value;
  } catch (const Error& error) {
    const std::string& at = error.place().key;
    throw Error(error.exit(), error.message(), set_place(at.empty() ? key : at), error.advice());
  }
}

void become_empty_map(Node& node) {
  Node map;
  map.kind = Node::Kind::map;
  map.place = set_place(node.place.key);
  node = std::move(map);
}

// Makes the node at steps[0 … depth) a map that steps[depth] can be looked up in.
void open_map(Node& node, const std::vector<std::string>& steps, std::size_t depth) {
  const std::string& next = steps[depth];
  const bool component = depth == 1 && is_component_key(steps[0]);
  if (node.is_scalar() && node.scalar == next && is_component_key(steps[0])) {
    component_parameters(node);
    return;
  }
  if (node.is_null() || (component && node.is_scalar())) become_empty_map(node);
  if (!node.is_map())
    fail("cannot set a key below it, since it is " + describe(node), node.place.key,
         "set the whole value instead");
  if (component && node.find(next) == nullptr) become_empty_map(node);
}

void erase_key(Node& map, const std::string& key) {
  std::erase_if(map.entries, [&](const auto& entry) { return entry.first == key; });
}

}  // namespace

void apply_set(Node& root, const std::string& set) {
  const std::size_t equals = set.find('=');
  if (equals == std::string::npos)
    fail("no '=' in '" + printable(set) + "'", {}, "write --set dotted.key=value");
  const std::string key = set.substr(0, equals);
  const std::vector<std::string> steps = split_key(key, set);
  Node value = parse_value(set.substr(equals + 1), key);

  Node* parent = nullptr;
  Node* node = &root;
  std::string path;
  for (std::size_t depth = 0; depth < steps.size(); ++depth) {
    if (depth > 0) open_map(*node, steps, depth);
    path += (depth > 0 ? "." : "") + steps[depth];
    parent = node;
    node = parent->find(steps[depth]);
    if (node == nullptr) {
      node = &parent->entries.emplace_back(steps[depth], Node{}).second;
      node->place = set_place(path);
    }
  }
  // {name: null} is a component without parameters, not one taken away.
  const bool names_component = steps.size() == 2 && is_component_key(steps[0]);
  if (value.is_null() && !names_component) {
    erase_key(*parent, steps.back());
  } else {
    *node = std::move(value);
  }
}

}  // namespace fenchel::spec
