#include "spec/validate.hpp"

#include <fmt/format.h>

#include <system_error>
#include <utility>

namespace fenchel::spec {
namespace {

namespace fs = std::filesystem;

Node scalar(std::string text, bool quoted = false) {
  Node node;
  node.kind = Node::Kind::scalar;
  node.scalar = std::move(text);
  node.quoted = quoted;
  return node;
}

// Collects the keys of one map, as written or by default, in the order of the calls.
class MapWriter {
 public:
  MapWriter(const Node* written, std::string key) : written_(written), key_(std::move(key)) {
    map_.kind = Node::Kind::map;
    if (written != nullptr) {
      map_.place = written->place;
      map_.key_line = written->key_line;
      map_.key_column = written->key_column;
    }
    map_.place.key = key_;
  }

  bool has(const std::string& key) const {
    return written_ != nullptr && written_->find(key) != nullptr;
  }
  void put(const std::string& key, Node node) {
    if (node.place.key.empty()) node.place.key = key_.empty() ? key : key_ + '.' + key;
    map_.entries.emplace_back(key, std::move(node));
  }
  void keep(const std::string& key) {
    if (has(key)) put(key, *written_->find(key));
  }
  void keep_or(const std::string& key, const Node& otherwise) {
    put(key, has(key) ? *written_->find(key) : otherwise);
  }
  Node take() { return std::move(map_); }

 private:
  const Node* written_;
  std::string key_;
  Node map_;
};

// The folder without links and dots, the file's own name as it is: a reader may go by its ending.
Node absolute_path(const fs::path& path, const Place& place) {
  std::error_code error;
  fs::path folder = fs::absolute(path, error).parent_path();
  const fs::path clean = fs::weakly_canonical(folder, error);
  if (!error) folder = clean;
  Node node = scalar((folder / path.filename()).string(), true);
  node.place = place;
  return node;
}

Node resolved_data(const Node& tree, const DataSpec& data) {
  MapWriter writer(tree.find("data"), "data");
  writer.put("train", absolute_path(data.train, data.train_place));
  if (data.test) writer.put("test", absolute_path(*data.test, data.test_place));
  for (const char* key : {"format", "header", "columns", "label", "delimiter", "features",
                          "begin-end", "transitions", "unseen-labels"})
    writer.keep(key);
  writer.keep_or("storage", scalar("auto"));
  writer.keep_or("normalize", scalar("none"));
  writer.keep_or("bias", scalar("none"));
  return writer.take();
}

// Combinators name files by the key `file`, relative to the file that says so.
void make_files_absolute(Node& node) {
  for (Node& item : node.items) make_files_absolute(item);
  for (auto& [key, value] : node.entries) {
    if (key != "file" || !value.is_scalar()) {
      make_files_absolute(value);
      continue;
    }
    const fs::path path = value.scalar;
    const fs::path folder =
        value.place.file == "--set" ? fs::path() : fs::path(value.place.file).parent_path();
    const Node absolute = absolute_path(path.is_absolute() ? path : folder / path, value.place);
    value.scalar = absolute.scalar;
    value.quoted = true;
  }
}

Node resolved_component(const Component& component) {
  if (component.parameters.entries.empty() && component.parameters.items.empty()) {
    Node name = scalar(component.name);
    name.place = component.place;
    return name;
  }
  MapWriter writer(nullptr, component.place.key);
  Node parameters = component.parameters;
  make_files_absolute(parameters);
  writer.put(component.name, std::move(parameters));
  Node map = writer.take();
  map.place = component.place;
  return map;
}

Node resolved_compare(const std::vector<Component>& solvers) {
  Node list;
  list.kind = Node::Kind::list;
  for (const Component& solver : solvers) list.items.push_back(resolved_component(solver));
  return list;
}

Node resolved_stop(const Node& tree, const StopSpec& stop) {
  MapWriter writer(tree.find("stop"), "stop");
  if (stop.gap) writer.keep("gap");
  if (stop.relative_gap)
    writer.keep_or("relative-gap", scalar(fmt::format("{}", *stop.relative_gap)));
  if (stop.passes) writer.keep_or("passes", scalar(fmt::format("{}", *stop.passes)));
  if (stop.seconds) writer.keep("seconds");
  return writer.take();
}

Node resolved_run(const Node& tree, const RunSpec& run) {
  MapWriter writer(tree.find("run"), "run");
  writer.put("threads", scalar(std::to_string(run.threads)));
  writer.put("seed", scalar(std::to_string(run.seed)));
  writer.keep("certify-every");
  return writer.take();
}

}  // namespace

Node resolved_tree(const Node& tree, const Spec& spec) {
  MapWriter writer(&tree, {});
  Node no_repair;
  no_repair.kind = Node::Kind::list;
  writer.keep("fenchel");
  writer.keep_or("name", scalar(spec.name, true));
  writer.put("data", resolved_data(tree, spec.data));
  writer.put("loss", resolved_component(spec.loss));
  writer.put("regularizer", resolved_component(spec.regularizer));
  if (spec.compare.empty())
    writer.put("solver", resolved_component(spec.solver));
  else
    writer.put("compare", resolved_compare(spec.compare));
  writer.keep_or("repair", no_repair);
  writer.put("stop", resolved_stop(tree, spec.stop));
  writer.put("run", resolved_run(tree, spec.run));
  if (spec.output) writer.keep("output");
  return writer.take();
}

}  // namespace fenchel::spec

namespace fenchel {

Spec alone(const Spec& spec, std::size_t member, const std::string& folder) {
  Spec one = spec;
  one.solver = spec.compare.at(member);
  one.compare.clear();
  for (auto& [key, value] : one.resolved.entries)
    if (key == "compare") {
      key = "solver";
      value = spec::resolved_component(one.solver);
    }
  if (!spec.output) return one;
  one.output = *spec.output / folder;
  Node* output = one.resolved.find("output");
  if (Node* dir = output == nullptr ? nullptr : output->find("dir"))
    *dir = spec::scalar(one.output->string(), true);
  return one;
}

}  // namespace fenchel
