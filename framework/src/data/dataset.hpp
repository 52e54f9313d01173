// Reading data: files to rows and labels, labels to targets.
#pragma once

#include "base/error.hpp"
#include "data/matrix.hpp"
#include "spec/spec.hpp"

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace fenchel {

// Labels as they stood in the file. Either all are numbers (`names` empty) or they are class names
// and `numbers` are indices into `names` (in order of first appearance).
struct RawLabels {
  std::vector<double> numbers;
  std::vector<std::string> names;
  std::vector<int> lines{};  // where each name stands first; empty where not kept
};

// Rows that follow each other in a sequence: sequence i has the rows starts[i] .. starts[i + 1].
struct Sequences {
  std::vector<std::int64_t> starts{};  // empty: the rows are no sequences
  std::vector<int> lines{};            // where each begins in the file; a row a line

  bool empty() const { return starts.empty(); }
  std::size_t count() const { return starts.empty() ? 0 : starts.size() - 1; }
};

struct Dataset {
  Matrix x;
  RawLabels labels;
  std::vector<std::string> feature_names;  // csv with a header; sequences: the attributes
  std::string file;
  std::map<std::string, std::vector<double>> dropped{};  // ReadOptions::drop, by name
  Sequences sequences{};                                 // crfsuite and conll
};

// How to read one file; the members of DataSpec that concern reading.
struct ReadOptions {
  std::string format{};  // libsvm | csv | crfsuite | conll; empty: guessed
  std::optional<bool> header{};
  std::string label{};
  std::string delimiter{};
  std::string storage = "auto";
  std::int64_t features = 0;  // 0: as many as the file shows. Else: a larger index in the file is
                              // an error at training, and is dropped when `ignore_unseen`.
  std::vector<std::string> drop{};  // csv columns that are no features; absent ones do not matter
  bool ignore_unseen = false;       // features beyond `features` (test data): skipped

  // Sequences. conll: the names of the columns (`label` is one of them, the last where not said)
  // and the feature templates (data/templates.hpp).
  std::vector<std::string> columns{};
  std::vector<PlacedText> templates{};
  bool keep_unseen_labels = false;  // labels of test data that training has not: counted as wrong
  bool begin_end = false;           // an attribute for the first position, and one for the last
  // The attributes of the training data, by number; others are skipped. Null: those of this file.
  const std::vector<std::string>* attributes = nullptr;
  bool labels_optional = false;  // conll: a line may come without its label
};

// Plain or gz, bz2, zst, xz (by content). Throws Error (bad_input) with file and line.
Dataset read_dataset(const std::filesystem::path& file, const ReadOptions& options);

// What a loss takes (abi.h, FENCHEL_TARGET_…), and how labels map to it.
struct LabelMap {
  std::int32_t target = 0;          // FENCHEL_TARGET_…
  std::vector<std::string> labels;  // binary: {negative, positive}; class, sequence: by index

  // Throws Error (bad_input) when the labels cannot serve as that kind of target: binary needs
  // exactly two different labels; the smaller number (or the name first in order) becomes -1.
  static LabelMap learn(std::int32_t target, const RawLabels& labels, const std::string& file);
  // Targets of (other) data under this map; a label unseen in training is an error. None for a loss
  // that takes none, whatever the labels are.
  std::vector<double> encode(const RawLabels& labels, const std::string& file) const;
  // With the names that it does not know put behind its own: never predicted, so always wrong.
  LabelMap extended(const RawLabels& labels) const;
};

// Scales in place. rows: every row to Euclidean norm 1 (zero rows stay). columns: every column to
// mean square 1, the divisors returned (1 for zero columns) so that other data can follow.
void normalize_rows(Matrix& x);
std::vector<double> normalize_columns(Matrix& x);
void scale_columns(Matrix& x, const std::vector<double>& divisors);

// Appends one column of ones.
void append_ones(Matrix& x);

}  // namespace fenchel
