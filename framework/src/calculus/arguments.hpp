// The parameters of a combinator, read one by one with their places.
#pragma once

#include "plugin/registry.hpp"
#include "spec/spec.hpp"

#include <optional>
#include <string>
#include <vector>

namespace fenchel {

class Arguments {
 public:
  // A map whose keys are all among `keys`; throws Error (bad_input) with the nearest name
  // otherwise.
  Arguments(const Component& component, const std::vector<std::string>& keys);

  const Node* find(const std::string& key) const { return component_.parameters.find(key); }
  const Node& require(const std::string& key) const;

  Component component(const std::string& key) const;  // required
  double positive(const std::string& key) const;      // required, in (0, inf)
  std::optional<double> maybe_positive(const std::string& key) const;
  // A list of `count` numbers under `inline_key`, or as many numbers in the file under "file"
  // (.npy, or text with one a line). Throws where both, neither, or another number of them are
  // given.
  std::vector<double> numbers(const std::string& inline_key, std::int64_t count) const;

 private:
  const Component& component_;
};

// For a name that no plugin of `kind` has: throws where it is near a combinator of that kind, or is
// one of another kind (`foreign`).
void refuse_near_combinator(const Component& component, std::int32_t kind,
                            const std::vector<std::string>& own,
                            const std::vector<std::string>& foreign, const Registry& registry);

// Each number positive and finite; throws at the node otherwise.
double positive_number(const Node& node);

// Numbers of a file: .npy, or text with one a line.
std::vector<double> read_numbers(const Node& path);

// A path in a spec: relative to the folder of the file that writes it.
std::filesystem::path path_at(const Node& node);

}  // namespace fenchel
