// A regularizer on some coordinates, called through its table.
#pragma once

#include "plugin/verify/checks.hpp"

namespace fenchel::verify {

// The coordinates begin .. begin + count - 1, or those of a list.
fenchel_coords coordinate_range(std::size_t begin, std::size_t count);
fenchel_coords coordinate_list(const std::vector<std::int32_t>& list);

class Coordinates {
 public:
  explicit Coordinates(const RegularizerPart& part) : part_(part) {}

  const RegularizerPart& part() const { return part_; }
  bool has_prox() const;
  bool has_conjugate() const;
  bool has_conjugate_gradient() const;
  bool has_dual_scale() const;
  bool has_gradient() const;

  double value(const fenchel_coords& coords, const Vector& w) const;
  double conjugate(const fenchel_coords& coords, const Vector& v) const;
  double dual_scale(const fenchel_coords& coords, const Vector& v) const;
  Vector gradient(const fenchel_coords& coords, const Vector& w) const;
  Vector conjugate_gradient(const fenchel_coords& coords, const Vector& v) const;
  Vector prox(const fenchel_coords& coords, const Vector& w, double step) const;
  Vector prox_in_place(const fenchel_coords& coords, Vector w, double step) const;

 private:
  using Oracle = std::int32_t (*)(const void*, const fenchel_coords*, const double*, double*);
  double number(Oracle oracle, const fenchel_coords& coords, const Vector& in) const;
  Vector vector(Oracle oracle, const fenchel_coords& coords, const Vector& in) const;
  void demand(std::int32_t status) const;

  const RegularizerPart& part_;
};

// The mirror step, where it has one, against its optimality condition (mirror.cpp).
void check_mirror_step(Check& check, const Coordinates& omega, const Probe& probe, Random& random);

// A separable regularizer does on some coordinates, listed or as a range, what it does on all.
void check_subsets(Check& check, const Coordinates& omega, const Probe& probe, Random& random);

}  // namespace fenchel::verify
