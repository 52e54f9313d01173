// One function on R^dim as the checks see it: a block of a loss with its target, or a regularizer.
// Also the small vector algebra and the random source of the checks.
#pragma once

#include <fenchel/abi.h>

#include <cstdint>
#include <functional>
#include <random>
#include <string>
#include <vector>

namespace fenchel::verify {

using Vector = std::vector<double>;

// Relative error granted to one evaluation of an oracle; 64 ulp.
inline constexpr double kRounding = 1.5e-14;

struct Function {
  std::size_t dim = 1;
  // Points reach to 10^this. Blocks of several scores are looked at near 0: far away the
  // differences that they are made of cancel, and nothing but rounding would be seen.
  double reach = 5.0;
  std::string label;  // "y = -1", for the details of a finding
  std::function<double(const Vector&)> value;
  // Empty where the part has none.
  std::function<Vector(const Vector&)> gradient;
  std::function<double(const Vector&)> conjugate;
  std::function<Vector(const Vector&, double)> prox;
  // Brings a dual into dom f*: the nearest point (a loss), or a multiple (a regularizer).
  std::function<Vector(const Vector&)> make_feasible;
  bool projects = false;  // make_feasible gives the nearest point
  std::function<fenchel_fact(std::int32_t)> fact;

  bool convex() const { return known(FENCHEL_FACT_CONVEX); }
  bool known(std::int32_t id) const { return fact(id).state == FENCHEL_KNOWN; }
  bool absent(std::int32_t id) const { return fact(id).state == FENCHEL_ABSENT; }
};

double dot(const Vector& a, const Vector& b);
double norm(const Vector& a);  // Euclidean
double norm(const Vector& a, std::int32_t which);
// The dual of FENCHEL_NORM_…, in which gradients are measured.
std::int32_t dual_norm(std::int32_t which);
Vector difference(const Vector& a, const Vector& b);
Vector combine(const Vector& a, double factor, const Vector& b);  // a + factor b
Vector scaled(const Vector& a, double factor);
Vector midpoint(const Vector& a, const Vector& b);
bool finite(const Vector& a);
std::string text(const Vector& a);

class Random {
 public:
  explicit Random(std::uint64_t seed) : engine_(seed) {}

  double uniform(double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(engine_);
  }
  // 10 to a uniform power.
  double log_uniform(double low_exponent, double high_exponent);
  std::size_t below(std::size_t bound) {
    return std::uniform_int_distribution<std::size_t>(0, bound - 1)(engine_);
  }
  bool chance(double probability) { return uniform(0.0, 1.0) < probability; }
  // Of length 1; now and then along a coordinate.
  Vector direction(std::size_t dim);

 private:
  std::mt19937_64 engine_;
};

}  // namespace fenchel::verify
