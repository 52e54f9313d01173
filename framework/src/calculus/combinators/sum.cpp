// Σ Ω_k. Where all terms but one are quadratic, Ψ(w) = f(w) + (μ/2)‖w‖² has closed forms:
//
//   prox_{tΨ}(w) = prox_{t/(1+tμ) f}(w/(1 + tμ))
//   ∇Ψ*(v) = argmax ⟨v,w⟩ − f(w) − (μ/2)‖w‖² = prox_{f/μ}(v/μ),   dom Ψ* is everything
//
// and Ψ*(v) is the maximum's value. Elsewhere the sum has a value and facts, and no other oracle.
#include "calculus/rules/sum.hpp"
#include "calculus/combinators.hpp"
#include "calculus/combinators/common.hpp"
#include "calculus/rules/norms.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace fenchel {
namespace {

using combinators::Buffer;

struct Sum {
  std::vector<RegularizerPart> terms;  // those that are not quadratic
  double mu = 0.0;                     // of all quadratic terms together
  Facts facts;

  const RegularizerPart* single() const { return terms.empty() ? nullptr : &terms.front(); }
};

const Sum& at(const void* self) { return *static_cast<const Sum*>(self); }

void fact(const void* self, std::int32_t id, fenchel_fact* out) { at(self).facts.answer(id, out); }

double squared(const double* w, std::int64_t count) {
  double sum = 0.0;
  for (std::int64_t k = 0; k < count; ++k) sum += w[k] * w[k];
  return sum;
}

std::int32_t value(const void* self, const fenchel_coords* c, const double* w, double* out) {
  const Sum& f = at(self);
  *out = 0.5 * f.mu * squared(w, c->count);
  std::int32_t status = FENCHEL_OK;
  for (const RegularizerPart& term : f.terms) {
    double one = 0.0;
    status = std::max(status, term.table->value(term.self, c, w, &one));
    *out += one;
  }
  return status;
}

// prox_{step f}(w / shrink)
std::int32_t shrunk_prox(const Sum& f, const fenchel_coords* c, const double* w, double shrink,
                         double step, double* out) {
  for (std::int64_t k = 0; k < c->count; ++k) out[k] = w[k] / shrink;
  const RegularizerPart* term = f.single();
  return term ? term->table->prox(term->self, c, out, step, out) : FENCHEL_OK;
}

std::int32_t prox(const void* self, const fenchel_coords* c, const double* w, double step,
                  double* out) {
  const double shrink = 1.0 + step * at(self).mu;
  return shrunk_prox(at(self), c, w, shrink, step / shrink, out);
}

std::int32_t conjugate_gradient(const void* self, const fenchel_coords* c, const double* v,
                                double* out) {
  const double mu = at(self).mu;
  return shrunk_prox(at(self), c, v, mu, 1.0 / mu, out);
}

std::int32_t conjugate(const void* self, const fenchel_coords* c, const double* v, double* out) {
  Buffer w(c->count);
  std::int32_t status = conjugate_gradient(self, c, v, w.data());
  double primal = 0.0, product = 0.0;
  status = std::max(status, value(self, c, w.data(), &primal));
  for (std::int64_t k = 0; k < c->count; ++k) product += v[k] * w[k];
  *out = product - primal;
  return status;
}

std::int32_t dual_scale(const void*, const fenchel_coords*, const double*, double* scale) {
  *scale = 1.0;
  return FENCHEL_OK;
}

std::int32_t gradient(const void* self, const fenchel_coords* c, const double* w, double* out) {
  const Sum& f = at(self);
  Buffer one(c->count);
  Buffer total(c->count);
  for (std::int64_t k = 0; k < c->count; ++k) total[k] = f.mu * w[k];
  std::int32_t status = FENCHEL_OK;
  for (const RegularizerPart& term : f.terms) {
    status = std::max(status, term.table->gradient(term.self, c, w, one.data()));
    for (std::int64_t k = 0; k < c->count; ++k) total[k] += one[k];
  }
  std::copy_n(total.data(), c->count, out);
  return status;
}

fenchel_regularizer table_for(const Sum& f) {
  fenchel_regularizer t{};
  t.fact = fact;
  t.value = value;
  const RegularizerPart* term = f.single();
  const bool closed_form = f.mu > 0.0 && f.terms.size() <= 1 && (!term || term->table->prox);
  if (closed_form) {
    t.prox = prox;
    t.conjugate = conjugate;
    t.conjugate_gradient = conjugate_gradient;
    t.dual_scale = dual_scale;
  }
  if (std::all_of(f.terms.begin(), f.terms.end(),
                  [](const RegularizerPart& p) { return p.table->gradient; }))
    t.gradient = gradient;
  return t;
}

// Quadratic terms go into μ, the others stay.
RegularizerPart make(Sum self, std::vector<RegularizerPart> terms, const std::string& text) {
  const auto explain = terms.front().explain;
  for (RegularizerPart& term : terms) {
    const fenchel_fact quadratic = fact_of(term, FENCHEL_FACT_QUADRATIC);
    if (quadratic.state == FENCHEL_KNOWN)
      self.mu += quadratic.value;
    else
      self.terms.push_back(std::move(term));
  }
  const fenchel_regularizer table = table_for(self);
  Facts facts = self.facts;
  return combinators::make_part<RegularizerPart>(std::move(self), table, "sum", text,
                                                 std::move(facts), explain);
}

}  // namespace

RegularizerPart with_ridge(RegularizerPart inner, double mu, std::int64_t dimension) {
  Facts ridge;
  for (const std::int32_t id : {FENCHEL_FACT_CONVEX, FENCHEL_FACT_SEPARABLE})
    ridge.set(id, known_fact(1.0, "ridge"));
  for (const std::int32_t id :
       {FENCHEL_FACT_STRONG_CONVEXITY, FENCHEL_FACT_SMOOTHNESS, FENCHEL_FACT_QUADRATIC})
    ridge.set(id, known_fact(mu, "ridge"));
  for (const std::int32_t id : {FENCHEL_FACT_LOWER_BOUND, FENCHEL_FACT_GROWTH})
    ridge.set(id, known_fact(0.0, "ridge"));
  for (const std::int32_t id : {FENCHEL_FACT_LIPSCHITZ, FENCHEL_FACT_DOMAIN_RADIUS})
    ridge.set(id, absent_fact("ridge"));
  Sum self;
  self.facts = rules::sum(rules::to_l2(facts_of(inner), dimension), ridge);
  self.mu = mu;
  const std::string text = fmt::format("{} + ({:.3g}/2)|w|^2", inner.text, mu);
  return make(std::move(self), {std::move(inner)}, text);
}

RegularizerPart sum(std::vector<RegularizerPart> terms, std::int64_t dimension) {
  if (terms.size() == 1) return std::move(terms.front());
  Sum self;
  std::string text;
  for (std::size_t k = 0; k < terms.size(); ++k) {
    const Facts facts = rules::to_l2(facts_of(terms[k]), dimension);
    self.facts = k == 0 ? facts : rules::sum(self.facts, facts);
    text += (k == 0 ? "" : " + ") + terms[k].text;
  }
  return make(std::move(self), std::move(terms), text);
}

}  // namespace fenchel
