// The Moreau envelope  φ_γ(z) = φ(p) + ‖z − p‖²/(2γ),  p = prox_{γφ}(z).
//
//   ∇φ_γ(z) = (z − p)/γ ∈ ∂φ(p)
//   φ_γ*(u) = φ*(u) + (γ/2)‖u‖²
//   prox_{tφ_γ}(s) = s + t/(t + γ) (prox_{(t+γ)φ}(s) − s)
#include "calculus/combinators.hpp"
#include "calculus/combinators/common.hpp"
#include "calculus/rules/norms.hpp"
#include "calculus/rules/smoothing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace fenchel {
namespace {

using combinators::Buffer;
using combinators::each_piece;
using combinators::score_offset;

struct Smoothed {
  LossPart inner;
  double gamma;
  std::shared_ptr<const std::vector<double>> weights;  // of γ, one a block; null: 1
  bool flat;  // φ is 1/γ-smooth itself: ∇φ(p) magnifies the rounding of p no more than (z − p)/γ
  Facts facts;
};

double level(const Smoothed& f, std::int64_t block) {
  return f.weights ? f.gamma * (*f.weights)[static_cast<std::size_t>(block)] : f.gamma;
}

const Smoothed& at(const void* self) { return *static_cast<const Smoothed*>(self); }

void fact(const void* self, std::int32_t id, fenchel_fact* out) { at(self).facts.answer(id, out); }

// p = prox_{γφ}(z) for a piece.
std::int32_t inner_prox(const Smoothed& f, const fenchel_batch& piece, const double* scores,
                        double* p) {
  Buffer steps(piece.count);
  for (std::int64_t b = 0; b < piece.count; ++b) steps[b] = level(f, piece.first + b);
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
            out[b] += (z[k] - p[k]) * (z[k] - p[k]) / (2.0 * level(f, piece.first + b));
        return status;
      });
}

// (z − p)/γ magnifies the rounding of p by 1/γ. Where a block's subgradient at p is the same up to
// that, or known better, it is taken instead.
void settle(const Smoothed& f, const fenchel_batch& piece, const double* z, const double* p,
            const double* at_prox, double* g) {
  constexpr double kRounding = 4.0 * std::numeric_limits<double>::epsilon();
  for (std::int64_t b = 0; b < piece.count; ++b) {
    const std::int64_t begin = score_offset(piece, b), end = score_offset(piece, b + 1);
    const double gamma = level(f, piece.first + b);
    for (std::int64_t k = begin; k < end; ++k) g[k] = (z[k] - p[k]) / gamma;
    bool same = true;
    for (std::int64_t k = begin; k < end && same && !f.flat; ++k)
      same = std::abs(g[k] - at_prox[k]) * gamma <=
             kRounding * (std::abs(z[k]) + std::abs(p[k]) + std::abs(z[k] - p[k]));
    if (same) std::copy(at_prox + begin, at_prox + end, g + begin);
  }
}

std::int32_t gradient(const void* self, const fenchel_batch* batch, const double* scores,
                      double* out) {
  const Smoothed& f = at(self);
  const fenchel_loss& inner = *f.inner.table;
  return each_piece(
      *batch, [&](const fenchel_batch& piece, std::int64_t offset, std::int64_t count) {
        Buffer p(count), at_prox(count);
        const double* z = scores + offset;
        double* g = out + offset;
        std::int32_t status = inner_prox(f, piece, z, p.data());
        status = std::max(status, inner.gradient(f.inner.self, &piece, p.data(), at_prox.data()));
        settle(f, piece, z, p.data(), at_prox.data(), g);
        // The exact gradient lies in dom φ*; rounding may have left it.
        return inner.project_dual ? std::max(status, inner.project_dual(f.inner.self, &piece, g))
                                  : status;
      });
}

std::int32_t conjugate(const void* self, const fenchel_batch* batch, const double* duals,
                       double* values) {
  const Smoothed& f = at(self);
  const std::int32_t status = f.inner.table->conjugate(f.inner.self, batch, duals, values);
  for (std::int64_t b = 0; b < batch->count; ++b)
    for (std::int64_t k = score_offset(*batch, b); k < score_offset(*batch, b + 1); ++k)
      values[b] += 0.5 * level(f, batch->first + b) * duals[k] * duals[k];
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
        for (std::int64_t b = 0; b < piece.count; ++b) longer[b] = t[b] + level(f, piece.first + b);
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

LossPart smoothed(LossPart inner, double gamma,
                  std::shared_ptr<const std::vector<double>> weights) {
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
  const Facts before = rules::to_l2(facts_of(inner), inner.width);
  const Derived beta = before.get(FENCHEL_FACT_SMOOTHNESS);
  const double least = weights ? *std::min_element(weights->begin(), weights->end()) : 1.0;
  const bool flat = beta.known() && beta.value() * gamma * least <= 1.0;
  Facts facts = rules::smoothed(before, gamma * least);
  const std::string text = fmt::format("smoothed({}, gamma = {}{})", inner.text, gamma,
                                       weights ? " times a weight of the block" : "");
  std::shared_ptr<std::vector<double>> curvature;
  if (weights) {
    curvature = std::make_shared<std::vector<double>>(*weights);
    for (double& x : *curvature) x = 1.0 / (gamma * x);
  }
  const auto explain = inner.explain;
  const std::int64_t width = inner.width;
  auto changed = std::make_shared<const LossPart>(inner);
  LossPart part = combinators::make_part<LossPart>(
      Smoothed{std::move(inner), gamma, std::move(weights), flat, facts}, t, "smoothed", text,
      facts, explain);
  part.width = width;
  part.inner = std::move(changed);
  part.block_smoothness = std::move(curvature);
  return part;
}

}  // namespace fenchel
