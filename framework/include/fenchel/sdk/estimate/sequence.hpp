// Accelerated gradient with estimate functions (AGM-EF): a model of F above its minimum, kept in
// closed form, whose minimiser z drives the next step.
//
// ∞-memory (algorithms 1 and 2):  ψ(x) = Δ(x, x₀) + Σ aᵢ [Ψ(x) + ℓ(x; uᵢ)],      A F(x_k) ≤ min ψ
// 1-memory (algorithms 3 and 4):  q(x) = c Δ(x, z) + q(z), compressed every step,    F(x_k) ≤ q(z)
//
// with ℓ(x; u) = f(u) + ⟨∇f(u), x − u⟩ + λ₁ Δ(x, u), f = h∘B, λ₁ and λ₂ the strong convexity of f
// and Ψ. Both models are kept as c d(x) + ⟨p, x⟩ + b plus a multiple of Ψ. The weighted mean of the
// slopes at the uᵢ is a point of the dual problem, so that a gap costs no pass.
//
// Adaptive L: a step is tried with L divided by `down`, and L grows by `up` until the invariant on
// the right holds. Scores of x and u follow by linearity: a try is one pass.
#pragma once

#include <fenchel/sdk/estimate/spaces.hpp>

#include <algorithm>
#include <cmath>
#include <vector>

namespace fenchel::sdk::estimate {

struct Options {
  bool one_memory = true;
  bool adaptive = true;
  double up = 2.0, down = 1.3;
  double lambda1 = 0.0, lambda2 = 0.0;
  double lipschitz = 1.0;  // the constant, or where adaptive L starts
};

template <class Space>
class Sequence {
 public:
  // The state that outlives a step, in the arena by the name "estimate".
  enum : std::size_t {
    kSteps,     // accepted
    kTries,     // gradients evaluated
    kL,         // of the last step
    kMass,      // A, or c
    kConstant,  // b of the model
    kScale,     // A or 1: the invariant is scale · F ≤ model
    kModel,     // the model at its minimiser z
    kValue,     // F(x)
    kDecay,     // what is left of the first model: 1/A or Π(1 − aᵢ)
    kCount
  };

  void start(Problem problem, Space space, const Options& options, const double* warm) {
    space_ = std::move(space);
    options_ = options;
    const std::int64_t size = space_.size(), images = space_.images();
    x_ = problem.numbers("x", size);
    z_ = problem.numbers("z", size);
    linear_ = problem.numbers("linear", size);
    mean_gradient_ = problem.numbers("mean-gradient", size);
    x_image_ = problem.numbers("x-image", images);
    z_image_ = problem.numbers("z-image", images);
    mean_slopes_ = problem.numbers("mean-slopes", images);
    state_ = problem.numbers("estimate", kCount);
    for (std::vector<double>* v : {&u_, &gradient_, &p_, &next_x_, &next_z_})
      v->resize(static_cast<std::size_t>(size));
    for (std::vector<double>* v : {&u_image_, &slopes_, &next_x_image_, &next_z_image_})
      v->resize(static_cast<std::size_t>(images));
    if (problem.resumed()) return;
    state_[kL] = options.lipschitz;
    state_[kDecay] = 1.0;
    space_.first(warm, x_);
    std::copy_n(x_, size, z_);
    space_.image(x_, x_image_);
    std::copy_n(x_image_, images, z_image_);
    if (!options.one_memory) anchor(z_, 1.0, 0.0);
  }

  // One accepted step.
  void step() {
    constexpr int kMost = 100;
    const bool first = state_[kSteps] == 0.0;
    if (options_.adaptive && !first) state_[kL] /= options_.down;
    for (int tries = 0;; ++tries) {
      const Try t = first && options_.one_memory ? opening(state_[kL]) : shape(state_[kL]);
      attempt(t);
      if (!options_.adaptive || invariant(t)) return accept(t);
      if (tries == kMost)
        throw std::runtime_error("adaptive L found no step: the smooth part is not smooth here");
      state_[kL] *= options_.up;
    }
  }

  const double* x() const { return x_; }
  const double* images() const { return x_image_; }
  const double* mean_slopes() const { return mean_slopes_; }
  double value() const { return state_[kValue]; }
  // D(α_k), or −J(w_k) on the dual.
  double other_value() { return space_.other_value(mean_slopes_, mean_gradient_); }
  // The masses have outgrown what doubles can tell apart.
  bool exhausted() const { return state_[kDecay] < 1e-100; }
  const double* state() const { return state_; }

 private:
  // One step with one L: weights of the new point, of u = along_x x + along_z z, and of the model.
  struct Try {
    double a, mix;            // of the new linearisation; of z in the new x
    double along_x, along_z;  // u
    double retain;            // of the old model
    double distances, rest;   // multiples of d and of Ψ in the new model
    double scale;             // of F in the invariant
    double mass;              // the next A, or c
    double lambda1;           // of the linearisation
  };

  Try shape(double l) const { return options_.one_memory ? one_shape(l) : all_shape(l); }

  Try all_shape(double l) const {
    const double lambda1 = options_.lambda1, lambda2 = options_.lambda2, lambda = lambda1 + lambda2,
                 mass = state_[kMass];
    const double curve = std::max(l - lambda1, 1e-300);
    const double b = 2.0 * lambda * mass + 1.0, c = mass * (lambda * mass + 1.0);
    const double a = (b + std::sqrt(b * b + 4.0 * curve * c)) / (2.0 * curve);
    const double next = mass + a;
    const double t1 = 1.0 + lambda * mass, t2 = lambda1 * a, t3 = lambda2 * a * mass / next,
                 t = t1 + t2 + t3;
    const double below = t * next - t2 * a;
    return {.a = a,
            .mix = a / next,
            .along_x = (t * mass + t3 * a) / below,
            .along_z = a * t1 / below,
            .retain = 1.0,
            .distances = 1.0 + lambda1 * next,
            .rest = next,
            .scale = next,
            .mass = next,
            .lambda1 = lambda1};
  }

  Try one_shape(double l) const {
    const double lambda1 = options_.lambda1, lambda2 = options_.lambda2, lambda = lambda1 + lambda2,
                 mass = state_[kMass];
    const double b = mass - lambda;
    const double a = 2.0 * mass / (b + std::sqrt(b * b + 4.0 * (l + lambda2) * mass));
    const double t1 = (1.0 - a) * mass, t2 = lambda1 * a, t3 = lambda2 * a * (1.0 - a),
                 t = t1 + t2 + t3;
    const double below = t - t2 * a;
    return {.a = a,
            .mix = a,
            .along_x = (t - (t1 + t2) * a) / below,
            .along_z = t1 * a / below,
            .retain = 1.0 - a,
            .distances = (1.0 - a) * mass + lambda1 * a,
            .rest = a,
            .scale = 1.0,
            .mass = (1.0 - a) * mass + lambda * a,
            .lambda1 = lambda1};
  }

  // q₀(x) = L Δ(x, u₀) + Ψ(x) + f(u₀) + ⟨∇f(u₀), x − u₀⟩ as a step with a = 1 from the model L Δ(·,
  // u₀).
  Try opening(double l) {
    anchor(x_, l, 0.0);
    return {.a = 1.0,
            .mix = 1.0,
            .along_x = 1.0,
            .along_z = 0.0,
            .retain = 1.0,
            .distances = l,
            .rest = 1.0,
            .scale = 1.0,
            .mass = l + options_.lambda2,
            .lambda1 = 0.0};
  }

  // The model becomes c Δ(·, at) + value.
  void anchor(const double* at, double c, double value) {
    const Geometry& geometry = space_.geometry();
    const auto count = static_cast<double>(space_.size());
    for (std::int64_t j = 0; j < space_.size(); ++j) linear_[j] = -c * geometry.slope(at[j], count);
    state_[kConstant] = value + c * geometry.conjugate(at, space_.size());
  }

  void attempt(const Try& t) {
    ++state_[kTries];
    const Geometry& geometry = space_.geometry();
    const auto count = static_cast<double>(space_.size());
    blend(t.along_x, x_, t.along_z, z_, u_);
    blend(t.along_x, x_image_, t.along_z, z_image_, u_image_);
    const double value = space_.smooth_slopes(u_image_.data(), slopes_.data());
    space_.gradient(slopes_.data(), gradient_.data());

    double inner = 0.0;
    for (std::size_t j = 0; j < p_.size(); ++j) {
      inner += gradient_[j] * u_[j];
      p_[j] = t.retain * linear_[j] + t.a * gradient_[j];
      if (t.lambda1 > 0.0) p_[j] -= t.a * t.lambda1 * geometry.slope(u_[j], count);
    }
    constant_ = t.retain * state_[kConstant] + t.a * (value - inner);
    if (t.lambda1 > 0.0)
      constant_ += t.a * t.lambda1 * geometry.conjugate(u_.data(), space_.size());

    space_.minimise(p_.data(), t.distances, t.rest, next_z_.data());
    space_.image(next_z_.data(), next_z_image_.data());
    blend(1.0 - t.mix, x_, t.mix, next_z_.data(), next_x_);
    blend(1.0 - t.mix, x_image_, t.mix, next_z_image_.data(), next_x_image_);
    value_ = space_.rest(next_x_.data()) + space_.smooth(next_x_image_.data());
    model_ = constant_ + t.distances * geometry.distance(next_z_.data(), space_.size()) +
             t.rest * space_.rest(next_z_.data());
    for (std::size_t j = 0; j < p_.size(); ++j) model_ += p_[j] * next_z_[j];
  }

  bool invariant(const Try& t) const {
    constexpr double kRounding = 1e-13;
    const double noise = kRounding * (t.scale * std::abs(value_) + std::abs(constant_));
    return std::isfinite(value_) && t.scale * value_ <= model_ + noise;
  }

  void accept(const Try& t) {
    ++state_[kSteps];
    std::copy(next_x_.begin(), next_x_.end(), x_);
    std::copy(next_z_.begin(), next_z_.end(), z_);
    std::copy(next_x_image_.begin(), next_x_image_.end(), x_image_);
    std::copy(next_z_image_.begin(), next_z_image_.end(), z_image_);
    average(t.mix, gradient_, mean_gradient_);
    average(t.mix, slopes_, mean_slopes_);
    state_[kMass] = t.mass;
    state_[kScale] = t.scale;
    state_[kModel] = model_;
    state_[kValue] = value_;
    if (options_.one_memory) {
      state_[kDecay] = state_[kSteps] == 1.0 ? 1.0 : state_[kDecay] * (1.0 - t.a);
      anchor(z_, t.mass, model_);
    } else {
      state_[kDecay] = 1.0 / t.mass;
      std::copy(p_.begin(), p_.end(), linear_);
      state_[kConstant] = constant_;
    }
  }

  static void blend(double a, const double* x, double b, const double* y,
                    std::vector<double>& out) {
    for (std::size_t j = 0; j < out.size(); ++j) out[j] = a * x[j] + b * y[j];
  }
  static void average(double mix, const std::vector<double>& in, double* mean) {
    for (std::size_t j = 0; j < in.size(); ++j) mean[j] += mix * (in[j] - mean[j]);
  }

  Space space_;
  Options options_;
  double *x_ = nullptr, *z_ = nullptr, *linear_ = nullptr, *mean_gradient_ = nullptr;
  double *x_image_ = nullptr, *z_image_ = nullptr, *mean_slopes_ = nullptr, *state_ = nullptr;
  std::vector<double> u_, gradient_, p_, next_x_, next_z_;
  std::vector<double> u_image_, slopes_, next_x_image_, next_z_image_;
  double constant_ = 0.0, value_ = 0.0, model_ = 0.0;
};

}  // namespace fenchel::sdk::estimate
