// Σ_b Ω_b(w_b) over disjoint sets of coordinates. Every oracle works block by block; a scale must
// suit all.
#include "calculus/rules/blocks.hpp"
#include "calculus/combinators.hpp"
#include "calculus/combinators/common.hpp"
#include "calculus/rules/norms.hpp"

#include <algorithm>
#include <limits>

namespace fenchel {
namespace {

using combinators::Buffer;

struct Blocks {
  std::vector<RegularizerBlock> list;
  std::vector<std::int32_t> owner;  // of each coordinate: number of its block
  std::vector<std::int32_t> local;  // of each coordinate: its number within the block
  Facts facts;
};

const Blocks& at(const void* self) { return *static_cast<const Blocks*>(self); }

void fact(const void* self, std::int32_t id, fenchel_fact* out) { at(self).facts.answer(id, out); }

// The entries of a call that belong to one block: where they stand in the call, and which
// coordinates of the block they are.
struct Slice {
  std::vector<std::int32_t> places, coordinates;
  fenchel_coords coords() const {
    return {sizeof(fenchel_coords), 0, 0, static_cast<std::int64_t>(coordinates.size()),
            coordinates.data()};
  }
};

bool is_range(const std::vector<std::int32_t>& x) {
  return x.empty() || x.back() - x.front() + 1 == static_cast<std::int32_t>(x.size());
}

// Calls body(part, coords of the block, place of its first entry) where all entries of a block
// stand together, in order, in the call: nothing is copied. Else gathers, calls, and scatters.
class Walk {
 public:
  Walk(const Blocks& f, const fenchel_coords& c) : f_(f), c_(c) {}

  // op(part, coords, in, out): `out` has as many entries as `in`.
  template <class Operation>
  std::int32_t map(const double* in, double* out, Operation&& op) const {
    std::int32_t status = FENCHEL_OK;
    each_run(
        [&](const RegularizerPart& part, const fenchel_coords& coords, const std::int32_t* places) {
          Buffer x(coords.count);
          for (std::int64_t k = 0; k < coords.count; ++k) x[k] = in[places[k]];
          status = std::max(status, op(part, coords, x.data(), x.data()));
          for (std::int64_t k = 0; k < coords.count; ++k) out[places[k]] = x[k];
        });
    return status;
  }

  // op(part, coords, in, value)
  template <class Operation, class Combine>
  std::int32_t fold(const double* in, double* value, double start, Operation&& op,
                    Combine&& combine) const {
    std::int32_t status = FENCHEL_OK;
    *value = start;
    each_run(
        [&](const RegularizerPart& part, const fenchel_coords& coords, const std::int32_t* places) {
          Buffer x(coords.count);
          for (std::int64_t k = 0; k < coords.count; ++k) x[k] = in[places[k]];
          double one = start;
          status = std::max(status, op(part, coords, x.data(), &one));
          *value = combine(*value, one);
        });
    return status;
  }

 private:
  template <class Body>
  void each_run(Body&& body) const {
    std::vector<Slice> slices(f_.list.size());
    for (std::int64_t k = 0; k < c_.count; ++k) {
      const auto j = static_cast<std::size_t>(c_.list ? c_.list[k] : c_.begin + k);
      Slice& slice = slices[static_cast<std::size_t>(f_.owner[j])];
      slice.places.push_back(static_cast<std::int32_t>(k));
      slice.coordinates.push_back(f_.local[j]);
    }
    for (std::size_t b = 0; b < slices.size(); ++b) {
      if (slices[b].places.empty()) continue;
      fenchel_coords coords = slices[b].coords();
      if (is_range(slices[b].coordinates)) {
        coords.begin = slices[b].coordinates.front();
        coords.list = nullptr;
      }
      body(f_.list[b].part, coords, slices[b].places.data());
    }
  }

  const Blocks& f_;
  const fenchel_coords& c_;
};

std::int32_t value(const void* self, const fenchel_coords* c, const double* w, double* out) {
  return Walk(at(self), *c)
      .fold(
          w, out, 0.0,
          [](const RegularizerPart& p, const fenchel_coords& coords, const double* x, double* one) {
            return p.table->value(p.self, &coords, x, one);
          },
          [](double a, double b) { return a + b; });
}

std::int32_t conjugate(const void* self, const fenchel_coords* c, const double* v, double* out) {
  return Walk(at(self), *c)
      .fold(
          v, out, 0.0,
          [](const RegularizerPart& p, const fenchel_coords& coords, const double* x, double* one) {
            return p.table->conjugate(p.self, &coords, x, one);
          },
          [](double a, double b) { return a + b; });
}

std::int32_t dual_scale(const void* self, const fenchel_coords* c, const double* v, double* out) {
  return Walk(at(self), *c)
      .fold(
          v, out, 1.0,
          [](const RegularizerPart& p, const fenchel_coords& coords, const double* x, double* one) {
            return p.table->dual_scale ? p.table->dual_scale(p.self, &coords, x, one) : FENCHEL_OK;
          },
          [](double a, double b) { return std::min(a, b); });
}

std::int32_t prox(const void* self, const fenchel_coords* c, const double* w, double step,
                  double* out) {
  return Walk(at(self), *c)
      .map(w, out,
           [step](const RegularizerPart& p, const fenchel_coords& coords, const double* x,
                  double* y) { return p.table->prox(p.self, &coords, x, step, y); });
}

std::int32_t conjugate_gradient(const void* self, const fenchel_coords* c, const double* v,
                                double* out) {
  return Walk(at(self), *c)
      .map(v, out,
           [](const RegularizerPart& p, const fenchel_coords& coords, const double* x, double* y) {
             return p.table->conjugate_gradient(p.self, &coords, x, y);
           });
}

std::int32_t gradient(const void* self, const fenchel_coords* c, const double* w, double* out) {
  return Walk(at(self), *c)
      .map(w, out,
           [](const RegularizerPart& p, const fenchel_coords& coords, const double* x, double* y) {
             return p.table->gradient(p.self, &coords, x, y);
           });
}

fenchel_regularizer table_for(const std::vector<RegularizerBlock>& list) {
  const auto all_have = [&](auto member) {
    return std::all_of(list.begin(), list.end(),
                       [&](const RegularizerBlock& b) { return b.part.table->*member != nullptr; });
  };
  fenchel_regularizer t{};
  t.fact = fact;
  t.value = value;
  t.dual_scale = dual_scale;
  if (all_have(&fenchel_regularizer::prox)) t.prox = prox;
  if (all_have(&fenchel_regularizer::conjugate)) t.conjugate = conjugate;
  if (all_have(&fenchel_regularizer::conjugate_gradient)) t.conjugate_gradient = conjugate_gradient;
  if (all_have(&fenchel_regularizer::gradient)) t.gradient = gradient;
  return t;
}

}  // namespace

RegularizerPart blocks(std::vector<RegularizerBlock> list, std::int64_t dimension) {
  Blocks self;
  self.owner.resize(static_cast<std::size_t>(dimension));
  self.local.resize(static_cast<std::size_t>(dimension));
  std::vector<Facts> facts;
  std::string text = "blocks(";
  for (std::size_t b = 0; b < list.size(); ++b) {
    const std::vector<std::int32_t>& coordinates = list[b].coordinates;
    for (std::size_t k = 0; k < coordinates.size(); ++k) {
      self.owner[static_cast<std::size_t>(coordinates[k])] = static_cast<std::int32_t>(b);
      self.local[static_cast<std::size_t>(coordinates[k])] = static_cast<std::int32_t>(k);
    }
    facts.push_back(
        rules::to_l2(facts_of(list[b].part), static_cast<std::int64_t>(coordinates.size())));
    text += (b == 0 ? "" : "; ") + list[b].text + ": " + list[b].part.text;
  }
  self.facts = rules::blocks(facts);
  std::vector<std::int32_t> free;
  for (const RegularizerBlock& block : list)
    for (const std::int32_t k :
         free_parameters(block.part, static_cast<std::int64_t>(block.coordinates.size())))
      free.push_back(block.coordinates[static_cast<std::size_t>(k)]);
  std::sort(free.begin(), free.end());
  const fenchel_regularizer table = table_for(list);
  const auto explain = list.front().part.explain;
  self.list = std::move(list);
  Facts all = self.facts;
  RegularizerPart part = combinators::make_part<RegularizerPart>(
      std::move(self), table, "blocks", text + ")", std::move(all), explain);
  part.free = std::make_shared<const std::vector<std::int32_t>>(std::move(free));
  return part;
}

}  // namespace fenchel
