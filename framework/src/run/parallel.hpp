// All parallelism of the host: one Taskflow executor. With one thread everything runs inline.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>

namespace fenchel {

class Parallel {
 public:
  // Fewer than one thread counts as one. The calling thread is one of them.
  explicit Parallel(int threads);
  ~Parallel();
  Parallel(const Parallel&) = delete;
  Parallel& operator=(const Parallel&) = delete;

  int threads() const { return threads_; }

  // Calls body(0) … body(tasks-1), each once, in any order and possibly at the same time; returns
  // when all are done. The first exception is rethrown here, and what had not begun by then is left
  // out. Not to be nested.
  void run(std::int64_t tasks, const std::function<void(std::int64_t)>& body) const;

 private:
  struct Pool;  // the only place that knows Taskflow

  int threads_;
  std::unique_ptr<Pool> pool_;  // null with one thread
};

}  // namespace fenchel
