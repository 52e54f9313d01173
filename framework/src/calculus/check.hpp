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
  std::string formula;  // the problem as mathematics
  std::vector<Constant> constants;
  std::vector<Verdict> verdicts;
  bool accepted = false;
  std::string refusal;  // one line, empty when accepted
};

// `measure_all`: also the constants that no requirement asked for and that cost passes over the
// data.
Check check_problem(const Problem& problem, const SolverPart& solver, bool measure_all);

std::string check_text(const Check& check, const std::string& solver);
std::string check_json(const Check& check, const std::string& solver);

}  // namespace fenchel
