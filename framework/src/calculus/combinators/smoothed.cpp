// The Moreau envelope  φ_γ(z) = φ(p) + ‖z − p‖²/(2γ),  p = prox_{γφ}(z).
//
//   ∇φ_γ(z) = (z − p)/γ
//   φ_γ*(u) = φ*(u) + (γ/2)‖u‖²
//   prox_{tφ_γ}(s) = s + t/(t + γ) (prox_{(t+γ)φ}(s) − s)
#include "calculus/combinators.hpp"
#include "calculus/combinators/common.hpp"
#include "calculus/rules/norms.hpp"
#include "calculus/rules/smoothing.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace fenchel {
namespace {

using combinators::Buffer;
using combinators::each_piece;
using combinators::score_offset;

struct Smoothed {
  LossPart inner;
  double gamma;
  Facts facts;
};

const Smoothed& at(const void* self) { return *static_cast<const Smoothed*>(self); }

void fact(const void* self, std::int32_t id, fenchel_fact* out) { at(self).facts.answer(id, out); }

// p = prox_{γφ}(z) for a piece.
std::int32_t inner_prox(const Smoothed& f, const fenchel_batch& piece, const double* scores,
                        double* p) {
  Buffer steps(piece.count);
  std::fill_n(steps.data(), piece.count, f.gamma);
  return f.inner.table->prox(f.inner.self, &piece, scores, steps.data(), p);
}

std::int32_t value(const void* self, const fenchel_batch* batch, const double* scores,
                   double* values) {
  const Smoothed& f = at(self);
  return each_piece(
      *batch, [&](const fenchel_batch& piece, std::int64_t offset, std::int64_t count) {
        Buffer p(count);
        const double* z = scores + offset;
        double* out = values + (piece.first - batch->first);
        std::int32_t status = inner_prox(f, piece, z, p.data());
        if (status == FENCHEL_OK)
          status = f.inner.table->value(f.inner.self, &piece, p.data(), out);
        for (std::int64_t b = 0; b < piece.count; ++b)
          for (std::int64_t k = score_offset(piece, b); k < score_offset(piece, b + 1); ++k)
            out[b] += (z[k] - p[k]) * (z[k] - p[k]) / (2.0 * f.gamma);
        return status;
      });
}

std::int32_t gradient(const void* self, const fenchel_batch* batch, const double* scores,
                      double* out) {
  const Smoothed& f = at(self);
  return each_piece(*batch,
                    [&](const fenchel_batch& piece, std::int64_t offset, std::int64_t count) {
                      Buffer p(count);
                      const std::int32_t status = inner_prox(f, piece, scores + offset, p.data());
                      for (std::int64_t k = 0; k < count; ++k)
                        out[offset + k] = (scores[offset + k] - p[k]) / f.gamma;
                      return status;
                    });
}

std::int32_t conjugate(const void* self, const fenchel_batch* batch, const double* duals,
                       double* values) {
  const Smoothed& f = at(self);
  const std::int32_t status = f.inner.table->conjugate(f.inner.self, batch, duals, values);
  for (std::int64_t b = 0; b < batch->count; ++b)
    for (std::int64_t k = score_offset(*batch, b); k < score_offset(*batch, b + 1); ++k)
      values[b] += 0.5 * f.gamma * duals[k] * duals[k];
  return status;
}

std::int32_t prox(const void* self, const fenchel_batch* batch, const double* scores,
                  const double* steps, double* out) {
  const Smoothed& f = at(self);
  return each_piece(
      *batch, [&](const fenchel_batch& piece, std::int64_t offset, std::int64_t count) {
        const double* s = scores + offset;
        const double* t = steps + (piece.first - batch->first);
        Buffer longer(piece.count), p(count);
        for (std::int64_t b = 0; b < piece.count; ++b) longer[b] = t[b] + f.gamma;
        const std::int32_t status =
            f.inner.table->prox(f.inner.self, &piece, s, longer.data(), p.data());
        for (std::int64_t b = 0; b < piece.count; ++b)
          for (std::int64_t k = score_offset(piece, b); k < score_offset(piece, b + 1); ++k)
            out[offset + k] = s[k] + t[b] / longer[b] * (p[k] - s[k]);
        return status;
      });
}

std::int32_t project_dual(const void* self, const fenchel_batch* batch, double* duals) {
  const LossPart& inner = at(self).inner;
  return inner.table->project_dual(inner.self, batch, duals);
}

std::int64_t scratch(const void* self, const fenchel_shape* shape) {
  const LossPart& inner = at(self).inner;
  return inner.table->scratch(inner.self, shape);
}

}  // namespace

LossPart smoothed(LossPart inner, double gamma) {
  const fenchel_loss& from = *inner.table;
  fenchel_loss t{};
  t.targets = from.targets;
  t.layout = from.layout;
  t.fact = fact;
  t.value = value;
  t.gradient = gradient;
  t.prox = prox;
  if (from.conjugate) t.conjugate = conjugate;
  if (from.project_dual) t.project_dual = project_dual;
  if (from.scratch) t.scratch = scratch;
  Facts facts = rules::smoothed(rules::to_l2(facts_of(inner), inner.width), gamma);
  std::string text = fmt::format("smoothed({}, gamma = {})", inner.text, gamma);
  const auto explain = inner.explain;
  const std::int64_t width = inner.width;
  LossPart part = combinators::make_part<LossPart>(Smoothed{std::move(inner), gamma, facts}, t,
                                                   "smoothed", std::move(text), facts, explain);
  part.width = width;
  return part;
}

}  // namespace fenchel
