// What the tests of losses on the whole sample share: one block of a loss, and random samples.
#pragma once

#include "plugin/registry.hpp"
#include "spec/parse.hpp"
#include "spec/validate.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <random>
#include <string>
#include <vector>

namespace whole_support {
using namespace fenchel;

using Vector = std::vector<double>;

inline fenchel_shape shape_of(std::size_t scores) {
  fenchel_shape shape{};
  shape.struct_size = sizeof shape;
  shape.outputs = 1;
  shape.blocks = 1;
  shape.scores = shape.widest_block = static_cast<std::int64_t>(scores);
  shape.parameters = shape.features = 1;
  return shape;
}

inline LossPart made(const std::string& yaml, std::size_t scores) {
  static const Registry registry = Registry::scan({FENCHEL_PLUGIN_DIR});
  return registry.make_loss(spec::read_component(spec::parse_yaml(yaml, "test")), shape_of(scores));
}

// A loss on one block; `y` is empty where it takes no targets.
class Whole {
 public:
  Whole(LossPart part, Vector y, std::size_t scores)
      : part_(std::move(part)), y_(std::move(y)), scores_(scores) {
    const fenchel_shape shape = shape_of(scores);
    room_.resize(static_cast<std::size_t>(part_.table->scratch(part_.self, &shape)));
  }
  Whole(const std::string& yaml, Vector y, std::size_t scores)
      : Whole(made(yaml, scores), std::move(y), scores) {}

  double value(const Vector& z) { return number(part_.table->value, z); }
  double conjugate(const Vector& u) { return number(part_.table->conjugate, u); }
  double bias(const Vector& z) { return number(bias_oracle(*part_.table)->bias, z); }
  Vector gradient(const Vector& z) {
    Vector out(scores_);
    const fenchel_batch one = batch();
    BOOST_REQUIRE(part_.table->gradient(part_.self, &one, z.data(), out.data()) == FENCHEL_OK);
    return out;
  }
  Vector prox(const Vector& s, double t) {
    Vector out(scores_);
    const fenchel_batch one = batch();
    BOOST_REQUIRE(part_.table->prox(part_.self, &one, s.data(), &t, out.data()) == FENCHEL_OK);
    return out;
  }
  Vector project_dual(Vector u) {
    const fenchel_batch one = batch();
    BOOST_REQUIRE(part_.table->project_dual(part_.self, &one, u.data()) == FENCHEL_OK);
    return u;
  }
  fenchel_fact fact(std::int32_t id) const { return fact_of(part_, id); }

 private:
  fenchel_batch batch() {
    fenchel_batch one{};
    one.struct_size = sizeof one;
    one.count = 1;
    one.width = static_cast<std::int64_t>(scores_);
    one.targets = y_.empty() ? nullptr : y_.data();
    one.target_width = static_cast<std::int64_t>(y_.size());
    one.scratch = room_.data();
    return one;
  }
  template <class Oracle>
  double number(Oracle oracle, const Vector& x) {
    const fenchel_batch one = batch();
    double out = 0.0;
    BOOST_REQUIRE(oracle(part_.self, &one, x.data(), &out) == FENCHEL_OK);
    return out;
  }

  LossPart part_;
  Vector y_, room_;
  std::size_t scores_;
};

inline double dot(const Vector& a, const Vector& b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}
inline double farthest(const Vector& a, const Vector& b) {
  double most = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) most = std::max(most, std::abs(a[i] - b[i]));
  return most;
}

// The root of a function that never rises, by halving.
template <class Function>
double root_by_halving(double low, double high, Function falls) {
  for (int k = 0; k < 200; ++k) {
    const double middle = 0.5 * (low + high);
    (falls(middle) > 0.0 ? low : high) = middle;
  }
  return 0.5 * (low + high);
}

// Scores that tie now and then, and labels of one class now and then.
struct Draw {
  std::mt19937_64 random;
  explicit Draw(std::uint64_t seed) : random(seed) {}

  std::size_t size() { return 1 + random() % 9; }
  Vector scores(std::size_t n, double size = 2.0) {
    std::normal_distribution<double> normal(0.0, size);
    Vector z(n);
    for (double& x : z) x = normal(random);
    if (random() % 3 == 0) z[random() % n] = z[random() % n];
    if (random() % 4 == 0)
      for (double& x : z) x = std::round(x);  // breakpoints y - z of both classes coincide
    if (random() % 9 == 0) std::fill(z.begin(), z.end(), 0.0);
    return z;
  }
  Vector labels(std::size_t n) {
    Vector y(n);
    for (double& t : y) t = random() % 2 == 0 ? 1.0 : -1.0;
    if (random() % 6 == 0) std::fill(y.begin(), y.end(), y[0]);
    return y;
  }
  double power(double low, double high) {
    return std::pow(10.0, std::uniform_real_distribution<double>(low, high)(random));
  }
};

}  // namespace whole_support
