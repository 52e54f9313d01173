// A file's content in memory, plain or decompressed.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string_view>

namespace fenchel::reading {

// Bytes that grow without being cleared first. `terminate` puts one '\n' behind the content that is
// not part of it: a scan that stops at line ends then needs no other end check.
class Bytes {
 public:
  char* data() { return data_.get(); }
  const char* data() const { return data_.get(); }
  std::size_t size() const { return size_; }
  std::string_view view() const { return {data_.get(), size_}; }

  // Where `more` bytes may be written; `grow` then makes them part of the content.
  char* room(std::size_t more);
  void grow(std::size_t count) { size_ += count; }
  void terminate() { *room(1) = '\n'; }

 private:
  struct Free {
    void operator()(char* p) const { std::free(p); }
  };
  std::unique_ptr<char, Free> data_;
  std::size_t size_ = 0;
  std::size_t capacity_ = 0;
};

// The content of `file`, decompressed where it is gz, bz2, zst or xz (by its first bytes), and
// terminated. Throws Error (bad_input).
Bytes read_bytes(const std::filesystem::path& file);

enum class Packing { none, gzip, bzip2, zstd, xz };
Packing packing_of(std::string_view content);

// Throws Error (bad_input) naming `file` when the archive is damaged or cut short.
Bytes unpack(const Bytes& packed, Packing packing, const std::filesystem::path& file);

}  // namespace fenchel::reading
