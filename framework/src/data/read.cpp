// One file to a data set: bytes, format, parser.
#include "data/parsers.hpp"
#include "data/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <new>
#include <string_view>

namespace fenchel {
namespace reading {
namespace {

constexpr std::string_view kBlank = " \t\r";

bool contains_any(std::string_view text, std::string_view characters) {
  return text.find_first_of(characters) != std::string_view::npos;
}

std::string lower(std::string text) {
  for (char& c : text) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return text;
}

// Without that of the compression.
std::string extension_of(const std::filesystem::path& file) {
  const std::string last = lower(file.extension().string());
  const bool packed = last == ".gz" || last == ".bz2" || last == ".zst" || last == ".xz";
  return packed ? lower(file.stem().extension().string()) : last;
}

// The first line that is neither blank nor comment.
std::string_view first_line(std::string_view text) {
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    const std::size_t start = line.find_first_not_of(kBlank);
    if (start != std::string_view::npos && line[start] != '#') return line.substr(start);
    text.remove_prefix(std::min(line.size() + 1, text.size()));
  }
  return {};
}

// `label` alone, or `label index:value …`. Only the start of the second word is looked at, so that
// a broken line still counts as libsvm and is reported as such.
bool looks_like_libsvm(std::string_view line) {
  line = line.substr(0, line.find('#'));
  const std::size_t label_end = std::min(line.find_first_of(kBlank), line.size());
  const std::string_view label = line.substr(0, label_end);
  const std::size_t second = line.find_first_not_of(kBlank, label_end);
  if (second == std::string_view::npos) return !contains_any(label, ",;\"");
  const std::string_view word = line.substr(second, line.find_first_of(kBlank, second) - second);
  const std::size_t colon = word.find(':');
  return colon != std::string_view::npos && !contains_any(word.substr(0, colon), ",;\"") &&
         !contains_any(label, ";\"");
}

std::string guess_format(const std::filesystem::path& file, const Bytes& content) {
  const std::string extension = extension_of(file);
  if (extension == ".csv" || extension == ".tsv") return "csv";
  if (extension == ".crfsuite") return "crfsuite";
  if (extension == ".libsvm" || extension == ".svm" || extension == ".svmlight") return "libsvm";
  const char* begin = content_begin(content);
  const auto size = static_cast<std::size_t>(content.data() + content.size() - begin);
  return looks_like_libsvm(first_line({begin, size})) ? "libsvm" : "csv";
}

void check_options(const ReadOptions& options, const std::string& file) {
  const auto refuse = [&file](const char* key, std::string message, std::string advice) {
    throw Error(Exit::bad_input, std::move(message), place_of(file, 0, key), std::move(advice));
  };
  if (options.features < 0 || options.features > std::numeric_limits<std::int32_t>::max()) {
    refuse("data.features", fmt::format("{} features", options.features),
           fmt::format("give a number from 1 to {}", std::numeric_limits<std::int32_t>::max()));
  }
  if (options.storage != "auto" && options.storage != "sparse" && options.storage != "dense") {
    refuse("data.storage", fmt::format("no storage is named {}", shown(options.storage)),
           "give auto, sparse or dense");
  }
  const std::string& format = options.format;
  if (!format.empty() && format != "libsvm" && format != "csv" && format != "crfsuite" &&
      format != "conll") {
    refuse("data.format", fmt::format("no format is named {}", shown(format)),
           "give libsvm, csv, crfsuite or conll");
  }
  if (format != "conll") return;
  if (options.columns.empty()) {
    refuse("data.columns", "the columns have no names", "name them: columns: [word, tag, chunk]");
  }
  if (!options.label.empty() && std::ranges::count(options.columns, options.label) != 1) {
    refuse("data.label", fmt::format("no column is named {}", shown(options.label)),
           "the columns are " + first_few(options.columns, 10));
  }
}

Dataset read(const std::filesystem::path& file, ReadOptions options) {
  const std::string name = file.string();
  check_options(options, name);
  const Bytes content = read_bytes(file);
  if (options.format.empty()) options.format = guess_format(file, content);
  if (options.format == "libsvm") return parse_libsvm(content, options, name);
  if (options.format == "crfsuite") return parse_crfsuite(content, options, name);
  if (options.format == "conll") return parse_conll(content, options, name);
  if (options.delimiter.empty() && extension_of(file) == ".tsv") options.delimiter = "tab";
  return parse_csv(content, options, name);
}

}  // namespace

// Takes a column out of the features.
void drop_column(Dataset& data, const std::string& name) {
  const auto found = std::find(data.feature_names.begin(), data.feature_names.end(), name);
  if (found == data.feature_names.end()) return;
  const auto column = static_cast<std::int64_t>(found - data.feature_names.begin());
  Matrix& x = data.x;
  Matrix rest;
  rest.rows = x.rows;
  rest.columns = x.columns - 1;
  rest.dense = x.dense;
  if (x.dense) rest.starts.clear();
  std::vector<double>& taken = data.dropped[name];
  taken.assign(static_cast<std::size_t>(x.rows), 0.0);
  for (std::int64_t i = 0; i < x.rows; ++i) {
    const auto row = static_cast<std::size_t>(i);
    const std::int64_t begin = x.dense ? i * x.columns : x.starts[row];
    const std::int64_t end = x.dense ? begin + x.columns : x.starts[row + 1];
    for (std::int64_t k = begin; k < end; ++k) {
      const std::int64_t j = x.dense ? k - begin : x.indices[static_cast<std::size_t>(k)];
      const double value = x.values[static_cast<std::size_t>(k)];
      if (j == column) {
        taken[row] = value;
        continue;
      }
      if (!x.dense) rest.indices.push_back(static_cast<std::int32_t>(j > column ? j - 1 : j));
      rest.values.push_back(value);
    }
    if (!x.dense) rest.starts.push_back(static_cast<std::int64_t>(rest.values.size()));
  }
  x = std::move(rest);
  data.feature_names.erase(found);
}

const char* content_begin(const Bytes& content) {
  constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
  const bool marked = content.view().substr(0, kByteOrderMark.size()) == kByteOrderMark;
  return content.data() + (marked ? kByteOrderMark.size() : 0);
}

}  // namespace reading

Dataset read_dataset(const std::filesystem::path& file, const ReadOptions& options) {
  try {
    Dataset data = reading::read(file, options);
    for (const std::string& name : options.drop) reading::drop_column(data, name);
    return data;
  } catch (const std::bad_alloc&) {
    throw Error(Exit::bad_input, "does not fit in memory", reading::place_of(file.string()),
                "take a machine with more memory, or fewer rows");
  }
}

}  // namespace fenchel
