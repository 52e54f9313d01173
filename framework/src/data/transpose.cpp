#include "data/matrix.hpp"

namespace fenchel {

Columns transposed(const Matrix& x) {
  Columns c;
  c.starts.assign(static_cast<std::size_t>(x.columns) + 1, 0);
  c.rows.resize(x.indices.size());
  c.values.resize(x.values.size());
  for (const std::int32_t j : x.indices) ++c.starts[static_cast<std::size_t>(j) + 1];
  for (std::size_t j = 1; j < c.starts.size(); ++j) c.starts[j] += c.starts[j - 1];
  std::vector<std::int64_t> next(c.starts.begin(), c.starts.end() - 1);
  for (std::int64_t i = 0; i < x.rows; ++i) {
    const auto end = static_cast<std::size_t>(x.starts[static_cast<std::size_t>(i) + 1]);
    for (auto k = static_cast<std::size_t>(x.starts[static_cast<std::size_t>(i)]); k < end; ++k) {
      const auto place = static_cast<std::size_t>(next[static_cast<std::size_t>(x.indices[k])]++);
      c.rows[place] = static_cast<std::int32_t>(i);
      c.values[place] = x.values[k];
    }
  }
  return c;
}

}  // namespace fenchel
