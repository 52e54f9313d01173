#include "data/dictionary.hpp"

#include <functional>

namespace fenchel::reading {
namespace {

std::size_t hash_of(std::string_view text) { return std::hash<std::string_view>{}(text); }

}  // namespace

Dictionary::Dictionary(const std::vector<std::string>& names) : Dictionary() {
  for (const std::string& name : names) add(name);
}

std::string_view Dictionary::operator[](std::size_t number) const {
  const std::size_t begin = number == 0 ? 0 : ends_[number - 1];
  return std::string_view(texts_).substr(begin, ends_[number] - begin);
}

std::vector<std::string> Dictionary::names() const {
  std::vector<std::string> names;
  names.reserve(size());
  for (std::size_t k = 0; k < size(); ++k) names.emplace_back((*this)[k]);
  return names;
}

std::size_t Dictionary::place_of(std::string_view text) const {
  const std::size_t hash = hash_of(text), mask = slots_.size() - 1;
  const auto mark = static_cast<std::uint32_t>(hash >> 32U);
  std::size_t at = hash & mask;
  for (; slots_[at].number >= 0; at = (at + 1) & mask) {
    const Slot& slot = slots_[at];
    if (slot.hash == mark && (*this)[static_cast<std::size_t>(slot.number)] == text) break;
  }
  return at;
}

std::int32_t Dictionary::add(std::string_view text) {
  std::size_t at = place_of(text);
  if (slots_[at].number >= 0) return slots_[at].number;
  if (2 * (size() + 1) > slots_.size()) {
    grow();
    at = place_of(text);
  }
  slots_[at] = {static_cast<std::uint32_t>(hash_of(text) >> 32U),
                static_cast<std::int32_t>(ends_.size())};
  texts_ += text;
  ends_.push_back(texts_.size());
  return slots_[at].number;
}

void Dictionary::grow() {
  std::vector<Slot> wider(4 * slots_.size());
  const std::size_t mask = wider.size() - 1;
  for (const Slot& slot : slots_) {
    if (slot.number < 0) continue;
    std::size_t at = hash_of((*this)[static_cast<std::size_t>(slot.number)]) & mask;
    while (wider[at].number >= 0) at = (at + 1) & mask;
    wider[at] = slot;
  }
  slots_ = std::move(wider);
}

}  // namespace fenchel::reading
