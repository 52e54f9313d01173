// Scaling of rows and columns, and the column of ones.
#include "base/error.hpp"
#include "data/dataset.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <span>

namespace fenchel {
namespace {

std::size_t unsign(std::int64_t value) { return static_cast<std::size_t>(value); }

std::span<double> row_values(Matrix& x, std::int64_t i) {
  const std::int64_t begin = x.dense ? i * x.columns : x.starts[unsign(i)];
  const std::int64_t end = x.dense ? begin + x.columns : x.starts[unsign(i) + 1];
  return std::span(x.values).subspan(unsign(begin), unsign(end - begin));
}

// Calls visit(column, value) for every stored entry.
template <class Visit>
void for_each_entry(Matrix& x, const Visit& visit) {
  for (std::int64_t i = 0; i < x.rows; ++i) {
    const std::span<double> row = row_values(x, i);
    if (x.dense) {
      for (std::size_t j = 0; j < row.size(); ++j) visit(j, row[j]);
    } else {
      const auto begin = unsign(x.starts[unsign(i)]);
      for (std::size_t k = 0; k < row.size(); ++k) visit(unsign(x.indices[begin + k]), row[k]);
    }
  }
}

}  // namespace

// Both normalisations divide by the largest entry first: the squares of 1e200 or 1e-200 would leave
// the range of a double.
void normalize_rows(Matrix& x) {
  for (std::int64_t i = 0; i < x.rows; ++i) {
    const std::span<double> row = row_values(x, i);
    double largest = 0.0;
    for (const double value : row) largest = std::max(largest, std::abs(value));
    if (largest == 0.0) continue;
    double squares = 0.0;
    for (double& value : row) {
      value /= largest;
      squares += value * value;
    }
    const double norm = std::sqrt(squares);
    for (double& value : row) value /= norm;
  }
}

std::vector<double> normalize_columns(Matrix& x) {
  std::vector<double> largest(unsign(x.columns), 0.0);
  for_each_entry(
      x, [&](std::size_t j, double value) { largest[j] = std::max(largest[j], std::abs(value)); });
  std::vector<double> squares(unsign(x.columns), 0.0);
  for_each_entry(x, [&](std::size_t j, double value) {
    if (largest[j] > 0.0) squares[j] += (value / largest[j]) * (value / largest[j]);
  });
  std::vector<double> divisors(unsign(x.columns), 1.0);
  for (std::size_t j = 0; j < divisors.size(); ++j) {
    const double divisor = largest[j] * std::sqrt(squares[j] / static_cast<double>(x.rows));
    if (divisor > 0.0) divisors[j] = divisor;
  }
  scale_columns(x, divisors);
  return divisors;
}

void scale_columns(Matrix& x, const std::vector<double>& divisors) {
  assert(divisors.size() >= unsign(x.columns));
  for_each_entry(x, [&](std::size_t j, double& value) { value /= divisors[j]; });
}

// In place from the back: row i moves right by i entries.
void append_ones(Matrix& x) {
  if (x.columns > std::numeric_limits<std::int32_t>::max()) {
    throw Error(Exit::bad_input, "no room for one more column", {}, "set data.bias: none");
  }
  const std::size_t old_size = x.values.size();
  const std::size_t rows = unsign(x.rows);
  x.values.resize(old_size + rows);
  if (!x.dense) x.indices.resize(old_size + rows);
  for (std::size_t i = rows; i-- > 0;) {
    const std::size_t begin = x.dense ? i * unsign(x.columns) : unsign(x.starts[i]);
    const std::size_t end = x.dense ? begin + unsign(x.columns) : unsign(x.starts[i + 1]);
    const auto shift = [=](auto& entries) {
      const auto first = entries.begin();
      using Offset = std::ptrdiff_t;
      std::copy_backward(first + static_cast<Offset>(begin), first + static_cast<Offset>(end),
                         first + static_cast<Offset>(end + i));
    };
    shift(x.values);
    x.values[end + i] = 1.0;
    if (x.dense) continue;
    shift(x.indices);
    x.indices[end + i] = static_cast<std::int32_t>(x.columns);
    x.starts[i + 1] += static_cast<std::int64_t>(i) + 1;
  }
  ++x.columns;
}

}  // namespace fenchel
