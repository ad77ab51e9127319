/* Durations in buckets. */
#include "core/base/histogram.h"
#include "tests/suite.h"

START_TEST(a_duration_counts_in_the_bucket_whose_upper_end_it_does_not_exceed)
{
    Histogram histogram = {0};
    histogram_add(&histogram, 0.0);
    for (int i = 0; i < HISTOGRAM_BUCKETS - 1; i++) {
        histogram_add(&histogram, histogram_bounds[i]);
        histogram_add(&histogram, histogram_bounds[i] * 1.001);
    }
    ck_assert_uint_eq(atomic_load(&histogram.counts[0]), 2);
    for (int i = 1; i < HISTOGRAM_BUCKETS - 1; i++)
        ck_assert_uint_eq(atomic_load(&histogram.counts[i]), 2);
    ck_assert_uint_eq(atomic_load(&histogram.counts[HISTOGRAM_BUCKETS - 1]), 1);
    ck_assert_uint_eq(histogram_count(&histogram), 2 * HISTOGRAM_BUCKETS - 1);
}
END_TEST

START_TEST(durations_are_summed)
{
    Histogram histogram = {0};
    histogram_add(&histogram, 0.25);
    histogram_add(&histogram, 100.5);
    ck_assert_uint_eq(atomic_load(&histogram.total_us), 100750000);
}
END_TEST

SUITE(histogram)
{
    TCase *tc = suite_case(suite, "histogram");
    tcase_add_test(tc, a_duration_counts_in_the_bucket_whose_upper_end_it_does_not_exceed);
    tcase_add_test(tc, durations_are_summed);
}
