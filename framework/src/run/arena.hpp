// The named arrays that hold a solver's state, so that the host can save and restore it.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace fenchel {

class Arena {
 public:
  // Zeros at first, the same memory later. Null when `name` is known with another length.
  double* numbers(const std::string& name, std::int64_t count) {
    return find(numbers_, name, count);
  }
  std::int64_t* integers(const std::string& name, std::int64_t count) {
    return find(integers_, name, count);
  }

  const std::map<std::string, std::vector<double>>& all_numbers() const { return numbers_; }
  const std::map<std::string, std::vector<std::int64_t>>& all_integers() const { return integers_; }
  void restore(std::map<std::string, std::vector<double>> numbers,
               std::map<std::string, std::vector<std::int64_t>> integers) {
    numbers_ = std::move(numbers);
    integers_ = std::move(integers);
  }

 private:
  template <class T>
  static T* find(std::map<std::string, std::vector<T>>& arrays, const std::string& name,
                 std::int64_t count) {
    if (count < 0) return nullptr;
    // One more element, so that an empty array still has an address.
    auto [place, made] = arrays.try_emplace(name, static_cast<std::size_t>(count) + 1);
    return place->second.size() == static_cast<std::size_t>(count) + 1 ? place->second.data()
                                                                       : nullptr;
  }

  std::map<std::string, std::vector<double>> numbers_;
  std::map<std::string, std::vector<std::int64_t>> integers_;
};

}  // namespace fenchel
