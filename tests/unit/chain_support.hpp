// What the tests of sequences share: random blocks, all labellings of one, and a loss on it.
#pragma once

#include <fenchel/kernels/chain_block.hpp>

#include "plugin/registry.hpp"
#include "spec/parse.hpp"
#include "spec/validate.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <random>
#include <string>
#include <vector>

namespace chain_support {
using namespace fenchel;

using Vector = std::vector<double>;
using Path = std::vector<double>;  // labels, as the boundary carries them

inline double dot(const Vector& a, const Vector& b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}
inline double farthest(const Vector& a, const Vector& b) {
  double most = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) most = std::max(most, std::abs(a[i] - b[i]));
  return most;
}

// A sequence with its scores, its labels and what is allowed.
struct Case {
  std::size_t length = 1, labels = 1;
  Vector z;
  Path y;
  std::vector<std::uint8_t> allowed;  // empty: all

  const std::uint8_t* mask() const { return allowed.empty() ? nullptr : allowed.data(); }
  kernels::ChainBlock block() const { return {length, labels, z.data()}; }
  bool allows(const Path& path) const {
    const kernels::ChainRules rules(mask(), labels);
    for (std::size_t t = 0; t < length; ++t) {
      const auto b = static_cast<std::size_t>(path[t]);
      if (t == 0 ? !rules.begins(b) : !rules.follows(static_cast<std::size_t>(path[t - 1]), b))
        return false;
    }
    return true;
  }
  Vector features(const Path& path) const {
    Vector f(z.size());
    kernels::add_path(path, length, labels, 1.0, f.data());
    return f;
  }
  double wrong(const Path& path) const {
    double count = 0.0;
    for (std::size_t t = 0; t < length; ++t) count += path[t] != y[t] ? 1.0 : 0.0;
    return count;
  }
  // Every allowed labelling.
  std::vector<Path> paths() const {
    std::vector<Path> all;
    Path path(length, 0.0);
    for (;;) {
      if (allows(path)) all.push_back(path);
      std::size_t t = 0;
      while (t < length && path[t] + 1.0 >= static_cast<double>(labels)) path[t++] = 0.0;
      if (t == length) return all;
      path[t] += 1.0;
    }
  }
};

struct Draw {
  std::mt19937_64 random;
  explicit Draw(std::uint64_t seed) : random(seed) {}

  double normal(double size) { return std::normal_distribution<double>(0.0, size)(random); }
  // The truth is always allowed.
  Case sequence(std::size_t length, std::size_t labels, double size, bool masked) {
    Case c;
    c.length = length;
    c.labels = labels;
    c.z.resize(labels * (length + labels));
    for (double& x : c.z) x = normal(size);
    if (random() % 4 == 0)
      for (double& x : c.z) x = std::round(x);  // ties
    for (std::size_t t = 0; t < length; ++t) c.y.push_back(static_cast<double>(random() % labels));
    if (!masked) return c;
    c.allowed.resize((labels + 1) * labels);
    for (std::uint8_t& flag : c.allowed) flag = random() % 3 == 0 ? 0 : 1;
    for (std::size_t t = 0; t < length; ++t) {
      const auto from = t == 0 ? labels : static_cast<std::size_t>(c.y[t - 1]);
      c.allowed[from * labels + static_cast<std::size_t>(c.y[t])] = 1;
    }
    return c;
  }
};

// Calls body(case) for every length up to 6 and up to 4 labels, with and without a mask.
inline void over_cases(std::uint64_t seed, double size, const std::function<void(Case&)>& body) {
  Draw draw(seed);
  for (std::size_t length = 1; length <= 6; ++length)
    for (std::size_t labels = 1; labels <= 4; ++labels)
      for (const bool masked : {false, true}) {
        Case c = draw.sequence(length, labels, size, masked);
        body(c);
      }
}

// p(y') over the paths, and μ log Σ exp((score + margin wrong)/μ) − the truth's score.
struct BruteForce {
  std::vector<Path> paths;
  Vector probability;
  double value = 0.0;

  BruteForce(const Case& c, double mu, double margin) : paths(c.paths()) {
    Vector scores;
    for (const Path& path : paths)
      scores.push_back(dot(c.z, c.features(path)) + margin * c.wrong(path));
    const double top = *std::max_element(scores.begin(), scores.end());
    const double truth = dot(c.z, c.features(c.y));
    value = top - truth;
    if (mu == 0.0) return;
    double sum = 0.0;
    for (const double s : scores) sum += std::exp((s - top) / mu);
    for (const double s : scores) probability.push_back(std::exp((s - top) / mu) / sum);
    value += mu * std::log(sum);
  }
  // Σ p f(y').
  Vector mean(const Case& c) const {
    Vector m(c.z.size());
    for (std::size_t i = 0; i < paths.size(); ++i)
      kernels::add_path(paths[i], c.length, c.labels, probability[i], m.data());
    return m;
  }
  double entropy() const {
    double sum = 0.0;
    for (const double p : probability)
      if (p > 0.0) sum -= p * std::log(p);
    return sum;
  }
};

inline fenchel_shape shape_of(const Case& c) {
  fenchel_shape shape{};
  shape.struct_size = sizeof shape;
  shape.outputs = static_cast<std::int32_t>(c.labels);
  shape.blocks = 1;
  shape.scores = shape.widest_block = static_cast<std::int64_t>(c.z.size());
  shape.parameters = shape.features = 1;
  shape.transitions = c.mask();
  return shape;
}

inline LossPart made(const std::string& yaml, const fenchel_shape& shape) {
  static const Registry registry = Registry::scan({FENCHEL_PLUGIN_DIR});
  return registry.make_loss(spec::read_component(spec::parse_yaml(yaml, "test")), shape);
}

// A loss on the block of a case.
class Loss {
 public:
  Loss(const std::string& yaml, const Case& c) : case_(c), part_(made(yaml, shape_of(c))) {
    const fenchel_shape shape = shape_of(c);
    room_.resize(static_cast<std::size_t>(part_.table->scratch(part_.self, &shape)));
  }

  double value(const Vector& z) { return number(part_.table->value, z); }
  double conjugate(const Vector& u) { return number(part_.table->conjugate, u); }
  Vector gradient(const Vector& z) {
    Vector out(z.size());
    const fenchel_batch one = batch();
    BOOST_REQUIRE(part_.table->gradient(part_.self, &one, z.data(), out.data()) == FENCHEL_OK);
    return out;
  }
  Vector project_dual(Vector u) {
    const fenchel_batch one = batch();
    BOOST_REQUIRE(part_.table->project_dual(part_.self, &one, u.data()) == FENCHEL_OK);
    return u;
  }
  Path decode(const Vector& z) {
    const auto* oracle =
        static_cast<const fenchel_decode_oracle*>(part_.table->oracle("decode", 1));
    BOOST_REQUIRE(oracle);
    Path path(case_.length);
    const fenchel_batch one = batch();
    BOOST_REQUIRE(oracle->decode(part_.self, &one, z.data(), path.data()) == FENCHEL_OK);
    return path;
  }
  Vector marginals(const Vector& z) {
    const auto* oracle =
        static_cast<const fenchel_decode_oracle*>(part_.table->oracle("decode", 1));
    BOOST_REQUIRE(oracle);
    Vector out(case_.length * case_.labels);
    const fenchel_batch one = batch();
    BOOST_REQUIRE(oracle->marginals(part_.self, &one, z.data(), out.data()) == FENCHEL_OK);
    return out;
  }
  const LossPart& part() const { return part_; }

 private:
  fenchel_batch batch() {
    fenchel_batch one{};
    one.struct_size = sizeof one;
    one.count = 1;
    one.width = static_cast<std::int64_t>(case_.z.size());
    one.targets = case_.y.data();
    one.target_width = static_cast<std::int64_t>(case_.length);
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

  const Case& case_;
  LossPart part_;
  Vector room_;
};

}  // namespace chain_support
