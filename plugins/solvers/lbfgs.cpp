// Limited-memory BFGS for smooth objectives: w ← w + t d, d = −H∇J(w), with H from the last m pairs
//
//   s = w⁺ − w,   y = ∇J(w⁺) − ∇J(w),      H₀ = (⟨s, y⟩/‖y‖²) I
//
// by the two-loop recursion, and a t that meets the strong Wolfe conditions. Both are LBFGSpp's.
// Along d the scores are z + t A d: the line search is a problem in one variable that touches no
// data, and a step is one pass, A d and the new gradient.
//
// The pairs are kept in the host's arena; a run that goes on later hands them to LBFGSpp again.
#include <fenchel/sdk.hpp>

#include <LBFGSpp/BFGSMat.h>
#include <LBFGSpp/Param.h>
// After the parameters, which it does not include itself.
#include <LBFGSpp/LineSearchNocedalWright.h>

#include <algorithm>
#include <cmath>
#include <exception>
#include <vector>

namespace {
using namespace fenchel::sdk;
using Vector = Eigen::VectorXd;

struct Lbfgs {
  static constexpr Card card{
      .id = "lbfgs",
      .summary = "limited-memory BFGS with a line search, for smooth loss and regularizer",
      .citation =
          "Liu and Nocedal, On the limited memory BFGS method for large scale optimization, 1989; "
          "LBFGSpp by Yixuan Qiu"};
  static constexpr Param params[] = {{.name = "memory",
                                      .type = Type::integer,
                                      .fallback = "10",
                                      .range = "[1, 1000]",
                                      .meaning = "pairs (s, y) that are kept"}};

  explicit Lbfgs(const Params& p) : memory_(p.integer("memory")) {
    search_.linesearch = LBFGSpp::LBFGS_LINESEARCH_BACKTRACKING_STRONG_WOLFE;
    search_.max_linesearch = 60;
  }

  std::vector<Requirement> requirements() const {
    return {
        {About::loss, FENCHEL_FACT_CONVEX, "the certificate is that of convex problems"},
        {About::loss, FENCHEL_FACT_SMOOTHNESS, "curvature is estimated from gradients"},
        {About::regularizer, FENCHEL_FACT_SMOOTHNESS, "curvature is estimated from gradients"},
        {About::regularizer, FENCHEL_FACT_HAS_GRADIENT, "the gradient of J needs that of Omega"}};
  }

  Rate rate(const RateQuery& q) const {
    const auto d = static_cast<double>(q.shape().parameters);
    const auto scores = static_cast<double>(q.shape().scores);
    return {.bytes = 8.0 * ((4.0 * static_cast<double>(memory_) + 7.0) * d + 4.0 * scores),
            .theorem = "linear where Omega or the risk is strongly convex, by constants unknown"};
  }

  void start(Problem problem) {
    problem_ = problem;
    const std::int64_t d = problem.parameters();
    weights_ = problem.numbers("weights", d);
    scores_ = problem.numbers("scores", problem.scores());
    gradient_ = problem.numbers("gradient", d);
    value_ = problem.numbers("value", 1);
    moves_ = problem.numbers("moves", memory_ * d);
    changes_ = problem.numbers("changes", memory_ * d);
    pairs_ = problem.integers("pairs", 1);
    at_.resize(d);
    slope_.resize(d);
    direction_.resize(d);
    trial_.resize(static_cast<std::size_t>(problem.scores()));
    direction_scores_.resize(trial_.size());
    slopes_.resize(trial_.size());
    bfgs_.reset(static_cast<int>(d), static_cast<int>(memory_));
    // The oldest pair that is left first, as they came.
    for (std::int64_t k = std::max<std::int64_t>(0, *pairs_ - memory_); k < *pairs_; ++k)
      bfgs_.add_correction(pair(moves_, k), pair(changes_, k));
    if (problem.resumed()) return;
    if (const double* warm = problem.raw().warm_weights) std::copy_n(warm, d, weights_);
    problem.apply(weights_, scores_);
    *value_ = problem.risk_gradient(scores_, slopes_.data()) + problem.omega(weights_);
    find_gradient(weights_, gradient_);
  }

  Outcome step() {
    bfgs_.apply_Hv(map(gradient_), -1.0, direction_);
    if (take()) return Outcome::more;
    // Rounding can spoil the pairs; the gradient alone has the last word.
    if (*pairs_ == 0) return Outcome::stalled;
    *pairs_ = 0;
    bfgs_.reset(static_cast<int>(problem_.parameters()), static_cast<int>(memory_));
    direction_ = -map(gradient_);
    return take() ? Outcome::more : Outcome::stalled;
  }

  View view() const { return {.weights = weights_}; }

 private:
  Eigen::Map<Vector> map(double* x) const { return {x, problem_.parameters()}; }
  Eigen::Map<Vector> pair(double* list, std::int64_t k) const {
    return map(list + k % memory_ * problem_.parameters());
  }

  void omega_gradient(const double* w, double* out) const {
    const fenchel_problem& raw = problem_.raw();
    const fenchel_coords all{sizeof(fenchel_coords), 0, 0, problem_.parameters(), nullptr};
    Problem::call(raw.regularizer->gradient(raw.regularizer_self, &all, w, out));
  }
  // ∇J at w, whose slopes ∇φ are at hand.
  void find_gradient(const double* w, double* out) {
    problem_.adjoint(slopes_.data(), out);
    omega_gradient(w, slope_.data());
    map(out) += slope_;
  }

  // J(w + t d), and its derivative along d.
  double along(double t, double& derivative) {
    for (std::size_t i = 0; i < trial_.size(); ++i)
      trial_[i] = scores_[i] + t * direction_scores_[i];
    at_ = map(weights_) + t * direction_;
    const double value =
        problem_.risk_gradient(trial_.data(), slopes_.data()) + problem_.omega(at_.data());
    omega_gradient(at_.data(), slope_.data());
    derivative = 0.0;
    for (std::size_t i = 0; i < slopes_.size(); ++i)
      derivative += slopes_[i] * direction_scores_[i];
    derivative = derivative / static_cast<double>(problem_.blocks()) + slope_.dot(direction_);
    return value;
  }

  // Searches along d and moves there. False where nothing is gained.
  bool take() {
    const double fall = map(gradient_).dot(direction_);
    if (!(fall < 0.0)) return false;
    problem_.apply(direction_.data(), direction_scores_.data());
    double value = *value_;
    // The first direction has the length of the gradient, which says nothing of the step.
    double step = *pairs_ == 0 ? 1.0 / direction_.norm() : 1.0;
    if (!searched(fall, step, value) || !(value < *value_)) return false;
    // `at_`, `trial_` and `slopes_` are those of the accepted step, the last that was tried.
    std::vector<double> next(static_cast<std::size_t>(problem_.parameters()));
    find_gradient(at_.data(), next.data());
    remember(at_ - map(weights_), map(next.data()) - map(gradient_));
    map(weights_) = at_;
    map(gradient_) = map(next.data());
    std::copy(trial_.begin(), trial_.end(), scores_);
    *value_ = value;
    return true;
  }

  bool searched(double fall, double& step, double& value) {
    const auto function = [this](const Vector& t, Vector& derivative) {
      return along(t[0], derivative[0]);
    };
    const Vector origin = Vector::Zero(1), forward = Vector::Ones(1);
    Vector t = origin, derivative = Vector::Constant(1, fall);
    try {
      LBFGSpp::LineSearchNocedalWright<double>::LineSearch(function, value, t, derivative, step,
                                                           forward, origin, search_);
    } catch (const std::runtime_error&) {
      return false;  // no step that doubles can tell from the others
    }
    return std::isfinite(value);
  }

  void remember(const Vector& s, const Vector& y) {
    if (!(s.dot(y) > 1e-15 * y.squaredNorm())) return;  // as the Wolfe conditions would have it
    pair(moves_, *pairs_) = s;
    pair(changes_, *pairs_) = y;
    ++*pairs_;
    bfgs_.add_correction(s, y);
  }

  std::int64_t memory_;
  Problem problem_;
  LBFGSpp::LBFGSParam<double> search_;
  LBFGSpp::BFGSMat<double> bfgs_;
  double *weights_ = nullptr, *scores_ = nullptr, *gradient_ = nullptr, *value_ = nullptr;
  double *moves_ = nullptr, *changes_ = nullptr;
  std::int64_t* pairs_ = nullptr;  // ever kept: the last of them lie in a ring
  Vector at_, slope_, direction_;
  std::vector<double> trial_, direction_scores_, slopes_;
};
}  // namespace

FENCHEL_SOLVER(Lbfgs)
