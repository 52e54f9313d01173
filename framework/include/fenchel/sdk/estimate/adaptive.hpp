// The parameters of a step whose L is fixed or tuned, for options with `adaptive`, `up` and `down`.
#pragma once

#include <fenchel/sdk/base.hpp>

#include <cmath>

namespace fenchel::sdk::estimate {

inline constexpr Param kStep{
    .name = "step",
    .type = Type::text,
    .fallback = "adaptive",
    .range = "fixed | adaptive",
    .meaning = "L from the derived smoothness constant, or tuned at every step"};
inline constexpr Param kUp{.name = "up",
                           .fallback = "2",
                           .range = "(1, inf)",
                           .meaning = "adaptive: L grows by this factor until the step holds"};
inline constexpr Param kDown{.name = "down",
                             .fallback = "1.3",
                             .range = "(1, inf)",
                             .meaning = "adaptive: L shrinks by this factor before each step"};
template <class Options>
void read_step(const Params& p, Options& options) {
  options.adaptive = p.text("step") == "adaptive";
  options.up = p.number("up");
  options.down = p.number("down");
}

// L falls by `down` before a step and grows by `up` in it; the first steps find its size.
template <class Options>
double tries(double iterations, const Options& options) {
  constexpr double kFirst = 40.0;
  return options.adaptive
             ? iterations * (1.0 + std::log(options.down) / std::log(options.up)) + kFirst
             : iterations;
}

}  // namespace fenchel::sdk::estimate
