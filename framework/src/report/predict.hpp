// Applying a model to a file.
#pragma once

#include "plugin/parts.hpp"
#include "report/result.hpp"

#include <filesystem>
#include <iosfwd>
#include <optional>

namespace fenchel {

struct PredictOptions {
  bool scores = false;                   // a CSV with the scores instead of bare predictions
  bool probabilities = false;            // sequences: a CSV with the probability of every label
  const LossPart* loss = nullptr;        // sequences: labels them; needed
  std::optional<ReadOptions> reading{};  // absent: the data are read as the training data were
  // Binary: "best" for the model's own threshold, or a number; empty: a score above 0 is positive.
  std::string threshold{};
};

// Writes one prediction a line: the label, or the number for a real target. With `scores` a CSV
// `prediction,score`, or with one column `score_LABEL` a class; with `probabilities` one column
// `probability_LABEL`. A blank line stands between sequences. Features that the model does not know
// are ignored. Returns the metrics where the model knows every label of the data, nothing
// where it does not. Throws Error (bad_input) when the data cannot be read or have other columns
// than the model, or there is no such threshold.
std::optional<Metrics> predict(const Model& model, const std::filesystem::path& data,
                               std::ostream& out, const PredictOptions& options = {});

}  // namespace fenchel
