// Every failure a user can meet: what, where, what to do, and the exit code it leads to.
#pragma once

#include <exception>
#include <string>
#include <utility>

namespace fenchel {

// The program's exit codes (a contract with scripts).
enum class Exit : int {
  converged = 0,
  bad_input = 2,
  limit = 3,
  refused = 4,
  plugin_failed = 5,
  interrupted = 130,
};

// Where in the input: any member may be missing (empty, or 0).
struct Place {
  std::string file;
  int line = 0;     // from 1
  int column = 0;   // from 1
  std::string key;  // dotted path within a spec, e.g. "regularizer.l2.lambda"
};

class Error : public std::exception {
 public:
  Error(Exit exit, std::string message, Place place = {}, std::string advice = {})
      : exit_(exit),
        message_(std::move(message)),
        place_(std::move(place)),
        advice_(std::move(advice)) {
    if (!place_.file.empty()) {
      text_ += place_.file;
      if (place_.line > 0) text_ += ':' + std::to_string(place_.line);
      if (place_.line > 0 && place_.column > 0) text_ += ':' + std::to_string(place_.column);
      text_ += ": ";
    }
    if (!place_.key.empty()) text_ += place_.key + ": ";
    text_ += message_;
    if (!advice_.empty()) text_ += "; " + advice_;
  }

  // "FILE:LINE:COLUMN: KEY: MESSAGE; ADVICE"
  const char* what() const noexcept override { return text_.c_str(); }
  Exit exit() const { return exit_; }
  const std::string& message() const { return message_; }
  const Place& place() const { return place_; }
  const std::string& advice() const { return advice_; }

 private:
  Exit exit_;
  std::string message_;
  Place place_;
  std::string advice_;
  std::string text_;
};

}  // namespace fenchel
