// Which iterate a dual method shows: the last, a random one, or an average.
//
// The bounds of Prox-SDCA hold in expectation for an iterate drawn uniformly from the last
// n + R²/(μγ) steps, and, J being convex and D concave, for any average of such draws. So one
// iterate of each epoch is drawn, at a uniformly random visit. `random` keeps one of them, each
// with the same chance; `average` takes their mean. The window begins anew after `length` epochs,
// or after half of all epochs where that is less, and the average covers the window before it too.
#pragma once

#include <fenchel/sdk/solver.hpp>

#include <algorithm>
#include <utility>
#include <vector>

namespace fenchel::sdk::dual {

class Iterates {
 public:
  static constexpr Param kIterate{.name = "iterate",
                                  .type = Type::text,
                                  .fallback = "last",
                                  .range = "last | average | random",
                                  .meaning = "which iterate is shown and certified"};

  void start(Problem problem, std::string_view kind, double length) {
    average_ = kind == "average";
    kept_ = kind != "last";
    length_ = length;
    if (!kept_) return;
    size_ = problem.scores() + problem.parameters();
    scores_ = problem.scores();
    current_ = problem.numbers("window", size_);
    if (average_) previous_ = problem.numbers("previous-window", size_);
    shown_.resize(static_cast<std::size_t>(average_ ? size_ : 0));
    counts_ = problem.integers("window-counts", 3);
  }

  bool kept() const { return kept_; }
  bool empty() const { return counts_[kTotal] == 0; }

  // One drawn iterate an epoch.
  void record(const double* alpha, const double* weights, Random& random) {
    if (static_cast<double>(counts_[kCurrent]) >=
        std::max(1.0, std::min(length_, 0.5 * static_cast<double>(counts_[kTotal]))))
      turn();
    ++counts_[kTotal];
    ++counts_[kCurrent];
    if (average_) {
      for (std::int64_t i = 0; i < scores_; ++i) current_[i] += alpha[i];
      for (std::int64_t j = 0; j < size_ - scores_; ++j) current_[scores_ + j] += weights[j];
    } else if (random.below(counts_[kCurrent]) == 0) {
      std::copy_n(alpha, scores_, current_);
      std::copy_n(weights, size_ - scores_, current_ + scores_);
    }
  }

  View view() {
    if (!average_) return {.weights = current_ + scores_, .dual = current_};
    const auto count = static_cast<double>(counts_[kCurrent] + counts_[kPrevious]);
    for (std::int64_t i = 0; i < size_; ++i)
      shown_[static_cast<std::size_t>(i)] = (current_[i] + previous_[i]) / count;
    return {.weights = shown_.data() + scores_, .dual = shown_.data()};
  }

 private:
  enum : std::size_t { kTotal, kCurrent, kPrevious };

  void turn() {
    counts_[kPrevious] = std::exchange(counts_[kCurrent], 0);
    if (!average_) return;
    std::copy_n(current_, size_, previous_);
    std::fill_n(current_, size_, 0.0);
  }

  bool average_ = false, kept_ = false;
  double length_ = 1.0;
  std::int64_t size_ = 0, scores_ = 0;
  double* current_ = nullptr;   // α, then w: their sum, or the one kept
  double* previous_ = nullptr;  // the sum over the window before
  std::int64_t* counts_ = nullptr;
  std::vector<double> shown_;
};

}  // namespace fenchel::sdk::dual
