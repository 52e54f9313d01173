#include "run/run.hpp"

#include "certify/certificate.hpp"
#include "run/schedule.hpp"
#include "run/solver_problem.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <optional>

namespace fenchel {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t kFullTraceRows = 20000;  // beyond, only certified rows are kept

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

class Loop {
 public:
  Loop(const Problem& problem, const Problem& solved, const SolverPart& solver,
       const RunOptions& options, const Watch& watch, const std::atomic<bool>& interrupt)
      : problem_(problem),
        solved_(solved),
        solver_(solver),
        options_(options),
        watch_(watch),
        interrupt_(interrupt),
        view_problem_(solved, options.seed, share(options.stop.gap),
                      share(options.stop.relative_gap)),
        schedule_(options.certify_every) {
    view_problem_.warm_start(options.warm_weights, options.warm_dual);
  }

  RunOutcome run() {
    try {
      loop();
    } catch (const Error& error) {
      outcome_.status = Status::failed;
      outcome_.message = error.what();
    }
    outcome_.passes = view_problem_.passes();
    outcome_.notes = view_problem_.notes();
    outcome_.certify_seconds = schedule_.certify_seconds();
    outcome_.solve_seconds = seconds_since(begin_) - outcome_.certify_seconds;
    return std::move(outcome_);
  }

 private:
  // After a repair the solver has half of the tolerance: the other half is the repair's.
  double share(const std::optional<double>& tolerance) const {
    return tolerance.value_or(0.0) * (&problem_ == &solved_ ? 1.0 : 0.5);
  }

  void loop() {
    ask(solver_.table->start(const_cast<void*>(solver_.self), view_problem_.table()), "start");
    for (;;) {
      std::int32_t said = FENCHEL_STEP_MORE;
      ask(solver_.table->step(const_cast<void*>(solver_.self), &said), "step");
      ++outcome_.iterations;
      const std::optional<std::string> limit = limit_reached();
      const bool behind =
          options_.behind_after > 0.0 && view_problem_.passes() >= options_.behind_after;
      const bool last = limit || behind || said != FENCHEL_STEP_MORE || interrupt_;
      TraceRow row;
      row.iteration = outcome_.iterations;
      row.passes = view_problem_.passes();
      row.seconds = seconds_since(begin_);
      if (last || schedule_.due(row.passes, row.seconds - schedule_.certify_seconds()))
        certify_now(row);
      record(row);
      if (row.gap && meets(outcome_, options_.stop))
        return finish(Status::converged, tolerance_text(outcome_, options_.stop));
      if (said == FENCHEL_STEP_DONE) {
        if (&problem_ == &solved_) throw_false_claim();
        outcome_.spent = true;
        return finish(Status::limit,
                      "the repaired problem is solved; the repair keeps the gap of "
                      "the original above the tolerance");
      }
      if (interrupt_) return finish(Status::interrupted, "interrupted");
      if (limit) return finish(Status::limit, *limit);
      if (behind) {
        outcome_.behind = true;
        return finish(Status::limit,
                      fmt::format("behind its prediction of {:.3g} passes", options_.behind_after));
      }
      if (said == FENCHEL_STEP_STALLED) {
        outcome_.spent = true;
        return finish(Status::limit, "the solver can make no further progress");
      }
    }
  }

  // A failure met inside the host's own table says more than the solver's echo of it.
  void ask(std::int32_t status, const char* call) const {
    if (status == FENCHEL_OK) return;
    view_problem_.rethrow();
    const char* reason = solver_.explain ? solver_.explain() : nullptr;
    throw part_failure(
        "solver", solver_,
        fmt::format("'{}' failed{}{}", call, reason && *reason ? ": " : "", reason ? reason : ""));
  }

  std::optional<std::string> limit_reached() const {
    const StopSpec& stop = options_.stop;
    if (stop.passes && options_.passes_before + view_problem_.passes() >= *stop.passes)
      return fmt::format("stopped by the limit of {:g} passes", *stop.passes);
    if (stop.seconds && options_.seconds_before + seconds_since(begin_) >= *stop.seconds)
      return fmt::format("stopped by the limit of {:g} seconds", *stop.seconds);
    // A solver that touches no data would never reach a limit on passes.
    if (stop.passes && static_cast<double>(outcome_.iterations) >= 1000.0 * (*stop.passes + 1.0))
      return fmt::format("stopped after {} steps that reported hardly any work",
                         outcome_.iterations);
    return std::nullopt;
  }

  void certify_now(TraceRow& row) {
    const Clock::time_point start = Clock::now();
    fenchel_view view{};
    view.struct_size = sizeof view;
    ask(solver_.table->view(const_cast<void*>(solver_.self), &view), "view");
    demand_weights(view.weights);
    const Mixture mixture = mixture_of(view);
    const std::vector<double> smooth_dual =
        view.dual || mixture.parts != 0 ? std::vector<double>() : repaired_dual(view.weights);
    const double* alpha = smooth_dual.empty() ? view.dual : smooth_dual.data();
    Certificate c = fenchel::certify(problem_, view.weights, alpha, mixture);
    if (!outcome_.certified || c.primal < outcome_.primal) {
      outcome_.primal = c.primal;
      outcome_.weights.assign(view.weights, view.weights + problem_.shape().parameters);
    }
    // Every D is a lower bound, whichever iterate it came from.
    if (!outcome_.certified || c.dual > outcome_.dual) {
      outcome_.dual = c.dual;
      outcome_.dual_point = std::move(c.alpha);
    }
    outcome_.certified = true;
    row.primal = c.primal;
    row.dual = c.dual;
    row.gap = c.primal - c.dual;
    if (view.own_gap) row.own_gap = *view.own_gap;
    schedule_.paid(row.passes, seconds_since(start), excess());
  }

  // The gap over the largest that the tolerance allows; 0 where there is none.
  double excess() const {
    const StopSpec& stop = options_.stop;
    const double absolute = stop.gap ? gap() / *stop.gap : 0.0;
    const double relative =
        stop.relative_gap ? relative_gap(gap(), outcome_.primal) / *stop.relative_gap : 0.0;
    return std::max(absolute, relative);
  }

  // −∇φ of the repaired loss: near the optimum it is the dual solution, which a subgradient of the
  // original loss need not be. Empty where there was no repair: the certificate then takes the same
  // by itself.
  std::vector<double> repaired_dual(const double* w) const {
    if (&problem_ == &solved_) return {};
    std::vector<double> scores(static_cast<std::size_t>(problem_.shape().scores)),
        alpha(scores.size());
    solved_.apply(w, scores.data());
    solved_.loss_gradient(scores.data(), alpha.data());
    for (double& a : alpha) a = -a;
    return alpha;
  }

  Mixture mixture_of(const fenchel_view& view) const {
    if (view.parts == 0 || !view.part) return {};
    return {view.parts, view.part_weights, [this, part = view.part](std::int64_t j, double* dual) {
              ask(part(const_cast<void*>(solver_.self), j, dual), "part");
            }};
  }

  void demand_weights(const double* w) const {
    if (!w) throw part_failure("solver", solver_, "'view' shows no weights");
    for (std::int64_t j = 0; j < problem_.shape().parameters; ++j)
      if (!std::isfinite(w[j]))
        throw part_failure(
            "solver", solver_,
            fmt::format("returned weights that are not finite: entry {} is {} after step {}", j,
                        w[j], outcome_.iterations));
  }

  void record(const TraceRow& row) {
    if (row.gap || outcome_.trace.size() < kFullTraceRows) outcome_.trace.push_back(row);
    if (watch_) watch_(row);
  }

  double gap() const { return std::max(0.0, outcome_.primal - outcome_.dual); }

  [[noreturn]] void throw_false_claim() const {
    throw part_failure(
        "solver", solver_,
        fmt::format(
            "claims to be done after step {}, but the certified gap is {:.3g} (relative {:.3g})",
            outcome_.iterations, gap(), relative_gap(gap(), outcome_.primal)));
  }

  void finish(Status status, std::string message) {
    outcome_.status = status;
    outcome_.message = std::move(message);
  }

  const Problem& problem_;
  const Problem& solved_;
  const SolverPart& solver_;
  const RunOptions& options_;
  const Watch& watch_;
  const std::atomic<bool>& interrupt_;
  SolverProblem view_problem_;
  CertificateSchedule schedule_;
  RunOutcome outcome_;
  Clock::time_point begin_ = Clock::now();
};

}  // namespace

bool meets(const RunOutcome& at, const StopSpec& stop) {
  if (!at.certified || (!stop.gap && !stop.relative_gap)) return false;
  const double gap = at.primal - at.dual;
  return (!stop.gap || gap <= *stop.gap) &&
         (!stop.relative_gap || relative_gap(gap, at.primal) <= *stop.relative_gap);
}

std::string tolerance_text(const RunOutcome& at, const StopSpec& stop) {
  const double gap = at.primal - at.dual;
  std::string text;
  if (stop.gap) text = fmt::format("gap {:.3g} <= {:g}", gap, *stop.gap);
  if (stop.relative_gap)
    text += fmt::format("{}relative gap {:.3g} <= {:g}", text.empty() ? "" : ", ",
                        relative_gap(gap, at.primal), *stop.relative_gap);
  return text;
}

RunOutcome run_solver(const Problem& problem, const Problem& solved, const SolverPart& solver,
                      const RunOptions& options, const Watch& watch,
                      const std::atomic<bool>& interrupt) {
  return Loop(problem, solved, solver, options, watch, interrupt).run();
}

}  // namespace fenchel
