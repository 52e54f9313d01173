// What agm-inf and agm-1 share: an estimate sequence on the primal problem, as a solver.
#pragma once

#include <fenchel/sdk/estimate/adaptive.hpp>
#include <fenchel/sdk/estimate/sequence.hpp>
#include <fenchel/sdk/gap_target.hpp>
#include <fenchel/sdk/proximal_step.hpp>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

namespace fenchel::sdk::estimate {

inline constexpr Param kGeometry{
    .name = "geometry",
    .type = Type::text,
    .fallback = "auto",
    .range = "auto | euclidean | entropy",
    .meaning = "the distance of the model; auto: entropy where the regularizer has its step"};

class PrimalMethod {
 public:
  PrimalMethod(const Params& p, bool one_memory) : geometry_(p.text("geometry")) {
    options_.one_memory = one_memory;
    read_step(p, options_);
  }

  std::vector<Requirement> requirements() const {
    std::vector<Requirement> list = {
        {About::loss, FENCHEL_FACT_CONVEX,
         "the rate and the certificate are those of convex problems"},
        {About::loss, FENCHEL_FACT_SMOOTHNESS, "a gradient step needs a Lipschitz gradient",
         options_.adaptive ? Relation::possible : Relation::known},
        {About::regularizer, FENCHEL_FACT_CONVEX,
         "the rate and the certificate are those of convex problems"}};
    const std::int32_t either = geometry_ == "auto" ? 1 : 0;
    if (geometry_ != "entropy")
      list.push_back({About::regularizer, FENCHEL_FACT_HAS_PROX,
                      "each step minimises a model with the regularizer in it", Relation::known,
                      0.0, either});
    if (geometry_ != "euclidean")
      list.push_back({About::regularizer, FENCHEL_FACT_HAS_MIRROR_STEP,
                      "each step minimises a model with the regularizer in it", Relation::known,
                      0.0, either});
    return list;
  }

  void start(Problem problem) {
    problem_ = problem;
    target_.start(problem);
    const bool entropy =
        geometry_ == "entropy" || (geometry_ == "auto" && Geometry::oracle(problem));
    options_.lambda1 = problem.constant(About::problem, FENCHEL_FACT_RISK_STRONG_CONVEXITY);
    options_.lambda2 = modulus(problem, entropy);
    const double l = options_.adaptive
                         ? ProximalStep::low_guess(problem)
                         : problem.constant(About::problem, FENCHEL_FACT_RISK_SMOOTHNESS);
    options_.lipschitz = l > options_.lambda1 ? l : std::max(2.0 * options_.lambda1, 1e-12);
    Primal space;
    space.start(problem, entropy);
    sequence_.start(problem, std::move(space), options_, problem.raw().warm_weights);
    alpha_.resize(static_cast<std::size_t>(problem.scores()));
  }

  // The gap of (x_k, α_k) is known without a pass: done as soon as it meets the target.
  Outcome step() {
    if (sequence_.exhausted()) return Outcome::stalled;
    sequence_.step();
    const double dual = sequence_.other_value();
    return std::isfinite(dual) && target_.met({sequence_.value(), dual}) ? Outcome::done
                                                                         : Outcome::more;
  }

  View view() {
    for (std::size_t i = 0; i < alpha_.size(); ++i) alpha_[i] = -sequence_.mean_slopes()[i];
    return {.weights = sequence_.x(), .dual = alpha_.data(), .scores = sequence_.images()};
  }

  // `steps(distance, L, lambda, error)`: the theorem's number of steps.
  template <class Steps>
  Rate rate(const RateQuery& q, const char* theorem, Steps&& steps) const {
    const double l = q.constant(About::problem, FENCHEL_FACT_RISK_SMOOTHNESS, infinity) *
                     (options_.adaptive ? options_.up : 1.0);
    const double mu = q.constant(About::regularizer, FENCHEL_FACT_STRONG_CONVEXITY);
    const double error = ProximalStep::error_for_gap(q.epsilon(), l, mu);
    const double iterations = steps(0.5 * q.distance() * q.distance(), l, mu, error);
    const auto& shape = q.shape();
    return {.iterations = iterations,
            .passes = tries(iterations, options_) + 0.5,
            .bytes = 8.0 * static_cast<double>(9 * shape.parameters + 7 * shape.scores),
            .theorem = theorem};
  }

 private:
  // λ₂ in the norm of the geometry: |x|₂ ≤ |x|₁ ≤ √N |x|₂.
  static double modulus(const Problem& problem, bool entropy) {
    const Fact mu = problem.fact(About::regularizer, FENCHEL_FACT_STRONG_CONVEXITY);
    if (mu.state != FENCHEL_KNOWN) return 0.0;
    return entropy && mu.norm != Norm::l1 ? mu.value / static_cast<double>(problem.parameters())
                                          : mu.value;
  }

  std::string geometry_;
  Options options_;
  Problem problem_;
  GapTarget target_;
  Sequence<Primal> sequence_;
  std::vector<double> alpha_;
};

}  // namespace fenchel::sdk::estimate
