#include "report_scratch.hpp"

#include "report/files.hpp"

#include <boost/test/unit_test.hpp>

#include <cmath>
#include <system_error>

using namespace fenchel;
using namespace report_test;
using Names = std::set<std::string>;

namespace {

Node small_spec() {
  Node loss;
  loss.kind = Node::Kind::scalar;
  loss.scalar = "hinge";
  Node spec;
  spec.kind = Node::Kind::map;
  spec.entries.emplace_back("loss", loss);
  return spec;
}

Result traced() {
  Result result;
  result.trace = {
      {.iteration = 0, .passes = 0.0, .seconds = 0.5, .primal = 1.0, .dual = {}, .gap = {}},
      {.iteration = 3,
       .passes = 1.5,
       .seconds = 1.0,
       .primal = 0.1 + 0.2,
       .dual = -INFINITY,
       .gap = INFINITY}};
  return result;
}

const Names kFiles{"result.json", "trace.csv", "spec.yaml", "model.json", "weights.npy"};

}  // namespace

BOOST_AUTO_TEST_SUITE(report_files)

BOOST_AUTO_TEST_CASE(a_run_writes_its_files_and_no_others) {
  const Scratch scratch;
  const Model model = binary_model({1.0, -2.0});
  write_run(scratch / "deep/er", traced(), &model, small_spec());
  BOOST_TEST(names(scratch / "deep/er") == kFiles, boost::test_tools::per_element());
  BOOST_TEST(get(scratch / "deep/er/result.json") == to_json(traced()));
  BOOST_TEST(get(scratch / "deep/er/spec.yaml") == to_yaml(small_spec()));
  BOOST_TEST(read_model(scratch / "deep/er").weights == model.weights,
             boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_gap_of_the_solver_is_a_seventh_column_where_there_is_one) {
  const Scratch scratch;
  Result result = traced();
  result.trace[1].own_gap = 0.25;
  write_run(scratch.path(), result, nullptr, small_spec());
  BOOST_TEST(get(scratch / "trace.csv") ==
             "iteration,passes,seconds,primal,dual,gap,own_gap\n"
             "0,0,0.5,1,,,\n"
             "3,1.5,1,0.30000000000000004,-inf,inf,0.25\n");
}

BOOST_AUTO_TEST_CASE(the_trace_has_empty_cells_and_full_precision) {
  const Scratch scratch;
  write_run(scratch.path(), traced(), nullptr, small_spec());
  BOOST_TEST(get(scratch / "trace.csv") ==
             "iteration,passes,seconds,primal,dual,gap\n"
             "0,0,0.5,1,,\n"
             "3,1.5,1,0.30000000000000004,-inf,inf\n");
}

BOOST_AUTO_TEST_CASE(a_second_run_replaces_the_first_whole) {
  const Scratch scratch;
  Model first = binary_model({1.0, 2.0});
  first.normalize = Normalize::columns;
  first.column_divisors = {4.0, 5.0};
  write_run(scratch.path(), {}, &first, small_spec());
  BOOST_TEST(names(scratch.path()).count("column_divisors.npy") == 1U);
  BOOST_TEST(read_model(scratch.path()).column_divisors == first.column_divisors,
             boost::test_tools::per_element());

  put(scratch / "notes.txt", "mine");
  const Model second = binary_model({3.0});
  write_run(scratch.path(), {}, &second, small_spec());
  Names expected = kFiles;
  expected.insert("notes.txt");
  BOOST_TEST(names(scratch.path()) == expected, boost::test_tools::per_element());
  BOOST_TEST(read_model(scratch.path()).weights == second.weights,
             boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_failed_run_leaves_no_earlier_model_to_be_mistaken) {
  const Scratch scratch;
  const Model model = binary_model({1.0});
  write_run(scratch.path(), {}, &model, small_spec());
  Result failed;
  failed.message = "the solver returned NaN";
  write_run(scratch.path(), failed, nullptr, small_spec());
  BOOST_TEST(names(scratch.path()) == (Names{"result.json", "trace.csv", "spec.yaml"}),
             boost::test_tools::per_element());
  BOOST_TEST(get(scratch / "result.json").find("returned NaN") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_file_where_the_folder_should_be_is_refused_and_kept) {
  const Scratch scratch;
  put(scratch / "taken", "precious");
  for (const char* name : {"taken", "taken/below", "taken/"}) {
    BOOST_TEST_CONTEXT(name) {
      CHECK_REFUSED(write_run(scratch / name, {}, nullptr, small_spec()),
                    "choose another folder with --out");
      CHECK_REFUSED(prepare_output(scratch / name), "cannot write ");
    }
  }
  BOOST_TEST(get(scratch / "taken") == "precious");
  BOOST_TEST(names(scratch.path()) == Names{"taken"}, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_refusal_names_folder_and_reason) {
  const Scratch scratch;
  put(scratch / "taken", "");
  const std::string folder = (scratch / "taken").string();
  try {
    prepare_output(folder);
    BOOST_ERROR("not refused");
  } catch (const Error& error) {
    BOOST_TEST(error.what() ==
               "cannot write " + folder + ": Not a directory; choose another folder with --out");
  }
  CHECK_REFUSED(prepare_output(""), "cannot write : No such file or directory");
}

BOOST_AUTO_TEST_CASE(a_failure_in_the_middle_restores_what_was_there) {
  const Scratch scratch;
  const Model old_model = binary_model({1.0, 2.0});
  write_run(scratch.path(), traced(), &old_model, small_spec());
  const std::string old_result = get(scratch / "result.json");
  const std::string old_trace = get(scratch / "trace.csv");
  // A folder in the place of the divisors cannot be replaced; everything else could be.
  fs::create_directories(scratch / "column_divisors.npy/inside");
  const Names before = names(scratch.path());

  Model next = binary_model({7.0, 8.0});
  CHECK_REFUSED(write_run(scratch.path(), {}, &next, small_spec()), "column_divisors.npy");
  next.normalize = Normalize::columns;
  next.column_divisors = {1.0, 1.0};
  CHECK_REFUSED(write_run(scratch.path(), {}, &next, small_spec()), "Is a directory");
  CHECK_REFUSED(write_run(scratch.path(), {}, nullptr, small_spec()), "Is a directory");
  CHECK_REFUSED(prepare_output(scratch.path()), "column_divisors.npy: Is a directory");

  BOOST_TEST(names(scratch.path()) == before, boost::test_tools::per_element());
  BOOST_TEST(get(scratch / "result.json") == old_result);
  BOOST_TEST(get(scratch / "trace.csv") == old_trace);
  BOOST_TEST(read_model(scratch.path()).weights == old_model.weights,
             boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(files_that_were_not_there_are_gone_after_a_failed_commit) {
  const Scratch scratch;
  fs::create_directories(scratch / "in/last");
  {
    FileSet files(scratch / "in");
    files.add("first", "1");
    files.remove("last");
    BOOST_TEST(names(scratch / "in").size() == 2U);  // the temporary, and the folder "last"
    BOOST_CHECK_THROW(files.commit(), std::system_error);
  }
  BOOST_TEST(names(scratch / "in") == Names{"last"}, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(without_a_commit_nothing_is_left_and_made_folders_go) {
  const Scratch scratch;
  {
    FileSet files(scratch / "a/b/c");
    files.add("x", "1");
    BOOST_TEST(!fs::exists(scratch / "a/b/c/x"));
  }
  BOOST_TEST(names(scratch.path()).empty());
}

BOOST_AUTO_TEST_CASE(temporaries_carry_the_name_and_the_process) {
  const Scratch scratch;
  FileSet files(scratch.path());
  files.add("x", "1");
  BOOST_TEST(names(scratch.path()) == Names{".x.tmp-" + std::to_string(::getpid())},
             boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(prepare_output_makes_the_folder_and_leaves_it_empty) {
  const Scratch scratch;
  prepare_output(scratch / "new/run/");
  BOOST_TEST(fs::is_directory(scratch / "new/run"));
  BOOST_TEST(names(scratch / "new/run").empty());
  put(scratch / "new/run/result.json", "old");
  prepare_output(scratch / "new/run");
  BOOST_TEST(get(scratch / "new/run/result.json") == "old");
}

BOOST_AUTO_TEST_CASE(a_folder_that_can_be_made_but_not_written_is_not_left_behind) {
  if (!fs::is_directory("/proc/self/fd")) return;
  // No user can make a folder there.
  CHECK_REFUSED(prepare_output("/proc/self/fd/runs/a"), "cannot write /proc/self/fd/runs/a");
  const Scratch scratch;
  const std::string too_long(300, 'x');
  CHECK_REFUSED(prepare_output(scratch / ("a/b/" + too_long)), "File name too long");
  CHECK_REFUSED(write_run(scratch / ("a/b/" + too_long), {}, nullptr, small_spec()),
                "File name too long");
  BOOST_TEST(names(scratch.path()).empty());
}

BOOST_AUTO_TEST_CASE(write_file_follows_links_and_writes_into_devices) {
  const Scratch scratch;
  put(scratch / "real", "old");
  fs::create_symlink("real", scratch / "link");
  write_file(scratch / "link", "new");
  BOOST_TEST(fs::is_symlink(scratch / "link"));
  BOOST_TEST(get(scratch / "real") == "new");
  write_file("/dev/null", "gone");
  BOOST_TEST(fs::is_character_file("/dev/null"));
  CHECK_REFUSED(write_file(scratch.path(), "x"), "Is a directory");
  if (fs::is_character_file("/dev/full")) {
    CHECK_REFUSED(write_file("/dev/full", "x"), "No space left on device");
  }
  CHECK_REFUSED(read_file(scratch / "none"), "No such file or directory");
  CHECK_REFUSED(read_file(scratch.path()), "it is a folder");
}

BOOST_AUTO_TEST_SUITE_END()
