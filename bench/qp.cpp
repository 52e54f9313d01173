// How the time of the diagonal program grows with its size: figures as JSON, never a verdict.
// Built on request: cmake --build BUILD --target bench_qp, then BUILD/bin/bench_qp.
#include <fenchel/kernels/diagonal_qp.hpp>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <random>
#include <vector>

namespace {

using fenchel::kernels::DiagonalQp;
using fenchel::kernels::QpWorkspace;

struct Program {
  std::vector<double> d, m, l, u, sigma;
  double z = 0.0;

  explicit Program(std::size_t n) {
    std::mt19937_64 random(n);
    std::normal_distribution<double> normal;
    std::uniform_real_distribution<double> uniform(0.5, 2.0);
    for (std::size_t i = 0; i < n; ++i) {
      d.push_back(uniform(random));
      m.push_back(normal(random));
      l.push_back(0.0);
      u.push_back(uniform(random));
      sigma.push_back(random() % 2 == 0 ? 1.0 : -1.0);
    }
  }
  DiagonalQp qp() const { return {d, m, l, u, sigma}; }
};

// The least of several runs, in seconds; the first one fills the workspace.
double seconds(const Program& program) {
  using Clock = std::chrono::steady_clock;
  QpWorkspace work;
  std::vector<double> x(program.d.size());
  double least = 1e300;
  for (int run = 0; run < 4; ++run) {
    const Clock::time_point start = Clock::now();
    solve_diagonal_qp(program.qp(), program.z, work, x);
    if (run > 0)
      least = std::min(least, std::chrono::duration<double>(Clock::now() - start).count());
  }
  return least;
}

}  // namespace

int main() {
  std::printf("[\n");
  for (const std::size_t n : {10000UL, 100000UL, 1000000UL, 10000000UL}) {
    const double time = seconds(Program(n));
    std::printf("  {\"n\": %zu, \"seconds\": %.3g, \"nanoseconds_an_entry\": %.3g}%s\n", n, time,
                1e9 * time / static_cast<double>(n), n < 10000000UL ? "," : "");
  }
  std::printf("]\n");
}
