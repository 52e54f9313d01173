// Logistic loss  φ(z; y) = log(1 + exp(−y z)),  y ∈ {−1, +1}.  With m = y z and σ(x) = 1/(1 +
// exp(−x)):
//
//   φ′(z) = −y σ(−m)                           1-Lipschitz (the slope tends to −y as m → −∞)
//   φ″(z) = σ(m) σ(−m) ∈ (0, ¼]                ¼-smooth (attained at 0), not strongly convex
//   φ*(u) = a log a + (1 − a) log(1 − a),  a = −y u ∈ [0, 1],  0 log 0 = 0;  +∞ elsewhere
//   prox_{tφ}(s) = y x,  where x is the root of x = m + t σ(−x),  m = y s,  in [m, m + t]
#include <fenchel/sdk.hpp>

#include <cmath>

namespace {
using namespace fenchel::sdk;

// The root x ≥ 0 of h(x) = x − m − t σ(−x), given h(0) ≤ 0. There h is increasing and concave, so
// Halley's iteration converges cubically; the bracket only guards against rounding and poor starts.
double margin_root(double m, double t) {
  const double floor = std::max(m, 0.0);
  double low = floor;
  double high = m + 0.5 * t;
  double x = low;
  if (t > 2.0) {
    // For x ≫ 1, d = x − m solves d + log d ≈ log t − m =: l; its root is near l − log l + log l /
    // l.
    const double l = std::log(t) - m;
    if (l > 1.0) x = std::clamp(m + l - std::log(l) * (1.0 - 1.0 / l), low, high);
  }
  for (int iteration = 0; iteration < 100; ++iteration) {
    const double a = 1.0 / (1.0 + std::exp(x));  // σ(−x)
    const double h = x - m - t * a;
    const double curvature = t * a * (1.0 - a);
    const double h1 = 1.0 + curvature;              // h′
    const double h2 = curvature * (2.0 * a - 1.0);  // h″
    (h < 0.0 ? low : high) = x;
    double next = x - 2.0 * h * h1 / (2.0 * h1 * h1 - h * h2);
    if (!(low <= next && next <= high)) next = 0.5 * (low + high);
    const double step = std::abs(next - x);
    x = next;
    // The error left is below step³: rounding, relative to both x and the move x − m.
    if (!(step * step * step > 1e-16 * (x - floor))) break;
  }
  return x;
}

struct Logistic {
  static constexpr Card card{.id = "logistic",
                             .summary = "log(1 + exp(-y z)): logistic regression"};

  explicit Logistic(const Params&) {}
  LossFacts facts() const {
    return {.convex = true,
            .lipschitz = 1.0,
            .smoothness = 0.25,
            .strong_convexity = absent,
            .lower_bound = 0.0};
  }

  double value(double z, double y) const {
    const double m = y * z;
    return std::log1p(std::exp(-std::abs(m))) + std::max(0.0, -m);
  }
  double gradient(double z, double y) const { return -y / (1.0 + std::exp(y * z)); }
  double conjugate(double u, double y) const {
    const double a = -y * u;
    if (!(0.0 <= a && a <= 1.0)) return infinity;
    if (a == 0.0 || a == 1.0) return 0.0;
    return a * std::log(a) + (1.0 - a) * std::log1p(-a);
  }
  double prox(double s, double t, double y) const {
    const double m = y * s;
    // σ(−x) = 1 − σ(x) turns a root x < 0 into the root −x > 0 of the same equation at −(m + t).
    return m >= -0.5 * t ? y * margin_root(m, t) : -y * margin_root(-(m + t), t);
  }
  Interval dual_domain(double y) const { return {std::min(-y, 0.0), std::max(-y, 0.0)}; }
};
}  // namespace

FENCHEL_LOSS(Logistic)
