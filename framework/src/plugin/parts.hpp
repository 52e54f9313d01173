// Parts ready for use: a table of the boundary with its instance. Plugins and the host's own
// combinators look the same from here.
#pragma once

#include <fenchel/abi.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace fenchel {

class Facts;  // calculus/facts.hpp

// What all parts share. `owner` keeps the instance alive.
struct Part {
  std::string id;
  std::string text;  // the component as a person would write it, e.g. "smooth-hinge(gamma = 0.1)"
  const void* self = nullptr;
  std::shared_ptr<void> owner;
  const char* (*explain)() = nullptr;
  // The host's combinators bring their facts with derivations; a plugin's are asked for.
  std::shared_ptr<const Facts> facts;
};

struct LossPart : Part {
  std::int64_t width = 1;  // scores of the largest block
  const fenchel_loss* table = nullptr;
  std::shared_ptr<const LossPart> inner;  // of a combinator: the loss it changes
  // The same loss with a temperature, where it has that parameter and was made without.
  std::function<LossPart(double)> tempered;
  // Where blocks differ: the smoothness constant of each.
  std::shared_ptr<const std::vector<double>> block_smoothness;
};

struct RegularizerPart : Part {
  // The coordinates on which it is constant, where only some are. Increasing.
  std::shared_ptr<const std::vector<std::int32_t>> free;
  const fenchel_regularizer* table = nullptr;
};

struct SolverPart : Part {
  const fenchel_solver* table = nullptr;
};

// A member of a table that may be shorter than ours (an older plugin): its value, or null.
#define FENCHEL_MEMBER(table, member)                                                          \
  ((table)->struct_size >=                                                                     \
           offsetof(std::remove_cvref_t<decltype(*(table))>, member) + sizeof((table)->member) \
       ? (table)->member                                                                       \
       : nullptr)

// One fact of a part; HAS_… ids are answered from the table itself. A claim that cannot be meant
// (not finite, negative where a constant cannot be, an unheard-of state) counts as unknown.
fenchel_fact fact_of(const LossPart& loss, int32_t id);
fenchel_fact fact_of(const RegularizerPart& regularizer, int32_t id);

// The loss inside all combinators.
const LossPart& innermost(const LossPart& loss);
// Its oracle "bias", or null.
const fenchel_bias_oracle* bias_oracle(const fenchel_loss& loss);

// What a solver needs, in its order. Throws Error (plugin_failed) when it cannot say.
std::vector<fenchel_requirement> requirements_of(const SolverPart& solver);

// The plugin's reason for its last failure on this thread; "no reason given" where it has none.
std::string explain_failure(const char* (*explain)());

}  // namespace fenchel
