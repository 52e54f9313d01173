#include "cli/commands.hpp"
#include "report/comparison.hpp"
#include "report/terminal.hpp"
#include "run/compare.hpp"
#include "run/entrant.hpp"
#include "run/session.hpp"
#include "run/stopwatch.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <iostream>

namespace fenchel::cli {
namespace {

namespace fs = std::filesystem;

std::atomic<bool> g_interrupt{false};
static_assert(std::atomic<bool>::is_always_lock_free, "set from a signal handler");

// The first signal ends the run in order; a second one ends the program.
extern "C" void on_signal(int number) {
  g_interrupt = true;
  std::signal(number, SIG_DFL);
}

void watch_signals() {
  std::signal(SIGINT, on_signal);
  std::signal(SIGTERM, on_signal);
}

Exit exit_of(Status status) {
  switch (status) {
    case Status::converged: return Exit::converged;
    case Status::limit: return Exit::limit;
    case Status::interrupted: return Exit::interrupted;
    case Status::refused: return Exit::refused;
    default: return Exit::plugin_failed;
  }
}

std::vector<std::string> sets_of(const SolveOptions& options) {
  std::vector<std::string> sets = options.sets;
  if (options.threads > 0) sets.push_back("run.threads=" + std::to_string(options.threads));
  return sets;
}

bool silent(const SolveOptions& options) { return options.quiet || options.json; }

// Runs one solver, shows its progress and writes its files (none for an empty `dir`).
void run_and_write(const Session& session, Entrant& entrant, const fs::path& dir,
                   const SolveOptions& options) {
  Progress progress(std::cerr,
                    silent(options) ? ProgressStyle::quiet : progress_style(STDERR_FILENO));
  const std::optional<Model> model = run_entrant(
      session, entrant, [&](const TraceRow& row) { progress.update(row); }, g_interrupt);
  progress.finish();
  if (!dir.empty())
    write_run(dir, entrant.result, model ? &*model : nullptr, entrant.spec.resolved);
  if (entrant.result.status == Status::failed)
    std::cerr << "fenchel: " << entrant.result.message << '\n';
}

int solve_one(const Session& session, Entrant entrant, const fs::path& out,
              const SolveOptions& options) {
  const Result& result = entrant.result;
  if (!entrant.may_run())
    throw Error(Exit::refused, result.message, entrant.spec.solver.place,
                "'fenchel check' shows every requirement");
  if (!out.empty()) prepare_output(out);
  watch_signals();
  run_and_write(session, entrant, out, options);
  if (options.json)
    std::cout << to_json(result) << '\n';
  else if (!options.quiet)
    std::cout << summary(result, out);
  return static_cast<int>(exit_of(result.status));
}

// What is wrong with those that cannot run, before the others start; then their folders.
void announce(const Session& session, const std::vector<Entrant>& entrants, const fs::path& out) {
  std::vector<std::string> folders;
  for (std::size_t k = 0; k < entrants.size(); ++k) {
    const Entrant& entrant = entrants[k];
    if (entrant.may_run())
      folders.push_back(member_folder(session.spec(), k));
    else if (entrant.result.status == Status::refused)
      std::cerr << "fenchel: "
                << Error(Exit::refused, entrant.result.message, entrant.spec.solver.place).what()
                << '\n';
    else
      std::cerr << "fenchel: " << entrant.result.message << '\n';
  }
  if (!out.empty()) prepare_comparison(out, folders);
}

int compare_all(const Session& session, std::vector<Entrant> entrants, const fs::path& out,
                const SolveOptions& options) {
  announce(session, entrants, out);
  watch_signals();
  Comparison comparison{session.spec().stop, {}};
  for (std::size_t k = 0; k < entrants.size(); ++k) {
    Entrant& entrant = entrants[k];
    const std::string name = member_name(entrant.spec.solver);
    const std::string folder = member_folder(session.spec(), k);
    const fs::path dir = out.empty() ? out : out / folder;
    const bool runs = entrant.may_run() && !g_interrupt;
    if (runs) {
      if (!silent(options))
        std::cerr << fmt::format("solver {} of {}: {}\n", k + 1, entrants.size(), name);
      run_and_write(session, entrant, dir, options);
    } else if (entrant.may_run()) {
      mark_not_run(entrant);
      std::error_code not_empty;
      if (!dir.empty()) fs::remove(dir, not_empty);  // prepared for it
    }
    comparison.rows.push_back({name, runs ? folder : "", std::move(entrant.result)});
    if (!out.empty()) write_comparison(out, comparison);
  }
  if (options.json)
    std::cout << comparison_json(comparison);
  else if (!options.quiet)
    std::cout << comparison_table(comparison, out);
  return static_cast<int>(exit_of(overall_status(comparison)));
}

}  // namespace

int solve(const SolveOptions& options) {
  const Stopwatch loading;
  Spec spec = load_spec(options.spec, sets_of(options));
  const fs::path out = !options.out.empty() ? options.out : spec.output.value_or("");
  const Registry registry = Registry::scan(plugin_folders(options.plugins));
  const Session session(std::move(spec), registry);
  const double load_seconds = loading.seconds();
  if (!session.spec().compare.empty())
    return compare_all(session, enter_all(session, registry, load_seconds), out, options);
  return solve_one(session, enter(session, session.spec(), registry, load_seconds), out, options);
}

}  // namespace fenchel::cli
