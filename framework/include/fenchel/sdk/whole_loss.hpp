// Losses that see all scores of the sample as one block; see loss.hpp for what their author writes.
#pragma once

#include <fenchel/sdk/loss_common.hpp>

namespace fenchel::sdk::detail {

template <class T>
concept PlainWholeValue = requires(const T& f, Block z, Targets y) {
  { f.value(z, y) } -> std::same_as<double>;
};
template <class T>
concept WholeForm = PlainWholeValue<T> ||
    requires(const T& f, Block z, Targets y, std::span<double> scratch) {
  { f.value(z, y, scratch) } -> std::same_as<double>;
};
template <class T>
concept PlainWholeGradient = requires(const T& f, Block z, Targets y, std::span<double> out) {
  f.gradient(z, y, out);
};

template <class T>
struct WholeLoss : LossCommon<T> {
  static constexpr std::size_t scratch_per_score() {
    if constexpr (requires { T::scratch_per_score; })
      return T::scratch_per_score;
    else
      return 2;
  }

  // call(b, targets, first score) for every block of the batch. A problem has a single one.
  template <class Call>
  static std::int32_t each(const fenchel_batch* batch, Call call) noexcept {
    return guarded([&] {
      for (std::int64_t b = 0; b < batch->count; ++b) {
        const Targets y = batch->targets ? Targets(batch->targets + b * batch->target_width,
                                                   static_cast<std::size_t>(batch->target_width))
                                         : Targets();
        call(b, y, b * batch->width);
      }
    });
  }
  static Block in(const fenchel_batch* batch, const double* x) {
    return {x, static_cast<std::size_t>(batch->width)};
  }
  static std::span<double> into(const fenchel_batch* batch, double* x) {
    return {x, static_cast<std::size_t>(batch->width)};
  }
  static std::span<double> room(const fenchel_batch* batch) {
    return {batch->scratch, scratch_per_score() * static_cast<std::size_t>(batch->width)};
  }

  static std::int32_t value(const void* self, const fenchel_batch* batch, const double* z,
                            double* out) {
    return each(batch, [&](std::int64_t b, Targets y, std::int64_t k) {
      if constexpr (PlainWholeValue<T>)
        out[b] = as<T>(self).value(in(batch, z + k), y);
      else
        out[b] = as<T>(self).value(in(batch, z + k), y, room(batch));
    });
  }
  static std::int32_t gradient(const void* self, const fenchel_batch* batch, const double* z,
                               double* out) {
    return each(batch, [&](std::int64_t, Targets y, std::int64_t k) {
      if constexpr (PlainWholeGradient<T>)
        as<T>(self).gradient(in(batch, z + k), y, into(batch, out + k));
      else
        as<T>(self).gradient(in(batch, z + k), y, into(batch, out + k), room(batch));
    });
  }
  static std::int32_t conjugate(const void* self, const fenchel_batch* batch, const double* u,
                                double* out) {
    return each(batch, [&](std::int64_t b, Targets y, std::int64_t k) {
      out[b] = as<T>(self).conjugate(in(batch, u + k), y);
    });
  }
  static std::int32_t prox(const void* self, const fenchel_batch* batch, const double* s,
                           const double* steps, double* out) {
    return each(batch, [&](std::int64_t b, Targets y, std::int64_t k) {
      as<T>(self).prox(in(batch, s + k), steps[b], y, into(batch, out + k), room(batch));
    });
  }
  static std::int32_t project_dual(const void* self, const fenchel_batch* batch, double* u) {
    return each(batch, [&](std::int64_t, Targets y, std::int64_t k) {
      as<T>(self).project_dual(into(batch, u + k), y, room(batch));
    });
  }
  static std::int32_t bias(const void* self, const fenchel_batch* batch, const double* z,
                           double* out) {
    return each(batch, [&](std::int64_t b, Targets y, std::int64_t k) {
      out[b] = as<T>(self).bias(in(batch, z + k), y, room(batch));
    });
  }
  static std::int64_t scratch(const void*, const fenchel_shape* shape) {
    return static_cast<std::int64_t>(scratch_per_score()) * shape->scores;
  }
  static const void* oracle(const char* name, std::uint32_t revision) {
    static constexpr fenchel_bias_oracle table{sizeof(fenchel_bias_oracle), 0, bias};
    return std::string_view(name) == "bias" && revision == 1 ? &table : nullptr;
  }

  static constexpr fenchel_loss table() {
    fenchel_loss t = LossCommon<T>::head(FENCHEL_LAYOUT_WHOLE);
    t.value = value;
    t.gradient = gradient;
    t.scratch = scratch;
    if constexpr (requires(const T& f, Block u, Targets y) { f.conjugate(u, y); })
      t.conjugate = conjugate;
    if constexpr (requires(const T& f, Block s, Targets y, std::span<double> x) {
                    f.prox(s, 1.0, y, x, x);
                  })
      t.prox = prox;
    if constexpr (requires(const T& f, std::span<double> u, Targets y) { f.project_dual(u, y, u); })
      t.project_dual = project_dual;
    if constexpr (requires(const T& f, Block z, Targets y, std::span<double> x) {
                    f.bias(z, y, x);
                  })
      t.oracle = oracle;
    return t;
  }
};

}  // namespace fenchel::sdk::detail
