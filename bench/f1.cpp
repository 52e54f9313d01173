// The time of one evaluation of the loss f1, value and gradient, and what memory it took: figures
// as JSON, never a verdict. Built on request: cmake --build BUILD --target bench_f1, then
// BUILD/bin/bench_f1.
#include <fenchel/kernels/f1_argmax.hpp>
#include <fenchel/kernels/f1_smoothed.hpp>

#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <random>
#include <vector>

namespace {

namespace kernels = fenchel::kernels;

struct Sample {
  std::vector<double> scores, targets;

  // One in `rarity` is positive; scores are normal around half the label.
  Sample(std::size_t n, std::size_t rarity) {
    std::mt19937_64 random(n);
    std::normal_distribution<double> normal;
    for (std::size_t i = 0; i < n; ++i) {
      targets.push_back(i % rarity == 0 ? 1.0 : -1.0);
      scores.push_back(normal(random) + 0.5 * targets.back());
    }
  }
};

template <class Work>
double seconds(Work work) {
  using Clock = std::chrono::steady_clock;
  double least = 1e300;
  for (int run = 0; run < 3; ++run) {
    const Clock::time_point start = Clock::now();
    work();
    least = std::min(least, std::chrono::duration<double>(Clock::now() - start).count());
  }
  return least;
}

double peak_megabytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1024.0;
}

// As the plugin does it.
double exact(const Sample& sample, std::vector<double>& scratch, std::vector<double>& gradient) {
  const auto n = sample.scores.size();
  const std::span<double> room(scratch);
  const std::span<double> first = kernels::sorted_gains(sample.scores, sample.targets, 1.0, room);
  const std::span<double> second =
      kernels::sorted_gains(sample.scores, sample.targets, -1.0, room.subspan(first.size()));
  const kernels::F1Vertex best = kernels::f1_argmax(
      {static_cast<double>(first.size()), static_cast<double>(second.size()), 1.0},
      2.0 / static_cast<double>(n), first, second, room.subspan(n));
  kernels::TakeFirst missed(first, best.false_negatives), alarms(second, best.false_positives);
  for (std::size_t i = 0; i < n; ++i) {
    const double y = sample.targets[i], z = sample.scores[i];
    gradient[i] = (y > 0.0 ? missed(-z) : alarms(z)) ? -2.0 * y / static_cast<double>(n) : 0.0;
  }
  return best.value;
}

}  // namespace

int main() {
  std::printf("[\n");
  for (const std::size_t rarity : {100UL, 2UL}) {
    for (const std::size_t n : {100000UL, 1000000UL}) {
      const Sample sample(n, rarity);
      std::vector<double> scratch(2 * n + 2), gradient(n);
      const double time = seconds([&] { exact(sample, scratch, gradient); });
      std::printf("  {\"exact\": %zu, \"positives\": %zu, \"seconds\": %.3g},\n", n, n / rarity,
                  time);
    }
  }
  const char* comma = "";
  for (const std::size_t rarity : {100UL, 2UL}) {
    for (const double tau : {0.001, 0.01, 0.1, 1.0, 10.0}) {
      const Sample sample(100000, rarity);
      std::vector<double> flips(sample.scores.size());
      kernels::F1SmoothedWorkspace work;
      const kernels::F1Smoothing smoothing{1.0, tau, false};
      const double time = seconds([&] { smoothing(sample.scores, sample.targets, flips, work); });
      std::printf(
          "%s  {\"smoothed\": 100000, \"positives\": %zu, \"temperature\": %g, "
          "\"seconds\": %.3g, \"peak_megabytes\": %.0f}",
          comma, 100000 / rarity, tau, time, peak_megabytes());
      comma = ",\n";
    }
  }
  std::printf("\n]\n");
}
