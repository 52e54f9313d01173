// Which features a block of `blocks` is for: a range `0..9` (from 0, both ends included), one
// number or name, a list of these, or `rest`. A penalized bias has the name `bias`.
#pragma once

#include "calculus/build.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace fenchel {

class FeatureSets {
 public:
  explicit FeatureSets(const BuildContext& context);

  // The features a node names, increasing. Throws Error (bad_input) for one that does not exist,
  // or that an earlier block has.
  std::vector<std::int32_t> claim(const Node& features);
  // Throws Error (bad_input) naming the first parameter that no block has.
  void require_all_claimed(const Place& place) const;

  static std::string text(const Node& features);

 private:
  void add(const Node& node, std::vector<std::int32_t>& out) const;
  std::int32_t index_of(const std::string& word, const Node& node) const;
  std::string name_of(std::size_t parameter) const;

  std::vector<std::string> names_;  // of all parameters; empty where the data have none
  std::vector<char> claimed_;
};

}  // namespace fenchel
