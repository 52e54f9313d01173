// The text formats. A parser takes the whole content of a file (terminated, data/bytes.hpp) and
// throws Error (bad_input) with file and line.
#pragma once

#include "data/bytes.hpp"
#include "data/dataset.hpp"

#include <string>

namespace fenchel::reading {

Dataset parse_libsvm(const Bytes& content, const ReadOptions& options, const std::string& file);
Dataset parse_csv(const Bytes& content, const ReadOptions& options, const std::string& file);
Dataset parse_crfsuite(const Bytes& content, const ReadOptions& options, const std::string& file);
Dataset parse_conll(const Bytes& content, const ReadOptions& options, const std::string& file);

// Behind a UTF-8 byte order mark, where there is one.
const char* content_begin(const Bytes& content);

}  // namespace fenchel::reading
