// The law of a count of independent events (Poisson-binomial), P(N = k) with N = X₁ + … + X_s,
// P(Xᵢ = 1) = pᵢ, and for a weight w on the counts the derivatives
//
//   E w(N) Xᵢ  for every i.
//
// Both by a product tree: a leaf is a block of events, done by the forward and backward recursions
//
//   α_k(v) = p_k α_{k−1}(v − 1) + (1 − p_k) α_{k−1}(v)
//   ξ_k(v) = p_{k+1} ξ_{k+1}(v + 1) + (1 − p_{k+1}) ξ_{k+1}(v),     E w X_k = p_k Σ α_{k−1}(v)
//   ξ_k(v + 1)
//
// (AGM paper, algorithms 5 and 6); a node is the product of its two halves. Nothing is ever
// subtracted, so every digit counts. At every node counts less probable than `least` are cut off at
// both ends: a law of s events keeps a window of O(√(s log 1/least)) counts, the tree costs
// O(s log s log 1/least), and with `least` = 0 it is exact, in O(s²). What is lost of P(N = k) is
// at most least · Σ over nodes of their counts.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>
#include <vector>

namespace fenchel::kernels {

class CountLaw {
 public:
  // The probabilities of each event and of its contrary; they must live as long as the law is used.
  // Memory only grows: a call allocates nothing once it has been as large.
  void build(std::span<const double> p, std::span<const double> contrary, double least) {
    p_ = p;
    contrary_ = contrary;
    least_ = least;
    nodes_.clear();
    pool_.clear();
    root_ = build(0, p.size());
  }

  // The counts low() … low() + values().size() − 1 have the probabilities values(); all others are
  // cut off.
  std::size_t low() const { return nodes_[root_].low; }
  std::span<const double> values() const { return values_of(nodes_[root_]); }
  double at(std::size_t count) const {
    const Node& root = nodes_[root_];
    return count >= root.low && count < root.low + root.size ? pool_[root.at + (count - root.low)]
                                                             : 0.0;
  }

  // out[i] += E w(N) Xᵢ, where weight[k] belongs to the count low() + k.
  void add_derivatives(std::span<const double> weight, std::span<double> out) {
    stack_.assign(weight.begin(), weight.end());
    descend(root_, 0, out);
  }

 private:
  static constexpr std::size_t kBlock = 32;
  static constexpr double kVanishing = 1e-280;  // what is smaller only costs time

  struct Node {
    std::size_t begin, end;  // events
    std::size_t left, right;
    std::size_t at, low, size;  // values, within the pool
    bool leaf;
  };

  std::span<const double> values_of(const Node& node) const {
    return std::span(pool_).subspan(node.at, node.size);
  }

  std::size_t build(std::size_t begin, std::size_t end) {
    Node node{begin, end, 0, 0, 0, 0, 0, end - begin <= kBlock};
    if (node.leaf) {
      node.at = pool_.size();
      pool_.resize(node.at + (end - begin) + 1, 0.0);
      forward(begin, end, pool_.data() + node.at);
      node.size = end - begin + 1;
    } else {
      const std::size_t middle = begin + (end - begin) / 2;
      node.left = build(begin, middle);
      node.right = build(middle, end);
      multiply(node);
    }
    trim(node);
    nodes_.push_back(node);
    return nodes_.size() - 1;
  }

  // α of the events begin … end − 1 into `values`, which has one entry more and starts as zeros.
  void forward(std::size_t begin, std::size_t end, double* values) const {
    values[0] = 1.0;
    for (std::size_t i = begin; i < end; ++i) {
      for (std::size_t v = i - begin + 1; v > 0; --v)
        values[v] = p_[i] * values[v - 1] + contrary_[i] * values[v];
      values[0] *= contrary_[i];
    }
  }

  void multiply(Node& node) {
    const Node left = nodes_[node.left], right = nodes_[node.right];
    const Node& longer = left.size >= right.size ? left : right;
    const Node& shorter = left.size >= right.size ? right : left;
    node.at = pool_.size();
    node.low = left.low + right.low;
    node.size = left.size + right.size - 1;
    pool_.resize(node.at + node.size, 0.0);
    const double* a = pool_.data() + longer.at;
    for (std::size_t k = 0; k < shorter.size; ++k) {
      const double factor = pool_[shorter.at + k];
      double* out = pool_.data() + node.at + k;
      for (std::size_t j = 0; j < longer.size; ++j) out[j] += factor * a[j];
    }
  }

  // The last node's values lie at the end of the pool; what is cut off at their end is given back.
  void trim(Node& node) {
    const double cut = std::max(least_, kVanishing);
    while (node.size > 1 && pool_[node.at + node.size - 1] < cut) --node.size;
    pool_.resize(node.at + node.size);
    while (node.size > 1 && pool_[node.at] < cut) {
      ++node.at;
      ++node.low;
      --node.size;
    }
  }

  // The node's outer weights, ξ as it were, stand at stack_[at …], one a value.
  void descend(std::size_t index, std::size_t at, std::span<double> out) {
    const Node node = nodes_[index];
    if (node.leaf) return backward(node, at, out);
    const Node left = nodes_[node.left], right = nodes_[node.right];
    for (const bool first : {true, false}) {
      const Node& child = first ? left : right;
      const Node& other = first ? right : left;
      const std::size_t place = at + node.size;
      stack_.resize(place + child.size);
      correlate(node, at, child, other, place);
      descend(first ? node.left : node.right, place, out);
    }
  }

  // stack[place + j] = Σ_k other(k) · stack[at + (j + k)], counts taken from their lows.
  void correlate(const Node& node, std::size_t at, const Node& child, const Node& other,
                 std::size_t place) {
    double* out = stack_.data() + place;
    const double* outer = stack_.data() + at;
    std::fill(out, out + child.size, 0.0);
    for (std::size_t k = 0; k < other.size; ++k) {
      const double factor = pool_[other.at + k];
      const std::size_t shift = child.low + other.low + k;  // the count at j = 0
      const std::size_t begin = shift < node.low ? node.low - shift : 0;
      const std::size_t past = node.low + node.size;
      const std::size_t end = past > shift ? std::min(child.size, past - shift) : 0;
      for (std::size_t j = begin; j < end; ++j) out[j] += factor * outer[(shift + j) - node.low];
    }
    for (std::size_t j = 0; j < child.size; ++j)
      if (out[j] < kVanishing) out[j] = 0.0;
  }

  void backward(const Node& node, std::size_t at, std::span<double> out) const {
    const std::size_t count = node.end - node.begin;
    if (count == 0) return;
    // α_k for k = 0 … count − 1, in the rows of a triangle.
    std::array<std::array<double, kBlock + 1>, kBlock> alpha;
    std::array<double, kBlock + 2> xi{};
    alpha[0][0] = 1.0;
    for (std::size_t k = 1; k < count; ++k) {
      const double p = p_[node.begin + k - 1], contrary = contrary_[node.begin + k - 1];
      alpha[k][0] = contrary * alpha[k - 1][0];
      for (std::size_t v = 1; v < k; ++v)
        alpha[k][v] = p * alpha[k - 1][v - 1] + contrary * alpha[k - 1][v];
      alpha[k][k] = p * alpha[k - 1][k - 1];
    }
    for (std::size_t v = 0; v < node.size; ++v) xi[node.low + v] = stack_[at + v];
    for (std::size_t k = count; k > 0; --k) {
      const double p = p_[node.begin + k - 1], contrary = contrary_[node.begin + k - 1];
      double sum = 0.0;
      for (std::size_t v = 0; v < k; ++v) sum += alpha[k - 1][v] * xi[v + 1];
      out[node.begin + k - 1] += p * sum;
      for (std::size_t v = 0; v < k; ++v) xi[v] = p * xi[v + 1] + contrary * xi[v];
    }
  }

  std::span<const double> p_, contrary_;
  double least_ = 0.0;
  std::vector<Node> nodes_;
  std::vector<double> pool_, stack_;
  std::size_t root_ = 0;
};

}  // namespace fenchel::kernels
