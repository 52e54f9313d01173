#include "calculus/arguments.hpp"
#include "calculus/build.hpp"
#include "calculus/combinators.hpp"
#include "spec/read.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace fenchel {
namespace {

bool is_combinator(const std::string& name) {
  return name == "smoothed" || name == "scaled" || name == "weighted";
}

const std::vector<std::string>& keys_of(const std::string& name) {
  static const std::vector<std::string> smoothed{"of", "gamma"}, scaled{"of", "by"},
      weighted{"of", "positive", "negative", "classes", "column", "file"};
  return name == "smoothed" ? smoothed : name == "scaled" ? scaled : weighted;
}

LossPart build_smoothed(const Arguments& arguments, LossPart inner, const Component& component) {
  if (!FENCHEL_MEMBER(inner.table, prox))
    throw Error(Exit::refused,
                fmt::format("loss '{}' has no prox, so it cannot be smoothed", inner.id),
                component.place);
  if (fact_of(inner, FENCHEL_FACT_CONVEX).state != FENCHEL_KNOWN)
    throw Error(
        Exit::refused,
        fmt::format("loss '{}' is not known to be convex, so it cannot be smoothed", inner.id),
        component.place);
  return smoothed(std::move(inner), arguments.positive("gamma"));
}

// The weight of each class under `positive`, `negative` and `classes`; 1 where nothing is said.
std::vector<double> class_weights(const Arguments& arguments, const BuildContext& context,
                                  const Component& component) {
  const std::vector<std::string>& names = context.labels.labels;
  const bool sided = arguments.find("positive") || arguments.find("negative");
  if (names.empty())
    throw Error(Exit::bad_input, "class weights need a loss with classes", component.place,
                "give 'column' or 'file' for a regression");
  if (context.labels.target == FENCHEL_TARGET_SEQUENCE)
    throw Error(Exit::bad_input, "class weights need a loss of one label an example",
                component.place, "give 'file' with one weight a sequence");
  if (sided && context.labels.target != FENCHEL_TARGET_BINARY)
    throw Error(Exit::bad_input, "'positive' and 'negative' are for losses with two classes",
                component.place, "give 'classes: {name: weight}'");
  std::vector<double> weights(names.size(), 1.0);
  if (sided) {
    weights[0] = arguments.maybe_positive("negative").value_or(1.0);
    weights[1] = arguments.maybe_positive("positive").value_or(1.0);
  }
  if (const Node* classes = arguments.find("classes")) {
    spec::require_map(*classes);
    spec::require_known_keys(*classes, names);
    for (const auto& [name, node] : classes->entries)
      weights[static_cast<std::size_t>(std::find(names.begin(), names.end(), name) -
                                       names.begin())] = positive_number(node);
  }
  return weights;
}

std::vector<double> example_weights(const Arguments& arguments, const BuildContext& context,
                                    const Node& node) {
  const bool file = arguments.find("file") != nullptr;
  std::vector<double> weights =
      file ? read_numbers(node) : context.columns.at(spec::read_text(node, "a column name"));
  const auto n = static_cast<std::size_t>(context.shape.blocks);
  if (weights.size() != n)
    throw Error(Exit::bad_input,
                fmt::format("needs one weight an example, {} in all, found {}", n, weights.size()),
                node.place);
  for (std::size_t i = 0; i < n; ++i)
    if (!(weights[i] > 0.0))
      throw Error(Exit::bad_input,
                  fmt::format("the weight of example {} is {:g}, weights must be positive", i + 1,
                              weights[i]),
                  node.place);
  return weights;
}

LossPart build_weighted(const Arguments& arguments, LossPart inner, const Component& component,
                        const BuildContext& context) {
  if (inner.table->layout == FENCHEL_LAYOUT_WHOLE)
    throw Error(
        Exit::refused,
        fmt::format("loss '{}' sees all examples at once, so they cannot be weighted", inner.id),
        component.place, "'scaled: {of: …, by: …}' multiplies it as a whole");
  const bool by_class =
      arguments.find("positive") || arguments.find("negative") || arguments.find("classes");
  const Node* column = arguments.find("column");
  const Node* file = arguments.find("file");
  if (int{by_class} + int{column != nullptr} + int{file != nullptr} != 1)
    throw Error(Exit::bad_input, "'weighted' needs weights of one kind", component.place,
                "give positive and negative, or classes, or column, or file");
  if (!by_class) {
    const Node& node = column ? *column : *file;
    return weighted(std::move(inner), example_weights(arguments, context, node),
                    fmt::format("{} = {}", column ? "column" : "file", node.scalar));
  }
  const std::vector<double> weights = class_weights(arguments, context, component);
  std::vector<double> factors(context.targets.size());
  const bool binary = context.labels.target == FENCHEL_TARGET_BINARY;
  std::transform(context.targets.begin(), context.targets.end(), factors.begin(), [&](double y) {
    return weights[binary ? static_cast<std::size_t>(y > 0.0) : static_cast<std::size_t>(y)];
  });
  std::string text;
  for (std::size_t k = 0; k < weights.size(); ++k)
    text += fmt::format("{}{} = {}", k == 0 ? "" : ", ", context.labels.labels[k], weights[k]);
  return weighted(std::move(inner), std::move(factors), text);
}

}  // namespace

LossPart build_loss(const Component& component, const BuildContext& context) {
  if (!is_combinator(component.name)) {
    LossPart part = context.registry.make_loss(component, context.shape);
    part.width = context.shape.widest_block;
    return part;
  }
  const Arguments arguments(component, keys_of(component.name));
  LossPart inner = build_loss(arguments.component("of"), context);
  if (component.name == "smoothed") return build_smoothed(arguments, std::move(inner), component);
  if (component.name == "scaled") return scaled(std::move(inner), arguments.positive("by"));
  return build_weighted(arguments, std::move(inner), component, context);
}

const Plugin& base_loss(const Component& component, const Registry& registry) {
  if (!is_combinator(component.name)) {
    refuse_near_combinator(component, FENCHEL_KIND_LOSS, {"smoothed", "scaled", "weighted"},
                           {"sum", "blocks", "shifted", "linear"}, registry);
    return registry.require(FENCHEL_KIND_LOSS, component);
  }
  return base_loss(Arguments(component, keys_of(component.name)).component("of"), registry);
}

std::vector<Node> weight_columns(const Component& component) {
  if (!is_combinator(component.name)) return {};
  const Arguments arguments(component, keys_of(component.name));
  std::vector<Node> names = weight_columns(arguments.component("of"));
  if (const Node* column = arguments.find("column")) {
    spec::read_text(*column, "a column name");
    names.push_back(*column);
  }
  return names;
}

}  // namespace fenchel
