// A run hands out task numbers from a counter, to the calling thread and to helpers on the
// executor. The caller leaves as soon as the last task is done: it never waits for a helper that
// was woken too late to find work, which is what a short run would otherwise mostly wait for.
#include "run/parallel.hpp"

#include <algorithm>
#include <atomic>
#include <exception>
#include <taskflow/taskflow.hpp>
#include <thread>
#include <utility>

namespace fenchel {
namespace {

// Looks at the counter this often before sleeping: helpers usually end within microseconds.
constexpr int kSpins = 200;

// One run. Late helpers still hold it after the caller has left; `body_` is then gone, but they
// find no task number left and never touch it.
class Job {
 public:
  Job(std::int64_t tasks, const std::function<void(std::int64_t)>& body)
      : tasks_(tasks), body_(body) {}

  void work() {
    for (;;) {
      const std::int64_t task = next_.fetch_add(1, std::memory_order_relaxed);
      if (task >= tasks_) return;
      attempt(task);
      if (done_.fetch_add(1, std::memory_order_acq_rel) + 1 == tasks_) finish();
    }
  }

  void wait() {
    for (int spin = 0; spin < kSpins; ++spin) {
      if (finished_.load(std::memory_order_acquire) != 0) break;
      std::this_thread::yield();
    }
    finished_.wait(0, std::memory_order_acquire);
    if (failed_.load(std::memory_order_relaxed)) {
      std::rethrow_exception(std::exchange(error_, nullptr));
    }
  }

 private:
  void attempt(std::int64_t task) {
    if (failed_.load(std::memory_order_relaxed)) return;
    try {
      body_(task);
    } catch (...) {
      if (!failed_.exchange(true, std::memory_order_relaxed)) error_ = std::current_exception();
    }
  }

  void finish() {
    finished_.store(1, std::memory_order_release);
    finished_.notify_one();
  }

  const std::int64_t tasks_;
  const std::function<void(std::int64_t)>& body_;
  std::atomic<std::int64_t> next_{0};
  std::atomic<std::int64_t> done_{0};
  std::atomic<int> finished_{0};
  std::atomic<bool> failed_{false};
  std::exception_ptr error_;
};

}  // namespace

struct Parallel::Pool {
  explicit Pool(int workers) : executor(static_cast<std::size_t>(workers)) {}
  tf::Executor executor;
};

Parallel::Parallel(int threads) : threads_(std::max(1, threads)) {
  if (threads_ > 1) pool_ = std::make_unique<Pool>(threads_ - 1);
}

Parallel::~Parallel() = default;

void Parallel::run(std::int64_t tasks, const std::function<void(std::int64_t)>& body) const {
  if (!pool_ || tasks <= 1) {
    for (std::int64_t task = 0; task < tasks; ++task) body(task);
    return;
  }
  const auto job = std::make_shared<Job>(tasks, body);
  const std::int64_t helpers = std::min<std::int64_t>(threads_, tasks) - 1;
  for (std::int64_t helper = 0; helper < helpers; ++helper) {
    pool_->executor.silent_async([job] { job->work(); });
  }
  job->work();
  job->wait();
}

}  // namespace fenchel
