// Writing files so that a failure, or a crash, leaves what was there before.
#pragma once

#include "base/error.hpp"

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace fenchel {

// The place of an error in a file as a whole.
inline Place in_file(const std::filesystem::path& file) {
  return {.file = file.string(), .key = {}};
}

// A change of several files of one folder, done as a whole or not at all. New contents go to
// temporary files beside their targets and reach the disk; only `commit` renames them into place.
// Without a commit the destructor removes every trace, the folder included if it was made here.
// Failures are std::system_error.
class FileSet {
 public:
  explicit FileSet(std::filesystem::path folder);
  FileSet(const FileSet&) = delete;
  FileSet& operator=(const FileSet&) = delete;
  ~FileSet();

  void add(const std::string& name, std::string_view bytes);
  void remove(const std::string& name);  // nothing happens where there is no such file
  void commit();                         // in the order of the calls above

 private:
  struct Change {
    std::string name;
    bool removal = false;
    bool kept = false;     // the old file waits under its backup name
    bool applied = false;  // the target is what we want it to be
  };

  std::filesystem::path target(const Change& change) const;
  std::filesystem::path temporary(const Change& change) const;
  std::filesystem::path backup(const Change& change) const;
  void keep_old(Change& change) const;
  void roll_back() noexcept;

  std::filesystem::path folder_;
  std::vector<std::filesystem::path> made_;
  std::vector<Change> changes_;
  bool done_ = false;
};

// Makes a folder with its parents. Returns those that were missing, outermost first; on failure
// they are removed again and std::system_error is thrown.
std::vector<std::filesystem::path> make_folders(const std::filesystem::path& folder);

// Removes again what make_folders returned, as far as it is empty.
void remove_folders(std::vector<std::filesystem::path> made) noexcept;

// Writes one file whole or not at all; a device or pipe is written to directly. Throws Error
// (bad_input).
void write_file(const std::filesystem::path& file, std::string_view bytes);

// The whole content. Throws Error (bad_input) with the file and `advice`.
std::string read_file(const std::filesystem::path& file, const std::string& advice = {});

}  // namespace fenchel
