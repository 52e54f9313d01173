#define BOOST_TEST_MODULE fenchel_unit
#include <boost/test/unit_test.hpp>
