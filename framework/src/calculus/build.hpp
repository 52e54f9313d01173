// Components of a spec to parts: plugins by their id, combinators by their name, nested as written.
//
//   losses        smoothed: {of, gamma}    scaled: {of, by}
//                 weighted: {of, positive, negative, classes: {name: weight}, column | file}
//   regularizers  scaled: {of, by}    sum: [ … ]    blocks: [{features: …, NAME: {…}}, …]
//                 shifted: {of, center | file}    linear: {of, slope | file}
#pragma once

#include "data/dataset.hpp"
#include "plugin/registry.hpp"
#include "spec/spec.hpp"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace fenchel {

// What the components may refer to.
struct BuildContext {
  const Registry& registry;
  fenchel_shape shape;                     // `parameters` as the part will see them
  std::vector<std::string> feature_names;  // empty where the data have none
  bool bias = false;                       // the last parameter is a bias, named "bias"
  LabelMap labels;
  std::vector<double> targets;
  std::map<std::string, std::vector<double>> columns;  // taken out of the data for `weighted`
};

// All throw Error: bad_input for an unknown name, parameter or feature; refused where a combinator
// needs an oracle that the inner part does not have.
LossPart build_loss(const Component& component, const BuildContext& context);
RegularizerPart build_regularizer(const Component& component, const BuildContext& context);

// The plugin inside all combinators of a loss: it decides targets and layout.
const Plugin& base_loss(const Component& component, const Registry& registry);

// The data columns that `weighted` takes its weights from, as the spec names them.
std::vector<Node> weight_columns(const Component& component);

}  // namespace fenchel
