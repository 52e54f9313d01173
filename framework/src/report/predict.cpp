#include "report/predict.hpp"

#include "report/decode.hpp"
#include "report/files.hpp"
#include "report/model_sequences.hpp"
#include "report/sequence_metrics.hpp"

#include <fenchel/abi.h>
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <ostream>

namespace fenchel {
namespace {

// Columns in another order, or of another table, would give predictions that look right. That there
// are enough of them is the reader's to say.
void check_names(const Model& model, const Dataset& data) {
  const std::size_t count = std::min(model.feature_names.size(), data.feature_names.size());
  for (std::size_t j = 0; j < count; ++j) {
    const std::string& found = data.feature_names[j];
    const std::string& needed = model.feature_names[j];
    if (found == needed) continue;
    throw Error(Exit::bad_input,
                fmt::format("feature column {} is '{}', the model has '{}'", j + 1, found, needed),
                in_file(data.file), "give the columns of the training data, in their order");
  }
}

std::string csv_cell(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string cell = "\"";
  for (const char c : text) cell += c == '"' ? std::string("\"\"") : std::string(1, c);
  return cell + '"';
}

void write_header(const Model& model, const std::string& what, std::ostream& out) {
  out << "prediction";
  if (model.outputs == 1) {
    out << ',' << what;
  } else {
    for (const std::string& label : model.labels.labels) out << ',' << csv_cell(what + '_' + label);
  }
  out << '\n';
}

void write_row(const std::string& label, const double* numbers, std::int64_t count,
               std::ostream& out) {
  out << (numbers ? csv_cell(label) : label);
  for (std::int64_t k = 0; numbers && k < count; ++k) out << fmt::format(",{}", numbers[k]);
  out << '\n';
}

// Writes the blank lines between sequences.
class Breaks {
 public:
  Breaks(const Sequences& sequences, std::ostream& out)
      : next_(sequences.starts.begin()), end_(sequences.starts.end()), out_(out) {}

  void before(std::int64_t row) {
    if (next_ == end_ || *next_ != row) return;
    if (row > 0) out_ << '\n';
    ++next_;
  }

 private:
  std::vector<std::int64_t>::const_iterator next_, end_;
  std::ostream& out_;
};

// Nothing where a label is unknown to the model, or is no number where numbers are predicted.
std::optional<std::vector<double>> known_targets(const LabelMap& labels, const Dataset& data) {
  try {
    return labels.encode(data.labels, data.file);
  } catch (const Error&) {
    return std::nullopt;
  }
}

void finish(std::ostream& out) {
  out.flush();
  if (!out)
    throw Error(Exit::bad_input, "cannot write the predictions", {},
                "check the space and the rights of the place they go to");
}

std::optional<Metrics> predict_sequences(const Model& model, const Dataset& data, std::ostream& out,
                                         const PredictOptions& options) {
  const LossPart& loss = *options.loss;
  const SequenceScores scores = score_sequences(model, data);
  const std::vector<double> labels = decode(loss, scores);
  const std::vector<double> chances =
      options.probabilities ? marginals(loss, scores) : std::vector<double>();
  if (options.probabilities) write_header(model, "probability", out);
  Breaks breaks(data.sequences, out);
  for (std::size_t t = 0; t < labels.size(); ++t) {
    breaks.before(static_cast<std::int64_t>(t));
    write_row(
        model.labels.labels[static_cast<std::size_t>(labels[t])],
        chances.empty() ? nullptr : chances.data() + t * static_cast<std::size_t>(model.outputs),
        model.outputs, out);
  }
  finish(out);
  const bool keep = model.reading.keep_unseen_labels;
  const LabelMap all = keep ? model.labels.extended(data.labels) : model.labels;
  const std::optional<std::vector<double>> targets = known_targets(all, data);
  if (!targets) return std::nullopt;
  return sequence_metrics(all.labels, data.sequences.starts, *targets, labels);
}

void check_options(const Model& model, const PredictOptions& options) {
  if (model.of_sequences() && options.scores)
    throw Error(Exit::bad_input, "a model of sequences has no score for a label alone", {},
                "take --probabilities instead of --scores");
  if (!model.of_sequences() && options.probabilities)
    throw Error(Exit::bad_input, "probabilities are there for models of sequences only", {},
                "take --scores instead of --probabilities");
}

double chosen_cut(const Model& model, const std::string& threshold) {
  if (threshold.empty()) return 0.0;
  const char* advice = "leave out --threshold";
  if (model.labels.target != FENCHEL_TARGET_BINARY)
    throw Error(Exit::bad_input, "a threshold is for models of two labels", {}, advice);
  if (threshold == "best") {
    if (model.threshold) return *model.threshold;
    throw Error(Exit::bad_input, "the model has no threshold of its own", {}, advice);
  }
  double number = 0.0;
  const char* end = threshold.data() + threshold.size();
  const auto [read, code] = std::from_chars(threshold.data(), end, number);
  if (code != std::errc{} || read != end || !std::isfinite(number))
    throw Error(Exit::bad_input, "the threshold '" + threshold + "' is no number", {},
                "give a number, or best for the model's own");
  return number;
}

}  // namespace

std::optional<Metrics> predict(const Model& trained, const std::filesystem::path& data,
                               std::ostream& out, const PredictOptions& options) {
  check_options(trained, options);
  Model model = trained;
  model.cut = chosen_cut(trained, options.threshold);
  ReadOptions reading = options.reading.value_or(model.reading);
  reading.labels_optional = true;
  if (reads_sequences(model)) reading.attributes = &model.feature_names;
  reading.features = model.features;
  reading.ignore_unseen = true;
  const Dataset rows = read_dataset(data, reading);
  check_names(model, rows);
  if (model.of_sequences()) return predict_sequences(model, rows, out, options);

  const std::vector<double> scores = score_rows(model, rows.x);
  if (options.scores) write_header(model, "score", out);
  Breaks breaks(rows.sequences, out);
  for (std::int64_t i = 0; i < rows.x.rows; ++i) {
    const double* row = scores.data() + i * model.outputs;
    breaks.before(i);
    write_row(predicted_label(model, row), options.scores ? row : nullptr, model.outputs, out);
  }
  finish(out);
  const std::optional<std::vector<double>> targets = known_targets(model.labels, rows);
  if (!targets) return std::nullopt;
  return evaluate(model, scores, *targets);
}

}  // namespace fenchel
