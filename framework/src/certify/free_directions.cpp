// With F the free columns and W = diag(φ″(z)):  α′ = α − n W A_F c,  (A_Fᵀ W A_F) c = v_F  gives
// v′_F = 0. Weighting by the curvature moves an α = −∇φ(z) along the graph of ∇φ, so it stays
// inside dom φ* for a small residual: α′ is, to first order, the −∇φ of a Newton step on the free
// parameters.
#include "certify/free_directions.hpp"

#include <Eigen/Core>

#include <algorithm>
#include <cmath>

namespace fenchel {
namespace {

using Vector = Eigen::VectorXd;

constexpr double kFeasible = 1e-12;  // |v_F| at most this fraction of the size of its terms
constexpr int kRounds = 3;

// φ″ by central differences of the gradient.
Vector curvature(const Problem& problem, const std::vector<double>& scores) {
  const auto m = static_cast<Eigen::Index>(scores.size());
  const Eigen::Map<const Vector> z(scores.data(), m);
  const Vector h = 1e-5 * (1.0 + z.array().abs());
  const Vector above = z + h, below = z - h;
  Vector up(m), down(m);
  problem.loss_gradient(above.data(), up.data());
  problem.loss_gradient(below.data(), down.data());
  return ((up - down).array() / (2.0 * h.array())).max(0.0);
}

class FreeSystem {
 public:
  FreeSystem(const Problem& problem, Vector weights)
      : problem_(problem),
        weights_(std::move(weights)),
        full_(Vector::Zero(problem.shape().parameters)),
        scores_(problem.shape().scores) {}

  Vector gather(const double* v) const {
    const auto& free = problem_.free_parameters();
    Vector out(static_cast<Eigen::Index>(free.size()));
    for (std::size_t k = 0; k < free.size(); ++k) out[static_cast<Eigen::Index>(k)] = v[free[k]];
    return out;
  }
  // W A_F c
  const Vector& weighted_scores(const Vector& c) {
    const auto& free = problem_.free_parameters();
    full_.setZero();
    for (std::size_t k = 0; k < free.size(); ++k) full_[free[k]] = c[static_cast<Eigen::Index>(k)];
    problem_.apply(full_.data(), scores_.data());
    scores_.array() *= weights_.array();
    return scores_;
  }
  // (1/n) A_Fᵀ W A_F c
  Vector operator()(const Vector& c) {
    weighted_scores(c);
    problem_.adjoint(scores_.data(), full_.data());
    return gather(full_.data());
  }

 private:
  const Problem& problem_;
  Vector weights_, full_, scores_;
};

// Conjugate gradients; stops at rounding level, at a singular direction or after the usual count.
Vector solve(FreeSystem& system, const Vector& right) {
  Vector c = Vector::Zero(right.size()), residual = right, direction = right;
  double size = residual.squaredNorm();
  const double enough = 1e-30 * size;
  const auto most = std::min<Eigen::Index>(2 * right.size() + 10, 400);
  for (Eigen::Index k = 0; k < most && size > enough; ++k) {
    const Vector image = system(direction);
    const double curvature_along = direction.dot(image);
    if (!(curvature_along > 0.0)) break;
    const double step = size / curvature_along;
    c += step * direction;
    residual -= step * image;
    const double next = residual.squaredNorm();
    direction = residual + (next / size) * direction;
    size = next;
  }
  return c;
}

}  // namespace

bool clear_free_directions(const Problem& problem, const std::vector<double>& scores,
                           std::vector<double>& alpha, std::vector<double>& v) {
  const auto m = static_cast<Eigen::Index>(alpha.size());
  Eigen::Map<Vector> a(alpha.data(), m);
  const double norm = std::sqrt(
      problem.constants().find(FENCHEL_ABOUT_PROBLEM, FENCHEL_FACT_MEAN_SQUARED_NORM).fact.value);
  const double terms = norm * std::max(a.array().abs().mean(), 1e-300);

  FreeSystem system(problem, curvature(problem, scores));
  const auto clear = [&] {
    return system.gather(v.data()).cwiseAbs().maxCoeff() <= kFeasible * terms;
  };
  for (int round = 0; round < kRounds && !clear(); ++round) {
    const Vector c = solve(system, system.gather(v.data()));
    a -= system.weighted_scores(c);
    a = -a;  // project_dual works on u = −α
    problem.project_dual(alpha.data());
    a = -a;
    problem.adjoint(alpha.data(), v.data());
  }
  return clear();
}

}  // namespace fenchel
