// Proximal stochastic dual coordinate ascent (Shalev-Shwartz and Zhang, figure 1); the step and its
// five options are in sdk/dual/step.hpp, the epochs in sdk/dual/ascent.hpp.
//
// (1/γ)-smooth losses: E[gap] ≤ ε after (n + R²/(μγ)) log((n + R²/(μγ)) (D* − D₀)/ε) steps, and
// with chance 1 − δ after log₂(1/δ) times as many, 2(D* − D₀) in place of D* − D₀.
#include <fenchel/sdk.hpp>
#include <fenchel/sdk/dual/ascent.hpp>
#include <fenchel/sdk/dual/iterates.hpp>
#include <fenchel/sdk/gap_target.hpp>

#include <algorithm>
#include <cmath>
#include <string>

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
      dual::Ascent::kOption,
      dual::Ascent::kSampling,
      dual::Ascent::kShrinking,
      dual::Iterates::kIterate,
      {.name = "stopping",
       .type = Type::text,
       .fallback = "certified",
       .range = "certified | theoretical",
       .meaning = "wait for the host's certificate, or also stop where the theorem says so"},
      {.name = "delta",
       .fallback = "0.01",
       .range = "(0, 1)",
       .meaning = "theoretical stopping: the chance of failure that the theorem may have"}};

  explicit ProxSdca(const Params& p)
      : options_(dual::Ascent::read(p)),
        iterate_(p.text("iterate")),
        theoretical_(p.text("stopping") == "theoretical"),
        delta_(p.number("delta")) {}

  std::vector<Requirement> requirements() const {
    std::vector<Requirement> list = dual::Ascent::requirements();
    if (options_.option == 1) {
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

  Rate rate(const RateQuery& q) const {
    const Theorem t = Theorem::of(q, options_.option, static_cast<double>(q.shape().blocks));
    const double epochs = t.steps(q.initial(), q.epsilon()) / t.n;
    return {
        .iterations = epochs,
        .passes = epochs,
        .bytes = 8.0 * static_cast<double>(4 * q.shape().scores + q.shape().parameters),
        .theorem = t.is_smooth(q.initial(), q.epsilon())
                       ? "(n + R^2/(mu gamma)) log((n + R^2/(mu gamma)) (D* - D(0))/epsilon) steps"
                       : "n + 24 (l R)^2/(mu epsilon) steps"};
  }

  void start(Problem problem) {
    problem_ = problem;
    ascent_.start(problem, options_);
    theorem_ = Theorem::of(problem, options_.option, static_cast<double>(problem.blocks()));
    iterates_.start(problem, iterate_, std::max(1.0, theorem_.condition / theorem_.n));
    target_.start(problem);
    counts_ = problem.integers("stopping-counts", 2);
    first_gap_ = problem.numbers("first-gap", 1);
    if (!theoretical_ || problem.resumed()) return;
    counts_[kNextLook] = problem.blocks();
    *first_gap_ = ascent_.gap();
  }

  // Epochs over the examples that are awake, until half a pass is done: with few of them an epoch
  // is short.
  Outcome step() {
    std::int64_t entries = 0;
    while (entries < problem_.shape().entries) {
      entries += 1 + (iterates_.kept() ? drawing_epoch() : ascent_.epoch());
      counts_[kSteps] += ascent_.visits();
    }
    problem_.touched(entries);
    return theoretical_ && theorem_is_met() ? Outcome::done : Outcome::more;
  }

  View view() {
    if (iterates_.kept() && !iterates_.empty()) return iterates_.view();
    return {.weights = ascent_.weights().all(), .dual = ascent_.alpha()};
  }

 private:
  enum : std::size_t { kSteps, kNextLook };

  // Smooth losses: theorem 1 and its last part. Lipschitz: Shalev-Shwartz and Zhang 2013, theorem
  // 2, for |x| at most R.
  struct Theorem {
    double n = 1.0, condition = 1.0, mu = 0.0, ell = infinity;
    bool option_one = true;

    template <class Source>
    static Theorem of(const Source& source, std::int64_t option, double n) {
      Theorem t;
      t.n = n;
      t.mu = source.constant(About::regularizer, FENCHEL_FACT_STRONG_CONVEXITY);
      t.option_one = option == 1;
      const double radius = source.constant(About::problem, FENCHEL_FACT_BLOCK_NORM);
      const double beta = source.constant(About::loss, FENCHEL_FACT_SMOOTHNESS, infinity);
      t.condition = n + radius * radius * beta / t.mu;
      t.ell = radius * source.constant(About::loss, FENCHEL_FACT_LIPSCHITZ, infinity);
      return t;
    }
    double smooth(double initial, double epsilon) const {
      return condition * std::log(std::max(condition * initial / epsilon, 2.0));
    }
    double rough(double epsilon) const {
      const double warm = std::max(0.0, n * std::log(std::max(0.5 * mu * n / (ell * ell), 1.0)));
      const double main = ell * ell / (mu * epsilon);
      return option_one ? warm + 20.0 * main + std::max(n, 4.0 * main) : infinity;
    }
    bool is_smooth(double initial, double epsilon) const {
      return smooth(initial, epsilon) <= rough(epsilon);
    }
    double steps(double initial, double epsilon) const {
      return std::min(smooth(initial, epsilon), rough(epsilon));
    }
  };

  std::int64_t drawing_epoch() {
    std::int64_t drawn = 0;
    return ascent_.epoch([&](std::int64_t visit) {
      if (visit == 0) drawn = ascent_.random().below(ascent_.visits());
      if (visit == drawn)
        iterates_.record(ascent_.alpha(), ascent_.weights().all(), ascent_.random());
    });
  }

  // Once the theorem promises the tolerance the gap is evaluated, and the claim made only if it
  // holds. Looked at whenever the steps have doubled, since a look costs a pass.
  bool theorem_is_met() {
    if (counts_[kSteps] < counts_[kNextLook]) return false;
    counts_[kNextLook] = 2 * counts_[kSteps];
    const View at = view();
    const GapTarget::Values values = target_.values(at.weights, at.dual);
    const double epsilon = target_.epsilon(values.dual);
    if (!(epsilon > 0.0)) return false;
    const double promised =
        theorem_.steps(2.0 * *first_gap_, epsilon) * std::ceil(std::log2(1.0 / delta_));
    if (static_cast<double>(counts_[kSteps]) < promised) {
      if (std::isfinite(promised) && promised < 9e18)
        counts_[kNextLook] =
            std::min(counts_[kNextLook], static_cast<std::int64_t>(std::ceil(promised)));
      return false;
    }
    return target_.met(values);
  }

  dual::AscentOptions options_;
  std::string iterate_;
  bool theoretical_;
  double delta_;
  Problem problem_;
  Theorem theorem_;
  dual::Ascent ascent_;
  dual::Iterates iterates_;
  GapTarget target_;
  std::int64_t* counts_ = nullptr;
  double* first_gap_ = nullptr;
};
}  // namespace

FENCHEL_SOLVER(ProxSdca)
