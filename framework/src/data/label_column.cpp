#include "data/label_column.hpp"

#include <fmt/format.h>

namespace fenchel::reading {

LabelColumn::Fault LabelColumn::add(std::string_view text) {
  double value = 0.0;
  const Number kind = parse_number(text, value);
  if (kind == Number::not_finite) return Fault::not_finite;
  const bool numbers_so_far = labels_.names.empty();
  if (kind == Number::finite && numbers_so_far) {
    labels_.numbers.push_back(value);
    return Fault::none;
  }
  if (kind == Number::finite) {
    labels_.numbers.push_back(index_of(number_text(value)));
    return Fault::none;
  }
  if (!is_utf8(text)) return Fault::not_utf8;
  if (numbers_so_far) turn_into_names();
  labels_.numbers.push_back(index_of(text));
  return Fault::none;
}

double LabelColumn::index_of(std::string_view name) {
  const auto found = known_.find(name);
  if (found != known_.end()) return static_cast<double>(found->second);
  const std::size_t index = labels_.names.size();
  labels_.names.emplace_back(name);
  known_.emplace(labels_.names.back(), index);
  return static_cast<double>(index);
}

void LabelColumn::turn_into_names() {
  for (double& label : labels_.numbers) label = index_of(number_text(label));
}

std::string describe(LabelColumn::Fault fault, std::string_view text) {
  const bool not_finite = fault == LabelColumn::Fault::not_finite;
  return fmt::format("label {} is not {}", shown(text), not_finite ? "finite" : "UTF-8 text");
}

}  // namespace fenchel::reading
