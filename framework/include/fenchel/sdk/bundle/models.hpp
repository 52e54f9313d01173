// The two models of a bundle method: all cuts with the best mixture of them, or their running
// mixture alone, moved towards each new cut by a line search.
#pragma once

#include <fenchel/sdk/bundle/master.hpp>

#include <memory>

namespace fenchel::sdk::bundle {

// A piecewise linear lower bound of the risk, and where Ω plus it is least.
class Model {
 public:
  Model() = default;
  Model(const Model&) = delete;
  Model& operator=(const Model&) = delete;
  virtual ~Model() = default;

  virtual void start(Problem problem) = 0;
  virtual bool empty() const = 0;
  // ⟨slope, w⟩ + offset, from −dual ∈ ∂φ at some scores; the model is solved anew.
  virtual void add(const double* slope, double offset, const double* dual) = 0;
  virtual double value() const = 0;  // a lower bound on min J
  virtual const double* minimiser() const = 0;
  virtual void show(View& view) = 0;
  virtual void part(std::int64_t j, double* dual) const = 0;
};

class AllCuts final : public Model {
 public:
  explicit AllCuts(std::int64_t age) : age_(age) {}

  void start(Problem problem) override {
    cuts_.start(problem);
    master_.start(problem, cuts_);
  }
  bool empty() const override { return cuts_.size() == 0; }
  void add(const double* slope, double offset, const double* dual) override {
    master_.added(cuts_.add(slope, offset, dual));
    master_.solve();
    cuts_.retire(age_);
  }
  double value() const override { return master_.value(); }
  const double* minimiser() const override { return master_.minimiser(); }
  void show(View& view) override {
    shown_.clear();
    weights_.clear();
    for (std::size_t j = 0; j < cuts_.size(); ++j) {
      if (cuts_.weight(j) == 0.0) continue;
      shown_.push_back(j);
      weights_.push_back(cuts_.weight(j));
    }
    view.parts = static_cast<std::int64_t>(shown_.size());
    view.part_weights = weights_.data();
  }
  void part(std::int64_t j, double* dual) const override {
    cuts_.dual(shown_[static_cast<std::size_t>(j)], dual);
  }

 private:
  std::int64_t age_;
  Cuts cuts_;
  Master master_;
  std::vector<std::size_t> shown_;
  std::vector<double> weights_;
};

// ā, b̄, ᾱ ← (1 − η)(ā, b̄, ᾱ) + η(a, b, α) with the η in [0, 1] that is best for
// D = b̄ − Ω*(−ā). D is concave in η with D′(η) = b − b̄ + ⟨a − ā, ∇Ω*(v(η))⟩; for Ω = (λ/2)‖w‖² it
// is a parabola.
class RunningMixture final : public Model {
 public:
  void start(Problem problem) override {
    problem_ = problem;
    size_ = static_cast<std::size_t>(problem.parameters());
    slope_ = problem.numbers("mixed-slope", problem.parameters());
    dual_ = problem.numbers("mixed-dual", problem.scores());
    offset_ = problem.numbers("mixed-offset", 1);
    filled_ = problem.integers("mixed", 1);
    lambda_ = problem.constant(About::regularizer, FENCHEL_FACT_QUADRATIC);
    v_.resize(size_);
    w_.resize(size_);
    if (!empty()) settle();
  }
  bool empty() const override { return *filled_ == 0; }
  void add(const double* slope, double offset, const double* dual) override {
    const double eta = empty() ? 1.0 : search(slope, offset);
    mix(eta, slope, slope_, problem_.parameters());
    mix(eta, dual, dual_, problem_.scores());
    mix(eta, &offset, offset_, 1);
    *filled_ = 1;
    settle();
    if (eta > 0.0 && eta < 1.0) demand_conjugate();
  }
  double value() const override { return value_; }
  const double* minimiser() const override { return w_.data(); }
  void show(View& view) override { view.dual = dual_; }
  void part(std::int64_t, double*) const override {}

 private:
  static void mix(double eta, const double* from, double* to, std::int64_t count) {
    for (std::int64_t i = 0; i < count; ++i)
      to[i] = eta == 1.0 ? from[i] : (1.0 - eta) * to[i] + eta * from[i];
  }
  void settle() {
    for (std::size_t i = 0; i < size_; ++i) v_[i] = -slope_[i];
    problem_.omega_conjugate_gradient(v_.data(), w_.data());
    value_ = *offset_ - problem_.omega_conjugate(v_.data());
  }

  // Once: a loss may know its conjugate at subgradients and nowhere between them.
  void demand_conjugate() {
    if (demanded_) return;
    demanded_ = true;
    std::vector<double> u(dual_, dual_ + problem_.scores());
    for (double& x : u) x = -x;
    if (!std::isfinite(problem_.risk_conjugate(u.data())))
      throw std::runtime_error(
          "the loss cannot tell its conjugate at a mixture of subgradients; take variant 'qp', "
          "which "
          "shows them one by one");
  }

  // D′(η), with ∇Ω* taken there.
  double derivative(double eta, const double* slope, double offset) {
    for (std::size_t i = 0; i < size_; ++i) v_[i] = -(1.0 - eta) * slope_[i] - eta * slope[i];
    problem_.omega_conjugate_gradient(v_.data(), w_.data());
    return offset - *offset_ + product(slope, w_.data(), size_) - product(slope_, w_.data(), size_);
  }
  double search(const double* slope, double offset) {
    const double rise = derivative(0.0, slope, offset);
    if (!(rise > 0.0)) return 0.0;
    if (lambda_ > 0.0) {
      double squared = 0.0;
      for (std::size_t i = 0; i < size_; ++i)
        squared += (slope[i] - slope_[i]) * (slope[i] - slope_[i]);
      return std::min(1.0, rise * lambda_ / squared);
    }
    const double end = derivative(1.0, slope, offset);
    return end >= 0.0 ? 1.0 : root(rise, end, slope, offset);
  }
  // Where D′ changes its sign: false position with the kept end's value halved (Illinois).
  double root(double at_low, double at_high, const double* slope, double offset) {
    constexpr int kMost = 100;
    double low = 0.0, high = 1.0;
    int kept = 0;
    for (int k = 0; k < kMost && high - low > 1e-15 * high; ++k) {
      const double eta = (low * at_high - high * at_low) / (at_high - at_low);
      const double at = derivative(eta, slope, offset);
      if (at == 0.0) return eta;
      if (at > 0.0) {
        low = eta;
        at_low = at;
        if (kept == 1) at_high *= 0.5;
        kept = 1;
      } else {
        high = eta;
        at_high = at;
        if (kept == -1) at_low *= 0.5;
        kept = -1;
      }
    }
    return low;
  }

  Problem problem_;
  std::size_t size_ = 0;
  double lambda_ = 0.0, value_ = 0.0;
  double *slope_ = nullptr, *dual_ = nullptr, *offset_ = nullptr;
  std::int64_t* filled_ = nullptr;
  std::vector<double> v_, w_;
  bool demanded_ = false;
};

}  // namespace fenchel::sdk::bundle
