// What model.json holds for sequences: transitions, attributes, templates, the decoder's
// parameters.
#pragma once

#include "report/result.hpp"

#include <nlohmann/json_fwd.hpp>

#include <filesystem>
#include <string>

namespace fenchel {

// Data of sequences, whatever the map: the attributes stand in a file of their own.
inline bool reads_sequences(const Model& model) {
  return model.reading.format == "crfsuite" || model.reading.format == "conll";
}

void write_sequences(const Model& model, nlohmann::ordered_json& json);
// One a line.
std::string attributes_text(const Model& model);

// Completes a model whose other members have been read. Throws Error (bad_input) with the key.
void read_sequences(const nlohmann::json& json, const std::filesystem::path& file, Model& model);

}  // namespace fenchel
