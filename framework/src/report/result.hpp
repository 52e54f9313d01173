// What a run found, as plain data; and the files it is written to.
#pragma once

#include "data/dataset.hpp"
#include "spec/spec.hpp"

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace fenchel {

// `refused` (by the check) only occurs in a comparison: a solver alone is refused by an Error.
enum class Status { converged, limit, interrupted, failed, refused };
const char* status_name(Status status);

// A number the check derived, with the reason it gives.
struct Constant {
  std::string name;   // a key of result.json's `constants`, e.g. "risk_smoothness"
  std::string state;  // known | absent | unknown
  double value = 0.0;
  std::string derivation;
};

struct TraceRow {
  std::int64_t iteration = 0;
  double passes = 0.0;
  double seconds = 0.0;
  std::optional<double> primal, dual, gap;
  std::optional<double> own_gap = std::nullopt;  // what the solver itself claims, where it does
};

// How well one class is told from the others; absent where undefined (a class that is never
// predicted has no precision).
struct ClassMetrics {
  std::string label;
  std::int64_t support = 0;  // rows of this class
  std::optional<double> precision, recall, f1;
};

// "At least this score" as the prediction of the positive label.
struct CurvePoint {
  double threshold = 0.0, precision = 0.0, recall = 0.0;
};

struct Metrics {
  // sequence: accuracy of the positions, sequence_accuracy, macro_f1, and where the labels are
  // those of chunks chunk_precision, chunk_recall, chunk_f1; binary: accuracy, f1, precision,
  // recall (of the positive label), auc, average_precision, the model's threshold with
  // f1_at_threshold, and log_loss of the logistic loss; class: accuracy,
  // macro_f1; real: rmse, mae, r2; none without targets. A metric that is undefined for the data is
  // left out.
  std::map<std::string, double> values;
  std::vector<ClassMetrics> classes;  // in the order of the model's labels; none for real targets
  // Rows are the true classes, columns the predicted ones; none beyond kMostConfusion classes.
  std::vector<std::int64_t> confusion;
  std::vector<CurvePoint> curve;  // precision and recall, from the largest score down; binary alone

  std::vector<ClassMetrics> chunks{};  // sequences of chunk labels: by the type of the chunk

  static constexpr std::size_t kMostConfusion = 1000;
  static constexpr std::size_t kMostCurve = 10000;
  double at(const std::string& name) const { return values.at(name); }
};

struct Result {
  Status status = Status::failed;
  std::string message = "not run";
  std::optional<double> primal, dual, gap, relative_gap;
  std::string certificate_kind = "duality-gap";
  bool certificate_verified = false;
  std::int64_t iterations = 0;
  double passes = 0.0;
  struct Seconds {
    double load = 0, check = 0, solve = 0, certify = 0, total = 0;
  } seconds;
  std::int64_t n = 0, d = 0, nnz = 0, outputs = 1;
  std::vector<Constant> constants;
  std::string loss, regularizer, solver;  // Part::text
  std::vector<std::string> repairs;       // what the spec let the check change, one sentence each
  std::vector<std::string> events;        // e.g. a change of solver
  std::optional<Metrics> train, test;
  std::vector<TraceRow> trace;
};

// A trained linear model and all that is needed to apply it to a file.
struct Model {
  std::vector<double> weights;  // outputs x features, row by row, without bias
  std::int64_t outputs = 1;
  std::int64_t features = 0;
  std::vector<double> bias;  // empty, or one an output
  LabelMap labels;
  std::string loss;  // plugin id
  std::string map = "rows";
  Normalize normalize = Normalize::none;
  std::vector<double> column_divisors;  // normalize columns
  std::vector<std::string> feature_names;
  ReadOptions reading;                // format, header, label, delimiter of the training data
  std::optional<double> threshold{};  // binary: the one best for F1 on the training scores
  double cut = 0.0;  // binary: a score above it means the positive label; not kept in files

  // Sequences (`map` is "chain"): an output a label.
  std::vector<double> transitions{};    // labels x labels, from and to
  std::vector<std::uint8_t> allowed{};  // as fenchel_shape::transitions; empty: all
  Node loss_parameters{};               // of the plugin that decodes

  bool of_sequences() const { return map == "chain"; }
};

// result.json's text (also what `--json` prints), with a newline at its end.
std::string to_json(const Result& result);

// Writes result.json, trace.csv, model.json with its .npy files, spec.yaml, and the curves of
// binary metrics as pr-train.csv and pr-test.csv into `dir` (made if missing). All is first written
// to temporary files beside, then renamed: a failure leaves what was there before. Without a model
// (a failed run) the model files of an earlier run are removed. Throws Error (bad_input).
void write_run(const std::filesystem::path& dir, const Result& result, const Model* model,
               const Node& resolved_spec);

// Makes `dir` and finds out, before a long run, whether write_run will be able to write there.
// Throws Error (bad_input); then nothing that it made is left behind.
void prepare_output(const std::filesystem::path& dir);

void write_npy(const std::filesystem::path& file, const std::vector<double>& values,
               const std::vector<std::int64_t>& shape);
std::vector<double> read_npy(const std::filesystem::path& file, std::vector<std::int64_t>& shape);

Model read_model(const std::filesystem::path& file);  // model.json or the folder that holds it

// Scores (n x outputs) of rows as read_dataset gives them: the model's normalisation, divisors and
// bias are applied here. Columns beyond the model's features are ignored.
std::vector<double> score_rows(const Model& model, const Matrix& x);
// Targets as the model's LabelMap encodes them.
Metrics evaluate(const Model& model, const std::vector<double>& scores,
                 const std::vector<double>& targets);
// A threshold between two neighbouring scores, such that "above it" has the largest F1; of several
// the largest. Nothing where the target is not binary or there is no positive.
std::optional<double> best_threshold(const LabelMap& labels, const std::vector<double>& scores,
                                     const std::vector<double>& targets);
// The index of the predicted label. Binary: 1 for a score above the model's cut, else 0; class: the
// largest score, the first of several.
std::size_t predicted_class(const Model& model, const double* scores);
// A label (binary: by the sign of the score; class: argmax) or the score itself (real, none).
std::string predicted_label(const Model& model, const double* scores);

}  // namespace fenchel
