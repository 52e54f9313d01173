// Parameters of a component against a plugin's declaration: types, ranges, defaults.
#pragma once

#include "spec/spec.hpp"

#include <fenchel/abi.h>

#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <vector>

namespace fenchel {

// Checked values in the order of the card's parameters, and what the pointers inside point to.
class Values {
 public:
  // Throws Error (bad_input) for an unknown parameter (with the nearest name), a wrong type, a
  // value out of range or a required one that is missing; place and key path are those of the spec.
  Values(const fenchel_card& card, const Component& component);

  const fenchel_value* const* data() const { return pointers_.data(); }
  // "smooth-hinge(gamma = 0.1)"; just the id where the plugin has no parameters.
  const std::string& text() const { return text_; }

 private:
  std::vector<std::unique_ptr<fenchel_value>> values_;
  std::vector<const fenchel_value*> pointers_;
  std::vector<std::unique_ptr<std::string>> texts_;
  std::vector<std::unique_ptr<std::vector<double>>> lists_;
  std::string text_;
};

// "(0, inf)", "[1, 5]", or words "a | b". Throws std::invalid_argument for anything else, so that a
// plugin with a malformed declaration is refused when it is loaded.
struct Range {
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();
  bool low_open = false, high_open = false;
  std::vector<std::string> words;
  static Range parse(const char* text);  // null: everything
  bool holds(double x) const;
};

// The default of a parameter as the node a spec would hold; a null node where the spec must say it.
// Throws std::invalid_argument where a list is malformed.
Node fallback_node(const fenchel_param& param);

// A declaration makes sense: its range suits its type and its default lies in it. Throws
// std::invalid_argument with the reason.
void check_declaration(const fenchel_param& param);

// "number", "integer", "flag", "text", "numbers".
const char* type_name(std::int32_t type);

}  // namespace fenchel
