#include "calculus/arguments.hpp"

#include "report/result.hpp"
#include "spec/read.hpp"
#include "spec/validate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>

namespace fenchel {

Arguments::Arguments(const Component& component, const std::vector<std::string>& keys)
    : component_(component) {
  if (component.parameters.is_list())
    throw Error(Exit::bad_input,
                fmt::format("'{}' takes a map of parameters, found a list", component.name),
                component.parameters.place,
                fmt::format("write {{{}: {{{}: …}}}}", component.name, fmt::join(keys, ": …, ")));
  spec::require_known_keys(component.parameters, keys);
}

const Node& Arguments::require(const std::string& key) const {
  const Node* node = find(key);
  if (node) return *node;
  throw Error(Exit::bad_input, fmt::format("'{}' needs '{}'", component_.name, key),
              component_.place, fmt::format("add '{}: …' to its parameters", key));
}

Component Arguments::component(const std::string& key) const {
  return spec::read_component(require(key));
}

double Arguments::positive(const std::string& key) const { return positive_number(require(key)); }

std::optional<double> Arguments::maybe_positive(const std::string& key) const {
  const Node* node = find(key);
  return node ? std::optional(positive_number(*node)) : std::nullopt;
}

std::vector<double> Arguments::numbers(const std::string& inline_key, std::int64_t count) const {
  const Node* list = find(inline_key);
  const Node* file = find("file");
  if ((list == nullptr) == (file == nullptr))
    throw Error(Exit::bad_input,
                fmt::format("'{}' needs either '{}' or 'file'", component_.name, inline_key),
                component_.place,
                list
                    ? "remove one of them"
                    : fmt::format("write the {} numbers under '{}', or name a file that holds them",
                                  count, inline_key));
  std::vector<double> values;
  if (file) {
    values = read_numbers(*file);
  } else {
    if (!list->is_list()) spec::fail_expected(*list, "a list of numbers");
    for (const Node& item : list->items) {
      const std::optional<double> value =
          item.is_scalar() ? spec::parse_number(item.scalar) : std::nullopt;
      if (!value) spec::fail_expected(item, "a number");
      values.push_back(*value);
    }
  }
  if (static_cast<std::int64_t>(values.size()) != count)
    throw Error(Exit::bad_input, fmt::format("needs {} numbers, found {}", count, values.size()),
                (file ? *file : *list).place, "give one for each parameter that it applies to");
  return values;
}

void refuse_near_combinator(const Component& component, std::int32_t kind,
                            const std::vector<std::string>& own,
                            const std::vector<std::string>& foreign, const Registry& registry) {
  std::vector<std::string> names = own;
  for (const Plugin& plugin : registry.plugins()) {
    if (component.name == plugin.card->id) return;
    if (plugin.card->kind == kind) names.emplace_back(plugin.card->id);
  }
  const char* what = kind == FENCHEL_KIND_LOSS ? "losses" : "regularizers";
  if (std::find(foreign.begin(), foreign.end(), component.name) != foreign.end())
    throw Error(Exit::bad_input, fmt::format("'{}' does not make {}", component.name, what),
                component.place, fmt::format("those that do: {}", fmt::join(own, ", ")));
  const std::string near = nearest_name(component.name, names);
  if (std::find(own.begin(), own.end(), near) != own.end())
    throw Error(Exit::bad_input,
                fmt::format("unknown name '{}' among the {}", component.name, what),
                component.place, fmt::format("did you mean '{}'?", near));
}

double positive_number(const Node& node) { return spec::read_positive(node); }

std::filesystem::path path_at(const Node& node) {
  std::filesystem::path path = spec::read_text(node, "a path");
  if (path.is_absolute() || node.place.file.empty() || node.place.file == "--set") return path;
  return std::filesystem::path(node.place.file).parent_path() / path;
}

std::vector<double> read_numbers(const Node& node) {
  const std::filesystem::path path = path_at(node);
  if (path.extension() == ".npy") {
    std::vector<std::int64_t> shape;
    return read_npy(path, shape);
  }
  std::ifstream file(path);
  if (!file)
    throw Error(Exit::bad_input, "cannot read " + path.string(), node.place,
                "paths in a spec are relative to the spec's folder");
  std::vector<double> values;
  std::string line;
  for (int number = 1; std::getline(file, line); ++number) {
    if (!line.empty() && line.back() == '\r') line.pop_back();
    if (line.empty()) continue;
    const std::optional<double> value = spec::parse_number(line);
    Place place;
    place.file = path.string();
    place.line = number;
    if (!value)
      throw Error(Exit::bad_input, "expected a number, found '" + line.substr(0, 40) + "'", place);
    values.push_back(*value);
  }
  return values;
}

}  // namespace fenchel
