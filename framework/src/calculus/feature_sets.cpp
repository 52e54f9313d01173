#include "calculus/feature_sets.hpp"

#include "spec/read.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace fenchel {
namespace {

std::optional<std::int64_t> whole_number(std::string_view text) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size() && value >= 0
             ? std::optional(value)
             : std::nullopt;
}

}  // namespace

FeatureSets::FeatureSets(const BuildContext& context)
    : names_(context.feature_names),
      claimed_(static_cast<std::size_t>(context.shape.parameters / context.shape.outputs), 0) {
  if (context.bias) {
    names_.resize(claimed_.size());
    names_.back() = "bias";
  }
}

std::string FeatureSets::name_of(std::size_t parameter) const {
  return parameter < names_.size() && !names_[parameter].empty()
             ? fmt::format("'{}'", names_[parameter])
             : std::to_string(parameter);
}

std::int32_t FeatureSets::index_of(const std::string& word, const Node& node) const {
  const auto named = std::find(names_.begin(), names_.end(), word);
  if (!word.empty() && named != names_.end())
    return static_cast<std::int32_t>(named - names_.begin());
  const std::optional<std::int64_t> number = whole_number(word);
  if (number && *number < static_cast<std::int64_t>(claimed_.size()))
    return static_cast<std::int32_t>(*number);
  throw Error(
      Exit::bad_input, fmt::format("there is no feature '{}'", word), node.place,
      spec::did_you_mean(word, names_, fmt::format("features are 0 to {}", claimed_.size() - 1)));
}

void FeatureSets::add(const Node& node, std::vector<std::int32_t>& out) const {
  if (node.is_list()) {
    for (const Node& item : node.items) add(item, out);
    return;
  }
  if (!node.is_scalar())
    spec::fail_expected(node, "features: a range like 0..9, a number, a name, a list, or rest");
  const std::size_t dots = node.scalar.find("..");
  if (dots == std::string::npos) return out.push_back(index_of(node.scalar, node));
  const std::int32_t first = index_of(node.scalar.substr(0, dots), node);
  const std::int32_t last = index_of(node.scalar.substr(dots + 2), node);
  if (last < first)
    throw Error(Exit::bad_input, fmt::format("the range {} is empty", node.scalar), node.place,
                "write the smaller end first");
  for (std::int32_t j = first; j <= last; ++j) out.push_back(j);
}

std::vector<std::int32_t> FeatureSets::claim(const Node& features) {
  std::vector<std::int32_t> mine;
  if (features.is_scalar() && features.scalar == "rest") {
    for (std::size_t j = 0; j < claimed_.size(); ++j)
      if (!claimed_[j]) mine.push_back(static_cast<std::int32_t>(j));
  } else {
    add(features, mine);
    std::sort(mine.begin(), mine.end());
  }
  if (mine.empty())
    throw Error(Exit::bad_input, "no feature is left for this block", features.place,
                "remove the block, or name fewer features in those before it");
  for (const std::int32_t j : mine) {
    if (claimed_[static_cast<std::size_t>(j)])
      throw Error(Exit::bad_input,
                  fmt::format("feature {} is named twice", name_of(static_cast<std::size_t>(j))),
                  features.place, "every feature belongs to exactly one block");
    claimed_[static_cast<std::size_t>(j)] = 1;
  }
  return mine;
}

void FeatureSets::require_all_claimed(const Place& place) const {
  const auto open = std::find(claimed_.begin(), claimed_.end(), 0);
  if (open == claimed_.end()) return;
  throw Error(Exit::bad_input,
              fmt::format("feature {} belongs to no block",
                          name_of(static_cast<std::size_t>(open - claimed_.begin()))),
              place, "add a block with 'features: rest'");
}

std::string FeatureSets::text(const Node& features) {
  if (features.is_scalar()) return features.scalar;
  std::string list;
  for (const Node& item : features.items) list += (list.empty() ? "" : ", ") + text(item);
  return "[" + list + "]";
}

}  // namespace fenchel
