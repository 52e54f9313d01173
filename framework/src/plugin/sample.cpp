#include "plugin/sample.hpp"

#include "plugin/values.hpp"

#include <fmt/format.h>

#include <cmath>

namespace fenchel {
namespace {

// Some number of the range, 1 where it can be.
double number_in(const Range& range) {
  if (range.holds(1.0)) return 1.0;
  if (std::isfinite(range.low) && std::isfinite(range.high)) return 0.5 * (range.low + range.high);
  if (std::isfinite(range.low)) return range.low_open ? range.low + 1.0 : range.low;
  return range.high_open ? range.high - 1.0 : range.high;
}

double integer_in(const Range& range) {
  const double lower = std::floor(number_in(range));
  return range.holds(lower) ? lower : lower + 1.0;
}

Node scalar(std::string text) {
  Node node;
  node.kind = Node::Kind::scalar;
  node.scalar = std::move(text);
  return node;
}

Node choice(const fenchel_param& param) {
  const Range range = Range::parse(param.range);
  switch (param.type) {
    case FENCHEL_NUMBER: return scalar(fmt::format("{}", number_in(range)));
    case FENCHEL_INTEGER: return scalar(fmt::format("{:.0f}", integer_in(range)));
    case FENCHEL_FLAG: return scalar("true");
    case FENCHEL_TEXT: return scalar(range.words.empty() ? "text" : range.words.front());
    default: {
      Node list;
      list.kind = Node::Kind::list;
      list.items.push_back(scalar(fmt::format("{}", number_in(range))));
      return list;
    }
  }
}

}  // namespace

Sample sample_of(const fenchel_card& card) {
  Sample sample;
  sample.component.name = card.id;
  sample.component.parameters.kind = Node::Kind::map;
  for (std::int64_t i = 0; i < card.param_count; ++i) {
    const fenchel_param& param = param_at(card, i);
    if (param.fallback) continue;
    Node node = choice(param);
    const std::string text =
        node.is_list() ? fmt::format("[{}]", node.items.front().scalar) : node.scalar;
    sample.chosen.emplace_back(param.name, text);
    sample.component.parameters.entries.emplace_back(param.name, std::move(node));
  }
  return sample;
}

fenchel_shape nominal_shape() {
  fenchel_shape shape{};
  shape.struct_size = sizeof shape;
  shape.outputs = 3;
  shape.blocks = 10;
  shape.scores = 10;
  shape.widest_block = 1;
  shape.parameters = 10;
  shape.features = 10;
  shape.entries = 100;
  return shape;
}

fenchel_shape nominal_shape(const fenchel_card& card) {
  fenchel_shape shape = nominal_shape();
  if (card.kind != FENCHEL_KIND_LOSS) return shape;
  const std::int32_t layout = static_cast<const fenchel_loss*>(card.table)->layout;
  if (layout == FENCHEL_LAYOUT_WHOLE) {
    shape.outputs = 1;
    shape.blocks = 1;
    shape.widest_block = shape.scores;
  } else if (layout == FENCHEL_LAYOUT_CHAIN) {
    constexpr std::int64_t kLength = 3;
    shape.widest_block = shape.outputs * (kLength + shape.outputs);
    shape.scores = shape.blocks * shape.widest_block;
  }
  return shape;
}

}  // namespace fenchel
