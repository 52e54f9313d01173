// Ω(w, b) = Ω₁(w).
//
//   prox: that of Ω₁ on w, b unchanged
//   Ω*(v, c) = Ω₁*(v) for c = 0, +∞ elsewhere
//   convexity, smoothness and Lipschitz constants are those of Ω₁; b is a direction without strong
//   convexity and without a bound
#include "calculus/free_bias.hpp"

#include <cstddef>
#include <limits>
#include <numeric>
#include <type_traits>

namespace fenchel {
namespace {

struct FreeBias {
  RegularizerPart inner;
  std::int64_t bias;

  // The coordinates without the bias (which can only be the last of them).
  fenchel_coords without_bias(const fenchel_coords& c) const {
    fenchel_coords rest = c;
    if (holds_bias(c)) --rest.count;
    return rest;
  }
  bool holds_bias(const fenchel_coords& c) const {
    if (c.count == 0) return false;
    return (c.list ? c.list[c.count - 1] : c.begin + c.count - 1) == bias;
  }
};

const FreeBias& as_free_bias(const void* self) { return *static_cast<const FreeBias*>(self); }

void fact(const void* self, std::int32_t id, fenchel_fact* out) {
  switch (id) {
    case FENCHEL_FACT_STRONG_CONVEXITY:
    case FENCHEL_FACT_DOMAIN_RADIUS:
    case FENCHEL_FACT_QUADRATIC: out->state = FENCHEL_ABSENT; return;
    default: *out = fact_of(as_free_bias(self).inner, id);
  }
}

std::int32_t value(const void* self, const fenchel_coords* c, const double* w, double* out) {
  const FreeBias& f = as_free_bias(self);
  const fenchel_coords rest = f.without_bias(*c);
  return f.inner.table->value(f.inner.self, &rest, w, out);
}

std::int32_t prox(const void* self, const fenchel_coords* c, const double* w, double step,
                  double* out) {
  const FreeBias& f = as_free_bias(self);
  const fenchel_coords rest = f.without_bias(*c);
  if (f.holds_bias(*c)) out[rest.count] = w[rest.count];
  return f.inner.table->prox(f.inner.self, &rest, w, step, out);
}

std::int32_t conjugate(const void* self, const fenchel_coords* c, const double* v, double* out) {
  const FreeBias& f = as_free_bias(self);
  const fenchel_coords rest = f.without_bias(*c);
  const std::int32_t status = f.inner.table->conjugate(f.inner.self, &rest, v, out);
  if (f.holds_bias(*c) && v[rest.count] != 0.0) *out = std::numeric_limits<double>::infinity();
  return status;
}

std::int32_t dual_scale(const void* self, const fenchel_coords* c, const double* v, double* out) {
  const FreeBias& f = as_free_bias(self);
  const fenchel_coords rest = f.without_bias(*c);
  const std::int32_t status = f.inner.table->dual_scale(f.inner.self, &rest, v, out);
  if (f.holds_bias(*c) && v[rest.count] != 0.0) *out = 0.0;
  return status;
}

}  // namespace

RegularizerPart with_free_bias(RegularizerPart inner, std::int64_t bias) {
  struct Owned {
    FreeBias part;
    fenchel_regularizer table;
  };
  auto owned = std::make_shared<Owned>(Owned{{inner, bias}, {}});
  fenchel_regularizer& t = owned->table;
  t.struct_size = sizeof t;
  t.fact = fact;
  t.value = value;
  if (FENCHEL_MEMBER(inner.table, prox)) t.prox = prox;
  if (FENCHEL_MEMBER(inner.table, conjugate)) t.conjugate = conjugate;
  if (FENCHEL_MEMBER(inner.table, dual_scale)) t.dual_scale = dual_scale;

  RegularizerPart part;
  part.id = inner.id;
  part.text = inner.text + " without the bias";
  part.self = &owned->part;
  part.table = &t;
  part.explain = inner.explain;
  part.owner = std::move(owned);
  return part;
}

bool is_constant(const RegularizerPart& regularizer) {
  const fenchel_fact lipschitz = fact_of(regularizer, FENCHEL_FACT_LIPSCHITZ);
  return lipschitz.state == FENCHEL_KNOWN && lipschitz.value == 0.0;
}

std::vector<std::int32_t> free_parameters(const RegularizerPart& inner, bool free_bias,
                                          std::int64_t count) {
  std::vector<std::int32_t> free;
  if (is_constant(inner)) {
    free.resize(static_cast<std::size_t>(count));
    std::iota(free.begin(), free.end(), 0);
  } else if (free_bias) {
    free.push_back(static_cast<std::int32_t>(count - 1));
  }
  return free;
}

}  // namespace fenchel
