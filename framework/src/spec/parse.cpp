#include "spec/parse.hpp"

#include "spec/text.hpp"

#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <cerrno>
#include <fstream>
#include <sstream>
#include <system_error>
#include <unordered_map>
#include <utility>
#include <vector>

namespace fenchel::spec {
namespace {

struct Event {
  enum class Type { null, scalar, list, map, end };
  Type type = Type::null;
  std::string text;  // of a scalar
  bool quoted = false;
  YAML::Mark mark;
};

// Records the events of one document and refuses it as soon as a limit is passed. An alias replays
// the events of its anchor, so that what it expands to meets the same limits.
class Recorder final : public YAML::EventHandler {
 public:
  Recorder(std::string file, std::string key) : file_(std::move(file)), key_(std::move(key)) {}

  std::vector<Event> take() { return std::move(events_); }

  void OnDocumentStart(const YAML::Mark& mark) override {
    if (started_)
      fail(mark, "a second document, or text after the end of the first",
           "a spec is one YAML document; remove the rest");
    started_ = true;
  }
  void OnDocumentEnd() override {}

  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    leaf({Event::Type::null, {}, false, mark}, anchor);
  }

  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& value) override {
    // yaml-cpp's tags: "?" for a plain scalar, "!" for a quoted or block one.
    const bool quoted = tag == "!" || tag == "tag:yaml.org,2002:str";
    if (!quoted) require_no_tag(mark, tag);
    if (value.find('\0') != std::string::npos)
      fail(mark, "a text with a NUL character", "remove it");
    leaf({Event::Type::scalar, value, quoted, mark}, anchor);
  }

  void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value) override {
    if (tag != "!" && tag != "tag:yaml.org,2002:seq") require_no_tag(mark, tag);
    open(Event::Type::list, mark, anchor);
  }
  void OnSequenceEnd() override { close(); }

  void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value) override {
    if (tag != "!" && tag != "tag:yaml.org,2002:map") require_no_tag(mark, tag);
    open(Event::Type::map, mark, anchor);
  }
  void OnMapEnd() override { close(); }

  void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    const auto found = ranges_.find(anchor);
    if (found == ranges_.end())
      fail(mark, "an alias inside the node that it stands for", "write the value out");
    const auto [first, last] = found->second;
    for (std::size_t i = first; i < last; ++i) record(Event(events_[i]), mark);
  }

 private:
  struct Open {
    YAML::anchor_t anchor;
    std::size_t first;
  };

  [[noreturn]] void fail(const YAML::Mark& mark, const std::string& message,
                         const std::string& advice) const {
    throw Error(Exit::bad_input, message, {file_, mark.line + 1, mark.column + 1, key_}, advice);
  }

  void require_no_tag(const YAML::Mark& mark, const std::string& tag) const {
    if (!tag.empty() && tag != "?")
      fail(mark, "the tag '" + printable(tag) + "' is not supported", "remove it");
  }

  void leaf(Event event, YAML::anchor_t anchor) {
    const YAML::Mark mark = event.mark;
    record(std::move(event), mark);
    if (anchor != YAML::NullAnchor) ranges_[anchor] = {events_.size() - 1, events_.size()};
  }

  void open(Event::Type type, const YAML::Mark& mark, YAML::anchor_t anchor) {
    open_.push_back({anchor, events_.size()});
    record({type, {}, false, mark}, mark);
  }

  void close() {
    record({Event::Type::end, {}, false, {}}, {});
    const auto [anchor, first] = open_.back();
    open_.pop_back();
    if (anchor != YAML::NullAnchor) ranges_[anchor] = {first, events_.size()};
  }

  // `at` is where the document asks for the event: an alias, not its anchor, is to blame for
  // growth.
  void record(Event event, const YAML::Mark& at) {
    if (event.type == Event::Type::end) {
      --depth_;
    } else {
      if (++nodes_ > kMaxNodes)
        fail(at, "more than " + std::to_string(kMaxNodes) + " nodes, counting what aliases repeat",
             "a spec this large is surely not meant");
      text_bytes_ += event.text.size();
      if (text_bytes_ > kMaxTextBytes)
        fail(at, "more than 4 MiB of text, counting what aliases repeat",
             "a spec this large is surely not meant");
      if (event.type == Event::Type::list || event.type == Event::Type::map)
        if (++depth_ > kMaxDepth)
          fail(at, "nested deeper than " + std::to_string(kMaxDepth) + " levels",
               "a spec this deep is surely not meant");
    }
    events_.push_back(std::move(event));
  }

  std::string file_;
  std::string key_;
  std::vector<Event> events_;
  std::vector<Open> open_;
  std::unordered_map<YAML::anchor_t, std::pair<std::size_t, std::size_t>> ranges_;
  std::size_t depth_ = 0;
  std::size_t nodes_ = 0;
  std::size_t text_bytes_ = 0;
  bool started_ = false;
};

// Events to a tree; recursion is bounded since the Recorder bounds the depth.
class Builder {
 public:
  Builder(std::vector<Event> events, const std::string& file)
      : events_(std::move(events)), file_(file) {}

  Node value(const std::string& path) {
    Event& event = events_[next_++];
    Node node;
    node.place = place(event, path);
    switch (event.type) {
      case Event::Type::scalar:
        node.kind = Node::Kind::scalar;
        node.scalar = std::move(event.text);
        node.quoted = event.quoted;
        break;
      case Event::Type::list:
        node.kind = Node::Kind::list;
        while (!at_end())
          node.items.push_back(value(child(path, '[' + std::to_string(node.items.size()) + ']')));
        ++next_;
        break;
      case Event::Type::map:
        node.kind = Node::Kind::map;
        fill_map(node, path);
        ++next_;
        break;
      case Event::Type::null:
      case Event::Type::end: break;
    }
    return node;
  }

 private:
  bool at_end() const { return events_[next_].type == Event::Type::end; }

  Place place(const Event& event, const std::string& path) const {
    return {file_, event.mark.line + 1, event.mark.column + 1, path};
  }

  std::string child(const std::string& path, const std::string& step) const {
    if (path.size() + step.size() > kMaxPathBytes)
      throw Error(Exit::bad_input, "the path of keys down to here is too long",
                  place(events_[next_], printable(path)), "use shorter keys or fewer levels");
    return path + step;
  }

  void fill_map(Node& map, const std::string& path) {
    std::unordered_map<std::string, int> lines;
    while (!at_end()) {
      const Event& key = events_[next_];
      require_key(key, path);
      const std::string below = child(path, path.empty() ? key.text : '.' + key.text);
      const Place at = place(key, below);
      const auto [first, added] = lines.try_emplace(key.text, at.line);
      if (!added)
        throw Error(Exit::bad_input,
                    "the key stands twice, in lines " + std::to_string(first->second) + " and " +
                        std::to_string(at.line),
                    at, "keep one of them");
      ++next_;
      map.entries.emplace_back(first->first, value(below));
      map.entries.back().second.key_line = at.line;
      map.entries.back().second.key_column = at.column;
    }
  }

  void require_key(const Event& key, const std::string& path) const {
    const auto fail = [&](const char* message, const char* advice) {
      throw Error(Exit::bad_input, message, place(key, path), advice);
    };
    if (key.type != Event::Type::scalar) fail("a key that is no text", "a key is a plain word");
    if (key.text.empty()) fail("an empty key", "a key is a plain word");
    if (key.text == "<<")
      fail("merge keys ('<<') are not supported", "use 'extends: FILE' to build on another spec");
    if (key.text.size() > kMaxKeyBytes) fail("a key longer than 200 bytes", "use a shorter one");
    if (has_control_character(key.text))
      fail("a key with a control character", "a key is a plain word");
  }

  std::vector<Event> events_;
  std::size_t next_ = 0;
  const std::string& file_;
};

// yaml-cpp's message for a tab in the indentation speaks of something else.
std::string advice_for_line(std::string_view text, int line) {
  for (; line > 0 && !text.empty(); --line)
    text.remove_prefix(std::min(text.find('\n'), text.size() - 1) + 1);
  const std::size_t first = text.find_first_not_of(' ');
  return first != std::string_view::npos && text[first] == '\t' ? "indent with spaces, not tabs"
                                                                : "";
}

}  // namespace

Node parse_yaml(std::string_view text, const std::string& file, const std::string& key) {
  if (text.size() > kMaxFileBytes)
    throw Error(Exit::bad_input, "larger than 1 MiB", {file, 0, 0, key},
                "a spec is a short text; is this the data file?");
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);  // a byte order mark
  require_clean_text(text, file);
  Recorder recorder(file, key);
  try {
    std::istringstream stream{std::string(text)};
    YAML::Parser parser(stream);
    while (parser.HandleNextDocument(recorder)) continue;
  } catch (const YAML::Exception& error) {
    const bool known = !error.mark.is_null();
    throw Error(Exit::bad_input, "not valid YAML: " + printable(error.msg),
                {file, known ? error.mark.line + 1 : 0, known ? error.mark.column + 1 : 0, key},
                known ? advice_for_line(text, error.mark.line) : "");
  }
  std::vector<Event> events = recorder.take();
  if (events.empty())
    throw Error(Exit::bad_input, "empty", {file, 0, 0, key}, "a spec begins with 'fenchel: 1'");
  return Builder(std::move(events), file).value(key);
}

Node read_yaml(const std::filesystem::path& file, const Place& asked) {
  const Place place = asked.file.empty() ? Place{file.string(), 0, 0, {}} : asked;
  const auto fail = [&](const std::string& why) {
    const std::string what = asked.file.empty() ? "cannot read the spec"
                                                : "cannot read '" + printable(file.string()) + "'";
    throw Error(Exit::bad_input, what + ": " + why, place, "check the path");
  };
  std::error_code ignored;
  if (std::filesystem::is_directory(file, ignored)) fail("it is a folder");
  errno = 0;
  std::ifstream stream(file, std::ios::binary);
  if (!stream) fail(std::generic_category().message(errno != 0 ? errno : EIO));
  std::string text(kMaxFileBytes + 1, '\0');
  stream.read(text.data(), static_cast<std::streamsize>(text.size()));
  if (stream.bad()) fail(std::generic_category().message(EIO));
  text.resize(static_cast<std::size_t>(stream.gcount()));
  return parse_yaml(text, file.string());
}

}  // namespace fenchel::spec
