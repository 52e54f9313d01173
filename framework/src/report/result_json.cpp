#include "report/result.hpp"
#include "report/version.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>

namespace fenchel {
namespace {

using Json = nlohmann::ordered_json;

// JSON has no infinity and no NaN.
Json number(std::optional<double> value) {
  return value && std::isfinite(*value) ? Json(*value) : Json();
}

Json class_metrics(const std::vector<ClassMetrics>& classes) {
  Json object = Json::object();
  for (const ClassMetrics& one : classes) {
    Json& entry = object[one.label] = {{"support", one.support}};
    if (one.precision) entry["precision"] = *one.precision;
    if (one.recall) entry["recall"] = *one.recall;
    if (one.f1) entry["f1"] = *one.f1;
  }
  return object;
}

Json confusion(const Metrics& of) {
  const auto classes = static_cast<std::ptrdiff_t>(of.classes.size());
  Json labels = Json::array(), counts = Json::array();
  for (const ClassMetrics& one : of.classes) labels.push_back(one.label);
  for (auto row = of.confusion.begin(); row != of.confusion.end(); row += classes)
    counts.push_back(std::vector<std::int64_t>(row, row + classes));
  return {{"labels", std::move(labels)}, {"counts", std::move(counts)}};
}

Json metrics(const std::optional<Metrics>& of) {
  if (!of) return {};
  Json object = Json::object();
  for (const auto& [name, value] : of->values) object[name] = number(value);
  if (!of->classes.empty()) object["classes"] = class_metrics(of->classes);
  if (!of->chunks.empty()) object["chunks"] = class_metrics(of->chunks);
  if (!of->confusion.empty()) object["confusion"] = confusion(*of);
  return object;
}

Json constants(const std::vector<Constant>& values) {
  Json object = Json::object();
  for (const Constant& constant : values)
    object[constant.name] = {{"state", constant.state},
                             {"value", constant.state == "known" ? number(constant.value) : Json()},
                             {"derivation", constant.derivation}};
  return object;
}

// A message may quote bytes of a file that are not UTF-8: replaced, not refused.
std::string plain(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

// One member a line, but a list of numbers on one line: a row of the confusion matrix stays a
// row.
void write_json(const Json& json, const std::string& margin, std::string& out) {
  const auto is_number = [](const Json& item) { return item.is_number(); };
  if (json.empty() || !json.is_structured() ||
      (json.is_array() && std::all_of(json.begin(), json.end(), is_number))) {
    out += plain(json);
    return;
  }
  const std::string inner = margin + "  ";
  out += json.is_array() ? '[' : '{';
  const char* comma = "";
  for (const auto& [key, item] : json.items()) {
    out += comma + ('\n' + inner);
    if (json.is_object()) out += plain(key) + ": ";
    write_json(item, inner, out);
    comma = ",";
  }
  out += '\n' + margin + (json.is_array() ? ']' : '}');
}

}  // namespace

const char* status_name(Status status) {
  switch (status) {
    case Status::converged: return "converged";
    case Status::limit: return "limit";
    case Status::interrupted: return "interrupted";
    case Status::refused: return "refused";
    case Status::failed: break;
  }
  return "failed";
}

std::string to_json(const Result& result) {
  const Result::Seconds& seconds = result.seconds;
  const Json json = {
      {"status", status_name(result.status)},
      {"message", result.message},
      {"primal", number(result.primal)},
      {"dual", number(result.dual)},
      {"gap", number(result.gap)},
      {"relative_gap", number(result.relative_gap)},
      {"certificate",
       {{"kind", result.certificate_kind}, {"verified", result.certificate_verified}}},
      {"iterations", result.iterations},
      {"passes", number(result.passes)},
      {"seconds",
       {{"load", number(seconds.load)},
        {"check", number(seconds.check)},
        {"solve", number(seconds.solve)},
        {"certify", number(seconds.certify)},
        {"total", number(seconds.total)}}},
      {"problem",
       {{"n", result.n}, {"d", result.d}, {"nnz", result.nnz}, {"outputs", result.outputs}}},
      {"constants", constants(result.constants)},
      {"loss", result.loss},
      {"regularizer", result.regularizer},
      {"solver", result.solver},
      {"repairs", result.repairs},
      {"events", result.events},
      {"metrics", {{"train", metrics(result.train)}, {"test", metrics(result.test)}}},
      {"version", version()},
  };
  std::string text;
  write_json(json, "", text);
  return text + '\n';
}

}  // namespace fenchel
