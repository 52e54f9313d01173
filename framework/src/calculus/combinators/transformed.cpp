// One regularizer seen through a change of variables or value:
//
//   Ψ(w) = c Ω(w − m) + ⟨g, w⟩
//
//   prox_{tΨ}(w) = m + prox_{tcΩ}(w − t g − m)
//   Ψ*(v) = c Ω*((v − g)/c) + ⟨v − g, m⟩,    ∇Ψ*(v) = m + ∇Ω*((v − g)/c)
//   s v ∈ dom Ψ* ⇔ (s v − g)/c ∈ dom Ω*: with g = 0 that is dual_scale of v/c; with g ≠ 0 a
//   bisection on s, possible where −g/c itself lies in the domain.
#include "calculus/combinators.hpp"
#include "calculus/combinators/common.hpp"
#include "calculus/rules/norms.hpp"
#include "calculus/rules/scaling.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace fenchel {
namespace {

using combinators::Buffer;

struct Transformed {
  RegularizerPart inner;
  double factor = 1.0;
  std::vector<double> center;  // m; empty: 0
  std::vector<double> slope;   // g; empty: 0
  Facts facts;

  static double entry(const std::vector<double>& x, const fenchel_coords& c, std::int64_t k) {
    return x.empty() ? 0.0 : x[static_cast<std::size_t>(c.list ? c.list[k] : c.begin + k)];
  }
  double m(const fenchel_coords& c, std::int64_t k) const { return entry(center, c, k); }
  double g(const fenchel_coords& c, std::int64_t k) const { return entry(slope, c, k); }
};

const Transformed& at(const void* self) { return *static_cast<const Transformed*>(self); }

void fact(const void* self, std::int32_t id, fenchel_fact* out) { at(self).facts.answer(id, out); }

std::int32_t value(const void* self, const fenchel_coords* c, const double* w, double* out) {
  const Transformed& f = at(self);
  Buffer x(c->count);
  double linear = 0.0;
  for (std::int64_t k = 0; k < c->count; ++k) {
    x[k] = w[k] - f.m(*c, k);
    linear += f.g(*c, k) * w[k];
  }
  const std::int32_t status = f.inner.table->value(f.inner.self, c, x.data(), out);
  *out = f.factor * *out + linear;
  return status;
}

std::int32_t prox(const void* self, const fenchel_coords* c, const double* w, double step,
                  double* out) {
  const Transformed& f = at(self);
  Buffer from(c->count);
  for (std::int64_t k = 0; k < c->count; ++k) {
    from[k] = w[k] - step * f.g(*c, k);
    out[k] = from[k] - f.m(*c, k);
  }
  const std::int32_t status = f.inner.table->prox(f.inner.self, c, out, step * f.factor, out);
  // What Ω leaves where it is does not move by rounding either.
  for (std::int64_t k = 0; k < c->count; ++k)
    out[k] = out[k] == from[k] - f.m(*c, k) ? from[k] : out[k] + f.m(*c, k);
  return status;
}

std::int32_t conjugate(const void* self, const fenchel_coords* c, const double* v, double* out) {
  const Transformed& f = at(self);
  Buffer x(c->count);
  double linear = 0.0;
  for (std::int64_t k = 0; k < c->count; ++k) {
    x[k] = (v[k] - f.g(*c, k)) / f.factor;
    linear += (v[k] - f.g(*c, k)) * f.m(*c, k);
  }
  const std::int32_t status = f.inner.table->conjugate(f.inner.self, c, x.data(), out);
  *out = f.factor * *out + linear;
  return status;
}

std::int32_t conjugate_gradient(const void* self, const fenchel_coords* c, const double* v,
                                double* out) {
  const Transformed& f = at(self);
  for (std::int64_t k = 0; k < c->count; ++k) out[k] = (v[k] - f.g(*c, k)) / f.factor;
  const std::int32_t status = f.inner.table->conjugate_gradient(f.inner.self, c, out, out);
  for (std::int64_t k = 0; k < c->count; ++k) out[k] += f.m(*c, k);
  return status;
}

std::int32_t gradient(const void* self, const fenchel_coords* c, const double* w, double* out) {
  const Transformed& f = at(self);
  for (std::int64_t k = 0; k < c->count; ++k) out[k] = w[k] - f.m(*c, k);
  const std::int32_t status = f.inner.table->gradient(f.inner.self, c, out, out);
  for (std::int64_t k = 0; k < c->count; ++k) out[k] = f.factor * out[k] + f.g(*c, k);
  return status;
}

std::int32_t dual_scale(const void* self, const fenchel_coords* c, const double* v, double* scale) {
  const Transformed& f = at(self);
  Buffer x(c->count);
  if (f.slope.empty()) {
    for (std::int64_t k = 0; k < c->count; ++k) x[k] = v[k] / f.factor;
    return f.inner.table->dual_scale(f.inner.self, c, x.data(), scale);
  }
  std::int32_t status = FENCHEL_OK;
  const auto feasible = [&](double s) {
    for (std::int64_t k = 0; k < c->count; ++k) x[k] = (s * v[k] - f.g(*c, k)) / f.factor;
    double image = 0.0;
    status = std::max(status, f.inner.table->conjugate(f.inner.self, c, x.data(), &image));
    return std::isfinite(image);
  };
  double low = 0.0, high = 1.0;
  *scale = 1.0;
  if (feasible(1.0)) return status;
  for (int k = 0; k < 60; ++k) (feasible(0.5 * (low + high)) ? low : high) = 0.5 * (low + high);
  constexpr double kInside = 1.0 - 4.0 * std::numeric_limits<double>::epsilon();
  *scale = kInside * low;  // so that s v stays inside after rounding
  return status;
}

// Where Ω is constant, so is Ψ, but for the slope.
std::shared_ptr<const std::vector<std::int32_t>> still_free(const Transformed& f) {
  if (f.slope.empty()) return f.inner.free;
  std::vector<std::int32_t> free =
      free_parameters(f.inner, static_cast<std::int64_t>(f.slope.size()));
  std::erase_if(free, [&](std::int32_t j) { return f.slope[static_cast<std::size_t>(j)] != 0.0; });
  return std::make_shared<const std::vector<std::int32_t>>(std::move(free));
}

RegularizerPart make(Transformed self, const char* id, const std::string& text) {
  const fenchel_regularizer& from = *self.inner.table;
  fenchel_regularizer t{};
  t.fact = fact;
  t.value = value;
  if (from.prox) t.prox = prox;
  if (from.conjugate) t.conjugate = conjugate;
  if (from.conjugate_gradient) t.conjugate_gradient = conjugate_gradient;
  if (from.gradient) t.gradient = gradient;
  if (from.dual_scale) t.dual_scale = dual_scale;
  Facts facts = self.facts;
  const auto explain = self.inner.explain;
  const auto free = still_free(self);
  auto part = combinators::make_part<RegularizerPart>(std::move(self), t, id, text,
                                                      std::move(facts), explain);
  part.free = free;
  return part;
}

double euclidean_norm(const std::vector<double>& x) {
  double sum = 0.0;
  for (const double entry : x) sum += entry * entry;
  return std::sqrt(sum);
}

// What moves with the argument: the ball around the domain grows by ‖m‖; growth is measured from 0,
// and the quadratic is one around m.
Facts moved(Facts f, double distance) {
  Derived radius = f.get(FENCHEL_FACT_DOMAIN_RADIUS);
  if (radius.known())
    f.set(FENCHEL_FACT_DOMAIN_RADIUS,
          known_fact(radius.value() + distance, "shifted by the centre"));
  f.set(FENCHEL_FACT_GROWTH, unknown_fact("measured from 0, not from the centre"));
  f.set(FENCHEL_FACT_QUADRATIC, absent_fact("the centre is not 0"));
  return f;
}

// A linear term adds ‖g‖ to the Lipschitz constant and changes no curvature.
Facts tilted(Facts f, double slope) {
  const Derived ell = f.get(FENCHEL_FACT_LIPSCHITZ);
  if (ell.known())
    f.set(FENCHEL_FACT_LIPSCHITZ, known_fact(ell.value() + slope, "plus the norm of the slope"));
  const Derived growth = f.get(FENCHEL_FACT_GROWTH);
  if (growth.known())
    f.set(FENCHEL_FACT_GROWTH, growth.value() >= slope ? known_fact(growth.value() - slope,
                                                                    "minus the norm of the slope")
                                                       : unknown_fact("the slope outweighs it"));
  const Derived radius = f.get(FENCHEL_FACT_DUAL_RADIUS);
  if (radius.known())
    f.set(FENCHEL_FACT_DUAL_RADIUS, known_fact(radius.value() + slope, "shifted by the slope"));
  f.set(FENCHEL_FACT_LOWER_BOUND, unknown_fact("the linear term has none"));
  f.set(FENCHEL_FACT_QUADRATIC, absent_fact("there is a linear term"));
  return f;
}

}  // namespace

RegularizerPart scaled(RegularizerPart inner, double factor) {
  Transformed self;
  self.facts = rules::scaled(facts_of(inner), factor);
  self.factor = factor;
  const std::string text = fmt::format("scaled({}, by = {})", inner.text, factor);
  self.inner = std::move(inner);
  return make(std::move(self), "scaled", text);
}

RegularizerPart shifted(RegularizerPart inner, std::vector<double> center) {
  Transformed self;
  self.facts = moved(rules::to_l2(facts_of(inner), static_cast<std::int64_t>(center.size())),
                     euclidean_norm(center));
  self.center = std::move(center);
  const std::string text = fmt::format("shifted({})", inner.text);
  self.inner = std::move(inner);
  return make(std::move(self), "shifted", text);
}

RegularizerPart with_linear_term(RegularizerPart inner, std::vector<double> slope) {
  Transformed self;
  self.facts = tilted(rules::to_l2(facts_of(inner), static_cast<std::int64_t>(slope.size())),
                      euclidean_norm(slope));
  self.slope = std::move(slope);
  const std::string text = fmt::format("{} + linear term", inner.text);
  self.inner = std::move(inner);
  return make(std::move(self), "linear", text);
}

}  // namespace fenchel
