// The problem as the boundary shows it to a solver: the table of abi.h over a Problem, with the
// pass counter and the solver's state.
#pragma once

#include "base/error.hpp"
#include "run/arena.hpp"
#include "run/problem.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace fenchel {

class SolverProblem {
 public:
  SolverProblem(const Problem& problem, std::uint64_t seed, double target_gap,
                double target_relative_gap);
  SolverProblem(const SolverProblem&) = delete;
  SolverProblem& operator=(const SolverProblem&) = delete;

  const fenchel_problem* table() const { return &table_; }
  Arena& arena() { return arena_; }
  void mark_resumed() { table_.resumed = 1; }
  // Null or empty: none. Both must outlive the solver's `start`.
  void warm_start(const std::vector<double>* weights, const std::vector<double>* dual) {
    table_.warm_weights = weights && !weights->empty() ? weights->data() : nullptr;
    table_.warm_dual = dual && !dual->empty() ? dual->data() : nullptr;
  }

  // One pass is one A·w and one Aᵀ·α.
  double passes() const;
  void set_passes(double passes);

  // Runs a call that a solver made, keeping the first failure for `rethrow`.
  template <class Body>
  std::int32_t guard(Body&& body) noexcept;
  // Throws the failure of a part that a solver's call met, if there was one.
  void rethrow() const {
    if (failure_) throw *failure_;
  }

  const Problem& problem() const { return problem_; }
  void count(std::int64_t entries) { touched_ += entries; }
  void add_note(const char* text) { notes_.emplace_back(text ? text : ""); }
  const std::vector<std::string>& notes() const { return notes_; }

 private:
  const Problem& problem_;
  Arena arena_;
  std::int64_t touched_ = 0;
  std::optional<Error> failure_;
  std::vector<std::string> notes_;
  fenchel_problem table_{};
};

}  // namespace fenchel
