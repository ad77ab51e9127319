/* Selections and orders of members, against lists that are filtered and sorted the obvious way. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "api/documents/summary_rows.h"
#include "core/base/arena.h"
#include "core/base/random.h"
#include "core/ensemble/ensemble.h"
#include "tests/suite.h"

enum { STORED = 4, N = STORED + 1, MOST = 3000 };

static const char *const NAMES[STORED] = {"member", "a", "b", "state"};

/* Members that are stored, in blocks that end at multiples of `block`, at gaps, and at MOST. */
typedef struct Table {
    bool there[MOST];
    double rows[MOST * STORED];
    uint64_t n, block;
    double *copy; /* a fresh one each time, so that a stale pointer is seen */
    size_t blocks_read, freed;
} Table;

static void drop_copy(void *self)
{
    Table *table = self;

    free(table->copy);
    table->copy = NULL;
}

static void count_freed(void *self)
{
    Table *table = self;

    drop_copy(table);
    table->freed++;
}

static Status read_block(void *self, uint64_t member, RowsBlock *ret_block, Error *err)
{
    Table *table = self;

    while (member < table->n && !table->there[member])
        member++;
    if (member >= table->n)
        return error_set(err, ERR_NOT_FOUND, "none");
    /* the block that contains it, from its beginning */
    while (member % table->block && table->there[member - 1])
        member--;
    uint64_t end = member + 1;
    while (end < table->n && end % table->block && table->there[end])
        end++;
    const size_t size = (size_t)(end - member) * STORED * sizeof(double);
    drop_copy(table);
    table->copy = malloc(size);
    memcpy(table->copy, table->rows + member * STORED, size);
    table->blocks_read++;
    *ret_block = (RowsBlock){member, end - member, table->copy};
    return OK;
}

static void fill(Table *table, uint64_t n, uint64_t block, double gaps, uint64_t seed)
{
    Random random;

    *table = (Table){.n = n, .block = block};
    random_init(&random, seed);
    for (uint64_t k = 0; k < n; k++) {
        double *row = table->rows + k * STORED;
        table->there[k] = random_uniform(&random, 0, 1) >= gaps;
        row[0] = (double)k;
        row[1] = floor(random_uniform(&random, 0, 10)); /* many are equal */
        row[2] = random_uniform(&random, 0, 1) < 0.1 ? NAN : random_uniform(&random, -1, 1);
        row[3] = random_uniform(&random, 0, 1) < 0.2 ? MEMBER_NUMERIC : MEMBER_SUCCEEDED;
    }
}

static SummaryRows *open_rows(Table *table)
{
    const RowsSource source = {table, read_block, drop_copy};
    SummaryRows *rows = NULL;

    ck_assert_int_eq(summary_rows_new(&source, count_freed, N, NULL, &rows, NULL), OK);
    return rows;
}

static RowExpression *expression(const char *text, bool condition)
{
    Arena arena = {0};
    Diagnostics diag;
    SummaryColumns columns;
    RowExpression *e = NULL;

    diagnostics_init(&diag, &arena);
    ck_assert_int_eq(summary_columns(NAMES, NULL, STORED, &arena, &columns, NULL), OK);
    const RowColumns row = {columns.names, columns.words, columns.n};
    ck_assert_int_eq(row_expression_new(text, condition, &row, "where", &diag, &e, NULL), OK);
    arena_done(&arena);
    return e;
}

/* What "a < 7" and "-b" mean. */
static bool holds(const Table *table, uint64_t k)
{
    return table->there[k] && table->rows[k * STORED + 1] < 7;
}

static const Table *sorted_table;

static int by_minus_b(const void *x, const void *y)
{
    const uint64_t i = *(const uint64_t *)x, j = *(const uint64_t *)y;
    const double a = -sorted_table->rows[i * STORED + 2], b = -sorted_table->rows[j * STORED + 2];

    if (isnan(a) != isnan(b))
        return isnan(a) ? 1 : -1;
    if (!isnan(a) && a != b)
        return a < b ? -1 : 1;
    return (i > j) - (i < j);
}

/* Every row of the source is that of the member, in words. */
static void compare(const Table *table, const RowsSource *source, const uint64_t *members,
                    uint64_t n)
{
    RowsBlock block = {0};

    for (uint64_t k = 0; k < n; k++) {
        if (k < block.first_row || k - block.first_row >= block.n_rows)
            ck_assert_int_eq(source->block(source->self, k, &block, NULL), OK);
        ck_assert(k >= block.first_row && k - block.first_row < block.n_rows);
        const double *row = block.rows + (k - block.first_row) * N;
        const double *stored = table->rows + members[k] * STORED;
        ck_assert_mem_eq(row, stored, 3 * sizeof *row);
        ck_assert(isnan(row[4]) == (stored[3] == MEMBER_SUCCEEDED));
    }
    ck_assert_int_eq(source->block(source->self, n, &block, NULL), ERR_NOT_FOUND);
    source->release(source->self);
}

static const struct {
    bool where, sort;
    uint64_t first, limit;
} QUERIES[] = {
    {false, false, 0, 0},  {false, false, 500, 0}, {false, false, 17, 100}, {true, false, 0, 0},
    {true, false, 1, 7},   {true, false, 2990, 0}, {false, true, 0, 0},     {false, true, 10, 50},
    {true, true, 0, 1000}, {true, true, 2000, 0},  {true, true, 5000, 10},  {true, true, 3, 1},
};

START_TEST(a_query_selects_and_sorts_as_the_obvious_loop_does)
{
    static Table table;
    static uint64_t members[MOST];
    const bool where = QUERIES[_i].where, sort = QUERIES[_i].sort;

    for (uint64_t seed = 1; seed < 6; seed++) {
        fill(&table, seed == 5 ? 0 : MOST - 13 * seed, 1 + 61 * seed, seed % 2 ? 0.3 : 0, seed);
        SummaryQuery query = {.where = where ? expression("a < 7", true) : NULL,
                              .sort = sort ? expression("-b", false) : NULL,
                              .first = QUERIES[_i].first,
                              .limit = QUERIES[_i].limit};
        uint64_t n = 0;
        for (uint64_t k = sort ? 0 : query.first; k < table.n; k++)
            if (where ? holds(&table, k) : table.there[k])
                members[n++] = k;
        sorted_table = &table;
        uint64_t *page = members;
        if (sort) {
            qsort(members, n, sizeof *members, by_minus_b);
            page += query.first < n ? query.first : n;
            n -= (uint64_t)(page - members);
        }
        SummaryRows *rows = open_rows(&table);
        SummaryPage got;
        RowsSource source;
        ck_assert_int_eq(summary_rows_select(rows, &query, &got, &source, NULL), OK);
        ck_assert_int_eq(got.more, query.limit && n > query.limit);
        ck_assert_uint_eq(got.n, got.more ? query.limit : n);
        if (got.more)
            ck_assert_uint_eq(got.next, sort ? query.first + query.limit : page[query.limit]);
        compare(&table, &source, page, got.n);
        compare(&table, &source, page, got.n); /* series after series, it is read again */
        summary_rows_free(rows);
        ck_assert_uint_eq(table.freed, 1);
        row_expression_free(query.where);
        row_expression_free(query.sort);
    }
}
END_TEST

START_TEST(the_whole_has_a_row_for_every_member)
{
    static Table table;

    for (int filtered = 0; filtered < 2; filtered++) {
        fill(&table, MOST - 700, 50, 0.3, 9);
        SummaryRows *rows = open_rows(&table);
        const RowsSource source =
            summary_rows_whole(rows, filtered ? expression("a < 7", true) : NULL, NULL);
        RowsBlock block = {0};
        for (uint64_t k = 0; k < MOST; k++) { /* beyond the last one, too */
            if (k - block.first_row >= block.n_rows)
                ck_assert_int_eq(source.block(source.self, k, &block, NULL), OK);
            const double *row = block.rows + (k - block.first_row) * N;
            const bool there = k < table.n && (filtered ? holds(&table, k) : table.there[k]);
            ck_assert_double_eq(row[0], (double)k);
            if (there)
                ck_assert_mem_eq(row, table.rows + k * STORED, 3 * sizeof *row);
            for (size_t c = 1; !there && c < N; c++)
                ck_assert(isnan(row[c]));
        }
        summary_rows_free(rows);
    }
}
END_TEST

START_TEST(a_page_reads_no_further_than_it_needs)
{
    static Table table;
    SummaryPage page;
    RowsSource source;

    fill(&table, MOST, 10, 0, 3);
    SummaryRows *rows = open_rows(&table);
    const SummaryQuery query = {.first = 1000, .limit = 25};
    ck_assert_int_eq(summary_rows_select(rows, &query, &page, &source, NULL), OK);
    ck_assert_uint_eq(page.next, 1025);
    ck_assert_uint_eq(table.blocks_read, 3);
    summary_rows_free(rows);
}
END_TEST

SUITE(summary_rows)
{
    TCase *tc = suite_case(suite, "rows");
    tcase_add_loop_test(tc, a_query_selects_and_sorts_as_the_obvious_loop_does, 0,
                        sizeof QUERIES / sizeof QUERIES[0]);
    tcase_add_test(tc, the_whole_has_a_row_for_every_member);
    tcase_add_test(tc, a_page_reads_no_further_than_it_needs);
}
