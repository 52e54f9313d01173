// Stochastic subgradient descent with mini-batches (Shalev-Shwartz, Singer and Srebro: Pegasos).
//
// Ω = (λ/2)‖w‖², φᵢ ℓ-Lipschitz. Step t draws b examples and takes
//
//   w ← (1 − 1/t) w − (1/(λt)) (1/b) Σ xᵢ φᵢ′(zᵢ)ᵀ,    then scales w back into the ball that holds
//   w*:
//
//   ‖w*‖ ≤ min( ℓR/λ, √(2(J(0) − inf φ)/λ) ),    ℓR/λ since λw* is a mean of subgradients.
//
// w is kept as s·u, so that shrinking costs nothing and a step touches the drawn rows alone. Step t
// has weight t in the average: Σ t w_t = C u − h with C = Σ t s_t, h growing by C Δu.
//
// E[J(average) − J*] ≤ 20 (ℓR)²/(λT) after T steps: with d_t = E‖w_t − w*‖² ≤ 4G²/(λ²t), G = 2ℓR,
//   t E[J(w_t) − J*] ≤ G²/(2λ) + (λ/2)(t(t − 1) d_t − t² d_{t+1}),
// summed over t and divided by T²/2. That is no bound on a gap: the α shown, for each example the
// mean of −φᵢ′ over its visits with the same weights, is feasible, but no theorem speaks of it.
#include <fenchel/kernels/rows.hpp>
#include <fenchel/sdk.hpp>

#include <algorithm>
#include <cmath>
#include <vector>

namespace {
using namespace fenchel::sdk;
namespace kernels = fenchel::kernels;

struct Pegasos {
  static constexpr Card card{
      .id = "pegasos",
      .summary = "stochastic subgradient steps of size 1/(lambda t), with averaging",
      .citation =
          "Shalev-Shwartz, Singer, Srebro and Cotter, Pegasos: primal estimated "
          "sub-gradient solver for SVM, 2011"};
  static constexpr Param params[] = {
      {.name = "batch",
       .type = Type::integer,
       .fallback = "1",
       .range = "[1, inf)",
       .meaning = "examples drawn for a step"},
      {.name = "projection",
       .type = Type::flag,
       .fallback = "true",
       .meaning = "scale w back into the ball that holds the optimum"},
      {.name = "iterate",
       .type = Type::text,
       .fallback = "average",
       .range = "average | last",
       .meaning = "show the average of the later steps, or the last step"}};

  explicit Pegasos(const Params& p)
      : batch_(p.integer("batch")),
        projection_(p.flag("projection")),
        average_(p.text("iterate") == "average") {}

  std::vector<Requirement> requirements() const {
    return {
        {About::loss, FENCHEL_FACT_CONVEX, "the rate is that of convex losses"},
        {About::loss, FENCHEL_FACT_LIPSCHITZ, "steps of size 1/(lambda t) need bounded slopes"},
        {About::regularizer, FENCHEL_FACT_QUADRATIC, "the step shrinks w as (lambda/2)|w|^2 does"},
        {About::problem, FENCHEL_FACT_ROW_VIEW, "a step draws rows of a matrix"},
        {About::problem, FENCHEL_FACT_BLOCK_WIDTH, "rows have one number of scores"}};
  }

  Rate rate(const RateQuery& q) const {
    return {.bytes = 8.0 * static_cast<double>(3 * q.shape().parameters + 2 * q.shape().scores),
            .theorem = "E[J - J*] <= 20 (l R)^2/(lambda T) after T steps; none on a gap"};
  }

  void start(Problem problem) {
    problem_ = problem;
    rows_ = problem.rows();
    width_ = problem.shape().outputs;
    lambda_ = problem.constant(About::regularizer, FENCHEL_FACT_QUADRATIC);
    radius_ = projection_ ? ball() : infinity;
    u_ = problem.numbers("u", problem.parameters());
    lag_ = problem.numbers("lag", problem.parameters());
    scalars_ = problem.numbers("scalars", kScalars);
    steps_ = problem.integers("steps", 1);
    slope_sums_ = problem.numbers("slope-sums", problem.scores());
    visit_weights_ = problem.numbers("visit-weights", problem.blocks());
    random_ = Random(problem.integers("random", 1));
    shown_.resize(static_cast<std::size_t>(problem.parameters()));
    alpha_.resize(static_cast<std::size_t>(problem.scores()));
    drawn_.resize(static_cast<std::size_t>(batch_));
    slopes_.resize(static_cast<std::size_t>(batch_ * width_));
    scores_.resize(static_cast<std::size_t>(width_));
    if (problem.resumed()) return;
    *problem.integers("random", 1) = static_cast<std::int64_t>(problem.raw().seed);
    scalars_[kScale] = 1.0;
    // Until an example is drawn its slope is that at w = 0.
    problem.risk_gradient(std::vector<double>(alpha_.size()).data(), slope_sums_);
    std::fill_n(visit_weights_, problem.blocks(), kFirstWeight);
    for (std::int64_t i = 0; i < problem.scores(); ++i) slope_sums_[i] *= kFirstWeight;
  }

  Outcome step() {
    std::int64_t entries = 0;
    while (entries < 2 * problem_.shape().entries) entries += 1 + take();
    problem_.touched(entries);
    return Outcome::more;
  }

  View view() {
    const bool mean = average_ && *steps_ > 0;
    const auto t = static_cast<double>(*steps_);
    const double factor = mean ? scalars_[kSum] : scalars_[kScale];
    const double total = mean ? 0.5 * t * (t + 1.0) : 1.0;
    for (std::size_t j = 0; j < shown_.size(); ++j)
      shown_[j] = (factor * u_[j] - (mean ? lag_[j] : 0.0)) / total;
    for (std::int64_t i = 0; i < problem_.scores(); ++i)
      alpha_[static_cast<std::size_t>(i)] = -slope_sums_[i] / visit_weights_[i / width_];
    return {.weights = shown_.data(), .dual = alpha_.data()};
  }

 private:
  // w = scale · u with ‖u‖² = square; sum: Σ t · scale.
  enum : std::size_t { kScale, kSquare, kSum, kScalars };
  static constexpr double kFirstWeight = 1e-3;

  double ball() const {
    const double slope = problem_.constant(About::problem, FENCHEL_FACT_BLOCK_NORM) *
                         problem_.constant(About::loss, FENCHEL_FACT_LIPSCHITZ);
    const std::vector<double> zero(static_cast<std::size_t>(problem_.scores()));
    const double least = problem_.constant(About::loss, FENCHEL_FACT_LOWER_BOUND, -infinity);
    return std::min(slope / lambda_,
                    std::sqrt(2.0 * (problem_.risk(zero.data()) - least) / lambda_));
  }

  // One step; returns the stored entries touched.
  std::int64_t take() {
    const auto t = static_cast<double>(++*steps_);
    std::int64_t entries = 0;
    for (std::int64_t b = 0; b < batch_; ++b) entries += draw(b, t);
    shrink(t);
    const double eta = -1.0 / (lambda_ * t * static_cast<double>(batch_) * scalars_[kScale]);
    for (std::int64_t b = 0; b < batch_; ++b) entries += add(b, eta);
    const double norm = scalars_[kScale] * std::sqrt(std::max(scalars_[kSquare], 0.0));
    if (norm > radius_) scalars_[kScale] *= radius_ / norm;
    rescale();
    scalars_[kSum] += t * scalars_[kScale];
    return entries;
  }

  // Draws example b of the batch and keeps its slopes.
  std::int64_t draw(std::int64_t b, double t) {
    const std::int64_t i = random_.below(problem_.blocks());
    drawn_[static_cast<std::size_t>(b)] = i;
    const kernels::Row row = kernels::row_at(rows_, i);
    kernels::row_scores(row, u_, width_, scores_.data());
    for (double& z : scores_) z *= scalars_[kScale];
    const fenchel_problem& raw = problem_.raw();
    const fenchel_batch batch = problem_.block(i);
    double* slopes = slopes_.data() + b * width_;
    Problem::call(raw.loss->gradient(raw.loss_self, &batch, scores_.data(), slopes));
    for (std::int64_t c = 0; c < width_; ++c) slope_sums_[i * width_ + c] += t * slopes[c];
    visit_weights_[i] += t;
    return row.count;
  }

  void shrink(double t) {
    if (t > 1.0) {
      scalars_[kScale] *= 1.0 - 1.0 / t;
      return;
    }
    // w = 0 after the first shrinking.
    std::fill_n(u_, problem_.parameters(), 0.0);
    scalars_[kScale] = 1.0;
    scalars_[kSquare] = 0.0;
  }

  std::int64_t add(std::int64_t b, double eta) {
    const double* slope = slopes_.data() + b * width_;
    if (std::all_of(slope, slope + width_, [](double s) { return s == 0.0; })) return 0;
    const kernels::Row row = kernels::row_at(rows_, drawn_[static_cast<std::size_t>(b)]);
    for (std::int64_t k = 0; k < row.count; ++k)
      for (std::int64_t c = 0; c < width_; ++c) {
        const std::int64_t j = row.feature(k) * width_ + c;
        const double change = eta * slope[c] * row.values[k];
        scalars_[kSquare] += change * (2.0 * u_[j] + change);
        u_[j] += change;
        lag_[j] += scalars_[kSum] * change;
      }
    return row.count;
  }

  // Before s gets small, where C u and h would cancel digits: u = w, and the sum goes into h.
  void rescale() {
    if (scalars_[kScale] > 1e-3) return;
    const double s = scalars_[kScale];
    scalars_[kSquare] = 0.0;
    for (std::int64_t j = 0; j < problem_.parameters(); ++j) {
      lag_[j] -= scalars_[kSum] * u_[j];
      u_[j] *= s;
      scalars_[kSquare] += u_[j] * u_[j];
    }
    scalars_[kSum] = 0.0;
    scalars_[kScale] = 1.0;
  }

  std::int64_t batch_;
  bool projection_, average_;
  Problem problem_;
  fenchel_rows rows_{};
  std::int64_t width_ = 1;
  double lambda_ = 0.0, radius_ = infinity;
  double* u_ = nullptr;
  double* lag_ = nullptr;
  double* scalars_ = nullptr;
  std::int64_t* steps_ = nullptr;
  double* slope_sums_ = nullptr;     // Σ t φᵢ′ over the visits of example i
  double* visit_weights_ = nullptr;  // Σ t over them
  Random random_;
  std::vector<double> shown_, alpha_, slopes_, scores_;
  std::vector<std::int64_t> drawn_;
};
}  // namespace

FENCHEL_SOLVER(Pegasos)
