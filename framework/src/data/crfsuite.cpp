// CRFsuite's format: a line a position, `label<tab>attribute<tab>attribute…`, an attribute is
// `name` or `name:value`, in a name \: is a colon and \\ a backslash; a blank line ends a sequence.
#include "data/parsers.hpp"
#include "data/sequence_rows.hpp"
#include "data/text.hpp"

#include <fmt/format.h>

#include <cstring>

namespace fenchel::reading {
namespace {

class CrfsuiteParser {
 public:
  CrfsuiteParser(const Bytes& content, const ReadOptions& options, const std::string& file)
      : at_(content_begin(content)),
        end_(content.data() + content.size()),
        file_(file),
        rows_(options) {}

  Dataset parse(const std::string& storage) {
    for (; at_ < end_; ++line_) parse_line();
    return rows_.take(storage, file_);
  }

 private:
  void parse_line() {
    const auto* stop =
        static_cast<const char*>(std::memchr(at_, '\n', static_cast<std::size_t>(end_ - at_) + 1));
    std::string_view line(at_, static_cast<std::size_t>(stop - at_));
    at_ = stop + 1;
    if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
    if (line.find_first_not_of(" \t") == std::string_view::npos) return rows_.end_sequence();
    const std::string_view label = field(line);
    if (label.empty()) fail("the label is missing", "a line is: label, tab, attribute, tab, …");
    if (!rows_.begin_position(label, line_))
      fail(fmt::format("label {} is not UTF-8 text", shown(label)), "correct the label");
    while (!line.empty())
      if (const std::string_view text = field(line); !text.empty()) add(text);
  }

  // Takes the text up to the next tab off the line.
  static std::string_view field(std::string_view& line) {
    const std::string_view found = line.substr(0, line.find('\t'));
    line.remove_prefix(std::min(found.size() + 1, line.size()));
    return found;
  }

  void add(std::string_view text) {
    const std::size_t mark = text.find_first_of("\\:");
    if (mark == std::string_view::npos) return rows_.add(text, 1.0);
    name_.assign(text.substr(0, mark));
    std::size_t at = mark;
    for (; at < text.size() && text[at] != ':'; ++at) {
      const bool escaped =
          text[at] == '\\' && at + 1 < text.size() && (text[at + 1] == ':' || text[at + 1] == '\\');
      if (escaped) ++at;
      name_ += text[at];
    }
    if (name_.empty()) fail(fmt::format("{} has no name", shown(text)), kForm);
    double value = 1.0;
    if (at < text.size()) {
      const std::string_view number = text.substr(at + 1);
      const Number kind = parse_number(number, value);
      if (kind != Number::finite)
        fail(fmt::format("{}: value {} is not {}", shown(text), shown(number),
                         kind == Number::none ? "a number" : "finite"),
             kForm);
    }
    rows_.add(name_, value);
  }

  static constexpr const char* kForm =
      "an attribute is name or name:value; a colon in a name is written \\:";

  [[noreturn]] void fail(std::string message, std::string advice) const {
    throw Error(Exit::bad_input, std::move(message), place_of(file_, line_), std::move(advice));
  }

  const char* at_;
  const char* end_;  // holds the terminator
  const std::string& file_;
  SequenceRows rows_;
  std::string name_;
  int line_ = 1;
};

}  // namespace

Dataset parse_crfsuite(const Bytes& content, const ReadOptions& options, const std::string& file) {
  return CrfsuiteParser(content, options, file).parse(options.storage);
}

}  // namespace fenchel::reading
