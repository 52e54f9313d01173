#include "spec/merge.hpp"
#include "spec/parse.hpp"
#include "spec/spec.hpp"
#include "unit/spec_files.hpp"

#include <string>
#include <vector>

using fenchel::load_spec;
using fenchel::Node;
using fenchel::Spec;
using fenchel::to_yaml;
using fenchel::spec::apply_set;
using fenchel::spec::parse_yaml;
using spec_tests::error_of;
using spec_tests::Folder;

namespace {

std::string merged(const std::string& base, const std::string& over) {
  Node tree = parse_yaml(base, "base.yaml");
  fenchel::spec::merge_spec(tree, parse_yaml(over, "over.yaml"));
  return to_yaml(tree);
}

std::string after_sets(const std::string& text, const std::vector<std::string>& sets) {
  Node tree = parse_yaml(text, "s.yaml");
  for (const std::string& set : sets) apply_set(tree, set);
  return to_yaml(tree);
}

std::string set_error(const std::string& text, const std::string& set) {
  return error_of([&] { after_sets(text, {set}); });
}

const std::string kBase =
    "fenchel: 1\n"
    "data: {train: a9a, test: a9a.t}\n"
    "loss: {smooth-hinge: {gamma: 0.1}}\n"
    "solver: fista\n";

}  // namespace

BOOST_AUTO_TEST_SUITE(spec_merge)

BOOST_AUTO_TEST_CASE(maps_merge_key_by_key_and_everything_else_replaces) {
  BOOST_TEST(
      merged("a: {x: 1, y: {p: 1, q: 2}, z: [1, 2]}\nb: 1", "a: {y: {q: 3}, z: [4]}\nc: 5") ==
      "a:\n  x: 1\n  y:\n    p: 1\n    q: 3\n  z: [4]\nb: 1\nc: 5\n");
  BOOST_TEST(merged("a: {x: 1}", "a: 2") == "a: 2\n");
  BOOST_TEST(merged("a: 2", "a: {x: 1}") == "a:\n  x: 1\n");
}

BOOST_AUTO_TEST_CASE(null_takes_away_what_the_base_had) {
  BOOST_TEST(merged("stop: {gap: 1, passes: 2}", "stop: {gap: null}") == "stop:\n  passes: 2\n");
  BOOST_TEST(merged("a: 1", "b: null") == "a: 1\nb: null\n");
}

BOOST_AUTO_TEST_CASE(a_component_merges_parameters_only_under_the_same_name) {
  const std::string base = "loss: {smooth-hinge: {gamma: 0.1, other: 1}}";
  BOOST_TEST(merged(base, "loss: {smooth-hinge: {gamma: 0.5}}") ==
             "loss:\n  smooth-hinge:\n    gamma: 0.5\n    other: 1\n");
  BOOST_TEST(merged(base, "loss: smooth-hinge") ==
             "loss:\n  smooth-hinge:\n    gamma: 0.1\n    other: 1\n");
  BOOST_TEST(merged("loss: smooth-hinge", base) ==
             "loss:\n  smooth-hinge:\n    gamma: 0.1\n    other: 1\n");
  BOOST_TEST(merged("loss: {smooth-hinge: }", base) ==
             "loss:\n  smooth-hinge:\n    gamma: 0.1\n    other: 1\n");
  BOOST_TEST(merged(base, "loss: hinge") == "loss: hinge\n");
  BOOST_TEST(merged(base, "loss: {huber: {delta: 1}}") == "loss:\n  huber:\n    delta: 1\n");
}

BOOST_AUTO_TEST_CASE(a_map_that_is_a_parameter_replaces_since_it_may_be_a_component) {
  BOOST_TEST(merged("loss: {smoothed: {of: {huber: {delta: 1}}, gamma: 1}}",
                    "loss: {smoothed: {of: {hinge: {}}}}") ==
             "loss:\n  smoothed:\n    of:\n      hinge: {}\n    gamma: 1\n");
}

BOOST_AUTO_TEST_CASE(extends_follows_a_chain_and_resolves_data_where_it_was_written) {
  const Folder folder;
  folder.write("common/base.yaml", kBase);
  folder.write("mid.yaml", "extends: common/base.yaml\nstop: {gap: 1e-3}\ndata: {test: mid.t}\n");
  const auto file = folder.write("deep/er/top.yaml",
                                 "extends: ../../mid.yaml\nloss: {smooth-hinge: {gamma: 0.5}}\n"
                                 "stop: {passes: 7}\n");
  const Spec spec = load_spec(file);
  BOOST_TEST(spec.name == "top");
  BOOST_TEST(*spec.stop.gap == 1e-3);
  BOOST_TEST(*spec.stop.passes == 7);
  BOOST_TEST(spec.loss.parameters.find("gamma")->scalar == "0.5");
  BOOST_TEST(spec.resolved.find("extends") == nullptr);
  const auto clean = [](const std::filesystem::path& path) {
    return std::filesystem::weakly_canonical(path).string();
  };
  BOOST_TEST(clean(spec.data.train) == (folder.path() / "common/a9a").string());
  BOOST_TEST(clean(*spec.data.test) == (folder.path() / "mid.t").string());
  BOOST_TEST(clean(spec.data.train_place.file) == (folder.path() / "common/base.yaml").string());
  BOOST_TEST(spec.data.train_place.line == 2);
  BOOST_TEST(spec.data.train_place.column == 15);
  BOOST_TEST(spec.data.train_place.key == "data.train");
}

BOOST_AUTO_TEST_CASE(an_error_in_a_base_is_reported_at_the_base) {
  const Folder folder;
  folder.write("base.yaml", kBase + "stpo: {gap: 1}\n");
  const auto file = folder.write("top.yaml", "extends: base.yaml\n");
  BOOST_TEST(error_of([&] { load_spec(file); }, folder.path().string()) ==
             "/base.yaml:5:1: stpo: unknown key; did you mean 'stop'?");
}

BOOST_AUTO_TEST_CASE(a_cycle_of_extends_is_an_error) {
  const Folder folder;
  folder.write("a.yaml", "extends: b.yaml\n");
  folder.write("b.yaml", "extends: sub/../c.yaml\n");
  folder.write("sub/x", "");
  folder.write("c.yaml", "fenchel: 1\nextends: a.yaml\n");
  BOOST_TEST(
      error_of([&] { load_spec(folder.path() / "a.yaml"); },
               (folder.path() / "sub/../").string()) ==
      "c.yaml:2:10: extends: a cycle of extends: a.yaml -> b.yaml -> c.yaml -> a.yaml; remove "
      "one of them");
  folder.write("self.yaml", "extends: self.yaml\n");
  BOOST_TEST(error_of([&] { load_spec(folder.path() / "self.yaml"); }, folder.path().string()) ==
             "/self.yaml:1:10: extends: a cycle of extends: self.yaml -> self.yaml; remove one of "
             "them");
}

BOOST_AUTO_TEST_CASE(at_most_sixteen_extends_in_a_row) {
  const Folder folder;
  folder.write("0.yaml", kBase);
  for (int i = 1; i <= 17; ++i)
    folder.write(std::to_string(i) + ".yaml", "extends: " + std::to_string(i - 1) + ".yaml\n");
  BOOST_TEST(load_spec(folder.path() / "16.yaml").loss.name == "smooth-hinge");
  BOOST_TEST(error_of([&] { load_spec(folder.path() / "17.yaml"); }, folder.path().string()) ==
             "/1.yaml:1:10: extends: more than 16 specs extend one another; merge some of them");
}

BOOST_AUTO_TEST_CASE(a_base_that_cannot_be_read_is_named_where_it_is_asked_for) {
  const Folder folder;
  const auto file = folder.write("top.yaml", "fenchel: 1\nextends: no.yaml\n");
  BOOST_TEST(error_of([&] { load_spec(file); }, folder.path().string())
                 .starts_with("/top.yaml:2:10: extends: cannot read '"));
  folder.write("top.yaml", "extends: [a, b]\n");
  BOOST_TEST(error_of([&] { load_spec(file); }, folder.path().string()) ==
             "/top.yaml:1:10: extends: expected the path of a spec, found a list");
  folder.write("list.yaml", "- 1\n");
  folder.write("top.yaml", "extends: list.yaml\n");
  BOOST_TEST(error_of([&] { load_spec(file); }, folder.path().string()) ==
             "/list.yaml:1:1: expected a map of keys, found a list");
}

BOOST_AUTO_TEST_CASE(set_replaces_and_creates) {
  BOOST_TEST(after_sets("stop: {gap: 1}", {"stop.gap=1e-6"}) == "stop:\n  gap: 1e-6\n");
  BOOST_TEST(after_sets("a: 1", {"run.threads=2", "run.seed=3"}) ==
             "a: 1\nrun:\n  threads: 2\n  seed: 3\n");
  BOOST_TEST(after_sets("a: 1", {"a={b: [1, 2]}"}) == "a:\n  b: [1, 2]\n");
  BOOST_TEST(after_sets("run:", {"run.seed=3"}) == "run:\n  seed: 3\n");
  BOOST_TEST(after_sets("a: 1", {"name=x=y"}) == "a: 1\nname: \"x=y\"\n");
  BOOST_TEST(after_sets("a: 1", {"a=1", "a=2"}) == "a: 2\n");
}

BOOST_AUTO_TEST_CASE(set_to_null_takes_away) {
  BOOST_TEST(after_sets("stop: {gap: 1, passes: 2}", {"stop.gap=null"}) == "stop:\n  passes: 2\n");
  BOOST_TEST(after_sets("a: 1", {"b=null"}) == "a: 1\n");
  BOOST_TEST(after_sets("loss: logistic", {"loss.hinge=null"}) == "loss:\n  hinge: null\n");
}

BOOST_AUTO_TEST_CASE(set_reaches_into_a_component_written_as_a_plain_name) {
  BOOST_TEST(after_sets("loss: smooth-hinge", {"loss.smooth-hinge.gamma=0.5"}) ==
             "loss:\n  smooth-hinge:\n    gamma: 0.5\n");
  BOOST_TEST(after_sets("loss: {smooth-hinge: }", {"loss.smooth-hinge.gamma=0.5"}) ==
             "loss:\n  smooth-hinge:\n    gamma: 0.5\n");
  BOOST_TEST(after_sets("loss: {smoothed: {of: huber}}", {"loss.smoothed.of.huber.delta=2"}) ==
             "loss:\n  smoothed:\n    of:\n      huber:\n        delta: 2\n");
}

BOOST_AUTO_TEST_CASE(set_below_another_component_replaces_it) {
  const std::string wanted = "solver:\n  fista:\n    step: 0.1\n";
  BOOST_TEST(after_sets("solver: prox-sdca", {"solver.fista.step=0.1"}) == wanted);
  BOOST_TEST(after_sets("solver: {prox-sdca: {option: 1}}", {"solver.fista.step=0.1"}) == wanted);
  BOOST_TEST(after_sets("solver:", {"solver.fista.step=0.1"}) == wanted);
  BOOST_TEST(after_sets("solver: {fista: {a: 1}}", {"solver.fista.step=0.1"}) ==
             "solver:\n  fista:\n    a: 1\n    step: 0.1\n");
}

BOOST_AUTO_TEST_CASE(a_malformed_set_says_what_to_write) {
  BOOST_TEST(set_error("a: 1", "stop.gap") ==
             "--set: no '=' in 'stop.gap'; write --set dotted.key=value");
  for (const char* set : {"=1", "a..b=1", ".a=1", "a.=1", "a b=1"})
    BOOST_TEST(set_error("a: 1", set) ==
               "--set: malformed key in '" + std::string(set) + "'; write --set dotted.key=value");
  BOOST_TEST(set_error("a: 1", "stop.gap=") ==
             "--set: stop.gap: no value after '='; write stop.gap=null to take the key away");
  BOOST_TEST(set_error("a: 1", "stop=[1") ==
             "--set: stop: not valid YAML: end of sequence flow not found");
  BOOST_TEST(set_error("a: 1", "stop={gap: 1, gap: 2}") ==
             "--set: stop.gap: the key stands twice, in lines 1 and 1; keep one of them");
  BOOST_TEST(set_error("data: {train: x}", "data.train.x=1") ==
             "--set: data.train: cannot set a key below it, since it is 'x'; set the whole value "
             "instead");
  BOOST_TEST(set_error("repair: []", "repair.x=1") ==
             "--set: repair: cannot set a key below it, since it is a list; set the whole value "
             "instead");
  BOOST_TEST(set_error("a: 1", "extends=b.yaml") ==
             "--set: extends: cannot be set; write it in the spec file");
}

BOOST_AUTO_TEST_CASE(values_from_set_are_validated_and_placed_as_set) {
  const Folder folder;
  const auto file = folder.write("s.yaml", kBase);
  const auto error = [&](const std::string& set) {
    return error_of([&] { load_spec(file, {set}); });
  };
  BOOST_TEST(error("stop.gpa=1") == "--set: stop.gpa: unknown key; did you mean 'gap'?");
  BOOST_TEST(error("stop={gpa: 1}") == "--set: stop.gpa: unknown key; did you mean 'gap'?");
  BOOST_TEST(error("run.threads=none") ==
             "--set: run.threads: expected an integer from 1 to 1024, found 'none'");
}

BOOST_AUTO_TEST_CASE(a_data_path_from_set_is_relative_to_the_working_folder) {
  const Folder folder;
  const auto file = folder.write("s.yaml", kBase);
  const Spec spec = load_spec(file, {"data.train=some/file"});
  BOOST_TEST(spec.data.train.string() == "some/file");
  BOOST_TEST(spec.data.train_place.file == "--set");
  BOOST_TEST(spec.resolved.find("data")->find("train")->scalar ==
             (std::filesystem::current_path() / "some/file").string());
}

BOOST_AUTO_TEST_SUITE_END()
