#include "report/predict.hpp"

#include "report/files.hpp"

#include <fenchel/abi.h>
#include <fmt/format.h>

#include <algorithm>
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

void write_header(const Model& model, std::ostream& out) {
  out << "prediction";
  if (model.outputs == 1) {
    out << ",score";
  } else {
    for (const std::string& label : model.labels.labels) out << ',' << csv_cell("score_" + label);
  }
  out << '\n';
}

// Nothing where a label is unknown to the model, or is no number where numbers are predicted.
std::optional<std::vector<double>> known_targets(const Model& model, const Dataset& data) {
  try {
    return model.labels.encode(data.labels, data.file);
  } catch (const Error&) {
    return std::nullopt;
  }
}

}  // namespace

std::optional<Metrics> predict(const Model& model, const std::filesystem::path& data,
                               std::ostream& out, const PredictOptions& options) {
  ReadOptions reading = options.reading.value_or(model.reading);
  reading.features = model.features;
  reading.ignore_unseen = true;
  const Dataset rows = read_dataset(data, reading);
  check_names(model, rows);

  const std::vector<double> scores = score_rows(model, rows.x);
  if (options.scores) write_header(model, out);
  for (std::int64_t i = 0; i < rows.x.rows; ++i) {
    const double* row = scores.data() + i * model.outputs;
    const std::string label = predicted_label(model, row);
    out << (options.scores ? csv_cell(label) : label);
    for (std::int64_t o = 0; options.scores && o < model.outputs; ++o)
      out << fmt::format(",{}", row[o]);
    out << '\n';
  }
  out.flush();
  if (!out)
    throw Error(Exit::bad_input, "cannot write the predictions", {},
                "check the space and the rights of the place they go to");

  const std::optional<std::vector<double>> targets = known_targets(model, rows);
  if (!targets) return std::nullopt;
  return evaluate(model, scores, *targets);
}

}  // namespace fenchel
