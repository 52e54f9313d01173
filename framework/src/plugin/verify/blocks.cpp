#include "plugin/verify/blocks.hpp"

#include <algorithm>
#include <cstddef>
#include <type_traits>

namespace fenchel::verify {

Blocks::Blocks(const LossPart& loss, const fenchel_shape& shape, std::size_t width)
    : loss_(loss), width_(width) {
  if (const auto scratch = FENCHEL_MEMBER(loss.table, scratch)) {
    const std::int64_t size = std::max<std::int64_t>(0, scratch(loss.self, &shape));
    scratch_.resize(static_cast<std::size_t>(size));
  }
}

bool Blocks::has_conjugate() const { return FENCHEL_MEMBER(loss_.table, conjugate) != nullptr; }
bool Blocks::has_prox() const { return FENCHEL_MEMBER(loss_.table, prox) != nullptr; }
bool Blocks::has_projection() const { return FENCHEL_MEMBER(loss_.table, project_dual) != nullptr; }

Vector Blocks::value(const Targets& targets, const Vector& scores) const {
  Vector out(targets.count);
  const fenchel_batch batch = batch_of(targets);
  demand(table().value(loss_.self, &batch, scores.data(), out.data()));
  return out;
}

Vector Blocks::gradient(const Targets& targets, const Vector& scores) const {
  Vector out(scores.size());
  const fenchel_batch batch = batch_of(targets);
  demand(table().gradient(loss_.self, &batch, scores.data(), out.data()));
  return out;
}

Vector Blocks::conjugate(const Targets& targets, const Vector& duals) const {
  Vector out(targets.count);
  const fenchel_batch batch = batch_of(targets);
  demand(table().conjugate(loss_.self, &batch, duals.data(), out.data()));
  return out;
}

Vector Blocks::prox(const Targets& targets, const Vector& scores, const Vector& steps) const {
  Vector out(scores.size());
  const fenchel_batch batch = batch_of(targets);
  demand(table().prox(loss_.self, &batch, scores.data(), steps.data(), out.data()));
  return out;
}

Vector Blocks::project_dual(const Targets& targets, Vector duals) const {
  const fenchel_batch batch = batch_of(targets);
  demand(table().project_dual(loss_.self, &batch, duals.data()));
  return duals;
}

fenchel_batch Blocks::batch_of(const Targets& targets) const {
  fenchel_batch batch{};
  batch.struct_size = sizeof batch;
  batch.first = targets.first;
  batch.count = static_cast<std::int64_t>(targets.count);
  batch.width = static_cast<std::int64_t>(width_);
  batch.offsets = targets.score_offsets;
  batch.targets = targets.values.empty() ? nullptr : targets.values.data();
  batch.target_width = static_cast<std::int64_t>(targets.values.size() / targets.count);
  batch.target_offsets = targets.target_offsets;
  batch.scratch = scratch_.data();
  return batch;
}

void Blocks::demand(std::int32_t status) const {
  if (status != FENCHEL_OK) throw CallFailed("a call failed: " + explain_failure(loss_.explain));
}

}  // namespace fenchel::verify
