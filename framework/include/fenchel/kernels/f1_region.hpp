// Which counts (b, c) matter in the entropic smoothing of the loss f1. Relative to a vertex
// (b₀, c₀) the weight of a cell is
//
//   exp((m/τ)(Δ(b, c) − Δ(b₀, c₀))) V₊(b) V₋(c),
//
// with V of flip_envelope.hpp. Its bounds above make a concave sequence in c for every b, so the
// cells whose bound reaches a floor are an interval of c for every b, found by halving. In b there
// may be several peaks, since Δ is convex there: every b is looked at. The floor is such that all
// cells below it together weigh less than 1e-17 of the whole.
#pragma once

#include <fenchel/kernels/f1_counts.hpp>
#include <fenchel/kernels/flip_envelope.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

namespace fenchel::kernels {

struct F1Region {
  // The c that matter beside b: begin … end − 1; empty where no c does.
  struct Row {
    std::size_t b, begin, end;
  };

  FlipEnvelope positive, negative;
  std::vector<Row> rows;
  double top = 0.0;  // no cell's log weight is above it

  void find(const F1Counts& counts, double temperature, const FlipClass& first,
            const FlipClass& second) {
    constexpr double kApart = 1.0;
    constexpr int kMostRounds = 200;
    counts_ = counts;
    sharpness_ = (counts.positives + counts.negatives) / temperature;
    b0_ = static_cast<double>(first.flipped);
    c0_ = static_cast<double>(second.flipped);
    positive.start(first, 2.0 / temperature);
    negative.start(second, 2.0 / temperature);
    for (int round = 0; round < kMostRounds; ++round) {
      measure();
      mark();
      const bool more = positive.refine(kApart, [&](std::size_t b) { return in_row(b); });
      const bool also = negative.refine(kApart, [&](std::size_t c) { return covered_[c] > 0; });
      if (!more && !also) break;
    }
  }

  bool in_row(std::size_t b) const { return reach_[b] >= floor_; }
  bool in_column(std::size_t c) const { return covered_[c] > 0; }
  // (m/τ)(Δ(b, c) − Δ(b₀, c₀))
  double tilt(double b, double c) const { return sharpness_ * counts_.change(b0_, c0_, b, c); }

 private:
  double bound(std::size_t b, std::size_t c) const {
    return tilt(static_cast<double>(b), static_cast<double>(c)) + positive.upper()[b] +
           negative.upper()[c];
  }

  // The first c of begin … end − 1 where `holds` fails, if it fails from some c on.
  template <class Holds>
  static std::size_t first_without(std::size_t begin, std::size_t end, Holds holds) {
    while (begin < end) {
      const std::size_t middle = begin + (end - begin) / 2;
      if (holds(middle))
        begin = middle + 1;
      else
        end = middle;
    }
    return begin;
  }

  // Of every b the c of the largest bound, and that bound; the floor.
  void measure() {
    const std::span<const double> upper = negative.upper();
    peak_.resize(positive.size() + 1);
    reach_.resize(positive.size() + 1);
    double low = 0.0;  // the vertex itself
    top = -HUGE_VAL;
    for (std::size_t b = 0; b < peak_.size(); ++b) {
      const auto number = static_cast<double>(b);
      peak_[b] = first_without(0, negative.size(), [&](std::size_t c) {
        return sharpness_ * counts_.step(number, static_cast<double>(c)) + upper[c + 1] > upper[c];
      });
      reach_[b] = bound(b, peak_[b]);
      top = std::max(top, reach_[b]);
      const double sure = tilt(number, static_cast<double>(peak_[b])) + positive.lower()[b] +
                          negative.lower()[peak_[b]] - positive.slack() - negative.slack();
      low = std::max(low, sure);
    }
    constexpr double kLost = 39.2;  // −log 1e-17
    const auto cells =
        static_cast<double>(positive.size() + 1) * static_cast<double>(negative.size() + 1);
    floor_ = low - std::log(cells) - kLost;
  }

  void mark() {
    rows.clear();
    covered_.assign(negative.size() + 2, 0);
    for (std::size_t b = 0; b < peak_.size(); ++b) {
      if (!in_row(b)) continue;
      const std::size_t begin =
          first_without(0, peak_[b], [&](std::size_t c) { return bound(b, c) < floor_; });
      const std::size_t end = first_without(peak_[b], negative.size() + 1,
                                            [&](std::size_t c) { return bound(b, c) >= floor_; });
      rows.push_back({b, begin, end});
      ++covered_[begin];
      --covered_[end];
    }
    for (std::size_t c = 0; c + 1 < covered_.size(); ++c) covered_[c + 1] += covered_[c];
  }

  F1Counts counts_;
  double sharpness_ = 0.0, b0_ = 0.0, c0_ = 0.0, floor_ = 0.0;
  std::vector<std::size_t> peak_;
  std::vector<double> reach_;
  std::vector<std::ptrdiff_t> covered_;
};

}  // namespace fenchel::kernels
