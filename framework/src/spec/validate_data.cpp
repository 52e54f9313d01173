// The map `data` of a spec.
#include "spec/read.hpp"
#include "spec/text.hpp"
#include "spec/validate.hpp"

#include <algorithm>
#include <limits>
#include <string_view>

namespace fenchel::spec {
namespace {

namespace fs = std::filesystem;

const std::vector<std::string> kKeys{
    "train",   "test",      "format", "header",  "label",     "delimiter",   "features",
    "storage", "normalize", "bias",   "columns", "begin-end", "transitions", "unseen-labels"};

// Against the folder of the file that wrote it; a path from the command line against the working
// folder, since "--set" has no folder.
fs::path read_path(const Node& node) {
  return fs::path(node.place.file).parent_path() / read_text(node, "the path of a file");
}

std::string read_delimiter(const Node& node) {
  const bool one = node.is_scalar() && node.scalar.size() == 1;
  constexpr std::string_view kNever = "\"\r\n";
  if (!node.is_scalar() || (!one && node.scalar != "tab") ||
      (one && (kNever.find(node.scalar[0]) != std::string_view::npos ||
               static_cast<unsigned char>(node.scalar[0]) >= 0x80)))
    fail_expected(node, "one character or 'tab'");
  return node.scalar;
}

// A column's name stands in templates, which have signs of their own.
bool is_column_name(std::string_view name) {
  const auto letter = [](char c) {
    return ('a' <= c && c <= 'z') || ('A' <= c && c <= 'Z') || c == '_';
  };
  const auto inside = [&](char c) { return letter(c) || ('0' <= c && c <= '9') || c == '-'; };
  return !name.empty() && letter(name.front()) && name != "bias" &&
         std::all_of(name.begin(), name.end(), inside);
}

std::vector<std::string> read_columns(const Node& list) {
  if (!list.is_list() || list.items.empty())
    fail_expected(list, "a list of names", "write [word, tag, chunk]");
  std::vector<std::string> columns;
  for (const Node& item : list.items) {
    const std::string name = read_text(item, "the name of a column");
    if (!is_column_name(name))
      throw Error(Exit::bad_input, "'" + printable(name) + "' cannot be the name of a column",
                  item.place, "take letters, digits, _ and -, but not 'bias'");
    if (std::find(columns.begin(), columns.end(), name) != columns.end())
      throw Error(Exit::bad_input, "the column '" + name + "' is named twice", item.place,
                  "give every column its own name");
    columns.push_back(name);
  }
  return columns;
}

std::vector<PlacedText> read_templates(const Node& list) {
  if (!list.is_list() || list.items.empty())
    fail_expected(list, "a list of templates", "write [\"word[-2..2]\", \"tag[-2..2]\"]");
  std::vector<PlacedText> templates;
  for (const Node& item : list.items) {
    templates.push_back({read_text(item, "a template"), item.place});
    if (item.quoted) ++templates.back().place.column;
  }
  return templates;
}

Node read_transitions(const Node& node) {
  if (!node.is_map()) {
    read_word(node, {"all", "observed", "bio"});
    return node;
  }
  for (const auto& [label, followers] : node.entries) {
    const bool list = followers.is_list();
    for (const Node& item : list ? followers.items : std::vector<Node>{followers})
      read_text(item, "a label, or a list of labels");
  }
  return node;
}

// What one format alone has, named by the key that is too much.
void refuse_beyond_format(const Node& map, const std::string& format) {
  const bool sequences = format == "crfsuite" || format == "conll";
  const auto refuse = [&](const char* key, const std::string& formats) {
    if (const Node* node = map.find(key))
      throw Error(Exit::bad_input, "this key is for " + formats, key_place(*node),
                  format.empty() ? "say 'format: …', or remove the key" : "remove it");
  };
  if (format != "conll") refuse("columns", "the format conll");
  if (!sequences) {
    for (const char* key : {"begin-end", "transitions", "unseen-labels"})
      refuse(key, "the formats crfsuite and conll");
    return;
  }
  for (const char* key : {"header", "delimiter"}) refuse(key, "the format csv");
  if (format == "conll") return;
  refuse("label", "the formats csv and conll");
  refuse("features", "the formats libsvm, csv and conll");
}

void read_label(const Node& node, DataSpec& data) {
  data.label = read_text(node, "the name or number of a column");
  if (data.format != "conll" ||
      std::find(data.columns.begin(), data.columns.end(), data.label) != data.columns.end())
    return;
  throw Error(Exit::bad_input, "no column is named '" + printable(data.label) + "'", node.place,
              did_you_mean(data.label, data.columns, "the columns are " + join_or(data.columns)));
}

void read_sequence_keys(const Node& map, DataSpec& data) {
  if (data.format == "conll") {
    data.columns = read_columns(require(map, "columns", "name them: columns: [word, tag, chunk]"));
    data.templates = read_templates(
        require(map, "features", "list templates: features: [\"word[-2..2]\", \"tag[-2..2]\"]"));
  }
  if (const Node* node = map.find("begin-end")) data.begin_end = read_boolean(*node);
  if (const Node* node = map.find("unseen-labels"))
    data.keep_unseen_labels = read_word(*node, {"refuse", "wrong"}) == "wrong";
  if (const Node* node = map.find("transitions")) data.transitions = read_transitions(*node);
}

Normalize read_normalize(const Node& node) {
  const std::string word = read_word(node, {"none", "rows", "columns"});
  return word == "rows"      ? Normalize::rows
         : word == "columns" ? Normalize::columns
                             : Normalize::none;
}

Bias read_bias(const Node& node) {
  const std::string word = read_word(node, {"none", "penalized", "free"});
  return word == "penalized" ? Bias::penalized : word == "free" ? Bias::free : Bias::none;
}

}  // namespace

DataSpec read_data(const Node& map) {
  require_map(map);
  require_known_keys(map, kKeys);
  DataSpec data;
  const Node& train = require(map, "train", "name the training file: 'train: FILE'");
  data.train = read_path(train);
  data.train_place = train.place;
  if (const Node* node = map.find("test")) {
    data.test = read_path(*node);
    data.test_place = node->place;
  }
  if (const Node* node = map.find("format"))
    data.format = read_word(*node, {"libsvm", "csv", "crfsuite", "conll"});
  if (data.format.empty() && map.find("columns")) data.format = "conll";
  refuse_beyond_format(map, data.format);
  read_sequence_keys(map, data);
  if (const Node* node = map.find("header")) data.header = read_boolean(*node);
  if (const Node* node = map.find("label")) read_label(*node, data);
  if (const Node* node = map.find("delimiter")) data.delimiter = read_delimiter(*node);
  if (const Node* node = map.find("features"); node && data.format != "conll")
    data.features =
        static_cast<std::int64_t>(read_integer(*node, 1, std::numeric_limits<std::int32_t>::max()));
  if (const Node* node = map.find("storage"))
    data.storage = read_word(*node, {"auto", "sparse", "dense"});
  if (const Node* node = map.find("normalize")) data.normalize = read_normalize(*node);
  if (const Node* node = map.find("bias")) data.bias = read_bias(*node);
  return data;
}

}  // namespace fenchel::spec
