#include "spec/spec.hpp"

#include <boost/test/unit_test.hpp>

#include <string>
#include <vector>

using fenchel::nearest_name;

BOOST_AUTO_TEST_SUITE(spec_nearest)

BOOST_AUTO_TEST_CASE(one_slip_of_each_kind_is_found) {
  const std::vector<std::string> names{"data", "loss", "regularizer", "solver", "gap"};
  BOOST_TEST(nearest_name("regulariser", names) == "regularizer");  // replaced
  BOOST_TEST(nearest_name("regularzer", names) == "regularizer");   // left out
  BOOST_TEST(nearest_name("losss", names) == "loss");               // doubled
  BOOST_TEST(nearest_name("slover", names) == "solver");            // swapped
  BOOST_TEST(nearest_name("gpa", names) == "gap");                  // a swap is one edit, not two
}

BOOST_AUTO_TEST_CASE(the_distance_allowed_grows_with_the_name) {
  BOOST_TEST(nearest_name("abc", {"axy"}) == "");              // 2 > max(1, 3/3)
  BOOST_TEST(nearest_name("abcdef", {"xycdef"}) == "xycdef");  // 2 <= 6/3
  BOOST_TEST(nearest_name("abcdef", {"xyzdef"}) == "");
  BOOST_TEST(nearest_name("l3", {"l2", "l1"}) == "l2");
}

BOOST_AUTO_TEST_CASE(the_nearest_wins_and_the_first_of_equals) {
  BOOST_TEST(nearest_name("hinges", {"hinged-x", "hinge", "binges"}) == "hinge");
  BOOST_TEST(nearest_name("cat", {"bat", "car"}) == "bat");
}

BOOST_AUTO_TEST_CASE(a_prefix_is_found_at_any_distance_but_after_near_names) {
  BOOST_TEST(nearest_name("reg", {"loss", "regularizer"}) == "regularizer");
  BOOST_TEST(nearest_name("squared-loss", {"logistic", "squared"}) == "squared");
  BOOST_TEST(nearest_name("squard", {"squard-and-more", "squared"}) == "squared");
  BOOST_TEST(nearest_name("r", {"regularizer"}) == "");
}

BOOST_AUTO_TEST_CASE(case_and_underscores_do_not_count) {
  BOOST_TEST(nearest_name("Smooth_Hinge", {"hinge", "smooth-hinge"}) == "smooth-hinge");
  BOOST_TEST(nearest_name("L2", {"l1", "l2"}) == "l2");
}

BOOST_AUTO_TEST_CASE(nothing_near_gives_nothing) {
  BOOST_TEST(nearest_name("banana", {"loss", "solver"}) == "");
  BOOST_TEST(nearest_name("", {"loss", "a"}) == "");
  BOOST_TEST(nearest_name("loss", {}) == "");
  BOOST_TEST(nearest_name(std::string(100'000, 'x'), {"loss"}) == "");
}

BOOST_AUTO_TEST_SUITE_END()
