// Whether a problem gives a solver what it needs, requirement by requirement, before anything is
// solved.
#pragma once

#include "plugin/parts.hpp"
#include "report/result.hpp"
#include "run/problem.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace fenchel {

struct Verdict {
  std::string about;   // loss | regularizer | problem
  std::string fact;    // e.g. "strong-convexity"
  std::string needed;  // "known", "known and at most 1"
  std::string found;   // "absent", "known, 4"
  std::string why;
  std::int32_t alternative = 0;  // those with the same positive number: one must hold
  bool holds = false;
};

struct Check {
  std::vector<Verdict> verdicts;
  bool accepted = false;
  std::string refusal;  // one line, empty when accepted
};

Check check_problem(const Problem& problem, const SolverPart& solver);

// The problem as mathematics.
std::string problem_formula(const Problem& problem);
// Its constants with their derivations. `measure_all`: also those that cost passes over the data.
std::vector<Constant> problem_constants(const Problem& problem, bool measure_all);

}  // namespace fenchel
