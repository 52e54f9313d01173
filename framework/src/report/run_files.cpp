// The files of a run's folder.
#include "report/files.hpp"
#include "report/model_json.hpp"
#include "report/model_sequences.hpp"
#include "report/npy.hpp"
#include "report/result.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <iterator>
#include <system_error>

namespace fenchel {
namespace {

namespace fs = std::filesystem;

constexpr std::array kRunFiles{"result.json",    "trace.csv",     kModelFile,    kWeightsFile,
                               kTransitionsFile, kAttributesFile, kDivisorsFile, "spec.yaml",
                               "pr-train.csv",   "pr-test.csv"};

void append_cell(std::string& text, const std::optional<double>& value) {
  text += ',';
  if (value) fmt::format_to(std::back_inserter(text), "{}", *value);
}

// A seventh column where the solver has a gap of its own; the six before it stay where they are.
std::string trace_csv(const std::vector<TraceRow>& trace) {
  const bool own = std::any_of(trace.begin(), trace.end(),
                               [](const TraceRow& row) { return row.own_gap.has_value(); });
  std::string text = "iteration,passes,seconds,primal,dual,gap";
  text += own ? ",own_gap\n" : "\n";
  for (const TraceRow& row : trace) {
    fmt::format_to(std::back_inserter(text), "{},{},{}", row.iteration, row.passes, row.seconds);
    append_cell(text, row.primal);
    append_cell(text, row.dual);
    append_cell(text, row.gap);
    if (own) append_cell(text, row.own_gap);
    text += '\n';
  }
  return text;
}

// Precision and recall, or nothing where an earlier run left them.
void put_curve(FileSet& files, const char* name, const std::optional<Metrics>& metrics) {
  if (!metrics || metrics->curve.empty()) return files.remove(name);
  std::string text = "threshold,precision,recall\n";
  for (const CurvePoint& point : metrics->curve)
    fmt::format_to(std::back_inserter(text), "{},{},{}\n", point.threshold, point.precision,
                   point.recall);
  files.add(name, text);
}

void add_model(FileSet& files, const Model& model) {
  std::vector<std::int64_t> shape{model.features};
  if (model.outputs > 1) shape.insert(shape.begin(), model.outputs);
  files.add(kWeightsFile, npy_bytes(model.weights, shape));
  if (model.normalize == Normalize::columns)
    files.add(kDivisorsFile, npy_bytes(model.column_divisors, {model.features}));
  if (reads_sequences(model)) files.add(kAttributesFile, attributes_text(model));
  if (model.of_sequences())
    files.add(kTransitionsFile, npy_bytes(model.transitions, {model.outputs, model.outputs}));
  files.add(kModelFile, model_json(model));
}

[[noreturn]] void refuse(const fs::path& dir, const std::system_error& error) {
  // Ours say "NAME: reason", NAME a file of the folder; those of std::filesystem say too much.
  const bool ours = dynamic_cast<const fs::filesystem_error*>(&error) == nullptr;
  std::string text = ours ? error.what() : error.code().message();
  if (text.starts_with(": ")) text.erase(0, 2);
  throw Error(Exit::bad_input, "cannot write " + dir.string() + ": " + text, {},
              "choose another folder with --out");
}

void probe(const fs::path& dir) {
  for (const char* name : kRunFiles)
    if (fs::is_directory(dir / name))
      throw std::system_error(EISDIR, std::generic_category(), name);
  FileSet trial(dir);  // never committed, so it leaves nothing
  trial.add("probe", "fenchel\n");
}

}  // namespace

void write_run(const fs::path& dir, const Result& result, const Model* model,
               const Node& resolved_spec) {
  try {
    FileSet files(dir);
    files.add("trace.csv", trace_csv(result.trace));
    files.add("spec.yaml", to_yaml(resolved_spec));
    if (model != nullptr) add_model(files, *model);
    put_curve(files, "pr-train.csv", result.train);
    put_curve(files, "pr-test.csv", result.test);
    files.add("result.json", to_json(result));
    // What an earlier run left here must not be taken for this run's.
    if (model == nullptr) {
      files.remove(kModelFile);
      files.remove(kWeightsFile);
    }
    if (model == nullptr || model->normalize != Normalize::columns) files.remove(kDivisorsFile);
    if (model == nullptr || !reads_sequences(*model)) files.remove(kAttributesFile);
    if (model == nullptr || !model->of_sequences()) files.remove(kTransitionsFile);
    files.commit();
  } catch (const std::system_error& error) {
    refuse(dir, error);
  }
}

void prepare_output(const fs::path& dir) {
  try {
    const std::vector<fs::path> made = make_folders(dir);
    try {
      probe(dir);
    } catch (...) {
      remove_folders(made);
      throw;
    }
  } catch (const std::system_error& error) {
    refuse(dir, error);
  }
}

}  // namespace fenchel
