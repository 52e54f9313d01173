#include "spec/parse.hpp"

#include "spec/text.hpp"
#include "unit/spec_files.hpp"

#include <string>

using fenchel::Node;
using fenchel::spec::parse_yaml;
using spec_tests::error_of;

namespace {

std::string repeated(const std::string& text, std::size_t times) {
  std::string all;
  all.reserve(text.size() * times);
  for (std::size_t i = 0; i < times; ++i) all += text;
  return all;
}

std::string parse_error(const std::string& text) {
  return error_of([&] { parse_yaml(text, "s.yaml"); });
}

std::string place_text(const fenchel::Place& place) {
  return place.file + ':' + std::to_string(place.line) + ':' + std::to_string(place.column) + ' ' +
         place.key;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(spec_parse)

BOOST_AUTO_TEST_CASE(every_node_knows_file_line_column_and_key_path) {
  const Node root = parse_yaml(
      "regularizer:\n"
      "  l2: {lambda: 1e-4}\n"
      "repair:\n"
      "  - smooth-loss\n"
      "  - [a, {b: c}]\n",
      "s.yaml");
  const Node& lambda = *root.find("regularizer")->find("l2")->find("lambda");
  BOOST_TEST(place_text(lambda.place) == "s.yaml:2:16 regularizer.l2.lambda");
  BOOST_TEST(place_text(fenchel::key_place(lambda)) == "s.yaml:2:8 regularizer.l2.lambda");
  BOOST_TEST(lambda.scalar == "1e-4");
  BOOST_TEST(!lambda.quoted);
  const Node& repair = *root.find("repair");
  BOOST_TEST(place_text(repair.items[0].place) == "s.yaml:4:5 repair[0]");
  BOOST_TEST(place_text(repair.items[1].items[1].find("b")->place) == "s.yaml:5:13 repair[1][1].b");
  BOOST_TEST(place_text(fenchel::key_place(repair.items[0])) == "s.yaml:4:5 repair[0]");
}

BOOST_AUTO_TEST_CASE(kinds_and_quotes_are_kept_apart) {
  const Node root = parse_yaml(
      "a: 1\nb: \"1\"\nc: '1'\nd: |\n  1\ne:\nf: ~\ng: null\nh: \"null\"\ni: []\nj: {}\nk: ''\n"
      "l: !!str 1\n",
      "s.yaml");
  BOOST_TEST(root.entries.size() == 12U);
  for (const char* key : {"a"}) BOOST_TEST(!root.find(key)->quoted);
  for (const char* key : {"b", "c", "d", "h", "k", "l"}) {
    BOOST_TEST(root.find(key)->quoted);
    BOOST_TEST(root.find(key)->is_scalar());
  }
  for (const char* key : {"e", "f", "g"}) BOOST_TEST(root.find(key)->is_null());
  BOOST_TEST(root.find("d")->scalar == "1\n");
  BOOST_TEST(root.find("i")->is_list());
  BOOST_TEST(root.find("j")->is_map());
}

BOOST_AUTO_TEST_CASE(an_alias_is_a_copy_under_its_own_path_with_the_place_of_the_original) {
  const Node root = parse_yaml("a: &x\n  k: [1, 2]\nb: *x\n", "s.yaml");
  const Node& copy = *root.find("b")->find("k");
  BOOST_TEST(copy.items.size() == 2U);
  BOOST_TEST(copy.items[1].scalar == "2");
  BOOST_TEST(place_text(copy.items[1].place) == "s.yaml:2:10 b.k[1]");
}

BOOST_AUTO_TEST_CASE(an_anchor_inside_a_repeated_part_stays_with_the_original) {
  const Node root = parse_yaml("a: &x [&y 1, *y]\nb: [*x, *y]\nc: &y 2\nd: *y\n", "s.yaml");
  BOOST_TEST(root.find("b")->items[0].items[1].scalar == "1");
  BOOST_TEST(root.find("b")->items[1].scalar == "1");
  BOOST_TEST(root.find("d")->scalar == "2");
}

BOOST_AUTO_TEST_CASE(a_byte_order_mark_and_dos_line_ends_are_read) {
  const Node root = parse_yaml(
      "\xEF\xBB\xBF"
      "a: 1\r\nb: 2\r\n",
      "s.yaml");
  BOOST_TEST(root.find("a")->scalar == "1");
  BOOST_TEST(place_text(root.find("b")->place) == "s.yaml:2:4 b");
}

BOOST_AUTO_TEST_CASE(invalid_yaml_says_where) {
  BOOST_TEST(parse_error("a: [1, 2") ==
             "s.yaml:1:1: not valid YAML: end of sequence flow not found");
  BOOST_TEST(parse_error("a: 1\nb: *no\n") ==
             "s.yaml:2:4: not valid YAML: the referenced anchor is not defined");
  BOOST_TEST(parse_error("a: b: c") == "s.yaml:1:5: not valid YAML: illegal map value");
  BOOST_TEST(parse_error("a:\n\tb: 1\n") ==
             "s.yaml:2:3: not valid YAML: illegal map value; indent with spaces, not tabs");
}

BOOST_AUTO_TEST_CASE(a_duplicate_key_names_both_lines) {
  BOOST_TEST(parse_error("loss: a\nstop: {}\nloss: b\n") ==
             "s.yaml:3:1: loss: the key stands twice, in lines 1 and 3; keep one of them");
  BOOST_TEST(parse_error("stop:\n  gap: 1\n  \"gap\": 2\n") ==
             "s.yaml:3:3: stop.gap: the key stands twice, in lines 2 and 3; keep one of them");
}

BOOST_AUTO_TEST_CASE(what_a_key_may_not_be) {
  BOOST_TEST(parse_error("a:\n  ? [1]\n  : 2\n") ==
             "s.yaml:2:5: a: a key that is no text; a key is a plain word");
  BOOST_TEST(parse_error("{: 1}") == "s.yaml:1:2: a key that is no text; a key is a plain word");
  BOOST_TEST(parse_error("'': 1") == "s.yaml:1:1: an empty key; a key is a plain word");
  BOOST_TEST(parse_error("\"a\\eb\": 1") ==
             "s.yaml:1:1: a key with a control character; a key is a plain word");
  BOOST_TEST(parse_error(std::string(201, 'k') + ": 1") ==
             "s.yaml:1:1: a key longer than 200 bytes; use a shorter one");
  BOOST_TEST(parse_error("a: &x {b: 1}\nc:\n  <<: *x\n") ==
             "s.yaml:3:3: c: merge keys ('<<') are not supported; use 'extends: FILE' to build on "
             "another spec");
}

BOOST_AUTO_TEST_CASE(one_document_and_no_less) {
  BOOST_TEST(
      parse_error("a: 1\n---\nb: 2\n") ==
      "s.yaml:2:1: a second document, or text after the end of the first; a spec is one YAML "
      "document; remove the rest");
  BOOST_TEST(parse_error("") == "s.yaml: empty; a spec begins with 'fenchel: 1'");
  BOOST_TEST(parse_error("# only a comment\n") == "s.yaml: empty; a spec begins with 'fenchel: 1'");
  BOOST_TEST(parse_yaml("---\na: 1\n...\n", "s.yaml").find("a")->scalar == "1");
}

BOOST_AUTO_TEST_CASE(foreign_bytes_are_refused_with_line_and_column) {
  BOOST_TEST(parse_error(std::string("a: 1\nb: \0", 9)) ==
             "s.yaml:2:4: control character 0x00; a spec is plain text; remove the character");
  BOOST_TEST(parse_error("a: \x04") ==
             "s.yaml:1:4: control character 0x04; a spec is plain text; remove the character");
  BOOST_TEST(parse_error("a: \xE9t\xE9") ==
             "s.yaml:1:4: invalid UTF-8 (byte 0xE9); save the file as UTF-8 text");
  for (const char* bad : {"\xC0\xAF", "\xED\xA0\x80", "\xF4\x90\x80\x80", "\xE2\x82", "\x80"})
    BOOST_TEST(parse_error(bad).find("invalid UTF-8") != std::string::npos);
  BOOST_TEST(parse_yaml("a: λ‖w‖ 𝔸", "s.yaml").find("a")->scalar == "λ‖w‖ 𝔸");
  BOOST_TEST(parse_error("a: \"x\\0y\"") == "s.yaml:1:4: a text with a NUL character; remove it");
}

BOOST_AUTO_TEST_CASE(tags_are_refused) {
  BOOST_TEST(parse_error("a: !!int 5") ==
             "s.yaml:1:4: the tag 'tag:yaml.org,2002:int' is not supported; remove it");
  BOOST_TEST(parse_error("a: !odd {b: 1}") ==
             "s.yaml:1:4: the tag '!odd' is not supported; remove it");
}

BOOST_AUTO_TEST_CASE(the_depth_is_limited) {
  const std::size_t limit = fenchel::spec::kMaxDepth;
  const auto nested = [](std::size_t levels) {
    return repeated("[", levels) + "x" + repeated("]", levels);
  };
  BOOST_TEST(parse_yaml(nested(limit), "s.yaml").is_list());
  BOOST_TEST(parse_error(nested(limit + 1)) ==
             "s.yaml:1:65: nested deeper than 64 levels; a spec this deep is surely not meant");
  for (const char* step : {"[", "{", "- ", "? ", "{a: ", "[a, "})
    BOOST_TEST(parse_error(repeated(step, 100'000)).find("nested deeper than 64 levels") !=
               std::string::npos);
  const std::string forty = "a: &x " + nested(40) + "\nb: " + repeated("[", 40) + "*x";
  BOOST_TEST(parse_error(forty + repeated("]", 40)).find("s.yaml:2:44: nested deeper") == 0U);
}

BOOST_AUTO_TEST_CASE(the_number_of_nodes_is_limited) {
  BOOST_TEST(parse_yaml('[' + repeated("a,", 99'999) + ']', "s.yaml").items.size() == 99'999U);
  BOOST_TEST(parse_error('[' + repeated("a,", 100'000) + ']') ==
             "s.yaml:1:200000: more than 100000 nodes, counting what aliases repeat; a spec this "
             "large is surely not meant");
}

BOOST_AUTO_TEST_CASE(alias_bombs_are_refused) {
  std::string laughs = "a: &a [x, x, x, x, x, x, x, x, x, x]\n";
  for (char name = 'b'; name <= 'i'; ++name) {
    const std::string inner = std::string("*") + static_cast<char>(name - 1);
    laughs +=
        std::string(1, name) + ": &" + name + " [" + repeated(inner + ", ", 9) + inner + "]\n";
  }
  BOOST_TEST(parse_error(laughs).find("s.yaml:5:") == 0U);
  BOOST_TEST(parse_error(laughs).find("more than 100000 nodes") != std::string::npos);
  const std::string heavy = "a: &a " + std::string(900'000, 'x') + "\nb: [*a, *a, *a, *a]\n";
  BOOST_TEST(parse_error(heavy).find("s.yaml:2:17: more than 4 MiB of text") == 0U);
  BOOST_TEST(parse_error("a: &a [1, *a]\n") ==
             "s.yaml:1:11: an alias inside the node that it stands for; write the value out");
}

BOOST_AUTO_TEST_CASE(key_paths_are_limited) {
  std::string text;
  for (int level = 0; level < 6; ++level) text += '{' + std::string(190, 'k') + ": ";
  BOOST_TEST(parse_error(text + "1" + repeated("}", 6))
                 .find("the path of keys down to here is too "
                       "long") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(files_are_read_within_the_size_limit) {
  const spec_tests::Folder folder;
  const std::string name = folder.path().string() + "/big.yaml";
  const std::string head = "a: 1\n#";
  const std::size_t limit = fenchel::spec::kMaxFileBytes;
  folder.write("big.yaml", head + std::string(limit - head.size(), 'x'));
  BOOST_TEST(fenchel::spec::read_yaml(name).find("a")->scalar == "1");
  folder.write("big.yaml", head + std::string(limit + 1 - head.size(), 'x'));
  BOOST_TEST(error_of([&] { fenchel::spec::read_yaml(name); }, name) ==
             ": larger than 1 MiB; a spec is a short text; is this the data file?");
}

BOOST_AUTO_TEST_CASE(a_file_that_cannot_be_read_is_named) {
  const spec_tests::Folder folder;
  const std::string missing = (folder.path() / "no.yaml").string();
  BOOST_TEST(error_of([&] { fenchel::spec::read_yaml(missing); }, missing) ==
             ": cannot read the spec: No such file or directory; check the path");
  BOOST_TEST(error_of([&] { fenchel::spec::read_yaml(folder.path()); }, folder.path().string()) ==
             ": cannot read the spec: it is a folder; check the path");
}

BOOST_AUTO_TEST_CASE(messages_show_no_control_characters_and_no_endless_text) {
  BOOST_TEST(fenchel::spec::printable("a\x1b[31m\nb\t") == "a\\x1B[31m\\nb\\t");
  BOOST_TEST(fenchel::spec::printable(std::string(100, 'x')) == std::string(60, 'x') + "...");
  const std::string wide = repeated("é", 40);
  BOOST_TEST(fenchel::spec::printable(wide) == repeated("é", 30) + "...");
}

BOOST_AUTO_TEST_SUITE_END()
