// A loss on consecutive blocks of one width, called through its table.
#pragma once

#include "plugin/verify/checks.hpp"

namespace fenchel::verify {

// Blocks' targets, one block's after the other's; empty where the loss takes none.
struct Targets {
  Vector values;
  std::size_t count = 1;   // of blocks
  std::int64_t first = 0;  // number of the first block
  const std::int64_t* score_offsets = nullptr;
  const std::int64_t* target_offsets = nullptr;
};

class Blocks {
 public:
  Blocks(const LossPart& loss, const fenchel_shape& shape, std::size_t width);

  const fenchel_loss& table() const { return *loss_.table; }
  const LossPart& part() const { return loss_; }
  std::size_t width() const { return width_; }
  bool has_conjugate() const;
  bool has_prox() const;
  bool has_projection() const;

  Vector value(const Targets& targets, const Vector& scores) const;
  Vector gradient(const Targets& targets, const Vector& scores) const;
  Vector conjugate(const Targets& targets, const Vector& duals) const;
  Vector prox(const Targets& targets, const Vector& scores, const Vector& steps) const;
  Vector project_dual(const Targets& targets, Vector duals) const;

 private:
  fenchel_batch batch_of(const Targets& targets) const;
  void demand(std::int32_t status) const;

  const LossPart& loss_;
  std::size_t width_;
  mutable Vector scratch_;
};

// Many blocks in one call give what they give one by one, to the bit, with and without offsets.
// `targets[k]` is the target of the function that `probes[k]` looks at.
void check_batch(Check& check, const Blocks& blocks, const std::vector<Vector>& targets,
                 const std::vector<Probe>& probes, Random& random);

}  // namespace fenchel::verify
