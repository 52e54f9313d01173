// model.json as text, and the names of the files beside it.
#pragma once

#include "report/result.hpp"

#include <string>

namespace fenchel {

inline constexpr const char* kModelFile = "model.json";
inline constexpr const char* kWeightsFile = "weights.npy";
inline constexpr const char* kDivisorsFile = "column_divisors.npy";
inline constexpr const char* kTransitionsFile = "transitions.npy";
inline constexpr const char* kAttributesFile = "attributes.txt";
inline constexpr int kModelFormat = 1;  // the key `fenchel` of model.json

std::string model_json(const Model& model);

// The words of model.json for what the code holds as numbers.
const char* target_name(std::int32_t target);
const char* normalize_name(Normalize normalize);

}  // namespace fenchel
