// NumPy's format, version 1.0: "\x93NUMPY", two version bytes, the header's length as a
// little-endian 16-bit number, a Python dictionary padded with blanks and ended by a newline so
// that the data begin at a multiple of 64 bytes, then the data.
#include "report/npy.hpp"

#include "report/files.hpp"
#include "report/result.hpp"

#include <fmt/format.h>

#include <bit>
#include <cctype>
#include <charconv>
#include <cstring>
#include <limits>
#include <optional>
#include <stdexcept>
#include <string_view>

namespace fenchel {
namespace {

static_assert(std::endian::native == std::endian::little, "doubles are copied as they stand");

constexpr std::string_view kMagic{"\x93NUMPY", 6};
constexpr std::size_t kPreamble = 10;  // magic, version, length
constexpr std::size_t kAlignment = 64;

// The entries of a shape, or nothing where they cannot be counted.
std::optional<std::size_t> count_of(const std::vector<std::int64_t>& shape) {
  std::size_t count = 1;
  for (const std::int64_t size : shape) {
    const auto factor = static_cast<std::size_t>(size);
    if (factor != 0 && count > std::numeric_limits<std::size_t>::max() / sizeof(double) / factor)
      return std::nullopt;
    count *= factor;
  }
  return count;
}

std::string shape_text(const std::vector<std::int64_t>& shape) {
  std::string text = "(";
  for (std::size_t i = 0; i < shape.size(); ++i)
    text += (i > 0 ? ", " : "") + std::to_string(shape[i]);
  return text + (shape.size() == 1 ? ",)" : ")");
}

struct Header {
  std::string descr;
  std::optional<bool> fortran;
  std::optional<std::vector<std::int64_t>> shape;
};

// Reads the one kind of Python dictionary that NumPy writes. Every failure is "not understood":
// std::invalid_argument.
class HeaderParser {
 public:
  explicit HeaderParser(std::string_view text) : text_(text) {}

  Header parse() {
    Header header;
    expect('{');
    while (!accept('}')) {
      const std::string key = quoted();
      expect(':');
      if (key == "descr") {
        header.descr = quoted();
      } else if (key == "fortran_order") {
        header.fortran = flag();
      } else if (key == "shape") {
        header.shape = tuple();
      } else {
        throw std::invalid_argument(key);
      }
      if (!accept(',') && peek() != '}') throw std::invalid_argument("dictionary");
    }
    if (peek() != '\0' || header.descr.empty() || !header.fortran || !header.shape)
      throw std::invalid_argument("dictionary");
    return header;
  }

 private:
  char peek() {
    while (!text_.empty() && std::isspace(static_cast<unsigned char>(text_.front())) != 0)
      text_.remove_prefix(1);
    return text_.empty() ? '\0' : text_.front();
  }
  bool accept(char c) {
    if (peek() != c || text_.empty()) return false;
    text_.remove_prefix(1);
    return true;
  }
  void expect(char c) {
    if (!accept(c)) throw std::invalid_argument("dictionary");
  }
  std::string quoted() {
    const char quote = accept('"') ? '"' : '\'';
    if (quote == '\'') expect('\'');
    const std::size_t end = text_.find(quote);
    if (end == std::string_view::npos) throw std::invalid_argument("text");
    std::string word(text_.substr(0, end));
    text_.remove_prefix(end + 1);
    return word;
  }
  bool flag() {
    peek();
    for (const auto& [word, value] : {std::pair{"True", true}, std::pair{"False", false}}) {
      if (!text_.starts_with(word)) continue;
      text_.remove_prefix(std::strlen(word));
      return value;
    }
    throw std::invalid_argument("flag");
  }
  std::vector<std::int64_t> tuple() {
    std::vector<std::int64_t> sizes;
    expect('(');
    while (!accept(')')) {
      peek();
      std::int64_t size = 0;
      const auto [end, code] = std::from_chars(text_.data(), text_.data() + text_.size(), size);
      if (code != std::errc() || size < 0) throw std::invalid_argument("shape");
      text_.remove_prefix(static_cast<std::size_t>(end - text_.data()));
      sizes.push_back(size);
      if (!accept(',') && peek() != ')') throw std::invalid_argument("shape");
    }
    return sizes;
  }

  std::string_view text_;
};

}  // namespace

std::string npy_bytes(const std::vector<double>& values, const std::vector<std::int64_t>& shape) {
  if (count_of(shape) != values.size())
    throw std::invalid_argument("npy: the shape " + shape_text(shape) +
                                " does not hold the values");
  std::string header =
      fmt::format("{{'descr': '<f8', 'fortran_order': False, 'shape': {}, }}", shape_text(shape));
  const std::size_t used = kPreamble + header.size() + 1;
  header.append((kAlignment - used % kAlignment) % kAlignment, ' ');
  header += '\n';
  if (header.size() > std::numeric_limits<std::uint16_t>::max())
    throw std::invalid_argument("npy: a shape of too many dimensions");

  std::string bytes(kMagic);
  bytes += '\x01';
  bytes += '\x00';
  bytes += static_cast<char>(header.size() & 0xff);
  bytes += static_cast<char>(header.size() >> 8);
  bytes += header;
  bytes.append(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(double));
  return bytes;
}

void write_npy(const std::filesystem::path& file, const std::vector<double>& values,
               const std::vector<std::int64_t>& shape) {
  write_file(file, npy_bytes(values, shape));
}

std::vector<double> read_npy(const std::filesystem::path& file, std::vector<std::int64_t>& shape) {
  const std::string advice = "write it with numpy.save(FILE, w.astype('<f8', order='C'))";
  const auto refuse = [&](const std::string& reason) {
    throw Error(Exit::bad_input, reason, in_file(file), advice);
  };
  const std::string bytes = read_file(file);
  std::string_view rest = bytes;
  if (!rest.starts_with(kMagic)) refuse("not a NumPy .npy file");
  if (rest.size() < kPreamble) refuse("the file is cut off within its header");
  if (rest[6] != 1 || rest[7] != 0)
    refuse(fmt::format("version {}.{} of the .npy format, only 1.0 is read",
                       static_cast<int>(static_cast<unsigned char>(rest[6])),
                       static_cast<int>(static_cast<unsigned char>(rest[7]))));
  const std::size_t length = static_cast<unsigned char>(rest[8]) +
                             256U * static_cast<std::size_t>(static_cast<unsigned char>(rest[9]));
  if (rest.size() < kPreamble + length) refuse("the file is cut off within its header");

  Header header;
  try {
    header = HeaderParser(rest.substr(kPreamble, length)).parse();
  } catch (const std::invalid_argument&) {
    refuse("the .npy header is not understood");
  }
  rest.remove_prefix(kPreamble + length);
  if (header.descr != "<f8")
    refuse("holds numbers of type '" + header.descr + "', only '<f8' (64-bit doubles) is read");
  if (*header.fortran && header.shape->size() > 1)
    refuse("is stored in Fortran order, only C order is read");
  const std::optional<std::size_t> count = count_of(*header.shape);
  if (!count || rest.size() != *count * sizeof(double))
    refuse(fmt::format(
        "the shape {} does not fit the {} bytes of data: the file is cut off or damaged",
        shape_text(*header.shape), rest.size()));

  std::vector<double> values(*count);
  if (*count > 0) std::memcpy(values.data(), rest.data(), rest.size());
  shape = *header.shape;
  return values;
}

}  // namespace fenchel
