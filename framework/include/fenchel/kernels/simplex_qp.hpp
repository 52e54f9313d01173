// The quadratic program on the unit simplex
//
//   minimise ½ βᵀQβ − bᵀβ   subject to   β ≥ 0, Σ β = 1,        Q ≽ 0,
//
// by an active set S. On S the step p with Σ p = 0 solves (Q + E) p = μ1 − g, g = Qβ − b: by the
// Cholesky factor of Q + ρ 11ᵀ + E, where ρ is without effect on such p and E lifts pivots that
// rounding could have made negative. A step that leaves the simplex ends where the first entry
// becomes 0, which leaves S; when g is the same all over S, the entry with the least g joins it.
//
// All is relative to the starting point: g is given there and moves with the steps, so that its
// digits are kept however large Q is, and a call from a near solution is short. O(s²) a step that
// adds, O(s³) at worst one that drops, O(n s) for g; s = |S|.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <span>
#include <vector>

namespace fenchel::kernels {

class SimplexQp {
 public:
  // `beta` must lie in the simplex and `gradient` be Qβ − b there: both are moved to the solution.
  // Entry (i, j) of the symmetric Q is q[i * stride + j].
  void solve(const double* q, std::size_t stride, std::span<double> beta,
             std::span<double> gradient) {
    q_ = q;
    stride_ = stride;
    beta_ = beta;
    gradient_ = gradient;
    begin();
    const std::size_t most = 20 * beta.size() + 100;
    for (std::size_t k = 0; k < most; ++k) {
      level();
      const std::size_t j = steepest();
      if (j == beta_.size()) break;
      support_.push_back(j);
      factor(support_.size() - 1);
    }
    double sum = 0.0;
    for (double& x : beta_) sum += x = std::max(0.0, x);
    for (double& x : beta_) x /= sum;
  }

 private:
  static constexpr double kEpsilon = std::numeric_limits<double>::epsilon();
  static constexpr double kPivot = 64.0 * kEpsilon;  // least pivot, relative to its diagonal

  double entry(std::size_t i, std::size_t j) const { return q_[i * stride_ + j]; }
  double& root(std::size_t i, std::size_t k) { return root_[i * beta_.size() + k]; }

  void begin() {
    const std::size_t n = beta_.size();
    root_.resize(n * n);
    direction_.resize(n);
    ones_.resize(n);
    support_.clear();
    rho_ = 0.0;
    for (std::size_t j = 0; j < n; ++j) {
      rho_ = std::max(rho_, entry(j, j));
      if (beta_[j] > 0.0) support_.push_back(j);
    }
    if (!(rho_ > 0.0)) rho_ = 1.0;
    factor(0);
  }

  // Rows `from` and on of the factor.
  void factor(std::size_t from) {
    for (std::size_t i = from; i < support_.size(); ++i) {
      const double diagonal = entry(support_[i], support_[i]) + rho_;
      double pivot = diagonal;
      for (std::size_t k = 0; k < i; ++k) {
        double x = entry(support_[i], support_[k]) + rho_;
        for (std::size_t m = 0; m < k; ++m) x -= root(i, m) * root(k, m);
        root(i, k) = x / root(k, k);
        pivot -= root(i, k) * root(i, k);
      }
      root(i, i) = std::sqrt(std::max(pivot, kPivot * diagonal));
    }
  }

  void solve_in_place(std::vector<double>& x) {
    const std::size_t s = support_.size();
    for (std::size_t i = 0; i < s; ++i) {
      for (std::size_t k = 0; k < i; ++k) x[i] -= root(i, k) * x[k];
      x[i] /= root(i, i);
    }
    for (std::size_t i = s; i-- > 0;) {
      for (std::size_t k = i + 1; k < s; ++k) x[i] -= root(k, i) * x[k];
      x[i] /= root(i, i);
    }
  }

  // p = M⁻¹(μ1 − g) with the μ that gives Σ p = 0. g counts up to a constant.
  void find_direction() {
    const std::size_t s = support_.size();
    const double base = gradient_[support_.front()];
    for (std::size_t i = 0; i < s; ++i) {
      direction_[i] = base - gradient_[support_[i]];
      ones_[i] = 1.0;
    }
    solve_in_place(direction_);
    solve_in_place(ones_);
    double sum = 0.0, total = 0.0;
    for (std::size_t i = 0; i < s; ++i) {
      sum += direction_[i];
      total += ones_[i];
    }
    for (std::size_t i = 0; i < s; ++i) direction_[i] -= sum / total * ones_[i];
  }

  // Moves by p as far as the simplex allows; the place in S of the entry that stopped it, or s.
  std::size_t move() {
    const std::size_t s = support_.size();
    std::size_t stop = s;
    double step = 1.0;
    for (std::size_t i = 0; i < s; ++i) {
      const double reach = -beta_[support_[i]] / direction_[i];
      if (direction_[i] < 0.0 && reach < step) {
        step = reach;
        stop = i;
      }
    }
    for (std::size_t i = 0; i < s; ++i) {
      const double change = step * direction_[i];
      beta_[support_[i]] = i == stop ? 0.0 : std::max(0.0, beta_[support_[i]] + change);
      for (std::size_t j = 0; j < beta_.size(); ++j) gradient_[j] += change * entry(support_[i], j);
    }
    return stop;
  }

  double mean_gradient() const {
    double mean = 0.0;
    for (const std::size_t j : support_) mean += beta_[j] * gradient_[j];
    return mean;
  }
  double rounding() const {
    double size = 0.0;
    for (const double g : gradient_) size = std::max(size, std::abs(g));
    return 4.0 * kEpsilon * size;
  }

  // Steps on S until g is the same all over it.
  void level() {
    constexpr int kRefinements = 8;
    for (int refined = 0; refined < kRefinements && support_.size() > 1;) {
      find_direction();
      const std::size_t stop = move();
      if (stop < support_.size()) {
        support_.erase(support_.begin() + static_cast<std::ptrdiff_t>(stop));
        factor(stop);
        continue;
      }
      ++refined;
      const double mean = mean_gradient(), enough = rounding();
      if (std::all_of(support_.begin(), support_.end(),
                      [&](std::size_t j) { return std::abs(gradient_[j] - mean) <= enough; }))
        return;
    }
  }

  // The entry off S with the least g, where that is below the mean on S; else the size.
  std::size_t steepest() const {
    std::size_t best = beta_.size();
    double least = mean_gradient() - rounding();
    for (std::size_t j = 0; j < beta_.size(); ++j)
      if (gradient_[j] < least &&
          std::find(support_.begin(), support_.end(), j) == support_.end()) {
        least = gradient_[j];
        best = j;
      }
    return best;
  }

  const double* q_ = nullptr;
  std::size_t stride_ = 0;
  std::span<double> beta_, gradient_;
  double rho_ = 1.0;
  std::vector<std::size_t> support_;
  std::vector<double> root_, direction_, ones_;
};

}  // namespace fenchel::kernels
