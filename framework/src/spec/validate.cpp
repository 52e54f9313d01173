#include "spec/validate.hpp"

#include "base/names.hpp"
#include "spec/merge.hpp"
#include "spec/read.hpp"
#include "spec/text.hpp"

#include <algorithm>
#include <array>
#include <limits>

namespace fenchel::spec {
namespace {

namespace fs = std::filesystem;

constexpr double kDefaultRelativeGap = 1e-4;
constexpr double kDefaultPasses = 1000;
constexpr std::uint64_t kMaxThreads = 1024;

const std::vector<std::string> kKeys{"fenchel", "name",   "data", "loss", "regularizer", "solver",
                                     "compare", "repair", "stop", "run",  "output"};

void refuse_later_keys(const Node& tree) {
  constexpr std::array<const char*, 2> kLater{"sweep", "validate"};
  for (const char* key : kLater)
    if (const Node* node = tree.find(key))
      throw Error(Exit::bad_input, "this version does not serve '" + std::string(key) + "' yet",
                  key_place(*node), "remove it and run one spec at a time");
}

void require_version(const Node& tree) {
  const Node& version = require(tree, "fenchel", "begin the spec with 'fenchel: 1'");
  if (!version.is_scalar() || version.quoted || version.scalar != "1")
    fail_expected(version, "1", "this program reads version 1 of the spec");
}

void require_kebab_case(const std::string& name, const Place& place) {
  if (is_kebab_case(name)) return;
  std::string repaired = name;
  for (char& c : repaired)
    c = c == '_' || c == ' ' ? '-' : 'A' <= c && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  throw Error(Exit::bad_input, "'" + printable(name) + "' is no component name", place,
              is_kebab_case(repaired) ? "did you mean '" + repaired + "'?"
                                      : "names look like 'smooth-hinge'");
}

}  // namespace

Component read_component(const Node& node) {
  Component component;
  component.place = node.place;
  component.parameters.kind = Node::Kind::map;
  component.parameters.place = node.place;
  if (node.is_map() && node.entries.size() > 1)
    throw Error(Exit::bad_input,
                "expected one component, found the keys '" + node.entries[0].first + "' and '" +
                    node.entries[1].first + "'",
                key_place(node.entries[1].second),
                "indent parameters below the name: {name: {parameter: value}}");
  if (node.is_scalar() && !node.scalar.empty()) {
    component.name = node.scalar;
  } else if (node.is_map() && !node.entries.empty()) {
    const auto& [name, parameters] = node.entries.front();
    if (!parameters.is_map() && !parameters.is_list() && !parameters.is_null())
      fail_expected(parameters, "a map of parameters",
                    "write '" + name + ": {parameter: value}', or just the name");
    component.name = name;
    component.place = key_place(parameters);
    component.place.key = node.place.key;
    component.parameters.place = parameters.place;
    if (parameters.is_list()) component.parameters.kind = Node::Kind::list;  // sum, blocks
    component.parameters.items = parameters.items;
    component.parameters.entries = parameters.entries;
  } else {
    fail_expected(node, "a component: name, or {name: {parameters}}");
  }
  require_kebab_case(component.name, component.place);
  return component;
}

namespace {

// A solver's component, or `auto`; `advice` where that has parameters.
Component read_solver(const Node& node, const std::string& advice) {
  Component solver = read_component(node);
  const Node& given = solver.parameters;
  if (solver.name == "auto" && (!given.entries.empty() || !given.items.empty()))
    throw Error(Exit::bad_input, "'auto' takes no parameters", given.place, advice);
  return solver;
}

std::vector<Component> read_compare(const Node& list, const Node* solver) {
  if (solver != nullptr)
    throw Error(Exit::bad_input, "the spec has both 'solver' and 'compare'", key_place(list),
                "keep one of them; 'solver: null' takes away that of a base spec");
  if (!list.is_list()) fail_expected(list, "a list of solvers", "write [fista, prox-sdca]");
  if (list.items.empty())
    throw Error(Exit::bad_input, "no solver to compare", list.place, "write [fista, prox-sdca]");
  std::vector<Component> solvers;
  for (const Node& item : list.items) solvers.push_back(read_solver(item, "write 'auto' alone"));
  return solvers;
}

void read_components(const Node& tree, Spec& spec) {
  spec.loss = read_component(require(tree, "loss", "add one, for example 'loss: logistic'"));
  if (const Node* node = tree.find("regularizer")) {
    spec.regularizer = read_component(*node);
  } else {
    spec.regularizer.name = "none";
    spec.regularizer.place = {tree.place.file, 0, 0, "regularizer"};
    spec.regularizer.parameters.kind = Node::Kind::map;
    spec.regularizer.parameters.place = spec.regularizer.place;
  }
  if (const Node* list = tree.find("compare"))
    spec.compare = read_compare(*list, tree.find("solver"));
  else
    spec.solver = read_solver(require(tree, "solver", "add one, for example 'solver: fista'"),
                              "write 'solver: auto'");
}

StopSpec read_stop(const Node* map) {
  StopSpec stop;
  if (map != nullptr) {
    require_map(*map);
    require_known_keys(*map, {"gap", "relative-gap", "passes", "seconds"});
    const auto read = [&](const char* key) {
      const Node* node = map->find(key);
      return node == nullptr ? std::nullopt : std::optional<double>(read_positive(*node));
    };
    stop = {read("gap"), read("relative-gap"), read("passes"), read("seconds")};
  }
  if (!stop.gap && !stop.relative_gap) stop.relative_gap = kDefaultRelativeGap;
  if (!stop.passes && !stop.seconds) stop.passes = kDefaultPasses;
  return stop;
}

RunSpec read_run(const Node* map) {
  RunSpec run;
  if (map == nullptr) return run;
  require_map(*map);
  require_known_keys(*map, {"threads", "seed", "certify-every"});
  if (const Node* node = map->find("threads"))
    run.threads = static_cast<int>(read_integer(*node, 1, kMaxThreads));
  if (const Node* node = map->find("seed"))
    run.seed = read_integer(*node, 0, std::numeric_limits<std::uint64_t>::max());
  if (const Node* node = map->find("certify-every")) run.certify_every = read_positive(*node);
  return run;
}

SmoothingSpec read_smoothing(const Node& map) {
  require_map(map);
  require_known_keys(map, {"by", "levels", "factor", "weights"});
  SmoothingSpec smoothing;
  if (const Node* node = map.find("by"))
    smoothing.entropic = read_word(*node, {"euclidean", "entropy"}) == "entropy";
  if (const Node* node = map.find("levels"))
    smoothing.homotopy = read_word(*node, {"one", "homotopy"}) == "homotopy";
  if (const Node* node = map.find("factor")) {
    smoothing.factor = read_positive(*node);
    if (!(smoothing.factor > 1.0))
      throw Error(Exit::bad_input, "the factor between two levels must be above 1", node->place,
                  "leave it out for 100");
  }
  if (const Node* node = map.find("weights"))
    smoothing.data_weights = read_word(*node, {"uniform", "data"}) == "data";
  if (smoothing.entropic && smoothing.data_weights)
    throw Error(Exit::bad_input, "weights belong to the Euclidean smoothing", map.place,
                "remove 'weights', or write 'by: euclidean'");
  return smoothing;
}

void read_repairs(const Node* list, Spec& spec) {
  if (list == nullptr) return;
  if (!list->is_list()) fail_expected(*list, "a list of repairs", "write [smooth-loss]");
  for (const Node& item : list->items) {
    const Node* options = item.is_map() ? item.find("smooth-loss") : nullptr;
    if (item.is_map()) require_known_keys(item, {"smooth-loss"});
    const std::string name =
        options ? "smooth-loss" : read_word(item, {"smooth-loss", "add-strong-convexity"});
    if (std::find(spec.repair.begin(), spec.repair.end(), name) != spec.repair.end())
      throw Error(Exit::bad_input, "the repair '" + name + "' is listed twice", item.place,
                  "remove one of them");
    if (options) spec.smoothing = read_smoothing(*options);
    spec.repair.push_back(name);
  }
}

}  // namespace

Spec validate(const Node& tree, const fs::path& file) {
  require_map(tree);
  refuse_later_keys(tree);
  require_known_keys(tree, kKeys);
  require_version(tree);
  Spec spec;
  spec.file = file;
  const Node* name = tree.find("name");
  spec.name = name == nullptr ? file.stem().string() : read_text(*name, "a text");
  spec.data = read_data(require(tree, "data", "add 'data: {train: FILE}'"));
  read_components(tree, spec);
  read_repairs(tree.find("repair"), spec);
  spec.stop = read_stop(tree.find("stop"));
  spec.run = read_run(tree.find("run"));
  if (const Node* output = tree.find("output")) {
    require_map(*output);
    require_known_keys(*output, {"dir"});
    if (const Node* dir = output->find("dir"))
      spec.output = read_text(*dir, "the path of a folder");
  }
  return spec;
}

}  // namespace fenchel::spec
