// What the combinators share: ownership, and batches taken piece by piece.
#pragma once

#include "calculus/facts.hpp"
#include "plugin/parts.hpp"

#include <cstddef>
#include <memory>
#include <type_traits>
#include <vector>

namespace fenchel::combinators {

// An instance with its table, kept alive by the part.
template <class Self, class Table>
struct Owned {
  Self self;
  Table table{};
};

template <class AnyPart, class Self, class Table>
AnyPart make_part(Self self, const Table& table, const std::string& id, const std::string& text,
                  Facts facts, const char* (*explain)()) {
  auto owned = std::make_shared<Owned<Self, Table>>(Owned<Self, Table>{std::move(self), table});
  owned->table.struct_size = sizeof(Table);
  AnyPart part;
  part.id = id;
  part.text = text;
  part.self = &owned->self;
  part.table = &owned->table;
  part.explain = explain;
  part.facts = std::make_shared<const Facts>(std::move(facts));
  part.owner = std::move(owned);
  return part;
}

// Where block b of a batch has its scores.
inline std::int64_t score_offset(const fenchel_batch& batch, std::int64_t b) {
  return batch.offsets ? batch.offsets[b] - batch.offsets[0] : b * batch.width;
}

// Blocks b … b + count − 1 of a batch, as a batch.
inline fenchel_batch part_of(const fenchel_batch& batch, std::int64_t b, std::int64_t count) {
  fenchel_batch piece = batch;
  piece.first += b;
  piece.count = count;
  if (piece.offsets) piece.offsets += b;
  if (piece.target_offsets) {
    if (piece.targets) piece.targets += piece.target_offsets[b] - piece.target_offsets[0];
    piece.target_offsets += b;
  } else if (piece.targets) {
    piece.targets += b * piece.target_width;
  }
  return piece;
}

// Temporary numbers: on the stack for the short calls of coordinate methods, on the heap for long
// ones.
class Buffer {
 public:
  static constexpr std::int64_t kShort = 256;

  explicit Buffer(std::int64_t count) {
    if (count > kShort) long_.resize(static_cast<std::size_t>(count));
  }
  double* data() { return long_.empty() ? short_ : long_.data(); }
  double& operator[](std::int64_t i) { return data()[i]; }

 private:
  double short_[kShort];
  std::vector<double> long_;
};

// Calls body(piece, offset of its first score, number of its scores) for consecutive pieces of a
// batch, each of at most Buffer::kShort scores or a single block. Stops at the first failure.
template <class Body>
std::int32_t each_piece(const fenchel_batch& batch, Body&& body) {
  for (std::int64_t b = 0; b < batch.count;) {
    const std::int64_t begin = score_offset(batch, b);
    std::int64_t end = b + 1;
    while (end < batch.count && score_offset(batch, end + 1) - begin <= Buffer::kShort) ++end;
    const fenchel_batch piece = part_of(batch, b, end - b);
    const std::int32_t status = body(piece, begin, score_offset(batch, end) - begin);
    if (status != FENCHEL_OK) return status;
    b = end;
  }
  return FENCHEL_OK;
}

}  // namespace fenchel::combinators
