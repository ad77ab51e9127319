/* Rows of results: gathered into blocks, read back bit for bit, found by time. */
#include <math.h>

#include "core/base/random.h"
#include "tests/db/fixture.h"
#include "tests/deadline.h"
#include "tests/suite.h"

static Fixture f;

static void setup(void)
{
    fixture_init(&f);
}

static void teardown(void)
{
    fixture_done(&f);
}

static JobLease begin(const char *columns, const char *tables)
{
    add_job(&f, "{}");
    JobLease lease = claim_job(&f);
    ck_ok(store_result_begin(f.store, lease.job.id, lease.token, columns, tables, err));
    return lease;
}

static void append(const JobLease *lease, int table, const double *rows, size_t n_rows,
                   size_t n_columns)
{
    ck_ok(store_result_append(f.store, lease->job.id, lease->token, table, rows, n_rows, n_columns,
                              err));
}

/* A number that tells where it stands. */
static double value_at(int table, uint64_t row, size_t column)
{
    return column ? (double)row * 1000 + (double)column + table * 1e-3 : (double)row * 0.5;
}

static void append_counted(const JobLease *lease, int table, uint64_t first, size_t n_rows,
                           size_t n_columns)
{
    double *rows = calloc(n_rows * n_columns, sizeof *rows);
    ck_assert_ptr_nonnull(rows);
    for (size_t i = 0; i < n_rows; i++)
        for (size_t j = 0; j < n_columns; j++)
            rows[i * n_columns + j] = value_at(table, first + i, j);
    append(lease, table, rows, n_rows, n_columns);
    free(rows);
}

static ResultBlock block_at(const char *id, int table, uint64_t row)
{
    ResultBlock block;
    ck_ok(store_result_block(default_tenant(f.store), id, table, row, f.arena, &block, err));
    ck_assert_uint_le(block.first_row, row);
    ck_assert_uint_gt(block.first_row + block.n_rows, row);
    return block;
}

/* Walks all blocks; asks for each by its first, second and last row. */
static size_t check_table(const char *id, int table, uint64_t n_rows, size_t n_columns)
{
    uint64_t rows;
    ck_ok(store_result_rows(default_tenant(f.store), id, table, &rows, err));
    ck_assert_uint_eq(rows, n_rows);
    size_t blocks = 0;
    for (uint64_t row = 0; row < n_rows; blocks++) {
        arena_reset(f.arena);
        ResultBlock block = block_at(id, table, row);
        ck_assert_uint_eq(block.first_row, row);
        ck_assert_uint_eq(block.n_columns, n_columns);
        for (uint64_t i = 0; i < block.n_rows; i++)
            for (size_t j = 0; j < n_columns; j++)
                ck_assert_double_eq(block.rows[i * n_columns + j], value_at(table, row + i, j));
        const uint64_t last = row + block.n_rows - 1;
        ck_assert_uint_eq(block_at(id, table, last).first_row, row);
        ck_assert_uint_eq(block_at(id, table, row + (block.n_rows > 1)).first_row, row);
        row = last + 1;
    }
    ResultBlock block;
    ck_fails(store_result_block(default_tenant(f.store), id, table, n_rows, f.arena, &block, err),
             ERR_NOT_FOUND);
    ck_fails(
        store_result_block(default_tenant(f.store), id, table, UINT64_MAX, f.arena, &block, err),
        ERR_NOT_FOUND);
    return blocks;
}

START_TEST(rows_come_back_in_blocks_whatever_sizes_they_came_in)
{
    /* 512 KiB are 65536 numbers: 5 columns do not divide them */
    static const size_t SIZES[] = {1, 2, 3, 13106, 13107, 13108, 1, 26214, 40000, 7};
    JobLease lease = begin("[\"t\"]", "[\"hit\"]");
    uint64_t rows = 0;
    for (size_t i = 0; i < sizeof SIZES / sizeof *SIZES; i++) {
        append_counted(&lease, -1, rows, SIZES[i], 5);
        rows += SIZES[i];
    }
    finish_job(&f, &lease, JOB_SUCCEEDED);
    size_t blocks = check_table(lease.job.id, -1, rows, 5);
    ck_assert_uint_le(blocks, rows / 13107 + 1 + 2); /* few are not full */
    check_table(lease.job.id, 0, 0, 5);

    JobRecord job = get_job(&f, lease.job.id);
    ck_assert(job.complete);
    ck_assert_uint_eq(job.rows, rows);
    ck_assert_str_eq(job.columns, "[\"t\"]");
    ck_assert_str_eq(job.tables, "[\"hit\"]");
}
END_TEST

START_TEST(rows_one_by_one_gather_into_blocks)
{
    enum { ROWS = 20000 };
    JobLease lease = begin("[]", "[]");
    uint64_t hits = 0;
    for (uint64_t i = 0; i < ROWS; i++) {
        append_counted(&lease, -1, i, 1, 3);
        if (i % 7 == 0)
            append_counted(&lease, 4, hits++, 1, 2);
    }
    finish_job(&f, &lease, JOB_SUCCEEDED);
    /* a block every 0.1 s at the most while the rows trickle in */
    ck_assert_uint_lt(check_table(lease.job.id, -1, ROWS, 3), 60);
    ck_assert_uint_lt(check_table(lease.job.id, 4, hits, 2), 60);
    check_table(lease.job.id, 0, 0, 2);
}
END_TEST

START_TEST(a_row_wider_than_a_block_is_a_block)
{
    JobLease lease = begin("[]", NULL);
    append_counted(&lease, -1, 0, 3, 70000);
    finish_job(&f, &lease, JOB_SUCCEEDED);
    ck_assert_uint_eq(check_table(lease.job.id, -1, 3, 70000), 3);
    ck_assert_ptr_null(get_job(&f, lease.job.id).tables);
}
END_TEST

START_TEST(numbers_come_back_bit_for_bit)
{
    uint64_t bits[400], back[400];
    double row[400];
    Random random;
    random_init(&random, 3);
    for (int i = 0; i < 400; i++)
        bits[i] = random_bits(&random);
    static const uint64_t SPECIAL[] = {
        0, 0x8000000000000000, 0x7ff0000000000000, 0xfff0000000000000, 0x7ff8000000000001,
        1, 0x7fefffffffffffff};
    memcpy(bits, SPECIAL, sizeof SPECIAL);
    memcpy(row, bits, sizeof row);
    JobLease lease = begin("[]", NULL);
    append(&lease, -1, row, 1, 400);
    finish_job(&f, &lease, JOB_SUCCEEDED);
    memcpy(back, block_at(lease.job.id, -1, 0).rows, sizeof back);
    ck_assert_mem_eq(back, bits, sizeof bits);
}
END_TEST

START_TEST(a_row_without_time_is_refused)
{
    const double rows[] = {0, 1, (double)NAN, 1}, wide[] = {0, 1, 2};
    JobLease lease = begin("[]", NULL);
    const char *id = lease.job.id;
    ck_fails(store_result_append(f.store, id, lease.token, -1, rows, 2, 2, err), ERR_INVALID);
    ck_fails(store_result_append(f.store, id, lease.token, -2, rows, 1, 2, err), ERR_INVALID);
    ck_fails(store_result_append(f.store, id, lease.token, -1, rows, 1, 0, err), ERR_INVALID);
    ck_ok(store_result_append(f.store, id, lease.token, -1, rows, 0, 2, err));
    append(&lease, -1, rows, 1, 2);
    ck_fails(store_result_append(f.store, id, lease.token, -1, wide, 1, 3, err), ERR_INVALID);
    finish_job(&f, &lease, JOB_SUCCEEDED);
    ck_assert_uint_eq(get_job(&f, id).rows, 1);
}
END_TEST

START_TEST(rows_need_a_result_that_was_begun)
{
    const double row = 0;
    add_job(&f, "{}");
    JobLease lease = claim_job(&f);
    ck_fails(store_result_append(f.store, lease.job.id, lease.token, -1, &row, 1, 1, err),
             ERR_INVALID);
}
END_TEST

START_TEST(beginning_again_removes_the_earlier_rows)
{
    JobLease lease = begin("[\"old\"]", "[\"a\"]");
    append_counted(&lease, -1, 0, 100, 2);
    append_counted(&lease, 0, 0, 10, 2);
    ck_ok(store_result_begin(f.store, lease.job.id, lease.token, "[\"new\"]", NULL, err));
    append_counted(&lease, -1, 0, 3, 4);
    finish_job(&f, &lease, JOB_FAILED);
    check_table(lease.job.id, -1, 3, 4);
    check_table(lease.job.id, 0, 0, 2);
    JobRecord job = get_job(&f, lease.job.id);
    ck_assert_str_eq(job.columns, "[\"new\"]");
    ck_assert_ptr_null(job.tables);
    ck_assert(!job.complete);
}
END_TEST

/* Every added job is a commit; the rows do not ride with each of them. */
START_TEST(rows_beside_other_commits_gather_into_blocks)
{
    enum { COMMITS = 200 };
    JobLease lease = begin("[]", NULL);
    for (uint64_t i = 0; i < COMMITS; i++) {
        append_counted(&lease, -1, i, 1, 3);
        add_job(&f, "{}");
    }
    finish_job(&f, &lease, JOB_SUCCEEDED);
    /* on any machine whose commits take less than the second after which rows are stored */
    ck_assert_uint_lt(check_table(lease.job.id, -1, COMMITS, 3), COMMITS);
}
END_TEST

static uint64_t rows_of(const char *id)
{
    uint64_t rows;
    ck_ok(store_result_rows(default_tenant(f.store), id, -1, &rows, err));
    return rows;
}

START_TEST(a_running_job_shows_the_rows_stored_so_far)
{
    JobLease lease = begin("[]", NULL);
    append_counted(&lease, -1, 0, 500, 2);
    WAIT_UNTIL(rows_of(lease.job.id) == 500); /* they are written by themselves, after a while */
    check_table(lease.job.id, -1, 500, 2);
    JobRecord job = get_job(&f, lease.job.id);
    ck_assert_int_eq(job.state, JOB_RUNNING);
    ck_assert(!job.complete);
    ck_assert_uint_eq(job.rows, 500);
}
END_TEST

START_TEST(a_run_whose_process_died_leaves_no_rows)
{
    JobLease lease = begin("[]", NULL);
    append_counted(&lease, -1, 0, 500, 2);
    fixture_reopen(&f);
    JobRecord job = get_job(&f, lease.job.id);
    ck_assert_int_eq(job.state, JOB_QUEUED);
    ck_assert_uint_eq(job.rows, 0);
    ck_assert_ptr_null(job.columns);
    check_table(job.id, -1, 0, 2);
}
END_TEST

START_TEST(deleting_a_job_deletes_its_rows_only)
{
    JobLease a = begin("[]", NULL), b = begin("[]", NULL);
    append_counted(&a, -1, 0, 30000, 5);
    append_counted(&b, -1, 0, 30000, 5);
    finish_job(&f, &a, JOB_SUCCEEDED);
    finish_job(&f, &b, JOB_SUCCEEDED);
    ck_ok(store_job_delete(default_tenant(f.store), a.job.id, err));
    uint64_t rows;
    ck_fails(store_result_rows(default_tenant(f.store), a.job.id, -1, &rows, err), ERR_NOT_FOUND);
    check_table(b.job.id, -1, 30000, 5);
}
END_TEST

/* Times with repetitions, against a walk over all. */
static uint64_t oracle_find(const double *times, uint64_t n, double t, bool backward)
{
    uint64_t row = 0;
    while (row < n && (backward ? times[row] > t : times[row] < t))
        row++;
    return row;
}

static void check_find(const JobLease *lease, int table, const double *times, uint64_t n,
                       bool backward)
{
    Random random;
    random_init(&random, 9);
    for (int i = 0; i < 300; i++) {
        const uint64_t near = random_bits(&random) % n;
        double t = times[near];
        if (i % 3 == 0)
            t = nextafter(t, INFINITY);
        if (i % 3 == 1)
            t = nextafter(t, -INFINITY);
        if (i == 0)
            t = -INFINITY;
        if (i == 1)
            t = INFINITY;
        uint64_t row;
        ck_ok(store_result_find(default_tenant(f.store), lease->job.id, table, t, &row, err));
        ck_assert_uint_eq(row, oracle_find(times, n, t, backward));
    }
}

START_TEST(a_time_is_found_in_the_direction_of_the_run)
{
    enum { ROWS = 30000, COLUMNS = 9 };
    static double rows[ROWS * COLUMNS], times[ROWS];
    const bool backward = _i == 1;
    Random random;
    random_init(&random, 7);
    double t = 0.1;
    for (int i = 0; i < ROWS; i++) {
        times[i] = rows[i * COLUMNS] = t;
        if (random_bits(&random) % 4) /* else the same time again, also across blocks */
            t += (backward ? -1 : 1) * random_uniform(&random, 0, 1e-3);
    }
    for (int i = 7000; i < 15000; i++) /* a block and more of one time */
        times[i] = rows[i * COLUMNS] = times[7000];
    JobLease lease = begin("[]", NULL);
    append(&lease, -1, rows, ROWS, COLUMNS);
    append(&lease, 0, rows, 1, COLUMNS); /* one row: the direction is that of the run */
    append(&lease, 1, rows, 300, COLUMNS);
    finish_job(&f, &lease, JOB_SUCCEEDED);
    check_find(&lease, -1, times, ROWS, backward);
    check_find(&lease, 0, times, 1, backward);
    check_find(&lease, 1, times, 300, backward);
    uint64_t row;
    ck_ok(store_result_find(default_tenant(f.store), lease.job.id, 2, 0, &row,
                            err)); /* nothing there */
    ck_assert_uint_eq(row, 0);
}
END_TEST

SUITE(results)
{
    TCase *tc = suite_case(suite, "results");
    tcase_add_checked_fixture(tc, setup, teardown);
    tcase_add_test(tc, rows_come_back_in_blocks_whatever_sizes_they_came_in);
    tcase_add_test(tc, rows_one_by_one_gather_into_blocks);
    tcase_add_test(tc, a_row_wider_than_a_block_is_a_block);
    tcase_add_test(tc, numbers_come_back_bit_for_bit);
    tcase_add_test(tc, a_row_without_time_is_refused);
    tcase_add_test(tc, rows_need_a_result_that_was_begun);
    tcase_add_test(tc, beginning_again_removes_the_earlier_rows);
    tcase_add_test(tc, rows_beside_other_commits_gather_into_blocks);
    tcase_add_test(tc, a_running_job_shows_the_rows_stored_so_far);
    tcase_add_test(tc, a_run_whose_process_died_leaves_no_rows);
    tcase_add_test(tc, deleting_a_job_deletes_its_rows_only);
    tcase_add_loop_test(tc, a_time_is_found_in_the_direction_of_the_run, 0, 2);
}
