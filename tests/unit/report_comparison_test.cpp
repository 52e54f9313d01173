#include "report_scratch.hpp"

#include "report/comparison.hpp"

#include <boost/test/unit_test.hpp>
#include <nlohmann/json.hpp>

#include <cmath>
#include <iterator>
#include <sstream>

using namespace fenchel;
using namespace report_test;
using Json = nlohmann::ordered_json;

namespace {

// J = 1 and D = 1 - gap, so that the gap is the relative gap.
TraceRow certified(double passes, double gap) {
  return {.iteration = static_cast<std::int64_t>(passes),
          .passes = passes,
          .seconds = passes / 8.0,
          .primal = 1.0,
          .dual = 1.0 - gap,
          .gap = gap};
}

TraceRow bare(double passes) {
  return {.iteration = static_cast<std::int64_t>(passes),
          .passes = passes,
          .seconds = passes / 8.0,
          .primal = {},
          .dual = {},
          .gap = {}};
}

ComparisonRow quick() {
  Result result;
  result.status = Status::converged;
  result.message = "gap small";
  result.solver = "fista(step = fixed)";
  result.primal = 1.0;
  result.dual = 0.9995;
  result.gap = result.relative_gap = 0.0005;
  result.iterations = 4;
  result.passes = 4.0;
  result.seconds.solve = 0.25;
  result.certificate_verified = true;
  result.trace = {bare(1.0), certified(2.0, 0.05), bare(3.0), certified(4.0, 0.0005)};
  return {"fista(step = fixed, restart = false)", "1-fista", result};
}

ComparisonRow refused() {
  Result result;
  result.status = Status::refused;
  result.message = "it does not fit";
  return {"dal", "", result};
}

ComparisonRow with_status(Status status) {
  ComparisonRow row = refused();
  row.result.status = status;
  return row;
}

StopSpec relative_to(double gap) {
  StopSpec stop;
  stop.relative_gap = gap;
  return stop;
}

Comparison small() { return {relative_to(1e-3), {quick(), refused()}}; }

std::vector<std::string> lines(const std::string& text) {
  std::vector<std::string> all;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) all.push_back(line);
  return all;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(report_comparison)

BOOST_AUTO_TEST_CASE(levels_are_decades_down_to_the_tolerance) {
  const auto levels = [](double tolerance) { return gap_levels({relative_to(tolerance), {}}); };
  BOOST_TEST(levels(1e-3) == (std::vector<double>{0.1, 0.01, 0.001}),
             boost::test_tools::per_element());
  BOOST_TEST(levels(2.5e-2) == (std::vector<double>{0.1, 0.025}), boost::test_tools::per_element());
  BOOST_TEST(levels(0.5) == (std::vector<double>{0.5}), boost::test_tools::per_element());
  BOOST_TEST(levels(1e-300).size() == 17U);
}

BOOST_AUTO_TEST_CASE(without_a_relative_tolerance_levels_are_the_decades_reached) {
  Comparison comparison = small();
  comparison.stop = {};
  comparison.stop.gap = 1e-3;
  BOOST_TEST(gap_levels(comparison) == (std::vector<double>{0.1, 0.01, 0.001}),
             boost::test_tools::per_element());
  comparison.rows[0].result.relative_gap = 0.0;
  BOOST_TEST(gap_levels(comparison).size() == 16U);
  comparison.rows.erase(comparison.rows.begin());
  BOOST_TEST(gap_levels(comparison) == (std::vector<double>{0.1}),
             boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(levels_have_short_names_that_tell_them_apart) {
  BOOST_TEST(level_name(0.1) == "1e-1");
  BOOST_TEST(level_name(1e-10) == "1e-10");
  BOOST_TEST(level_name(2.5e-4) == "2.5e-4");
  BOOST_TEST(level_name(0.99999e-3) == "9.9999e-4");
  BOOST_TEST(level_name(2.0) == "2e0");
  BOOST_TEST(level_name(1e-300) == "1e-300");
}

BOOST_AUTO_TEST_CASE(a_level_is_reached_at_the_first_row_by_which_the_best_values_are_that_close) {
  // The bound of the first row and the objective of the second: 1.2 - 1.1.
  TraceRow first = certified(1.0, 0.0), second = certified(2.0, 0.0);
  first.primal = 2.0;
  first.dual = 1.1;
  second.primal = 1.2;
  second.dual = 0.0;
  const auto found = reached({bare(0.5), first, second, certified(3.0, 1e-4)}, {0.1, 1e-2, 1e-6});
  BOOST_TEST(found[0]->passes == 2.0);
  BOOST_TEST(found[0]->seconds == 0.25);
  BOOST_TEST(found[1]->passes == 3.0);
  // D of the first row exceeds J of the last: a gap of rounding counts as none.
  BOOST_TEST(found[2]->passes == 3.0);
  BOOST_TEST(!reached({certified(1.0, 0.5)}, {0.1})[0].has_value());
  BOOST_TEST(!reached({certified(1.0, INFINITY)}, {0.1})[0].has_value());
  BOOST_TEST(reached({}, {0.1, 0.01}).size() == 2U);
}

BOOST_AUTO_TEST_CASE(the_csv_has_one_row_a_solver_and_empty_cells) {
  BOOST_TEST(comparison_csv(small()) ==
             "solver,folder,status,iterations,passes,seconds,primal,dual,gap,relative_gap,"
             "passes_to_1e-1,passes_to_1e-2,passes_to_1e-3,"
             "seconds_to_1e-1,seconds_to_1e-2,seconds_to_1e-3\n"
             "\"fista(step = fixed, restart = false)\",1-fista,converged,4,4,0.25,1,0.9995,0.0005,"
             "0.0005,2,4,4,0.25,0.5,0.5\n"
             "dal,,refused,0,0,0,,,,,,,,,,\n");
}

BOOST_AUTO_TEST_CASE(quotes_in_a_name_are_doubled) {
  Comparison comparison{relative_to(0.1), {refused()}};
  comparison.rows[0].solver = "a(b = \"c\")";
  BOOST_TEST(lines(comparison_csv(comparison))[1].starts_with("\"a(b = \"\"c\"\")\",,refused,"));
}

BOOST_AUTO_TEST_CASE(the_table_is_aligned_and_says_below_why_one_was_refused) {
  const std::vector<std::string> expected{
      "   solver                                   status  passes  seconds     primal        dual  "
      "    gap  relative",
      "1  fista(step = fixed, restart = false)  converged     4.0    0.250  1.0000000  0.99950000  "
      "5.0e-04   5.0e-04",
      "2  dal                                     refused       -        -          -           -  "
      "      -         -",
      "",
      "passes (seconds) to a relative gap of",
      "                                               1e-1        1e-2        1e-3",
      "1  fista(step = fixed, restart = false)  2.0 (0.25)  4.0 (0.50)  4.0 (0.50)",
      "2  dal                                            -           -           -",
      "",
      "2  dal: refused: it does not fit",
      "",
      "files in runs/x",
  };
  BOOST_TEST(lines(comparison_table(small(), "runs/x")) == expected,
             boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(repairs_and_events_stand_below_the_table) {
  Comparison comparison = small();
  comparison.rows[0].result.repairs = {"smooth-loss: gamma"};
  comparison.rows[0].result.events = {"auto chose 'fista'"};
  const std::string text = comparison_table(comparison, {});
  BOOST_TEST(text.find("1  fista(step = fixed, restart = false): repair: smooth-loss: gamma\n") !=
             std::string::npos);
  BOOST_TEST(text.find("1  fista(step = fixed, restart = false): auto chose 'fista'\n") !=
             std::string::npos);
  BOOST_TEST(text.find("files in") == std::string::npos);
}

BOOST_AUTO_TEST_CASE(many_levels_are_thinned_and_the_tolerance_stays) {
  Comparison comparison = small();
  comparison.stop.relative_gap = 1e-10;
  const std::string head = lines(comparison_table(comparison, {}))[5];
  std::istringstream in(head);
  const std::vector<std::string> shown{std::istream_iterator<std::string>(in), {}};
  BOOST_TEST(shown == (std::vector<std::string>{"1e-2", "1e-4", "1e-6", "1e-8", "1e-10"}),
             boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(the_worst_status_is_that_of_the_whole) {
  const auto overall = [](std::vector<Status> all) {
    Comparison comparison;
    for (const Status status : all) comparison.rows.push_back(with_status(status));
    return overall_status(comparison);
  };
  using enum Status;
  BOOST_TEST((overall({converged, converged}) == converged));
  BOOST_TEST((overall({converged, limit, converged}) == limit));
  BOOST_TEST((overall({limit, refused, converged}) == refused));
  BOOST_TEST((overall({refused, failed, limit}) == failed));
  BOOST_TEST((overall({failed, refused, interrupted}) == interrupted));
}

BOOST_AUTO_TEST_CASE(json_holds_every_result_whole) {
  const Comparison comparison = small();
  const Json json = Json::parse(comparison_json(comparison));
  BOOST_TEST(json["status"] == "refused");
  BOOST_TEST(json["relative_gaps"] == Json({0.1, 0.01, 0.001}));
  BOOST_REQUIRE(json["results"].size() == 2U);
  for (std::size_t k = 0; k < 2; ++k)
    BOOST_TEST(json["results"][k] == Json::parse(to_json(comparison.rows[k].result)));
  BOOST_TEST(json["solvers"][0] == Json({{"name", "fista(step = fixed, restart = false)"},
                                         {"folder", "1-fista"},
                                         {"passes_to", {2.0, 4.0, 4.0}},
                                         {"seconds_to", {0.25, 0.5, 0.5}}}));
  BOOST_TEST(json["solvers"][1]["folder"].is_null());
  BOOST_TEST(json["solvers"][1]["passes_to"] == Json({nullptr, nullptr, nullptr}));
}

BOOST_AUTO_TEST_CASE(the_file_is_written_whole_over_an_earlier_one) {
  const Scratch scratch;
  put(scratch / "comparison.csv", "old");
  write_comparison(scratch.path(), small());
  BOOST_TEST(get(scratch / "comparison.csv") == comparison_csv(small()));
  BOOST_TEST(names(scratch.path()) == (std::set<std::string>{"comparison.csv"}),
             boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(folders_are_made_and_tried_before_or_nothing_is_left) {
  const Scratch scratch;
  prepare_comparison(scratch / "new/run", {"1-fista", "2-dal"});
  BOOST_TEST(names(scratch / "new/run") == (std::set<std::string>{"1-fista", "2-dal"}),
             boost::test_tools::per_element());
  BOOST_TEST(names(scratch / "new/run/1-fista").empty());

  fs::create_directories(scratch / "a/comparison.csv");
  CHECK_REFUSED(prepare_comparison(scratch / "a", {"1-fista"}), "comparison.csv");
  BOOST_TEST(names(scratch / "a").size() == 1U);
  fs::create_directory(scratch / "b");
  put(scratch / "b/2-dal", "a file in the way");
  CHECK_REFUSED(prepare_comparison(scratch / "b", {"1-fista", "2-dal"}), "2-dal");
  BOOST_TEST(names(scratch / "b") == (std::set<std::string>{"2-dal"}),
             boost::test_tools::per_element());
  const std::string too_long(300, 'x');
  CHECK_REFUSED(prepare_comparison(scratch / "c/d", {"1-fista", too_long}), "File name too long");
  BOOST_TEST(!fs::exists(scratch / "c"));
}

BOOST_AUTO_TEST_SUITE_END()
