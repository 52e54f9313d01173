// Several runs after one another, each started where the last one ended: one outcome, one trace.
#pragma once

#include "run/run.hpp"

#include <string>

namespace fenchel {

class Chain {
 public:
  Chain(const Problem& problem, const RunOptions& options, const Watch& watch,
        const std::atomic<bool>& interrupt)
      : problem_(problem), options_(options), watch_(watch), interrupt_(interrupt) {}

  // `stop` and `behind_after` are those of this run; limits count what ran before.
  const RunOutcome& run(const Problem& solved, const SolverPart& solver, const StopSpec& stop,
                        double behind_after = 0.0);

  const RunOutcome& outcome() const { return total_; }
  RunOutcome take() { return std::move(total_); }
  void converged(std::string message) {
    total_.status = Status::converged;
    total_.message = std::move(message);
  }
  void note(std::string text) { total_.notes.push_back(std::move(text)); }

 private:
  const Problem& problem_;
  RunOptions options_;
  const Watch& watch_;
  const std::atomic<bool>& interrupt_;
  bool begun_ = false;
  RunOutcome total_;
};

}  // namespace fenchel
