// Losses. The author writes formulas on one scalar block; the batch loops are here.
//
//   struct Hinge {
//     static constexpr Card card{.id = "hinge", .summary = "max(0, 1 - y z)"};
//     static constexpr Target target = Target::binary;      // binary where not said
//     explicit Hinge(const Params&);
//     LossFacts facts() const;
//     double value(double z, double y) const;
//     double gradient(double z, double y) const;
//     double conjugate(double u, double y) const;            // +infinity outside the domain
//     double prox(double s, double t, double y) const;
//     Interval dual_domain(double y) const;                   // optional: dom phi*; else all of R
//   };
//   FENCHEL_LOSS(Hinge)
#pragma once

#include <fenchel/sdk/base.hpp>

#include <algorithm>

namespace fenchel::sdk {

enum class Target : std::int32_t {
  none = FENCHEL_TARGET_NONE,
  binary = FENCHEL_TARGET_BINARY,
  real = FENCHEL_TARGET_REAL,
};

struct Interval {
  double low = -infinity;
  double high = infinity;
};

// The constants of one block, without the 1/n. What is not said is unknown.
struct LossFacts {
  Fact convex{};
  Fact lipschitz{};
  Fact smoothness{};
  Fact strong_convexity{};
  Fact lower_bound{};
};

namespace detail {

template <class T>
concept HasDualDomain = requires(const T& f) {
  { f.dual_domain(0.0) } -> std::same_as<Interval>;
};

template <class T>
constexpr std::int32_t target_of() {
  if constexpr (requires { T::target; })
    return static_cast<std::int32_t>(T::target);
  else
    return FENCHEL_TARGET_BINARY;
}

template <class T>
struct ScalarLoss {
  static void fact(const void* self, std::int32_t id, fenchel_fact* out) {
    const LossFacts facts = as<T>(self).facts();
    switch (id) {
      case FENCHEL_FACT_CONVEX: return store(facts.convex, out);
      // Lipschitz with constant l and dom phi* within [-l, l] say the same.
      case FENCHEL_FACT_LIPSCHITZ:
      case FENCHEL_FACT_DUAL_RADIUS: return store(facts.lipschitz, out);
      case FENCHEL_FACT_SMOOTHNESS: return store(facts.smoothness, out);
      case FENCHEL_FACT_STRONG_CONVEXITY: return store(facts.strong_convexity, out);
      case FENCHEL_FACT_LOWER_BOUND: return store(facts.lower_bound, out);
      default: return store(unknown, out);
    }
  }

  // out[b] = formula(in[b], b, target[b]) for every block of the batch.
  template <class Formula>
  static std::int32_t each(const fenchel_batch* batch, const double* in, double* out,
                           Formula formula) noexcept {
    return guarded([&] {
      for (std::int64_t b = 0; b < batch->count; ++b)
        out[b] = formula(in[b], b, batch->targets ? batch->targets[b] : 0.0);
    });
  }

  static std::int32_t value(const void* self, const fenchel_batch* batch, const double* scores,
                            double* out) {
    return each(batch, scores, out,
                [&f = as<T>(self)](double z, std::int64_t, double y) { return f.value(z, y); });
  }
  static std::int32_t gradient(const void* self, const fenchel_batch* batch, const double* scores,
                               double* out) {
    return each(batch, scores, out,
                [&f = as<T>(self)](double z, std::int64_t, double y) { return f.gradient(z, y); });
  }
  static std::int32_t conjugate(const void* self, const fenchel_batch* batch, const double* duals,
                                double* out) {
    return each(batch, duals, out,
                [&f = as<T>(self)](double u, std::int64_t, double y) { return f.conjugate(u, y); });
  }
  static std::int32_t prox(const void* self, const fenchel_batch* batch, const double* scores,
                           const double* steps, double* out) {
    return each(batch, scores, out, [&f = as<T>(self), steps](double s, std::int64_t b, double y) {
      return f.prox(s, steps[b], y);
    });
  }
  static std::int32_t project_dual(const void* self, const fenchel_batch* batch, double* duals) {
    return each(batch, duals, duals, [&f = as<T>(self)](double u, std::int64_t, double y) {
      const Interval domain = f.dual_domain(y);
      return std::clamp(u, domain.low, domain.high);
    });
  }

  static constexpr fenchel_loss table() {
    fenchel_loss t{};
    t.struct_size = sizeof(fenchel_loss);
    t.targets = target_of<T>();
    t.layout = FENCHEL_LAYOUT_SCALAR;
    t.fact = fact;
    t.value = value;
    t.gradient = gradient;
    if constexpr (requires(const T& f) { f.conjugate(0.0, 0.0); }) t.conjugate = conjugate;
    if constexpr (requires(const T& f) { f.prox(0.0, 1.0, 0.0); }) t.prox = prox;
    if constexpr (HasDualDomain<T>) t.project_dual = project_dual;
    return t;
  }
};

template <class T>
inline constexpr fenchel_loss kLossTable = ScalarLoss<T>::table();

}  // namespace detail
}  // namespace fenchel::sdk

#define FENCHEL_LOSS(Type) \
  FENCHEL_PLUGIN(Type, FENCHEL_KIND_LOSS, fenchel::sdk::detail::kLossTable<Type>)
