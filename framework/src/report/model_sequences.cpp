#include "report/model_sequences.hpp"

#include "report/files.hpp"
#include "report/model_json.hpp"
#include "spec/parse.hpp"
#include "spec/read.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <charconv>
#include <cmath>

namespace fenchel {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;
using Ordered = nlohmann::ordered_json;

// A parameter of a spec as JSON that reads back, as YAML, to the same parameter.
Ordered value_json(const Node& node) {
  if (node.is_list()) {
    Ordered list = Ordered::array();
    for (const Node& item : node.items) list.push_back(value_json(item));
    return list;
  }
  if (node.quoted) return node.scalar;
  if (node.scalar == "true" || node.scalar == "false") return node.scalar == "true";
  std::int64_t whole = 0;
  const char* end = node.scalar.data() + node.scalar.size();
  if (const auto [stop, error] = std::from_chars(node.scalar.data(), end, whole);
      error == std::errc() && stop == end)
    return whole;
  if (const auto number = spec::parse_number(node.scalar)) return *number;
  return node.scalar;
}

class Reader {
 public:
  Reader(const Json& json, const fs::path& file, Model& model)
      : json_(json), file_(file), model_(model) {}

  void read() {
    read_reading();
    if (const Json* name = find(json_, "attributes")) read_attributes(*name);
    if (!model_.of_sequences()) return;
    if (model_.feature_names.empty())
      fail("attributes", "is missing", "name the file that holds them, one a line");
    read_transitions();
    if (const Json* rows = find(json_, "allowed")) read_allowed(*rows);
    if (const Json* given = find(json_, "loss_parameters"))
      model_.loss_parameters = spec::parse_yaml(given->dump(), file_.string(), "loss_parameters");
  }

 private:
  [[noreturn]] void fail(const std::string& key, const std::string& message,
                         const std::string& advice = {}) const {
    throw Error(Exit::bad_input, message, {.file = file_.string(), .key = key}, advice);
  }

  static const Json* find(const Json& object, const char* key) {
    const auto found = object.find(key);
    return found == object.end() || found->is_null() ? nullptr : &*found;
  }

  std::vector<std::string> texts(const Json& object, const char* key,
                                 const std::string& path) const {
    std::vector<std::string> found;
    const Json* list = find(object, key);
    if (list == nullptr) return found;
    if (!list->is_array()) fail(path, "must be a list of texts");
    for (const Json& item : *list) {
      if (!item.is_string()) fail(path, "must be a list of texts");
      found.push_back(item.get<std::string>());
    }
    return found;
  }

  bool flag(const Json& reading, const char* key) const {
    const Json* value = find(reading, key);
    if (value != nullptr && !value->is_boolean())
      fail(std::string("reading.") + key, "must be true or false");
    return value != nullptr && value->get<bool>();
  }

  void read_reading() {
    const Json* reading = find(json_, "reading");
    if (reading == nullptr) return;
    model_.reading.columns = texts(*reading, "columns", "reading.columns");
    for (std::string& text : texts(*reading, "features", "reading.features"))
      model_.reading.templates.push_back(
          {std::move(text), {.file = file_.string(), .key = "reading.features"}});
    model_.reading.begin_end = flag(*reading, "begin_end");
    model_.reading.keep_unseen_labels = flag(*reading, "keep_unseen_labels");
  }

  void read_attributes(const Json& name) {
    if (!name.is_string()) fail("attributes", "must be the name of a file");
    const std::string text = read_file(file_.parent_path() / name.get<std::string>());
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t end = std::min(text.find('\n', at), text.size());
      model_.feature_names.push_back(text.substr(at, end - at));
      at = end + 1;
    }
    if (model_.feature_names.size() != static_cast<std::size_t>(model_.features))
      fail("attributes", fmt::format("the file has {} of them, but the weights have {}",
                                     model_.feature_names.size(), model_.features));
  }

  void read_transitions() {
    const Json* value = find(json_, "transitions");
    if (value == nullptr || !value->is_string())
      fail("transitions", "is missing", "name the .npy file of the transition weights");
    std::vector<std::int64_t> shape;
    model_.transitions = read_npy(file_.parent_path() / value->get<std::string>(), shape);
    if (shape != std::vector<std::int64_t>{model_.outputs, model_.outputs})
      fail("transitions", fmt::format("must have the shape [{0}, {0}]", model_.outputs));
    for (const double number : model_.transitions)
      if (!std::isfinite(number)) fail("transitions", "holds a value that is not finite");
  }

  void read_allowed(const Json&) {
    const std::vector<std::string> rows = texts(json_, "allowed", "allowed");
    const auto k = static_cast<std::size_t>(model_.outputs);
    const auto good = [k](const std::string& row) {
      return row.size() == k && row.find_first_not_of("01") == std::string::npos;
    };
    if (rows.size() != k + 1 || !std::all_of(rows.begin(), rows.end(), good))
      fail("allowed", fmt::format("must be {} texts of {} characters 0 or 1", k + 1, k));
    for (const std::string& row : rows)
      for (const char c : row) model_.allowed.push_back(c == '1' ? 1 : 0);
  }

  const Json& json_;
  const fs::path& file_;
  Model& model_;
};

}  // namespace

void write_sequences(const Model& model, Ordered& json) {
  if (!reads_sequences(model)) return;
  json["attributes"] = kAttributesFile;
  Ordered& reading = json["reading"];
  if (!model.reading.columns.empty()) reading["columns"] = model.reading.columns;
  for (const PlacedText& text : model.reading.templates) reading["features"].push_back(text.text);
  reading["begin_end"] = model.reading.begin_end;
  reading["keep_unseen_labels"] = model.reading.keep_unseen_labels;
  if (!model.of_sequences()) return;
  json["transitions"] = kTransitionsFile;
  const auto k = static_cast<std::size_t>(model.outputs);
  for (std::size_t at = 0; at < model.allowed.size(); at += k) {
    std::string row;
    for (std::size_t to = 0; to < k; ++to) row += model.allowed[at + to] ? '1' : '0';
    json["allowed"].push_back(row);
  }
  json["loss_parameters"] = Ordered::object();
  for (const auto& [name, value] : model.loss_parameters.entries)
    json["loss_parameters"][name] = value_json(value);
}

std::string attributes_text(const Model& model) {
  std::string text;
  for (const std::string& name : model.feature_names) (text += name) += '\n';
  return text;
}

void read_sequences(const Json& json, const fs::path& file, Model& model) {
  Reader(json, file, model).read();
}

}  // namespace fenchel
