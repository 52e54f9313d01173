#include "data/sequence_rows.hpp"

#include "data/text.hpp"

#include <algorithm>

namespace fenchel::reading {

SequenceRows::SequenceRows(const ReadOptions& options)
    : begin_end_(options.begin_end), known_(options.attributes != nullptr) {
  if (known_) attributes_ = Dictionary(*options.attributes);
  sequences_.starts.push_back(0);
}

bool SequenceRows::begin_position(std::string_view label, int line) {
  if (!is_utf8(label)) return false;
  if (length_ > 0) {
    end_position();
  } else {
    sequences_.lines.push_back(line);
  }
  const std::int32_t number = labels_.add(label);
  if (labels_.size() > raw_.lines.size()) raw_.lines.push_back(line);
  raw_.numbers.push_back(number);
  if (++length_ == 1 && begin_end_) add(kBegin, 1.0);
  return true;
}

void SequenceRows::add(std::string_view attribute, double value) {
  const std::int32_t number = known_ ? attributes_.find(attribute) : attributes_.add(attribute);
  if (number >= 0) open_.emplace_back(number, value);
}

void SequenceRows::end_position() {
  std::sort(open_.begin(), open_.end(),
            [](const auto& a, const auto& b) { return a.first < b.first; });
  for (std::size_t k = 0; k < open_.size();) {
    const std::int32_t number = open_[k].first;
    double sum = 0.0;
    for (; k < open_.size() && open_[k].first == number; ++k) sum += open_[k].second;
    if (sum != 0.0) rows_.add(number, sum);
  }
  open_.clear();
  rows_.end_row();
}

void SequenceRows::end_sequence() {
  if (length_ == 0) return;
  if (begin_end_) add(kEnd, 1.0);
  end_position();
  sequences_.starts.push_back(rows_.rows());
  length_ = 0;
}

Dataset SequenceRows::take(const std::string& storage, const std::string& file) {
  end_sequence();
  if (rows_.rows() == 0)
    throw Error(Exit::bad_input, "no sequences", place_of(file), "the file holds no data");
  raw_.names = labels_.names();
  Dataset data;
  data.x = rows_.take(static_cast<std::int64_t>(attributes_.size()), storage, file);
  data.labels = std::move(raw_);
  data.feature_names = attributes_.names();
  data.file = file;
  data.sequences = std::move(sequences_);
  return data;
}

}  // namespace fenchel::reading
