// Scores of sequences to labels, by the oracle "decode" of the loss (abi.h).
#pragma once

#include "data/dataset.hpp"
#include "plugin/parts.hpp"
#include "report/result.hpp"

#include <cstdint>
#include <vector>

namespace fenchel {

// Sequences with their scores, laid out as FENCHEL_LAYOUT_CHAIN.
struct SequenceScores {
  fenchel_shape shape{};
  std::vector<std::int64_t> score_offsets, target_offsets;
  std::vector<double> scores;
};

// The shape of a problem with these sequences; its `transitions` point into the model.
fenchel_shape sequence_shape(const Model& model, const std::vector<std::int64_t>& starts);
// Those of a model on data that were read as it says.
SequenceScores score_sequences(const Model& model, const Dataset& data);

bool can_decode(const LossPart& loss);
// The number of the best label for every position. Throws Error (plugin_failed) where the loss has
// no such oracle or fails.
std::vector<double> decode(const LossPart& loss, const SequenceScores& of);
// The probabilities of all labels, position by position. Throws Error: bad_input where the loss has
// none.
std::vector<double> marginals(const LossPart& loss, const SequenceScores& of);

}  // namespace fenchel
