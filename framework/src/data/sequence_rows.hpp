// Sequences while a file is being read.
#pragma once

#include "data/dataset.hpp"
#include "data/dictionary.hpp"
#include "data/rows.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace fenchel::reading {

// Attributes are numbered as they appear or, where `ReadOptions::attributes` gives those of the
// training data, by their place there; others are dropped. With `begin_end` the first position of a
// sequence has one more attribute, and the last another.
class SequenceRows {
 public:
  static constexpr std::string_view kBegin = "__BEGIN__", kEnd = "__END__";

  explicit SequenceRows(const ReadOptions& options);

  // Opens a position; false where the label is not UTF-8 text.
  bool begin_position(std::string_view label, int line);
  // An attribute of the open position. Those of the same name add up.
  void add(std::string_view attribute, double value);
  // Ends the sequence, if there is one.
  void end_sequence();

  Dataset take(const std::string& storage, const std::string& file);

 private:
  void end_position();

  const bool begin_end_, known_;
  Dictionary attributes_, labels_;
  RawLabels raw_;
  Sequences sequences_;
  Rows rows_;
  std::vector<std::pair<std::int32_t, double>> open_;  // the entries of the open position
  std::int64_t length_ = 0;                            // positions of the sequence so far
};

}  // namespace fenchel::reading
