// Loading libraries: every fixture is taken or refused with its exact reason, and the host stands.
#include "plugin/registry.hpp"
#include "unit/plugin_support.hpp"

#include <boost/test/unit_test.hpp>

#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <vector>

namespace {

using namespace fenchel;
using namespace fenchel::plugin_support;
namespace fs = std::filesystem;

// A folder that goes with the test.
struct Folder {
  fs::path path;
  explicit Folder(const std::string& name)
      : path(fs::temp_directory_path() / ("fenchel-" + name + "-" + std::to_string(getpid()))) {
    fs::create_directories(path);
  }
  ~Folder() { fs::remove_all(path); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
};

// FENCHEL_PLUGIN_PATH for the length of a test.
struct PluginPath {
  explicit PluginPath(const std::string& value) { setenv("FENCHEL_PLUGIN_PATH", value.c_str(), 1); }
  ~PluginPath() { unsetenv("FENCHEL_PLUGIN_PATH"); }
  PluginPath(const PluginPath&) = delete;
  PluginPath& operator=(const PluginPath&) = delete;
};

// Why the only library of a fixture's folder is refused.
std::string refusal(const std::string& fixture) {
  const Registry registry = Registry::scan({kFixtures / fixture});
  BOOST_TEST(registry.plugins().empty());
  BOOST_TEST_REQUIRE(registry.failures().size() == 1);
  BOOST_TEST(registry.failures()[0].file.parent_path() == kFixtures / fixture);
  return registry.failures()[0].reason;
}

// Runs `body`, which must throw an Error, and returns it.
template <class Body>
Error thrown(Body body) {
  try {
    body();
  } catch (const Error& error) {
    return error;
  }
  BOOST_FAIL("nothing was thrown");
  return {Exit::converged, ""};
}

}  // namespace

BOOST_AUTO_TEST_SUITE(plugin_registry)

BOOST_AUTO_TEST_CASE(a_library_that_breaks_a_rule_is_refused_with_its_reason) {
  BOOST_TEST(refusal("no-symbol") == "exports no symbol 'fenchel_plugin'");
  BOOST_TEST(refusal("wrong-major") ==
             "made for plugin ABI 2.0, this host has 1.0: rebuild it with this host's headers");
  BOOST_TEST(refusal("newer-minor") ==
             "needs a host with plugin ABI 1.7 or later, this one has 1.0");
  BOOST_TEST(refusal("short-card") == "its card has size 64, plugin ABI 1.0 needs 96");
  BOOST_TEST(refusal("short-table") == "its loss table has size 32, plugin ABI 1.0 needs 80");
  BOOST_TEST(refusal("null-table") == "its loss table is missing");
  BOOST_TEST(refusal("declines") == "says that it cannot serve a host with plugin ABI 1.0");
  BOOST_TEST(refusal("misnamed") ==
             "holds the loss 'rightly-named', so its name must be fenchel-loss-rightly-named.so");
  BOOST_TEST(refusal("bad-range") ==
             "parameter 'gamma': range '(0, inf' is neither an interval such as (0, inf) nor words "
             "such as a | b");
  BOOST_TEST(refusal("throwing-entry") == "'fenchel_plugin' threw an exception: no card today");
}

BOOST_AUTO_TEST_CASE(a_file_that_is_no_library_is_refused) {
  const Folder folder("text");
  const fs::path file = folder.path / "fenchel-loss-text.so";
  std::ofstream(file) << std::string(4096, 'x');
  std::ofstream(folder.path / "fenchel-loss-empty.so").flush();
  fs::create_symlink("nowhere.so", folder.path / "fenchel-loss-dangling.so");
  const Registry registry = Registry::scan({folder.path});
  BOOST_TEST(registry.plugins().empty());
  BOOST_TEST_REQUIRE(registry.failures().size() == 3);
  BOOST_TEST(registry.failures()[0].reason.starts_with("cannot be loaded: "));
  BOOST_TEST(registry.failures()[1].reason == "cannot be loaded: file too short");
  BOOST_TEST(registry.failures()[2].reason == "cannot be loaded: invalid ELF header");

  const Error error = thrown([&] { load_plugin(file); });
  BOOST_TEST((error.exit() == Exit::plugin_failed));
  BOOST_TEST(error.what() == file.string() + ": cannot be loaded: invalid ELF header");
}

BOOST_AUTO_TEST_CASE(other_files_and_folders_are_left_alone) {
  const Folder folder("other");
  std::ofstream(folder.path / "libother.so") << "x";
  std::ofstream(folder.path / "fenchel-loss-x.txt") << "x";
  fs::create_directory(folder.path / "fenchel-loss-folder.so");
  const Registry registry = Registry::scan({folder.path});
  BOOST_TEST(registry.plugins().empty());
  BOOST_TEST(registry.failures().empty());
}

BOOST_AUTO_TEST_CASE(bad_libraries_do_not_stand_in_the_way_of_good_ones) {
  const Registry registry = Registry::scan(
      {kFixtures / "throwing-entry", kFixtures / "squared-c", kFixtures / "no-symbol"});
  BOOST_TEST(registry.failures().size() == 2);
  BOOST_TEST(registry.find(FENCHEL_KIND_LOSS, "squared-c") != nullptr);
  BOOST_TEST(registry.find(FENCHEL_KIND_SOLVER, "squared-c") == nullptr);
}

BOOST_AUTO_TEST_CASE(of_two_folders_the_first_provides_an_id) {
  for (const bool swapped : {false, true}) {
    const fs::path first = kFixtures / (swapped ? "twin-second" : "twin-first");
    const fs::path second = kFixtures / (swapped ? "twin-first" : "twin-second");
    const Registry registry = Registry::scan({first, second});
    BOOST_TEST_REQUIRE(registry.plugins().size() == 1);
    BOOST_TEST(registry.plugins()[0].file == first / "fenchel-loss-twin.so");
    BOOST_TEST_REQUIRE(registry.failures().size() == 1);
    BOOST_TEST(registry.failures()[0].file == second / "fenchel-loss-twin.so");
    BOOST_TEST(registry.failures()[0].reason ==
               "duplicate id 'twin': this loss is already provided by " +
                   (first / "fenchel-loss-twin.so").string());
  }
}

BOOST_AUTO_TEST_CASE(of_two_libraries_in_a_folder_the_second_is_a_duplicate) {
  const fs::path folder = kFixtures / "twin-both";
  const Registry registry = Registry::scan({folder});
  BOOST_TEST_REQUIRE(registry.plugins().size() == 1);
  BOOST_TEST(registry.plugins()[0].file == folder / "fenchel-loss-twin.so");
  BOOST_TEST_REQUIRE(registry.failures().size() == 1);
  BOOST_TEST(registry.failures()[0].file == folder / "fenchel-loss-twinned.so");
  BOOST_TEST(registry.failures()[0].reason ==
             "duplicate id 'twin': this loss is already provided by " +
                 (folder / "fenchel-loss-twin.so").string());
}

BOOST_AUTO_TEST_CASE(one_folder_named_twice_is_no_duplicate) {
  const fs::path folder = kFixtures / "twin-first";
  const Registry registry = Registry::scan({folder, folder / ".", folder / "../twin-first"});
  BOOST_TEST(registry.plugins().size() == 1);
  BOOST_TEST(registry.failures().empty());
}

BOOST_AUTO_TEST_CASE(a_missing_folder_is_a_failure_of_the_scan_not_an_end) {
  const Registry registry = Registry::scan({kFixtures / "nowhere", kFixtures / "squared-c"});
  BOOST_TEST(registry.plugins().size() == 1);
  BOOST_TEST_REQUIRE(registry.failures().size() == 1);
  BOOST_TEST(registry.failures()[0].reason == "cannot be searched: No such file or directory");
}

BOOST_AUTO_TEST_CASE(a_constructor_that_throws_fails_the_plugin_with_its_words) {
  for (const auto& [id, words] : {std::pair("throwing-constructor", "no instance today"),
                                  std::pair("throwing-create", "escaped from create")}) {
    const Registry registry = Registry::scan({kFixtures / id});
    const Error error = thrown([&] { registry.make_loss(component(id), shape()); });
    BOOST_TEST((error.exit() == Exit::plugin_failed));
    BOOST_TEST(error.message() == std::string("the loss ") + id + " could not be made: " + words);
    BOOST_TEST(error.place().line == 3);
  }
}

BOOST_AUTO_TEST_CASE(an_unknown_id_gets_the_nearest_and_all_known) {
  const Registry registry = Registry::scan({kFixtures / "squared-c", kFixtures / "twin-first"});
  const Error error = thrown([&] { registry.make_loss(component("squard-c"), shape()); });
  BOOST_TEST((error.exit() == Exit::bad_input));
  BOOST_TEST(std::string(error.what()) ==
             "spec.yaml:3:7: loss: unknown loss 'squard-c'; did you mean 'squared-c'? known: "
             "squared-c, twin");
}

BOOST_AUTO_TEST_CASE(an_id_of_another_kind_is_told_so) {
  const Registry registry = Registry::scan({kFixtures / "squared-c"});
  const Error error = thrown([&] { registry.make_solver(component("squared-c"), shape()); });
  BOOST_TEST(error.message() == "unknown solver 'squared-c'");
  BOOST_TEST(
      error.advice() ==
      "'squared-c' is a loss; none was found in the plugin folders (see `fenchel plugins list`)");
}

BOOST_AUTO_TEST_CASE(an_id_whose_library_failed_gets_that_reason) {
  const Registry registry = Registry::scan({kFixtures / "null-table"});
  const Error error = thrown([&] { registry.make_loss(component("null-table"), shape()); });
  BOOST_TEST((error.exit() == Exit::bad_input));
  BOOST_TEST(error.message() == "the loss 'null-table' cannot be used: " +
                                    (kFixtures / "null-table/fenchel-loss-null-table.so").string() +
                                    " its loss table is missing");
}

BOOST_AUTO_TEST_CASE(one_file_can_be_loaded_by_itself) {
  const fs::path file = kFixtures / "squared-c/fenchel-loss-squared-c.so";
  const Plugin plugin = load_plugin(file);
  BOOST_TEST(std::string(plugin.card->id) == "squared-c");
  BOOST_TEST(make_loss(plugin, component("squared-c"), shape()).id == "squared-c");
  BOOST_TEST((thrown([&] { make_solver(plugin, component("squared-c"), shape()); }).message() ==
              "the solver squared-c could not be made: it is a loss"));
  const Error missing = thrown([] { load_plugin("nowhere/fenchel-loss-x.so"); });
  BOOST_TEST((missing.exit() == Exit::bad_input));
  BOOST_TEST(std::string(missing.what()) == "nowhere/fenchel-loss-x.so: no such file");
}

BOOST_AUTO_TEST_CASE(asked_folders_come_first_and_must_exist) {
  const PluginPath path((kFixtures / "twin-first").string() + "::" + kFixtures.string());
  const auto folders = plugin_folders({kFixtures / "squared-c"});
  BOOST_TEST_REQUIRE(folders.size() >= 3);
  BOOST_TEST(folders[0] == kFixtures / "squared-c");
  BOOST_TEST(folders[1] == kFixtures / "twin-first");
  BOOST_TEST(folders[2] == kFixtures);

  const Error error = thrown([] { plugin_folders({"no/such/folder"}); });
  BOOST_TEST((error.exit() == Exit::bad_input));
  BOOST_TEST(
      std::string(error.what()) ==
      "--plugins: 'no/such/folder' is not a folder; name a folder that holds fenchel-*.so files");
}

BOOST_AUTO_TEST_CASE(folders_beside_the_program_are_found_where_they_exist) {
  const Folder root("prefix");
  const fs::path bin = root.path / "bin";
  fs::create_directories(bin);
  BOOST_TEST(folders_beside(bin).empty());
  for (const char* folder : {"plugins", "lib/fenchel/plugins", "lib64/fenchel/plugins",
                             "lib/some-linux-gnu/fenchel/plugins"}) {
    const Folder fresh("prefix-one");
    fs::create_directories(fresh.path / "bin");
    fs::create_directories(fresh.path / folder);
    const auto found = folders_beside(fresh.path / "bin");
    BOOST_TEST_REQUIRE(found.size() == 1, folder);
    BOOST_TEST(found[0] == fs::canonical(fresh.path / folder));
  }
}

BOOST_AUTO_TEST_SUITE_END()
