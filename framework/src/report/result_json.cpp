#include "report/result.hpp"
#include "report/version.hpp"

#include <nlohmann/json.hpp>

#include <cmath>

namespace fenchel {
namespace {

using Json = nlohmann::ordered_json;

// JSON has no infinity and no NaN.
Json number(std::optional<double> value) {
  return value && std::isfinite(*value) ? Json(*value) : Json();
}

Json metrics(const std::optional<Metrics>& values) {
  if (!values) return {};
  Json object = Json::object();
  for (const auto& [name, value] : *values) object[name] = number(value);
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
  // A message may quote bytes of a file that are not UTF-8: replaced, not refused.
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + '\n';
}

}  // namespace fenchel
