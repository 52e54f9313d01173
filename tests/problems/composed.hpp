// Random losses and regularizers: combinators over plugins, nested up to a depth.
#pragma once

#include "small_problem.hpp"

#include <fmt/format.h>

#include <cmath>
#include <random>
#include <string>
#include <vector>

namespace fenchel::test {

class Composer {
 public:
  explicit Composer(std::uint64_t seed) : random_(seed) {}

  double uniform(double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(random_);
  }
  double normal() { return std::normal_distribution<double>()(random_); }
  double factor() { return std::pow(10.0, uniform(-1.0, 1.0)); }
  int below(int bound) { return std::uniform_int_distribution<int>(0, bound - 1)(random_); }
  std::vector<double> vector(std::int64_t count, double size) {
    std::vector<double> list(static_cast<std::size_t>(count));
    for (double& x : list) x = uniform(-size, size);
    return list;
  }

  std::string loss_plugin() {
    switch (below(6)) {
      case 0: return "hinge";
      case 1: return "logistic";
      case 2: return "squared";
      case 3: return "squared-hinge";
      case 4: return fmt::format("{{huber: {{delta: {}}}}}", factor());
      default: return fmt::format("{{smooth-hinge: {{gamma: {}}}}}", factor());
    }
  }

  LossPart loss(const std::string& plugin, const fenchel_shape& shape, int depth) {
    LossPart part = built_plugins().make_loss(component(plugin), shape);
    for (int k = 0; k < depth; ++k) {
      switch (below(3)) {
        case 0: part = smoothed(part, factor()); break;
        case 1: part = scaled(part, factor()); break;
        default: {
          std::vector<double> factors(static_cast<std::size_t>(shape.blocks));
          for (double& c : factors) c = factor();
          part = weighted(part, factors, "random");
        }
      }
    }
    return part;
  }

  RegularizerPart regularizer(std::int64_t dimension, int depth) {
    if (depth == 0) return regularizer_plugin(dimension);
    switch (below(dimension > 1 ? 6 : 4)) {
      case 0: return scaled(regularizer(dimension, depth - 1), factor());
      case 1: return shifted(regularizer(dimension, depth - 1), vector(dimension, 2.0));
      case 2: return with_linear_term(regularizer(dimension, depth - 1), vector(dimension, 1.0));
      case 3:
        return sum({regularizer(dimension, depth - 1), regularizer(dimension, below(depth))},
                   dimension);
      default: return split(dimension, depth);
    }
  }

 private:
  RegularizerPart regularizer_plugin(std::int64_t dimension) {
    fenchel_shape seen{};
    seen.struct_size = sizeof seen;
    seen.parameters = dimension;
    const auto make = [&](const std::string& yaml) {
      return built_plugins().make_regularizer(component(yaml), seen);
    };
    switch (below(4)) {
      case 0: return make(fmt::format("{{l1: {{lambda: {}}}}}", factor()));
      case 1: return make(fmt::format("{{l2: {{lambda: {}}}}}", factor()));
      case 2: return make(fmt::format("{{elastic-net: {{l1: {}, l2: {}}}}}", factor(), factor()));
      default: return make("none");
    }
  }

  // Two blocks over random sets of coordinates.
  RegularizerPart split(std::int64_t dimension, int depth) {
    std::vector<std::int32_t> left, right;
    for (std::int32_t j = 0; j < dimension; ++j) (below(2) == 0 ? left : right).push_back(j);
    if (left.empty()) std::swap(left, right);
    if (right.empty()) {
      right.push_back(left.back());
      left.pop_back();
    }
    const auto size = [](const auto& list) { return static_cast<std::int64_t>(list.size()); };
    std::vector<RegularizerBlock> list;
    list.push_back({regularizer(size(left), depth - 1), left, "left"});
    list.push_back({regularizer(size(right), below(depth)), right, "right"});
    return blocks(std::move(list), dimension);
  }

  std::mt19937_64 random_;
};

}  // namespace fenchel::test
