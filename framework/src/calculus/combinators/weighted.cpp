// cᵢ φᵢ with cᵢ > 0:
//
//   (cφ)* = c φ*(·/c),    prox_{t cφ} = prox_{(tc)φ},    dom (cφ)* = c dom φ*
#include "calculus/combinators.hpp"
#include "calculus/combinators/common.hpp"
#include "calculus/rules/scaling.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace fenchel {
namespace {

using combinators::Buffer;
using combinators::each_piece;
using combinators::score_offset;

struct Weighted {
  LossPart inner;
  std::vector<double> factors;  // one a block; or a single one for all
  Facts facts;

  double factor(std::int64_t block) const {
    return factors.size() == 1 ? factors[0] : factors[static_cast<std::size_t>(block)];
  }
};

const Weighted& at(const void* self) { return *static_cast<const Weighted*>(self); }

void fact(const void* self, std::int32_t id, fenchel_fact* out) { at(self).facts.answer(id, out); }

// x_k times c_b (or 1/c_b) for every score k of block b.
void multiply(const Weighted& f, const fenchel_batch& batch, bool inverse, double* x) {
  for (std::int64_t b = 0; b < batch.count; ++b) {
    const double c = f.factor(batch.first + b);
    for (std::int64_t k = score_offset(batch, b); k < score_offset(batch, b + 1); ++k)
      x[k] *= inverse ? 1.0 / c : c;
  }
}

std::int32_t value(const void* self, const fenchel_batch* batch, const double* scores,
                   double* values) {
  const Weighted& f = at(self);
  const std::int32_t status = f.inner.table->value(f.inner.self, batch, scores, values);
  for (std::int64_t b = 0; b < batch->count; ++b) values[b] *= f.factor(batch->first + b);
  return status;
}

std::int32_t gradient(const void* self, const fenchel_batch* batch, const double* scores,
                      double* out) {
  const Weighted& f = at(self);
  const std::int32_t status = f.inner.table->gradient(f.inner.self, batch, scores, out);
  multiply(f, *batch, false, out);
  return status;
}

// u/c may have left dom φ* by rounding alone: then the block is moved back.
std::int32_t settle(const Weighted& f, const fenchel_batch& piece, std::int64_t count, double* u) {
  if (!f.inner.table->project_dual) return FENCHEL_OK;
  constexpr double kRounding = 4.0 * std::numeric_limits<double>::epsilon();
  Buffer inside(count);
  std::copy_n(u, count, inside.data());
  const std::int32_t status = f.inner.table->project_dual(f.inner.self, &piece, inside.data());
  for (std::int64_t b = 0; b < piece.count; ++b) {
    double moved = 0.0, size = 0.0;
    for (std::int64_t k = score_offset(piece, b); k < score_offset(piece, b + 1); ++k) {
      moved = std::max(moved, std::abs(inside[k] - u[k]));
      size = std::max(size, std::abs(u[k]));
    }
    if (!(moved <= kRounding * size)) continue;
    for (std::int64_t k = score_offset(piece, b); k < score_offset(piece, b + 1); ++k)
      u[k] = inside[k];
  }
  return status;
}

std::int32_t conjugate(const void* self, const fenchel_batch* batch, const double* duals,
                       double* values) {
  const Weighted& f = at(self);
  return each_piece(
      *batch, [&](const fenchel_batch& piece, std::int64_t offset, std::int64_t count) {
        Buffer u(count);
        std::copy_n(duals + offset, count, u.data());
        multiply(f, piece, true, u.data());
        double* out = values + (piece.first - batch->first);
        std::int32_t status = settle(f, piece, count, u.data());
        status = std::max(status, f.inner.table->conjugate(f.inner.self, &piece, u.data(), out));
        for (std::int64_t b = 0; b < piece.count; ++b) out[b] *= f.factor(piece.first + b);
        return status;
      });
}

std::int32_t prox(const void* self, const fenchel_batch* batch, const double* scores,
                  const double* steps, double* out) {
  const Weighted& f = at(self);
  return each_piece(*batch, [&](const fenchel_batch& piece, std::int64_t offset, std::int64_t) {
    Buffer longer(piece.count);
    for (std::int64_t b = 0; b < piece.count; ++b)
      longer[b] = steps[piece.first - batch->first + b] * f.factor(piece.first + b);
    return f.inner.table->prox(f.inner.self, &piece, scores + offset, longer.data(), out + offset);
  });
}

std::int32_t project_dual(const void* self, const fenchel_batch* batch, double* duals) {
  const Weighted& f = at(self);
  multiply(f, *batch, true, duals);
  const std::int32_t status = f.inner.table->project_dual(f.inner.self, batch, duals);
  multiply(f, *batch, false, duals);
  return status;
}

std::int64_t scratch(const void* self, const fenchel_shape* shape) {
  const LossPart& inner = at(self).inner;
  return inner.table->scratch(inner.self, shape);
}

LossPart make(LossPart inner, std::vector<double> factors, const char* id,
              const std::string& text) {
  const fenchel_loss& from = *inner.table;
  fenchel_loss t{};
  t.targets = from.targets;
  t.layout = from.layout;
  t.fact = fact;
  t.value = value;
  t.gradient = gradient;
  if (from.conjugate) t.conjugate = conjugate;
  if (from.prox) t.prox = prox;
  if (from.project_dual) t.project_dual = project_dual;
  if (from.scratch) t.scratch = scratch;
  const auto [low, high] = std::minmax_element(factors.begin(), factors.end());
  Facts facts = rules::scaled(facts_of(inner), *low, *high);
  const auto explain = inner.explain;
  const std::int64_t width = inner.width;
  auto changed = std::make_shared<const LossPart>(inner);
  LossPart part = combinators::make_part<LossPart>(
      Weighted{std::move(inner), std::move(factors), facts}, t, id, text, facts, explain);
  part.width = width;
  part.inner = std::move(changed);
  return part;
}

}  // namespace

LossPart scaled(LossPart inner, double factor) {
  const std::string text = fmt::format("scaled({}, by = {})", inner.text, factor);
  return make(std::move(inner), {factor}, "scaled", text);
}

LossPart weighted(LossPart inner, std::vector<double> factors, const std::string& text) {
  const std::string whole = fmt::format("weighted({}, {})", inner.text, text);
  return make(std::move(inner), std::move(factors), "weighted", whole);
}

}  // namespace fenchel
