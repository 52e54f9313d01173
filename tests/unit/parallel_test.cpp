#include "run/parallel.hpp"

#include <algorithm>
#include <atomic>
#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>
#include <chrono>
#include <mutex>
#include <set>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

using fenchel::Parallel;

namespace {

// How often each task was called.
std::vector<int> calls(const Parallel& parallel, std::int64_t tasks) {
  std::vector<std::atomic<int>> counts(static_cast<std::size_t>(tasks));
  parallel.run(tasks, [&](std::int64_t task) { ++counts[static_cast<std::size_t>(task)]; });
  return {counts.begin(), counts.end()};
}

bool each_once(const std::vector<int>& counts) {
  return std::ranges::all_of(counts, [](int count) { return count == 1; });
}

// Waits until `count` reaches `wanted`; says whether it did within a generous while.
bool reaches(const std::atomic<int>& count, int wanted) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  while (count.load() < wanted) {
    if (std::chrono::steady_clock::now() > end) return false;
    std::this_thread::yield();
  }
  return true;
}

const auto kThreads = boost::unit_test::data::make({1, 2, 3, 8});

}  // namespace

BOOST_AUTO_TEST_SUITE(parallel)

BOOST_DATA_TEST_CASE(every_task_runs_exactly_once, kThreads, threads) {
  const Parallel parallel(threads);
  BOOST_TEST(parallel.threads() == threads);
  for (const std::int64_t tasks : {1, 2, 3, 7, 64, 1000}) {
    const std::vector<int> counts = calls(parallel, tasks);
    BOOST_TEST(counts.size() == static_cast<std::size_t>(tasks));
    BOOST_TEST(each_once(counts));
  }
}

BOOST_DATA_TEST_CASE(no_tasks_call_nothing, kThreads, threads) {
  int called = 0;
  Parallel(threads).run(0, [&](std::int64_t) { ++called; });
  BOOST_TEST(called == 0);
}

BOOST_DATA_TEST_CASE(all_is_done_on_return_over_thousands_of_runs, kThreads, threads) {
  const Parallel parallel(threads);
  int wrong = 0;
  for (int round = 0; round < 5000; ++round) {
    // Plain integers: what a run wrote must be visible to the caller without further measures.
    std::vector<int> squares(static_cast<std::size_t>(2 + round % 7), -1);
    parallel.run(static_cast<std::int64_t>(squares.size()), [&](std::int64_t task) {
      squares[static_cast<std::size_t>(task)] = static_cast<int>(task * task);
    });
    for (std::size_t i = 0; i < squares.size(); ++i) wrong += squares[i] != static_cast<int>(i * i);
  }
  BOOST_TEST(wrong == 0);
}

BOOST_DATA_TEST_CASE(an_exception_reaches_the_caller_and_the_next_run_works, kThreads, threads) {
  const Parallel parallel(threads);
  for (int round = 0; round < 200; ++round) {
    const auto failing = [](std::int64_t task) {
      if (task == 5) throw std::runtime_error("task " + std::to_string(task));
    };
    BOOST_CHECK_EXCEPTION(parallel.run(16, failing), std::runtime_error,
                          [](const auto& error) { return std::string(error.what()) == "task 5"; });
    BOOST_REQUIRE(each_once(calls(parallel, 16)));
  }
}

BOOST_DATA_TEST_CASE(of_many_exceptions_one_is_rethrown, kThreads, threads) {
  const Parallel parallel(threads);
  for (int round = 0; round < 200; ++round) {
    BOOST_CHECK_THROW(parallel.run(8, [](std::int64_t task) { throw task; }), std::int64_t);
  }
}

BOOST_AUTO_TEST_CASE(several_threads_work_at_the_same_time) {
  const Parallel parallel(3);
  std::atomic<int> inside{0};
  std::atomic<int> met{0};
  // Each task waits for the two others, so one thread alone could not finish the first.
  parallel.run(3, [&](std::int64_t) {
    ++inside;
    met += reaches(inside, 3) ? 1 : 0;
  });
  BOOST_TEST(met.load() == 3);
}

BOOST_AUTO_TEST_CASE(one_thread_runs_inline_and_in_order) {
  std::vector<std::int64_t> order;
  std::set<std::thread::id> threads;
  Parallel(1).run(10, [&](std::int64_t task) {
    order.push_back(task);
    threads.insert(std::this_thread::get_id());
  });
  BOOST_TEST(order == (std::vector<std::int64_t>{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}),
             boost::test_tools::per_element());
  BOOST_TEST(threads.size() == 1U);
  BOOST_TEST((*threads.begin() == std::this_thread::get_id()));
}

BOOST_AUTO_TEST_CASE(no_more_threads_work_than_were_asked_for) {
  const Parallel parallel(3);
  std::mutex mutex;
  std::set<std::thread::id> threads;
  for (int round = 0; round < 500; ++round) {
    parallel.run(16, [&](std::int64_t) {
      const std::lock_guard lock(mutex);
      threads.insert(std::this_thread::get_id());
    });
  }
  BOOST_TEST(threads.size() <= 3U);
}

BOOST_AUTO_TEST_CASE(fewer_than_one_thread_counts_as_one) {
  BOOST_TEST(Parallel(0).threads() == 1);
  BOOST_TEST(Parallel(-4).threads() == 1);
}

BOOST_AUTO_TEST_SUITE_END()
