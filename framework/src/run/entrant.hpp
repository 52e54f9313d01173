// One solver on a session's problem: held against it, run, and what it came to.
#pragma once

#include "report/result.hpp"
#include "run/plan.hpp"
#include "run/run.hpp"
#include "run/session.hpp"

#include <atomic>
#include <optional>
#include <string>

namespace fenchel {

struct Entrant {
  Spec spec;  // with this solver alone
  Plan plan;
  Result result;

  bool may_run() const { return plan.chosen.allowed; }
};

// Plans `spec` (the session's, or one of its `compare` by itself). A result that the check refuses
// says so and why. `load_seconds` is what reading took. Throws Error as make_plan does.
Entrant enter(const Session& session, Spec spec, const Registry& registry, double load_seconds);

// Runs an entrant that may run and completes its result. Gives the model; none after a failure.
std::optional<Model> run_entrant(const Session& session, Entrant& entrant, const Watch& watch,
                                 const std::atomic<bool>& interrupt);

// The problem's part of a result.
void describe_problem(const Session& session, bool measure_all, Result& result);

}  // namespace fenchel
