#include "plugin/verify/function.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace fenchel::verify {

double dot(const Vector& a, const Vector& b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

double norm(const Vector& a) { return a.size() == 1 ? std::abs(a[0]) : std::sqrt(dot(a, a)); }

double norm(const Vector& a, std::int32_t which) {
  double total = 0.0;
  switch (which) {
    case FENCHEL_NORM_L1:
      for (const double x : a) total += std::abs(x);
      return total;
    case FENCHEL_NORM_LINF:
      for (const double x : a) total = std::max(total, std::abs(x));
      return total;
    default: return norm(a);
  }
}

std::int32_t dual_norm(std::int32_t which) {
  switch (which) {
    case FENCHEL_NORM_L1: return FENCHEL_NORM_LINF;
    case FENCHEL_NORM_LINF: return FENCHEL_NORM_L1;
    default: return FENCHEL_NORM_L2;
  }
}

Vector combine(const Vector& a, double factor, const Vector& b) {
  Vector out(a);
  for (std::size_t i = 0; i < a.size(); ++i) out[i] += factor * b[i];
  return out;
}

Vector difference(const Vector& a, const Vector& b) { return combine(a, -1.0, b); }

Vector scaled(const Vector& a, double factor) {
  Vector out(a);
  for (double& x : out) x *= factor;
  return out;
}

Vector midpoint(const Vector& a, const Vector& b) {
  Vector out(a);
  for (std::size_t i = 0; i < a.size(); ++i) out[i] = 0.5 * (a[i] + b[i]);
  return out;
}

bool finite(const Vector& a) {
  return std::ranges::all_of(a, [](double x) { return std::isfinite(x); });
}

std::string text(const Vector& a) {
  if (a.size() == 1) return fmt::format("{:.9g}", a[0]);
  return fmt::format("({:.6g})", fmt::join(a, ", "));
}

double Random::log_uniform(double low_exponent, double high_exponent) {
  return std::pow(10.0, uniform(low_exponent, high_exponent));
}

Vector Random::direction(std::size_t dim) {
  Vector d(dim, 0.0);
  if (dim == 1 || chance(0.2)) {
    d[below(dim)] = chance(0.5) ? 1.0 : -1.0;
    return d;
  }
  std::normal_distribution<double> normal;
  for (double& x : d) x = normal(engine_);
  return scaled(d, 1.0 / norm(d));
}

}  // namespace fenchel::verify
