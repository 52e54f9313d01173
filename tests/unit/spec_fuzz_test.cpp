// Whatever stands in the file: load_spec gives a spec or throws Error, and nothing else.
#include "spec/spec.hpp"
#include "unit/spec_files.hpp"

#include <exception>
#include <random>
#include <string>
#include <vector>

namespace {

const std::string kSpec =
    "fenchel: 1\n"
    "name: a9a-svm\n"
    "data:\n"
    "  train: &path a9a\n"
    "  test: *path\n"
    "  format: libsvm\n"
    "  header: false\n"
    "  bias: none\n"
    "loss: {smooth-hinge: {gamma: 0.1}}\n"
    "regularizer: {elastic-net: {l1: 1e-4, l2: \"x\\ty\"}}\n"
    "solver:\n"
    "  prox-sdca:\n"
    "    option: 1\n"
    "repair: []\n"
    "stop: {gap: 1e-6, passes: 200, seconds: 60}\n"
    "run: {threads: 2, seed: 1}\n"
    "output: {dir: 'runs/a9a'}\n";

const std::vector<std::string> kTokens{"\n",       "\n  ",  ": ",
                                       "- ",       "[",     "]",
                                       "{",        "}",     ",",
                                       "&a ",      "*a",    "!t ",
                                       "|\n",      ">\n",   "'",
                                       "\"",       "#",     "? ",
                                       "---",      "<<",    "null",
                                       "~",        "0",     "-1",
                                       "1e999",    "\t",    "\\",
                                       "%",        "\xff",  "\r",
                                       "@",        "*path", "extends: s.yaml\n",
                                       "...\n",    "loss",  "stop",
                                       "\xC3\xA9", "\x01"};

using Random = std::mt19937;

std::size_t below(Random& random, std::size_t bound) {
  return std::uniform_int_distribution<std::size_t>(0, bound - 1)(random);
}

void mutate(std::string& text, Random& random) {
  const std::size_t at = below(random, text.size() + 1);
  const std::size_t length = std::min(text.size() - at, below(random, 12));
  switch (below(random, 5)) {
    case 0: text.insert(at, kTokens[below(random, kTokens.size())]); break;
    case 1: text.erase(at, length); break;
    case 2: text.replace(at, length, kTokens[below(random, kTokens.size())]); break;
    case 3: text.insert(below(random, text.size() + 1), text.substr(at, 3 * length)); break;
    default:
      if (at < text.size()) text[at] = static_cast<char>(below(random, 256));
  }
}

// True when it loaded, false for an Error; anything else fails the test.
bool loads(const std::filesystem::path& file, const std::vector<std::string>& sets,
           const std::string& text) {
  try {
    const fenchel::Spec spec = fenchel::load_spec(file, sets);
    BOOST_REQUIRE_MESSAGE(
        !spec.loss.name.empty() && spec.solver.name.empty() == !spec.compare.empty(), text);
    return true;
  } catch (const fenchel::Error& error) {
    BOOST_REQUIRE_MESSAGE(!error.message().empty() && !error.place().file.empty(), text);
    return false;
  } catch (const std::exception& error) {
    BOOST_FAIL("not an Error but: " << error.what() << "\nfor:\n" << text);
  }
  return false;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(spec_fuzz)

BOOST_AUTO_TEST_CASE(a_mutated_spec_loads_or_is_refused) {
  const spec_tests::Folder folder;
  Random random(7);
  int loaded = 0;
  int refused = 0;
  for (int trial = 0; trial < 3000; ++trial) {
    std::string text = kSpec;
    for (std::size_t edits = below(random, 4) + 1; edits > 0; --edits) mutate(text, random);
    const auto file = folder.write("s.yaml", text);
    if (loads(file, {}, text)) {
      ++loaded;
      const fenchel::Spec spec = fenchel::load_spec(file);
      const auto copy = folder.write("copy/spec.yaml", to_yaml(spec.resolved));
      BOOST_REQUIRE_MESSAGE(loads(copy, {}, text), text);
      BOOST_REQUIRE_EQUAL(to_yaml(fenchel::load_spec(copy).resolved), to_yaml(spec.resolved));
    } else {
      ++refused;
    }
  }
  BOOST_TEST(loaded > 100);
  BOOST_TEST(refused > 100);
}

BOOST_AUTO_TEST_CASE(a_mutated_set_is_applied_or_refused) {
  const spec_tests::Folder folder;
  const auto file = folder.write("s.yaml", kSpec);
  const std::vector<std::string> seeds{"solver.fista.step=0.1", "stop.gap=1e-3", "loss=hinge",
                                       "data={train: x, bias: free}", "repair=[]"};
  Random random(11);
  int loaded = 0;
  int refused = 0;
  for (int trial = 0; trial < 2000; ++trial) {
    std::string set = seeds[below(random, seeds.size())];
    for (std::size_t edits = below(random, 3); edits > 0; --edits) mutate(set, random);
    loads(file, {set}, set) ? ++loaded : ++refused;
  }
  BOOST_TEST(loaded > 100);
  BOOST_TEST(refused > 100);
}

BOOST_AUTO_TEST_SUITE_END()
