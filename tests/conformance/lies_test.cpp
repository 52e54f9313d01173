// The checks can fail: each lie below is caught by the check of its name, whatever the seed, and
// the honest functions that the lies are made from pass everything.
#include "plugin/verify.hpp"

#include <fenchel/kernels/capped_simplex.hpp>
#include <fenchel/kernels/entropy.hpp>
#include <fenchel/sdk.hpp>

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <concepts>

namespace {

using namespace fenchel;
using namespace fenchel::sdk;
namespace detail = fenchel::sdk::detail;

constexpr std::uint64_t kSeeds = 2;

fenchel_shape shape() {
  fenchel_shape s{};
  s.struct_size = sizeof s;
  s.outputs = 1;
  s.blocks = 10;
  s.scores = 10;
  s.widest_block = 1;
  s.parameters = 10;
  s.features = 10;
  return s;
}

template <class T>
std::vector<Finding> verified(const T& part, std::uint64_t seed,
                              const fenchel_loss& table = detail::kLossTable<T>) requires
    std::same_as<decltype(part.facts()), LossFacts> {
  LossPart loss;
  loss.self = &part;
  loss.table = &table;
  loss.explain = detail::explain;
  return verify_loss(loss, shape(), seed);
}

template <class T>
std::vector<Finding> verified(
    const T& part, std::uint64_t seed,
    const fenchel_regularizer& table = detail::kRegularizerTable<T>) requires
    std::same_as<decltype(part.facts()), RegularizerFacts> {
  RegularizerPart omega;
  omega.self = &part;
  omega.table = &table;
  omega.explain = detail::explain;
  return verify_regularizer(omega, shape(), seed);
}

bool caught(const std::vector<Finding>& findings, const std::string& check) {
  return std::ranges::any_of(findings, [&](const Finding& f) {
    return f.check == check && !f.passed && !f.detail.empty();
  });
}

template <class T>
void expect_caught(const T& lie, const std::string& check) {
  for (std::uint64_t seed = 1; seed <= kSeeds; ++seed)
    BOOST_TEST(caught(verified(lie, seed), check), check << " missed, seed " << seed);
}

template <class T>
void expect_honest(const T& part) {
  for (std::uint64_t seed = 1; seed <= kSeeds; ++seed)
    for (const Finding& f : verified(part, seed))
      BOOST_TEST(f.passed, f.check << ", seed " << seed << ": " << f.detail);
}

// ---- Honest losses: a Huber loss of any scale, the logistic loss, a strongly convex one
// ------------

struct Huber {
  static constexpr Target target = Target::real;
  double delta = 1.0;

  LossFacts facts() const {
    return {.convex = true,
            .lipschitz = delta,
            .smoothness = 1.0,
            .strong_convexity = absent,
            .lower_bound = 0.0};
  }
  double value(double z, double y) const {
    const double r = std::abs(z - y);
    return r <= delta ? 0.5 * r * r : delta * (r - 0.5 * delta);
  }
  double gradient(double z, double y) const { return std::clamp(z - y, -delta, delta); }
  double conjugate(double u, double y) const {
    return std::abs(u) <= delta ? u * y + 0.5 * u * u : infinity;
  }
  double prox(double s, double t, double y) const {
    return s - t * std::clamp((s - y) / (1.0 + t), -delta, delta);
  }
  Interval dual_domain(double) const { return {-delta, delta}; }
};

struct Logistic {
  LossFacts facts() const { return {.convex = true, .lipschitz = 1.0, .smoothness = 0.25}; }
  double value(double z, double y) const {
    return std::log1p(std::exp(-std::abs(z))) + std::max(0.0, -y * z);
  }
  double gradient(double z, double y) const { return -y / (1.0 + std::exp(y * z)); }
};

// log cosh z + (m/2) z²: between m- and (m + 1)-curved, the former only far out.
struct Bowl {
  static constexpr Target target = Target::none;
  double modulus = 0.5;

  LossFacts facts() const {
    return {.convex = true,
            .lipschitz = absent,
            .smoothness = 1.0 + modulus,
            .strong_convexity = modulus};
  }
  double value(double z, double) const {
    const double log_cosh = std::abs(z) + std::log1p(std::exp(-2.0 * std::abs(z))) - std::log(2.0);
    return log_cosh + 0.5 * modulus * z * z;
  }
  double gradient(double z, double) const { return std::tanh(z) + modulus * z; }
};

// ---- Honest regularizers
// --------------------------------------------------------------------------

struct Ridge {
  double lambda = 2.0;

  RegularizerFacts facts() const {
    return {.convex = true,
            .lipschitz = absent,
            .smoothness = lambda,
            .strong_convexity = lambda,
            .domain_radius = absent,
            .quadratic = lambda,
            .lower_bound = 0.0};
  }
  double value(double w) const { return 0.5 * lambda * w * w; }
  double gradient(double w) const { return lambda * w; }
  double prox(double w, double t) const { return w / (1.0 + t * lambda); }
  double conjugate(double v) const { return 0.5 * v * v / lambda; }
  double conjugate_gradient(double v) const { return v / lambda; }
};

struct Lasso {
  double lambda = 0.7;

  RegularizerFacts facts() const {
    return {.convex = true, .lipschitz = known(lambda, Norm::l1), .lower_bound = 0.0};
  }
  double value(double w) const { return lambda * std::abs(w); }
  double prox(double w, double t) const {
    return std::copysign(std::max(0.0, std::abs(w) - t * lambda), w);
  }
  double conjugate(double v) const { return std::abs(v) <= lambda ? 0.0 : infinity; }
  double dual_limit() const { return lambda; }
};

// The Euclidean norm: not separable, 1-Lipschitz in l2 and sqrt(d)-Lipschitz in linf.
struct Euclid {
  RegularizerFacts facts() const { return {.convex = true, .lipschitz = 1.0, .lower_bound = 0.0}; }
  static double norm(Values x) {
    double total = 0.0;
    for (const double entry : x) total += entry * entry;
    return std::sqrt(total);
  }
  double value(Values w) const { return norm(w); }
  void prox(Values w, double t, std::span<double> out) const {
    const double length = norm(w);
    const double factor = length > t ? 1.0 - t / length : 0.0;
    for (std::size_t i = 0; i < w.size(); ++i) out[i] = factor * w[i];
  }
  double conjugate(Values v) const { return norm(v) <= 1.0 ? 0.0 : infinity; }
  double dual_scale(Values v) const { return norm(v) <= 1.0 ? 1.0 : (1.0 - 1e-15) / norm(v); }
};

// ---- Lies: a base with one thing changed
// ----------------------------------------------------------

struct WrongGradient : Huber {
  double gradient(double z, double y) const { return 1.01 * Huber::gradient(z, y); }
};
struct WrongConjugate : Huber {
  double conjugate(double u, double y) const { return Huber::conjugate(u, y) + 0.01 * u * u; }
};
struct ConjugateTooNarrow : Huber {
  double conjugate(double u, double y) const {
    return std::abs(u) <= 0.9 * delta ? Huber::conjugate(u, y) : infinity;
  }
};
struct ConjugateTooWide : Huber {
  double conjugate(double u, double y) const { return u * y + 0.5 * u * u; }
};
struct WrongProx : Huber {
  double prox(double s, double t, double y) const { return Huber::prox(s, 1.01 * t, y); }
};
struct DomainTooNarrow : Huber {
  Interval dual_domain(double) const { return {-0.95 * delta, 0.95 * delta}; }
};
struct DomainTooWide : Huber {
  Interval dual_domain(double) const { return {-1.05 * delta, 1.05 * delta}; }
};
struct HuberTooSmooth : Huber {
  LossFacts facts() const {
    LossFacts f = Huber::facts();
    f.smoothness = 0.95;
    return f;
  }
};
struct HuberTooFlat : Huber {
  LossFacts facts() const {
    LossFacts f = Huber::facts();
    f.lipschitz = 0.95 * delta;
    return f;
  }
};
struct BoundTooHigh : Huber {
  LossFacts facts() const {
    LossFacts f = Huber::facts();
    f.lower_bound = 0.01 * delta;
    return f;
  }
};
struct NegativeConstant : Huber {
  LossFacts facts() const {
    LossFacts f = Huber::facts();
    f.lipschitz = -delta;
    return f;
  }
};
struct LogisticTooSmooth : Logistic {
  LossFacts facts() const { return {.convex = true, .lipschitz = 1.0, .smoothness = 0.95 * 0.25}; }
};
struct LogisticTooFlat : Logistic {
  LossFacts facts() const { return {.convex = true, .lipschitz = 0.95, .smoothness = 0.25}; }
};
struct BowlTooCurved : Bowl {
  LossFacts facts() const {
    LossFacts f = Bowl::facts();
    f.strong_convexity = 1.05 * modulus;
    return f;
  }
};
struct BowlTooSmooth : Bowl {
  LossFacts facts() const {
    LossFacts f = Bowl::facts();
    f.smoothness = 0.95 * (1.0 + modulus);
    return f;
  }
};
struct NotConvex : Logistic {
  double value(double z, double y) const { return Logistic::value(z, y) + 0.1 * std::cos(z); }
  double gradient(double z, double y) const { return Logistic::gradient(z, y) - 0.1 * std::sin(z); }
};
struct NotFinite : Logistic {
  double value(double z, double y) const { return std::log(1.0 + std::exp(-y * z)); }
};
struct Throwing : Logistic {
  double gradient(double, double) const { throw std::runtime_error("no gradient today"); }
};

struct RidgeTooSmooth : Ridge {
  RegularizerFacts facts() const { return {.convex = true, .smoothness = 0.95 * lambda}; }
};
struct RidgeTooCurved : Ridge {
  RegularizerFacts facts() const { return {.convex = true, .strong_convexity = 1.05 * lambda}; }
};
struct RidgeOtherQuadratic : Ridge {
  RegularizerFacts facts() const {
    RegularizerFacts f = Ridge::facts();
    f.quadratic = 1.01 * lambda;
    return f;
  }
};
struct RidgeWrongConjugateGradient : Ridge {
  double conjugate_gradient(double v) const { return 1.01 * v / lambda; }
};
struct LassoTooFlat : Lasso {
  RegularizerFacts facts() const {
    return {.convex = true, .lipschitz = known(0.95 * lambda, Norm::l1)};
  }
};
struct LassoWrongNorm : Lasso {
  RegularizerFacts facts() const { return {.convex = true, .lipschitz = known(lambda, Norm::l2)}; }
};
struct LimitTooLarge : Lasso {
  double dual_limit() const { return 1.05 * lambda; }
};
struct LimitTooSmall : Lasso {
  double dual_limit() const { return 0.95 * lambda; }
};
struct EuclidWrongNorm : Euclid {
  RegularizerFacts facts() const { return {.convex = true, .lipschitz = known(1.0, Norm::linf)}; }
};
struct EuclidWrongConjugate : Euclid {
  double conjugate(Values v) const { return norm(v) <= 0.9 ? 0.0 : infinity; }
};
struct EuclidWrongProx : Euclid {
  void prox(Values w, double t, std::span<double> out) const {
    for (std::size_t i = 0; i < w.size(); ++i)
      out[i] = std::copysign(std::max(0.0, std::abs(w[i]) - t), w[i]);
  }
};

// ---- The simplex with its mirror step, and one whose step has a slightly wrong temperature
// -------

struct Mixture {
  double temperature = 1.0;

  RegularizerFacts facts() const {
    return {.convex = true, .domain_radius = known(1.0, Norm::l1), .lower_bound = 0.0};
  }
  double value(Values w) const {
    double sum = 0.0;
    for (const double x : w) {
      if (x < -1e-13) return infinity;
      sum += x;
    }
    return std::abs(sum - 1.0) <= 1e-13 ? 0.0 : infinity;
  }
  void prox(Values w, double, std::span<double> out) const {
    kernels::project_simplex(w, 1.0, per_thread<kernels::QpWorkspace>(), out);
  }
  double conjugate(Values v) const { return *std::max_element(v.begin(), v.end()); }
  void mirror_step(Values p, double c, double, std::span<double> out) const {
    kernels::entropic_minimiser(p, temperature * c, 1.0, scratch(p.size()), out);
  }
};

struct SlowMixture : Mixture {
  SlowMixture() : Mixture{1.0 + 1e-6} {}
};

}  // namespace

BOOST_AUTO_TEST_SUITE(lies_are_caught)

BOOST_AUTO_TEST_CASE(honest_parts_pass) {
  for (const double delta : {1e-3, 1.0, 1e3}) expect_honest(Huber{.delta = delta});
  expect_honest(Logistic{});
  for (const double modulus : {1e-3, 1.0, 1e3}) expect_honest(Bowl{.modulus = modulus});
  for (const double lambda : {1e-3, 1.0, 1e3}) expect_honest(Ridge{.lambda = lambda});
  for (const double lambda : {1e-3, 1.0, 1e3}) expect_honest(Lasso{.lambda = lambda});
  expect_honest(Euclid{});
}

BOOST_AUTO_TEST_CASE(wrong_oracles_of_a_loss) {
  for (const double delta : {1e-2, 1.0, 100.0}) {
    expect_caught(WrongGradient{Huber{delta}}, "gradient");
    expect_caught(WrongConjugate{Huber{delta}}, "conjugate");
    expect_caught(WrongConjugate{Huber{delta}}, "fenchel-young");
    expect_caught(WrongConjugate{Huber{delta}}, "moreau");
    expect_caught(ConjugateTooNarrow{Huber{delta}}, "conjugate");
    expect_caught(ConjugateTooWide{Huber{delta}}, "conjugate");
    expect_caught(WrongProx{Huber{delta}}, "prox");
    expect_caught(DomainTooNarrow{Huber{delta}}, "dual-domain");
    expect_caught(DomainTooWide{Huber{delta}}, "dual-domain");
  }
  expect_caught(NotConvex{}, "convexity");
  expect_caught(NotConvex{}, "subgradient");
  expect_caught(NotFinite{}, "finite");
}

BOOST_AUTO_TEST_CASE(constants_of_a_loss_five_per_cent_too_good) {
  for (const double delta : {1e-2, 1.0, 100.0}) {
    expect_caught(HuberTooSmooth{Huber{delta}}, "smoothness");
    expect_caught(HuberTooFlat{Huber{delta}}, "lipschitz");
    expect_caught(BoundTooHigh{Huber{delta}}, "lower-bound");
    expect_caught(BowlTooCurved{Bowl{delta}}, "strong-convexity");
  }
  expect_caught(BowlTooSmooth{Bowl{0.5}}, "smoothness");
  expect_caught(LogisticTooSmooth{}, "smoothness");
  expect_caught(LogisticTooFlat{}, "lipschitz");
  expect_caught(NegativeConstant{}, "facts");
}

BOOST_AUTO_TEST_CASE(wrong_oracles_of_a_regularizer) {
  for (const double lambda : {1e-2, 1.0, 100.0}) {
    expect_caught(RidgeWrongConjugateGradient{Ridge{lambda}}, "conjugate-gradient");
    expect_caught(LimitTooLarge{Lasso{lambda}}, "dual-scale");
    expect_caught(LimitTooSmall{Lasso{lambda}}, "dual-scale");
  }
  expect_caught(EuclidWrongProx{}, "prox");
  expect_caught(EuclidWrongConjugate{}, "conjugate");
}

BOOST_AUTO_TEST_CASE(a_mirror_step_a_millionth_off) {
  expect_honest(Mixture{});
  expect_caught(SlowMixture{}, "mirror-step");
}

BOOST_AUTO_TEST_CASE(constants_of_a_regularizer_five_per_cent_too_good) {
  for (const double lambda : {1e-2, 1.0, 100.0}) {
    expect_caught(RidgeTooSmooth{Ridge{lambda}}, "smoothness");
    expect_caught(RidgeTooCurved{Ridge{lambda}}, "strong-convexity");
    expect_caught(RidgeOtherQuadratic{Ridge{lambda}}, "quadratic");
    expect_caught(RidgeOtherQuadratic{Ridge{lambda}}, "facts");
    expect_caught(LassoTooFlat{Lasso{lambda}}, "lipschitz");
    expect_caught(LassoWrongNorm{Lasso{lambda}}, "lipschitz");
  }
  expect_caught(EuclidWrongNorm{}, "lipschitz");
}

// Lies that no formula on one block can tell: they need a table of their own.
BOOST_AUTO_TEST_CASE(oracles_that_depend_on_how_they_are_called) {
  const Logistic logistic;
  fenchel_loss loss = detail::kLossTable<Logistic>;
  loss.value = [](const void* self, const fenchel_batch* batch, const double* z, double* out) {
    const std::int32_t status = detail::ScalarLoss<Logistic>::value(self, batch, z, out);
    if (batch->count > 1) out[1] = std::nextafter(out[1], 1e9);
    return status;
  };
  BOOST_TEST(caught(verified(logistic, 1, loss), "batch"));

  const Ridge ridge;
  fenchel_regularizer omega = detail::kRegularizerTable<Ridge>;
  omega.prox = [](const void* self, const fenchel_coords* c, const double* w, double t,
                  double* out) {
    const std::int32_t status = detail::RegularizerCalls<Ridge>::prox(self, c, w, t, out);
    if (c->list && c->count > 0) out[0] = std::nextafter(out[0], 1e9);
    return status;
  };
  BOOST_TEST(caught(verified(ridge, 1, omega), "subsets"));

  omega.prox = [](const void* self, const fenchel_coords* c, const double* w, double t,
                  double* out) {
    const double first = c->count > 0 ? w[0] : 0.0;
    const std::int32_t status = detail::RegularizerCalls<Ridge>::prox(self, c, w, t, out);
    // Reads the input after it was written over, as a careless implementation would.
    if (c->count > 0 && w[0] != first) out[0] = 0.5 * w[0];
    return status;
  };
  BOOST_TEST(caught(verified(ridge, 1, omega), "in-place"));
}

BOOST_AUTO_TEST_CASE(a_failing_call_is_a_finding_with_its_reason) {
  const std::vector<Finding> findings = verified(Throwing{}, 1);
  BOOST_REQUIRE(caught(findings, "calls"));
  BOOST_TEST(findings.front().detail.find("no gradient today") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(the_same_seed_gives_the_same_findings) {
  const auto first = verified(HuberTooSmooth{}, 3);
  const auto second = verified(HuberTooSmooth{}, 3);
  BOOST_REQUIRE(first.size() == second.size());
  for (std::size_t i = 0; i < first.size(); ++i) {
    BOOST_TEST(first[i].passed == second[i].passed);
    BOOST_TEST(first[i].detail == second[i].detail);
  }
}

BOOST_AUTO_TEST_SUITE_END()
