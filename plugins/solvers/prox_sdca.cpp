// Proximal stochastic dual coordinate ascent (Shalev-Shwartz and Zhang, figure 1).
//
// Ω μ-strongly convex, v = (1/n) Σ xᵢ αᵢ, w = ∇Ω*(v). A step maximises over αᵢ the lower bound
//
//   −φᵢ*(−αᵢ) − z (αᵢ − αᵢ⁰) − (q/2)(αᵢ − αᵢ⁰)²,    z = xᵢᵀw,   q = ‖xᵢ‖²/(μn)
//
// of n times the dual. Option I takes its maximiser, αᵢ = (p − s)/q with s = z − q αᵢ⁰ and
// p = prox_{qφᵢ}(s). The others move by s ∈ [0, 1] towards u = −φᵢ′(z), for (1/γ)-smooth losses:
//
//   II   the best s: for a single score that of option I, cut to [0, 1]
//   III  s = min(1, (φᵢ(z) + φᵢ*(−αᵢ) + z αᵢ + (γ/2)(u − αᵢ)²)/((u − αᵢ)² (γ + q)))
//   IV   the same with R² in place of ‖xᵢ‖² in q
//   V    s = γ/(γ + R²/(μn))
//
// Each epoch visits the examples in a new random order. Shrinking: an example whose αᵢ did not move
// sits at a bound of dom φᵢ*; after k still visits in a row it rests for 2^k − 1 epochs (31 at
// most), so that every example is still seen again and again. Where Ω = (μ/2)‖w‖² the weights are
// kept instead of v, and the bound is exact; elsewhere ∇Ω* is taken on the row's support alone.
//
// (1/γ)-smooth losses: E[gap] ≤ ε after (n + R²/(μγ)) log((n + R²/(μγ)) (D* − D₀)/ε) steps.
#include <fenchel/sdk.hpp>

#include <algorithm>
#include <cmath>

namespace {
using namespace fenchel::sdk;

struct ProxSdca {
  static constexpr Card card{
      .id = "prox-sdca",
      .summary = "proximal stochastic dual coordinate ascent",
      .citation =
          "Shalev-Shwartz and Zhang, Accelerated proximal stochastic dual coordinate ascent for "
          "regularized loss minimization, 2014"};
  static constexpr Param params[] = {
      {.name = "option",
       .type = Type::integer,
       .fallback = "1",
       .range = "[1, 5]",
       .meaning = "the step: 1 exact, 2 to 5 towards the negative gradient (see the paper)"},
      {.name = "shrinking",
       .type = Type::flag,
       .fallback = "true",
       .meaning = "visit examples at a bound less often"}};

  explicit ProxSdca(const Params& p)
      : option_(p.integer("option")), shrinking_(p.flag("shrinking")) {}
  std::vector<Requirement> requirements() const {
    std::vector<Requirement> list = {
        {About::loss, FENCHEL_FACT_CONVEX, "the dual exists and is tight for convex losses"},
        {About::loss, FENCHEL_FACT_HAS_PROX, "a dual step is one prox of the loss"},
        {About::regularizer, FENCHEL_FACT_STRONG_CONVEXITY,
         "w is the gradient of the conjugate of the regularizer"},
        {About::regularizer, FENCHEL_FACT_HAS_CONJUGATE_GRADIENT,
         "w is the gradient of the conjugate of the regularizer"},
        {About::regularizer, FENCHEL_FACT_SEPARABLE, "a step works on the support of one row"},
        {About::problem, FENCHEL_FACT_ROW_VIEW, "coordinates are rows of a matrix"},
        {About::problem, FENCHEL_FACT_BLOCK_WIDTH, "coordinates are single scores",
         Relation::at_most, 1.0}};
    if (option_ == 1) {
      list.push_back({About::loss, FENCHEL_FACT_SMOOTHNESS, "linear rate for smooth losses",
                      Relation::known, 0.0, 1});
      list.push_back({About::loss, FENCHEL_FACT_LIPSCHITZ, "O(1/epsilon) rate for Lipschitz losses",
                      Relation::known, 0.0, 1});
    } else {
      list.push_back(
          {About::loss, FENCHEL_FACT_SMOOTHNESS, "options 2 to 5 are for smooth losses"});
    }
    return list;
  }

  // Smooth: theorem 1. Lipschitz: Shalev-Shwartz and Zhang 2013, theorem 2, for |x| at most R.
  Rate rate(const RateQuery& q) const {
    const auto n = static_cast<double>(q.shape().blocks);
    const double mu = q.constant(About::regularizer, FENCHEL_FACT_STRONG_CONVEXITY);
    const double radius = q.constant(About::problem, FENCHEL_FACT_BLOCK_NORM);
    const double beta = q.constant(About::loss, FENCHEL_FACT_SMOOTHNESS, infinity);
    const double ell = radius * q.constant(About::loss, FENCHEL_FACT_LIPSCHITZ, infinity);
    const double condition = n + radius * radius * beta / mu;
    const double smooth =
        condition * std::log(std::max(condition * q.initial() / q.epsilon(), 2.0));
    const double warm = std::max(0.0, n * std::log(std::max(0.5 * mu * n / (ell * ell), 1.0)));
    const double rough = warm + 20.0 * ell * ell / (mu * q.epsilon()) +
                         std::max(n, 4.0 * ell * ell / (mu * q.epsilon()));
    const double epochs = (option_ == 1 ? std::min(smooth, rough) : smooth) / n;
    return {
        .iterations = epochs,
        .passes = epochs,
        .bytes = 8.0 * static_cast<double>(4 * q.shape().scores + q.shape().parameters),
        .theorem = smooth <= rough
                       ? "(n + R^2/(mu gamma)) log((n + R^2/(mu gamma)) (D* - D(0))/epsilon) steps"
                       : "n + 24 (l R)^2/(mu epsilon) steps"};
  }

  void start(Problem problem) {
    problem_ = problem;
    raw_ = &problem.raw();
    rows_ = problem.rows();
    n_ = problem.blocks();
    mu_ = problem.constant(About::regularizer, FENCHEL_FACT_STRONG_CONVEXITY);
    quadratic_ = problem.constant(About::regularizer, FENCHEL_FACT_QUADRATIC) > 0.0;
    gamma_ = 1.0 / problem.constant(About::loss, FENCHEL_FACT_SMOOTHNESS, infinity);
    radius_ = problem.constant(About::problem, FENCHEL_FACT_BLOCK_NORM);
    alpha_ = problem.numbers("alpha", problem.scores());
    // Quadratic Ω: the weights v/μ; else v.
    state_ = problem.numbers(quadratic_ ? "weights" : "v", problem.parameters());
    due_ = problem.integers("due", n_);
    still_ = problem.integers("still", n_);
    order_.resize(static_cast<std::size_t>(n_));
    random_ = Random(problem.integers("random", 1));
    epoch_ = problem.integers("epoch", 1);
    weights_.resize(quadratic_ ? 0 : static_cast<std::size_t>(problem.parameters()));
    support_.resize(static_cast<std::size_t>(longest_row()));
    if (problem.resumed()) return;
    *problem.integers("random", 1) = static_cast<std::int64_t>(raw_->seed);
    if (raw_->warm_dual) std::copy_n(raw_->warm_dual, problem.scores(), alpha_);
    settle_empty_rows();
    if (raw_->warm_dual) refresh();
  }

  // Epochs over the examples that are awake, until half a pass is done: with few of them an epoch
  // is short.
  Outcome step() {
    std::int64_t entries = 0;
    while (entries < problem_.shape().entries) entries += 1 + epoch();
    problem_.touched(entries);
    return Outcome::more;
  }

  View view() {
    if (quadratic_) return {.weights = state_, .dual = alpha_};
    problem_.omega_conjugate_gradient(state_, weights_.data());
    return {.weights = weights_.data(), .dual = alpha_};
  }

 private:
  static constexpr double kRounding = 1e-14;

  // Returns the stored entries touched.
  std::int64_t epoch() {
    constexpr std::int64_t kEpochsToRefresh = 64;  // rounding errors of the running sums stay small
    std::int64_t entries = 0;
    if (++*epoch_ % kEpochsToRefresh == 0) refresh();
    shuffle_awake();
    fenchel_batch batch = problem_.block(0);
    const double* targets = batch.targets;
    for (std::int64_t k = 0; k < awake_; ++k) {
      prefetch(k);
      const std::int64_t i = order_[static_cast<std::size_t>(k)];
      batch.first = i;
      if (targets) batch.targets = targets + i;
      entries += visit(i, batch);
    }
    return entries;
  }

  void shuffle_awake() {
    awake_ = 0;
    for (std::int64_t i = 0; i < n_; ++i)
      if (due_[i] <= *epoch_)
        order_[static_cast<std::size_t>(awake_++)] = static_cast<std::int32_t>(i);
    for (std::int64_t k = awake_ - 1; k > 0; --k)
      std::swap(order_[static_cast<std::size_t>(k)],
                order_[static_cast<std::size_t>(random_.below(k + 1))]);
  }

  std::int64_t visit(std::int64_t i, const fenchel_batch& batch) {
    const auto [entries, moved] = rows_.columns ? sparse_step(i, batch) : dense_step(i, batch);
    if (moved || !shrinking_) {
      still_[i] = 0;
    } else {
      constexpr std::int64_t kLongest = 5;
      still_[i] = std::min(still_[i] + 1, kLongest);
      due_[i] = *epoch_ + (std::int64_t{1} << still_[i]);
    }
    return entries;
  }

  std::int64_t longest_row() const {
    if (!rows_.columns) return rows_.width;
    std::int64_t longest = 0;
    for (std::int64_t i = 0; i < n_; ++i)
      longest = std::max(longest, rows_.starts[i + 1] - rows_.starts[i]);
    return longest;
  }

  // The rows ahead in a random order are not in the cache: ask for them early.
  void prefetch(std::int64_t k) const {
    constexpr std::int64_t kFar = 8, kNear = 4;
    if (k + kFar < awake_) {
      const std::int64_t i = order_[static_cast<std::size_t>(k + kFar)];
      if (rows_.starts) __builtin_prefetch(rows_.starts + i);
      __builtin_prefetch(alpha_ + i);
    }
    if (k + kNear < awake_) {
      const std::int64_t i = order_[static_cast<std::size_t>(k + kNear)];
      const std::int64_t begin = rows_.starts ? rows_.starts[i] : i * rows_.width;
      if (rows_.columns) __builtin_prefetch(rows_.columns + begin);
      __builtin_prefetch(rows_.values + begin);
      __builtin_prefetch(rows_.values + begin + 8);
    }
  }

  // A row of zeros has score 0 whatever w is: its best αᵢ is −φᵢ′(0), once and for all.
  void settle_empty_rows() {
    for (std::int64_t i = 0; i < n_; ++i) {
      if (rows_.squared_norms[i] > 0.0) continue;
      const fenchel_batch batch = problem_.block(i);
      const double zero = 0.0;
      double gradient = 0.0;
      Problem::call(raw_->loss->gradient(raw_->loss_self, &batch, &zero, &gradient));
      alpha_[i] = -gradient;
    }
  }

  double maximiser(std::int64_t i, double z, double q, const fenchel_batch& batch) const {
    const double s = z - q * alpha_[i];
    double p = 0.0;
    Problem::call(raw_->loss->prox(raw_->loss_self, &batch, &s, &q, &p));
    return (p - s) / q;
  }

  double towards_gradient(std::int64_t i, double z, double q, const fenchel_batch& batch) const {
    double gradient = 0.0;
    Problem::call(raw_->loss->gradient(raw_->loss_self, &batch, &z, &gradient));
    const double way = -gradient - alpha_[i];
    if (way == 0.0) return alpha_[i];
    if (option_ == 2)
      return alpha_[i] + std::clamp((maximiser(i, z, q, batch) - alpha_[i]) / way, 0.0, 1.0) * way;
    const double largest_q = radius_ * radius_ / (mu_ * static_cast<double>(n_));
    if (option_ == 5) return alpha_[i] + gamma_ / (gamma_ + largest_q) * way;
    double value = 0.0, conjugate = 0.0;
    const double u = -alpha_[i];
    Problem::call(raw_->loss->value(raw_->loss_self, &batch, &z, &value));
    Problem::call(raw_->loss->conjugate(raw_->loss_self, &batch, &u, &conjugate));
    const double gain = value + conjugate + z * alpha_[i] + 0.5 * gamma_ * way * way;
    const double s = gain / (way * way * (gamma_ + (option_ == 3 ? q : largest_q)));
    return alpha_[i] + std::clamp(s, 0.0, 1.0) * way;
  }

  // The new αᵢ and what it adds to the running sum per unit of xᵢ.
  double move(std::int64_t i, double z, const fenchel_batch& batch) {
    const double q = rows_.squared_norms[i] / (mu_ * static_cast<double>(n_));
    const double next = option_ == 1 ? maximiser(i, z, q, batch) : towards_gradient(i, z, q, batch);
    const double change = next - alpha_[i];
    if (std::abs(change) <= kRounding * (1.0 + std::abs(next))) return 0.0;
    alpha_[i] = next;
    return change / (static_cast<double>(n_) * (quadratic_ ? mu_ : 1.0));
  }

  // The entries touched: the row once for its score, once more if α moves.
  struct Visit {
    std::int64_t entries;
    bool moved;
  };
  Visit sparse_step(std::int64_t i, const fenchel_batch& batch) {
    const std::int64_t begin = rows_.starts[i], count = rows_.starts[i + 1] - begin;
    if (!(rows_.squared_norms[i] > 0.0)) return {count, false};
    const std::int32_t* columns = rows_.columns + begin;
    const double* values = rows_.values + begin;
    double z = 0.0;
    if (quadratic_) {
      for (std::int64_t k = 0; k < count; ++k) z += values[k] * state_[columns[k]];
    } else {
      for (std::int64_t k = 0; k < count; ++k)
        support_[static_cast<std::size_t>(k)] = state_[columns[k]];
      z = weighted(values, {sizeof(fenchel_coords), 0, 0, count, columns});
    }
    const double add = move(i, z, batch);
    if (add == 0.0) return {count, false};
    for (std::int64_t k = 0; k < count; ++k) state_[columns[k]] += add * values[k];
    return {2 * count, true};
  }

  Visit dense_step(std::int64_t i, const fenchel_batch& batch) {
    if (!(rows_.squared_norms[i] > 0.0)) return {rows_.width, false};
    const double* values = rows_.values + i * rows_.width;
    double z = 0.0;
    if (quadratic_) {
      for (std::int64_t j = 0; j < rows_.width; ++j) z += values[j] * state_[j];
    } else {
      std::copy_n(state_, rows_.width, support_.begin());
      z = weighted(values, {sizeof(fenchel_coords), 0, 0, rows_.width, nullptr});
    }
    const double add = move(i, z, batch);
    if (add == 0.0) return {rows_.width, false};
    for (std::int64_t j = 0; j < rows_.width; ++j) state_[j] += add * values[j];
    return {2 * rows_.width, true};
  }

  // ⟨values, ∇Ω*(v)⟩ with v on the row's support in support_.
  double weighted(const double* values, const fenchel_coords& coords) {
    Problem::call(raw_->regularizer->conjugate_gradient(raw_->regularizer_self, &coords,
                                                        support_.data(), support_.data()));
    double z = 0.0;
    for (std::int64_t k = 0; k < coords.count; ++k)
      z += values[k] * support_[static_cast<std::size_t>(k)];
    return z;
  }

  void refresh() {
    problem_.adjoint(alpha_, state_);
    if (quadratic_)
      for (std::int64_t j = 0; j < problem_.parameters(); ++j) state_[j] /= mu_;
  }

  Problem problem_;
  const fenchel_problem* raw_ = nullptr;
  fenchel_rows rows_{};
  std::int64_t n_ = 0;
  std::int64_t option_;
  double mu_ = 0.0, gamma_ = 0.0, radius_ = 0.0;
  bool shrinking_;
  bool quadratic_ = false;
  double* alpha_ = nullptr;
  double* state_ = nullptr;
  std::vector<std::int32_t> order_;  // the examples awake in this epoch
  std::int64_t awake_ = 0;
  std::int64_t* due_ = nullptr;    // the epoch in which an example is next visited
  std::int64_t* still_ = nullptr;  // visits in a row that did not move it
  std::int64_t* epoch_ = nullptr;
  Random random_;
  std::vector<double> weights_, support_;
};
}  // namespace

FENCHEL_SOLVER(ProxSdca)
