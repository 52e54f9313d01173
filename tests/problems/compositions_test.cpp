// The constants that are derived for composed problems, against what pairs of points show.
#include "composed.hpp"

#include <Eigen/Dense>

#include <boost/test/unit_test.hpp>

namespace {
using namespace fenchel;
using namespace fenchel::test;
using Vector = Eigen::VectorXd;

constexpr double kSlack = 1e-9;

// The largest ratio that a constant must not exceed, or the least that it must not be above.
struct Seen {
  double slope = 0.0, curvature = 0.0, least_curvature = HUGE_VAL, growth = HUGE_VAL;
};

// One composed problem, and points to look at it.
class Composed {
 public:
  Composed(Composer& composer, int loss_depth, int regularizer_depth) : composer_(composer) {
    SmallOptions options;
    options.columns = 1 + composer.below(6);
    options.rows = 1 + composer.below(12);
    options.dense = composer.below(2) == 0;
    options.seed = static_cast<std::uint64_t>(composer.below(1 << 30));
    const std::string plugin = composer.loss_plugin();
    base_ = small_problem(plugin, "none", options);
    problem_ = std::make_unique<Problem>(*base_->problem,
                                         composer.loss(plugin, base_->map->shape(), loss_depth),
                                         composer.regularizer(options.columns, regularizer_depth));
  }

  const Problem& problem() const { return *problem_; }
  std::string text() const { return problem_->loss().text + " + " + problem_->regularizer().text; }
  Derived loss(std::int32_t id) const { return find(FENCHEL_ABOUT_LOSS, id); }
  Derived omega(std::int32_t id) const { return find(FENCHEL_ABOUT_REGULARIZER, id); }
  Derived whole(std::int32_t id) const { return find(FENCHEL_ABOUT_PROBLEM, id); }

  Eigen::MatrixXd matrix() const {
    Eigen::MatrixXd a(scores(), parameters());
    Vector column(scores());
    for (Eigen::Index j = 0; j < parameters(); ++j) {
      problem_->apply(Vector::Unit(parameters(), j).eval().data(), column.data());
      a.col(j) = column;
    }
    return a;
  }

  // Every block of the loss by itself, from values and gradients.
  Seen look_at_loss(int pairs) {
    Seen seen;
    const Eigen::Index n = scores();
    Vector at_a(n), at_b(n), at_middle(n), slope_a(n), slope_b(n);
    for (int k = 0; k < pairs; ++k) {
      const Vector a = point(n), b = k % 2 == 0 ? point(n) : Vector(a + 0.05 * point(n));
      values(a, at_a);
      values(b, at_b);
      values(0.5 * (a + b), at_middle);
      problem_->loss_gradient(a.data(), slope_a.data());
      problem_->loss_gradient(b.data(), slope_b.data());
      for (Eigen::Index i = 0; i < n; ++i) {
        const double distance = std::abs(a[i] - b[i]);
        if (distance < 1e-3) continue;
        const double noise = 1e-13 * (std::abs(at_a[i]) + std::abs(at_b[i])) + 1e-13;
        const double turn = 1e-11 * (1.0 + std::abs(slope_a[i]) + std::abs(slope_b[i]));
        see(seen, std::abs(at_a[i] - at_b[i]) - noise, std::abs(slope_a[i] - slope_b[i]) - turn,
            at_a[i] + at_b[i] - 2.0 * at_middle[i] + 4.0 * noise, distance);
        see_steepness(seen, std::max(std::abs(slope_a[i]), std::abs(slope_b[i])) - turn);
      }
    }
    return seen;
  }

  // Ω from values alone: it need not have a gradient.
  Seen look_at_omega(int pairs) {
    const Vector zero = Vector::Zero(parameters());
    const double at_zero = problem_->omega(zero.data());
    return look_at(pairs, [&](const Vector& a, const Vector& b, Seen& seen) {
      const Vector middle = 0.5 * (a + b);
      const double at_a = problem_->omega(a.data()), at_b = problem_->omega(b.data());
      const double noise = 1e-12 * (1.0 + std::abs(at_a) + std::abs(at_b));
      const double bend = at_a + at_b - 2.0 * problem_->omega(middle.data());
      const double distance = (a - b).norm();
      see(seen, std::abs(at_a - at_b) - noise, 4.0 * (bend - noise) / distance, bend + noise,
          distance);
      seen.growth = std::min(seen.growth, (at_a - at_zero + noise) / a.norm());
    });
  }

  // w ↦ L(Aw).
  Seen look_at_risk(int pairs) {
    return look_at(pairs, [&](const Vector& a, const Vector& b, Seen& seen) {
      Vector slope_a, slope_b;
      const double at_a = risk(a, slope_a), at_b = risk(b, slope_b);
      const double noise = 1e-12 * (1.0 + std::abs(at_a) + std::abs(at_b));
      const double turn = 1e-11 * (1.0 + slope_a.norm() + slope_b.norm());
      see(seen, std::abs(at_a - at_b) - noise, (slope_a - slope_b).norm() - turn, HUGE_VAL,
          (a - b).norm());
      see_steepness(seen, slope_a.norm() - turn);
    });
  }

 private:
  Derived find(std::int32_t about, std::int32_t id) const {
    return problem_->constants().find(about, id);
  }
  Eigen::Index scores() const { return problem_->shape().scores; }
  Eigen::Index parameters() const { return problem_->shape().parameters; }

  // Many scales, and now and then along one coordinate.
  Vector point(Eigen::Index dim) {
    Vector x(dim);
    for (double& entry : x) entry = composer_.normal();
    if (composer_.below(4) == 0) x = Vector::Unit(dim, composer_.below(static_cast<int>(dim)));
    return x * std::pow(10.0, composer_.uniform(-1.0, 1.3));
  }

  static void see(Seen& seen, double rise, double turn, double bend, double distance) {
    seen.slope = std::max(seen.slope, rise / distance);
    seen.curvature = std::max(seen.curvature, turn / distance);
    seen.least_curvature = std::min(seen.least_curvature, 4.0 * bend / (distance * distance));
  }
  static void see_steepness(Seen& seen, double steepness) {
    seen.slope = std::max(seen.slope, steepness);
  }

  template <class Body>
  Seen look_at(int pairs, Body&& body) {
    Seen seen;
    for (int k = 0; k < pairs; ++k) {
      const Vector a = point(parameters());
      const Vector b = k % 2 == 0 ? point(parameters()) : Vector(a + 0.05 * point(parameters()));
      if ((a - b).norm() > 1e-3) body(a, b, seen);
    }
    return seen;
  }

  void values(const Vector& z, Vector& out) const {
    const fenchel_batch batch = problem_->batch(0, problem_->shape().blocks);
    problem_->loss().table->value(problem_->loss().self, &batch, z.data(), out.data());
  }
  double risk(const Vector& w, Vector& slope) const {
    Vector z(scores()), g(scores());
    slope.resize(parameters());
    problem_->apply(w.data(), z.data());
    problem_->loss_gradient(z.data(), g.data());
    problem_->adjoint(g.data(), slope.data());
    return problem_->risk(z.data());
  }

  Composer& composer_;
  std::unique_ptr<SmallProblem> base_;
  std::unique_ptr<Problem> problem_;
};

void expect_bounded(const Derived& constant, double seen, const char* name) {
  if (!constant.known()) return;
  BOOST_TEST(seen <= constant.value() * (1.0 + kSlack) + 1e-300,
             name << ": seen " << seen << ", derived " << constant.value() << " from "
                  << constant.derivation);
}
void expect_reached(const Derived& constant, double seen, const char* name) {
  if (!constant.known()) return;
  BOOST_TEST(seen >= constant.value() * (1.0 - kSlack), name << ": seen " << seen << ", derived "
                                                             << constant.value() << " from "
                                                             << constant.derivation);
}

void expect_valid(Composed& c, int pairs) {
  const Seen loss = c.look_at_loss(pairs), omega = c.look_at_omega(pairs),
             risk = c.look_at_risk(pairs);
  expect_bounded(c.loss(FENCHEL_FACT_LIPSCHITZ), loss.slope, "loss, lipschitz");
  expect_bounded(c.loss(FENCHEL_FACT_SMOOTHNESS), loss.curvature, "loss, smoothness");
  expect_reached(c.loss(FENCHEL_FACT_STRONG_CONVEXITY), loss.least_curvature, "loss, strong");
  expect_bounded(c.omega(FENCHEL_FACT_LIPSCHITZ), omega.slope, "omega, lipschitz");
  expect_bounded(c.omega(FENCHEL_FACT_SMOOTHNESS), omega.curvature, "omega, smoothness");
  expect_reached(c.omega(FENCHEL_FACT_STRONG_CONVEXITY), omega.least_curvature, "omega, strong");
  expect_reached(c.omega(FENCHEL_FACT_GROWTH), omega.growth, "omega, growth");
  expect_bounded(c.whole(FENCHEL_FACT_RISK_SMOOTHNESS), risk.curvature, "risk, smoothness");
  expect_bounded(c.whole(FENCHEL_FACT_RISK_LIPSCHITZ), risk.slope, "risk, lipschitz");
}

void expect_measured(const Composed& c) {
  const Eigen::MatrixXd a = c.matrix();
  const double norm = a.jacobiSvd().singularValues()[0],
               found = c.whole(FENCHEL_FACT_OPERATOR_NORM).value();
  BOOST_TEST(found >= norm * (1.0 - kSlack), "|A| = " << norm << ", found " << found);
  BOOST_TEST(found * found <= 1.06 * norm * norm + 1e-300);
  const double widest = a.rowwise().norm().maxCoeff();
  BOOST_TEST(std::abs(c.whole(FENCHEL_FACT_BLOCK_NORM).value() - widest) <= 1e-12 * widest);
  const double mean = a.squaredNorm() / static_cast<double>(a.rows());
  BOOST_TEST(std::abs(c.whole(FENCHEL_FACT_MEAN_SQUARED_NORM).value() - mean) <= 1e-12 * mean);
}

void expect_tight(Composed& c) {
  const Seen loss = c.look_at_loss(400), omega = c.look_at_omega(400);
  const auto near = [](const Derived& constant, double seen, const char* name) {
    if (constant.known())
      BOOST_TEST(seen >= 0.1 * constant.value(),
                 name << ": seen " << seen << " only, derived " << constant.value());
  };
  near(c.loss(FENCHEL_FACT_LIPSCHITZ), loss.slope, "loss, lipschitz");
  near(c.loss(FENCHEL_FACT_SMOOTHNESS), loss.curvature, "loss, smoothness");
  near(c.omega(FENCHEL_FACT_LIPSCHITZ), omega.slope, "omega, lipschitz");
  near(c.omega(FENCHEL_FACT_SMOOTHNESS), omega.curvature, "omega, smoothness");
  for (const auto& [fact, seen] :
       {std::pair{c.loss(FENCHEL_FACT_STRONG_CONVEXITY), loss.least_curvature},
        std::pair{c.omega(FENCHEL_FACT_STRONG_CONVEXITY), omega.least_curvature},
        std::pair{c.omega(FENCHEL_FACT_GROWTH), omega.growth}})
    if (fact.known() && fact.value() > 0.0) BOOST_TEST(seen <= 10.0 * fact.value());
}

}  // namespace

BOOST_AUTO_TEST_SUITE(compositions)

BOOST_AUTO_TEST_CASE(no_constant_of_a_thousand_compositions_is_ever_violated) {
  Composer composer(1);
  for (int k = 0; k < 1000; ++k) {
    Composed c(composer, k % 5, (k / 5) % 5);
    BOOST_TEST_CONTEXT(k << ": " << c.text()) {
      expect_valid(c, 60);
      expect_measured(c);
    }
  }
}

BOOST_AUTO_TEST_CASE(the_constants_of_plugins_themselves_are_tight) {
  Composer composer(2);
  for (int k = 0; k < 60; ++k) {
    Composed c(composer, 0, 0);
    BOOST_TEST_CONTEXT(k << ": " << c.text()) expect_tight(c);
  }
}

BOOST_AUTO_TEST_SUITE_END()
