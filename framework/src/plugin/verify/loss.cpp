// A loss as functions, one for each of a few random targets of the declared kind.
#include "plugin/verify/blocks.hpp"

#include <algorithm>
#include <optional>

namespace fenchel {

namespace verify {
namespace {

// Of the longest sequence.
std::int64_t positions(const fenchel_shape& shape) {
  return shape.widest_block / shape.outputs - shape.outputs;
}

// Nothing where blocks of the layout cannot be made up.
std::optional<std::size_t> block_width(const LossPart& loss, const fenchel_shape& shape) {
  switch (loss.table->layout) {
    case FENCHEL_LAYOUT_SCALAR: return 1;
    case FENCHEL_LAYOUT_OUTPUTS:
      return static_cast<std::size_t>(std::max<std::int32_t>(1, shape.outputs));
    case FENCHEL_LAYOUT_WHOLE:
      return static_cast<std::size_t>(std::max<std::int64_t>(1, shape.scores));
    case FENCHEL_LAYOUT_CHAIN:
      if (shape.outputs < 1 || positions(shape) < 1) return std::nullopt;
      return static_cast<std::size_t>(shape.widest_block);
    default: return std::nullopt;
  }
}

// Target number `number` of the declared kind; nothing where that kind cannot be made up.
std::optional<Vector> draw_target(const LossPart& loss, const fenchel_shape& shape,
                                  std::size_t width, std::size_t number, Random& random) {
  const bool chain = loss.table->layout == FENCHEL_LAYOUT_CHAIN;
  const bool several = loss.table->layout == FENCHEL_LAYOUT_WHOLE || chain;
  const auto classes = static_cast<std::size_t>(std::max<std::int32_t>(1, shape.outputs));
  Vector target(chain ? static_cast<std::size_t>(positions(shape)) : several ? width : 1);
  for (double& y : target) {
    // The first sample is of one kind throughout.
    const std::size_t k = several ? (number == 0 ? 0 : random.below(1000)) : number;
    switch (loss.table->targets) {
      case FENCHEL_TARGET_NONE: return Vector{};
      case FENCHEL_TARGET_BINARY: y = k % 2 == 0 ? 1.0 : -1.0; break;
      case FENCHEL_TARGET_REAL:
        y = k == 0 ? 0.0 : random.uniform(-1.0, 1.0) * random.log_uniform(-1.0, 2.0);
        break;
      case FENCHEL_TARGET_SEQUENCE:
      case FENCHEL_TARGET_CLASS: y = static_cast<double>(k % classes); break;
      default: return std::nullopt;
    }
  }
  return target;
}

Function function_of(const Blocks& blocks, const Vector& target) {
  const Targets one{.values = target};
  Function f;
  f.dim = blocks.width();
  if (f.dim > 1) f.reach = 1.5;
  f.label = target.empty() ? "no target" : "y = " + text(target);
  f.fact = [&part = blocks.part()](std::int32_t id) { return declared_fact(part, id); };
  f.value = [&blocks, one](const Vector& z) { return blocks.value(one, z)[0]; };
  f.gradient = [&blocks, one](const Vector& z) { return blocks.gradient(one, z); };
  if (blocks.has_conjugate())
    f.conjugate = [&blocks, one](const Vector& u) { return blocks.conjugate(one, u)[0]; };
  if (blocks.has_prox())
    f.prox = [&blocks, one](const Vector& s, double t) { return blocks.prox(one, s, {t}); };
  if (blocks.has_projection()) {
    f.make_feasible = [&blocks, one](const Vector& u) { return blocks.project_dual(one, u); };
    f.projects = true;
  }
  return f;
}

}  // namespace
}  // namespace verify

std::vector<Finding> verify_loss(const LossPart& loss, const fenchel_shape& shape,
                                 std::uint64_t seed) {
  using namespace verify;
  Random random(seed);
  const std::optional<std::size_t> width = block_width(loss, shape);
  if (!width || !draw_target(loss, shape, *width, 0, random))
    return {{"calls", true, "not checked: no random blocks of this layout and kind of target"}};

  const Blocks blocks(loss, shape, *width);
  constexpr std::size_t kTargets = 4;
  std::vector<Vector> targets;
  for (std::size_t k = 0; k < kTargets; ++k) {
    Vector target = *draw_target(loss, shape, *width, k, random);
    if (std::ranges::find(targets, target) == targets.end()) targets.push_back(std::move(target));
  }
  std::vector<Probe> probes;
  const Finding calls = run_check("calls", [&](Check& check) {
    for (const Vector& target : targets) {
      probes.emplace_back(function_of(blocks, target), seed);
      check.holds(true, [] { return ""; });
    }
  });
  if (!calls.passed) return {calls};

  std::vector<Finding> findings = run_checks(probes, seed);
  findings.push_back(run_check(
      "batch", [&](Check& check) { check_batch(check, blocks, targets, probes, random); }));
  return findings;
}

}  // namespace fenchel
