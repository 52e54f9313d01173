#define BOOST_TEST_MODULE fenchel_problems
#include <boost/test/unit_test.hpp>
