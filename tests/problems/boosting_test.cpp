// Entropy-regularized LPBoost: a distribution w over examples against the edge vectors of decision
// stumps,
//
//   minimise over the (capped) simplex   λ Σ wᵢ log(N wᵢ) + max_t ⟨u_t, w⟩,   u_tᵢ = yᵢ h_t(xᵢ)
//
// held against a solver of its own: the dual over mixtures of stumps by pairwise Frank-Wolfe steps.
#include "small_problem.hpp"

#include "run/automatic.hpp"
#include "run/plan.hpp"

#include <fmt/format.h>

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <numeric>

namespace {
using namespace fenchel;
using namespace fenchel::test;
using Vector = std::vector<double>;

constexpr double kLambda = 0.05;
constexpr double kTolerance = 1e-3;  // of the smoothed runs

// Edge vectors, one a stump: every feature split at its median, in the better direction.
std::vector<Vector> edges_of(const Dataset& data, const Vector& y) {
  std::vector<Vector> edges;
  const auto n = static_cast<std::size_t>(data.x.rows);
  for (std::int64_t j = 0; j < data.x.columns; ++j) {
    Vector unit(static_cast<std::size_t>(data.x.columns), 0.0), column(n);
    unit[static_cast<std::size_t>(j)] = 1.0;
    RowsMap(data.x).apply(Parallel(1), unit.data(), column.data());
    Vector sorted = column;
    std::sort(sorted.begin(), sorted.end());
    Vector edge(n);
    for (std::size_t i = 0; i < n; ++i) edge[i] = y[i] * (column[i] >= sorted[n / 2] ? 1.0 : -1.0);
    if (std::accumulate(edge.begin(), edge.end(), 0.0) < 0.0)
      for (double& e : edge) e = -e;
    edges.push_back(std::move(edge));
  }
  return edges;
}

std::unique_ptr<SmallProblem> boosting(const std::vector<Vector>& edges, double cap) {
  auto made = std::make_unique<SmallProblem>();
  made->x.rows = static_cast<std::int64_t>(edges.size());
  made->x.columns = static_cast<std::int64_t>(edges.front().size());
  made->x.dense = true;
  made->x.starts.clear();
  for (const Vector& edge : edges)
    made->x.values.insert(made->x.values.end(), edge.begin(), edge.end());
  made->map = std::make_unique<WholeMap>(made->x);
  const std::string omega = fmt::format("{{entropy: {{lambda: {}, cap: {}}}}}", kLambda, cap);
  made->problem = std::make_unique<Problem>(
      *made->map, Vector{}, built_plugins().make_loss(component("max"), made->map->shape()),
      built_plugins().make_regularizer(component(omega), made->map->shape()), made->parallel);
  return made;
}

// argmin over the capped simplex of ⟨v, w⟩ + λ Σ wᵢ log(N wᵢ): wᵢ = min(cap, c exp(−vᵢ/λ)), c by
// bisection.
Vector distribution(const Vector& v, double cap) {
  const double least = *std::min_element(v.begin(), v.end());
  Vector e(v.size()), w(v.size());
  for (std::size_t i = 0; i < v.size(); ++i) e[i] = std::exp((least - v[i]) / kLambda);
  const auto sum_at = [&](double c) {
    double sum = 0.0;
    for (const double x : e) sum += std::min(cap, c * x);
    return sum;
  };
  double low = 0.0, high = 1.0;
  while (sum_at(high) < 1.0) high *= 2.0;
  for (int k = 0; k < 55; ++k) {
    const double middle = 0.5 * (low + high);
    (sum_at(middle) < 1.0 ? low : high) = middle;
  }
  for (std::size_t i = 0; i < v.size(); ++i) w[i] = std::min(cap, high * e[i]);
  return w;
}

double dot(const Vector& a, const Vector& b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

// D(p) = min over w of λ Σ w log(N w) + ⟨v, w⟩ with v = Σ p_t u_t, maximised by moving mass from
// the worst stump in use to the best one as far as that gains.
double best_dual(const std::vector<Vector>& edges, double cap) {
  const std::size_t count = edges.size(), n = edges.front().size();
  Vector p(count, 1.0 / static_cast<double>(count)), v(n, 0.0), moved(n);
  for (const Vector& edge : edges)
    for (std::size_t i = 0; i < n; ++i) v[i] += edge[i] / static_cast<double>(count);
  for (int k = 0; k < 20000; ++k) {
    const Vector w = distribution(v, cap);
    std::size_t to = 0, from = count;
    Vector scores(count);
    for (std::size_t t = 0; t < count; ++t) {
      scores[t] = dot(w, edges[t]);
      if (scores[t] > scores[to]) to = t;
      if (p[t] > 0.0 && (from == count || scores[t] < scores[from])) from = t;
    }
    if (scores[to] - scores[from] <= 2e-8) break;
    double low = 0.0, high = p[from];
    for (int m = 0; m < 30; ++m) {
      const double step = m == 0 ? high : 0.5 * (low + high);
      for (std::size_t i = 0; i < n; ++i) moved[i] = v[i] + step * (edges[to][i] - edges[from][i]);
      const Vector there = distribution(moved, cap);
      const bool gains = dot(there, edges[to]) >= dot(there, edges[from]);
      (gains ? low : high) = step;
      if (m == 0 && gains) break;
    }
    p[from] = low == p[from] ? 0.0 : p[from] - low;
    p[to] += low;
    for (std::size_t i = 0; i < n; ++i) v[i] += low * (edges[to][i] - edges[from][i]);
  }
  const Vector w = distribution(v, cap);
  double value = dot(w, v);
  for (const double x : w)
    if (x > 0.0) value += kLambda * x * std::log(static_cast<double>(n) * x);
  return value;
}

RunOutcome by_smoothing(const SmallProblem& small, bool entropic, bool homotopy) {
  Spec spec;
  spec.solver = component("agm-1");
  spec.repair = {"smooth-loss"};
  spec.smoothing.entropic = entropic;
  spec.smoothing.homotopy = homotopy;
  spec.stop.gap = kTolerance;
  spec.stop.passes = 20000.0;
  const Plan plan = make_plan(*small.problem, spec, built_plugins(), false);
  BOOST_TEST_REQUIRE(plan.refusal() == "");
  RunOptions options;
  options.stop = spec.stop;
  options.certify_every = 20.0;
  const std::atomic<bool> never{false};
  return run_plan(*small.problem, plan, options, {}, never).run;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(boosting_with_entropy)

BOOST_AUTO_TEST_CASE(it_matches_an_independent_solver_on_stumps_of_real_data) {
  const auto file = std::filesystem::path(FENCHEL_SOURCE_DIR) / ".." / "shared" / "data" / "wdbc";
  if (!std::filesystem::exists(file)) {
    BOOST_TEST_MESSAGE("skipped: " << file << " is not here");
    return;
  }
  const Dataset data = read_dataset(file, {});
  const Vector y =
      LabelMap::learn(FENCHEL_TARGET_BINARY, data.labels, data.file).encode(data.labels, data.file);
  const std::vector<Vector> edges = edges_of(data, y);
  const double n = static_cast<double>(data.x.rows);
  for (const double cap : {1.0, 10.0 / n}) {
    const auto small = boosting(edges, cap);
    const double expected = best_dual(edges, cap);
    for (const char* solver : {"agm-dual", "pragam"}) {
      RunOptions options;
      options.stop.gap = 1e-7;
      options.stop.passes = 50000.0;
      options.certify_every = 20.0;
      const std::atomic<bool> never{false};
      const RunOutcome run = run_solver(*small->problem, small->solver(solver), options, {}, never);
      BOOST_TEST((run.status == Status::converged), solver << ": " << run.message);
      BOOST_TEST(std::abs(run.primal - expected) <= 1e-7, solver << " cap " << cap);
    }
    // Smoothed, by one level and by several: to the tolerance they are given.
    for (const bool entropic : {false, true})
      for (const bool homotopy : {false, true}) {
        const RunOutcome run = by_smoothing(*small, entropic, homotopy);
        BOOST_TEST((run.status == Status::converged),
                   entropic << homotopy << ": " << run.message << " gap " << run.primal - run.dual);
        BOOST_TEST(std::abs(run.primal - expected) <= kTolerance);
        BOOST_TEST(run.dual <= expected + 1e-8);
      }
  }
}

BOOST_AUTO_TEST_SUITE_END()
