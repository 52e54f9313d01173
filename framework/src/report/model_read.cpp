// Reads model.json. Only `weights` must be there, so that a model of another tool takes three
// lines; keys that are not known are left alone.
#include "report/files.hpp"
#include "report/model_json.hpp"
#include "report/model_sequences.hpp"

#include <fenchel/abi.h>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <set>

namespace fenchel {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

constexpr int kDeepest = 16;

struct Array {
  std::vector<double> values;
  std::vector<std::int64_t> shape;
};

// A value as an error message shows it.
std::string brief(const Json& value) {
  return value.is_structured() ? std::string("an ") + value.type_name() : value.dump();
}

class Reader {
 public:
  explicit Reader(fs::path file) : file_(std::move(file)), json_(parse()) {}

  Model model() {
    if (!json_.is_object()) fail("", "must be a JSON object");
    if (const Json* format = find("fenchel"); format != nullptr && *format != kModelFormat)
      fail("fenchel", "format " + brief(*format) + " is not known, only 1 is read");
    read_weights();
    read_bias();
    read_labels();
    read_threshold();
    model_.loss = text("loss", "");
    model_.map = text("map", model_.outputs > 1 ? "multiclass" : "rows");
    read_normalization();
    read_feature_names();
    read_reading();
    read_sequences(json_, file_, model_);
    return std::move(model_);
  }

 private:
  [[noreturn]] void fail(const std::string& key, const std::string& message,
                         const std::string& advice = {}) const {
    throw Error(Exit::bad_input, message, {.file = file_.string(), .key = key}, advice);
  }

  Json parse() const {
    const std::string bytes = read_file(file_, "give model.json or the folder that holds it");
    // Copies of a JSON value are recursive: a hostile depth would end in a stack overflow.
    const auto shallow = [&](int depth, Json::parse_event_t, const Json&) {
      if (depth > kDeepest) fail("", fmt::format("is nested deeper than {} levels", kDeepest));
      return true;
    };
    try {
      return Json::parse(bytes, shallow);
    } catch (const Json::exception& error) {
      Place place = in_file(file_);
      if (const auto* syntax = dynamic_cast<const Json::parse_error*>(&error)) {
        const std::string before = bytes.substr(0, std::max<std::size_t>(syntax->byte, 1) - 1);
        const std::size_t newline = before.rfind('\n');
        place.line = 1 + static_cast<int>(std::count(before.begin(), before.end(), '\n'));
        place.column =
            static_cast<int>(before.size() - (newline == std::string::npos ? 0 : newline + 1) + 1);
      }
      throw Error(Exit::bad_input, "not valid JSON", place,
                  "give model.json or the folder that holds it");
    }
  }

  // Null where the key is missing or null.
  const Json* find(const char* key) const {
    const auto found = json_.find(key);
    return found == json_.end() || found->is_null() ? nullptr : &*found;
  }

  std::string text(const Json* value, const std::string& key, const std::string& fallback) const {
    if (value == nullptr || value->is_null()) return fallback;
    if (!value->is_string()) fail(key, "must be a text");
    return value->get<std::string>();
  }
  std::string text(const char* key, const std::string& fallback) const {
    return text(find(key), key, fallback);
  }

  void append_numbers(const Json& list, const char* key, std::vector<double>& out) const {
    for (const Json& value : list) {
      if (!value.is_number()) fail(key, "holds " + brief(value) + ", which is not a number");
      out.push_back(value.get<double>());
    }
  }

  // The name of a .npy file, or the numbers themselves (a list, or a list of lists).
  Array array(const Json& value, const char* key) const {
    Array result;
    if (value.is_string()) {
      result.values = read_npy(file_.parent_path() / value.get<std::string>(), result.shape);
    } else if (!value.is_array()) {
      fail(key, "must be the name of a .npy file or a list of numbers");
    } else if (!value.empty() && value.front().is_array()) {
      for (const Json& row : value) {
        if (!row.is_array() || row.size() != value.front().size())
          fail(key, "must have rows of equal length");
        append_numbers(row, key, result.values);
      }
      result.shape = {static_cast<std::int64_t>(value.size()),
                      static_cast<std::int64_t>(value.front().size())};
    } else {
      append_numbers(value, key, result.values);
      result.shape = {static_cast<std::int64_t>(value.size())};
    }
    for (const double number : result.values)
      if (!std::isfinite(number)) fail(key, "holds a value that is not finite");
    return result;
  }

  void read_weights() {
    const Json* value = find("weights");
    if (value == nullptr)
      fail("weights", "is missing", "name the .npy file of the weights, or list them");
    Array weights = array(*value, "weights");
    if (weights.shape.empty() || weights.shape.size() > 2)
      fail("weights", "must have the shape [features] or [outputs, features]");
    model_.outputs = weights.shape.size() == 2 ? weights.shape.front() : 1;
    model_.features = weights.shape.back();
    if (model_.outputs < 1) fail("weights", "must have at least one row");
    model_.weights = std::move(weights.values);
    const Json* features = find("features");
    if (features != nullptr && *features != model_.features)
      fail("features",
           fmt::format("is {}, but the weights have {}", brief(*features), model_.features));
  }

  void read_bias() {
    const Json* value = find("bias");
    if (value == nullptr) return;
    model_.bias = array(value->is_number() ? Json::array({*value}) : *value, "bias").values;
    if (model_.bias.size() != static_cast<std::size_t>(model_.outputs))
      fail("bias", fmt::format("has {} values, but the weights have {} outputs", model_.bias.size(),
                               model_.outputs));
  }

  std::vector<std::string> label_list() const {
    std::vector<std::string> labels;
    const Json* value = find("labels");
    if (value == nullptr) return labels;
    if (!value->is_array()) fail("labels", "must be a list");
    for (const Json& label : *value) {
      if (label.is_string()) {
        labels.push_back(label.get<std::string>());
      } else if (label.is_number()) {
        labels.push_back(fmt::format("{}", label.get<double>()));
      } else {
        fail("labels", "holds " + brief(label) + ", which is neither a text nor a number");
      }
    }
    if (std::set(labels.begin(), labels.end()).size() != labels.size())
      fail("labels", "holds the same label twice");
    return labels;
  }

  void read_labels() {
    std::vector<std::string> labels = label_list();
    const bool single = model_.outputs == 1;
    const char* guess = labels.empty() && single ? "real" : single ? "binary" : "class";
    const std::string target = text("target", guess);
    if (target == "binary") {
      if (labels.empty()) labels = {"-1", "1"};
      model_.labels.target = FENCHEL_TARGET_BINARY;
      if (!single) fail("target", "binary needs weights of one output");
      if (labels.size() != 2) fail("labels", "must be [negative, positive] for a binary target");
    } else if (target == "class" || target == "sequence") {
      model_.labels.target = target == "class" ? FENCHEL_TARGET_CLASS : FENCHEL_TARGET_SEQUENCE;
      for (std::int64_t k = 0; find("labels") == nullptr && k < model_.outputs; ++k)
        labels.push_back(std::to_string(k));
      if (labels.size() != static_cast<std::size_t>(model_.outputs))
        fail("labels", fmt::format("has {} labels, but the weights have {} outputs", labels.size(),
                                   model_.outputs));
    } else if (target == "real" || target == "none") {
      model_.labels.target = target == "real" ? FENCHEL_TARGET_REAL : FENCHEL_TARGET_NONE;
      if (!single) fail("target", target + " needs weights of one output");
      if (!labels.empty()) fail("labels", "must be empty for the target " + target);
    } else {
      fail("target", "must be binary, class, sequence, real or none, not '" + target + "'");
    }
    model_.labels.labels = std::move(labels);
  }

  void read_threshold() {
    const Json* value = find("threshold");
    if (value == nullptr) return;
    if (!value->is_number() || !std::isfinite(value->get<double>()))
      fail("threshold", "must be a number, not " + brief(*value));
    if (model_.labels.target != FENCHEL_TARGET_BINARY)
      fail("threshold", "is for the target binary alone");
    model_.threshold = value->get<double>();
  }

  void read_normalization() {
    const std::string name = text("normalize", "none");
    bool known = false;
    for (const Normalize way : {Normalize::none, Normalize::rows, Normalize::columns}) {
      if (name != normalize_name(way)) continue;
      model_.normalize = way;
      known = true;
    }
    if (!known) fail("normalize", "must be none, rows or columns, not '" + name + "'");
    const Json* divisors = find("column_divisors");
    if ((divisors != nullptr) != (model_.normalize == Normalize::columns))
      fail("column_divisors", "must be given with `normalize: columns`, and only then");
    if (divisors == nullptr) return;
    model_.column_divisors = array(*divisors, "column_divisors").values;
    if (model_.column_divisors.size() != static_cast<std::size_t>(model_.features))
      fail("column_divisors", fmt::format("has {} values, but the weights have {} features",
                                          model_.column_divisors.size(), model_.features));
    for (const double divisor : model_.column_divisors)
      if (!(divisor > 0.0)) fail("column_divisors", "must be positive");
  }

  void read_feature_names() {
    const Json* names = find("feature_names");
    if (names == nullptr) return;
    if (!names->is_array()) fail("feature_names", "must be a list");
    for (const Json& name : *names)
      model_.feature_names.push_back(text(&name, "feature_names", ""));
    if (!model_.feature_names.empty() &&
        model_.feature_names.size() != static_cast<std::size_t>(model_.features))
      fail("feature_names", fmt::format("has {} names, but the weights have {} features",
                                        model_.feature_names.size(), model_.features));
  }

  void read_reading() {
    const Json* reading = find("reading");
    if (reading == nullptr) return;
    if (!reading->is_object()) fail("reading", "must be an object");
    const auto member = [&](const char* key) {
      const auto found = reading->find(key);
      return found == reading->end() || found->is_null() ? nullptr : &*found;
    };
    model_.reading.format = text(member("format"), "reading.format", "");
    model_.reading.label = text(member("label"), "reading.label", "");
    if (const Json* drop = member("drop")) {
      if (!drop->is_array()) fail("reading.drop", "must be a list of names");
      for (const Json& name : *drop) model_.reading.drop.push_back(text(&name, "reading.drop", ""));
    }
    model_.reading.delimiter = text(member("delimiter"), "reading.delimiter", "");
    if (const Json* header = member("header"); header != nullptr) {
      if (!header->is_boolean()) fail("reading.header", "must be true or false");
      model_.reading.header = header->get<bool>();
    }
  }

  fs::path file_;
  Json json_;
  Model model_;
};

}  // namespace

Model read_model(const fs::path& file) {
  std::error_code code;
  return Reader(fs::is_directory(file, code) ? file / kModelFile : file).model();
}

}  // namespace fenchel
