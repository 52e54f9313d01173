#include "calculus/arguments.hpp"
#include "calculus/build.hpp"
#include "calculus/combinators.hpp"
#include "calculus/feature_sets.hpp"
#include "spec/read.hpp"
#include "spec/validate.hpp"

#include <fmt/format.h>

namespace fenchel {
namespace {

const std::vector<Node>& items_of(const Component& component) {
  if (component.parameters.is_list() && !component.parameters.items.empty())
    return component.parameters.items;
  throw Error(Exit::bad_input,
              fmt::format("'{}' needs a list with at least one entry", component.name),
              component.parameters.place,
              component.name == "sum" ? "write sum: [{l1: {lambda: 0.1}}, {l2: {lambda: 0.1}}]"
                                      : "write blocks: [{features: rest, l1: {lambda: 0.1}}]");
}

RegularizerPart build_sum(const Component& component, const BuildContext& context) {
  std::vector<RegularizerPart> terms;
  for (const Node& item : items_of(component))
    terms.push_back(build_regularizer(spec::read_component(item), context));
  return sum(std::move(terms), context.shape.parameters);
}

// {features: …, NAME: {…}}: the component is what is left of the map without `features`.
Component block_component(const Node& item) {
  if (!item.is_map() || !item.find("features") || item.entries.size() != 2)
    throw Error(Exit::bad_input, "a block is a map of 'features' and one regularizer", item.place,
                "write {features: 0..9, l1: {lambda: 0.1}}");
  Node rest = item;
  std::erase_if(rest.entries, [](const auto& entry) { return entry.first == "features"; });
  return spec::read_component(rest);
}

// The parameters of features: one an output each, lying together.
std::vector<std::int32_t> parameters_of(const std::vector<std::int32_t>& features,
                                        std::int32_t outputs) {
  std::vector<std::int32_t> parameters;
  for (const std::int32_t j : features)
    for (std::int32_t c = 0; c < outputs; ++c) parameters.push_back(j * outputs + c);
  return parameters;
}

RegularizerPart build_blocks(const Component& component, const BuildContext& context) {
  FeatureSets sets(context);
  std::vector<RegularizerBlock> list;
  for (const Node& item : items_of(component)) {
    const Component inner = block_component(item);
    const Node& features = *item.find("features");
    std::vector<std::int32_t> coordinates =
        parameters_of(sets.claim(features), context.shape.outputs);
    BuildContext seen = context;
    seen.shape.parameters = static_cast<std::int64_t>(coordinates.size());
    seen.feature_names.clear();
    seen.bias = false;
    list.push_back(
        {build_regularizer(inner, seen), std::move(coordinates), FeatureSets::text(features)});
  }
  sets.require_all_claimed(component.parameters.place);
  return blocks(std::move(list), context.shape.parameters);
}

}  // namespace

RegularizerPart build_regularizer(const Component& component, const BuildContext& context) {
  const std::string& name = component.name;
  if (name == "sum") return build_sum(component, context);
  if (name == "blocks") return build_blocks(component, context);
  const std::int64_t d = context.shape.parameters;
  if (name == "scaled") {
    const Arguments arguments(component, {"of", "by"});
    return scaled(build_regularizer(arguments.component("of"), context), arguments.positive("by"));
  }
  if (name == "shifted") {
    const Arguments arguments(component, {"of", "center", "file"});
    return shifted(build_regularizer(arguments.component("of"), context),
                   arguments.numbers("center", d));
  }
  if (name == "linear") {
    const Arguments arguments(component, {"of", "slope", "file"});
    return with_linear_term(build_regularizer(arguments.component("of"), context),
                            arguments.numbers("slope", d));
  }
  refuse_near_combinator(component, FENCHEL_KIND_REGULARIZER,
                         {"scaled", "sum", "blocks", "shifted", "linear"}, {"smoothed", "weighted"},
                         context.registry);
  return context.registry.make_regularizer(component, context.shape);
}

}  // namespace fenchel
