#include "run/verify_solver.hpp"

#include "calculus/check.hpp"
#include "calculus/combinators.hpp"
#include "plugin/sample.hpp"
#include "run/run.hpp"

#include <fmt/format.h>

#include <atomic>
#include <optional>
#include <random>

namespace fenchel {
namespace {

constexpr std::int64_t kRows = 60, kColumns = 8;
constexpr double kTolerance = 1e-3;  // relative gap that every fitting solver must reach
constexpr double kPasses = 5000.0;

Matrix random_rows(std::mt19937_64& random) {
  std::normal_distribution<double> normal;
  std::bernoulli_distribution keep(0.6);
  Matrix x;
  x.rows = kRows;
  x.columns = kColumns;
  for (std::int64_t i = 0; i < kRows; ++i) {
    for (std::int32_t j = 0; j < kColumns; ++j) {
      if (!keep(random)) continue;
      x.indices.push_back(j);
      x.values.push_back(normal(random));
    }
    x.starts.push_back(static_cast<std::int64_t>(x.values.size()));
  }
  return x;
}

std::vector<double> random_targets(std::int32_t target, std::mt19937_64& random) {
  std::normal_distribution<double> normal;
  std::vector<double> y(kRows);
  for (double& value : y) {
    value = normal(random);
    if (target == FENCHEL_TARGET_BINARY) value = value < 0.0 ? -1.0 : 1.0;
  }
  return y;
}

// A weight that keeps the optimum away from zero on such data.
Component modest(const Plugin& regularizer) {
  Component c = sample_of(*regularizer.card).component;
  for (auto& [name, node] : c.parameters.entries) {
    if (name == "lambda" || name == "l1" || name == "l2") node.scalar = "0.02";
  }
  return c;
}

class SolverTrial {
 public:
  SolverTrial(const Plugin& solver, const Registry& registry, std::uint64_t seed)
      : plugin_(solver),
        registry_(registry),
        solver_(sample_of(*solver.card).component),
        seed_(seed) {}

  std::vector<Finding> run() {
    for (const Plugin& loss : registry_.plugins())
      for (const Plugin& regularizer : registry_.plugins())
        if (loss.card->kind == FENCHEL_KIND_LOSS &&
            regularizer.card->kind == FENCHEL_KIND_REGULARIZER)
          attempt(loss, regularizer);
    findings_.push_back(
        {"fits", accepted_ > 0,
         fmt::format("its requirements accept {} of {} pairs of loss and regularizer", accepted_,
                     accepted_ + refused_)});
    return std::move(findings_);
  }

 private:
  void attempt(const Plugin& loss, const Plugin& regularizer) {
    if (static_cast<const fenchel_loss*>(loss.card->table)->layout != FENCHEL_LAYOUT_SCALAR) return;
    std::mt19937_64 random(seed_);
    const Matrix x = random_rows(random);
    const RowsMap map(x);
    RegularizerPart omega = registry_.make_regularizer(modest(regularizer), map.shape());
    // A problem without Ω may have no minimum; it says nothing about the solver.
    if (!free_parameters(omega, kColumns).empty()) return;
    const std::int32_t target = static_cast<const fenchel_loss*>(loss.card->table)->targets;
    const Problem problem(map, random_targets(target, random),
                          registry_.make_loss(sample_of(*loss.card).component, map.shape()), omega,
                          parallel_);
    if (!check_problem(problem, make_solver(plugin_, solver_, map.shape())).accepted) {
      ++refused_;
      return;
    }
    ++accepted_;
    const std::string pair = fmt::format("{} + {}", loss.card->id, regularizer.card->id);
    const RunOutcome first = solve(problem, map.shape()), second = solve(problem, map.shape());
    findings_.push_back({"solves " + pair, first.status == Status::converged,
                         fmt::format("{} after {:.1f} passes: {}", status_name(first.status),
                                     first.passes, first.message)});
    findings_.push_back({"repeats " + pair, first.weights == second.weights,
                         "two runs with one seed give the same weights"});
  }

  RunOutcome solve(const Problem& problem, const fenchel_shape& shape) const {
    RunOptions options;
    options.stop.relative_gap = kTolerance;
    options.stop.passes = kPasses;
    options.seed = seed_;
    options.certify_every = 5.0;
    const std::atomic<bool> never{false};
    return run_solver(problem, make_solver(plugin_, solver_, shape), options, {}, never);
  }

  const Plugin& plugin_;
  const Registry& registry_;
  Component solver_;
  std::uint64_t seed_;
  Parallel parallel_{1};
  std::vector<Finding> findings_;
  int accepted_ = 0, refused_ = 0;
};

}  // namespace

std::vector<Finding> verify_solver(const Plugin& solver, const Registry& registry,
                                   std::uint64_t seed) {
  return SolverTrial(solver, registry, seed).run();
}

}  // namespace fenchel
