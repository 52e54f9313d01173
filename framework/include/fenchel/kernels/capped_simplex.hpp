// Projections onto the simplex and the capped simplex in linear time, for long vectors. For a few
// entries the sort of simplex.hpp is quicker.
#pragma once

#include <fenchel/kernels/diagonal_qp.hpp>

namespace fenchel::kernels {

// The projection of x onto {0 ≤ b ≤ cap, Σ b = radius} as a diagonal program. `cap` may be
// infinite.
struct CappedSimplex {
  std::span<const double> x;
  double cap;

  std::size_t size() const { return x.size(); }
  static double weight(std::size_t) { return 1.0; }
  double center(std::size_t i) const { return x[i]; }
  static double lower(std::size_t) { return 0.0; }
  double upper(std::size_t) const { return cap; }
  static double sigma(std::size_t) { return 1.0; }
};

// `out` may be x. False where cap · x.size() < radius or radius < 0: the set is empty.
inline bool project_capped_simplex(std::span<const double> x, double cap, double radius,
                                   QpWorkspace& work, std::span<double> out) {
  return solve_diagonal_qp(CappedSimplex{x, cap}, radius, work, out);
}

// Onto {b ≥ 0, Σ b = radius}.
inline bool project_simplex(std::span<const double> x, double radius, QpWorkspace& work,
                            std::span<double> out) {
  return project_capped_simplex(x, detail::kInfinite, radius, work, out);
}

}  // namespace fenchel::kernels
