#include "data/bytes.hpp"

#include "data/text.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <new>
#include <system_error>

namespace fenchel::reading {
namespace {

constexpr std::size_t kChunk = std::size_t{1} << 20;

[[noreturn]] void cannot_read(const std::filesystem::path& file, int code) {
  const std::string reason =
      code == ENOENT ? "no such file"
                     : fmt::format("cannot be read: {}", std::generic_category().message(code));
  throw Error(Exit::bad_input, reason, place_of(file.string()),
              "a data path is relative to the folder of the spec that names it");
}

class Descriptor {
 public:
  explicit Descriptor(const std::filesystem::path& file)
      : number_(::open(file.c_str(), O_RDONLY | O_CLOEXEC)) {
    if (number_ < 0) cannot_read(file, errno);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() { ::close(number_); }
  int number() const { return number_; }

 private:
  int number_;
};

// A pipe has no size beforehand, and a file may grow meanwhile: the end is where read() says so.
Bytes read_plain(const std::filesystem::path& file) {
  const Descriptor descriptor(file);
  struct stat info {};
  if (::fstat(descriptor.number(), &info) != 0) cannot_read(file, errno);
  if (S_ISDIR(info.st_mode)) {
    throw Error(Exit::bad_input, "is a folder, not a file", place_of(file.string()),
                "name a data file");
  }
  Bytes content;
  content.room(static_cast<std::size_t>(std::max<off_t>(info.st_size, 0)) + 2);
  for (;;) {
    const std::size_t known = static_cast<std::size_t>(std::max<off_t>(info.st_size, 0));
    const std::size_t want = known > content.size() ? known - content.size() + 1 : kChunk;
    const ssize_t got = ::read(descriptor.number(), content.room(want), want);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) cannot_read(file, errno);
    if (got == 0) return content;
    content.grow(static_cast<std::size_t>(got));
  }
}

}  // namespace

char* Bytes::room(std::size_t more) {
  if (size_ + more > capacity_) {
    const std::size_t wanted = std::max(size_ + more, capacity_ + capacity_ / 2);
    auto* moved = static_cast<char*>(std::realloc(data_.get(), wanted));
    if (moved == nullptr) throw std::bad_alloc();
    (void)data_.release();  // realloc has freed or reused it
    data_.reset(moved);
    capacity_ = wanted;
  }
  return data_.get() + size_;
}

Bytes read_bytes(const std::filesystem::path& file) {
  Bytes content = read_plain(file);
  const Packing packing = packing_of(content.view());
  if (packing != Packing::none) content = unpack(content, packing, file);
  content.terminate();
  return content;
}

}  // namespace fenchel::reading
