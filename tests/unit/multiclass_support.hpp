// What the tests of multiclass losses share: one block of a loss, and random scores.
#pragma once

#include "calculus/combinators.hpp"
#include "plugin/registry.hpp"
#include "spec/parse.hpp"
#include "spec/validate.hpp"

#include <fmt/format.h>

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <random>
#include <string>
#include <vector>

namespace multiclass_support {
using namespace fenchel;

using Vector = std::vector<double>;
inline constexpr double kEpsilon = std::numeric_limits<double>::epsilon();
inline constexpr double kInfinity = std::numeric_limits<double>::infinity();

inline fenchel_shape shape_of(std::size_t classes) {
  fenchel_shape shape{};
  shape.struct_size = sizeof shape;
  shape.outputs = static_cast<std::int32_t>(classes);
  shape.blocks = 1;
  shape.scores = shape.parameters = shape.widest_block = static_cast<std::int64_t>(classes);
  shape.features = 1;
  return shape;
}

inline LossPart made(const std::string& yaml, std::size_t classes) {
  static const Registry registry = Registry::scan({FENCHEL_PLUGIN_DIR});
  return registry.make_loss(spec::read_component(spec::parse_yaml(yaml, "test")),
                            shape_of(classes));
}

// One block of a loss.
class Loss {
 public:
  Loss(LossPart part, std::size_t classes) : part_(std::move(part)), classes_(classes) {}
  Loss(const std::string& yaml, std::size_t classes) : Loss(made(yaml, classes), classes) {}
  Loss(const std::string& id, double gamma, std::size_t classes)
      : Loss(fmt::format("{{{}: {{gamma: {:.17g}}}}}", id, gamma), classes) {}

  double value(const Vector& z, double y) const { return number(part_.table->value, z, y); }
  double conjugate(const Vector& u, double y) const { return number(part_.table->conjugate, u, y); }
  Vector gradient(const Vector& z, double y) const {
    Vector out(classes_), room(2 * classes_);
    const fenchel_batch one = batch(y, room);
    BOOST_REQUIRE(part_.table->gradient(part_.self, &one, z.data(), out.data()) == FENCHEL_OK);
    return out;
  }
  Vector prox(const Vector& s, double t, double y) const {
    Vector out(classes_), room(2 * classes_);
    const fenchel_batch one = batch(y, room);
    BOOST_REQUIRE(part_.table->prox(part_.self, &one, s.data(), &t, out.data()) == FENCHEL_OK);
    return out;
  }
  double fact(std::int32_t id) const { return fact_of(part_, id).value; }
  const LossPart& part() const { return part_; }

 private:
  fenchel_batch batch(const double& y, Vector& room) const {
    fenchel_batch one{};
    one.struct_size = sizeof one;
    one.count = one.target_width = 1;
    one.width = static_cast<std::int64_t>(classes_);
    one.targets = &y;
    one.scratch = room.data();
    return one;
  }
  template <class Oracle>
  double number(Oracle oracle, const Vector& x, double y) const {
    Vector room(2 * classes_);
    const fenchel_batch one = batch(y, room);
    double out = 0.0;
    BOOST_REQUIRE(oracle(part_.self, &one, x.data(), &out) == FENCHEL_OK);
    return out;
  }

  LossPart part_;
  std::size_t classes_;
};

inline double dot(const Vector& a, const Vector& b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}
inline double distance(const Vector& a, const Vector& b) {
  double sum = 0.0;
  for (std::size_t j = 0; j < a.size(); ++j) sum += (a[j] - b[j]) * (a[j] - b[j]);
  return std::sqrt(sum);
}

// Scores with ties now and then, labels and widths for a number of classes.
struct Draw {
  std::mt19937_64 random;
  explicit Draw(std::uint64_t seed) : random(seed) {}

  Vector scores(std::size_t classes, double size = 2.0) {
    std::normal_distribution<double> normal(0.0, size);
    Vector z(classes);
    for (double& x : z) x = normal(random);
    if (random() % 3 == 0) z[random() % classes] = z[random() % classes];
    if (random() % 7 == 0) std::fill(z.begin(), z.end(), z[0]);
    return z;
  }
  std::size_t label(std::size_t classes) { return random() % classes; }
  double power(double low, double high) {
    return std::pow(10.0, std::uniform_real_distribution<double>(low, high)(random));
  }
};

inline constexpr const char* kSmoothings[] = {"smooth-max-of-hinge", "soft-max-of-hinge"};

}  // namespace multiclass_support
