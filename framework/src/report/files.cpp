#include "report/files.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <fstream>
#include <iterator>
#include <system_error>
#include <utility>

namespace fenchel {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail(int code, const std::string& what) {
  throw std::system_error(code, std::generic_category(), what);
}

class Descriptor {
 public:
  Descriptor(const fs::path& file, int flags) : fd_(::open(file.c_str(), flags | O_CLOEXEC, 0666)) {
    if (fd_ < 0) fail(errno, file.filename().string());
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (fd_ >= 0) ::close(fd_);
  }
  int get() const { return fd_; }
  int close() { return ::close(std::exchange(fd_, -1)); }

 private:
  int fd_;
};

void write_bytes(const fs::path& file, int flags, std::string_view bytes) {
  const std::string name = file.filename().string();
  Descriptor out(file, O_WRONLY | flags);
  while (!bytes.empty()) {
    const ssize_t written = ::write(out.get(), bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) fail(errno, name);
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  // Pipes and some devices cannot be synchronised and say EINVAL.
  if (::fsync(out.get()) != 0 && errno != EINVAL) fail(errno, name);
  if (out.close() != 0) fail(errno, name);
}

// A rename is only safe against a power cut once its folder is on the disk too. Some file systems
// refuse this; then there is nothing more to be done.
void sync_folder(const fs::path& folder) {
  const Descriptor fd(folder, O_RDONLY | O_DIRECTORY);
  ::fsync(fd.get());
}

// What the end of a failed attempt must not be stopped by.
void remove_quietly(const fs::path& path) noexcept { ::unlink(path.c_str()); }

void rename_file(const fs::path& from, const fs::path& to) {
  if (::rename(from.c_str(), to.c_str()) != 0) fail(errno, to.filename().string());
}

}  // namespace

std::vector<fs::path> make_folders(const fs::path& folder) {
  std::vector<fs::path> missing;
  for (fs::path at = folder; !at.empty(); at = at.parent_path()) {
    if (at == at.root_path() || fs::exists(fs::symlink_status(at))) break;
    if (at.has_filename()) missing.push_back(at);  // none after a trailing slash
  }
  std::reverse(missing.begin(), missing.end());
  std::vector<fs::path> made;
  for (const fs::path& at : missing) {
    if (::mkdir(at.c_str(), 0777) == 0) {
      made.push_back(at);
    } else if (errno != EEXIST) {
      const int code = errno;
      remove_folders(std::move(made));
      fail(code, "");
    }
  }
  if (!fs::is_directory(folder)) {
    remove_folders(std::move(made));
    fail(folder.empty() ? ENOENT : ENOTDIR, "");
  }
  return made;
}

void remove_folders(std::vector<fs::path> made) noexcept {
  for (; !made.empty(); made.pop_back()) ::rmdir(made.back().c_str());
}

FileSet::FileSet(fs::path folder) : folder_(std::move(folder)), made_(make_folders(folder_)) {}

FileSet::~FileSet() {
  if (!done_) roll_back();
}

fs::path FileSet::target(const Change& change) const { return folder_ / change.name; }

fs::path FileSet::temporary(const Change& change) const {
  return folder_ / fmt::format(".{}.tmp-{}", change.name, ::getpid());
}

fs::path FileSet::backup(const Change& change) const {
  return folder_ / fmt::format(".{}.old-{}", change.name, ::getpid());
}

void FileSet::add(const std::string& name, std::string_view bytes) {
  const Change& change = changes_.emplace_back(Change{.name = name});
  if (fs::is_directory(target(change))) fail(EISDIR, name);
  const fs::path file = temporary(change);
  remove_quietly(file);
  write_bytes(file, O_CREAT | O_EXCL, bytes);
}

void FileSet::remove(const std::string& name) {
  changes_.push_back({.name = name, .removal = true});
}

void FileSet::keep_old(Change& change) const {
  const fs::path file = target(change);
  if (!fs::exists(fs::symlink_status(file))) return;
  if (fs::is_directory(fs::symlink_status(file))) fail(EISDIR, change.name);
  remove_quietly(backup(change));
  // A second name keeps the old file in place until the new one replaces it; where the file system
  // has no hard links the target is missing for a moment.
  if (::link(file.c_str(), backup(change).c_str()) != 0) rename_file(file, backup(change));
  change.kept = true;
}

void FileSet::commit() {
  for (Change& change : changes_) {
    keep_old(change);
    if (change.removal) {
      if (::unlink(target(change).c_str()) != 0 && errno != ENOENT) fail(errno, change.name);
    } else {
      rename_file(temporary(change), target(change));
    }
    change.applied = true;
  }
  sync_folder(folder_);
  done_ = true;
  for (const Change& change : changes_)
    if (change.kept) remove_quietly(backup(change));
}

void FileSet::roll_back() noexcept {
  try {
    for (const Change& change : changes_) {
      // Renaming one of two names of the same file is a no-op, so the backup is unlinked as well.
      if (change.kept) {
        ::rename(backup(change).c_str(), target(change).c_str());
        remove_quietly(backup(change));
      } else if (change.applied && !change.removal) {
        remove_quietly(target(change));
      }
      if (!change.removal) remove_quietly(temporary(change));
    }
  } catch (const std::exception&) {
    // Out of memory while naming a file: the temporaries stay, the targets are whole files.
    return;
  }
  remove_folders(std::move(made_));
}

void write_file(const fs::path& file, std::string_view bytes) {
  try {
    if (file.empty()) fail(ENOENT, "");
    const fs::file_status status = fs::status(file);
    if (fs::is_directory(status)) fail(EISDIR, "");
    if (fs::exists(status) && !fs::is_regular_file(status)) {
      write_bytes(file, 0, bytes);
      return;
    }
    // Through a symbolic link the file behind it is replaced, not the link.
    const fs::path real = fs::exists(status) ? fs::canonical(file) : fs::absolute(file);
    FileSet set(real.parent_path());
    set.add(real.filename().string(), bytes);
    set.commit();
  } catch (const std::system_error& error) {
    throw Error(Exit::bad_input, "cannot write: " + error.code().message(), in_file(file),
                "choose another place");
  }
}

std::string read_file(const fs::path& file, const std::string& advice) {
  const auto refuse = [&](const std::string& reason) {
    throw Error(Exit::bad_input, "cannot read: " + reason, in_file(file), advice);
  };
  std::error_code code;
  if (fs::is_directory(file, code)) refuse("it is a folder");
  errno = 0;
  std::ifstream in(file, std::ios::binary);
  if (!in) refuse(std::generic_category().message(errno != 0 ? errno : EIO));
  std::string text{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  if (in.bad()) refuse("reading failed");
  return text;
}

}  // namespace fenchel
