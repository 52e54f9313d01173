// The loss 1 − F_β as a function of two counts, b false negatives and c false positives among n₊
// positive examples:
//
//   F_β = (1 + β²)a / ((1 + β²)a + β²b + c),   a = n₊ − b,
//   Δ(b, c) = 1 − F_β = (β²b + c)/((1 + β²)n₊ − b + c)
//
// For every β > 0, Δ is convex and rising in b, concave and rising in c. Without positives Δ is 0
// at c = 0 and 1 elsewhere.
#pragma once

namespace fenchel::kernels {

struct F1Counts {
  double positives = 0.0, negatives = 0.0;
  double beta_squared = 1.0;

  double loss(double b, double c) const {
    if (positives == 0.0) return c > 0.0 ? 1.0 : 0.0;
    return (beta_squared * b + c) / denominator(b, c);
  }
  // Δ(b, c + 1) − Δ(b, c), which falls as c grows.
  double step(double b, double c) const {
    if (positives == 0.0) return c > 0.0 ? 0.0 : 1.0;
    const double d = denominator(b, c);
    return weight(b) / (d * (d + 1.0));
  }
  // Δ(b, c) − Δ(b₀, c₀) without cancellation.
  double change(double b0, double c0, double b, double c) const {
    if (positives == 0.0) return loss(b, c) - loss(b0, c0);
    const double d0 = denominator(b0, c0), n0 = beta_squared * b0 + c0;
    return ((b - b0) * (beta_squared * d0 + n0) + (c - c0) * weight(b0)) / (d0 * denominator(b, c));
  }
  // (1 + β²)n₊ − b + c, whose first two terms nearly cancel where β is small.
  double denominator(double b, double c) const {
    return (positives - b) + beta_squared * positives + c;
  }
  // (1 + β²)(n₊ − b), the denominator's excess over β²b + c.
  double weight(double b) const { return (1.0 + beta_squared) * (positives - b); }
};

}  // namespace fenchel::kernels
