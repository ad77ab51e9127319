/* Nodes of members: whatever units end, in whatever order, and however often the process dies, the
 * nodes are those of the members that have ended, put together as far as they go. A node's words
 * are here its members' numbers. */
#include <stdio.h>

#include "core/base/random.h"
#include "db/sqlite/sqlite_store.h"
#include "tests/db/fixture.h"
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

enum { MEMBERS = 700, PARTS = 2, NODES_MAX = 2 * 12 * PARTS };

static Status put_together(const uint64_t *lower, size_t n_lower, const uint64_t *upper,
                           size_t n_upper, uint64_t number, Text *words, Error *err)
{
    if (n_lower != n_upper || lower[0] / n_lower != 2 * number || upper[0] != lower[0] + n_lower)
        return error_set(err, ERR_INTERNAL, "these are not the halves of %llu",
                         (unsigned long long)number);
    text_append(words, (const char *)lower, n_lower * sizeof *lower);
    text_append(words, (const char *)upper, n_upper * sizeof *upper);
    return OK;
}

static JobRecord add_ensemble(uint64_t members)
{
    JobRecord job;
    bool replayed;
    JobDraft draft = draft_of("{\"vary\": 1}");
    draft.members = members;
    draft.columns = "[\"member\"]";
    draft.tables = "[]";
    draft.table_columns = "[]";
    draft.design = "{}";
    ck_ok(store_job_add(default_tenant(f.store), &draft, f.arena, &job, &replayed, err));
    return job;
}

static void finish(const char *id, const UnitLease *unit, uint64_t done)
{
    static uint64_t numbers[PARTS][MEMBERS];
    MemberNode nodes[NODES_MAX];
    UnitFinish finish = {.done = done, .nodes = {nodes, 0, put_together}};
    for (uint64_t i = 0; i < done; i++) {
        const double row = (double)(unit->first + i);
        ck_ok(store_unit_append(f.store, id, unit->token, -1, unit->first + i, &row, 1, 1, err));
        for (uint64_t p = 0; p < PARTS; p++)
            numbers[p][i] = unit->first + i;
    }
    for (uint64_t at = unit->first, end = at + done; at < end;) {
        unsigned level = 0;
        while (at % (UINT64_C(2) << level) == 0 && at + (UINT64_C(2) << level) <= end)
            level++;
        for (unsigned p = 0; p < PARTS; p++)
            nodes[finish.nodes.n++] = (MemberNode){.level = level,
                                                   .number = at >> level,
                                                   .part = p,
                                                   .words = numbers[p] + (at - unit->first),
                                                   .n_words = (size_t)1 << level};
        at += UINT64_C(1) << level;
    }
    ck_ok(store_unit_finish(f.store, id, unit->token, &finish, err));
}

static void check(const char *id, const bool *done)
{
    for (unsigned p = 0; p < PARTS; p++) {
        MemberNode *nodes;
        size_t n;
        uint64_t member = 0;
        ck_ok(store_member_nodes(default_tenant(f.store), id, p, f.arena, &nodes, &n, err));
        for (size_t k = 0; k < n; k++) {
            ck_assert_uint_eq(nodes[k].n_words, UINT64_C(1) << nodes[k].level);
            for (size_t i = 0; i < nodes[k].n_words; i++, member++) {
                while (member < MEMBERS && !done[member])
                    member++;
                ck_assert_uint_eq(nodes[k].words[i], member);
            }
            ck_assert(k == 0 || nodes[k].level != nodes[k - 1].level ||
                      nodes[k].number != (nodes[k - 1].number ^ 1));
        }
        while (member < MEMBERS && !done[member])
            member++;
        ck_assert_uint_eq(member, MEMBERS);
    }
    arena_reset(f.arena);
}

static void on_damage(void *self, const char *what)
{
    (void)self;
    ck_abort_msg("%s", what);
}

START_TEST(nodes_are_those_of_the_members_that_have_ended)
{
    const ReportSink sink = {NULL, on_damage};
    bool done[MEMBERS] = {false};
    uint64_t n_done = 0;
    StoreReport report;
    Random random;
    char id[JOB_ID_MAX];
    random_init(&random, 40 + (uint64_t)_i);
    f.options.max_attempts = 1000;
    fixture_reopen(&f);
    memcpy(id, add_ensemble(MEMBERS).id, sizeof id);
    (void)claim_job(&f);
    while (n_done < MEMBERS) {
        UnitLease units[4];
        size_t n = 0;
        for (; n < 4; n++)
            if (store_unit_claim(f.store, id, 1 + random_bits(&random) % 90, &units[n], NULL) != OK)
                break;
        while (n > 0) {
            const size_t at = random_bits(&random) % n;
            const UnitLease unit = units[at];
            const uint64_t cut = random_bits(&random) % 3 ? unit.n : random_bits(&random) % unit.n;
            units[at] = units[--n];
            finish(id, &unit, cut);
            for (uint64_t i = 0; i < cut; i++)
                done[unit.first + i] = true;
            n_done += cut;
            if (random_bits(&random) % 12 == 0) {
                fixture_reopen(&f);
                (void)claim_job(&f);
                n = 0;
            }
        }
        check(id, done);
    }
    ck_ok(store_verify(f.directory, &sink, &report, err));
    /* 700 is 512 + 128 + 32 + 16 + 8 + 4 */
    ck_assert_uint_eq(report.kinds[STORED_MEMBER_NODES].sound, 6 * PARTS);
}
END_TEST

START_TEST(claims_of_powers_of_two_end_at_their_multiples)
{
    static const uint64_t CLAIMS[][3] = {/* most, first, n */
                                         {3, 0, 3},  {8, 3, 5},   {8, 8, 8},
                                         {4, 16, 4}, {8, 20, 4},  {5, 24, 5},
                                         {1, 29, 1}, {16, 30, 2}, {16, 32, 8}};
    UnitLease unit;
    const JobRecord job = add_ensemble(40);
    (void)claim_job(&f);
    for (size_t k = 0; k < sizeof CLAIMS / sizeof *CLAIMS; k++) {
        ck_ok(store_unit_claim(f.store, job.id, CLAIMS[k][0], &unit, err));
        ck_assert_uint_eq(unit.first, CLAIMS[k][1]);
        ck_assert_uint_eq(unit.n, CLAIMS[k][2]);
    }
}
END_TEST

START_TEST(nodes_of_other_members_are_refused)
{
    static const uint64_t WORDS[] = {1};
    static const MemberNode BAD[] = {
        {0, 9, 0, WORDS, 1},   {0, 14, 0, WORDS, 1}, {3, 1, 0, WORDS, 1},
        {2, 2, 0, WORDS, 1},   {54, 0, 0, WORDS, 1}, {1, UINT64_C(1) << 53, 0, WORDS, 1},
        {60, 10, 0, WORDS, 1}, {0, 10, 0, WORDS, 0},
    };
    UnitLease unit;
    const JobRecord job = add_ensemble(20);
    (void)claim_job(&f);
    ck_ok(store_unit_claim(f.store, job.id, 10, &unit, err));
    finish(job.id, &unit, 10);
    ck_ok(store_unit_claim(f.store, job.id, 5, &unit, err));
    for (uint64_t i = 10; i < 14; i++) {
        const double row = (double)i;
        ck_ok(store_unit_append(f.store, job.id, unit.token, -1, i, &row, 1, 1, err));
    }
    for (size_t k = 0; k < sizeof BAD / sizeof *BAD; k++) {
        const UnitFinish bad = {.done = 4, .nodes = {&BAD[k], 1, put_together}};
        ck_fails(store_unit_finish(f.store, job.id, unit.token, &bad, err), ERR_INVALID);
    }
}
END_TEST

static void count_damage(void *self, const char *what)
{
    (void)what;
    ++*(int *)self;
}

START_TEST(damage_to_nodes_is_told)
{
    static const char *const CHANGES[] = {"UPDATE member_nodes SET words = zeroblob(8)",
                                          "UPDATE member_nodes SET part = 7 WHERE part = 0",
                                          "DELETE FROM member_nodes WHERE level = 1"};
    int damaged = 0;
    const ReportSink sink = {&damaged, count_damage};
    StoreReport report;
    MemberNode *nodes;
    size_t n;
    Connection connection;
    UnitLease unit;
    char path[100];
    const JobRecord job = add_ensemble(20);
    (void)claim_job(&f);
    ck_ok(store_unit_claim(f.store, job.id, 10, &unit, err));
    finish(job.id, &unit, 10);
    store_close(f.store);
    f.store = NULL;
    snprintf(path, sizeof path, "%s/dalembert.db", f.directory);
    ck_ok(connection_open(&connection, path, true, err));
    ck_ok(connection_script(&connection, CHANGES[_i], err));
    connection_close(&connection);
    ck_ok(store_verify(f.directory, &sink, &report, err));
    ck_assert_int_gt(damaged, 0);
    ck_assert_uint_gt(report.kinds[STORED_MEMBER_NODES].damaged, 0);
    ck_ok(store_open(&f.options, &f.store, err));
    ck_fails(store_member_nodes(default_tenant(f.store), job.id, 0, f.arena, &nodes, &n, err),
             ERR_DAMAGED);
    ck_assert_uint_gt(store_damaged(f.store), 0);
}
END_TEST

START_TEST(nodes_go_with_their_job)
{
    const ReportSink sink = {NULL, on_damage};
    JobRecord cancelled;
    StoreReport report;
    UnitLease unit;
    const JobRecord job = add_ensemble(20);
    (void)claim_job(&f);
    ck_ok(store_unit_claim(f.store, job.id, 10, &unit, err));
    finish(job.id, &unit, 10);
    ck_ok(store_job_cancel(default_tenant(f.store), job.id, f.arena, &cancelled, err));
    const JobLease lease = claim_job(&f);
    finish_job(&f, &lease, JOB_CANCELLED);
    ck_ok(store_verify(f.directory, &sink, &report, err));
    ck_assert_uint_eq(report.kinds[STORED_MEMBER_NODES].sound, 2 * PARTS);
    ck_ok(store_job_delete(default_tenant(f.store), job.id, err));
    ck_ok(store_verify(f.directory, &sink, &report, err));
    ck_assert_uint_eq(report.kinds[STORED_MEMBER_NODES].sound, 0);
}
END_TEST

SUITE(member_nodes)
{
    TCase *tc = suite_case(suite, "member nodes");
    tcase_add_checked_fixture(tc, setup, teardown);
    tcase_add_loop_test(tc, nodes_are_those_of_the_members_that_have_ended, 0, 6);
    tcase_add_test(tc, claims_of_powers_of_two_end_at_their_multiples);
    tcase_add_test(tc, nodes_of_other_members_are_refused);
    tcase_add_loop_test(tc, damage_to_nodes_is_told, 0, 3);
    tcase_add_test(tc, nodes_go_with_their_job);
}
