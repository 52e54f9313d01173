// Parts ready for use: a table of the boundary with its instance. Plugins and the host's own
// combinators look the same from here.
#pragma once

#include <fenchel/abi.h>

#include <memory>
#include <string>

namespace fenchel {

// What all parts share. `owner` keeps the instance alive.
struct Part {
  std::string id;
  std::string text;  // the component as a person would write it, e.g. "smooth-hinge(gamma = 0.1)"
  const void* self = nullptr;
  std::shared_ptr<void> owner;
  const char* (*explain)() = nullptr;
};

struct LossPart : Part {
  const fenchel_loss* table = nullptr;
};

struct RegularizerPart : Part {
  const fenchel_regularizer* table = nullptr;
};

struct SolverPart : Part {
  const fenchel_solver* table = nullptr;
};

// A member of a table that may be shorter than ours (an older plugin): its value, or null.
#define FENCHEL_MEMBER(table, member)                                                      \
  ((table)->struct_size >= offsetof(std::remove_cvref_t<decltype(*(table))>, member) +     \
                               sizeof((table)->member)                                     \
       ? (table)->member                                                                   \
       : nullptr)

// One fact of a part; HAS_… ids are answered from the table itself.
fenchel_fact fact_of(const LossPart& loss, int32_t id);
fenchel_fact fact_of(const RegularizerPart& regularizer, int32_t id);

}  // namespace fenchel
