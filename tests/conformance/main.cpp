#define BOOST_TEST_MODULE fenchel_conformance
#include <boost/test/unit_test.hpp>
