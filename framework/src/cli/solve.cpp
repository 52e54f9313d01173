#include "certify/certificate.hpp"
#include "cli/commands.hpp"
#include "report/terminal.hpp"
#include "run/automatic.hpp"
#include "run/plan.hpp"
#include "run/run.hpp"
#include "run/session.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <csignal>
#include <iostream>

namespace fenchel::cli {
namespace {

std::atomic<bool> g_interrupt{false};
static_assert(std::atomic<bool>::is_always_lock_free, "set from a signal handler");

// The first signal ends the run in order; a second one ends the program.
extern "C" void on_signal(int number) {
  g_interrupt = true;
  std::signal(number, SIG_DFL);
}

class Stopwatch {
 public:
  double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

Exit exit_of(Status status) {
  switch (status) {
    case Status::converged: return Exit::converged;
    case Status::limit: return Exit::limit;
    case Status::interrupted: return Exit::interrupted;
    default: return Exit::plugin_failed;
  }
}

void describe_problem(const Session& session, const Plan& plan, Result& result) {
  const fenchel_shape& shape = session.problem().shape();
  result.n = shape.blocks;
  result.d = shape.features;
  result.nnz = session.nonzeros();
  result.outputs = shape.outputs;
  result.constants = problem_constants(session.problem(), plan.automatic);
  result.loss = session.problem().loss().text;
  result.regularizer = session.problem().regularizer().text;
  if (!plan.automatic) return;
  const Fit& chosen = plan.chosen;
  result.events.push_back(
      std::isfinite(chosen.passes)
          ? fmt::format("auto chose '{}': {:.3g} predicted passes, the fewest", chosen.solver.id,
                        chosen.passes)
          : fmt::format("auto chose '{}': it fits, and no bound on passes is known",
                        chosen.solver.id));
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

std::vector<std::string> sets_of(const SolveOptions& options) {
  std::vector<std::string> sets = options.sets;
  if (options.threads > 0) sets.push_back("run.threads=" + std::to_string(options.threads));
  return sets;
}

PlanOutcome watched_run(const Session& session, const Plan& plan, bool silent) {
  std::signal(SIGINT, on_signal);
  std::signal(SIGTERM, on_signal);
  Progress progress(std::cerr, silent ? ProgressStyle::quiet : progress_style(STDERR_FILENO));
  RunOptions run;
  run.stop = session.spec().stop;
  run.seed = session.spec().run.seed;
  run.certify_every = session.spec().run.certify_every;
  PlanOutcome outcome = run_plan(
      session.problem(), plan, run, [&](const TraceRow& row) { progress.update(row); },
      g_interrupt);
  progress.finish();
  return outcome;
}

}  // namespace

int solve(const SolveOptions& options) {
  const Stopwatch total;
  Spec spec = load_spec(options.spec, sets_of(options));
  const std::filesystem::path out = !options.out.empty() ? options.out : spec.output.value_or("");
  const Registry registry = Registry::scan(plugin_folders(options.plugins));
  Result result;
  const Session session(std::move(spec), registry);
  result.seconds.load = total.seconds();

  const Stopwatch checking;
  const Plan plan = make_plan(session.problem(), session.spec(), registry, false);
  if (const std::string refusal = plan.refusal(); !refusal.empty())
    throw Error(Exit::refused, refusal, session.spec().solver.place,
                "'fenchel check' shows every requirement");
  result.seconds.check = checking.seconds();
  describe_problem(session, plan, result);
  if (!out.empty()) prepare_output(out);

  PlanOutcome ran = watched_run(session, plan, options.quiet || options.json);
  describe_run(ran, result);
  RunOutcome& outcome = ran.run;
  std::optional<Model> model;
  if (outcome.status != Status::failed && !outcome.weights.empty()) {
    model = session.model(outcome.weights);
    result.train = session.train_metrics(*model, outcome.weights);
    result.test = session.test_metrics(*model);
  }
  take_outcome(std::move(outcome), result);
  result.seconds.total = total.seconds();

  if (!out.empty()) write_run(out, result, model ? &*model : nullptr, session.spec().resolved);
  if (options.json)
    std::cout << to_json(result) << '\n';
  else if (!options.quiet)
    std::cout << summary(result, out);
  if (result.status == Status::failed) std::cerr << "fenchel: " << result.message << '\n';
  return static_cast<int>(exit_of(result.status));
}

int check(const SpecOptions& options) {
  const Registry registry = Registry::scan(plugin_folders(options.plugins));
  const Session session(load_spec(options.spec, options.sets), registry);
  const Plan plan = make_plan(session.problem(), session.spec(), registry, true);
  std::cout << (options.json ? plan_json(plan, session.problem()) + "\n"
                             : plan_text(plan, session.problem()));
  return static_cast<int>(plan.refusal().empty() ? Exit::converged : Exit::refused);
}

}  // namespace fenchel::cli
