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
  std::string scalar;       // kind scalar
  bool quoted = false;      // a quoted scalar is text, whatever it looks like
  std::vector<Node> items;  // kind list
  std::vector<std::pair<std::string, Node>> entries;  // kind map, in the order written, keys unique
  Place place;
  int key_line = 0;  // where the key that names this node stands; 0 when it has none
  int key_column = 0;

  // Defined below the class: clang instantiates the vector of pairs too early otherwise.
  Node();
  Node(const Node&);
  Node(Node&&) noexcept;
  Node& operator=(const Node&);
  Node& operator=(Node&&) noexcept;
  ~Node();

  bool is_null() const { return kind == Kind::null; }
  bool is_scalar() const { return kind == Kind::scalar; }
  bool is_list() const { return kind == Kind::list; }
  bool is_map() const { return kind == Kind::map; }

  const Node* find(std::string_view key) const {
    for (const auto& [name, value] : entries)
      if (name == key) return &value;
    return nullptr;
  }
  Node* find(std::string_view key) { return const_cast<Node*>(std::as_const(*this).find(key)); }
};

inline Node::Node() = default;
inline Node::Node(const Node&) = default;
inline Node::Node(Node&&) noexcept = default;
inline Node& Node::operator=(const Node&) = default;
inline Node& Node::operator=(Node&&) noexcept = default;
inline Node::~Node() = default;

// The place of the key that names a node, where there is one: what an unknown key is blamed at.
inline Place key_place(const Node& node) {
  Place place = node.place;
  if (node.key_line > 0) {
    place.line = node.key_line;
    place.column = node.key_column;
  }
  return place;
}

}  // namespace fenchel
