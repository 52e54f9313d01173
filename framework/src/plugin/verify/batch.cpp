#include "plugin/verify/blocks.hpp"

#include <cstring>

namespace fenchel::verify {

namespace {

constexpr std::size_t kCount = 37;
constexpr std::int64_t kFirst = 3;

bool same_bits(const Vector& a, const Vector& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(double)) == 0;
}

// The part of block b, where every block has `size` entries.
Vector part(const Vector& all, std::size_t b, std::size_t size) {
  const auto begin = all.begin() + static_cast<std::ptrdiff_t>(b * size);
  return {begin, begin + static_cast<std::ptrdiff_t>(size)};
}

// Random inputs of kCount blocks, with offsets that begin anywhere.
struct Inputs {
  Targets targets{.values = {}, .count = kCount, .first = kFirst};
  Targets with_offsets;
  Vector scores, duals, steps;
  std::vector<std::int64_t> score_offsets{5}, target_offsets{7};

  Inputs(const std::vector<Vector>& choices, const std::vector<Probe>& probes, Random& random) {
    const auto append = [](Vector& all, const Vector& one) {
      all.insert(all.end(), one.begin(), one.end());
    };
    for (std::size_t b = 0; b < kCount; ++b) {
      const std::size_t which = random.below(choices.size());
      const Vector z = probes[which].point(random);
      append(scores, z);
      append(duals, probes[which].dual(random));
      append(targets.values, choices[which]);
      steps.push_back(random.log_uniform(-3.0, 3.0));
      score_offsets.push_back(score_offsets.back() + static_cast<std::int64_t>(z.size()));
      target_offsets.push_back(target_offsets.back() +
                               static_cast<std::int64_t>(choices[which].size()));
    }
    with_offsets = targets;
    with_offsets.score_offsets = score_offsets.data();
    with_offsets.target_offsets = target_offsets.data();
  }
};

using Call = std::function<Vector(const Targets&, const Vector&, const Vector& steps)>;

void compare(Check& check, const char* name, const Inputs& inputs, const Vector& in,
             const Call& call) {
  const Vector together = call(inputs.targets, in, inputs.steps);
  check.holds(same_bits(together, call(inputs.with_offsets, in, inputs.steps)),
              [&] { return fmt::format("{} depends on how the blocks' offsets are given", name); });
  const std::size_t per_block = together.size() / kCount;
  const std::size_t target_width = inputs.targets.values.size() / kCount;
  for (std::size_t b = 0; b < kCount; ++b) {
    const Targets one{.values = part(inputs.targets.values, b, target_width),
                      .count = 1,
                      .first = kFirst + static_cast<std::int64_t>(b)};
    const Vector alone = call(one, part(in, b, in.size() / kCount), {inputs.steps[b]});
    const Vector within = part(together, b, per_block);
    check.holds(same_bits(alone, within), [&] {
      return fmt::format("{} of block {} of a batch is {}, alone it is {}", name, b, text(within),
                         text(alone));
    });
  }
}

}  // namespace

void check_batch(Check& check, const Blocks& blocks, const std::vector<Vector>& targets,
                 const std::vector<Probe>& probes, Random& random) {
  const Inputs inputs(targets, probes, random);
  using T = const Targets&;
  using V = const Vector&;
  compare(check, "value", inputs, inputs.scores, [&](T t, V in, V) { return blocks.value(t, in); });
  compare(check, "gradient", inputs, inputs.scores,
          [&](T t, V in, V) { return blocks.gradient(t, in); });
  if (blocks.has_conjugate())
    compare(check, "conjugate", inputs, inputs.duals,
            [&](T t, V in, V) { return blocks.conjugate(t, in); });
  if (blocks.has_prox())
    compare(check, "prox", inputs, inputs.scores,
            [&](T t, V in, V steps) { return blocks.prox(t, in, steps); });
  if (blocks.has_projection())
    compare(check, "project_dual", inputs, inputs.duals,
            [&](T t, V in, V) { return blocks.project_dual(t, in); });
}

}  // namespace fenchel::verify
