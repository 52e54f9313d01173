#include "report/predict.hpp"

#include "cli/commands.hpp"

#include <fmt/format.h>

#include <fstream>
#include <iostream>
#include <sstream>

namespace fenchel::cli {

// All predictions are made before the first is written, so bad data leave no half-written file.
int predict_file(const PredictOptions& options) {
  const Model model = read_model(options.model);
  fenchel::PredictOptions reading;
  reading.scores = options.scores;
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
