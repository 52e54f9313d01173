// Random small problems over the built plugins, for tests of solvers and certificates.
#pragma once

#include "calculus/check.hpp"
#include "calculus/combinators.hpp"
#include "data/dataset.hpp"
#include "plugin/registry.hpp"
#include "run/problem.hpp"
#include "run/run.hpp"
#include "spec/parse.hpp"
#include "spec/validate.hpp"

#include <atomic>
#include <cmath>
#include <memory>
#include <random>
#include <string>
#include <vector>

namespace fenchel::test {

inline const Registry& built_plugins() {
  static const Registry registry = Registry::scan({FENCHEL_PLUGIN_DIR});
  return registry;
}

// "hinge" or "{l2: {lambda: 0.1}}".
inline Component component(const std::string& yaml) {
  return spec::read_component(spec::parse_yaml(yaml, "test"));
}

struct SmallProblem {
  Matrix x;
  std::vector<double> y;
  Parallel parallel{1};
  std::unique_ptr<LinearMap> map;
  std::unique_ptr<Problem> problem;

  SolverPart solver(const std::string& yaml) const {
    return built_plugins().make_solver(component(yaml), map->shape());
  }
  RunOutcome solve(const std::string& solver_yaml, double relative_gap, double passes = 20000.0,
                   std::uint64_t seed = 1, double every = 1.0) const {
    RunOptions options;
    options.stop.relative_gap = relative_gap;
    options.stop.passes = passes;
    options.seed = seed;
    options.certify_every = every;
    const std::atomic<bool> never{false};
    return run_solver(*problem, solver(solver_yaml), options, {}, never);
  }
};

struct SmallOptions {
  std::int64_t rows = 40, columns = 6;
  std::uint64_t seed = 1;
  bool dense = false;
  double density = 0.7;
  Bias bias = Bias::none;
  int threads = 1;
  std::int32_t classes = 3;  // for losses on classes
};

inline Matrix random_matrix(const SmallOptions& o, std::mt19937_64& random) {
  std::normal_distribution<double> normal;
  std::bernoulli_distribution keep(o.density);
  Matrix x;
  x.rows = o.rows;
  x.columns = o.columns;
  x.dense = o.dense;
  if (o.dense) x.starts.clear();
  for (std::int64_t i = 0; i < o.rows; ++i) {
    for (std::int32_t j = 0; j < o.columns; ++j) {
      const bool kept = keep(random);
      const double value = normal(random);
      if (!o.dense && kept) x.indices.push_back(j);
      if (o.dense || kept) x.values.push_back(kept ? value : 0.0);
    }
    if (!o.dense) x.starts.push_back(static_cast<std::int64_t>(x.values.size()));
  }
  return x;
}

// Targets follow a random linear rule with noise; binary ones are its sign, classes its remainder.
inline std::unique_ptr<SmallProblem> small_problem(const std::string& loss,
                                                   const std::string& regularizer,
                                                   const SmallOptions& o = {}) {
  auto made = std::make_unique<SmallProblem>();
  std::mt19937_64 random(o.seed);
  std::normal_distribution<double> normal;
  made->x = random_matrix(o, random);
  const RowsMap plain(made->x);
  const Parallel one(1);
  std::vector<double> rule(static_cast<std::size_t>(o.columns));
  for (double& r : rule) r = normal(random);
  made->y.resize(static_cast<std::size_t>(o.rows));
  plain.apply(one, rule.data(), made->y.data());
  const Component loss_component = component(loss);
  const auto* table = static_cast<const fenchel_loss*>(
      built_plugins().require(FENCHEL_KIND_LOSS, loss_component).card->table);
  if (table->targets == FENCHEL_TARGET_NONE) made->y.clear();
  for (double& value : made->y) {
    value += 0.8 * normal(random) + 0.3;
    if (table->targets == FENCHEL_TARGET_BINARY) value = value < 0.0 ? -1.0 : 1.0;
    if (table->targets == FENCHEL_TARGET_CLASS)
      value = std::fmod(std::floor(std::abs(value) * 1.5), static_cast<double>(o.classes));
  }
  if (o.bias != Bias::none) append_ones(made->x);
  if (table->targets == FENCHEL_TARGET_CLASS)
    made->map = std::make_unique<OutputsMap>(made->x, o.classes);
  else if (table->layout == FENCHEL_LAYOUT_WHOLE)
    made->map = std::make_unique<WholeMap>(made->x);
  else
    made->map = std::make_unique<RowsMap>(made->x);
  fenchel_shape seen = made->map->shape();
  if (o.bias == Bias::free) --seen.parameters;
  RegularizerPart omega = built_plugins().make_regularizer(component(regularizer), seen);
  if (o.bias == Bias::free) omega = with_free_bias(omega, seen.parameters);
  made->problem = std::make_unique<Problem>(
      *made->map, made->y, built_plugins().make_loss(loss_component, made->map->shape()), omega,
      made->parallel);
  return made;
}

inline double objective(const Problem& problem, const std::vector<double>& w) {
  std::vector<double> z(static_cast<std::size_t>(problem.shape().scores));
  problem.apply(w.data(), z.data());
  return problem.omega(w.data()) + problem.risk(z.data());
}

}  // namespace fenchel::test
