// The problem spec as plain data, after `extends`, `--set` and validation of its own keys. What the
// parameters of a component mean is settled later, against the plugin (plugin/values.hpp).
#pragma once

#include "spec/node.hpp"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace fenchel {

// `name` or `{name: {parameters}}`.
struct Component {
  std::string name;
  Node parameters;  // a map, possibly empty
  Place place;
};

// A text with the place where it stands.
struct PlacedText {
  std::string text;
  Place place{};
};

enum class Normalize { none, rows, columns };
enum class Bias { none, penalized, free };

struct DataSpec {
  std::filesystem::path train;  // resolved against the folder of the file that names it
  Place train_place;
  std::optional<std::filesystem::path> test;
  Place test_place;
  std::string format;          // libsvm | csv | crfsuite | conll; empty: guessed
  std::optional<bool> header;  // csv; absent: guessed
  std::string label;           // csv: column name or 1-based number; empty: the first column.
                               // conll: column name; empty: the last column
  std::string delimiter;       // csv: one character or "tab"; empty: guessed
  std::optional<std::int64_t> features;  // number of columns, where the file alone does not say
  std::string storage = "auto";          // auto | sparse | dense
  Normalize normalize = Normalize::none;
  Bias bias = Bias::none;

  // Sequences.
  std::vector<std::string> columns;   // conll: their names
  std::vector<PlacedText> templates;  // conll: the key `features`
  bool keep_unseen_labels = false;    // unseen-labels: wrong
  bool begin_end = false;             // scores for the first and for the last position
  Node transitions;                   // all | observed | bio, or a map; null: all
};

struct StopSpec {
  std::optional<double> gap;           // absolute
  std::optional<double> relative_gap;  // gap / max(1e-12, |J|)
  std::optional<double> passes;
  std::optional<double> seconds;
};

struct RunSpec {
  int threads = 1;
  std::uint64_t seed = 1;
  double certify_every = 0.0;  // passes between certificates; 0: by the time they cost
};

// How `smooth-loss` goes about it.
struct SmoothingSpec {
  bool entropic = false;      // by the loss's own temperature; else by its Moreau envelope
  bool homotopy = false;      // levels from coarse to fine, each started where the last one ended
  bool data_weights = false;  // a level for each block from the data's top direction
  double factor = 100.0;      // between two levels of a homotopy
};

struct Spec {
  std::string name;
  std::filesystem::path file;
  DataSpec data;
  Component loss;
  Component regularizer;
  Component solver;                // nameless where `compare` names several
  std::vector<Component> compare;  // run one after another in place of `solver`; else empty
  std::vector<std::string> repair;
  SmoothingSpec smoothing;
  StopSpec stop;
  RunSpec run;
  std::optional<std::filesystem::path> output;  // output.dir, relative to the working folder
  Node resolved;  // the whole tree after extends and --set, with defaults: what spec.yaml will hold
};

// Reads, merges and validates. Throws Error (bad_input) with file, line, column and key path.
// `sets` are "dotted.key=value" from the command line, value in YAML.
Spec load_spec(const std::filesystem::path& file, const std::vector<std::string>& sets = {});

// The spec of one member of `compare` by itself, as load_spec would give it; its files go to
// `folder` below the output folder.
Spec alone(const Spec& spec, std::size_t member, const std::string& folder);

// A tree as YAML text that load_spec reads back to the same tree.
std::string to_yaml(const Node& node);

// The candidate nearest to `name` by edit distance, or empty when none is near. For "did you mean".
std::string nearest_name(const std::string& name, const std::vector<std::string>& candidates);

}  // namespace fenchel
