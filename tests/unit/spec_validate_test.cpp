#include "spec/parse.hpp"
#include "spec/spec.hpp"
#include "spec/validate.hpp"
#include "unit/spec_files.hpp"

#include <limits>
#include <string>
#include <utility>

using fenchel::Spec;
using spec_tests::error_of;

namespace {

const std::string kMinimal =
    "fenchel: 1\n"
    "data: {train: a9a}\n"
    "loss: hinge\n"
    "solver: prox-sdca\n";

Spec valid(const std::string& text) {
  return fenchel::spec::validate(fenchel::spec::parse_yaml(text, "s.yaml"), "s.yaml");
}

std::string fault(const std::string& text) {
  return error_of([&] { valid(text); });
}

// A line more, which is line 5.
std::string fault_of_line(const std::string& line) { return fault(kMinimal + line + '\n'); }

// The data section alone changed; `keys` begin at column 8 of line 2.
std::string fault_of_data(const std::string& keys) {
  return fault("fenchel: 1\ndata: {" + keys + "}\nloss: hinge\nsolver: fista\n");
}

}  // namespace

BOOST_AUTO_TEST_SUITE(spec_validate)

BOOST_AUTO_TEST_CASE(the_defaults_are_as_documented) {
  const Spec spec = valid(kMinimal);
  BOOST_TEST(spec.name == "s");
  BOOST_TEST(spec.data.train.string() == "a9a");
  BOOST_TEST(!spec.data.test.has_value());
  BOOST_TEST(spec.data.format == "");
  BOOST_TEST(!spec.data.header.has_value());
  BOOST_TEST(spec.data.storage == "auto");
  BOOST_TEST((spec.data.normalize == fenchel::Normalize::none));
  BOOST_TEST((spec.data.bias == fenchel::Bias::none));
  BOOST_TEST(spec.loss.name == "hinge");
  BOOST_TEST(spec.loss.parameters.is_map());
  BOOST_TEST(spec.regularizer.name == "none");
  BOOST_TEST(spec.regularizer.parameters.is_map());
  BOOST_TEST(spec.solver.name == "prox-sdca");
  BOOST_TEST(spec.repair.empty());
  BOOST_TEST(!spec.stop.gap.has_value());
  BOOST_TEST(*spec.stop.relative_gap == 1e-4);
  BOOST_TEST(*spec.stop.passes == 1000);
  BOOST_TEST(!spec.stop.seconds.has_value());
  BOOST_TEST(spec.run.threads == 1);
  BOOST_TEST(spec.run.seed == 1U);
  BOOST_TEST(spec.run.certify_every == 0.0);
  BOOST_TEST(!spec.output.has_value());
}

BOOST_AUTO_TEST_CASE(every_key_is_read) {
  const Spec spec = valid(
      "fenchel: 1\n"
      "name: a9a svm\n"
      "data:\n"
      "  train: /data/a9a\n"
      "  test: sub/a9a.t\n"
      "  format: csv\n"
      "  header: true\n"
      "  label: 3\n"
      "  delimiter: ';'\n"
      "  features: 123\n"
      "  storage: sparse\n"
      "  normalize: rows\n"
      "  bias: free\n"
      "loss: {smooth-hinge: {gamma: 0.1}}\n"
      "regularizer:\n"
      "  l2:\n"
      "    lambda: 1e-4\n"
      "solver: {prox-sdca: }\n"
      "repair: []\n"
      "stop: {gap: 1E-6, relative-gap: .5, passes: 200, seconds: 1.5}\n"
      "run: {threads: 1024, seed: 18446744073709551615, certify-every: 2.5}\n"
      "output: {dir: runs/a9a}\n");
  BOOST_TEST(spec.name == "a9a svm");
  BOOST_TEST(spec.data.train.string() == "/data/a9a");
  BOOST_TEST(spec.data.test->string() == "sub/a9a.t");
  BOOST_TEST(spec.data.test_place.line == 5);
  BOOST_TEST(spec.data.test_place.key == "data.test");
  BOOST_TEST(spec.data.format == "csv");
  BOOST_TEST(*spec.data.header);
  BOOST_TEST(spec.data.label == "3");
  BOOST_TEST(spec.data.delimiter == ";");
  BOOST_TEST(*spec.data.features == 123);
  BOOST_TEST(spec.data.storage == "sparse");
  BOOST_TEST((spec.data.normalize == fenchel::Normalize::rows));
  BOOST_TEST((spec.data.bias == fenchel::Bias::free));
  BOOST_TEST(spec.loss.name == "smooth-hinge");
  BOOST_TEST(spec.loss.place.line == 14);
  BOOST_TEST(spec.loss.place.column == 8);
  BOOST_TEST(spec.loss.place.key == "loss");
  BOOST_TEST(spec.loss.parameters.find("gamma")->scalar == "0.1");
  BOOST_TEST(spec.loss.parameters.find("gamma")->place.key == "loss.smooth-hinge.gamma");
  BOOST_TEST(spec.regularizer.name == "l2");
  BOOST_TEST(spec.regularizer.place.line == 16);
  BOOST_TEST(spec.regularizer.parameters.find("lambda")->place.line == 17);
  BOOST_TEST(spec.solver.name == "prox-sdca");
  BOOST_TEST(spec.solver.parameters.entries.empty());
  BOOST_TEST(*spec.stop.gap == 1e-6);
  BOOST_TEST(*spec.stop.relative_gap == 0.5);
  BOOST_TEST(*spec.stop.passes == 200);
  BOOST_TEST(*spec.stop.seconds == 1.5);
  BOOST_TEST(spec.run.threads == 1024);
  BOOST_TEST(spec.run.seed == std::numeric_limits<std::uint64_t>::max());
  BOOST_TEST(spec.run.certify_every == 2.5);
  BOOST_TEST(spec.output->string() == "runs/a9a");
}

BOOST_AUTO_TEST_CASE(a_default_limit_yields_to_a_given_one) {
  const Spec gap = valid(kMinimal + "stop: {gap: 1e-3, seconds: 5}\n");
  BOOST_TEST(!gap.stop.relative_gap.has_value());
  BOOST_TEST(!gap.stop.passes.has_value());
  const Spec passes = valid(kMinimal + "stop: {passes: 5}\n");
  BOOST_TEST(*passes.stop.relative_gap == 1e-4);
  BOOST_TEST(!passes.stop.seconds.has_value());
}

BOOST_AUTO_TEST_CASE(required_keys) {
  BOOST_TEST(fault("data: {train: a}\nloss: a\nsolver: b\n") ==
             "s.yaml: fenchel: the key is missing; begin the spec with 'fenchel: 1'");
  BOOST_TEST(fault("fenchel: 1\n") ==
             "s.yaml: data: the key is missing; add 'data: {train: FILE}'");
  BOOST_TEST(fault("fenchel: 1\ndata:\n  test: a\n") ==
             "s.yaml:3:3: data.train: the key is missing; name the training file: 'train: FILE'");
  BOOST_TEST(fault("fenchel: 1\ndata: {train: a}\n") ==
             "s.yaml: loss: the key is missing; add one, for example 'loss: logistic'");
  BOOST_TEST(fault("fenchel: 1\ndata: {train: a}\nloss: hinge\n") ==
             "s.yaml: solver: the key is missing; add one, for example 'solver: fista'");
}

BOOST_AUTO_TEST_CASE(the_version_is_one) {
  const std::string rest = kMinimal.substr(kMinimal.find('\n'));
  for (const auto& [value, found] :
       {std::pair{"2", "'2'"}, std::pair{"one", "'one'"}, std::pair{"'1'", "the quoted text '1'"},
        std::pair{"", "nothing"}, std::pair{"[1]", "a list"}}) {
    const std::string text = fault("fenchel: " + std::string(value) + rest);
    BOOST_TEST(text.ends_with("fenchel: expected 1, found " + std::string(found) +
                              "; this program reads version 1 of the spec"));
  }
}

BOOST_AUTO_TEST_CASE(an_unknown_key_has_place_path_and_the_nearest_name) {
  BOOST_TEST(fault_of_line("regulariser: l2") ==
             "s.yaml:5:1: regulariser: unknown key; did you mean 'regularizer'?");
  BOOST_TEST(fault_of_line("stop: {realtive-gap: 1}") ==
             "s.yaml:5:8: stop.realtive-gap: unknown key; did you mean 'relative-gap'?");
  BOOST_TEST(fault_of_data("train: a, norm: rows") ==
             "s.yaml:2:18: data.norm: unknown key; did you mean 'normalize'?");
  BOOST_TEST(
      fault_of_line("run:\n  banana: 1") ==
      "s.yaml:6:3: run.banana: unknown key; the keys here are threads, seed or certify-every");
  BOOST_TEST(fault_of_line("output: {dri: a}") ==
             "s.yaml:5:10: output.dri: unknown key; did you mean 'dir'?");
}

BOOST_AUTO_TEST_CASE(keys_of_later_versions_are_refused_by_name) {
  BOOST_TEST(fault_of_line("sweep: {a: 1}") ==
             "s.yaml:5:1: sweep: this version does not serve 'sweep' yet; remove it and run one "
             "spec at a time");
  BOOST_TEST(fault_of_line("validate: {folds: 5}").find("does not serve 'validate' yet") !=
             std::string::npos);
  BOOST_TEST(fault_of_data("train: a, format: conll") ==
             "s.yaml:2:7: data.columns: the key is missing; name them: columns: [word, tag, "
             "chunk]");
}

BOOST_AUTO_TEST_CASE(compare_is_a_list_of_solvers_in_place_of_the_solver) {
  const std::string head = "fenchel: 1\ndata: {train: a9a}\nloss: hinge\n";
  const Spec spec = valid(head + "compare: [fista, {fista: {step: fixed}}, auto]\n");
  BOOST_REQUIRE(spec.compare.size() == 3U);
  BOOST_TEST(spec.compare[0].name == "fista");
  BOOST_TEST(spec.compare[0].place.key == "compare[0]");
  BOOST_TEST(spec.compare[1].parameters.find("step")->scalar == "fixed");
  BOOST_TEST(spec.compare[2].name == "auto");
  BOOST_TEST(spec.solver.name.empty());
  BOOST_TEST(valid(kMinimal).compare.empty());

  BOOST_TEST(fault(head + "compare: []\n") ==
             "s.yaml:4:10: compare: no solver to compare; write [fista, prox-sdca]");
  BOOST_TEST(fault(head + "compare: fista\n") ==
             "s.yaml:4:10: compare: expected a list of solvers, found 'fista'; write [fista, "
             "prox-sdca]");
  BOOST_TEST(fault(head + "compare: {fista: {}}\n").find("expected a list of solvers") !=
             std::string::npos);
  BOOST_TEST(fault(head + "compare: [fista, [dal]]\n") ==
             "s.yaml:4:18: compare[1]: expected a component: name, or {name: {parameters}}, found "
             "a list");
  BOOST_TEST(fault(head + "compare: [{auto: {a: 1}}]\n").find("'auto' takes no parameters") !=
             std::string::npos);
  BOOST_TEST(fault(head + "compare: [Fista]\n") ==
             "s.yaml:4:11: compare[0]: 'Fista' is no component name; did you mean 'fista'?");
  BOOST_TEST(fault_of_line("compare: [fista]") ==
             "s.yaml:5:1: compare: the spec has both 'solver' and 'compare'; keep one of them; "
             "'solver: null' takes away that of a base spec");
}

BOOST_AUTO_TEST_CASE(repairs_are_known_names_each_once) {
  BOOST_TEST(valid(kMinimal + "repair: [smooth-loss, add-strong-convexity]\n").repair.size() == 2U);
  BOOST_TEST(
      fault_of_line("repair: [smooth-loss, smooth-loss]") ==
      "s.yaml:5:23: repair[1]: the repair 'smooth-loss' is listed twice; remove one of them");
  BOOST_TEST(fault_of_line("repair: [smoth-loss]") ==
             "s.yaml:5:10: repair[0]: expected smooth-loss or add-strong-convexity, found "
             "'smoth-loss'; did you mean 'smooth-loss'?");
  BOOST_TEST(
      fault_of_line("repair: smooth-loss") ==
      "s.yaml:5:9: repair: expected a list of repairs, found 'smooth-loss'; write [smooth-loss]");
}

BOOST_AUTO_TEST_CASE(sections_are_maps) {
  BOOST_TEST(fault("- 1\n") == "s.yaml:1:1: expected a map of keys, found a list");
  BOOST_TEST(fault("fenchel: 1\ndata: a9a\n") ==
             "s.yaml:2:7: data: expected a map of keys, found 'a9a'");
  BOOST_TEST(fault_of_line("stop: 5") == "s.yaml:5:7: stop: expected a map of keys, found '5'");
  BOOST_TEST(fault_of_line("run: [1]") == "s.yaml:5:6: run: expected a map of keys, found a list");
  BOOST_TEST(fault_of_line("output: runs") ==
             "s.yaml:5:9: output: expected a map of keys, found 'runs'");
  BOOST_TEST(fault_of_line("stop:").ends_with("stop: expected a map of keys, found nothing"));
}

BOOST_AUTO_TEST_CASE(data_values_have_their_types) {
  BOOST_TEST(fault_of_data("train: [a]") ==
             "s.yaml:2:15: data.train: expected the path of a file, found a list");
  BOOST_TEST(fault_of_data("train: ''") ==
             "s.yaml:2:15: data.train: expected the path of a file, found an empty text");
  BOOST_TEST(fault_of_data("train: a, format: libsmv") ==
             "s.yaml:2:26: data.format: expected libsvm, csv, crfsuite or conll, found 'libsmv'; "
             "did you mean "
             "'libsvm'?");
  BOOST_TEST(fault_of_data("train: a, header: yes") ==
             "s.yaml:2:26: data.header: expected true or false, found 'yes'");
  for (const char* value : {"True", "on", "1", "'true'", "[]"})
    BOOST_TEST(fault_of_data("train: a, header: " + std::string(value))
                   .find("data.header: expected true or false, found") != std::string::npos);
  BOOST_TEST(fault_of_data("train: a, delimiter: ab") ==
             "s.yaml:2:29: data.delimiter: expected one character or 'tab', found 'ab'");
  BOOST_TEST(fault_of_data("train: a, delimiter: \"\\n\"") ==
             "s.yaml:2:29: data.delimiter: expected one character or 'tab', found the quoted text "
             "'\\n'");
  BOOST_TEST(fault_of_data("train: a, delimiter: tab") == "no error");
  BOOST_TEST(fault_of_data("train: a, delimiter: \"\\t\"") == "no error");
  BOOST_TEST(fault_of_data("train: a, features: 0") ==
             "s.yaml:2:28: data.features: expected an integer from 1 to 2147483647, found '0'");
  BOOST_TEST(
      fault_of_data("train: a, storage: spare") ==
      "s.yaml:2:27: data.storage: expected auto, sparse or dense, found 'spare'; did you mean "
      "'sparse'?");
  BOOST_TEST(fault_of_data("train: a, normalize: banana") ==
             "s.yaml:2:29: data.normalize: expected none, rows or columns, found 'banana'");
  BOOST_TEST(fault_of_data("train: a, bias: true") ==
             "s.yaml:2:24: data.bias: expected none, penalized or free, found 'true'");
  BOOST_TEST(fault_of_data("train: a, label: {a: 1}") ==
             "s.yaml:2:25: data.label: expected the name or number of a column, found a map");
}

BOOST_AUTO_TEST_CASE(stop_takes_positive_finite_numbers) {
  for (const char* key : {"gap", "relative-gap", "passes", "seconds"})
    for (const char* value : {"0", "-1", "inf", ".inf", "nan", "1e999", "1x", "0x10", "'1'", "abc",
                              "[]", "1 2", "", "true"}) {
      const std::string text = fault_of_line("stop: {" + std::string(key) + ": " + value + "}");
      BOOST_TEST(text.find("stop." + std::string(key) + ": expected a positive number, found") !=
                     std::string::npos,
                 key << ": " << value << " gave: " << text);
    }
  BOOST_TEST(fault_of_line("stop: {gap: 1e-4x}") ==
             "s.yaml:5:13: stop.gap: expected a positive number, found '1e-4x'");
}

BOOST_AUTO_TEST_CASE(run_values_are_integers_in_range) {
  BOOST_TEST(fault_of_line("run: {threads: 0}") ==
             "s.yaml:5:16: run.threads: expected an integer from 1 to 1024, found '0'");
  for (const char* value : {"1025", "-1", "2.0", "1e2", "two", "'2'", "99999999999999999999"})
    BOOST_TEST(fault_of_line("run: {threads: " + std::string(value) + "}")
                   .find("run.threads: expected an integer from 1 to 1024, found") !=
               std::string::npos);
  BOOST_TEST(fault_of_line("run: {seed: -1}").find("run.seed: expected an integer from 0") !=
             std::string::npos);
  BOOST_TEST(fault_of_line("run: {certify-every: 0}") ==
             "s.yaml:5:22: run.certify-every: expected a positive number, found '0'");
  BOOST_TEST(valid(kMinimal + "run: {seed: 0}\n").run.seed == 0U);
}

BOOST_AUTO_TEST_CASE(components_are_a_name_or_one_name_with_parameters) {
  const auto loss = [](const std::string& value) {
    return fault("fenchel: 1\ndata: {train: a}\nloss: " + value + "\nsolver: fista\n");
  };
  BOOST_TEST(loss("{hinge: {}}") == "no error");
  BOOST_TEST(loss("{hinge: }") == "no error");
  BOOST_TEST(loss("[hinge]") ==
             "s.yaml:3:7: loss: expected a component: name, or {name: {parameters}}, found a list");
  BOOST_TEST(loss("{}") ==
             "s.yaml:3:7: loss: expected a component: name, or {name: {parameters}}, found a map");
  BOOST_TEST(loss("{huber: {delta: 1}, hinge: {}}") ==
             "s.yaml:3:27: loss.hinge: expected one component, found the keys 'huber' and 'hinge'; "
             "indent parameters below the name: {name: {parameter: value}}");
  BOOST_TEST(loss("{huber: 1}") ==
             "s.yaml:3:15: loss.huber: expected a map of parameters, found '1'; write 'huber: "
             "{parameter: value}', or just the name");
  BOOST_TEST(loss("Smooth_Hinge") ==
             "s.yaml:3:7: loss: 'Smooth_Hinge' is no component name; did you mean 'smooth-hinge'?");
  for (const char* name : {"-a", "a-", "a--b", "1a", "a.b", "a/b", "é"})
    BOOST_TEST(loss(name).find("is no component name; names look like 'smooth-hinge'") !=
               std::string::npos);
}

BOOST_AUTO_TEST_SUITE_END()
