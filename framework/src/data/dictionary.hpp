// Texts numbered from 0 in the order of their first appearance. Open addressing over one piece of
// memory: reading a corpus looks up millions of attributes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace fenchel::reading {

class Dictionary {
 public:
  Dictionary() : slots_(kSmallest) {}
  explicit Dictionary(const std::vector<std::string>& names);

  // The number of a text, a new one where it is new.
  std::int32_t add(std::string_view text);
  // -1 where it is not there.
  std::int32_t find(std::string_view text) const { return slots_[place_of(text)].number; }

  std::size_t size() const { return ends_.size(); }
  std::string_view operator[](std::size_t number) const;
  std::vector<std::string> names() const;

 private:
  static constexpr std::size_t kSmallest = 64;  // a power of two, as every later size

  struct Slot {
    std::uint32_t hash = 0;  // spares most comparisons of texts
    std::int32_t number = -1;
  };

  // The slot that holds the text, or the free one where it belongs.
  std::size_t place_of(std::string_view text) const;
  void grow();

  std::vector<Slot> slots_;
  std::string texts_;  // one behind the other
  std::vector<std::size_t> ends_;
};

}  // namespace fenchel::reading
