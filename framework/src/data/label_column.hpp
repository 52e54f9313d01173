// Labels while a file is being read.
#pragma once

#include "data/dataset.hpp"
#include "data/text.hpp"

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>

namespace fenchel::reading {

// Numbers as long as every label is one. With the first that is not, all labels, also those before,
// become class names; a number's name is its shortest text.
class LabelColumn {
 public:
  enum class Fault { none, not_finite, not_utf8 };

  Fault add(std::string_view text);
  std::size_t size() const { return labels_.numbers.size(); }
  void reserve(std::size_t rows) { labels_.numbers.reserve(rows); }
  RawLabels take() { return std::move(labels_); }

 private:
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const {
      return std::hash<std::string_view>{}(text);
    }
  };

  double index_of(std::string_view name);
  void turn_into_names();

  RawLabels labels_;
  std::unordered_map<std::string, std::size_t, Hash, std::equal_to<>> known_;
};

// What is wrong with a label, for a message: 'label "nan" is not finite'.
std::string describe(LabelColumn::Fault fault, std::string_view text);

}  // namespace fenchel::reading
