// Functions with their true constants, in the norm in which each is natural, and a search for pairs
// of points that violate what is claimed of them. Values alone are used: no oracle is shared with
// the code under test.
#pragma once

#include "calculus/facts.hpp"

#include <Eigen/Dense>

#include <cmath>
#include <functional>
#include <limits>
#include <random>
#include <string>
#include <vector>

namespace fenchel::rules_support {

using Vector = Eigen::VectorXd;

struct Function {
  Eigen::Index dim;
  std::function<double(const Vector&)> value;
  Facts facts;
};

class Random {
 public:
  explicit Random(std::uint64_t seed) : engine_(seed) {}
  double normal() { return normal_(engine_); }
  double log_uniform(double low, double high) {
    return std::pow(10.0, std::uniform_real_distribution<double>(low, high)(engine_));
  }
  // Of any size; every third along one coordinate, every third along a diagonal.
  Vector point(Eigen::Index dim) {
    const auto kind = engine_() % 3;
    Vector x(dim);
    for (double& entry : x) entry = kind == 1 ? (normal() < 0.0 ? -1.0 : 1.0) : normal();
    if (kind == 2) {
      const auto kept = static_cast<Eigen::Index>(engine_() % static_cast<std::uint64_t>(dim));
      x = (Vector::Unit(dim, kept) * x[kept]).eval();
    }
    return x * log_uniform(-2.0, 1.5);
  }

 private:
  std::mt19937_64 engine_;
  std::normal_distribution<double> normal_;
};

inline double norm_of(const Vector& x, std::int32_t norm) {
  if (norm == FENCHEL_NORM_L1) return x.lpNorm<1>();
  return norm == FENCHEL_NORM_LINF ? x.lpNorm<Eigen::Infinity>() : x.norm();
}

// The name of a fact that a pair of points contradicts; empty where none is found.
inline std::string violation(const Function& f, Random& random, int pairs = 60) {
  const Derived ell = f.facts.get(FENCHEL_FACT_LIPSCHITZ),
                beta = f.facts.get(FENCHEL_FACT_SMOOTHNESS),
                mu = f.facts.get(FENCHEL_FACT_STRONG_CONVEXITY),
                low = f.facts.get(FENCHEL_FACT_LOWER_BOUND),
                growth = f.facts.get(FENCHEL_FACT_GROWTH),
                radius = f.facts.get(FENCHEL_FACT_DOMAIN_RADIUS);
  const bool convex = f.facts.get(FENCHEL_FACT_CONVEX).known();
  const double at_zero = f.value(Vector::Zero(f.dim));
  for (int k = 0; k < pairs; ++k) {
    const Vector a = random.point(f.dim), b = k % 4 == 0 ? Vector(-a) : random.point(f.dim);
    const double at_a = f.value(a), at_b = f.value(b);
    if (radius.known() && norm_of(a, radius.fact.norm) > radius.value() * (1.0 + 1e-9) &&
        std::isfinite(at_a))
      return "domain radius";
    if (low.known() && at_a < low.value() - 1e-9 * std::abs(low.value())) return "lower bound";
    const double size = norm_of(a, growth.fact.norm);
    if (growth.known() && at_a - at_zero < growth.value() * size * (1.0 - 1e-9)) return "growth";
    if (!std::isfinite(at_a) || !std::isfinite(at_b)) {
      if (ell.known() || beta.known()) return "finite everywhere";
      continue;
    }
    const double middle = f.value(0.5 * (a + b));
    const double bend = at_a + at_b - 2.0 * middle;
    const double noise = 1e-13 * (std::abs(at_a) + std::abs(at_b) + 2.0 * std::abs(middle));
    const auto distance = [&](const Derived& d) { return norm_of(a - b, d.fact.norm); };
    const auto quarter = [&](const Derived& d) {
      return 0.25 * d.value() * distance(d) * distance(d);
    };
    if (convex && bend < -noise) return "convexity";
    if (ell.known() && std::abs(at_a - at_b) > ell.value() * distance(ell) * (1.0 + 1e-9) + noise)
      return "lipschitz";
    if (beta.known() && bend > quarter(beta) * (1.0 + 1e-9) + noise) return "smoothness";
    if (mu.known() && bend < quarter(mu) * (1.0 - 1e-9) - noise) return "strong convexity";
  }
  return "";
}

inline Facts convex_facts() {
  Facts facts;
  facts.set(FENCHEL_FACT_CONVEX, known_fact(1.0, "a norm or a quadratic"));
  facts.set(FENCHEL_FACT_LOWER_BOUND, known_fact(0.0, ""));
  facts.set(FENCHEL_FACT_GROWTH, known_fact(0.0, ""));
  facts.set(FENCHEL_FACT_DOMAIN_RADIUS, absent_fact("finite everywhere"));
  return facts;
}

inline Eigen::MatrixXd semidefinite(Eigen::Index dim, Random& random) {
  Eigen::MatrixXd b(dim, dim);
  for (double& entry : b.reshaped()) entry = random.normal();
  return b.transpose() * b * random.log_uniform(-1.0, 1.0);
}

// ½ xᵀQx
inline Function quadratic(const Eigen::MatrixXd& q) {
  const Vector spectrum = q.selfadjointView<Eigen::Lower>().eigenvalues();
  Facts facts = convex_facts();
  facts.set(FENCHEL_FACT_LIPSCHITZ, absent_fact(""));
  facts.set(FENCHEL_FACT_SMOOTHNESS, known_fact(spectrum.maxCoeff(), ""));
  facts.set(FENCHEL_FACT_STRONG_CONVEXITY, known_fact(spectrum.minCoeff(), ""));
  return {q.rows(), [q](const Vector& x) { return 0.5 * x.dot(q * x); }, facts};
}

// (q/2)‖x‖², its constants stated in ℓ2, or in ℓ1 (‖x‖₁²/d ≤ ‖x‖² ≤ ‖x‖₁²), or in ℓ∞.
inline Function euclidean(Eigen::Index dim, double q, std::int32_t norm = FENCHEL_NORM_L2) {
  const auto d = static_cast<double>(dim);
  Facts facts = convex_facts();
  facts.set(FENCHEL_FACT_LIPSCHITZ, absent_fact(""));
  facts.set(FENCHEL_FACT_SMOOTHNESS, known_fact(norm == FENCHEL_NORM_LINF ? q * d : q, "", norm));
  facts.set(FENCHEL_FACT_STRONG_CONVEXITY,
            known_fact(norm == FENCHEL_NORM_L1 ? q / d : q, "", norm));
  facts.set(FENCHEL_FACT_QUADRATIC, known_fact(q, ""));
  facts.set(FENCHEL_FACT_SEPARABLE, known_fact(1.0, ""));
  return {dim, [q](const Vector& x) { return 0.5 * q * x.squaredNorm(); }, facts};
}

// a‖x‖ in one of the three norms.
inline Function norm_function(Eigen::Index dim, double a, std::int32_t norm) {
  Facts facts = convex_facts();
  facts.set(FENCHEL_FACT_LIPSCHITZ, known_fact(a, "", norm));
  facts.set(FENCHEL_FACT_GROWTH, known_fact(a, "", norm));
  facts.set(FENCHEL_FACT_SMOOTHNESS, absent_fact("a kink at 0"));
  facts.set(FENCHEL_FACT_STRONG_CONVEXITY, absent_fact("linear along rays"));
  facts.set(FENCHEL_FACT_QUADRATIC, absent_fact(""));
  return {dim, [a, norm](const Vector& x) { return a * norm_of(x, norm); }, facts};
}
inline Function absolute(Eigen::Index dim, double a) {
  return norm_function(dim, a, FENCHEL_NORM_L1);
}

// Σ of slope (|x| − width/2) beyond width, slope x²/(2 width) inside.
inline Function huber(Eigen::Index dim, double slope, double width) {
  Facts facts = convex_facts();
  facts.set(FENCHEL_FACT_LIPSCHITZ, known_fact(slope, "", FENCHEL_NORM_L1));
  facts.set(FENCHEL_FACT_SMOOTHNESS, known_fact(slope / width, ""));
  facts.set(FENCHEL_FACT_STRONG_CONVEXITY, absent_fact(""));
  facts.set(FENCHEL_FACT_SEPARABLE, known_fact(1.0, ""));
  return {dim,
          [slope, width](const Vector& x) {
            double sum = 0.0;
            for (const double r : x)
              sum += std::abs(r) <= width ? 0.5 * slope * r * r / width
                                          : slope * (std::abs(r) - 0.5 * width);
            return sum;
          },
          facts};
}

// 0 where ‖x‖∞ ≤ r, +∞ elsewhere.
inline Function box(Eigen::Index dim, double r) {
  Facts facts = convex_facts();
  facts.set(FENCHEL_FACT_LIPSCHITZ, absent_fact("an edge"));
  facts.set(FENCHEL_FACT_SMOOTHNESS, absent_fact("an edge"));
  facts.set(FENCHEL_FACT_STRONG_CONVEXITY, absent_fact("flat inside"));
  facts.set(FENCHEL_FACT_DOMAIN_RADIUS, known_fact(r, "", FENCHEL_NORM_LINF));
  return {dim,
          [r](const Vector& x) {
            return norm_of(x, FENCHEL_NORM_LINF) <= r ? 0.0
                                                      : std::numeric_limits<double>::infinity();
          },
          facts};
}

inline std::vector<Function> atoms(Eigen::Index dim, Random& random) {
  const auto size = [&] { return random.log_uniform(-1.0, 1.0); };
  return {quadratic(semidefinite(dim, random)),
          euclidean(dim, size()),
          euclidean(dim, size(), FENCHEL_NORM_L1),
          euclidean(dim, size(), FENCHEL_NORM_LINF),
          absolute(dim, size()),
          norm_function(dim, size(), FENCHEL_NORM_LINF),
          huber(dim, size(), size()),
          box(dim, size())};
}

}  // namespace fenchel::rules_support
