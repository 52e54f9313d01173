// The mean excess of one class over another, over all pairs,
//
//   f(a, b) = (1/(n₊n₋)) Σ_{p, q} max(0, b_q − a_p),     n₊ values a, n₋ values b,
//
// is the support function of the polytope B of all u with u(E) = 0 and
//
//   u(T) ≤ g(T) = (values b in T)·(values a outside T)/(n₊n₋)  for all sets T of values.
//
// The most violated T, given θ to subtract from every value, holds the largest a and the largest b;
// beside i of the a, the b above θ + (n₊ − i)/(n₊n₋) are taken: a walk through both sorted classes.
// Projection onto B, and with it prox_{tf}(v) = v − t·proj_B(v/t), by decomposition: a part in
// which nothing exceeds its bound moves to one common value, else it is cut at the most violated
// set.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <utility>
#include <vector>

namespace fenchel::kernels {

// Both classes sorted upwards. O(n₊ + n₋): between neighbouring values lie a gap of one length for
// all pairs around it, so nothing cancels.
inline double mean_pair_excess(std::span<const double> a, std::span<const double> b) {
  const double pairs = static_cast<double>(a.size()) * static_cast<double>(b.size());
  double sum = 0.0, last = 0.0;
  std::size_t i = 0, j = 0;
  while (i < a.size() && j < b.size()) {
    const bool from_a = a[i] <= b[j];
    const double value = from_a ? a[i] : b[j];
    sum += static_cast<double>(i) * static_cast<double>(b.size() - j) / pairs * (value - last);
    last = value;
    ++(from_a ? i : j);
  }
  for (; i == a.size() && j < b.size(); ++j) {
    sum += static_cast<double>(b.size() - j) / static_cast<double>(b.size()) * (b[j] - last);
    last = b[j];
  }
  return sum;
}

// One class sorted downwards. Memory only grows.
struct SortedClass {
  std::vector<std::pair<double, std::size_t>> values;  // value, example

  void sort() {
    std::sort(values.begin(), values.end(),
              [](const auto& x, const auto& y) { return x.first > y.first; });
  }
  double size() const { return static_cast<double>(values.size()); }
};

class PairOrder {
 public:
  // The examples of the two classes, to be filled and then sorted; values b count as b + margin.
  SortedClass a, b;
  double margin = 0.0;

  void sort() {
    a.sort();
    b.sort();
  }

  // The largest u(T) − g(T) over all T.
  double worst_excess() const {
    return worst({0, a.values.size(), 0, b.values.size()}, 0.0, 1.0).excess;
  }

  // Calls move(example, new value) with the minimiser x of ½‖x − v‖² + scale · f(x_a, x_b + margin)
  // for the sorted values v.
  template <class Move>
  void prox(double scale, Move move) {
    parts_.assign(1, {0, a.values.size(), 0, b.values.size()});
    while (!parts_.empty()) {
      const Part part = parts_.back();
      parts_.pop_back();
      if (part.a_count() + part.b_count() == 0.0) continue;
      const Level level = common_value(part, scale);
      const Cut cut = worst(part, level.of_a, scale);
      const bool proper =
          cut.i + cut.j > part.a_begin + part.b_begin && cut.i + cut.j < part.a_end + part.b_end;
      if (cut.excess > 0.0 && proper) {
        parts_.push_back({part.a_begin, cut.i, part.b_begin, cut.j});
        parts_.push_back({cut.i, part.a_end, cut.j, part.b_end});
        continue;
      }
      for (std::size_t i = part.a_begin; i < part.a_end; ++i) move(a.values[i].second, level.of_a);
      for (std::size_t j = part.b_begin; j < part.b_end; ++j) move(b.values[j].second, level.of_b);
    }
  }

 private:
  // Ranges of both sorted classes; all that lies before them is above them.
  struct Part {
    std::size_t a_begin, a_end, b_begin, b_end;
    double a_count() const { return static_cast<double>(a_end - a_begin); }
    double b_count() const { return static_cast<double>(b_end - b_begin); }
  };
  struct Cut {
    std::size_t i, j;
    double excess;
  };
  struct Level {
    double of_a, of_b;  // apart by the margin
  };

  // scale · g of a set that holds the first i of a and j of b, less that of what lies before the
  // part.
  double bound(const Part& part, std::size_t i, std::size_t j, double scale) const {
    const auto more_a = static_cast<double>(i - part.a_begin),
               more_b = static_cast<double>(j - part.b_begin);
    return scale *
           (more_b * static_cast<double>(a.values.size() - i) -
            more_a * static_cast<double>(part.b_begin)) /
           (a.size() * b.size());
  }

  // A part of one class alone is kept free of the margin, whose digits would displace its own.
  Level common_value(const Part& part, double scale) const {
    double sum_a = 0.0, sum_b = 0.0;
    for (std::size_t i = part.a_begin; i < part.a_end; ++i) sum_a += a.values[i].first;
    for (std::size_t j = part.b_begin; j < part.b_end; ++j) sum_b += b.values[j].first;
    const double bounded = bound(part, part.a_end, part.b_end, scale);
    if (part.a_count() == 0.0) {
      const double level = (sum_b - bounded) / part.b_count();
      return {level + margin, level};
    }
    const double level =
        (sum_a + (sum_b + part.b_count() * margin) - bounded) / (part.a_count() + part.b_count());
    return {level, level - margin};
  }

  Cut worst(const Part& part, double level, double scale) const {
    Cut best{part.a_begin, part.b_begin, 0.0};
    std::size_t j = part.b_begin;
    double sum = 0.0;  // Σ over the set of value − level
    for (std::size_t i = part.a_begin; i <= part.a_end; ++i) {
      if (i > part.a_begin) sum += a.values[i - 1].first - level;
      const double price = scale * static_cast<double>(a.values.size() - i) / (a.size() * b.size());
      while (j < part.b_end && (b.values[j].first + margin) - level > price) {
        sum += (b.values[j].first + margin) - level;
        ++j;
      }
      const double excess = sum - bound(part, i, j, scale);
      if (excess > best.excess) best = {i, j, excess};
    }
    return best;
  }

  std::vector<Part> parts_;
};

}  // namespace fenchel::kernels
