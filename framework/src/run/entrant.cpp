#include "run/entrant.hpp"

#include "certify/certificate.hpp"
#include "run/automatic.hpp"
#include "run/stopwatch.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace fenchel {
namespace {

std::string choice_text(const Fit& chosen) {
  return std::isfinite(chosen.passes)
             ? fmt::format("auto chose '{}': {:.3g} predicted passes, the fewest", chosen.solver.id,
                           chosen.passes)
             : fmt::format("auto chose '{}': it fits, and no bound on passes is known",
                           chosen.solver.id);
}

// What ran: the solver that ended the run, and the repairs of all that took part.
void describe_run(const PlanOutcome& outcome, Result& result) {
  result.solver = outcome.fits.back()->solver.text;
  for (const Fit* fit : outcome.fits)
    for (const Repair& repair : fit->needed) {
      std::string text = repair.name + ": " + repair.text;
      if (std::find(result.repairs.begin(), result.repairs.end(), text) == result.repairs.end())
        result.repairs.push_back(std::move(text));
    }
  if (!outcome.event.empty()) result.events.push_back(outcome.event);
  for (const std::string& note : outcome.run.notes) result.events.push_back(note);
}

void take_outcome(RunOutcome&& outcome, Result& result) {
  result.status = outcome.status;
  result.message = std::move(outcome.message);
  result.iterations = outcome.iterations;
  result.passes = outcome.passes;
  result.seconds.solve = outcome.solve_seconds;
  result.seconds.certify = outcome.certify_seconds;
  result.trace = std::move(outcome.trace);
  result.certificate_verified = outcome.certified && outcome.status != Status::failed;
  if (!outcome.certified) return;
  result.primal = outcome.primal;
  result.dual = outcome.dual;
  result.gap = std::max(0.0, outcome.primal - outcome.dual);
  result.relative_gap = relative_gap(*result.gap, outcome.primal);
}

RunOptions options_of(const Spec& spec) {
  RunOptions options;
  options.stop = spec.stop;
  options.seed = spec.run.seed;
  options.certify_every = spec.run.certify_every;
  return options;
}

}  // namespace

void describe_problem(const Session& session, bool measure_all, Result& result) {
  const fenchel_shape& shape = session.problem().shape();
  result.n = shape.blocks;
  result.d = shape.features;
  result.nnz = session.nonzeros();
  result.outputs = shape.outputs;
  result.constants = problem_constants(session.problem(), measure_all);
  result.loss = session.problem().loss().text;
  result.regularizer = session.problem().regularizer().text;
}

Entrant enter(const Session& session, Spec spec, const Registry& registry, double load_seconds) {
  const Stopwatch checking;
  Entrant entrant;
  entrant.spec = std::move(spec);
  entrant.plan = make_plan(session.problem(), entrant.spec, registry, false);
  const Plan& plan = entrant.plan;
  Result& result = entrant.result;
  describe_problem(session, plan.automatic, result);
  result.solver = plan.chosen.solver.text;
  if (!entrant.may_run()) {
    result.status = Status::refused;
    result.message = plan.refusal();
  } else if (plan.automatic) {
    result.events.push_back(choice_text(plan.chosen));
  }
  result.seconds.load = load_seconds;
  result.seconds.check = checking.seconds();
  result.seconds.total = result.seconds.load + result.seconds.check;
  return entrant;
}

std::optional<Model> run_entrant(const Session& session, Entrant& entrant, const Watch& watch,
                                 const std::atomic<bool>& interrupt) {
  const Stopwatch running;
  Result& result = entrant.result;
  PlanOutcome ran =
      run_plan(session.problem(), entrant.plan, options_of(entrant.spec), watch, interrupt);
  describe_run(ran, result);
  std::optional<Model> model;
  if (ran.run.status != Status::failed && !ran.run.weights.empty()) {
    model = session.model(ran.run.weights);
    result.train = session.train_metrics(*model, ran.run.weights);
    result.test = session.test_metrics(*model);
  }
  take_outcome(std::move(ran.run), result);
  result.seconds.total += running.seconds();
  return model;
}

}  // namespace fenchel
