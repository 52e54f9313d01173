// Labels to targets.
#include "data/dataset.hpp"
#include "data/text.hpp"

#include <fenchel/abi.h>
#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

namespace fenchel {
namespace {

using reading::first_few;
using reading::number_text;

[[noreturn]] void refuse(const std::string& file, std::string message, std::string advice) {
  throw Error(Exit::bad_input, std::move(message), reading::place_of(file), std::move(advice));
}

// The different labels: by value where they are numbers, else by name.
std::vector<std::string> classes_of(const RawLabels& labels) {
  std::vector<std::string> classes = labels.names;
  std::sort(classes.begin(), classes.end());
  if (!classes.empty()) return classes;
  const std::set<double> values(labels.numbers.begin(), labels.numbers.end());
  for (const double value : values) classes.push_back(number_text(value));
  return classes;
}

void refuse_names(const RawLabels& labels, const std::string& file) {
  if (labels.names.empty()) return;
  refuse(
      file,
      fmt::format("labels are class names ({}), the loss needs numbers", first_few(labels.names)),
      "take a loss for classification, or check which column holds the label");
}

void require_two(const std::vector<std::string>& classes, const std::string& file) {
  if (classes.size() == 2) return;
  if (classes.size() < 2) {
    refuse(file, fmt::format("every label is {}, the loss needs two classes", first_few(classes)),
           "check which column holds the label");
  }
  refuse(file,
         fmt::format("{} classes ({}), the loss needs two", classes.size(), first_few(classes)),
         "take a loss for several classes, or check which column holds the label");
}

// The targets of a map's labels, sought by number or by text. A label that is a number in one file
// may be a class name in another (where it stands beside names): both find it.
class Targets {
 public:
  explicit Targets(const LabelMap& map) {
    const bool binary = map.target == FENCHEL_TARGET_BINARY;
    for (std::size_t k = 0; k < map.labels.size(); ++k) {
      const double target = binary ? (k == 0 ? -1.0 : 1.0) : static_cast<double>(k);
      by_text_.emplace_back(map.labels[k], target);
      double value = 0.0;
      const auto kind = reading::parse_number(map.labels[k], value);
      if (kind == reading::Number::finite) by_value_.emplace_back(value, target);
    }
    std::sort(by_text_.begin(), by_text_.end());
    std::sort(by_value_.begin(), by_value_.end());
  }

  const double* find(double value) const { return find_in(by_value_, value); }
  const double* find(const std::string& text) const { return find_in(by_text_, text); }

 private:
  template <class Key>
  static const double* find_in(const std::vector<std::pair<Key, double>>& table, const Key& key) {
    const auto at =
        std::lower_bound(table.begin(), table.end(), key,
                         [](const auto& entry, const Key& k) { return entry.first < k; });
    return at != table.end() && at->first == key ? &at->second : nullptr;
  }

  std::vector<std::pair<std::string, double>> by_text_;
  std::vector<std::pair<double, double>> by_value_;
};

constexpr const char* kKnownLabels = "the labels must be among those of the training data";

[[noreturn]] void unseen(const std::string& label, std::size_t row, const LabelMap& map,
                         const std::string& file) {
  refuse(file,
         fmt::format("label {} of row {} is none of those known: {}", label, row + 1,
                     first_few(map.labels)),
         kKnownLabels);
}

[[noreturn]] void unseen_at(const std::string& label, int line, const LabelMap& map,
                            const std::string& file) {
  throw Error(Exit::bad_input,
              fmt::format("label {} is none of those known: {}", reading::shown(label),
                          first_few(map.labels)),
              reading::place_of(file, line), kKnownLabels);
}

bool has_classes(std::int32_t target) {
  return target == FENCHEL_TARGET_BINARY || target == FENCHEL_TARGET_CLASS ||
         target == FENCHEL_TARGET_SEQUENCE;
}

std::vector<double> encode_numbers(const LabelMap& map, const RawLabels& labels,
                                   const std::string& file) {
  const Targets targets(map);
  std::vector<double> result;
  result.reserve(labels.numbers.size());
  for (const double label : labels.numbers) {
    const double* target = targets.find(label);
    if (target == nullptr) unseen(number_text(label), result.size(), map, file);
    result.push_back(*target);
  }
  return result;
}

std::vector<double> encode_names(const LabelMap& map, const RawLabels& labels,
                                 const std::string& file) {
  const Targets targets(map);
  std::vector<const double*> of_name;
  of_name.reserve(labels.names.size());
  for (const std::string& name : labels.names) {
    const std::size_t index = of_name.size();
    of_name.push_back(targets.find(name));
    if (of_name.back() == nullptr && index < labels.lines.size())
      unseen_at(name, labels.lines[index], map, file);
  }
  std::vector<double> result;
  result.reserve(labels.numbers.size());
  for (const double label : labels.numbers) {
    const auto index = static_cast<std::size_t>(label);
    if (of_name[index] == nullptr) unseen(labels.names[index], result.size(), map, file);
    result.push_back(*of_name[index]);
  }
  return result;
}

}  // namespace

LabelMap LabelMap::learn(std::int32_t target, const RawLabels& labels, const std::string& file) {
  LabelMap map{.target = target, .labels = {}};
  if (target == FENCHEL_TARGET_REAL) refuse_names(labels, file);
  if (!has_classes(target)) return map;
  map.labels = classes_of(labels);
  if (target == FENCHEL_TARGET_BINARY || map.labels.size() < 2) require_two(map.labels, file);
  return map;
}

LabelMap LabelMap::extended(const RawLabels& raw) const {
  LabelMap map = *this;
  for (const std::string& name : raw.names)
    if (std::find(labels.begin(), labels.end(), name) == labels.end()) map.labels.push_back(name);
  return map;
}

std::vector<double> LabelMap::encode(const RawLabels& raw, const std::string& file) const {
  if (target == FENCHEL_TARGET_NONE) return {};
  if (target == FENCHEL_TARGET_REAL) refuse_names(raw, file);
  if (!has_classes(target)) return raw.numbers;
  return raw.names.empty() ? encode_numbers(*this, raw, file) : encode_names(*this, raw, file);
}

}  // namespace fenchel
