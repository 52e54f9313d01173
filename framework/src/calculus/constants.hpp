// The numbers of a problem: asked of the parts, measured on the data, or derived from both.
// Measuring is done when a number is first asked for.
#pragma once

#include "data/linear_map.hpp"
#include "plugin/parts.hpp"
#include "run/parallel.hpp"

#include <fenchel/abi.h>

#include <optional>
#include <string>

namespace fenchel {

// A fact and where it comes from.
struct Derived {
  fenchel_fact fact{};
  std::string derivation;

  bool known() const { return fact.state == FENCHEL_KNOWN; }
};

class Constants {
 public:
  Constants(const LinearMap& map, const LossPart& loss, const RegularizerPart& regularizer,
            const Parallel& parallel)
      : map_(map), loss_(loss), regularizer_(regularizer), parallel_(parallel) {}

  // `about` is FENCHEL_ABOUT_…, `id` FENCHEL_FACT_….
  Derived find(std::int32_t about, std::int32_t id) const;

 private:
  Derived of_problem(std::int32_t id) const;
  Derived squared_operator_norm() const;

  const LinearMap& map_;
  const LossPart& loss_;
  const RegularizerPart& regularizer_;
  const Parallel& parallel_;
  mutable std::optional<Derived> squared_operator_norm_;
};

}  // namespace fenchel
