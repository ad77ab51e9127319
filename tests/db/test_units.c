/* Units of ensembles: random histories against a small model, what readers see of them, whose turn
 * it is, and what becomes of members whose process dies. */
#include <stdio.h>
#include <sys/stat.h>

#include "core/base/random.h"
#include "db/sqlite/sqlite_store.h"
#include "tests/db/members.h"
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

enum { MEMBERS = 500, UNITS = 6 };

/* The model: which members are done, and which units somebody has. */
typedef struct History {
    Random random;
    char id[JOB_ID_MAX];
    bool done[MEMBERS], taken[MEMBERS];
    UnitLease units[UNITS];
    size_t n_units, deaths;
    bool released; /* which is not waited for */
    uint64_t n_done, n_failed;
} History;

static uint64_t below(History *history, uint64_t n)
{
    return random_bits(&history->random) % n;
}

static void history_claim(History *history)
{
    UnitLease unit;
    if (history->n_units == UNITS)
        return;
    const uint64_t most = 1 + below(history, 60);
    if (store_unit_claim(f.store, history->id, most, &unit, NULL) != OK) {
        uint64_t taken = 0;
        for (uint64_t i = 0; i < MEMBERS; i++)
            taken += history->done[i] || history->taken[i];
        ck_assert(taken == MEMBERS || history->deaths > 0 || history->released);
        return;
    }
    ck_assert_uint_le(unit.n, most);
    for (uint64_t i = unit.first; i < unit.first + unit.n; i++) {
        ck_assert(!history->done[i] && !history->taken[i]);
        history->taken[i] = true;
    }
    history->units[history->n_units++] = unit;
}

/* Some of its members are told in any order, the first of them all; the others go back. */
static void history_end(History *history)
{
    if (history->n_units == 0)
        return;
    const size_t at = (size_t)below(history, history->n_units);
    const UnitLease unit = history->units[at];
    history->units[at] = history->units[--history->n_units];
    for (uint64_t i = 0; i < unit.n; i++)
        history->taken[unit.first + i] = false;
    const uint64_t done = below(history, 3) ? unit.n : below(history, unit.n + 1);
    for (uint64_t i = unit.n; i-- > 0;)
        if (i < done || below(history, 2))
            ck_assert_int_eq(tell(&f, history->id, &unit, unit.first + i), OK);
    if (done == 0 && below(history, 2)) {
        ck_ok(store_unit_release(f.store, history->id, unit.token, err));
        history->released = true;
    } else {
        ck_assert_int_eq(finish_unit(&f, history->id, &unit, done), OK);
        for (uint64_t i = 0; i < done; i++)
            history->done[unit.first + i] = true;
        history->n_done += done;
        history->n_failed += done / 2;
    }
    ck_assert_int_eq(finish_unit(&f, history->id, &unit, 0), ERR_CONFLICT);
    ck_assert_int_eq(tell(&f, history->id, &unit, unit.first), ERR_CONFLICT);
}

static void history_die(History *history)
{
    history->deaths++;
    fixture_reopen(&f);
    memset(history->taken, 0, sizeof history->taken);
    history->n_units = 0;
    (void)claim_job(&f);
}

static void history_check(const History *history)
{
    const JobRecord job = get_job(&f, history->id);
    ck_assert_uint_eq(job.members.total, MEMBERS);
    ck_assert_uint_eq(job.members.done, history->n_done);
    ck_assert_uint_eq(job.members.failed, history->n_failed);
    for (uint64_t i = 0; i < MEMBERS; i += 7)
        check_member(&f, history->id, i, history->done[i]);
    check_tables(&f, history->id, history->done, MEMBERS);
    arena_reset(f.arena);
}

START_TEST(any_history_of_units_has_every_member_once)
{
    static History history;
    memset(&history, 0, sizeof history);
    printf("units: seed %d\n", _i + 1);
    random_init(&history.random, (uint64_t)_i + 1);
    f.options.max_attempts = 1000;
    fixture_reopen(&f);
    const JobRecord job = add_ensemble(&f, MEMBERS, 0);
    strcpy(history.id, job.id);
    const JobLease lease = claim_job(&f);
    ck_assert(lease.in_units);
    for (int step = 0; history.n_done < MEMBERS; step++) {
        ck_assert_int_lt(step, 20000);
        const uint64_t what = below(&history, 100);
        if (what < 50)
            history_claim(&history);
        else if (what < 99 || _i % 3 == 0)
            history_end(&history);
        else
            history_die(&history);
        if (step % 50 == 0)
            history_check(&history);
    }
    history_check(&history);
    check_sound(&f);
    JobLease end = claim_job(&f);
    ck_assert(!end.in_units);
    ck_assert_str_eq(end.job.id, job.id);
    finish_job(&f, &end, JOB_SUCCEEDED);
    check_sound(&f);
    fixture_reopen(&f);
    history_check(&history);
    ck_assert_int_eq(get_job(&f, job.id).state, JOB_SUCCEEDED);
    ck_ok(store_job_delete(default_tenant(f.store), job.id, err));
}
END_TEST

START_TEST(rows_of_a_unit_are_seen_when_it_ends)
{
    const JobRecord job = add_ensemble(&f, 64, 0);
    const JobLease lease = claim_job(&f);
    ck_assert_str_eq(lease.job.columns, "[\"member\",\"a\",\"b\"]");
    ck_assert_str_eq(lease.job.tables, "[\"hits\"]");
    ck_assert_str_eq(lease.job.table_columns, "[\"member\",\"t\"]");
    ck_assert_str_eq(lease.job.members.design, "{\"kind\":\"grid\"}");
    const UnitLease unit = claim_unit(&f, job.id, 64);
    for (uint64_t i = 0; i < 64; i++)
        ck_assert_int_eq(tell(&f, job.id, &unit, i), OK);
    for (uint64_t i = 0; i < 64; i++)
        check_member(&f, job.id, i, false);
    ck_assert_uint_eq(get_job(&f, job.id).members.done, 0);
    ck_assert_int_eq(finish_unit(&f, job.id, &unit, 64), OK);
    for (uint64_t i = 0; i < 64; i++)
        check_member(&f, job.id, i, true);
    ck_assert_uint_eq(get_job(&f, job.id).members.done, 64);
}
END_TEST

/* More rows than are held in memory, of members in turn: those of the second half go back. */
START_TEST(many_rows_of_members_are_kept_in_order)
{
    enum { N = 8, PORTIONS = 20, ROWS = 10000 };
    static double rows[ROWS][TABLE_COLUMNS];
    ResultBlock block;
    const JobRecord job = add_ensemble(&f, N, 0);
    (void)claim_job(&f);
    for (int round = 0; round < 2; round++) {
        const UnitLease unit = claim_unit(&f, job.id, N);
        ck_assert_uint_eq(unit.n, round ? N / 2 : N);
        for (uint64_t portion = 0; portion < PORTIONS; portion++)
            for (uint64_t member = unit.first; member < N; member++) {
                for (uint64_t i = 0; i < ROWS; i++) {
                    rows[i][0] = (double)member;
                    rows[i][1] = (double)(portion * ROWS + i);
                }
                ck_ok(store_unit_append(f.store, job.id, unit.token, 0, member, rows[0], ROWS,
                                        TABLE_COLUMNS, err));
            }
        for (uint64_t i = 0; i < unit.n; i++) {
            const double row[COLUMNS] = {(double)(unit.first + i)};
            ck_ok(store_unit_append(f.store, job.id, unit.token, -1, unit.first + i, row, 1,
                                    COLUMNS, err));
        }
        ck_assert_int_eq(finish_unit(&f, job.id, &unit, round ? unit.n : N / 2), OK);
    }
    uint64_t place = 0, seen = 0;
    while (store_table_next(default_tenant(f.store), job.id, 0, &place, f.arena, &block, NULL) ==
           OK)
        for (uint64_t i = 0; i < block.n_rows; i++, seen++) {
            ck_assert_double_eq(block.rows[2 * i], (double)(seen / (PORTIONS * ROWS)));
            ck_assert_double_eq(block.rows[2 * i + 1], (double)(seen % (PORTIONS * ROWS)));
        }
    ck_assert_uint_eq(seen, (uint64_t)N * PORTIONS * ROWS);
    for (uint64_t member = 0; member < N; member++) {
        ck_ok(store_member_block(default_tenant(f.store), job.id, 0, member, 123456, f.arena,
                                 &block, err));
        ck_assert_double_eq(block.rows[0], (double)member);
        ck_assert_double_eq(block.rows[1], 123456.0);
        ck_fails(store_member_block(default_tenant(f.store), job.id, 0, member,
                                    (uint64_t)PORTIONS * ROWS, f.arena, &block, err),
                 ERR_NOT_FOUND);
    }
    check_sound(&f);
}
END_TEST

START_TEST(an_ensemble_comes_behind_the_others_of_its_priority)
{
    const JobRecord first = add_ensemble(&f, 100, 0), second = add_ensemble(&f, 100, 0);
    const JobRecord low = add_priority(&f, "{}", -1);
    ck_assert_str_eq(claim_job(&f).job.id, first.id);
    ck_assert_int_eq(store_others_wait(f.store, first.id), OTHERS_ENSEMBLE);
    const JobRecord plain = add_job(&f, "{}");
    ck_assert_str_eq(claim_job(&f).job.id, second.id);
    ck_assert_str_eq(claim_job(&f).job.id, first.id);
    JobLease lease = claim_job(&f);
    ck_assert_str_eq(lease.job.id, plain.id);
    ck_assert_str_eq(claim_job(&f).job.id, second.id);
    finish_job(&f, &lease, JOB_SUCCEEDED);
    for (int i = 0; i < 4; i++) {
        const UnitLease unit = claim_unit(&f, i % 2 ? first.id : second.id, 50);
        run_unit(&f, i % 2 ? first.id : second.id, &unit);
    }
    ck_assert_int_eq(store_others_wait(f.store, second.id), OTHERS_JOB);
    for (int i = 0; i < 2; i++) {
        lease = claim_job(&f);
        ck_assert(!lease.in_units);
        ck_assert_uint_eq(lease.job.members.done, 100);
        finish_job(&f, &lease, JOB_SUCCEEDED);
    }
    ck_assert_str_eq(claim_job(&f).job.id, low.id);
}
END_TEST

START_TEST(an_ensemble_alone_is_not_told_that_others_wait)
{
    const JobRecord job = add_ensemble(&f, 100, 1);
    (void)claim_job(&f);
    ck_assert_int_eq(store_others_wait(f.store, job.id), OTHERS_NONE);
    const UnitLease unit = claim_unit(&f, job.id, 100);
    ck_assert_int_eq(store_others_wait(f.store, job.id), OTHERS_NONE);
    add_job(&f, "{}"); /* of lower priority: it would not be its turn */
    ck_assert_int_eq(store_others_wait(f.store, job.id), OTHERS_NONE);
    add_priority(&f, "{}", 1);
    ck_assert_int_eq(store_others_wait(f.store, job.id), OTHERS_JOB);
    run_unit(&f, job.id, &unit);
}
END_TEST

START_TEST(a_cancelled_ensemble_is_ended_when_no_unit_runs)
{
    JobRecord job = add_ensemble(&f, 100, 0);
    JobLease lease;
    UnitLease other;
    (void)claim_job(&f);
    const UnitLease unit = claim_unit(&f, job.id, 10);
    ck_assert(!store_job_stop_wanted(f.store, job.id, unit.token));
    ck_ok(store_job_cancel(default_tenant(f.store), job.id, f.arena, &job, err));
    ck_assert_int_eq(job.state, JOB_RUNNING);
    ck_assert(store_job_stop_wanted(f.store, job.id, unit.token));
    ck_fails(store_unit_claim(f.store, job.id, 10, &other, err), ERR_NOT_FOUND);
    ck_fails(store_job_claim(f.store, f.arena, &lease, err), ERR_NOT_FOUND);
    for (uint64_t i = 0; i < 4; i++)
        ck_assert_int_eq(tell(&f, job.id, &unit, i), OK);
    ck_assert_int_eq(finish_unit(&f, job.id, &unit, 4), OK);
    lease = claim_job(&f);
    ck_assert(!lease.in_units);
    ck_assert(store_job_stop_wanted(f.store, job.id, lease.token));
    finish_job(&f, &lease, JOB_CANCELLED);
    job = get_job(&f, job.id);
    ck_assert_int_eq(job.state, JOB_CANCELLED);
    ck_assert_uint_eq(job.members.done, 4);
    check_member(&f, job.id, 3, true);
    check_member(&f, job.id, 4, false);
    check_sound(&f);
}
END_TEST

START_TEST(an_ensemble_that_nobody_has_run_is_cancelled_at_once)
{
    JobRecord job = add_ensemble(&f, 100, 0);
    JobLease lease;
    ck_ok(store_job_cancel(default_tenant(f.store), job.id, f.arena, &job, err));
    ck_assert_int_eq(job.state, JOB_CANCELLED);
    ck_fails(store_job_claim(f.store, f.arena, &lease, err), ERR_NOT_FOUND);
    ck_ok(store_job_delete(default_tenant(f.store), job.id, err));
}
END_TEST

START_TEST(a_stopped_ensemble_runs_no_other_members)
{
    UnitLease other;
    const JobRecord job = add_ensemble(&f, 100, 0);
    (void)claim_job(&f);
    const UnitLease unit = claim_unit(&f, job.id, 10), beside = claim_unit(&f, job.id, 10);
    ck_assert_int_eq(tell(&f, job.id, &unit, 0), OK);
    const UnitFinish stop = {.done = 1, .failed = 1, .stop = true};
    ck_ok(store_unit_finish(f.store, job.id, unit.token, &stop, err));
    ck_fails(store_unit_claim(f.store, job.id, 10, &other, err), ERR_NOT_FOUND);
    ck_assert(store_job_stop_wanted(f.store, job.id, beside.token));
    if (_i)
        fixture_reopen(&f); /* it is remembered */
    else
        ck_ok(store_unit_release(f.store, job.id, beside.token, err));
    JobLease lease;
    while (store_job_claim(f.store, f.arena, &lease, NULL) != OK)
        ; /* the release is not waited for */
    ck_assert(!lease.in_units);
    ck_assert_uint_eq(lease.job.members.done, 1);
    finish_job(&f, &lease, JOB_FAILED);
}
END_TEST

/* Whoever runs member 77 dies. It is found by halves, and alone it dies max_attempts times before
 * it is given up. */
START_TEST(a_member_that_kills_its_process_is_found_by_halving)
{
    enum { KILLER = 77, N = 200 };
    unsigned deaths = 0, alone = 0;
    f.options.max_attempts = 3;
    fixture_reopen(&f);
    const JobRecord job = add_ensemble(&f, N, 0);
    JobLease lease;
    for (lease = claim_job(&f); lease.in_units; lease = claim_job(&f)) {
        UnitLease unit, beside;
        ck_assert_uint_lt(deaths, 40);
        ck_ok(store_unit_claim(f.store, job.id, 64, &unit, err));
        const bool kills = unit.first <= KILLER && KILLER < unit.first + unit.n;
        if (unit.lost) {
            ck_assert(kills && unit.n == 1);
            ck_assert_uint_eq(alone, 3);
        } else if (kills) {
            /* no other of those that died runs beside it */
            if (deaths)
                ck_fails(store_unit_claim(f.store, job.id, 64, &beside, err), ERR_NOT_FOUND);
            deaths++;
            alone += unit.n == 1;
            fixture_reopen(&f);
            continue;
        }
        run_unit(&f, job.id, &unit);
    }
    ck_assert_uint_eq(alone, 3);
    ck_assert_uint_eq(lease.job.members.done, N);
    finish_job(&f, &lease, JOB_SUCCEEDED);
    check_sound(&f);
}
END_TEST

START_TEST(the_end_of_an_ensemble_can_be_put_back)
{
    const JobRecord job = add_ensemble(&f, 10, 0);
    (void)claim_job(&f);
    const UnitLease unit = claim_unit(&f, job.id, 10);
    run_unit(&f, job.id, &unit);
    JobLease lease = claim_job(&f);
    ck_assert(!lease.in_units);
    ck_ok(store_job_release(f.store, job.id, lease.token, err));
    check_member(&f, job.id, 5, true);
    lease = claim_job(&f);
    ck_assert(!lease.in_units);
    ck_assert_uint_eq(lease.job.attempt, 1);
    fixture_reopen(&f); /* its process dies */
    lease = claim_job(&f);
    ck_assert(!lease.in_units);
    ck_assert_uint_eq(lease.job.attempt, 2);
    finish_job(&f, &lease, JOB_SUCCEEDED);
    check_member(&f, job.id, 5, true);
}
END_TEST

START_TEST(what_is_not_of_the_unit_is_refused)
{
    const JobRecord job = add_ensemble(&f, 10, 0);
    (void)claim_job(&f);
    const UnitLease unit = claim_unit(&f, job.id, 5);
    const double row[COLUMNS] = {5.0}, first[COLUMNS] = {0.0};
    ck_fails(store_unit_append(f.store, job.id, unit.token, -1, 5, row, 1, COLUMNS, err),
             ERR_INVALID);
    ck_fails(store_unit_append(f.store, job.id, unit.token, -1, 4, row, 1, COLUMNS, err),
             ERR_INVALID);
    ck_ok(store_unit_append(f.store, job.id, unit.token, -1, 0, first, 1, COLUMNS, err));
    ck_fails(store_unit_append(f.store, job.id, unit.token, -1, 0, first, 1, COLUMNS, err),
             ERR_INVALID);
    const UnitFinish too_many = {.done = 2}, beyond = {.done = 6};
    ck_fails(store_unit_finish(f.store, job.id, unit.token, &too_many, err), ERR_INVALID);
    ck_fails(store_unit_finish(f.store, job.id, unit.token, &beyond, err), ERR_INVALID);
    ck_fails(store_result_begin(f.store, job.id, unit.token, "[]", NULL, err), ERR_INVALID);
    ck_fails(store_job_release(f.store, job.id, unit.token, err), ERR_CONFLICT);
    ck_assert_int_eq(finish_unit(&f, job.id, &unit, 1), OK);
}
END_TEST

/* Of three members the second says what many say, the third what nobody else does. */
/* It goes on while a unit runs, stands still while none does, and is known to the next process. */
START_TEST(the_time_of_an_ensemble_is_that_of_its_units)
{
    const JobRecord job = add_ensemble(&f, 30, 0);
    (void)claim_job(&f);
    UnitLease unit = claim_unit(&f, job.id, 10);
    ck_assert_uint_eq(unit.used_ms, 0);
    const LiveEnsemble *ensemble = live_ensemble_find(f.store, job.id);
    WAIT_UNTIL(live_ensemble_used_ms(ensemble) > 20);
    run_unit(&f, job.id, &unit);
    const uint64_t used = live_ensemble_used_ms(ensemble);
    ck_assert_uint_gt(used, 20);
    const JobRecord other = add_ensemble(&f, 30, 0);
    while (strcmp(claim_job(&f).job.id, other.id) != 0)
        ;
    (void)claim_unit(&f, other.id, 10);
    WAIT_UNTIL(live_ensemble_used_ms(live_ensemble_find(f.store, other.id)) > 20);
    ck_assert_uint_eq(live_ensemble_used_ms(ensemble), used);
    fixture_reopen(&f);
    while (strcmp(claim_job(&f).job.id, job.id) != 0)
        ;
    unit = claim_unit(&f, job.id, 10);
    ck_assert_uint_gt(unit.used_ms, 20);
    ck_ok(store_unit_release(f.store, job.id, unit.token, err));
}
END_TEST

/* On the disk a member is its row of doubles and little else. */
START_TEST(a_member_takes_little_room_on_the_disk)
{
    enum { N = 100000, WIDE = 12 };
    struct stat before, after;
    char path[100];
    snprintf(path, sizeof path, "%s/dalembert.db", f.directory);
    store_close(f.store);
    ck_assert_int_eq(stat(path, &before), 0);
    ck_ok(store_open(&f.options, &f.store, err));
    const JobRecord job = add_ensemble(&f, N, 0);
    UnitLease unit;
    claim_job(&f); /* its units */
    while (store_unit_claim(f.store, job.id, _i ? 32 : 4096, &unit, NULL) == OK) {
        for (uint64_t i = unit.first; i < unit.first + unit.n; i++) {
            double row[WIDE] = {(double)i};
            for (size_t k = 1; k < WIDE; k++)
                row[k] = 1.0 / (double)(i + k);
            ck_ok(store_unit_append(f.store, job.id, unit.token, -1, i, row, 1, WIDE, err));
        }
        ck_assert_int_eq(finish_unit(&f, job.id, &unit, unit.n), OK);
    }
    const JobLease lease = claim_job(&f);
    finish_job(&f, &lease, JOB_SUCCEEDED);
    store_close(f.store);
    f.store = NULL;
    ck_assert_int_eq(stat(path, &after), 0);
    const double bytes = (double)(after.st_size - before.st_size) / N;
    printf("units: %.1f bytes a member of %d columns, in units of %d\n", bytes, WIDE,
           _i ? 32 : 4096);
    ck_assert_double_le(bytes, 64 + 10 * WIDE);
}
END_TEST

SUITE(units)
{
    TCase *tc = suite_case(suite, "units");
    tcase_add_checked_fixture(tc, setup, teardown);
    tcase_add_loop_test(tc, any_history_of_units_has_every_member_once, 0, 12);
    tcase_add_test(tc, rows_of_a_unit_are_seen_when_it_ends);
    tcase_add_test(tc, many_rows_of_members_are_kept_in_order);
    tcase_add_test(tc, an_ensemble_comes_behind_the_others_of_its_priority);
    tcase_add_test(tc, an_ensemble_alone_is_not_told_that_others_wait);
    tcase_add_test(tc, a_cancelled_ensemble_is_ended_when_no_unit_runs);
    tcase_add_test(tc, an_ensemble_that_nobody_has_run_is_cancelled_at_once);
    tcase_add_loop_test(tc, a_stopped_ensemble_runs_no_other_members, 0, 2);
    tcase_add_test(tc, a_member_that_kills_its_process_is_found_by_halving);
    tcase_add_test(tc, the_end_of_an_ensemble_can_be_put_back);
    tcase_add_test(tc, what_is_not_of_the_unit_is_refused);
    tcase_add_test(tc, the_time_of_an_ensemble_is_that_of_its_units);
    tcase_add_loop_test(tc, a_member_takes_little_room_on_the_disk, 0, 2);
}
