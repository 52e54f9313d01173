// Files to bytes: compression by content, and what cannot be read.
#include "unit/data_support.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <boost/test/unit_test.hpp>
#include <random>

using data_support::Folder;
using data_support::pack_as;

namespace {

const std::vector<std::string> kKinds{"gz", "bz2", "zst", "xz"};

std::string some_rows(int rows) {
  std::mt19937 random(7);
  std::string text;
  for (int i = 0; i < rows; ++i) {
    text += (random() % 2 == 0 ? "-1" : "+1");
    for (int j = 1; j < 30; j += 1 + static_cast<int>(random() % 9)) {
      text += fmt::format(" {}:{}", j, random() % 1000);
    }
    text += "\n";
  }
  return text;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(data_bytes)

BOOST_AUTO_TEST_CASE(archives_read_as_their_content) {
  for (const std::string& kind : kKinds) {
    const Folder folder;
    const std::string text = some_rows(20000);
    const auto plain = folder.read(text);
    // The name must not matter, only the content.
    for (const auto& name : {"data." + kind, std::string("no-extension")}) {
      const auto packed = folder.read(pack_as(kind, text), {}, name);
      BOOST_TEST(packed.x.starts == plain.x.starts);
      BOOST_TEST(packed.x.indices == plain.x.indices);
      BOOST_TEST(packed.x.values == plain.x.values);
      BOOST_TEST(packed.labels.numbers == plain.labels.numbers);
    }
  }
}

BOOST_AUTO_TEST_CASE(archives_in_several_parts_are_read_to_the_end) {
  for (const std::string& kind : kKinds) {
    const Folder folder;
    const auto data = folder.read(pack_as(kind, "1 1:2\n") + pack_as(kind, "-1 1:3\n"));
    BOOST_TEST(data.labels.numbers == (std::vector<double>{1, -1}));
    BOOST_TEST(data.x.values == (std::vector<double>{2, 3}));
  }
}

BOOST_AUTO_TEST_CASE(an_archive_cut_anywhere_is_an_error) {
  for (const std::string& kind : kKinds) {
    const Folder folder;
    const std::string packed = pack_as(kind, some_rows(40));
    // From 10 bytes on the archive is recognised as one.
    for (std::size_t size = 10; size < packed.size(); size += 1 + packed.size() / 150) {
      BOOST_TEST(folder.failure(packed.substr(0, size)) ==
                 "data: the " + kind +
                     " archive is damaged or cut short; make or fetch the file again");
    }
  }
}

BOOST_AUTO_TEST_CASE(a_damaged_archive_never_crashes_the_reader) {
  for (const std::string& kind : kKinds) {
    const Folder folder;
    const std::string packed = pack_as(kind, some_rows(40));
    std::mt19937 random(3);
    int refused = 0;
    for (int round = 0; round < 100; ++round) {
      std::string damaged = packed;
      damaged[10 + random() % (damaged.size() - 10)] ^= static_cast<char>(1U << (random() % 8));
      refused += folder.failure(damaged).empty() ? 0 : 1;
    }
    BOOST_TEST(refused > 50);  // a bit may fall on what does not matter, or (zst) go unnoticed
  }
}

BOOST_AUTO_TEST_CASE(a_skippable_zstd_frame_is_skipped) {
  const Folder folder;
  const std::string skipped("\x50\x2A\x4D\x18\x03\x00\x00\x00xyz", 11);
  const auto data = folder.read(skipped + pack_as("zst", "1 1:2\n"));
  BOOST_TEST(data.x.values == std::vector<double>{2});
  BOOST_TEST(folder.failure(skipped.substr(0, 10)) ==
             "data: the zst archive is damaged or cut short; make or fetch the file again");
}

BOOST_AUTO_TEST_CASE(a_class_name_like_an_archive_is_text) {
  const Folder folder;
  const auto data = folder.read("BZh9 1:2 2:5\nother 1:3\n");
  BOOST_TEST(data.labels.names == (std::vector<std::string>{"BZh9", "other"}));
}

BOOST_AUTO_TEST_CASE(what_cannot_be_read_is_named) {
  const Folder folder;
  const std::string advice = "; a data path is relative to the folder of the spec that names it";
  BOOST_TEST(folder.failure_of("absent") == "absent: no such file" + advice);
  std::filesystem::create_directory(folder.path("sub"));
  BOOST_TEST(folder.failure_of("sub") == "sub: is a folder, not a file; name a data file");
  BOOST_TEST(folder.failure_of("sub/none/data") == "sub/none/data: no such file" + advice);
  folder.write("closed", "1 1:1\n");
  BOOST_TEST(folder.failure_of("closed/data") ==
             "closed/data: cannot be read: Not a directory" + advice);
  std::filesystem::permissions(folder.path("closed"), std::filesystem::perms::none);
  if (::geteuid() != 0) {  // root may read everything
    BOOST_TEST(folder.failure_of("closed") == "closed: cannot be read: Permission denied" + advice);
  }
}

BOOST_AUTO_TEST_CASE(a_file_without_rows_is_an_error) {
  const Folder folder;
  const std::string message = "data: no rows; the file holds no data";
  BOOST_TEST(folder.failure("") == message);
  BOOST_TEST(folder.failure("\n \r\n# only a comment\n") == message);
  BOOST_TEST(folder.failure("", {.format = "csv"}) == message);
  BOOST_TEST(folder.failure("y,a\n", {.format = "csv"}) == message);
  BOOST_TEST(folder.failure(pack_as("gz", "")) == message);
}

BOOST_AUTO_TEST_SUITE_END()
