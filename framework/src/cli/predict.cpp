#include "report/predict.hpp"

#include "cli/commands.hpp"
#include "plugin/registry.hpp"
#include "report/decode.hpp"

#include <fmt/format.h>

#include <fstream>
#include <iostream>
#include <sstream>

namespace fenchel::cli {

namespace {

// The loss that labels sequences as the model was trained to.
LossPart decoder_of(const Model& model, const PredictOptions& options) {
  const Registry registry = Registry::scan(plugin_folders(options.plugins));
  Component component;
  component.name = model.loss;
  component.place = {.file = options.model.string(), .key = "loss"};
  component.parameters = model.loss_parameters;
  component.parameters.kind = Node::Kind::map;
  return registry.make_loss(component, sequence_shape(model, {0, 1}));
}

}  // namespace

// All predictions are made before the first is written, so bad data leave no half-written file.
int predict_file(const PredictOptions& options) {
  const Model model = read_model(options.model);
  fenchel::PredictOptions reading;
  reading.scores = options.scores;
  reading.probabilities = options.probabilities;
  std::optional<LossPart> loss;
  if (model.of_sequences()) loss = decoder_of(model, options);
  if (loss) reading.loss = &*loss;
  reading.threshold = options.threshold;
  std::ostringstream text;
  const std::optional<Metrics> metrics = predict(model, options.data, text, reading);
  if (options.out.empty()) {
    std::cout << text.str();
  } else {
    std::ofstream file(options.out, std::ios::binary);
    file << text.str();
    file.close();
    if (!file) throw Error(Exit::bad_input, "cannot write " + options.out.string());
  }
  if (metrics)
    for (const auto& [name, value] : metrics->values)
      std::cerr << fmt::format("{} {:.6g}\n", name, value);
  return 0;
}

}  // namespace fenchel::cli
