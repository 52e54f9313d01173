// Parameters of a component against their declaration.
#include "plugin/values.hpp"

#include <boost/test/unit_test.hpp>

#include <cmath>
#include <limits>
#include <stdexcept>
#include <vector>

namespace {

using namespace fenchel;

fenchel_param param(const char* name, std::int32_t type, const char* fallback = nullptr,
                    const char* range = nullptr, const char* meaning = "") {
  return {sizeof(fenchel_param), type, name, fallback, range, meaning};
}

fenchel_card card_with(const std::vector<fenchel_param>& params) {
  fenchel_card card{};
  card.struct_size = sizeof card;
  card.kind = FENCHEL_KIND_REGULARIZER;
  card.id = "part";
  card.params = params.data();
  card.param_count = static_cast<std::int64_t>(params.size());
  return card;
}

Node scalar(const std::string& text, bool quoted = false) {
  Node node;
  node.kind = Node::Kind::scalar;
  node.scalar = text;
  node.quoted = quoted;
  return node;
}

Node list(const std::vector<std::string>& texts) {
  Node node;
  node.kind = Node::Kind::list;
  for (const std::string& text : texts) node.items.push_back(scalar(text));
  return node;
}

// `part` with these parameters, each placed on a line of its own from line 5 on.
Component component(std::vector<std::pair<std::string, Node>> entries) {
  Component made{.name = "part", .parameters = {}, .place = {"spec.yaml", 4, 1, "regularizer"}};
  made.parameters.kind = Node::Kind::map;
  int line = 5;
  for (auto& [name, node] : entries) {
    node.key_line = line;
    node.key_column = 3;
    node.place = {"spec.yaml", line++, 9, "regularizer.part." + name};
    made.parameters.entries.emplace_back(name, node);
  }
  return made;
}

// What is said of one parameter `p` of this type with this value; empty where it is accepted.
std::string complaint(std::int32_t type, const Node& value, const char* range = nullptr) {
  const std::vector<fenchel_param> params{param("p", type, nullptr, range)};
  try {
    const Values values(card_with(params), component({{"p", value}}));
    return "";
  } catch (const Error& error) {
    BOOST_TEST((error.exit() == Exit::bad_input));
    return error.advice().empty() ? error.message() : error.message() + "; " + error.advice();
  }
}

std::int64_t integer_read(const std::string& text) {
  const std::vector<fenchel_param> params{param("p", FENCHEL_INTEGER)};
  return Values(card_with(params), component({{"p", scalar(text)}})).data()[0]->integer;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(plugin_values)

BOOST_AUTO_TEST_CASE(values_come_in_the_order_of_the_declaration_with_type_and_size) {
  const std::vector<fenchel_param> params{
      param("a", FENCHEL_NUMBER, "0.5"), param("b", FENCHEL_INTEGER),
      param("c", FENCHEL_FLAG, "true"), param("d", FENCHEL_TEXT, "x", "x | y"),
      param("e", FENCHEL_NUMBERS, "[1, 2.5]")};
  const Values values(card_with(params), component({{"d", scalar("y")}, {"b", scalar("-7")}}));
  const fenchel_value* const* v = values.data();
  for (std::size_t i = 0; i < params.size(); ++i) {
    BOOST_TEST(v[i]->struct_size == sizeof(fenchel_value));
    BOOST_TEST(v[i]->type == params[i].type);
  }
  BOOST_TEST(v[0]->number == 0.5);
  BOOST_TEST(v[1]->integer == -7);
  BOOST_TEST(v[1]->number == -7.0);
  BOOST_TEST(v[2]->integer == 1);
  BOOST_TEST(std::string(v[3]->text) == "y");
  BOOST_TEST(v[4]->count == 2);
  BOOST_TEST(v[4]->numbers[1] == 2.5);
  BOOST_TEST(values.text() == "part(a = 0.5, b = -7, c = true, d = y, e = [1, 2.5])");
}

BOOST_AUTO_TEST_CASE(text_is_the_id_alone_without_parameters) {
  BOOST_TEST(Values(card_with({}), component({})).text() == "part");
  Component bare = component({});
  bare.parameters = Node{};
  BOOST_TEST(Values(card_with({}), bare).text() == "part");
}

BOOST_AUTO_TEST_CASE(text_shows_numbers_in_their_shortest_exact_form) {
  const std::vector<fenchel_param> params{param("gamma", FENCHEL_NUMBER)};
  const auto text = [&](const char* number) {
    return Values(card_with(params), component({{"gamma", scalar(number)}})).text();
  };
  BOOST_TEST(text("0.10") == "part(gamma = 0.1)");
  BOOST_TEST(text("1e-4") == "part(gamma = 0.0001)");
  BOOST_TEST(text("1e-12") == "part(gamma = 1e-12)");
  BOOST_TEST(text("0.30000000000000004") == "part(gamma = 0.30000000000000004)");
  BOOST_TEST(text("+3") == "part(gamma = 3)");
}

BOOST_AUTO_TEST_CASE(a_value_out_of_range_is_refused_at_its_place) {
  const std::vector<fenchel_param> params{param("lambda", FENCHEL_NUMBER, nullptr, "(0, inf)")};
  const auto whole_text = [](const Error& error) {
    return std::string(error.what()) ==
           "spec.yaml:5:9: regularizer.part.lambda: must be in (0, inf), found -1";
  };
  BOOST_CHECK_EXCEPTION(Values(card_with(params), component({{"lambda", scalar("-1")}})), Error,
                        whole_text);
}

BOOST_AUTO_TEST_CASE(ends_of_a_range_count_as_they_are_written) {
  BOOST_TEST(complaint(FENCHEL_NUMBER, scalar("0"), "(0, 1]") == "must be in (0, 1], found 0");
  BOOST_TEST(complaint(FENCHEL_NUMBER, scalar("1"), "(0, 1]") == "");
  BOOST_TEST(complaint(FENCHEL_NUMBER, scalar("0"), "[0, 1)") == "");
  BOOST_TEST(complaint(FENCHEL_NUMBER, scalar("1"), "[0, 1)") == "must be in [0, 1), found 1");
  BOOST_TEST(complaint(FENCHEL_INTEGER, scalar("6"), "[1, 5]") == "must be in [1, 5], found 6");
}

BOOST_AUTO_TEST_CASE(numbers_are_finite_and_not_quoted) {
  BOOST_TEST(complaint(FENCHEL_NUMBER, scalar("abc")) == "must be a finite number, found abc");
  BOOST_TEST(complaint(FENCHEL_NUMBER, scalar("1x")) == "must be a finite number, found 1x");
  BOOST_TEST(complaint(FENCHEL_NUMBER, scalar("")) == "must be a finite number, found ");
  for (const char* text : {".inf", "inf", "-inf", "nan", ".nan", "1e999", "0x10", "+-1"})
    BOOST_TEST(complaint(FENCHEL_NUMBER, scalar(text)) ==
               std::string("must be a finite number, found ") + text);
  BOOST_TEST(complaint(FENCHEL_NUMBER, scalar("0.1", true)) ==
             "must be a finite number, found the text \"0.1\"; remove the quotes");
  BOOST_TEST(complaint(FENCHEL_NUMBER, list({"1"})) == "must be a finite number, found a list");
  BOOST_TEST(complaint(FENCHEL_NUMBER, Node{}) == "must be a finite number, found nothing");
}

BOOST_AUTO_TEST_CASE(integers_are_exact_in_any_notation) {
  BOOST_TEST(integer_read("10") == 10);
  BOOST_TEST(integer_read("1e3") == 1000);
  BOOST_TEST(integer_read("2.0") == 2);
  BOOST_TEST(integer_read("9223372036854775807") == std::numeric_limits<std::int64_t>::max());
  BOOST_TEST(complaint(FENCHEL_INTEGER, scalar("1.5")) == "must be an integer, found 1.5");
  BOOST_TEST(complaint(FENCHEL_INTEGER, scalar("1e30")) == "must be an integer, found 1e30");
  BOOST_TEST(complaint(FENCHEL_INTEGER, scalar("inf")) == "must be an integer, found inf");
  BOOST_TEST(complaint(FENCHEL_INTEGER, scalar("nan")) == "must be an integer, found nan");
  BOOST_TEST(complaint(FENCHEL_INTEGER, scalar("9223372036854775808")) ==
             "must be an integer, found 9223372036854775808");
  BOOST_TEST(complaint(FENCHEL_INTEGER, scalar("3", true)) ==
             "must be an integer, found the text \"3\"");
}

BOOST_AUTO_TEST_CASE(flags_are_true_or_false) {
  BOOST_TEST(complaint(FENCHEL_FLAG, scalar("false")) == "");
  BOOST_TEST(complaint(FENCHEL_FLAG, scalar("yes")) == "must be true or false, found yes");
  BOOST_TEST(complaint(FENCHEL_FLAG, scalar("true", true)) ==
             "must be true or false, found the text \"true\"");
}

BOOST_AUTO_TEST_CASE(texts_with_words_are_one_of_them) {
  BOOST_TEST(complaint(FENCHEL_TEXT, scalar("anything 1")) == "");
  BOOST_TEST(complaint(FENCHEL_TEXT, scalar("fixed", true), "fixed | backtracking") == "");
  BOOST_TEST(complaint(FENCHEL_TEXT, scalar("fixd"), "fixed | backtracking") ==
             "must be fixed or backtracking, found fixd; did you mean 'fixed'?");
  BOOST_TEST(complaint(FENCHEL_TEXT, list({"a"})) == "must be a text, found a list");
}

BOOST_AUTO_TEST_CASE(lists_hold_numbers_of_the_range) {
  BOOST_TEST(complaint(FENCHEL_NUMBERS, list({"1", "2"}), "[0, inf)") == "");
  BOOST_TEST(complaint(FENCHEL_NUMBERS, list({"1", "-2"}), "[0, inf)") ==
             "must be in [0, inf), found -2");
  BOOST_TEST(complaint(FENCHEL_NUMBERS, list({"1", "x"})) == "must be a finite number, found x");
  BOOST_TEST(complaint(FENCHEL_NUMBERS, scalar("3")) ==
             "must be a list of numbers, found 3; write [3]");
}

BOOST_AUTO_TEST_CASE(an_unknown_parameter_names_the_nearest_and_all_valid_ones) {
  const std::vector<fenchel_param> params{param("lambda", FENCHEL_NUMBER, "1"),
                                          param("gamma", FENCHEL_NUMBER, "1")};
  const auto whole_text = [](const Error& error) {
    return std::string(error.what()) ==
           "spec.yaml:5:3: regularizer.part.lamda: unknown parameter 'lamda' of the regularizer "
           "part; "
           "did you mean 'lambda'? part has: lambda, gamma";
  };
  BOOST_CHECK_EXCEPTION(Values(card_with(params), component({{"lamda", scalar("1")}})), Error,
                        whole_text);
  const auto none = [](const Error& error) { return error.advice() == "part has no parameters"; };
  BOOST_CHECK_EXCEPTION(Values(card_with({}), component({{"lambda", scalar("1")}})), Error, none);
}

BOOST_AUTO_TEST_CASE(a_missing_parameter_is_asked_for_at_the_component) {
  const std::vector<fenchel_param> params{
      param("lambda", FENCHEL_NUMBER, nullptr, "(0, inf)", "weight of the norm")};
  const auto whole_text = [](const Error& error) {
    return std::string(error.what()) ==
           "spec.yaml:4:1: regularizer: the regularizer part needs the parameter 'lambda'; write "
           "{part: {lambda: …}} with a number in (0, inf) (weight of the norm)";
  };
  BOOST_CHECK_EXCEPTION(Values(card_with(params), component({})), Error, whole_text);
}

BOOST_AUTO_TEST_CASE(parameters_that_are_no_map_are_refused) {
  Component odd = component({});
  odd.parameters = list({"1"});
  const auto said = [](const Error& error) {
    return error.message() == "must be a map of parameters, found a list" &&
           error.place().key == "part";
  };
  BOOST_CHECK_EXCEPTION(Values(card_with({}), odd), Error, said);
}

BOOST_AUTO_TEST_CASE(ranges_are_intervals_or_words) {
  const Range everything = Range::parse(nullptr);
  BOOST_TEST((everything.holds(-1e300) && everything.holds(1e300)));
  BOOST_TEST(!everything.holds(std::nan("")));
  const Range interval = Range::parse(" [ -1e-3 , +2 ) ");
  BOOST_TEST((interval.low == -1e-3 && interval.high == 2.0));
  BOOST_TEST((!interval.low_open && interval.high_open));
  BOOST_TEST(Range::parse("[3, 3]").holds(3.0));
  const std::vector<std::string> words{"a", "b-c"};
  BOOST_TEST(Range::parse("a | b-c").words == words, boost::test_tools::per_element());
  for (const char* bad : {"", "(0, inf", "0, inf", "(0 inf)", "(0, 1, 2)", "(a, b)", "(1, 0)",
                          "(1, 1]", "a || b", "a |", "(nan, 1)", "["})
    BOOST_CHECK_THROW(Range::parse(bad), std::invalid_argument);
}

BOOST_AUTO_TEST_SUITE_END()
