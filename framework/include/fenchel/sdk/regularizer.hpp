// Regularizers. Two forms:
//
// Separable, Omega(w) = sum_j omega(w_j): formulas on one coordinate.
//   double value(double w) const;
//   double prox(double w, double t) const;
//   double conjugate(double v) const;             // +infinity outside the domain
//   double conjugate_gradient(double v) const;    // optional
//   double gradient(double w) const;              // optional
//   double dual_limit() const;                    // optional: dom omega* = [-limit, limit]
//
// Whole, on all coordinates at once (`using Values = std::span<const double>`):
//   double value(Values w) const;
//   void prox(Values w, double t, std::span<double> out) const;
//   double conjugate(Values v) const;
//   void conjugate_gradient(Values v, std::span<double> out) const;   // optional
//   void gradient(Values w, std::span<double> out) const;             // optional
//   double dual_scale(Values v) const;                                // optional
//   // optional: argmin <p, x> + c d(x) + a Omega(x), d(x) = sum x_i log(N x_i), c + a > 0
//   void mirror_step(Values p, double c, double a, std::span<double> out) const;
#pragma once

#include <fenchel/sdk/base.hpp>

#include <algorithm>
#include <cmath>

namespace fenchel::sdk {

using Values = std::span<const double>;

// What is not said is unknown; the separable form is separable by construction.
struct RegularizerFacts {
  Fact convex{};
  Fact lipschitz{};
  Fact smoothness{};
  Fact strong_convexity{};
  Fact domain_radius{};
  Fact quadratic{};
  Fact lower_bound{};
  Fact growth{};
};

namespace detail {

// Just below 1, so that scaling by s keeps s v inside a closed domain after rounding.
inline constexpr double kInside = 1.0 - 4.0 * std::numeric_limits<double>::epsilon();

template <class T>
concept SeparableForm = requires(const T& f) {
  { f.value(0.0) } -> std::same_as<double>;
};

template <class T>
struct RegularizerCalls {
  static constexpr bool kSeparable = SeparableForm<T>;

  static Values in(const fenchel_coords* c, const double* x) {
    return {x, static_cast<std::size_t>(c->count)};
  }
  static std::span<double> into(const fenchel_coords* c, double* x) {
    return {x, static_cast<std::size_t>(c->count)};
  }

  static void fact(const void* self, std::int32_t id, fenchel_fact* out) {
    const RegularizerFacts facts = as<T>(self).facts();
    switch (id) {
      case FENCHEL_FACT_CONVEX: return store(facts.convex, out);
      case FENCHEL_FACT_LIPSCHITZ: return store(facts.lipschitz, out);
      case FENCHEL_FACT_SMOOTHNESS: return store(facts.smoothness, out);
      case FENCHEL_FACT_STRONG_CONVEXITY: return store(facts.strong_convexity, out);
      case FENCHEL_FACT_DOMAIN_RADIUS: return store(facts.domain_radius, out);
      case FENCHEL_FACT_QUADRATIC: return store(facts.quadratic, out);
      case FENCHEL_FACT_LOWER_BOUND: return store(facts.lower_bound, out);
      case FENCHEL_FACT_GROWTH: return store(facts.growth, out);
      case FENCHEL_FACT_SEPARABLE: return store(kSeparable ? Fact(true) : absent, out);
      default: return store(unknown, out);
    }
  }

  static double sum(Values x, auto&& term) {
    double total = 0.0;
    for (const double entry : x) total += term(entry);
    return total;
  }

  // A plain loop: not every standard library in use has the range algorithms.
  static void each(Values x, double* out, auto&& formula) {
    for (std::size_t k = 0; k < x.size(); ++k) out[k] = formula(x[k]);
  }

  static std::int32_t value(const void* self, const fenchel_coords* c, const double* w,
                            double* out) {
    return guarded([&] {
      const T& f = as<T>(self);
      if constexpr (kSeparable)
        *out = sum(in(c, w), [&](double x) { return f.value(x); });
      else
        *out = f.value(in(c, w));
    });
  }
  static std::int32_t conjugate(const void* self, const fenchel_coords* c, const double* v,
                                double* out) {
    return guarded([&] {
      const T& f = as<T>(self);
      if constexpr (kSeparable)
        *out = sum(in(c, v), [&](double x) { return f.conjugate(x); });
      else
        *out = f.conjugate(in(c, v));
    });
  }
  static std::int32_t prox(const void* self, const fenchel_coords* c, const double* w, double step,
                           double* out) {
    return guarded([&] {
      const T& f = as<T>(self);
      if constexpr (kSeparable)
        each(in(c, w), out, [&](double x) { return f.prox(x, step); });
      else
        f.prox(in(c, w), step, into(c, out));
    });
  }
  static std::int32_t conjugate_gradient(const void* self, const fenchel_coords* c, const double* v,
                                         double* out) {
    return guarded([&] {
      const T& f = as<T>(self);
      if constexpr (kSeparable)
        each(in(c, v), out, [&](double x) { return f.conjugate_gradient(x); });
      else
        f.conjugate_gradient(in(c, v), into(c, out));
    });
  }
  static std::int32_t gradient(const void* self, const fenchel_coords* c, const double* w,
                               double* out) {
    return guarded([&] {
      const T& f = as<T>(self);
      if constexpr (kSeparable)
        each(in(c, w), out, [&](double x) { return f.gradient(x); });
      else
        f.gradient(in(c, w), into(c, out));
    });
  }
  static std::int32_t dual_scale(const void* self, const fenchel_coords* c, const double* v,
                                 double* out) {
    return guarded([&] {
      const T& f = as<T>(self);
      if constexpr (requires { f.dual_limit(); }) {
        double largest = 0.0;
        for (const double entry : in(c, v)) largest = std::max(largest, std::abs(entry));
        const double limit = f.dual_limit();
        *out = largest <= limit ? 1.0 : kInside * limit / largest;
      } else if constexpr (requires { f.dual_scale(in(c, v)); }) {
        *out = f.dual_scale(in(c, v));
      } else {
        *out = 1.0;
      }
    });
  }

  static std::int32_t mirror_step(const void* self, std::int64_t count, const double* p, double c,
                                  double a, double* out) {
    return guarded([&] {
      const auto n = static_cast<std::size_t>(count);
      as<T>(self).mirror_step(Values{p, n}, c, a, std::span<double>{out, n});
    });
  }
  static const void* oracle(const char* name, std::uint32_t revision) {
    static constexpr fenchel_mirror_oracle kMirror{sizeof(fenchel_mirror_oracle),
                                                   FENCHEL_DISTANCE_ENTROPY, mirror_step};
    return revision == 1 && std::strcmp(name, "mirror-step") == 0 ? &kMirror : nullptr;
  }

  static constexpr fenchel_regularizer table() {
    fenchel_regularizer t{};
    t.struct_size = sizeof(fenchel_regularizer);
    t.fact = fact;
    t.value = value;
    t.dual_scale = dual_scale;
    if constexpr (
        requires(const T& f, Values x, std::span<double> y) { f.prox(x, 1.0, y); } ||
        requires(const T& f) { f.prox(0.0, 1.0); })
      t.prox = prox;
    if constexpr (
        requires(const T& f, Values x) { f.conjugate(x); } ||
        requires(const T& f) { f.conjugate(0.0); })
      t.conjugate = conjugate;
    if constexpr (
        requires(const T& f, Values x, std::span<double> y) { f.conjugate_gradient(x, y); } ||
        requires(const T& f) { f.conjugate_gradient(0.0); })
      t.conjugate_gradient = conjugate_gradient;
    if constexpr (
        requires(const T& f, Values x, std::span<double> y) { f.gradient(x, y); } ||
        requires(const T& f) { f.gradient(0.0); })
      t.gradient = gradient;
    if constexpr (requires(const T& f, Values x, std::span<double> y) {
                    f.mirror_step(x, 1.0, 1.0, y);
                  })
      t.oracle = oracle;
    return t;
  }
};

template <class T>
inline constexpr fenchel_regularizer kRegularizerTable = RegularizerCalls<T>::table();

}  // namespace detail
}  // namespace fenchel::sdk

#define FENCHEL_REGULARIZER(Type) \
  FENCHEL_PLUGIN(Type, FENCHEL_KIND_REGULARIZER, fenchel::sdk::detail::kRegularizerTable<Type>)
