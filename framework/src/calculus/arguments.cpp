#include "calculus/arguments.hpp"

#include "report/result.hpp"
#include "spec/read.hpp"
#include "spec/validate.hpp"

#include <fmt/format.h>

#include <cmath>
#include <fstream>

namespace fenchel {

Arguments::Arguments(const Component& component, const std::vector<std::string>& keys)
    : component_(component) {
  if (component.parameters.is_list())
    throw Error(Exit::bad_input,
                fmt::format("'{}' takes a map of parameters, found a list", component.name),
                component.parameters.place);
  spec::require_known_keys(component.parameters, keys);
}

const Node& Arguments::require(const std::string& key) const {
  const Node* node = find(key);
  if (node) return *node;
  throw Error(Exit::bad_input, fmt::format("'{}' needs '{}'", component_.name, key),
              component_.place, fmt::format("write {}: {{{}: …}}", component_.name, key));
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
                component_.place);
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
                (file ? *file : *list).place);
  return values;
}

double positive_number(const Node& node) { return spec::read_positive(node); }

std::filesystem::path path_at(const Node& node) {
  const std::filesystem::path path = spec::read_text(node, "a path");
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
  if (!file) throw Error(Exit::bad_input, "cannot read " + path.string(), node.place);
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
