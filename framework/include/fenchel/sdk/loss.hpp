// Losses. The author writes formulas on one block; the batch loops are here. Two forms: one score a
// block, and `outputs` scores a block.
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
//
//   struct Multinomial {                       // the target is a class: 0, 1, … as a double
//     static constexpr Target target = Target::classes;
//     double value(Block z, double y) const;   // or with a last argument std::span<double> scratch
//     void gradient(Block z, double y, std::span<double> out) const;
//     double conjugate(Block u, double y) const;
//     void prox(Block s, double t, double y, std::span<double> out, std::span<double> scratch)
//         const;                               // scratch: 2 x outputs numbers
//     // optional:
//     void project_dual(std::span<double> u, double y, std::span<double> scratch) const;
//   };
#pragma once

#include <fenchel/sdk/base.hpp>

#include <algorithm>

namespace fenchel::sdk {

enum class Target : std::int32_t {
  none = FENCHEL_TARGET_NONE,
  binary = FENCHEL_TARGET_BINARY,
  real = FENCHEL_TARGET_REAL,
  classes = FENCHEL_TARGET_CLASS,
};

// The scores of one block.
using Block = std::span<const double>;

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
concept PlainBlockValue = requires(const T& f, Block z) {
  { f.value(z, 0.0) } -> std::same_as<double>;
};
template <class T>
concept BlockForm = PlainBlockValue<T> || requires(const T& f, Block z, std::span<double> scratch) {
  { f.value(z, 0.0, scratch) } -> std::same_as<double>;
};

template <class T>
struct LossCommon {
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

  static constexpr fenchel_loss head(std::int32_t layout) {
    fenchel_loss t{};
    t.struct_size = sizeof(fenchel_loss);
    t.targets = target_of<T>();
    t.layout = layout;
    t.fact = fact;
    return t;
  }
};

template <class T>
struct ScalarLoss : LossCommon<T> {
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
    fenchel_loss t = LossCommon<T>::head(FENCHEL_LAYOUT_SCALAR);
    t.value = value;
    t.gradient = gradient;
    if constexpr (requires(const T& f) { f.conjugate(0.0, 0.0); }) t.conjugate = conjugate;
    if constexpr (requires(const T& f) { f.prox(0.0, 1.0, 0.0); }) t.prox = prox;
    if constexpr (HasDualDomain<T>) t.project_dual = project_dual;
    return t;
  }
};

template <class T>
struct BlockLoss : LossCommon<T> {
  // call(b, target, first score) for every block of the batch.
  template <class Call>
  static std::int32_t each(const fenchel_batch* batch, Call call) noexcept {
    return guarded([&] {
      for (std::int64_t b = 0; b < batch->count; ++b)
        call(b, batch->targets ? batch->targets[b * batch->target_width] : 0.0, b * batch->width);
    });
  }
  static Block in(const fenchel_batch* batch, const double* x) {
    return {x, static_cast<std::size_t>(batch->width)};
  }
  static std::span<double> into(const fenchel_batch* batch, double* x) {
    return {x, static_cast<std::size_t>(batch->width)};
  }
  static std::span<double> room(const fenchel_batch* batch) {
    return {batch->scratch, 2 * static_cast<std::size_t>(batch->width)};
  }

  static std::int32_t value(const void* self, const fenchel_batch* batch, const double* z,
                            double* out) {
    return each(batch, [&](std::int64_t b, double y, std::int64_t k) {
      if constexpr (PlainBlockValue<T>)
        out[b] = as<T>(self).value(in(batch, z + k), y);
      else
        out[b] = as<T>(self).value(in(batch, z + k), y, room(batch));
    });
  }
  static std::int32_t gradient(const void* self, const fenchel_batch* batch, const double* z,
                               double* out) {
    return each(batch, [&](std::int64_t, double y, std::int64_t k) {
      as<T>(self).gradient(in(batch, z + k), y, into(batch, out + k));
    });
  }
  static std::int32_t conjugate(const void* self, const fenchel_batch* batch, const double* u,
                                double* out) {
    return each(batch, [&](std::int64_t b, double y, std::int64_t k) {
      out[b] = as<T>(self).conjugate(in(batch, u + k), y);
    });
  }
  static std::int32_t prox(const void* self, const fenchel_batch* batch, const double* s,
                           const double* steps, double* out) {
    return each(batch, [&](std::int64_t b, double y, std::int64_t k) {
      as<T>(self).prox(in(batch, s + k), steps[b], y, into(batch, out + k), room(batch));
    });
  }
  static std::int32_t project_dual(const void* self, const fenchel_batch* batch, double* u) {
    return each(batch, [&](std::int64_t, double y, std::int64_t k) {
      as<T>(self).project_dual(into(batch, u + k), y, room(batch));
    });
  }
  static std::int64_t scratch(const void*, const fenchel_shape* shape) {
    return std::int64_t{2} * shape->outputs;
  }

  static constexpr fenchel_loss table() {
    fenchel_loss t = LossCommon<T>::head(FENCHEL_LAYOUT_OUTPUTS);
    t.value = value;
    t.gradient = gradient;
    t.scratch = scratch;
    if constexpr (requires(const T& f, Block u) { f.conjugate(u, 0.0); }) t.conjugate = conjugate;
    if constexpr (requires(const T& f, Block s, std::span<double> x) { f.prox(s, 1.0, 0.0, x, x); })
      t.prox = prox;
    if constexpr (requires(const T& f, std::span<double> u) { f.project_dual(u, 0.0, u); })
      t.project_dual = project_dual;
    return t;
  }
};

template <class T>
constexpr fenchel_loss loss_table() {
  if constexpr (BlockForm<T>)
    return BlockLoss<T>::table();
  else
    return ScalarLoss<T>::table();
}

template <class T>
inline constexpr fenchel_loss kLossTable = loss_table<T>();

}  // namespace detail
}  // namespace fenchel::sdk

#define FENCHEL_LOSS(Type) \
  FENCHEL_PLUGIN(Type, FENCHEL_KIND_LOSS, fenchel::sdk::detail::kLossTable<Type>)
