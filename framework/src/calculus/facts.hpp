// Facts of a function, each with the sentence that derives it: what the calculus works on.
#pragma once

#include "plugin/parts.hpp"

#include <fenchel/abi.h>

#include <cstdint>
#include <map>
#include <string>

namespace fenchel {

// A fact and where it comes from.
struct Derived {
  fenchel_fact fact{};
  std::string derivation;

  bool known() const { return fact.state == FENCHEL_KNOWN; }
  bool absent() const { return fact.state == FENCHEL_ABSENT; }
  double value() const { return fact.value; }
};

Derived known_fact(double value, std::string derivation, std::int32_t norm = FENCHEL_NORM_L2);
Derived absent_fact(std::string derivation);
Derived unknown_fact(std::string derivation);

// The facts of one function by FENCHEL_FACT_… id. What is not there is unknown.
class Facts {
 public:
  Derived get(std::int32_t id) const;
  void set(std::int32_t id, Derived fact) { facts_[id] = std::move(fact); }
  // For a part's `fact` entry.
  void answer(std::int32_t id, fenchel_fact* out) const;

 private:
  std::map<std::int32_t, Derived> facts_;
};

// Everything a part states, with "stated by …" or, for the host's own combinators, their
// derivations.
Facts facts_of(const LossPart& loss);
Facts facts_of(const RegularizerPart& regularizer);

}  // namespace fenchel
