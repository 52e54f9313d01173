#include "report_scratch.hpp"

#include "report/terminal.hpp"

#include <boost/test/unit_test.hpp>

#include <fcntl.h>
#include <algorithm>
#include <sstream>

using namespace fenchel;

namespace {

TraceRow row(double passes, double seconds) {
  return {
      .iteration = 0, .passes = passes, .seconds = seconds, .primal = {}, .dual = {}, .gap = {}};
}

TraceRow row(double passes, double seconds, double primal, double gap) {
  return {.iteration = 0,
          .passes = passes,
          .seconds = seconds,
          .primal = primal,
          .dual = primal - gap,
          .gap = gap};
}

std::vector<std::string> lines(const std::string& text) {
  std::vector<std::string> all;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) all.push_back(line);
  return all;
}

bool holds(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

Result good() {
  Result result;
  result.status = Status::converged;
  result.message = "the relative gap is at most 1e-06";
  result.primal = 0.351769;
  result.dual = 0.351768;
  result.gap = 3.2e-3;
  result.relative_gap = 9.1e-3;
  result.certificate_verified = true;
  result.passes = 24;
  result.iterations = 24;
  result.seconds.total = 1.5;
  result.train.emplace().values = {{"accuracy", 0.85}, {"auc", 0.9}};
  return result;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(report_terminal)

BOOST_AUTO_TEST_CASE(a_progress_line_says_pass_objective_gap_and_time) {
  BOOST_TEST(progress_line(row(12, 1.23, 0.3517694, 3.2e-5)) ==
             "pass 12.0  J 0.351769  gap 3.2e-05 (rel 9.1e-05)  1.2 s");
  BOOST_TEST(progress_line(row(0.5, 0)) == "pass 0.5  0.0 s");
}

BOOST_AUTO_TEST_CASE(plain_progress_is_a_line_each_time_the_passes_double) {
  std::ostringstream out;
  Progress progress(out, ProgressStyle::plain);
  for (int pass = 0; pass <= 100; ++pass) progress.update(row(pass, pass, 1.0, 0.1));
  progress.finish();
  std::vector<std::string> begins;
  for (const std::string& line : lines(out.str()))
    begins.push_back(line.substr(0, line.find("  ")));
  const std::vector<std::string> expected{"pass 0.0",  "pass 1.0",  "pass 2.0",
                                          "pass 4.0",  "pass 8.0",  "pass 16.0",
                                          "pass 32.0", "pass 64.0", "pass 100.0"};
  BOOST_TEST(begins == expected, boost::test_tools::per_element());
  BOOST_TEST(!holds(out.str(), "\r"));
}

BOOST_AUTO_TEST_CASE(a_million_passes_stay_about_twenty_plain_lines) {
  std::ostringstream out;
  Progress progress(out, ProgressStyle::plain);
  for (int pass = 0; pass <= 1000000; ++pass) progress.update(row(pass, pass * 1e-3));
  progress.finish();
  BOOST_TEST(lines(out.str()).size() <= 22U);
}

BOOST_AUTO_TEST_CASE(the_terminal_line_is_rewritten_ten_times_a_second_and_cleared) {
  std::ostringstream out;
  {
    Progress progress(out, ProgressStyle::terminal, -1);
    for (int i = 0; i <= 1000; ++i) progress.update(row(i, i * 1e-3, 1.0, 0.1));
  }
  const std::string text = out.str();
  const auto redraws = std::count(text.begin(), text.end(), '\r') - 1;
  BOOST_TEST(redraws >= 9);
  BOOST_TEST(redraws <= 11);
  BOOST_TEST(!holds(text, "\n"));
  BOOST_TEST(text.substr(text.size() - 4) == "\r\x1b[K");
}

BOOST_AUTO_TEST_CASE(the_last_evaluation_stays_on_the_line) {
  std::ostringstream out;
  Progress progress(out, ProgressStyle::plain);
  progress.update(row(1, 0.1, 0.5, 0.25));
  progress.update(row(3, 0.2));
  BOOST_TEST(holds(lines(out.str()).back(), "pass 3.0  J 0.5  gap 2.5e-01 (rel 5.0e-01)  0.2 s"));
}

BOOST_AUTO_TEST_CASE(a_line_never_wraps) {
  std::ostringstream out;
  Progress progress(out, ProgressStyle::terminal, -1);
  progress.update(row(1e60, 1e60, -1.23456e-300, 1e-300));
  const std::string text = out.str();
  BOOST_TEST(text.size() - 1 - 3 == 79U);  // \r and the clearing aside, of 80 columns
}

BOOST_AUTO_TEST_CASE(quiet_and_unused_progress_write_nothing) {
  std::ostringstream out;
  {
    Progress quiet(out, ProgressStyle::quiet);
    quiet.update(row(1, 1));
    Progress unused(out, ProgressStyle::terminal, -1);
  }
  BOOST_TEST(out.str().empty());
}

BOOST_AUTO_TEST_CASE(a_file_is_no_terminal) {
  const report_test::Scratch scratch;
  const int fd = ::open((scratch / "log").c_str(), O_CREAT | O_WRONLY, 0600);
  BOOST_REQUIRE(fd >= 0);
  BOOST_CHECK(progress_style(fd) == ProgressStyle::plain);
  ::close(fd);
}

BOOST_AUTO_TEST_CASE(the_summary_says_all_that_was_found) {
  const std::string text = summary(good(), "runs/a9a");
  BOOST_TEST(lines(text).front() == "converged: the relative gap is at most 1e-06");
  for (const char* part : {"0.351769", "0.351768", "3.20e-03", "relative 9.10e-03",
                           "duality-gap, verified by the host", "24.0 passes", "1.50 s",
                           "accuracy 0.85  auc 0.9", "runs/a9a"})
    BOOST_TEST(holds(text, part), part);
  BOOST_TEST(!holds(text, "test"));
  BOOST_TEST(!holds(text, "NOT"));
  BOOST_TEST(!holds(summary(good(), ""), "files"));
}

BOOST_AUTO_TEST_CASE(of_many_classes_the_summary_names_only_the_one_told_worst) {
  Result result = good();
  result.train.emplace().values = {{"accuracy", 0.85}, {"macro_f1", 0.75}};
  result.train->classes = {{.label = "oak", .precision = {}, .recall = {}, .f1 = 0.9},
                           {.label = "ash", .precision = {}, .recall = {}, .f1 = 0.625},
                           {.label = "elm", .precision = {}, .recall = {}, .f1 = {}}};
  const std::string text = summary(result, "");
  BOOST_TEST(holds(text, "accuracy 0.85  macro_f1 0.75  lowest f1 0.625 (ash)\n"));
  BOOST_TEST(!holds(text, "oak"));
}

BOOST_AUTO_TEST_CASE(an_unconverged_result_says_so_first) {
  Result result = good();
  result.status = Status::limit;
  result.message = "stopped by the limit of 200 passes";
  BOOST_TEST(
      lines(summary(result, "")).front() ==
      "NOT CONVERGED: stopped by the limit of 200 passes; J is within 3.2e-03 of the optimum "
      "(certified)");
  result.status = Status::interrupted;
  BOOST_TEST(lines(summary(result, "")).front().find("INTERRUPTED, NOT CONVERGED: ") == 0U);
}

BOOST_AUTO_TEST_CASE(nothing_is_called_certified_that_is_not) {
  Result result = good();
  result.status = Status::limit;
  result.certificate_verified = false;
  BOOST_TEST(!holds(summary(result, ""), "(certified)"));
  BOOST_TEST(holds(summary(result, ""), "NOT verified"));
  result.certificate_verified = true;
  result.certificate_kind = "stationarity";
  BOOST_TEST(!holds(summary(result, ""), "of the optimum (certified)"));
  Result failed;
  failed.message = "the solver returned NaN";
  BOOST_TEST(lines(summary(failed, "")).front() == "FAILED: the solver returned NaN");
}

BOOST_AUTO_TEST_SUITE_END()
