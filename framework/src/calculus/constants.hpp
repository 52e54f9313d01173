// The numbers of a problem: asked of the parts, measured on the data, or derived from both.
// Measuring is done when a number is first asked for.
#pragma once

#include "calculus/facts.hpp"
#include "data/linear_map.hpp"
#include "plugin/parts.hpp"
#include "run/parallel.hpp"

#include <fenchel/abi.h>

#include <memory>
#include <optional>
#include <string>

namespace fenchel {

class Constants {
 public:
  Constants(const LinearMap& map, const LossPart& loss, const RegularizerPart& regularizer,
            const Parallel& parallel);

  // What was measured on the same data, once for both.
  void share_measurements(const Constants& like) {
    squared_operator_norm_ = like.squared_operator_norm_;
  }

  // `about` is FENCHEL_ABOUT_…, `id` FENCHEL_FACT_…. All constants are in the Euclidean norm.
  Derived find(std::int32_t about, std::int32_t id) const;

 private:
  Derived of_problem(std::int32_t id) const;
  Derived squared_operator_norm() const;
  Derived weighted_smoothness() const;
  Derived block_norm(std::int32_t id) const;
  double mean_block_norm() const;

  const LinearMap& map_;
  const LossPart& loss_;
  const RegularizerPart& regularizer_;
  const Parallel& parallel_;
  Facts loss_facts_, regularizer_facts_;
  std::shared_ptr<std::optional<Derived>> squared_operator_norm_ =
      std::make_shared<std::optional<Derived>>();
  mutable std::optional<Derived> weighted_smoothness_;
};

}  // namespace fenchel
