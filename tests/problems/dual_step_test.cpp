// A dual step against the lower bound that it is to raise, searched by brute force.
#include "small_problem.hpp"

#include "run/solver_problem.hpp"

#include <fenchel/sdk/dual/step.hpp>

#include <boost/test/unit_test.hpp>

#include <cmath>
#include <random>

namespace {
using namespace fenchel;
using namespace fenchel::test;

// One block of a small problem with a feasible α, and the bound as a function of α.
class Block {
 public:
  Block(const std::string& loss, std::uint64_t seed)
      : small_(small_problem(loss, "{l2: {lambda: 0.05}}")),
        view_(*small_->problem, 1, 0.0, 0.0),
        random_(seed) {
    width_ = static_cast<std::size_t>(small_->problem->shape().outputs);
    batch_ = problem().block(static_cast<std::int64_t>(seed % 40));
    q_ = std::exp(2.0 * normal_(random_));
    for (std::size_t c = 0; c < width_; ++c) z_.push_back(1.5 * normal_(random_));
    alpha_ = slope(1.0);
  }

  sdk::Problem problem() const { return sdk::Problem(view_.table()); }
  std::size_t width() const { return width_; }

  // −φ*(−a) − ⟨z, a − α⟩ − (q/2)‖a − α‖²
  double bound(const std::vector<double>& a) const {
    std::vector<double> u(width_);
    double value = 0.0;
    for (std::size_t c = 0; c < width_; ++c) {
      u[c] = -a[c];
      value -= z_[c] * (a[c] - alpha_[c]) + 0.5 * q_ * (a[c] - alpha_[c]) * (a[c] - alpha_[c]);
    }
    double conjugate = 0.0;
    const fenchel_problem* raw = view_.table();
    raw->loss->conjugate(raw->loss_self, &batch_, u.data(), &conjugate);
    return value - conjugate;
  }

  // −∇φ at random scores: a point of the dual domain.
  std::vector<double> slope(double spread) {
    std::vector<double> at(width_);
    for (double& x : at) x = spread * normal_(random_);
    return slope_at(at);
  }
  std::vector<double> slope_here() const { return slope_at(z_); }
  const std::vector<double>& alpha() const { return alpha_; }

  std::vector<double> after(int option) {
    sdk::dual::Step step;
    step.start(problem(), option, 0.05);
    std::vector<double> next = alpha_, change(width_);
    if (width_ == 1)
      step.move(batch_, q_, z_[0], next[0]);
    else
      step.move(batch_, q_, z_.data(), next.data(), change.data());
    return next;
  }

 private:
  std::vector<double> slope_at(const std::vector<double>& scores) const {
    std::vector<double> out(width_);
    const fenchel_problem* raw = view_.table();
    raw->loss->gradient(raw->loss_self, &batch_, scores.data(), out.data());
    for (double& x : out) x = -x;
    return out;
  }

  std::unique_ptr<SmallProblem> small_;
  SolverProblem view_;
  std::mt19937_64 random_;
  std::normal_distribution<double> normal_;
  std::size_t width_ = 1;
  fenchel_batch batch_{};
  double q_ = 1.0;
  std::vector<double> z_, alpha_;
};

std::vector<double> between(const std::vector<double>& a, const std::vector<double>& b, double t) {
  std::vector<double> out(a.size());
  for (std::size_t c = 0; c < a.size(); ++c) out[c] = a[c] + t * (b[c] - a[c]);
  return out;
}

constexpr const char* kLosses[] = {"squared",
                                   "logistic",
                                   "smooth-hinge",
                                   "multinomial",
                                   "{smooth-max-of-hinge: {gamma: 0.7}}",
                                   "{soft-max-of-hinge: {gamma: 0.7}}"};

}  // namespace

BOOST_AUTO_TEST_SUITE(dual_step)

BOOST_AUTO_TEST_CASE(option_one_is_the_best_point_of_the_domain) {
  for (const char* loss : kLosses)
    for (std::uint64_t seed = 1; seed <= 30; ++seed) {
      Block block(loss, seed);
      const std::vector<double> next = block.after(1);
      const double best = block.bound(next);
      BOOST_TEST(std::isfinite(best));
      for (int k = 0; k < 200; ++k) {
        const std::vector<double> other = block.slope(0.1 * k);
        for (const double t : {1e-4, 1e-2, 0.3, 1.0})
          BOOST_TEST(block.bound(between(next, other, t)) <= best + 1e-11 * (1.0 + std::abs(best)),
                     loss << " seed " << seed);
      }
    }
}

BOOST_AUTO_TEST_CASE(option_two_is_the_best_point_on_the_way_to_the_slope) {
  for (const char* loss : kLosses)
    for (std::uint64_t seed = 1; seed <= 30; ++seed) {
      Block block(loss, seed);
      const double best = block.bound(block.after(2));
      const std::vector<double> end = block.slope_here();
      for (int k = 0; k <= 1000; ++k)
        BOOST_TEST(block.bound(between(block.alpha(), end, k / 1000.0)) <=
                       best + 1e-10 * (1.0 + std::abs(best)),
                   loss << " seed " << seed);
    }
}

BOOST_AUTO_TEST_CASE(options_one_to_three_raise_the_bound_in_this_order) {
  for (const char* loss : kLosses)
    for (std::uint64_t seed = 1; seed <= 50; ++seed) {
      Block block(loss, seed);
      const double still = block.bound(block.alpha()), one = block.bound(block.after(1)),
                   two = block.bound(block.after(2)), three = block.bound(block.after(3));
      const double rounding = 1e-11 * (1.0 + std::abs(one));
      BOOST_TEST(one >= two - rounding, loss);
      BOOST_TEST(two >= three - rounding, loss);
      BOOST_TEST(three >= still - rounding, loss);
    }
}

BOOST_AUTO_TEST_SUITE_END()
