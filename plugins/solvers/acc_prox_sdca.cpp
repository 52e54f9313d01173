// Accelerated proximal stochastic dual coordinate ascent (Shalev-Shwartz and Zhang, figure 2).
//
// For (1/γ)-smooth losses and λ-strongly convex Ω with R²/(λγ) > 10n, outer iteration t runs
// Prox-SDCA on
//
//   P̃(w) = J(w) + (κ/2)‖w − y‖² − (κ/2)‖y‖²,    κ = R²/(γn) − λ
//
// from the α before, so that one epoch inside gains a constant factor, and then sets
// y = w + β(w − w⁻), with μ = λ/2, ρ = μ + κ, η = √(μ/ρ), β = (1 − η)/(1 + η).
//
//   theoretical  the inner gap goes to η ξ/(2(1 + 1/η²)), ξ_t = (1 − η/2)^{t−1} ξ₁,
//                ξ₁ = (1 + 1/η²)(J(0) − D(0)); then J(w) − J* ≤ ξ_t. Stops once
//                t ≥ 1 + (2/η) log(ξ₁/ε), or (1 + ρ/μ) ε_t + ρκ/(2μ) ‖w − y‖² ≤ ε,
//                and the gap of the problem itself is at most ε.
//   practical    a fixed number of epochs inside (remark 1: five do well)
//
// Where R²/(λγ) ≤ 10n there is nothing to accelerate: plain Prox-SDCA runs, and the result says so.
#include <fenchel/sdk.hpp>
#include <fenchel/sdk/dual/ascent.hpp>
#include <fenchel/sdk/gap_target.hpp>

#include <algorithm>
#include <cmath>
#include <string>

namespace {
using namespace fenchel::sdk;

// The constants of figure 2.
struct Constants {
  double n = 1.0, lambda = 0.0, condition = 0.0;  // condition: R²/(λγ)
  double kappa = 0.0, mu = 0.0, rho = 0.0, eta = 1.0, beta = 0.0;

  template <class Source>
  static Constants of(const Source& source, std::int64_t blocks) {
    Constants c;
    c.n = static_cast<double>(blocks);
    c.lambda = source.constant(About::regularizer, FENCHEL_FACT_STRONG_CONVEXITY);
    const double radius = source.constant(About::problem, FENCHEL_FACT_BLOCK_NORM);
    const double smoothness = source.constant(About::loss, FENCHEL_FACT_SMOOTHNESS, infinity);
    c.condition = radius * radius * smoothness / c.lambda;
    if (!c.accelerates()) return c;
    c.kappa = c.lambda * (c.condition / c.n - 1.0);
    c.mu = 0.5 * c.lambda;
    c.rho = c.mu + c.kappa;
    c.eta = std::sqrt(c.mu / c.rho);
    c.beta = (1.0 - c.eta) / (1.0 + c.eta);
    return c;
  }
  bool accelerates() const { return condition > 10.0 * n; }
  double growth() const { return 1.0 + 1.0 / (eta * eta); }  // ξ₁ over J(0) − D(0)
  double outer(double first_xi, double epsilon) const {
    return 1.0 + 2.0 / eta * std::log(std::max(first_xi / epsilon, 1.0));
  }
};

struct AccProxSdca {
  static constexpr Card card{
      .id = "acc-prox-sdca",
      .summary = "accelerated proximal stochastic dual coordinate ascent",
      .citation =
          "Shalev-Shwartz and Zhang, Accelerated proximal stochastic dual coordinate ascent for "
          "regularized loss minimization, 2014"};
  static constexpr Param params[] = {
      {.name = "inner",
       .type = Type::text,
       .fallback = "practical",
       .range = "practical | theoretical",
       .meaning = "end an inner problem after `epochs`, or at the accuracy of the theorem"},
      {.name = "epochs",
       .type = Type::integer,
       .fallback = "5",
       .range = "[1, inf)",
       .meaning = "epochs of an inner problem where `inner` is practical"},
      dual::Ascent::kOption,
      dual::Ascent::kSampling,
      dual::Ascent::kShrinking};

  explicit AccProxSdca(const Params& p)
      : theoretical_(p.text("inner") == "theoretical"),
        epochs_(p.integer("epochs")),
        options_(dual::Ascent::read(p)) {}

  std::vector<Requirement> requirements() const {
    std::vector<Requirement> list = dual::Ascent::requirements();
    list.push_back({About::loss, FENCHEL_FACT_SMOOTHNESS,
                    "the inner problems are solved at the rate of smooth losses"});
    list.push_back({About::regularizer, FENCHEL_FACT_HAS_PROX,
                    "the weights of an inner problem are a prox of the regularizer"});
    return list;
  }

  // Theorem 3, with the inner runs bounded by theorem 1 and lemma 5.
  Rate rate(const RateQuery& q) const {
    const Constants c = Constants::of(q, q.shape().blocks);
    const double bytes = 8.0 * static_cast<double>(4 * q.shape().scores + 4 * q.shape().parameters);
    if (!c.accelerates()) {
      const double scale = c.n + c.condition;
      const double epochs =
          scale / c.n * std::log(std::max(scale * q.initial() / q.epsilon(), 2.0));
      return {.iterations = epochs,
              .passes = epochs,
              .bytes = bytes,
              .theorem = "plain steps, since R^2/(lambda gamma) <= 10 n"};
    }
    const double outer = c.outer(c.growth() * 2.0 * q.initial(), q.epsilon());
    const double start = (1.0 + 36.0 * c.kappa / c.lambda) / std::pow(1.0 - 0.5 * c.eta, 2.0);
    const double inner =
        2.0 * std::log(2.0 * c.n * start * 2.0 * c.growth() / c.eta) + (theoretical_ ? 1.0 : 0.0);
    return {.iterations = outer * inner,
            .passes = outer * inner,
            .bytes = bytes,
            .theorem =
                "1 + (2/eta) log(xi_1/epsilon) outer iterations of O(log(R^2/(lambda gamma "
                "n))) epochs"};
  }

  void start(Problem problem) {
    problem_ = problem;
    c_ = Constants::of(problem, problem.blocks());
    options_.kappa = c_.kappa;
    // The inner problems change every few epochs: nobody may sleep through several of them.
    if (c_.accelerates()) options_.longest_rest = kLongestRest;
    ascent_.start(problem, options_);
    target_.start(problem);
    counts_ = problem.integers("outer", 2);
    numbers_ = problem.numbers("xi", 1);
    if (!c_.accelerates()) {
      if (!problem.resumed())
        problem.note(
            "acc-prox-sdca ran plain prox-sdca: R^2/(lambda gamma) <= 10 n, there is nothing to "
            "accelerate");
      return;
    }
    previous_ = problem.numbers("previous", problem.parameters());
    center_.resize(static_cast<std::size_t>(problem.parameters()));
    if (problem.resumed()) return;
    if (problem.raw().warm_dual) start_at_warm_point();
    counts_[kOuter] = 1;
    const GapTarget::Values at = target_.values(ascent_.weights().all(), ascent_.alpha());
    *numbers_ = c_.growth() * (at.primal - at.dual);
    counts_[kEpochs] = 0;
  }

  Outcome step() {
    Outcome outcome = Outcome::more;
    std::int64_t entries = 0;
    while (entries < problem_.shape().entries && outcome == Outcome::more) {
      entries += 1 + ascent_.epoch();
      ++counts_[kEpochs];
      if (c_.accelerates() && inner_is_done()) outcome = next_outer();
    }
    problem_.touched(entries);
    return outcome;
  }

  View view() { return {.weights = ascent_.weights().all(), .dual = ascent_.alpha()}; }

 private:
  enum : std::size_t { kOuter, kEpochs };
  static constexpr std::int64_t kLongestRest = 3;

  // y = w at the weights that the given α has in the plain problem.
  void start_at_warm_point() {
    std::vector<double> v(center_.size());
    problem_.adjoint(ascent_.alpha(), v.data());
    problem_.omega_conjugate_gradient(v.data(), center_.data());
    ascent_.weights().move_center(center_.data());
    std::copy(center_.begin(), center_.end(), previous_);
  }

  // ξ_t.
  double xi() const {
    return *numbers_ * std::pow(1.0 - 0.5 * c_.eta, static_cast<double>(counts_[kOuter] - 1));
  }

  bool inner_is_done() {
    if (!theoretical_) return counts_[kEpochs] >= epochs_;
    inner_gap_ = ascent_.gap();
    return inner_gap_ <= c_.eta / (2.0 * c_.growth()) * xi();
  }

  Outcome next_outer() {
    counts_[kEpochs] = 0;
    ++counts_[kOuter];
    const double* w = ascent_.weights().all();
    const double* y = ascent_.weights().center();
    double squared = 0.0;
    for (std::size_t j = 0; j < center_.size(); ++j) {
      squared += (w[j] - y[j]) * (w[j] - y[j]);
      center_[j] = w[j] + c_.beta * (w[j] - previous_[j]);
      previous_[j] = w[j];
    }
    const Outcome outcome =
        theoretical_ && conditions_hold(w, squared) ? Outcome::done : Outcome::more;
    if (outcome == Outcome::more) ascent_.weights().move_center(center_.data());
    return outcome;
  }

  // Either condition proves J(w) − J* ≤ ε; the claim to the host is about the gap, so that is
  // looked at as well.
  bool conditions_hold(const double* w, double squared) const {
    const GapTarget::Values at = target_.values(w, ascent_.alpha());
    const double epsilon = target_.epsilon(at.dual);
    if (!(epsilon > 0.0)) return false;
    const bool first = static_cast<double>(counts_[kOuter]) >= c_.outer(*numbers_, epsilon);
    const bool second =
        (1.0 + c_.rho / c_.mu) * inner_gap_ + c_.rho * c_.kappa / (2.0 * c_.mu) * squared <=
        epsilon;
    return (first || second) && target_.met(at);
  }

  bool theoretical_;
  std::int64_t epochs_;
  dual::AscentOptions options_;
  Problem problem_;
  Constants c_;
  dual::Ascent ascent_;
  GapTarget target_;
  std::int64_t* counts_ = nullptr;  // outer iterations, epochs in the present one
  double* numbers_ = nullptr;       // ξ₁
  double* previous_ = nullptr;
  std::vector<double> center_;
  double inner_gap_ = infinity;
};
}  // namespace

FENCHEL_SOLVER(AccProxSdca)
