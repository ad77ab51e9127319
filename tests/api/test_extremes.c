/* Few rows of many, against a direct look at the buckets. */
#include <math.h>
#include <string.h>

#include "api/documents/extremes.h"
#include "core/base/random.h"
#include "tests/suite.h"

enum { COLUMNS = 3, MOST = 1500, BLOCK = 7 };

typedef struct Source {
    double rows[MOST][COLUMNS];
    uint64_t n;
    int freed;
    uint64_t blocks, fails_from;
} Source;

static Status source_block(void *self, uint64_t row, RowsBlock *ret_block, Error *err)
{
    Source *s = self;
    const uint64_t first = row / BLOCK * BLOCK;

    ck_assert_uint_lt(row, s->n);
    if (row >= s->fails_from)
        return error_set(err, ERR_DAMAGED, "a block is damaged");
    s->blocks++;
    *ret_block = (RowsBlock){first, s->n - first < BLOCK ? s->n - first : BLOCK, s->rows[first]};
    return OK;
}

static void source_free(void *self)
{
    Source *s = self;

    s->freed++;
}

static uint64_t below(Random *random, uint64_t n)
{
    return random_bits(random) % n;
}

static void draw(Source *s, Random *random, uint64_t n)
{
    memset(s, 0, sizeof *s);
    s->n = n;
    s->fails_from = MOST;
    for (uint64_t k = 0; k < n; k++) {
        s->rows[k][0] = (double)k;
        s->rows[k][1] = below(random, 5) ? random_uniform(random, -1, 1) : NAN;
        s->rows[k][2] = (double)below(random, 4);
    }
}

/* The value first reached of the extremes of rows from .. to - 1, or the other; NaN where there is
 * none. */
static double extreme(const Source *s, uint64_t from, uint64_t to, size_t c, bool later)
{
    uint64_t least = to, greatest = to;

    for (uint64_t k = from; k < to; k++) {
        const double value = s->rows[k][c];
        if (isnan(value))
            continue;
        least = least == to || value < s->rows[least][c] ? k : least;
        greatest = greatest == to || value > s->rows[greatest][c] ? k : greatest;
    }
    if (least == to)
        return NAN;
    return s->rows[(least < greatest) == later ? greatest : least][c];
}

static bool is_same(double a, double b)
{
    return a == b || (isnan(a) && isnan(b));
}

static void check_buckets(Source *s, const RowsSource *few, uint64_t first, uint64_t n,
                          uint64_t buckets)
{
    const uint64_t inner = n - 2;
    uint64_t begin = first + 1;
    RowsBlock block = {0};

    for (uint64_t b = 0; b < buckets; b++) {
        const uint64_t end = begin + inner / buckets + (b < inner % buckets);
        for (uint64_t h = 0; h < 2; h++) {
            const uint64_t row = 1 + 2 * b + h;
            if (row >= block.first_row + block.n_rows)
                ck_assert_int_eq(few->block(few->self, row, &block, NULL), OK);
            ck_assert(block.first_row <= row && row < block.first_row + block.n_rows);
            for (size_t c = 0; c < COLUMNS; c++)
                ck_assert(is_same(block.rows[(row - block.first_row) * COLUMNS + c],
                                  extreme(s, begin, end, c, h == 1)));
        }
        begin = end;
    }
    ck_assert_uint_eq(begin, first + n - 1);
}

START_TEST(every_bucket_has_its_extremes_in_their_order)
{
    static Source s;
    Random random;

    random_init(&random, 11);
    for (int k = 0; k < 60; k++) {
        draw(&s, &random, 20 + below(&random, MOST - 20));
        const uint64_t first = below(&random, 5), n = s.n - first - below(&random, 5);
        const uint64_t buckets = 1 + below(&random, (n - 2) / 2 - 1);
        const RowsSource inner = {&s, source_block, NULL};
        RowsSource few;
        RowsBlock block;
        ck_assert_uint_eq(extremes_rows(n, buckets), 2 * buckets + 2);
        ck_assert_int_eq(extremes_new(&inner, source_free, COLUMNS, first, n, buckets, &few, NULL),
                         OK);
        check_buckets(&s, &few, first, n, buckets);
        ck_assert_int_eq(few.block(few.self, 0, &block, NULL), OK);
        ck_assert_double_eq(block.rows[0], (double)first);
        few.release(few.self);
        ck_assert_int_eq(few.block(few.self, 2 * buckets + 1, &block, NULL), OK);
        ck_assert_double_eq(block.rows[0], (double)(first + n - 1));
        ck_assert_int_eq(few.block(few.self, 2 * buckets + 2, &block, NULL), ERR_NOT_FOUND);
        extremes_free(few.self);
        ck_assert_int_eq(s.freed, 1);
    }
}
END_TEST

START_TEST(as_many_rows_as_there_are_need_no_buckets)
{
    ck_assert_uint_eq(extremes_rows(0, 3), 0);
    ck_assert_uint_eq(extremes_rows(1, 3), 1);
    ck_assert_uint_eq(extremes_rows(8, 3), 8);
    ck_assert_uint_eq(extremes_rows(9, 3), 9);
    ck_assert_uint_eq(extremes_rows(10, 3), 8);
}
END_TEST

START_TEST(a_source_that_fails_says_so)
{
    static Source s;
    Random random;
    RowsSource few;
    RowsBlock block;
    Error err = {0};

    random_init(&random, 12);
    draw(&s, &random, 1000);
    s.fails_from = 500;
    ck_assert_int_eq(extremes_new(&(RowsSource){&s, source_block, NULL}, source_free, COLUMNS, 0,
                                  s.n, 10, &few, &err),
                     OK);
    ck_assert_int_eq(few.block(few.self, 1, &block, &err), ERR_DAMAGED);
    extremes_free(few.self);
}
END_TEST

SUITE(extremes)
{
    TCase *tc = suite_case(suite, "extremes");
    tcase_add_test(tc, every_bucket_has_its_extremes_in_their_order);
    tcase_add_test(tc, as_many_rows_as_there_are_need_no_buckets);
    tcase_add_test(tc, a_source_that_fails_says_so);
}
