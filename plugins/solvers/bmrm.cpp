// Bundle method for regularized risk minimization (BMRM): L(A w) is bounded from below by cuts,
//
//   aⱼ = (1/n)Aᵀ∇φ(z),  bⱼ = L(z) − ⟨aⱼ, w⟩ at earlier iterates,     w_t = argmin Ω(w) + maxⱼ ⟨aⱼ,
//   w⟩ + bⱼ,
//
// one new cut a step, taken at the last iterate. With D_t the value of that minimum (the dual value
// of the model, a lower bound even where it is not solved exactly) the gap (4) of the paper is
//
//   ε_t = min_{1 ≤ s ≤ t} J(w_s) − D_t.
//
// Variants: the full program over the simplex (`qp`), or a line search between the mixture so far
// and the newest cut (`line-search`).
//
// Both keep ε_t ≤ 8G²/(σ(t + 3)) where the risk is G-Lipschitz and Ω σ-strongly convex, from
// w₀ = ∇Ω*(0): moving the mixture towards the new cut by η gains at least ηγ − 2η²G²/σ, γ = J(w_t)
// − D_t ≥ ε_t, since D is 1/σ-smooth in the slopes and two of them are at most 2G apart. So ε_{t+1}
// ≤ ε_t − σε_t²/(8G²) once ε_t ≤ 4G²/σ, and ε₁ ≤ ⟨a₂ − a₁, w₁ − w₀⟩ ≤ 2G²/σ. That is the bound (13)
// without its logarithm, which is what a start elsewhere costs. A cut without weight adds nothing
// to D_t: dropping it keeps all of this.
//
// The dual point is the mixture of the −∇φ of the cuts, shown part by part.
#include <fenchel/sdk.hpp>
#include <fenchel/sdk/bundle/models.hpp>
#include <fenchel/sdk/gap_target.hpp>

#include <algorithm>
#include <cmath>
#include <memory>
#include <vector>

namespace {
using namespace fenchel::sdk;

struct Bmrm {
  static constexpr Card card{
      .id = "bmrm",
      .summary = "bundle method: a piecewise linear model of the risk, one cut a pass",
      .citation =
          "Teo, Vishwanathan, Smola and Le, Bundle methods for regularized risk minimization, "
          "2010; Saha, Zhang and Vishwanathan, Lower bounds for BMRM and faster rates for training "
          "SVMs"};
  static constexpr Param params[] = {
      {.name = "variant",
       .type = Type::text,
       .fallback = "qp",
       .range = "qp | line-search",
       .meaning = "the best mixture of all cuts, or a line search towards the newest"},
      {.name = "age",
       .type = Type::integer,
       .fallback = "20",
       .range = "[1, inf)",
       .meaning = "qp: a cut is dropped after so many steps without weight"}};

  explicit Bmrm(const Params& p)
      : line_search_(p.text("variant") == "line-search"), age_(p.integer("age")) {}

  std::vector<Requirement> requirements() const {
    return {{About::loss, FENCHEL_FACT_CONVEX, "cuts bound a convex loss from below"},
            {About::regularizer, FENCHEL_FACT_STRONG_CONVEXITY,
             "the model has one minimum, at the gradient of the conjugate of the regularizer"},
            {About::regularizer, FENCHEL_FACT_HAS_CONJUGATE, "the model is solved in its dual"},
            {About::regularizer, FENCHEL_FACT_HAS_CONJUGATE_GRADIENT,
             "w is the gradient of the conjugate of the regularizer"}};
  }

  Rate rate(const RateQuery& q) const {
    const double g = q.constant(About::problem, FENCHEL_FACT_RISK_LIPSCHITZ, infinity);
    const double sigma = q.constant(About::regularizer, FENCHEL_FACT_STRONG_CONVEXITY);
    const double iterations = std::max(1.0, 8.0 * g * g / (sigma * q.epsilon()) - 3.0);
    const auto d = static_cast<double>(q.shape().parameters);
    const auto scores = static_cast<double>(q.shape().scores);
    const double cuts = line_search_ ? 1.0 : std::min(iterations, static_cast<double>(age_) + 50.0);
    return {.iterations = iterations,
            .passes = iterations + 0.5,
            .bytes = 8.0 * (cuts * (d + scores) + 4.0 * d + 3.0 * scores),
            .theorem = "8 G^2/(sigma (t + 3)), G the Lipschitz constant of the risk"};
  }

  void start(Problem problem) {
    problem_ = problem;
    target_.start(problem);
    model_ = make_model();
    best_ = problem.numbers("best", problem.parameters());
    weights_ = problem.numbers("weights", problem.parameters());
    scores_ = problem.numbers("scores", problem.scores());
    values_ = problem.numbers("values", kValues);
    slope_.resize(static_cast<std::size_t>(problem.parameters()));
    gradient_.resize(static_cast<std::size_t>(problem.scores()));
    dual_.resize(gradient_.size());
    model_->start(problem);
    if (!problem.resumed()) first();
    risk_ = problem.risk_gradient(scores_, gradient_.data());
  }

  Outcome step() {
    cut();
    std::copy_n(model_->minimiser(), slope_.size(), weights_);
    problem_.apply(weights_, scores_);
    risk_ = problem_.risk_gradient(scores_, gradient_.data());
    const double value = problem_.omega(weights_) + risk_;
    const bool lower = value < values_[kBest];
    const bool higher = model_->value() > values_[kLow];
    if (lower) {
      values_[kBest] = value;
      std::copy_n(weights_, slope_.size(), best_);
    }
    values_[kLow] = std::max(values_[kLow], model_->value());
    values_[kGap] = std::max(0.0, values_[kBest] - values_[kLow]);
    values_[kIdle] = lower || higher ? 0.0 : values_[kIdle] + 1.0;
    if (target_.met({values_[kBest], model_->value()})) return Outcome::done;
    return values_[kIdle] < kMostIdle ? Outcome::more : Outcome::stalled;
  }

  View view() {
    View shown{.weights = best_, .own_gap = values_ + kGap};
    model_->show(shown);
    return shown;
  }
  void part(std::int64_t j, double* dual) const { model_->part(j, dual); }

 private:
  // The least J, the largest D, their difference, and the steps since either moved.
  enum : std::size_t { kBest, kLow, kGap, kIdle, kValues };
  static constexpr double kMostIdle = 20.0;

  std::unique_ptr<bundle::Model> make_model() const {
    if (line_search_) return std::make_unique<bundle::RunningMixture>();
    return std::make_unique<bundle::AllCuts>(age_);
  }

  // The point of the first cut. A dual to start from is a cut as well: φ(z) ≥ ⟨u, z⟩ − φ*(u).
  void first() {
    values_[kBest] = infinity;
    values_[kLow] = -infinity;
    if (const double* warm = problem_.raw().warm_weights) {
      std::copy_n(warm, slope_.size(), weights_);
    } else {
      std::fill(slope_.begin(), slope_.end(), 0.0);
      problem_.omega_conjugate_gradient(slope_.data(), weights_);
    }
    problem_.apply(weights_, scores_);
    const double* alpha = problem_.raw().warm_dual;
    if (!alpha) return;
    std::transform(alpha, alpha + dual_.size(), gradient_.begin(), [](double x) { return -x; });
    const double conjugate = problem_.risk_conjugate(gradient_.data());
    if (!std::isfinite(conjugate)) return;
    problem_.adjoint(gradient_.data(), slope_.data());
    model_->add(slope_.data(), -conjugate, alpha);
  }

  void cut() {
    problem_.adjoint(gradient_.data(), slope_.data());
    std::transform(gradient_.begin(), gradient_.end(), dual_.begin(), [](double u) { return -u; });
    const double offset = risk_ - bundle::product(slope_.data(), weights_, slope_.size());
    model_->add(slope_.data(), offset, dual_.data());
  }

  bool line_search_;
  std::int64_t age_;
  Problem problem_;
  GapTarget target_;
  std::unique_ptr<bundle::Model> model_;
  double *best_ = nullptr, *weights_ = nullptr, *scores_ = nullptr, *values_ = nullptr;
  double risk_ = 0.0;
  std::vector<double> slope_, gradient_, dual_;
};
}  // namespace

FENCHEL_SOLVER(Bmrm)
