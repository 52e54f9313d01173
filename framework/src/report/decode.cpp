#include "report/decode.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace fenchel {
namespace {

const fenchel_decode_oracle* find_oracle(const LossPart& loss) {
  const auto find = FENCHEL_MEMBER(loss.table, oracle);
  const auto* table = find ? static_cast<const fenchel_decode_oracle*>(find("decode", 1)) : nullptr;
  return table && FENCHEL_MEMBER(table, decode) ? table : nullptr;
}

const fenchel_decode_oracle& oracle_of(const LossPart& loss) {
  if (const fenchel_decode_oracle* table = find_oracle(loss)) return *table;
  throw Error(Exit::plugin_failed,
              fmt::format("loss '{}' cannot label sequences: it has no oracle 'decode'", loss.id));
}

using Call = std::int32_t (*)(const void*, const fenchel_batch*, const double*, double*);

std::vector<double> ask(const LossPart& loss, Call call, const char* name, const SequenceScores& of,
                        std::int64_t numbers_a_position) {
  std::vector<double> scratch;
  if (const auto size = FENCHEL_MEMBER(loss.table, scratch))
    scratch.resize(static_cast<std::size_t>(std::max<std::int64_t>(0, size(loss.self, &of.shape))));
  fenchel_batch batch{};
  batch.struct_size = sizeof batch;
  batch.count = of.shape.blocks;
  batch.width = of.shape.widest_block;
  batch.offsets = of.score_offsets.data();
  batch.target_offsets = of.target_offsets.data();
  batch.scratch = scratch.data();
  std::vector<double> out(static_cast<std::size_t>(of.target_offsets.back() * numbers_a_position));
  if (call(loss.self, &batch, of.scores.data(), out.data()) != FENCHEL_OK)
    throw Error(Exit::plugin_failed, fmt::format("loss '{}': '{}' failed: {}", loss.id, name,
                                                 explain_failure(loss.explain)));
  return out;
}

}  // namespace

bool can_decode(const LossPart& loss) { return find_oracle(loss) != nullptr; }

fenchel_shape sequence_shape(const Model& model, const std::vector<std::int64_t>& starts) {
  const std::int64_t k = model.outputs;
  fenchel_shape shape{};
  shape.struct_size = sizeof shape;
  shape.outputs = static_cast<std::int32_t>(k);
  shape.blocks = static_cast<std::int64_t>(starts.size()) - 1;
  shape.scores = starts.back() * k + shape.blocks * k * k;
  for (std::size_t i = 0; i + 1 < starts.size(); ++i)
    shape.widest_block = std::max(shape.widest_block, (starts[i + 1] - starts[i]) * k + k * k);
  shape.parameters = model.features * k + k * k;
  shape.features = model.features;
  shape.transitions = model.allowed.empty() ? nullptr : model.allowed.data();
  return shape;
}

SequenceScores score_sequences(const Model& model, const Dataset& data) {
  SequenceScores made;
  made.shape = sequence_shape(model, data.sequences.starts);
  made.shape.entries = data.x.entries();
  made.target_offsets = data.sequences.starts;
  const std::vector<double> positions = score_rows(model, data.x);
  made.scores.reserve(static_cast<std::size_t>(made.shape.scores));
  const std::int64_t k = model.outputs;
  for (std::size_t i = 0; i + 1 < made.target_offsets.size(); ++i) {
    made.score_offsets.push_back(static_cast<std::int64_t>(made.scores.size()));
    made.scores.insert(made.scores.end(), positions.begin() + made.target_offsets[i] * k,
                       positions.begin() + made.target_offsets[i + 1] * k);
    made.scores.insert(made.scores.end(), model.transitions.begin(), model.transitions.end());
  }
  made.score_offsets.push_back(static_cast<std::int64_t>(made.scores.size()));
  return made;
}

std::vector<double> decode(const LossPart& loss, const SequenceScores& of) {
  std::vector<double> labels = ask(loss, oracle_of(loss).decode, "decode", of, 1);
  for (const double label : labels)
    if (!(label >= 0.0 && label < of.shape.outputs && label == std::floor(label)))
      throw Error(Exit::plugin_failed,
                  fmt::format("loss '{}': 'decode' returned {}, which is no label", loss.id, label),
                  {}, "run 'fenchel plugins verify' on its library");
  return labels;
}

std::vector<double> marginals(const LossPart& loss, const SequenceScores& of) {
  const fenchel_decode_oracle& oracle = oracle_of(loss);
  const auto call = FENCHEL_MEMBER(&oracle, marginals);
  if (!call)
    throw Error(Exit::bad_input, fmt::format("loss '{}' has no probabilities", loss.id), {},
                "leave out --probabilities");
  return ask(loss, call, "marginals", of, of.shape.outputs);
}

}  // namespace fenchel
