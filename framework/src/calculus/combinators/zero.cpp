// Ω(w) = 0 on coordinates that no regularizer shall see, such as a free bias.
//
//   prox is the identity,   Ω*(v) = 0 for v = 0, +∞ elsewhere
#include "calculus/combinators.hpp"
#include "calculus/combinators/common.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

namespace fenchel {
namespace {

struct Zero {
  Facts facts;
};

void fact(const void* self, std::int32_t id, fenchel_fact* out) {
  static_cast<const Zero*>(self)->facts.answer(id, out);
}

std::int32_t value(const void*, const fenchel_coords*, const double*, double* out) {
  *out = 0.0;
  return FENCHEL_OK;
}

std::int32_t prox(const void*, const fenchel_coords* c, const double* w, double, double* out) {
  std::copy_n(w, c->count, out);
  return FENCHEL_OK;
}

std::int32_t gradient(const void*, const fenchel_coords* c, const double*, double* out) {
  std::fill_n(out, c->count, 0.0);
  return FENCHEL_OK;
}

bool vanishes(const fenchel_coords& c, const double* v) {
  return std::all_of(v, v + c.count, [](double x) { return x == 0.0; });
}

std::int32_t conjugate(const void*, const fenchel_coords* c, const double* v, double* out) {
  *out = vanishes(*c, v) ? 0.0 : std::numeric_limits<double>::infinity();
  return FENCHEL_OK;
}

std::int32_t dual_scale(const void*, const fenchel_coords* c, const double* v, double* scale) {
  *scale = vanishes(*c, v) ? 1.0 : 0.0;
  return FENCHEL_OK;
}

bool is_constant(const RegularizerPart& regularizer) {
  const fenchel_fact lipschitz = fact_of(regularizer, FENCHEL_FACT_LIPSCHITZ);
  return lipschitz.state == FENCHEL_KNOWN && lipschitz.value == 0.0;
}

}  // namespace

RegularizerPart zero() {
  Facts facts;
  for (const std::int32_t id : {FENCHEL_FACT_CONVEX, FENCHEL_FACT_SEPARABLE})
    facts.set(id, known_fact(1.0, "the zero function"));
  for (const std::int32_t id : {FENCHEL_FACT_LIPSCHITZ, FENCHEL_FACT_SMOOTHNESS,
                                FENCHEL_FACT_LOWER_BOUND, FENCHEL_FACT_GROWTH})
    facts.set(id, known_fact(0.0, "the zero function"));
  for (const std::int32_t id :
       {FENCHEL_FACT_STRONG_CONVEXITY, FENCHEL_FACT_DOMAIN_RADIUS, FENCHEL_FACT_QUADRATIC})
    facts.set(id, absent_fact("the zero function"));
  fenchel_regularizer t{};
  t.fact = fact;
  t.value = value;
  t.prox = prox;
  t.conjugate = conjugate;
  t.dual_scale = dual_scale;
  t.gradient = gradient;
  return combinators::make_part<RegularizerPart>(Zero{facts}, t, "none", "none", facts, nullptr);
}

RegularizerPart with_free_bias(RegularizerPart inner, std::int64_t bias) {
  std::vector<std::int32_t> seen(static_cast<std::size_t>(bias));
  std::iota(seen.begin(), seen.end(), 0);
  std::string id = inner.id;
  std::string text = inner.text + ", bias free";
  std::vector<RegularizerBlock> list;
  list.push_back({std::move(inner), std::move(seen), "features"});
  list.push_back({zero(), {static_cast<std::int32_t>(bias)}, "bias"});
  RegularizerPart part = blocks(std::move(list), bias + 1);
  part.id = std::move(id);
  part.text = std::move(text);
  return part;
}

std::vector<std::int32_t> free_parameters(const RegularizerPart& regularizer,
                                          std::int64_t dimension) {
  if (regularizer.free) return *regularizer.free;
  std::vector<std::int32_t> all;
  if (!is_constant(regularizer)) return all;
  all.resize(static_cast<std::size_t>(dimension));
  std::iota(all.begin(), all.end(), 0);
  return all;
}

}  // namespace fenchel
