#include "spec/parse.hpp"
#include "spec/spec.hpp"
#include "unit/spec_files.hpp"

#include <random>
#include <string>
#include <vector>

using fenchel::Node;
using fenchel::to_yaml;
using fenchel::spec::parse_yaml;

namespace {

bool same_tree(const Node& a, const Node& b, bool compare_quotes) {
  if (a.kind != b.kind || a.scalar != b.scalar || a.items.size() != b.items.size() ||
      a.entries.size() != b.entries.size() || (compare_quotes && a.quoted != b.quoted))
    return false;
  for (std::size_t i = 0; i < a.items.size(); ++i)
    if (!same_tree(a.items[i], b.items[i], compare_quotes)) return false;
  for (std::size_t i = 0; i < a.entries.size(); ++i)
    if (a.entries[i].first != b.entries[i].first ||
        !same_tree(a.entries[i].second, b.entries[i].second, compare_quotes))
      return false;
  return true;
}

using Random = std::mt19937;

std::size_t below(Random& random, std::size_t bound) {
  return std::uniform_int_distribution<std::size_t>(0, bound - 1)(random);
}

// Pieces that YAML gives a meaning to, so that quoting is put to the test.
std::string random_text(Random& random, bool key) {
  static const std::vector<std::string> kPieces{
      "a",  "null", "~", "true", "1e-4", "-",  "- ",  ": ",  ":",       " #", "#",
      "[",  "]",    "{", "}",    ",",    "&x", "*x",  "!t",  "|",       ">",  "'",
      "\"", "\\",   "%", "@",    "`",    "?",  "? ",  "<<",  " ",       ".",  "...",
      "=",  "λ",    "𝔸", "/",    "+",    "--", "---", "0x1", "\xC2\x85"};
  static const std::vector<std::string> kControls{"\n", "\t",   "\x1b", "\x7f",
                                                  "\r", "\x04", "\n\n "};
  std::string text;
  const std::size_t pieces = below(random, 5) + (key ? 1 : 0);
  for (std::size_t i = 0; i < pieces; ++i)
    text += !key && below(random, 6) == 0 ? kControls[below(random, kControls.size())]
                                          : kPieces[below(random, kPieces.size())];
  return key && text == "<<" ? "<" : text;
}

Node random_tree(Random& random, int depth) {
  Node node;
  const std::size_t kind = below(random, depth > 0 ? 6 : 3);
  if (kind == 0) return node;
  if (kind <= 2) {
    node.kind = Node::Kind::scalar;
    node.scalar = random_text(random, false);
    node.quoted = below(random, 2) == 0;
    return node;
  }
  node.kind = kind == 3 ? Node::Kind::list : Node::Kind::map;
  const std::size_t size = below(random, 5);
  for (std::size_t i = 0; i < size; ++i) {
    if (node.is_list()) {
      node.items.push_back(random_tree(random, depth - 1));
    } else {
      const std::string key = random_text(random, true);
      if (node.find(key) == nullptr) node.entries.emplace_back(key, random_tree(random, depth - 1));
    }
  }
  return node;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(spec_emit)

BOOST_AUTO_TEST_CASE(a_spec_is_written_as_a_person_would) {
  const std::string text =
      "fenchel: 1\n"
      "data:\n"
      "  train: \"/data/a9a\"\n"
      "loss: hinge\n"
      "regularizer:\n"
      "  l2:\n"
      "    lambda: 1e-4\n"
      "repair: [smooth-loss, {a: 1}]\n"
      "run: {}\n"
      "none: null\n";
  BOOST_TEST(to_yaml(parse_yaml(text, "s.yaml")) == text);
}

BOOST_AUTO_TEST_CASE(scalars_that_mean_something_else_when_plain_are_quoted) {
  Node node;
  node.kind = Node::Kind::scalar;
  for (const char* text : {"", "null", "~", "- a", "a: b", "a #b", "[a", "*a", "&a", "!a", "---",
                           "...", "a\nb", " a", "a ", "\x1b", "-", "."}) {
    node.scalar = text;
    BOOST_TEST(to_yaml(node).front() == '"');
    BOOST_TEST(parse_yaml(to_yaml(node), "s.yaml").scalar == text);
  }
  for (const char* text : {"a", "1e-4", "-1", "+.5", "-.5", ".5", "a-b", "a/b.c", "../a_b"}) {
    node.scalar = text;
    BOOST_TEST(parse_yaml(to_yaml(node), "s.yaml").scalar == text);
  }
  node.scalar = "-.5e3";
  BOOST_TEST(to_yaml(node) == "-.5e3\n");
}

BOOST_AUTO_TEST_CASE(any_tree_reads_back_the_same) {
  Random random(20240501);
  for (int trial = 0; trial < 3000; ++trial) {
    const Node tree = random_tree(random, 5);
    const std::string text = to_yaml(tree);
    const Node once = parse_yaml(text, "s.yaml");
    BOOST_REQUIRE_MESSAGE(same_tree(tree, once, false), text);
    const Node twice = parse_yaml(to_yaml(once), "s.yaml");
    BOOST_REQUIRE_MESSAGE(same_tree(once, twice, true), text);
  }
}

BOOST_AUTO_TEST_CASE(the_longest_key_reads_back) {
  Node tree;
  tree.kind = Node::Kind::map;
  tree.entries.emplace_back(std::string(fenchel::spec::kMaxKeyBytes, '"'), Node{});
  BOOST_TEST(same_tree(tree, parse_yaml(to_yaml(tree), "s.yaml"), true));
}

BOOST_AUTO_TEST_SUITE_END()
