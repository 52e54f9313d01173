#include "report_scratch.hpp"

#include "report/npy.hpp"

#include <boost/test/unit_test.hpp>

#include <cmath>
#include <limits>
#include <stdexcept>

using namespace fenchel;
using namespace report_test;
using Shape = std::vector<std::int64_t>;

namespace {

// A file with any dictionary, padded as it should be.
std::string npy(std::string dictionary, const std::string& data) {
  dictionary.append(64 - (10 + dictionary.size() + 1) % 64, ' ');
  dictionary += '\n';
  std::string bytes("\x93NUMPY\x01\x00", 8);
  bytes += static_cast<char>(dictionary.size());
  bytes += '\0';
  return bytes + dictionary + data;
}

const std::string kTwo(16, '\0');  // two doubles

}  // namespace

BOOST_AUTO_TEST_SUITE(report_npy)

BOOST_AUTO_TEST_CASE(the_bytes_are_those_that_numpy_writes) {
  // numpy.save of numpy.array([1.0, -2.0])
  std::string expected("\x93NUMPY\x01\x00\x76\x00", 10);
  expected += "{'descr': '<f8', 'fortran_order': False, 'shape': (2,), }";
  expected.append(127 - expected.size(), ' ');
  expected += '\n';
  expected.append("\x00\x00\x00\x00\x00\x00\xf0\x3f", 8);
  expected.append("\x00\x00\x00\x00\x00\x00\x00\xc0", 8);
  BOOST_TEST(npy_bytes({1.0, -2.0}, {2}) == expected);
}

BOOST_AUTO_TEST_CASE(data_begin_at_a_multiple_of_64_whatever_the_shape) {
  for (const Shape& shape :
       {Shape{}, Shape{1}, Shape{123456}, Shape{3, 41152}, Shape{1, 1, 1, 1, 1},
        Shape{1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1}}) {
    std::int64_t count = 1;
    for (const std::int64_t size : shape) count *= size;
    const std::vector<double> values(static_cast<std::size_t>(count), 1.5);
    const std::string bytes = npy_bytes(values, shape);
    const std::size_t begin = bytes.size() - values.size() * 8;
    BOOST_TEST(begin % 64 == 0U);
    BOOST_TEST(bytes[begin - 1] == '\n');
  }
}

BOOST_AUTO_TEST_CASE(values_and_shape_come_back) {
  const Scratch scratch;
  const std::vector<double> values{0.1, -0.0, 5e-324, 1e308, 1.0 / 3.0, INFINITY};
  write_npy(scratch / "w.npy", values, {2, 3});
  Shape shape;
  const std::vector<double> back = read_npy(scratch / "w.npy", shape);
  BOOST_TEST(back == values, boost::test_tools::per_element());
  BOOST_TEST(std::signbit(back[1]));
  BOOST_TEST(shape == (Shape{2, 3}), boost::test_tools::per_element());
  write_npy(scratch / "none.npy", {}, {0});
  BOOST_TEST(read_npy(scratch / "none.npy", shape).empty());
  BOOST_TEST(shape == Shape{0}, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_shape_that_does_not_hold_the_values_is_our_own_mistake) {
  BOOST_CHECK_THROW(npy_bytes({1.0, 2.0}, {3}), std::invalid_argument);
}

BOOST_AUTO_TEST_CASE(headers_of_other_writers_are_read) {
  const Scratch scratch;
  put(scratch / "w.npy", npy("{\"shape\":(2),\"fortran_order\":False,\"descr\":\"<f8\"}", kTwo));
  Shape shape;
  BOOST_TEST(read_npy(scratch / "w.npy", shape).size() == 2U);
  BOOST_TEST(shape == Shape{2}, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(other_types_and_orders_are_refused_with_what_to_do) {
  const Scratch scratch;
  Shape shape;
  const auto read = [&](const std::string& bytes) {
    put(scratch / "w.npy", bytes);
    return read_npy(scratch / "w.npy", shape);
  };
  const std::string tail = ", 'fortran_order': False, 'shape': (2,), }";
  CHECK_REFUSED(read(npy("{'descr': '<f4'" + tail, kTwo)), "type '<f4'");
  CHECK_REFUSED(read(npy("{'descr': '>f8'" + tail, kTwo)), "numpy.save");
  CHECK_REFUSED(read(npy("{'descr': '<f8', 'fortran_order': True, 'shape': (1, 2), }", kTwo)),
                "Fortran order");
}

BOOST_AUTO_TEST_CASE(damaged_files_are_refused) {
  const Scratch scratch;
  Shape shape;
  const auto read = [&](const std::string& bytes) {
    put(scratch / "w.npy", bytes);
    return read_npy(scratch / "w.npy", shape);
  };
  const std::string good = npy_bytes({1.0, 2.0}, {2});
  for (std::size_t size = 0; size < good.size(); ++size)
    BOOST_CHECK_THROW(read(good.substr(0, size)), Error);
  CHECK_REFUSED(read(good.substr(0, good.size() - 1)), "cut off or damaged");
  CHECK_REFUSED(read(good + "x"), "cut off or damaged");
  CHECK_REFUSED(read("1 2 3\n"), "not a NumPy .npy file");
  CHECK_REFUSED(read(std::string("\x93NUMPY\x02\x00", 8) + good.substr(8)), "version 2.0");
  for (const char* dictionary :
       {"{'descr': '<f8', 'shape': (2,), }", "{'descr': '<f8', 'fortran_order': False}", "{", "",
        "{'descr': '<f8', 'fortran_order': 0, 'shape': (2,)}",
        "{'descr': '<f8', 'fortran_order': False, 'shape': (-2,)}",
        "{'descr': '<f8', 'fortran_order': False, 'shape': (2,)} x",
        "{'descr': [('a', '<f8')], 'fortran_order': False, 'shape': (2,)}"})
    CHECK_REFUSED(read(npy(dictionary, kTwo)), "header is not understood");
  // Sizes whose product overflows must not be believed.
  CHECK_REFUSED(read(npy("{'descr': '<f8', 'fortran_order': False, 'shape': "
                         "(4611686018427387904, 4611686018427387904), }",
                         kTwo)),
                "cut off or damaged");
  CHECK_REFUSED(read_npy(scratch / "none.npy", shape), "none.npy");
}

BOOST_AUTO_TEST_SUITE_END()
