// Losses on sequences. A block is a sequence: T × k position scores, then k × k transition scores
// (kernels/chain_block.hpp); the author writes what happens on one of them.
//
//   struct Crf {
//     static constexpr Target target = Target::sequence;
//     explicit Crf(const Params&);           // shape(): outputs is k; transitions, widest_block
//     std::size_t labels() const;            // k
//     std::size_t scratch(std::size_t length) const;   // numbers for a sequence this long
//     LossFacts facts() const;
//     // y: the label of each position, as a double. `scratch` comes back as it was left as long as
//     // z.repeats says that the transition scores are those of the block before.
//     double value(const Sequence& z, Targets y, std::span<double> scratch) const;
//     double gradient(const Sequence& z, Targets y, std::span<double> out,
//                     std::span<double> scratch) const;                     // returns the value
//     // optional:
//     double conjugate(const Sequence& u, Targets y, std::span<double> scratch) const;
//     void prox(const Sequence& s, double t, Targets y, std::span<double> out,
//               std::span<double> scratch) const;
//     void project_dual(std::span<double> u, Targets y, std::span<double> scratch) const;
//     void decode(const Sequence& z, std::span<double> y, std::span<double> scratch) const;
//     void marginals(const Sequence& z, std::span<double> out, std::span<double> scratch) const;
//   };
#pragma once

#include <fenchel/kernels/chain_block.hpp>
#include <fenchel/sdk/loss_common.hpp>

#include <cstddef>
#include <cstring>

namespace fenchel::sdk {

using Sequence = kernels::ChainBlock;

// Which labels may follow which, of a problem made by a host that knows of it.
inline kernels::ChainRules chain_rules(const fenchel_shape& shape) {
  const bool known =
      shape.struct_size >= offsetof(fenchel_shape, transitions) + sizeof(shape.transitions);
  return {known ? shape.transitions : nullptr, static_cast<std::size_t>(shape.outputs)};
}

namespace detail {

template <class T>
concept ChainForm = requires(const T& f, const Sequence& z, Targets y, std::span<double> scratch) {
  { f.value(z, y, scratch) } -> std::same_as<double>;
  { f.labels() } -> std::same_as<std::size_t>;
};

template <class T>
struct ChainLoss : LossCommon<T> {
  // One sequence of a batch: its number, its scores, and where its targets and its own are.
  struct Item {
    std::int64_t b;
    Sequence z;
    Targets y;
    std::int64_t first_score, first_position;
  };

  static std::int64_t score_at(const fenchel_batch* batch, std::int64_t b) {
    return batch->offsets ? batch->offsets[b] - batch->offsets[0] : b * batch->width;
  }

  // call(item, scratch) for every sequence of the batch.
  template <class Call>
  static std::int32_t each(const T& f, const fenchel_batch* batch, const double* in,
                           Call call) noexcept {
    return guarded([&] {
      const std::size_t k = f.labels();
      const double* before = nullptr;  // the transition scores of the last sequence
      std::int64_t position = 0;
      for (std::int64_t b = 0; b < batch->count; ++b) {
        const std::int64_t score = score_at(batch, b);
        const auto width = static_cast<std::size_t>(
            batch->offsets ? batch->offsets[b + 1] - batch->offsets[b] : batch->width);
        Item item{b, {kernels::chain_length(width, k), k, in + score}, {}, score, position};
        if (item.z.length == 0 || item.z.width() != width)
          throw std::invalid_argument("a block is no T x k + k x k scores of a sequence");
        const double* transitions = item.z.transitions();
        item.z.repeats = before && std::memcmp(before, transitions, k * k * sizeof(double)) == 0;
        before = transitions;
        if (batch->target_offsets)
          item.first_position = batch->target_offsets[b] - batch->target_offsets[0];
        if (batch->targets) item.y = {batch->targets + item.first_position, item.z.length};
        call(item, std::span<double>(batch->scratch, f.scratch(item.z.length)));
        position += static_cast<std::int64_t>(item.z.length);
      }
    });
  }
  static std::span<double> like(const Item& item, double* out) {
    return {out + item.first_score, item.z.width()};
  }

  static std::int32_t value(const void* self, const fenchel_batch* batch, const double* z,
                            double* out) {
    const T& f = as<T>(self);
    return each(f, batch, z, [&](const Item& item, std::span<double> scratch) {
      out[item.b] = f.value(item.z, item.y, scratch);
    });
  }
  static std::int32_t gradient(const void* self, const fenchel_batch* batch, const double* z,
                               double* out) {
    const T& f = as<T>(self);
    return each(f, batch, z, [&](const Item& item, std::span<double> scratch) {
      f.gradient(item.z, item.y, like(item, out), scratch);
    });
  }
  static std::int32_t value_gradient(const void* self, const fenchel_batch* batch, const double* z,
                                     double* values, double* out) {
    const T& f = as<T>(self);
    return each(f, batch, z, [&](const Item& item, std::span<double> scratch) {
      values[item.b] = f.gradient(item.z, item.y, like(item, out), scratch);
    });
  }
  static std::int32_t conjugate(const void* self, const fenchel_batch* batch, const double* u,
                                double* out) {
    const T& f = as<T>(self);
    return each(f, batch, u, [&](const Item& item, std::span<double> scratch) {
      out[item.b] = f.conjugate(item.z, item.y, scratch);
    });
  }
  static std::int32_t prox(const void* self, const fenchel_batch* batch, const double* s,
                           const double* steps, double* out) {
    const T& f = as<T>(self);
    return each(f, batch, s, [&](const Item& item, std::span<double> scratch) {
      f.prox(item.z, steps[item.b], item.y, like(item, out), scratch);
    });
  }
  static std::int32_t project_dual(const void* self, const fenchel_batch* batch, double* u) {
    const T& f = as<T>(self);
    return each(f, batch, u, [&](const Item& item, std::span<double> scratch) {
      f.project_dual(like(item, u), item.y, scratch);
    });
  }
  static std::int32_t decode(const void* self, const fenchel_batch* batch, const double* z,
                             double* out) {
    const T& f = as<T>(self);
    return each(f, batch, z, [&](const Item& item, std::span<double> scratch) {
      f.decode(item.z, {out + item.first_position, item.z.length}, scratch);
    });
  }
  static std::int32_t marginals(const void* self, const fenchel_batch* batch, const double* z,
                                double* out) {
    const T& f = as<T>(self);
    return each(f, batch, z, [&](const Item& item, std::span<double> scratch) {
      const std::size_t k = item.z.labels;
      double* begin = out + item.first_position * static_cast<std::int64_t>(k);
      f.marginals(item.z, {begin, item.z.length * k}, scratch);
    });
  }

  static std::int64_t scratch(const void* self, const fenchel_shape* shape) {
    const T& f = as<T>(self);
    const auto widest = static_cast<std::size_t>(shape->widest_block);
    return static_cast<std::int64_t>(f.scratch(kernels::chain_length(widest, f.labels())));
  }
  static const void* oracle(const char* name, std::uint32_t revision) {
    static constexpr fenchel_value_gradient_oracle both{sizeof(fenchel_value_gradient_oracle), 0,
                                                        value_gradient};
    static constexpr fenchel_decode_oracle decoding = decode_table();
    if (revision != 1) return nullptr;
    if (std::string_view(name) == "value-gradient") return &both;
    return std::string_view(name) == "decode" && decoding.decode ? &decoding : nullptr;
  }
  static constexpr fenchel_decode_oracle decode_table() {
    fenchel_decode_oracle t{sizeof(fenchel_decode_oracle), 0, nullptr, nullptr};
    if constexpr (requires(const T& f, const Sequence& z, std::span<double> x) {
                    f.decode(z, x, x);
                  })
      t.decode = decode;
    if constexpr (requires(const T& f, const Sequence& z, std::span<double> x) {
                    f.marginals(z, x, x);
                  })
      t.marginals = marginals;
    return t;
  }

  static constexpr fenchel_loss table() {
    fenchel_loss t = LossCommon<T>::head(FENCHEL_LAYOUT_CHAIN);
    t.value = value;
    t.gradient = gradient;
    t.scratch = scratch;
    t.oracle = oracle;
    using Numbers = std::span<double>;
    if constexpr (requires(const T& f, const Sequence& u, Targets y, Numbers x) {
                    f.conjugate(u, y, x);
                  })
      t.conjugate = conjugate;
    if constexpr (requires(const T& f, const Sequence& s, Targets y, Numbers x) {
                    f.prox(s, 1.0, y, x, x);
                  })
      t.prox = prox;
    if constexpr (requires(const T& f, Targets y, Numbers x) { f.project_dual(x, y, x); })
      t.project_dual = project_dual;
    return t;
  }
};

}  // namespace detail
}  // namespace fenchel::sdk
