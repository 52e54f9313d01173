#include "report/model_json.hpp"
#include "report/model_sequences.hpp"

#include <fenchel/abi.h>
#include <nlohmann/json.hpp>

namespace fenchel {

using Json = nlohmann::ordered_json;

const char* target_name(std::int32_t target) {
  if (target == FENCHEL_TARGET_BINARY) return "binary";
  if (target == FENCHEL_TARGET_CLASS) return "class";
  if (target == FENCHEL_TARGET_SEQUENCE) return "sequence";
  return target == FENCHEL_TARGET_NONE ? "none" : "real";
}

const char* normalize_name(Normalize normalize) {
  switch (normalize) {
    case Normalize::rows: return "rows";
    case Normalize::columns: return "columns";
    case Normalize::none: break;
  }
  return "none";
}

std::string model_json(const Model& model) {
  Json json = {{"fenchel", kModelFormat}, {"weights", kWeightsFile}};
  if (model.bias.size() == 1) {
    json["bias"] = model.bias.front();
  } else if (!model.bias.empty()) {
    json["bias"] = model.bias;
  }
  json["labels"] = model.labels.labels;
  json["target"] = target_name(model.labels.target);
  if (model.threshold) json["threshold"] = *model.threshold;
  json["loss"] = model.loss;
  json["map"] = model.map;
  json["normalize"] = normalize_name(model.normalize);
  if (model.normalize == Normalize::columns) json["column_divisors"] = kDivisorsFile;
  json["features"] = model.features;
  if (!model.feature_names.empty() && !reads_sequences(model))
    json["feature_names"] = model.feature_names;

  const ReadOptions& reading = model.reading;
  json["reading"] = {{"format", reading.format},
                     {"header", reading.header ? Json(*reading.header) : Json()},
                     {"label", reading.label},
                     {"delimiter", reading.delimiter},
                     {"drop", reading.drop}};
  write_sequences(model, json);
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + '\n';
}

}  // namespace fenchel
