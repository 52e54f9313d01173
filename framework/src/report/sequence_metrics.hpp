// How good labelled sequences are: by position, by sequence, and by chunk as conlleval counts.
#pragma once

#include "report/result.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace fenchel {

// A chunk: a maximal stretch of one type.
struct Chunk {
  std::int64_t begin = 0, end = 0;  // the position behind the last
  std::string type;

  bool operator==(const Chunk&) const = default;
};

// O, B-x and I-x only, and one of the latter at least.
bool are_chunk_labels(const std::vector<std::string>& labels);

// The chunks of one sequence, as conlleval sees them: B-x begins one, I-x continues one of type x
// and begins one elsewhere (IOB1), O ends it.
std::vector<Chunk> chunks_of(const std::vector<std::string>& labels);

// `truth` and `guess` are numbers of labels, one a position; sequence i has those from starts[i] to
// starts[i + 1].
Metrics sequence_metrics(const std::vector<std::string>& labels,
                         const std::vector<std::int64_t>& starts, const std::vector<double>& truth,
                         const std::vector<double>& guess);

}  // namespace fenchel
