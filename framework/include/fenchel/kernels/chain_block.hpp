// A sequence as one block of scores: T × k position scores, row by row, then k × k transition
// scores (row: from label, column: to label). A labelling y scores Σ_t z_t(y_t) + Σ_t Θ(y_{t−1},
// y_t).
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <stdexcept>
#include <vector>

namespace fenchel::kernels {

struct ChainBlock {
  std::size_t length = 0, labels = 0;
  const double* scores = nullptr;
  // The transition scores are those of the block that the same scratch served before.
  bool repeats = false;

  const double* position(std::size_t t) const { return scores + t * labels; }
  const double* transitions() const { return scores + length * labels; }
  std::size_t width() const { return labels * (length + labels); }
};

inline std::size_t chain_length(std::size_t width, std::size_t labels) {
  return labels > 0 && width > labels * labels ? (width - labels * labels) / labels : 0;
}

// The true labels of a sequence as the host gives them, and what a wrong one adds to a score.
struct ChainMargin {
  std::span<const double> truth{};
  double weight = 0.0;

  std::size_t label(std::size_t t) const { return static_cast<std::size_t>(truth[t]); }
};

// Which labels may follow which, and which may begin.
class ChainRules {
 public:
  ChainRules() = default;
  // `allowed`: (labels + 1) × labels flags, the last row what may begin; null: all may.
  ChainRules(const std::uint8_t* allowed, std::size_t labels) : labels_(labels) {
    if (allowed) allowed_.assign(allowed, allowed + (labels + 1) * labels);
  }
  bool follows(std::size_t from, std::size_t to) const {
    return allowed_.empty() || allowed_[from * labels_ + to] != 0;
  }
  bool begins(std::size_t label) const { return follows(labels_, label); }
  bool free() const { return allowed_.empty(); }

 private:
  std::size_t labels_ = 0;
  std::vector<std::uint8_t> allowed_;
};

// Labels rounded up to whole vectors: rows of this width need no special end.
inline constexpr std::size_t kChainLanes = 8;
constexpr std::size_t chain_stride(std::size_t labels) {
  return (labels + kChainLanes - 1) / kChainLanes * kChainLanes;
}

[[noreturn]] inline void no_allowed_path() {
  throw std::invalid_argument("the allowed transitions admit no labelling of a sequence");
}

// Doubles one after another out of a scratch array, from the start of a cache line on.
class ChainScratch {
 public:
  static constexpr std::size_t kAlign = 8;  // what aligning may cost

  explicit ChainScratch(std::span<double> room) {
    void* start = room.data();
    std::size_t space = room.size_bytes();
    next_ = static_cast<double*>(std::align(kAlign * sizeof(double), 1, start, space));
  }
  double* take(std::size_t count) {
    double* taken = next_;
    next_ += count;
    return taken;
  }

 private:
  double* next_ = nullptr;
};

// ⟨z, f(y)⟩.
template <class Labels>
double chain_score(const ChainBlock& z, const Labels& y) {
  double sum = 0.0;
  for (std::size_t t = 0; t < z.length; ++t) {
    const auto label = static_cast<std::size_t>(y[t]);
    sum += z.position(t)[label];
    if (t > 0) sum += z.transitions()[static_cast<std::size_t>(y[t - 1]) * z.labels + label];
  }
  return sum;
}

// out += factor f(y): a one at each position's label, and the counts of the transitions.
template <class Labels>
void add_path(const Labels& y, std::size_t length, std::size_t labels, double factor, double* out) {
  double* transitions = out + length * labels;
  for (std::size_t t = 0; t < length; ++t) {
    const auto label = static_cast<std::size_t>(y[t]);
    out[t * labels + label] += factor;
    if (t > 0) transitions[static_cast<std::size_t>(y[t - 1]) * labels + label] += factor;
  }
}

}  // namespace fenchel::kernels
