/* Exact sums against integers of 128 bits, in any order. */
#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "core/base/random.h"
#include "core/numeric/exact_sum.h"
#include "tests/suite.h"

__extension__ typedef __int128 Int128;

static double sum_of(const double *x, size_t n)
{
    ExactSum sum = {0};

    for (size_t k = 0; k < n; k++)
        exact_sum_add(&sum, x[k]);
    return exact_sum_value(&sum);
}

static void shuffle(Random *random, double *x, size_t n)
{
    for (size_t k = n; k > 1; k--) {
        const size_t other = random_bits(random) % k;
        const double swapped = x[k - 1];
        x[k - 1] = x[other];
        x[other] = swapped;
    }
}

START_TEST(sums_are_those_of_integers)
{
    enum { N = 50, ROUNDS = 2000 };
    Random random;

    random_init(&random, 5);
    for (int round = 0; round < ROUNDS; round++) {
        /* multiples of 2^-40 below 2^60: their sum is an integer of 108 bits times 2^-40 */
        const int base = (int)(random_bits(&random) % 1900) - 1000;
        double x[N];
        Int128 exact = 0;
        for (int k = 0; k < N; k++) {
            const int64_t mantissa = (int64_t)(random_bits(&random) >> 11);
            const int shift = (int)(random_bits(&random) % 48);
            const int sign = random_bits(&random) & 1 ? 1 : -1;
            x[k] = ldexp((double)(sign * mantissa), base + shift);
            exact += (Int128)(sign * mantissa) * ((Int128)1 << shift);
        }
        const double expected = ldexp((double)exact, base);
        ck_assert_double_eq(sum_of(x, N), expected);
        shuffle(&random, x, N);
        ck_assert_double_eq(sum_of(x, N), expected);
    }
}
END_TEST

START_TEST(what_cancels_leaves_nothing_behind)
{
    enum { N = 1001 };
    double x[N];
    Random random;

    random_init(&random, 6);
    for (size_t k = 0; k + 1 < N; k += 2) {
        x[k] = ldexp(random_uniform(&random, 1, 2), (int)(random_bits(&random) % 2040) - 1060);
        x[k + 1] = -x[k];
    }
    for (double rest = DBL_TRUE_MIN; rest < DBL_MAX / 1e10; rest *= 1.7e9) {
        x[N - 1] = rest;
        shuffle(&random, x, N);
        ck_assert_double_eq(sum_of(x, N), rest);
        for (size_t k = 0; k < N; k++)
            if (x[k] == rest) { /* back to the end */
                x[k] = x[N - 1];
                x[N - 1] = rest;
                break;
            }
    }
}
END_TEST

START_TEST(ties_go_to_even_and_one_bit_below_decides)
{
    const double half = DBL_EPSILON / 2;

    ck_assert_double_eq(sum_of((double[]){1, half}, 2), 1);
    ck_assert_double_eq(sum_of((double[]){1, half, DBL_TRUE_MIN}, 3), 1 + DBL_EPSILON);
    ck_assert_double_eq(sum_of((double[]){1, half, -DBL_TRUE_MIN}, 3), 1);
    ck_assert_double_eq(sum_of((double[]){1 + DBL_EPSILON, half}, 2), 1 + 2 * DBL_EPSILON);
    ck_assert_double_eq(sum_of((double[]){-1, -half, -DBL_TRUE_MIN}, 3), -1 - DBL_EPSILON);
}
END_TEST

START_TEST(ends_of_the_range)
{
    ck_assert_double_eq(sum_of(NULL, 0), 0);
    ck_assert_double_eq(sum_of((double[]){DBL_MAX, DBL_MAX, -DBL_MAX}, 3), DBL_MAX);
    ck_assert(isinf(sum_of((double[]){DBL_MAX, DBL_MAX}, 2)));
    ck_assert(isnan(sum_of((double[]){INFINITY, -INFINITY}, 2)));
    ck_assert(isnan(sum_of((double[]){1, NAN}, 2)));
    ck_assert_double_eq(sum_of((double[]){-INFINITY, 1}, 2), -INFINITY);
}
END_TEST

START_TEST(products_and_parts_add_up)
{
    enum { N = 4000 };
    ExactSum whole = {0}, parts[3] = {whole, whole, whole};
    Random random;

    random_init(&random, 7);
    for (int k = 0; k < N; k++) {
        const double a = random_uniform(&random, -1, 1), b = random_uniform(&random, -1, 1);
        /* (a + b)^2 - (a - b)^2 - 4 a b of parts that are exact */
        const double p = ldexp(nearbyint(ldexp(a, 30)), -30),
                     q = ldexp(nearbyint(ldexp(b, 30)), -30);
        exact_sum_add_product(&parts[k % 3], p + q, p + q);
        exact_sum_add_product(&parts[k % 3], p - q, q - p);
        exact_sum_add_product(&parts[k % 3], -4 * p, q);
        exact_sum_add_product(&parts[k % 3], a, b);
        exact_sum_add_product(&whole, a, b);
    }
    exact_sum_merge(&parts[0], &parts[1]);
    exact_sum_merge(&parts[0], &parts[2]);
    ck_assert_double_eq(exact_sum_value(&parts[0]), exact_sum_value(&whole));
}
END_TEST

static void check_packed(const ExactSum *sum)
{
    uint64_t words[EXACT_SUM_WORDS], again[EXACT_SUM_WORDS];
    ExactSum back;

    const size_t n = exact_sum_pack(sum, words);
    ck_assert_uint_eq(exact_sum_unpack(words, n, &back), n);
    const double value = exact_sum_value(sum), same = exact_sum_value(&back);
    ck_assert(value == same || (isnan(value) && isnan(same)));
    ck_assert_uint_eq(exact_sum_pack(&back, again), n);
    ck_assert_mem_eq(words, again, n * sizeof *words);
    for (size_t k = 0; k < n; k++)
        ck_assert_uint_eq(exact_sum_unpack(words, k, &back), 0);
}

/* The words tell the sum, not how it came about. */
START_TEST(packed_sums_are_the_same_words_in_any_order)
{
    enum { N = 300 };
    uint64_t words[EXACT_SUM_WORDS], others[EXACT_SUM_WORDS];
    Random random;

    random_init(&random, 8);
    for (int trial = 0; trial < 200; trial++) {
        ExactSum sum = {0}, parts[2] = {sum, sum};
        double x[N];
        for (int k = 0; k < N; k++) {
            x[k] = ldexp(random_normal(&random), (int)(random_bits(&random) % 2000) - 1000);
            exact_sum_add(&sum, x[k]);
        }
        for (int k = N; k-- > 0;)
            exact_sum_add(&parts[k % 2], x[k]);
        exact_sum_merge(&parts[0], &parts[1]);
        const size_t n = exact_sum_pack(&sum, words);
        ck_assert_uint_eq(exact_sum_pack(&parts[0], others), n);
        ck_assert_mem_eq(words, others, n * sizeof *words);
        check_packed(&sum);
    }
    ExactSum odd = {0};
    check_packed(&odd);
    exact_sum_add(&odd, -DBL_TRUE_MIN);
    check_packed(&odd);
    exact_sum_add(&odd, DBL_MAX);
    exact_sum_add(&odd, DBL_MAX);
    check_packed(&odd);
    exact_sum_add(&odd, -INFINITY);
    check_packed(&odd);
    exact_sum_add(&odd, NAN);
    check_packed(&odd);
}
END_TEST

SUITE(exact_sum)
{
    TCase *tc = suite_case(suite, "exact_sum");
    tcase_add_test(tc, sums_are_those_of_integers);
    tcase_add_test(tc, what_cancels_leaves_nothing_behind);
    tcase_add_test(tc, ties_go_to_even_and_one_bit_below_decides);
    tcase_add_test(tc, ends_of_the_range);
    tcase_add_test(tc, products_and_parts_add_up);
    tcase_add_test(tc, packed_sums_are_the_same_words_in_any_order);
}
