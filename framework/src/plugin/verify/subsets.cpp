#include "plugin/verify/coords.hpp"

#include <algorithm>
#include <cmath>

namespace fenchel::verify {

namespace {

using List = std::vector<std::int32_t>;

Vector gather(const Vector& x, const List& list) {
  Vector out;
  for (const std::int32_t i : list) out.push_back(x[static_cast<std::size_t>(i)]);
  return out;
}

// All coordinates cut in two ways: into two lists, and into two ranges.
struct Cut {
  std::size_t dim;
  std::size_t head;  // length of the first range
  List chosen, others;

  Cut(std::size_t d, Random& random) : dim(d), head(random.below(d + 1)) {
    for (std::size_t i = 0; i < dim; ++i)
      (random.chance(0.5) ? chosen : others).push_back(static_cast<std::int32_t>(i));
    std::ranges::reverse(chosen);  // the order of a list is free
  }
  Vector first(const Vector& x) const {
    return {x.begin(), x.begin() + static_cast<std::ptrdiff_t>(head)};
  }
  Vector rest(const Vector& x) const {
    return {x.begin() + static_cast<std::ptrdiff_t>(head), x.end()};
  }
  fenchel_coords all() const { return coordinate_range(0, dim); }
  fenchel_coords tail() const { return coordinate_range(head, dim - head); }
};

template <class Call>
void same(Check& check, const char* name, const Cut& cut, const Vector& x, Call&& call) {
  const Vector full = call(cut.all(), x);
  check.holds(
      call(coordinate_list(cut.chosen), gather(x, cut.chosen)) == gather(full, cut.chosen),
      [&] { return fmt::format("{} on listed coordinates differs from that on all", name); });
  check.holds(call(cut.tail(), cut.rest(x)) == cut.rest(full),
              [&] { return fmt::format("{} on a range differs from that on all", name); });
}

template <class Call>
void sums(Check& check, const char* name, const Cut& cut, const Vector& x, Call&& call) {
  const double full = call(cut.all(), x);
  const double lists = call(coordinate_list(cut.chosen), gather(x, cut.chosen)) +
                       call(coordinate_list(cut.others), gather(x, cut.others));
  const double ranges =
      call(coordinate_range(0, cut.head), cut.first(x)) + call(cut.tail(), cut.rest(x));
  const double slack = std::isinf(full) ? 0.0 : 1e-12 * std::abs(full);
  check.equal(lists, full, slack,
              [&] { return fmt::format("{} over two lists and over all", name); });
  check.equal(ranges, full, slack,
              [&] { return fmt::format("{} over two ranges and over all", name); });
}

}  // namespace

void check_subsets(Check& check, const Coordinates& omega, const Probe& probe, Random& random) {
  using C = const fenchel_coords&;
  using V = const Vector&;
  if (!probe.f().known(FENCHEL_FACT_SEPARABLE)) return;
  for (int k = 0; k < 50; ++k) {
    const Cut cut(probe.f().dim, random);
    const Vector w = probe.point(random);
    const Vector v = probe.dual(random);
    const double t = random.log_uniform(-3.0, 3.0);
    sums(check, "value", cut, w, [&](C c, V x) { return omega.value(c, x); });
    if (omega.has_conjugate())
      sums(check, "conjugate", cut, v, [&](C c, V x) { return omega.conjugate(c, x); });
    if (omega.has_gradient())
      same(check, "gradient", cut, w, [&](C c, V x) { return omega.gradient(c, x); });
    if (omega.has_conjugate_gradient())
      same(check, "conjugate_gradient", cut, v,
           [&](C c, V x) { return omega.conjugate_gradient(c, x); });
    if (omega.has_prox())
      same(check, "prox", cut, w, [&](C c, V x) { return omega.prox(c, x, t); });
  }
}

}  // namespace fenchel::verify
