// Losses. The author writes formulas on one block; the batch loops are here. Four forms: one score
// a block, `outputs` scores a block, all scores of the sample in one block, and a sequence a block.
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
//
//   struct BiasedHinge {                       // y: one target a score; empty for Target::none
//     explicit BiasedHinge(const Params&);     // shape().scores is the size of the block
//     double value(Block z, Targets y) const;  // or with a last argument std::span<double> scratch
//     void gradient(Block z, Targets y, std::span<double> out) const;         // likewise
//     double conjugate(Block u, Targets y) const;
//     // optional:
//     void prox(Block s, double t, Targets y, std::span<double> out, std::span<double> scratch)
//         const;                               // scratch: 2 numbers a score, or as many as
//     static constexpr std::size_t scratch_per_score = 3;                   // this says
//     void project_dual(std::span<double> u, Targets y, std::span<double> scratch) const;
//     double bias(Block z, Targets y, std::span<double> scratch) const;     // see abi.h
//   };
//
//   struct Crf { … };                          // a sequence a block: see sdk/chain_loss.hpp
#pragma once

#include <fenchel/sdk/chain_loss.hpp>
#include <fenchel/sdk/loss_common.hpp>
#include <fenchel/sdk/whole_loss.hpp>

#include <algorithm>

namespace fenchel::sdk::detail {

template <class T>
concept HasDualDomain = requires(const T& f) {
  { f.dual_domain(0.0) } -> std::same_as<Interval>;
};

template <class T>
concept PlainBlockValue = requires(const T& f, Block z) {
  { f.value(z, 0.0) } -> std::same_as<double>;
};
template <class T>
concept BlockForm = PlainBlockValue<T> || requires(const T& f, Block z, std::span<double> scratch) {
  { f.value(z, 0.0, scratch) } -> std::same_as<double>;
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
  if constexpr (ChainForm<T>)
    return ChainLoss<T>::table();
  else if constexpr (WholeForm<T>)
    return WholeLoss<T>::table();
  else if constexpr (BlockForm<T>)
    return BlockLoss<T>::table();
  else
    return ScalarLoss<T>::table();
}

template <class T>
inline constexpr fenchel_loss kLossTable = loss_table<T>();

}  // namespace fenchel::sdk::detail

#define FENCHEL_LOSS(Type) \
  FENCHEL_PLUGIN(Type, FENCHEL_KIND_LOSS, fenchel::sdk::detail::kLossTable<Type>)
