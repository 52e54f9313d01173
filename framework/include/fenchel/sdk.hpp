// The C++20 SDK: turns a plain struct into a fenchel plugin. Header-only, needs nothing but the
// standard library. What crosses the boundary is abi.h; nothing here does.
//
//   loss         formulas on one block      sdk/loss.hpp         FENCHEL_LOSS(Type)
//   regularizer  formulas on w              sdk/regularizer.hpp  FENCHEL_REGULARIZER(Type)
//   solver       start, step, view          sdk/solver.hpp       FENCHEL_SOLVER(Type)
#pragma once

#include <fenchel/sdk/loss.hpp>
#include <fenchel/sdk/regularizer.hpp>
#include <fenchel/sdk/solver.hpp>
