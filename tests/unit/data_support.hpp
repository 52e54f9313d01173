// What the tests of the data readers share: files in a temporary folder, and failures as text.
#pragma once

#include "data/dataset.hpp"

#include <boost/iostreams/copy.hpp>
#include <boost/iostreams/device/array.hpp>
#include <boost/iostreams/device/back_inserter.hpp>
#include <boost/iostreams/filter/bzip2.hpp>
#include <boost/iostreams/filter/gzip.hpp>
#include <boost/iostreams/filter/lzma.hpp>
#include <boost/iostreams/filter/zstd.hpp>
#include <boost/iostreams/filtering_streambuf.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>

namespace data_support {

// A folder of its own, removed at the end of the test.
class Folder {
 public:
  Folder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "fenchel-data-XXXXXX").string();
    if (mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("no temporary folder");
    path_ = pattern;
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  ~Folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }

  std::filesystem::path path(const std::string& name) const { return path_ / name; }

  std::filesystem::path write(const std::string& name, const std::string& content) const {
    std::filesystem::remove(path(name));  // a new file is much quicker to write than an old one
    std::ofstream(path(name), std::ios::binary) << content;
    return path(name);
  }

  fenchel::Dataset read(const std::string& content, const fenchel::ReadOptions& options = {},
                        const std::string& name = "data") const {
    return fenchel::read_dataset(write(name, content), options);
  }

  // The message of the Error that reading `content` ends with, the folder cut off; empty when it
  // loads.
  std::string failure(const std::string& content, const fenchel::ReadOptions& options = {},
                      const std::string& name = "data") const {
    write(name, content);
    return failure_of(name, options);
  }

  std::string failure_of(const std::string& name, const fenchel::ReadOptions& options = {}) const {
    try {
      fenchel::read_dataset(path(name), options);
    } catch (const fenchel::Error& error) {
      std::string text = error.what();
      const std::string prefix = path_.string() + "/";
      if (text.rfind(prefix, 0) == 0) text.erase(0, prefix.size());
      return error.exit() == fenchel::Exit::bad_input ? text : "wrong exit code: " + text;
    }
    return {};
  }

 private:
  std::filesystem::path path_;
};

template <class Compressor>
std::string pack(const std::string& content, const Compressor& compressor) {
  namespace io = boost::iostreams;
  std::string packed;
  io::filtering_streambuf<io::output> stream;
  stream.push(compressor);
  stream.push(io::back_inserter(packed));
  io::copy(io::array_source(content.data(), content.size()), stream);
  return packed;
}

// By the extension of the archive: gz, bz2, zst or xz.
inline std::string pack_as(const std::string& kind, const std::string& content) {
  namespace io = boost::iostreams;
  if (kind == "gz") return pack(content, io::gzip_compressor());
  if (kind == "bz2") return pack(content, io::bzip2_compressor());
  if (kind == "zst") return pack(content, io::zstd_compressor());
  return pack(content, io::lzma_compressor());
}

}  // namespace data_support
