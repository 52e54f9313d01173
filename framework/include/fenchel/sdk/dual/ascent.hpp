// Epochs of proximal stochastic dual coordinate ascent over the rows of a matrix, for blocks of one
// or several scores, on Ω(w) + (κ/2)‖w‖² − κ⟨y, w⟩ (κ = 0: the plain problem).
//
// Shrinking: an example whose αᵢ did not move sits at a bound of dom φᵢ*; after k still visits in a
// row it rests for 2^k − 1 epochs, at most `longest_rest`, so that every example is seen again and
// again. Certificates are the host's, over all examples: shrinking never enters them.
#pragma once

#include <fenchel/sdk/dual/row_weights.hpp>
#include <fenchel/sdk/dual/step.hpp>

#include <algorithm>
#include <vector>

namespace fenchel::sdk::dual {

struct AscentOptions {
  std::int64_t option = 1;
  bool uniform = false;  // draw examples with replacement; else a new random order each epoch
  bool shrinking = true;
  std::int64_t longest_rest = 63;
  double kappa = 0.0;
};

class Ascent {
 public:
  static constexpr Param kOption{
      .name = "option",
      .type = Type::integer,
      .fallback = "1",
      .range = "[1, 5]",
      .meaning = "the step: 1 exact, 2 to 5 towards the negative gradient (see the paper)"};
  static constexpr Param kSampling{
      .name = "sampling",
      .type = Type::text,
      .fallback = "permutation",
      .range = "permutation | uniform",
      .meaning = "visit each example once an epoch, or draw with replacement"};
  static constexpr Param kShrinking{.name = "shrinking",
                                    .type = Type::flag,
                                    .fallback = "true",
                                    .meaning = "visit examples at a bound less often"};

  static AscentOptions read(const Params& p) {
    AscentOptions options;
    options.option = p.integer("option");
    options.uniform = p.text("sampling") == "uniform";
    options.shrinking = p.flag("shrinking");
    return options;
  }

  // What any method built on these epochs needs.
  static std::vector<Requirement> requirements() {
    return {{About::loss, FENCHEL_FACT_CONVEX, "the dual exists and is tight for convex losses"},
            {About::loss, FENCHEL_FACT_HAS_PROX, "a dual step is one prox of the loss"},
            {About::loss, FENCHEL_FACT_HAS_CONJUGATE, "the dual value is made of conjugates"},
            {About::regularizer, FENCHEL_FACT_STRONG_CONVEXITY,
             "w is the gradient of the conjugate of the regularizer"},
            {About::regularizer, FENCHEL_FACT_HAS_CONJUGATE_GRADIENT,
             "w is the gradient of the conjugate of the regularizer"},
            {About::regularizer, FENCHEL_FACT_SEPARABLE, "a step works on the support of one row"},
            {About::problem, FENCHEL_FACT_ROW_VIEW, "coordinates are rows of a matrix"},
            {About::problem, FENCHEL_FACT_BLOCK_WIDTH, "coordinates are blocks of one size"}};
  }

  void start(Problem problem, const AscentOptions& options) {
    problem_ = problem;
    options_ = options;
    n_ = problem.blocks();
    width_ = problem.shape().outputs;
    weights_.start(problem, options.kappa);
    step_.start(problem, options.option, weights_.modulus());
    alpha_ = problem.numbers("alpha", problem.scores());
    due_ = problem.integers("due", n_);
    still_ = problem.integers("still", n_);
    random_ = Random(problem.integers("random", 1));
    epoch_ = problem.integers("epoch", 1);
    order_.resize(static_cast<std::size_t>(n_));
    scores_.resize(static_cast<std::size_t>(width_));
    change_.resize(scores_.size());
    if (problem.resumed()) return;
    *problem.integers("random", 1) = static_cast<std::int64_t>(problem.raw().seed);
    const double* warm = problem.raw().warm_dual;
    if (warm) std::copy_n(warm, problem.scores(), alpha_);
    settle_empty_rows();
    if (warm) weights_.refresh(alpha_);
  }

  // One epoch over the examples that are awake; `before(k)` is called ahead of visit k. Returns the
  // stored entries touched.
  template <class Before>
  std::int64_t epoch(Before&& before) {
    constexpr std::int64_t kEpochsToRefresh = 64;
    if (++*epoch_ % kEpochsToRefresh == 0) weights_.refresh(alpha_);
    choose_order();
    fenchel_batch batch = problem_.block(0);
    const double* targets = batch.targets;
    std::int64_t entries = 0;
    for (std::int64_t k = 0; k < awake_; ++k) {
      before(k);
      prefetch(k);
      const std::int64_t i = order_[static_cast<std::size_t>(k)];
      batch.first = i;
      if (targets) batch.targets = targets + i * batch.target_width;
      entries += visit(i, batch);
    }
    return entries;
  }
  std::int64_t epoch() {
    return epoch([](std::int64_t) {});
  }
  std::int64_t visits() const { return awake_; }  // of the last epoch

  const double* alpha() const { return alpha_; }
  RowWeights& weights() { return weights_; }
  Random& random() { return random_; }

  // P̃(w) − D̃(α) = (1/n) Σ φᵢ(zᵢ) + φᵢ*(−αᵢ) + ⟨αᵢ, zᵢ⟩ at w = ∇Ω̃*(v(α)): whatever Ω and κ. Half a
  // pass.
  double gap() {
    std::vector<double> z(static_cast<std::size_t>(problem_.scores())), u(z.size());
    problem_.apply(weights_.all(), z.data());
    double inner = 0.0;
    for (std::size_t i = 0; i < z.size(); ++i) {
      u[i] = -alpha_[i];
      inner += alpha_[i] * z[i];
    }
    return problem_.risk(z.data()) + problem_.risk_conjugate(u.data()) +
           inner / static_cast<double>(n_);
  }

 private:
  void choose_order() {
    awake_ = 0;
    for (std::int64_t i = 0; i < n_; ++i)
      if (due_[i] <= *epoch_)
        order_[static_cast<std::size_t>(awake_++)] = static_cast<std::int32_t>(i);
    if (options_.uniform) {
      drawn_.assign(order_.begin(), order_.begin() + awake_);
      for (std::int64_t k = 0; k < awake_; ++k)
        order_[static_cast<std::size_t>(k)] =
            drawn_[static_cast<std::size_t>(random_.below(awake_))];
      return;
    }
    for (std::int64_t k = awake_ - 1; k > 0; --k)
      std::swap(order_[static_cast<std::size_t>(k)],
                order_[static_cast<std::size_t>(random_.below(k + 1))]);
  }

  void prefetch(std::int64_t k) const {
    constexpr std::int64_t kFar = 8, kNear = 4;
    if (k + kFar < awake_) {
      const std::int64_t i = order_[static_cast<std::size_t>(k + kFar)];
      weights_.prefetch_start(i);
      __builtin_prefetch(alpha_ + i * width_);
    }
    if (k + kNear < awake_) weights_.prefetch(order_[static_cast<std::size_t>(k + kNear)]);
  }

  // The entries touched: the row once for its scores, once more if α moves.
  std::int64_t visit(std::int64_t i, const fenchel_batch& batch) {
    const double squared = weights_.rows().squared_norms[i];
    const bool moved = squared > 0.0 && advance(i, batch, squared);
    if (moved || !options_.shrinking)
      still_[i] = 0;
    else
      rest(i);
    return weights_.entries(i) * (moved ? 2 : 1);
  }
  bool advance(std::int64_t i, const fenchel_batch& batch, double squared) {
    const double q = squared / (weights_.modulus() * static_cast<double>(n_));
    if (width_ == 1) {
      const double change = step_.move(batch, q, weights_.score(i), alpha_[i]);
      if (change != 0.0) weights_.add(i, change);
      return change != 0.0;
    }
    weights_.scores(i, scores_.data());
    if (!step_.move(batch, q, scores_.data(), alpha_ + i * width_, change_.data())) return false;
    weights_.add(i, change_.data());
    return true;
  }
  void rest(std::int64_t i) {
    constexpr std::int64_t kMost = 30;
    still_[i] = std::min(still_[i] + 1, kMost);
    due_[i] = *epoch_ + 1 + std::min((std::int64_t{1} << still_[i]) - 1, options_.longest_rest);
  }

  // A row of zeros has score 0 whatever w is: its best αᵢ is −∇φᵢ(0), once and for all.
  void settle_empty_rows() {
    const fenchel_problem& raw = problem_.raw();
    std::fill(scores_.begin(), scores_.end(), 0.0);
    for (std::int64_t i = 0; i < n_; ++i) {
      if (weights_.rows().squared_norms[i] > 0.0) continue;
      const fenchel_batch batch = problem_.block(i);
      double* alpha = alpha_ + i * width_;
      Problem::call(raw.loss->gradient(raw.loss_self, &batch, scores_.data(), alpha));
      for (std::int64_t c = 0; c < width_; ++c) alpha[c] = -alpha[c];
    }
  }

  Problem problem_;
  AscentOptions options_;
  std::int64_t n_ = 0, width_ = 1;
  RowWeights weights_;
  Step step_;
  double* alpha_ = nullptr;
  std::vector<std::int32_t> order_, drawn_;  // the examples of this epoch, in the order of visits
  std::int64_t awake_ = 0;
  std::int64_t* due_ = nullptr;    // the epoch in which an example is next visited
  std::int64_t* still_ = nullptr;  // visits in a row that did not move it
  std::int64_t* epoch_ = nullptr;
  Random random_;
  std::vector<double> scores_, change_;
};

}  // namespace fenchel::sdk::dual
