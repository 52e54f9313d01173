// The conjugate of the loss f1, exactly, at any point of its domain. A point is given by flip
// probabilities: f1 is a maximum over sets of flips, so
//
//   −φ*(u) = max E Δ(B, C)   over random sets of flips with the given probability of every example,
//
// B and C counting the flipped positives and negatives. Both counts are functions on [0, 1].
//
//   B. Δ is convex in b, so the best B is the most spread that the probabilities p allow, up to its
//      order: B(t) = #{i : pᵢ > t}. It is a step function, b on a piece of length ℓ_b.
//   C. Δ is concave in c, so C is as even as an integer can be on every piece. The means c_b that
//      the probabilities q of the negatives allow are those that are majorised by #{i : qᵢ > t}:
//
//        Σ_{b ∈ S} ℓ_b c_b ≤ Φ(Σ_{b ∈ S} ℓ_b)  for all S,  with = for all pieces together,
//        Φ(s) = Σ min(qᵢ, s)
//
// What remains is to maximise Σ ℓ_b Δ̂(b, c_b), Δ̂ linear between whole c, over the base of a
// polymatroid: drop all constraints but the last, which leaves one price for all pieces; where a
// set S is then beyond its bound, S attains it, and S and its complement are solved apart
// (Fujishige's decomposition). The most violated S is a first part of the pieces sorted by c. At a
// vertex of the domain there is a single piece.
#pragma once

#include <fenchel/kernels/f1_counts.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <span>
#include <vector>

namespace fenchel::kernels {

// Memory that only grows: kept between calls, a call allocates nothing.
struct F1ConjugateWorkspace {
  struct Piece {
    double b, length, c;
  };
  struct Part {
    std::size_t begin, end;
    double before;  // the length of what lies before it
    int depth;
  };
  std::vector<double> flips_positive, flips_negative, sums;
  std::vector<Piece> pieces;
  std::vector<Part> parts;
};

namespace detail {

class F1Mixture {
 public:
  using Piece = F1ConjugateWorkspace::Piece;
  using Part = F1ConjugateWorkspace::Part;

  // The workspace holds the flip probabilities, in any order.
  F1Mixture(const F1Counts& counts, F1ConjugateWorkspace& work) : counts_(counts), work_(work) {
    std::sort(work.flips_positive.begin(), work.flips_positive.end(), std::greater<>());
    std::sort(work.flips_negative.begin(), work.flips_negative.end());
    work.sums.assign(1, 0.0);
    for (const double q : work.flips_negative) work.sums.push_back(work.sums.back() + q);
    cut_pieces();
  }

  // The largest E Δ.
  double mean_loss() {
    work_.parts.assign(1, {0, work_.pieces.size(), 0.0, 0});
    double sum = 0.0;
    while (!work_.parts.empty()) {
      const Part part = work_.parts.back();
      work_.parts.pop_back();
      sum += solve(part);
    }
    return sum;
  }

 private:
  // Parts may go as deep as there are pieces; beyond this they end in the comonotone C, which is
  // allowed too, only not the best.
  static constexpr int kDeepest = 60;

  void cut_pieces() {
    work_.pieces.clear();
    double upper = 1.0;
    const std::size_t count = work_.flips_positive.size();
    for (std::size_t b = 0; b <= count; ++b) {
      const double lower = b < count ? std::min(upper, work_.flips_positive[b]) : 0.0;
      if (upper > lower) work_.pieces.push_back({static_cast<double>(b), upper - lower, 0.0});
      upper = lower;
    }
  }

  double bound(double s) const {
    const auto& q = work_.flips_negative;
    const auto above = std::lower_bound(q.begin(), q.end(), s);
    return work_.sums[static_cast<std::size_t>(above - q.begin())] +
           s * static_cast<double>(q.end() - above);
  }
  std::span<Piece> pieces_of(const Part& part) {
    return std::span(work_.pieces).subspan(part.begin, part.end - part.begin);
  }
  static double length_of(std::span<const Piece> pieces) {
    double sum = 0.0;
    for (const Piece& piece : pieces) sum += piece.length;
    return sum;
  }

  double solve(const Part& part) {
    const std::span<Piece> pieces = pieces_of(part);
    const double length = length_of(pieces), start = bound(part.before);
    allot(pieces, length, bound(part.before + length) - start);
    std::sort(pieces.begin(), pieces.end(),
              [](const Piece& x, const Piece& y) { return x.c > y.c; });
    const std::size_t cut = most_violated(pieces, part.before, start);
    if (cut == 0) return loss_of(pieces);
    if (part.depth == kDeepest) return comonotone_loss(pieces, part.before);
    const double first = length_of(pieces.first(cut));
    work_.parts.push_back({part.begin, part.begin + cut, part.before, part.depth + 1});
    work_.parts.push_back({part.begin + cut, part.end, part.before + first, part.depth + 1});
    return 0.0;
  }

  // How many steps of Δ(b, ·) are above the price.
  double demand(double b, double price) const {
    const double weight = counts_.weight(b);
    if (price == 0.0) return counts_.negatives;
    if (weight <= 0.0) return 0.0;
    const double root = 0.5 * (std::sqrt(1.0 + 4.0 * weight / price) - 1.0);
    return std::clamp(std::ceil(root - counts_.denominator(b, 0.0)), 0.0, counts_.negatives);
  }
  double total_demand(std::span<const Piece> pieces, double price) const {
    double sum = 0.0;
    for (const Piece& piece : pieces) sum += piece.length * demand(piece.b, price);
    return sum;
  }

  // The c of one price with Σ ℓc = total; what lies on the price itself is shared in proportion.
  void allot(std::span<Piece> pieces, double length, double total) const {
    if (pieces.size() == 1) {
      pieces[0].c = std::clamp(total / length, 0.0, counts_.negatives);
      return;
    }
    double low = HUGE_VAL, high = 0.0;
    for (const Piece& piece : pieces) {
      high = std::max(high, 2.0 * counts_.step(piece.b, 0.0));
      const double least = counts_.step(piece.b, counts_.negatives);
      if (least > 0.0) low = std::min(low, 0.5 * least);
    }
    if (!(total_demand(pieces, low) >= total)) {
      high = low;
      low = 0.0;
    }
    while (low > 0.0 && high > low * (1.0 + 1e-15)) {
      const double middle = std::sqrt(low) * std::sqrt(high);
      if (middle <= low || middle >= high) break;
      (total_demand(pieces, middle) >= total ? low : high) = middle;
    }
    const double least = total_demand(pieces, high), most = total_demand(pieces, low);
    const double share =
        most > least ? std::clamp((total - least) / (most - least), 0.0, 1.0) : 0.0;
    for (Piece& piece : pieces) {
      const double fewer = demand(piece.b, high);
      piece.c = fewer + share * (demand(piece.b, low) - fewer);
    }
  }

  // The first part of the sorted pieces that is farthest beyond its bound; 0 where none is.
  std::size_t most_violated(std::span<const Piece> pieces, double before, double start) const {
    constexpr double kRounding = 1e-14;
    double taken = 0.0, length = 0.0, worst = kRounding * (1.0 + counts_.negatives);
    std::size_t cut = 0;
    for (std::size_t k = 0; k + 1 < pieces.size(); ++k) {
      length += pieces[k].length;
      taken += pieces[k].length * pieces[k].c;
      const double excess = taken - (bound(before + length) - start);
      if (excess > worst) {
        worst = excess;
        cut = k + 1;
      }
    }
    return cut;
  }

  double loss_at(double b, double c) const {
    const double whole = std::floor(c);
    const double loss = counts_.loss(b, whole);
    return c > whole ? loss + (c - whole) * counts_.step(b, whole) : loss;
  }
  double loss_of(std::span<const Piece> pieces) const {
    double sum = 0.0;
    for (const Piece& piece : pieces) sum += piece.length * loss_at(piece.b, piece.c);
    return sum;
  }
  double comonotone_loss(std::span<Piece> pieces, double before) const {
    double at = bound(before);
    for (Piece& piece : pieces) {
      before += piece.length;
      const double next = bound(before);
      piece.c = std::clamp((next - at) / piece.length, 0.0, counts_.negatives);
      at = next;
    }
    return loss_of(pieces);
  }

  F1Counts counts_;
  F1ConjugateWorkspace& work_;
};

}  // namespace detail

// max E Δ(B, C) for the flip probabilities in the workspace, which it sorts. O(n log n) beside the
// decomposition, which costs about 60 evaluations of every piece and depth.
inline double f1_most_mean_loss(const F1Counts& counts, F1ConjugateWorkspace& work) {
  return detail::F1Mixture(counts, work).mean_loss();
}

}  // namespace fenchel::kernels
