#include "spec/spec.hpp"

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <limits>
#include <numeric>

namespace fenchel {
namespace {

// People mistake case and the kind of dash more often than letters: neither counts.
std::string folded(std::string name) {
  std::transform(name.begin(), name.end(), name.begin(), [](unsigned char c) {
    return c == '_' ? '-' : static_cast<char>(std::tolower(c));
  });
  return name;
}

// Damerau-Levenshtein distance (optimal string alignment): insert, delete, replace, swap
// neighbours. O(|a| |b|) time, three rows of memory.
std::size_t edit_distance(const std::string& a, const std::string& b) {
  std::vector<std::size_t> before(b.size() + 1);
  std::vector<std::size_t> last(b.size() + 1);
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    before.swap(last);
    last.swap(row);
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, replaced});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        row[j] = std::min(row[j], before[j - 2] + 1);
    }
  }
  return row[b.size()];
}

}  // namespace

std::string nearest_name(const std::string& name, const std::vector<std::string>& candidates) {
  constexpr std::size_t kShortestPrefix = 2;
  const std::string wanted = folded(name);
  const std::size_t limit = std::max<std::size_t>(1, wanted.size() / 3);
  std::string nearest;
  std::size_t nearest_distance = std::numeric_limits<std::size_t>::max();
  std::string by_prefix;
  for (const std::string& candidate : candidates) {
    const std::string other = folded(candidate);
    const std::size_t shorter = std::min(wanted.size(), other.size());
    if (by_prefix.empty() && shorter >= kShortestPrefix &&
        wanted.compare(0, shorter, other, 0, shorter) == 0)
      by_prefix = candidate;
    // The distance is at least the difference of the lengths.
    if (std::max(wanted.size(), other.size()) - shorter > limit) continue;
    const std::size_t distance = edit_distance(wanted, other);
    if (distance <= limit && distance < nearest_distance && distance < wanted.size()) {
      nearest_distance = distance;
      nearest = candidate;
    }
  }
  return nearest.empty() ? by_prefix : nearest;
}

}  // namespace fenchel
