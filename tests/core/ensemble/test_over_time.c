/* Digests and the tree over members: direct sorts, closed forms, and the same bytes whoever has run
 * which members. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/memory.h"
#include "core/base/random.h"
#include "core/ensemble/over_time.h"
#include "core/ensemble/statistics.h"
#include "tests/suite.h"

static const OverTimeShape ONE = {1, 1};

/* All nodes of a forest, in the order of their members. */
static void tell(const OverTimeForest *forest, size_t part, size_t n_cells, const double *levels,
                 size_t n_levels, OverTimeCell *ret_cells, double *ret_quantiles)
{
    OverTimePart parts[200];
    size_t n = 0;
    Error err = {0};

    for (size_t k = 0; k < forest->n; k++)
        if (forest->nodes[k].part == part) {
            const Text *words = &forest->nodes[k].words;
            parts[n++] = (OverTimePart){over_time_words(words), words->length / 8};
        }
    ck_assert_int_eq(over_time_report(parts, n, &(OverTimeRequest){n_cells, levels, n_levels},
                                      ret_cells, ret_quantiles, &err),
                     OK);
}

static void add(OverTimeForest *forest, OverTimeShape shape, uint64_t first, uint64_t n,
                const double *values)
{
    Error err = {0};
    ck_assert_int_eq(over_time_forest_add(forest, shape, first, n, values, &err), OK);
}

static int by_place(const void *a, const void *b)
{
    const OverTimeNode *x = a, *y = b;
    const uint64_t i = x->number << x->level, j = y->number << y->level;

    return x->part != y->part ? (x->part > y->part) - (x->part < y->part) : (i > j) - (i < j);
}

static void check_same(OverTimeForest *a, OverTimeForest *b)
{
    ck_assert_uint_eq(a->n, b->n);
    qsort(a->nodes, a->n, sizeof *a->nodes, by_place);
    qsort(b->nodes, b->n, sizeof *b->nodes, by_place);
    for (size_t k = 0; k < a->n; k++) {
        const OverTimeNode *x = &a->nodes[k], *y = &b->nodes[k];
        ck_assert_uint_eq(x->level, y->level);
        ck_assert_uint_eq(x->number, y->number);
        ck_assert_uint_eq(x->words.length, y->words.length);
        ck_assert_mem_eq(x->words.data, y->words.data, x->words.length);
    }
}

/* Are the quantiles told those of the values, within the error that is told? */
static void check_quantiles(const double *values, size_t n, const OverTimeCell *cell,
                            const double *levels, size_t n_levels, const double *told)
{
    double bounds[2], around[2];
    Error err = {0};

    for (size_t k = 0; k < n_levels; k++) {
        /* the product of a level and n - 1 rounds */
        const double error = cell->rank_error ? cell->rank_error + 1e-15 : 0;
        bounds[0] = fmax(0, levels[k] - error);
        bounds[1] = fmin(1, levels[k] + error);
        ck_assert_int_eq(statistics_quantiles(values, n, bounds, 2, around, &err), OK);
        ck_assert_double_ge(told[k], around[0]);
        ck_assert_double_le(told[k], around[1]);
    }
}

static const double LEVELS[] = {0, 0.001, 0.025, 0.25, 0.5, 0.77, 0.975, 0.9999, 1};
enum { N_LEVELS = sizeof LEVELS / sizeof *LEVELS };

static double *normal_values(size_t n, uint64_t seed)
{
    double *values = alloc_array(n, sizeof *values);
    Random random;

    random_init(&random, seed);
    for (size_t k = 0; k < n; k++)
        values[k] = random_normal(&random);
    return values;
}

START_TEST(few_members_have_the_statistics_of_their_values)
{
    enum { N = 1000 };
    double *values = normal_values(N, 3), told[N_LEVELS], direct[N_LEVELS];
    OverTimeForest forest = {0};
    OverTimeCell cell;
    Error err = {0};

    for (size_t k = 0; k < N; k++)
        values[k] = k % 7 == 3 ? NAN : 1e9 + 1e3 * values[k];
    add(&forest, ONE, 0, N, values);
    tell(&forest, 0, 1, LEVELS, N_LEVELS, &cell, told);
    const Moments m = statistics_moments(values, N);
    ck_assert_uint_eq(cell.moments.count, m.count);
    ck_assert_double_eq(cell.moments.mean, m.mean);
    ck_assert_double_eq(cell.moments.least, m.least);
    ck_assert_double_eq(cell.moments.most, m.most);
    ck_assert_double_eq_tol(cell.moments.variance / m.variance, 1, 1e-15);
    ck_assert_double_eq(cell.rank_error, 0);
    ck_assert_int_eq(statistics_quantiles(values, N, LEVELS, N_LEVELS, direct, &err), OK);
    ck_assert_mem_eq(told, direct, sizeof told);
    over_time_forest_done(&forest);
    free(values);
}
END_TEST

/* The variance of 1e9 + 0, 1, .., 1000, whose squares are 1e18. */
START_TEST(moments_far_from_zero_keep_their_digits)
{
    double values[1001];
    OverTimeForest forest = {0};
    OverTimeCell cell;

    for (size_t k = 0; k < 1001; k++)
        values[k] = 1e9 + (double)k;
    add(&forest, ONE, 0, 1001, values);
    tell(&forest, 0, 1, NULL, 0, &cell, NULL);
    ck_assert_double_eq(cell.moments.mean, 1e9 + 500);
    ck_assert_double_eq(cell.moments.variance, 1001. * 1002 / 12);
    over_time_forest_done(&forest);
}
END_TEST

START_TEST(what_is_not_finite_is_told_as_it_is)
{
    const double levels[] = {0, 0.5, 1}, huge[] = {1e200, 2e200, 3e200};
    const double infinite[] = {INFINITY, 1, NAN, -0.0, INFINITY}, none[] = {NAN, NAN};
    OverTimeForest forest = {0};
    OverTimeCell cell;
    double told[3];

    add(&forest, ONE, 0, 5, infinite);
    tell(&forest, 0, 1, levels, 3, &cell, told);
    ck_assert_uint_eq(cell.moments.count, 4);
    ck_assert(isinf(cell.moments.mean) && isnan(cell.moments.variance));
    ck_assert(told[0] == 0 && !signbit(told[0]) && isinf(told[2]));
    over_time_forest_done(&forest);

    add(&forest, ONE, 0, 2, none);
    tell(&forest, 0, 1, levels, 3, &cell, told);
    ck_assert_uint_eq(cell.moments.count, 0);
    ck_assert(isnan(cell.moments.mean) && isnan(cell.moments.least) && isnan(told[1]));
    over_time_forest_done(&forest);

    add(&forest, ONE, 0, 3, huge);
    tell(&forest, 0, 1, levels, 3, &cell, told);
    ck_assert_double_eq(cell.moments.mean, 2e200);
    ck_assert(isnan(cell.moments.variance) && told[1] == 2e200);
    over_time_forest_done(&forest);
}
END_TEST

/* Random values, in order, against the order, by turns from both ends, by turns from many
 * sequences, a few different ones, and with most members missing somewhere. */
static double arranged(const double *random, size_t n, int kind, size_t k)
{
    switch (kind) {
    case 0:
        return random[k];
    case 1:
        return (double)k;
    case 2:
        return -(double)k;
    case 3:
        return k % 2 ? (double)k : -(double)k;
    case 4:
        return (double)(k * 7919 % n);
    case 5:
        return (double)(k % 3);
    default:
        return (k / 1500) % 4 != 1 && k % 50 ? NAN : random[k];
    }
}

START_TEST(quantiles_are_those_of_a_direct_sort_within_the_error_that_is_told)
{
    enum { N = 70001, KINDS = 7 };
    double *random = normal_values(N, 5), *values = alloc_array(N, sizeof *values), told[N_LEVELS];

    for (int kind = 0; kind < KINDS; kind++) {
        OverTimeForest forest = {0};
        OverTimeCell cell;
        for (size_t k = 0; k < N; k++)
            values[k] = arranged(random, N, kind, k);
        add(&forest, ONE, 0, N, values);
        tell(&forest, 0, 1, LEVELS, N_LEVELS, &cell, told);
        const Moments m = statistics_moments(values, N);
        ck_assert_uint_eq(cell.moments.count, m.count);
        ck_assert_double_eq(cell.moments.mean, m.mean);
        ck_assert_double_eq(told[0], m.least);
        ck_assert_double_eq(told[N_LEVELS - 1], m.most);
        ck_assert_double_gt(cell.rank_error, 0);
        ck_assert_double_le(cell.rank_error, 0.004);
        check_quantiles(values, N, &cell, LEVELS, N_LEVELS, told);
        over_time_forest_done(&forest);
    }
    free(random);
    free(values);
}
END_TEST

/* Of 0 .. 2047 every other one is left out, which is wrong by one place at every other one, and the
 * bound says so. */
START_TEST(the_error_that_is_told_is_reached)
{
    enum { N = 2 * DIGEST_VALUES };
    double values[N], levels[N], told[N];

    for (size_t k = 0; k < N; k++) {
        values[k] = (double)(k * 5 % N);
        levels[k] = ((double)k + 0.25) / (N - 1);
    }
    levels[N - 1] = 1;
    for (uint64_t number = 0; number < 2; number++) {
        OverTimeForest forest = {0};
        OverTimeCell cell;
        size_t wrong = 0;
        add(&forest, ONE, number * N, N, values);
        ck_assert_uint_eq(forest.n, 1);
        tell(&forest, 0, 1, levels, N, &cell, told);
        ck_assert_double_eq(cell.rank_error, 1. / (N - 1));
        for (size_t k = 1; k + 2 < N; k++) {
            const double off = told[k] - ((double)k + 0.25);
            ck_assert_double_le(fabs(off), 1 + 1e-9);
            /* the lower ones stand for more below them, the upper ones for more above */
            ck_assert(number ? off > -1e-9 : off < 0.5 + 1e-9);
            wrong += fabs(off) > 0.7;
        }
        ck_assert_uint_ge(wrong, N / 2 - 3);
        over_time_forest_done(&forest);
    }
}
END_TEST

/* Ranges of random lengths, in random order. */
START_TEST(any_ranges_in_any_order_give_the_same_bytes)
{
    enum { N = 20000, COLUMNS = 2, INSTANTS = 3, CELLS = COLUMNS * INSTANTS };
    const OverTimeShape shape = {COLUMNS, INSTANTS};
    double *values = normal_values(N * CELLS, 11);
    OverTimeForest whole = {0};
    Random random;
    Error err = {0};

    for (size_t k = 0; k < N * CELLS; k++)
        if (values[k] > 1.5)
            values[k] = NAN;
        else if (values[k] < -1.5)
            values[k] = k % 2 ? 0.0 : -0.0;
    add(&whole, shape, 0, N, values);
    ck_assert_uint_le(whole.n, 2 * 15);
    random_init(&random, 12);
    for (int trial = 0; trial < 6; trial++) {
        uint64_t bounds[400], order[400], n = 0;
        OverTimeForest forest = {0};
        for (uint64_t at = 0; at < N && n < 399;) {
            bounds[n++] = at;
            at += 1 + random_bits(&random) % (trial % 2 ? 4000 : 130);
        }
        bounds[n] = N;
        for (uint64_t k = 0; k < n; k++)
            order[k] = k;
        for (uint64_t k = n; k > 1; k--) {
            const uint64_t other = random_bits(&random) % k, last = order[k - 1];
            order[k - 1] = order[other];
            order[other] = last;
        }
        for (uint64_t k = 0; k < n; k++) {
            const uint64_t i = order[k];
            OverTimeForest own = {0};
            add(&own, shape, bounds[i], bounds[i + 1] - bounds[i], values + bounds[i] * CELLS);
            ck_assert_int_eq(over_time_forest_join(&forest, &own, &err), OK);
        }
        check_same(&whole, &forest);
        over_time_forest_done(&forest);
    }
    over_time_forest_done(&whole);
    free(values);
}
END_TEST

/* Quantiles of a normal distribution: their standard error for n values is sqrt(p (1 - p) / n) /
 * density. */
START_TEST(a_million_members_are_told_from_few_numbers)
{
    enum { N = 1000000, UNIT = 3000 };
    double *values = alloc_array(UNIT, sizeof *values), told[N_LEVELS];
    OverTimeForest forest = {0};
    OverTimeCell cell;
    Random random;
    size_t most = 0;

    random_init(&random, 21);
    for (uint64_t first = 0; first < N; first += UNIT) {
        const uint64_t n = N - first < UNIT ? N - first : UNIT;
        size_t bytes = 0;
        for (uint64_t k = 0; k < n; k++)
            values[k] = random_normal(&random);
        add(&forest, ONE, first, n, values);
        for (size_t k = 0; k < forest.n; k++)
            bytes += forest.nodes[k].words.length;
        most = bytes > most ? bytes : most;
    }
    ck_assert_uint_le(forest.n, 20);
    ck_assert_uint_le(most, 20 * 8 * (DIGEST_VALUES + 100));
    tell(&forest, 0, 1, LEVELS, N_LEVELS, &cell, told);
    ck_assert_uint_eq(cell.moments.count, N);
    ck_assert_double_le(cell.rank_error, 0.004);
    ck_assert_double_eq_tol(cell.moments.mean, 0, 5e-3);
    ck_assert_double_eq_tol(cell.moments.variance, 1, 5 * sqrt(2. / N));
    for (size_t k = 1; k + 1 < N_LEVELS; k++) {
        const double p = LEVELS[k], draws = 5 * sqrt(p * (1 - p) / N);
        ck_assert_double_ge(0.5 * erfc(-told[k] / sqrt(2)), p - cell.rank_error - draws);
        ck_assert_double_le(0.5 * erfc(-told[k] / sqrt(2)), p + cell.rank_error + draws);
    }
    double bytes = 0;
    for (size_t k = 0; k < forest.n; k++)
        bytes += (double)forest.nodes[k].words.length;
    ck_assert_double_le(bytes, over_time_bytes(ONE, N));
    ck_assert_double_ge(bytes, 0.8 * over_time_bytes(ONE, N));
    over_time_forest_done(&forest);
    free(values);
}
END_TEST

START_TEST(parts_are_the_cells_of_one_column)
{
    const OverTimeShape shape = {3, 130};
    size_t first, next = 0;

    ck_assert_uint_eq(over_time_parts(shape), 9);
    for (size_t p = 0; p < 9; p++) {
        const size_t n = over_time_part(shape, p, &first);
        ck_assert_uint_eq(first, next);
        ck_assert_uint_eq(first / 130, (first + n - 1) / 130);
        next = first + n;
    }
    ck_assert_uint_eq(next, 390);
}
END_TEST

/* Words that somebody changed are refused, or are those of another digest; nothing reads beyond
 * them. */
START_TEST(damaged_words_are_refused)
{
    enum { N = 3000 };
    double *values = normal_values(N, 31);
    OverTimeForest forest = {0};
    Error err = {0};
    Random random;

    add(&forest, ONE, 0, 2048, values);
    const Text *words = &forest.nodes[0].words;
    const size_t n = words->length / 8;
    for (size_t length = 1; length < n; length += 13) {
        uint64_t *cut = alloc_array(length, sizeof *cut);
        Digest d = {0};
        size_t at = 0;
        memcpy(cut, words->data, length * sizeof *cut);
        ck_assert_int_eq(digest_read(cut, length, &at, &d, &err), ERR_DAMAGED);
        digest_done(&d);
        free(cut);
    }
    random_init(&random, 32);
    for (int trial = 0; trial < 2000; trial++) {
        uint64_t *changed = alloc_array(n, sizeof *changed);
        Digest d = {0};
        size_t at = 0;
        memcpy(changed, words->data, n * sizeof *changed);
        changed[random_bits(&random) % 20] ^= UINT64_C(1) << random_bits(&random) % 64;
        const Status status = digest_read(changed, n, &at, &d, &err);
        ck_assert(status == OK || status == ERR_DAMAGED);
        ck_assert_uint_le(at, n);
        digest_done(&d);
        free(changed);
    }
    over_time_forest_done(&forest);
    free(values);
}
END_TEST

SUITE(over_time)
{
    TCase *tc = suite_case(suite, "over time");
    tcase_add_test(tc, few_members_have_the_statistics_of_their_values);
    tcase_add_test(tc, moments_far_from_zero_keep_their_digits);
    tcase_add_test(tc, what_is_not_finite_is_told_as_it_is);
    tcase_add_test(tc, quantiles_are_those_of_a_direct_sort_within_the_error_that_is_told);
    tcase_add_test(tc, the_error_that_is_told_is_reached);
    tcase_add_test(tc, any_ranges_in_any_order_give_the_same_bytes);
    tcase_add_test(tc, a_million_members_are_told_from_few_numbers);
    tcase_add_test(tc, parts_are_the_cells_of_one_column);
    tcase_add_test(tc, damaged_words_are_refused);
}
