#include "report/sequence_metrics.hpp"

#include <algorithm>
#include <map>
#include <string_view>

namespace fenchel {
namespace {

struct Count {
  std::int64_t truth = 0, guess = 0, right = 0;
};

std::optional<double> ratio(std::int64_t part, std::int64_t whole) {
  if (whole == 0) return std::nullopt;
  return static_cast<double>(part) / static_cast<double>(whole);
}

ClassMetrics metrics_of(const std::string& label, const Count& count) {
  return {.label = label,
          .support = count.truth,
          .precision = ratio(count.right, count.guess),
          .recall = ratio(count.right, count.truth),
          .f1 = ratio(2 * count.right, count.truth + count.guess)};
}

// The chunks of positions begin … end − 1.
std::vector<Chunk> chunks_in(const std::vector<std::string>& labels,
                             const std::vector<double>& numbers, std::size_t begin,
                             std::size_t end) {
  std::vector<std::string> of_sequence;
  for (std::size_t t = begin; t < end; ++t)
    of_sequence.push_back(labels[static_cast<std::size_t>(numbers[t])]);
  return chunks_of(of_sequence);
}

void add_chunks(const std::vector<std::string>& labels, const std::vector<std::int64_t>& starts,
                const std::vector<double>& truth, const std::vector<double>& guess,
                Metrics& metrics) {
  std::map<std::string, Count> by_type;
  for (std::size_t s = 0; s + 1 < starts.size(); ++s) {
    const auto begin = static_cast<std::size_t>(starts[s]);
    const auto end = static_cast<std::size_t>(starts[s + 1]);
    const std::vector<Chunk> real = chunks_in(labels, truth, begin, end);
    const std::vector<Chunk> found = chunks_in(labels, guess, begin, end);
    for (const Chunk& chunk : real) ++by_type[chunk.type].truth;
    auto next = real.begin();
    for (const Chunk& chunk : found) {  // both are in order
      Count& count = by_type[chunk.type];
      ++count.guess;
      while (next != real.end() && next->begin < chunk.begin) ++next;
      if (next != real.end() && *next == chunk) ++count.right;
    }
  }
  Count all;
  for (const auto& [type, count] : by_type) {
    metrics.chunks.push_back(metrics_of(type, count));
    all.truth += count.truth;
    all.guess += count.guess;
    all.right += count.right;
  }
  const ClassMetrics whole = metrics_of({}, all);
  const auto put = [&](const char* name, const std::optional<double>& value) {
    if (value) metrics.values[name] = *value;
  };
  put("chunk_precision", whole.precision);
  put("chunk_recall", whole.recall);
  put("chunk_f1", whole.f1);
}

void add_labels(const std::vector<std::string>& labels, const std::vector<double>& truth,
                const std::vector<double>& guess, Metrics& metrics) {
  const std::size_t k = labels.size();
  std::vector<Count> counts(k);
  if (k <= Metrics::kMostConfusion) metrics.confusion.resize(k * k);
  std::int64_t right = 0;
  for (std::size_t i = 0; i < truth.size(); ++i) {
    const auto t = static_cast<std::size_t>(truth[i]), g = static_cast<std::size_t>(guess[i]);
    ++counts[t].truth;
    ++counts[g].guess;
    if (t == g) ++counts[t].right;
    right += t == g ? 1 : 0;
    if (!metrics.confusion.empty()) ++metrics.confusion[t * k + g];
  }
  double sum = 0.0, occurring = 0.0;
  for (std::size_t c = 0; c < k; ++c) {
    const ClassMetrics& one = metrics.classes.emplace_back(metrics_of(labels[c], counts[c]));
    sum += one.f1.value_or(0.0);
    occurring += one.f1 ? 1.0 : 0.0;
  }
  metrics.values["accuracy"] = static_cast<double>(right) / static_cast<double>(truth.size());
  metrics.values["macro_f1"] = sum / occurring;
}

}  // namespace

bool are_chunk_labels(const std::vector<std::string>& labels) {
  const auto inside = [](const std::string& label) {
    return label.starts_with("B-") || label.starts_with("I-");
  };
  return std::any_of(labels.begin(), labels.end(), inside) &&
         std::all_of(labels.begin(), labels.end(),
                     [&](const std::string& label) { return label == "O" || inside(label); });
}

std::vector<Chunk> chunks_of(const std::vector<std::string>& labels) {
  std::vector<Chunk> chunks;
  bool open = false;
  for (std::size_t t = 0; t < labels.size(); ++t) {
    const auto at = static_cast<std::int64_t>(t);
    if (labels[t] == "O") {
      open = false;
      continue;
    }
    const std::string_view type = std::string_view(labels[t]).substr(2);
    open = open && labels[t].front() == 'I' && chunks.back().type == type;
    if (!open) chunks.push_back({at, at, std::string(type)});
    open = true;
    chunks.back().end = at + 1;
  }
  return chunks;
}

Metrics sequence_metrics(const std::vector<std::string>& labels,
                         const std::vector<std::int64_t>& starts, const std::vector<double>& truth,
                         const std::vector<double>& guess) {
  Metrics metrics;
  if (truth.empty()) return metrics;
  add_labels(labels, truth, guess, metrics);
  std::int64_t right = 0;
  for (std::size_t s = 0; s + 1 < starts.size(); ++s)
    right += std::equal(truth.begin() + starts[s], truth.begin() + starts[s + 1],
                        guess.begin() + starts[s])
                 ? 1
                 : 0;
  metrics.values["sequence_accuracy"] =
      static_cast<double>(right) / static_cast<double>(starts.size() - 1);
  if (are_chunk_labels(labels)) add_chunks(labels, starts, truth, guess, metrics);
  return metrics;
}

}  // namespace fenchel
