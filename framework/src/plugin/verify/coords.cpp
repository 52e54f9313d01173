#include "plugin/verify/coords.hpp"

#include <cmath>
#include <cstddef>
#include <type_traits>

namespace fenchel::verify {

fenchel_coords coordinate_range(std::size_t begin, std::size_t count) {
  fenchel_coords coords{};
  coords.struct_size = sizeof coords;
  coords.begin = static_cast<std::int64_t>(begin);
  coords.count = static_cast<std::int64_t>(count);
  return coords;
}

fenchel_coords coordinate_list(const std::vector<std::int32_t>& list) {
  fenchel_coords coords = coordinate_range(0, list.size());
  coords.list = list.data();
  return coords;
}

bool Coordinates::has_prox() const { return FENCHEL_MEMBER(part_.table, prox) != nullptr; }
bool Coordinates::has_conjugate() const {
  return FENCHEL_MEMBER(part_.table, conjugate) != nullptr;
}
bool Coordinates::has_conjugate_gradient() const {
  return FENCHEL_MEMBER(part_.table, conjugate_gradient) != nullptr;
}
bool Coordinates::has_dual_scale() const {
  return FENCHEL_MEMBER(part_.table, dual_scale) != nullptr;
}
bool Coordinates::has_gradient() const { return FENCHEL_MEMBER(part_.table, gradient) != nullptr; }

double Coordinates::value(const fenchel_coords& coords, const Vector& w) const {
  return number(part_.table->value, coords, w);
}
double Coordinates::conjugate(const fenchel_coords& coords, const Vector& v) const {
  return number(part_.table->conjugate, coords, v);
}
double Coordinates::dual_scale(const fenchel_coords& coords, const Vector& v) const {
  return number(part_.table->dual_scale, coords, v);
}
Vector Coordinates::gradient(const fenchel_coords& coords, const Vector& w) const {
  return vector(part_.table->gradient, coords, w);
}
Vector Coordinates::conjugate_gradient(const fenchel_coords& coords, const Vector& v) const {
  return vector(part_.table->conjugate_gradient, coords, v);
}

Vector Coordinates::prox(const fenchel_coords& coords, const Vector& w, double step) const {
  Vector out(w.size());
  demand(part_.table->prox(part_.self, &coords, w.data(), step, out.data()));
  return out;
}

Vector Coordinates::prox_in_place(const fenchel_coords& coords, Vector w, double step) const {
  demand(part_.table->prox(part_.self, &coords, w.data(), step, w.data()));
  return w;
}

double Coordinates::number(Oracle oracle, const fenchel_coords& coords, const Vector& in) const {
  double out = std::nan("");
  demand(oracle(part_.self, &coords, in.data(), &out));
  return out;
}

Vector Coordinates::vector(Oracle oracle, const fenchel_coords& coords, const Vector& in) const {
  Vector out(in.size());
  demand(oracle(part_.self, &coords, in.data(), out.data()));
  return out;
}

void Coordinates::demand(std::int32_t status) const {
  if (status != FENCHEL_OK) throw CallFailed("a call failed: " + explain_failure(part_.explain));
}

}  // namespace fenchel::verify
