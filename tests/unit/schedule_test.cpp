// When a certificate is due.
#include "run/schedule.hpp"

#include <boost/test/unit_test.hpp>

using fenchel::CertificateSchedule;

namespace {

// No time has passed: only doubling and aiming make one due.
bool due(const CertificateSchedule& schedule, double passes) { return schedule.due(passes, 0.0); }

}  // namespace

BOOST_AUTO_TEST_SUITE(schedule)

BOOST_AUTO_TEST_CASE(one_is_due_when_the_passes_have_doubled) {
  CertificateSchedule schedule(0.0);
  schedule.paid(40.0, 1.0, 100.0);
  BOOST_TEST(!due(schedule, 79.0));
  BOOST_TEST(due(schedule, 80.0));
}

BOOST_AUTO_TEST_CASE(one_is_due_where_a_straight_line_reaches_the_tolerance) {
  CertificateSchedule schedule(0.0);
  schedule.paid(20.0, 1.0, 1e4);
  schedule.paid(40.0, 1.0, 1e1);  // a factor of ten in 20/3 passes: one more is left
  BOOST_TEST(!due(schedule, 46.0));
  BOOST_TEST(due(schedule, 47.0));
}

BOOST_AUTO_TEST_CASE(aiming_keeps_a_distance_and_ignores_gaps_that_do_not_fall) {
  CertificateSchedule near(0.0);
  near.paid(20.0, 1.0, 1e4);
  near.paid(40.0, 1.0, 1.001);
  BOOST_TEST(!due(near, 43.9));
  BOOST_TEST(due(near, 44.0));  // a tenth of the passes so far
  CertificateSchedule rising(0.0);
  rising.paid(20.0, 1.0, 5.0);
  rising.paid(40.0, 1.0, 6.0);
  BOOST_TEST(!due(rising, 79.0));
}

BOOST_AUTO_TEST_CASE(a_fixed_rhythm_wins) {
  CertificateSchedule schedule(10.0);
  schedule.paid(20.0, 1.0, 1e4);
  schedule.paid(30.0, 1.0, 1.01);
  BOOST_TEST(!due(schedule, 39.0));
  BOOST_TEST(due(schedule, 40.0));
}

BOOST_AUTO_TEST_CASE(they_take_a_tenth_of_the_time_at_the_price_of_the_cheapest_of_three) {
  CertificateSchedule schedule(0.0);
  schedule.paid(100.0, 1.0, 0.0);
  BOOST_TEST(!schedule.due(101.0, 18.9));
  BOOST_TEST(schedule.due(101.0, 19.1));  // 2 of 21 seconds
  schedule.paid(101.0, 50.0, 0.0);        // an interruption is not the price
  BOOST_TEST(!schedule.due(102.0, 27.9));
  BOOST_TEST(schedule.due(102.0, 28.1));
  // Three dear ones in a row are: 1 + 1 + 1 + 50 spent, 50 more wanted.
  schedule.paid(102.0, 50.0, 0.0);
  schedule.paid(103.0, 50.0, 0.0);
  BOOST_TEST(!schedule.due(104.0, 976.9));
  BOOST_TEST(schedule.due(104.0, 977.1));
}

BOOST_AUTO_TEST_SUITE_END()
