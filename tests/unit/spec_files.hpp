// What the tests of specs share: a folder of files that goes away, and the text of an error.
#pragma once

#include "base/error.hpp"

#include <boost/test/unit_test.hpp>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>

namespace spec_tests {

class Folder {
 public:
  Folder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "fenchel-spec-XXXXXX").string();
    if (mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("no temporary folder");
    path_ = std::filesystem::canonical(pattern);
  }
  ~Folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  const std::filesystem::path& path() const { return path_; }

  std::filesystem::path write(const std::string& name, const std::string& text) const {
    const std::filesystem::path file = path_ / name;
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file, std::ios::binary) << text;
    return file;
  }

 private:
  std::filesystem::path path_;
};

// The text of the Error that `action` throws, without `prefix`; every error here is bad input.
template <class Action>
std::string error_of(Action action, const std::string& prefix = {}) {
  try {
    action();
  } catch (const fenchel::Error& error) {
    BOOST_TEST(static_cast<int>(error.exit()) == 2);
    const std::string text = error.what();
    return text.starts_with(prefix) ? text.substr(prefix.size()) : text;
  }
  return "no error";
}

}  // namespace spec_tests
