#include "spec/read.hpp"
#include "spec/spec.hpp"
#include "unit/spec_files.hpp"

#include <string>

using fenchel::load_spec;
using fenchel::Spec;
using spec_tests::error_of;
using spec_tests::Folder;

namespace {

const std::string kMinimal =
    "fenchel: 1\n"
    "data: {train: a9a}\n"
    "loss: hinge\n"
    "solver: prox-sdca\n";

}  // namespace

BOOST_AUTO_TEST_SUITE(spec_load)

BOOST_AUTO_TEST_CASE(a_missing_spec_is_an_error) {
  const Folder folder;
  BOOST_TEST(error_of([&] { load_spec(folder.path() / "no.yaml"); }, folder.path().string()) ==
             "/no.yaml: cannot read the spec: No such file or directory; check the path");
}

BOOST_AUTO_TEST_CASE(the_resolved_spec_holds_defaults_and_absolute_paths) {
  const Folder folder;
  const auto file = folder.write("sub/s.yaml",
                                 "solver: {prox-sdca: }\nloss: {hinge: {}}\nfenchel: 1\n"
                                 "data: {test: ../a.t, train: a9a}\noutput: {dir: runs/x}\n");
  const std::string folder_text = folder.path().string();
  BOOST_TEST(to_yaml(load_spec(file).resolved) ==
             "fenchel: 1\n"
             "name: \"s\"\n"
             "data:\n"
             "  train: \"" +
                 folder_text +
                 "/sub/a9a\"\n"
                 "  test: \"" +
                 folder_text +
                 "/a.t\"\n"
                 "  storage: auto\n"
                 "  normalize: none\n"
                 "  bias: none\n"
                 "loss: hinge\n"
                 "regularizer: none\n"
                 "solver: prox-sdca\n"
                 "repair: []\n"
                 "stop:\n"
                 "  relative-gap: 0.0001\n"
                 "  passes: 1000\n"
                 "run:\n"
                 "  threads: 1\n"
                 "  seed: 1\n"
                 "output:\n"
                 "  dir: runs/x\n");
}

BOOST_AUTO_TEST_CASE(the_resolved_spec_loads_from_another_folder_to_the_same) {
  const Folder folder;
  const auto file = folder.write("odd: name #1/s p.yaml",
                                 kMinimal +
                                     "run: {certify-every: 3}\nregularizer: {elastic-net: {l1: "
                                     "1e-3, l2: [1, \"2\"]}}\nstop: {seconds: 5}\n");
  const Spec spec = load_spec(file, {"solver.fista.step=0.25", "data.label='1'"});
  const auto copy = folder.write("elsewhere/deep/spec.yaml", to_yaml(spec.resolved));
  const Spec again = load_spec(copy);
  BOOST_TEST(again.name == "s p");
  BOOST_TEST(again.data.train.string() == (folder.path() / "odd: name #1/a9a").string());
  BOOST_TEST(again.data.label == "1");
  BOOST_TEST(again.solver.parameters.find("step")->scalar == "0.25");
  BOOST_TEST(*again.stop.seconds == 5);
  BOOST_TEST(again.run.certify_every == 3);
  BOOST_TEST(!again.stop.passes.has_value());
  BOOST_TEST(to_yaml(again.resolved) == to_yaml(spec.resolved));
}

BOOST_AUTO_TEST_CASE(a_member_of_compare_alone_is_the_spec_with_that_solver) {
  const Folder folder;
  const std::string head = "fenchel: 1\ndata: {train: a9a}\nloss: hinge\n";
  const std::string tail = "stop: {gap: 1e-3}\nrepair: [smooth-loss]\n";
  const Spec both = load_spec(folder.write(
      "s.yaml", head + "compare: [{fista: {step: fixed}}, auto]\noutput: {dir: runs/x}\n" + tail));
  BOOST_TEST(to_yaml(load_spec(folder.write("again.yaml", to_yaml(both.resolved))).resolved) ==
             to_yaml(both.resolved));
  const Spec plain = load_spec(folder.write(
      "s.yaml",
      head + "solver: {fista: {step: fixed}}\noutput: {dir: \"runs/x/1-fista\"}\n" + tail));
  const Spec first = alone(both, 0, "1-fista");
  BOOST_TEST(to_yaml(first.resolved) == to_yaml(plain.resolved));
  BOOST_TEST(first.compare.empty());
  BOOST_TEST(first.solver.name == "fista");
  BOOST_TEST(first.output->string() == "runs/x/1-fista");
  BOOST_TEST(alone(both, 1, "2-auto").resolved.find("solver")->scalar == "auto");
}

BOOST_AUTO_TEST_CASE(compare_takes_the_place_of_the_solver_of_a_base_spec) {
  const Folder folder;
  folder.write("base.yaml", kMinimal);
  const std::string over = "extends: base.yaml\ncompare: [fista]\n";
  const auto file = folder.write("s.yaml", over);
  BOOST_TEST(error_of([&] { load_spec(file); }).find("both 'solver' and 'compare'") !=
             std::string::npos);
  BOOST_TEST(load_spec(file, {"compare=null"}).solver.name == "prox-sdca");
  BOOST_TEST(load_spec(folder.write("t.yaml", over + "solver: null\n")).compare.size() == 1U);
}

BOOST_AUTO_TEST_CASE(numbers_are_parsed_in_full_or_not_at_all) {
  using fenchel::spec::parse_number;
  BOOST_TEST(*parse_number("1e-4") == 1e-4);
  BOOST_TEST(*parse_number("1E5") == 1e5);
  BOOST_TEST(*parse_number(".5") == 0.5);
  BOOST_TEST(*parse_number("5.") == 5.0);
  BOOST_TEST(*parse_number("-3") == -3.0);
  BOOST_TEST(*parse_number("+2") == 2.0);
  BOOST_TEST(*parse_number("0.1") == 0.1);
  for (const char* text : {"", "+", "-", ".", "e5", "inf", "-inf", "nan", "1e", "1 ", " 1", "0x1",
                           "1,5", "1_000", "+-1", "--1", "1e400", "1f", "infinity"})
    BOOST_TEST(!parse_number(text).has_value(), text);
}

BOOST_AUTO_TEST_SUITE_END()
