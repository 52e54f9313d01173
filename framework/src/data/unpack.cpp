// Decompression by Boost.Iostreams.
#include "data/bytes.hpp"

#include "data/text.hpp"

#include <fmt/format.h>

#include <boost/iostreams/device/array.hpp>
#include <boost/iostreams/filter/bzip2.hpp>
#include <boost/iostreams/filter/gzip.hpp>
#include <boost/iostreams/filter/lzma.hpp>
#include <boost/iostreams/filter/zstd.hpp>
#include <boost/iostreams/filtering_streambuf.hpp>
#include <cstdint>
#include <optional>
#include <string>

namespace fenchel::reading {
namespace {

namespace io = boost::iostreams;

constexpr std::streamsize kBuffer = 1 << 16;
constexpr std::streamsize kChunk = 1 << 20;
constexpr std::size_t kLimit = std::size_t{64} << 30;  // more than any data set we could hold

bool starts_with(std::string_view content, std::string_view magic) {
  return content.substr(0, magic.size()) == magic;
}

bool is_bzip2(std::string_view content) {
  using namespace std::string_view_literals;
  if (!starts_with(content, "BZh") || content.size() < 4) return false;
  if (content[3] < '1' || content[3] > '9') return false;
  const std::string_view block = content.substr(4, 6);  // a class name may look like BZh9
  return block.size() < 6 || block == "1AY&SY" || block == "\x17\x72\x45\x38\x50\x90"sv;
}

std::uint64_t little_endian(std::string_view content, std::size_t at, std::size_t count) {
  std::uint64_t value = 0;
  for (std::size_t k = 0; k < count; ++k) {
    value |= std::uint64_t{static_cast<unsigned char>(content[at + k])} << (8 * k);
  }
  return value;
}

bool is_skippable(std::uint64_t magic) { return (magic & 0xFFFFFFF0U) == 0x184D2A50U; }

// Offset behind the data frame that begins at `at`; nothing when the content ends before it does.
// RFC 8878, 3.1.1: magic, header, blocks with a 3-byte header each, checksum.
std::optional<std::size_t> zstd_frame_end(std::string_view content, std::size_t at) {
  constexpr std::size_t kDictionaryBytes[] = {0, 1, 2, 4};
  constexpr std::size_t kSizeBytes[] = {0, 2, 4, 8};
  if (content.size() - at < 5) return std::nullopt;
  const auto flags = static_cast<unsigned char>(content[at + 4]);
  const bool single_segment = (flags & 0x20U) != 0;
  const std::size_t size_bytes = single_segment && flags >> 6U == 0 ? 1 : kSizeBytes[flags >> 6U];
  at += 5 + (single_segment ? 0 : 1) + kDictionaryBytes[flags & 3U] + size_bytes;
  for (bool last = false; !last;) {
    if (at + 3 > content.size()) return std::nullopt;
    const std::uint64_t block = little_endian(content, at, 3);
    const bool repeated_byte = (block >> 1U & 3U) == 1;
    at += 3 + (repeated_byte ? 1 : block >> 3U);
    last = (block & 1U) != 0;
  }
  at += (flags & 4U) != 0 ? 4 : 0;
  return at <= content.size() ? std::optional(at) : std::nullopt;
}

// Boost's zstd filter takes a frame that is cut short for a whole one, so the frames are walked
// beforehand.
bool zstd_is_whole(std::string_view content) {
  for (std::size_t at = 0; at < content.size();) {
    if (content.size() - at < 4) return false;
    if (is_skippable(little_endian(content, at, 4))) {
      if (content.size() - at < 8) return false;
      at += 8 + little_endian(content, at + 4, 4);
      if (at > content.size()) return false;
      continue;
    }
    const auto end = zstd_frame_end(content, at);
    if (!end) return false;
    at = *end;
  }
  return true;
}

[[noreturn]] void damaged(const std::filesystem::path& file, std::string_view kind) {
  throw Error(Exit::bad_input, fmt::format("the {} archive is damaged or cut short", kind),
              place_of(file.string()), "make or fetch the file again");
}

template <class Filter>
Bytes run_filter(const Bytes& packed, const Filter& filter, const std::filesystem::path& file) {
  io::filtering_streambuf<io::input> stream;
  stream.push(filter, kBuffer);
  stream.push(io::array_source(packed.data(), packed.size()), kBuffer);
  Bytes content;
  content.room(packed.size() * 3);
  for (;;) {
    const std::streamsize got = stream.sgetn(content.room(kChunk), kChunk);
    if (got <= 0) return content;
    content.grow(static_cast<std::size_t>(got));
    if (content.size() > kLimit) {
      throw Error(Exit::bad_input, "decompresses to more than 64 GiB", place_of(file.string()),
                  "split the data, or check that this is the file you mean");
    }
  }
}

Bytes unpack_zstd(const Bytes& packed, const std::filesystem::path& file) {
  if (!zstd_is_whole(packed.view())) damaged(file, "zst");
  return run_filter(packed, io::zstd_decompressor(kBuffer), file);
}

std::string_view name_of(Packing packing) {
  switch (packing) {
    case Packing::gzip: return "gz";
    case Packing::bzip2: return "bz2";
    case Packing::zstd: return "zst";
    case Packing::xz: return "xz";
    case Packing::none: break;
  }
  return "";
}

}  // namespace

Packing packing_of(std::string_view content) {
  using namespace std::string_view_literals;
  if (starts_with(content, "\x1F\x8B"sv)) return Packing::gzip;
  if (starts_with(content, "\xFD\x37\x7A\x58\x5A\x00"sv)) return Packing::xz;
  if (starts_with(content, "\x28\xB5\x2F\xFD"sv)) return Packing::zstd;
  if (content.size() >= 4 && is_skippable(little_endian(content, 0, 4))) return Packing::zstd;
  return is_bzip2(content) ? Packing::bzip2 : Packing::none;
}

Bytes unpack(const Bytes& packed, Packing packing, const std::filesystem::path& file) {
  try {
    switch (packing) {
      case Packing::gzip:
        return run_filter(packed, io::gzip_decompressor(io::gzip::default_window_bits, kBuffer),
                          file);
      case Packing::bzip2: return run_filter(packed, io::bzip2_decompressor(false, kBuffer), file);
      case Packing::zstd: return unpack_zstd(packed, file);
      case Packing::xz: return run_filter(packed, io::lzma_decompressor(kBuffer), file);
      case Packing::none: break;
    }
  } catch (const std::ios_base::failure&) {
    damaged(file, name_of(packing));
  }
  return {};
}

}  // namespace fenchel::reading
