// A YAML document as a tree that remembers where everything stood. The only form in which the host
// handles specs; yaml-cpp is used to parse and nowhere else.
#pragma once

#include "base/error.hpp"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace fenchel {

struct Node {
  enum class Kind { null, scalar, list, map };

  Kind kind = Kind::null;
  std::string scalar;   // kind scalar
  bool quoted = false;  // a quoted scalar is text, whatever it looks like
  std::vector<Node> items;                            // kind list
  std::vector<std::pair<std::string, Node>> entries;  // kind map, in the order written, keys unique
  Place place;

  bool is_null() const { return kind == Kind::null; }
  bool is_scalar() const { return kind == Kind::scalar; }
  bool is_list() const { return kind == Kind::list; }
  bool is_map() const { return kind == Kind::map; }

  const Node* find(std::string_view key) const {
    for (const auto& [name, value] : entries)
      if (name == key) return &value;
    return nullptr;
  }
  Node* find(std::string_view key) {
    return const_cast<Node*>(std::as_const(*this).find(key));
  }
};

}  // namespace fenchel
