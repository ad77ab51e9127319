/* What members that failed said: kept of the first ones, whatever the order in which units end, and
 * told when it is damaged. */
#include <stdio.h>

#include "core/base/random.h"
#include "db/sqlite/sqlite_store.h"
#include "tests/db/members.h"
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

static const char *said_by(uint64_t member, char *buffer, size_t size)
{
    if (member % 3 == 0)
        return NULL;
    snprintf(buffer, size, member % 3 == 1 ? "what many say" : "what member %llu says",
             (unsigned long long)member);
    return buffer;
}

static void end_saying(const char *id, const UnitLease *unit)
{
    static MemberText said[MEMBER_TEXTS_MAX];
    static char texts[MEMBER_TEXTS_MAX][60];
    UnitFinish finish = {.done = unit->n, .said = said};
    for (uint64_t i = 0; i < unit->n; i++) {
        const uint64_t member = unit->first + i;
        ck_assert_int_eq(tell(&f, id, unit, member), OK);
        if (said_by(member, texts[finish.n_said], sizeof texts[0])) {
            said[finish.n_said] = (MemberText){member, texts[finish.n_said]};
            finish.n_said++;
            finish.failed++;
        }
    }
    ck_ok(store_unit_finish(f.store, id, unit->token, &finish, err));
}

/* Those from `first` on, as many as are kept of the first `members`, all of which have ended. */
static void check_said(const char *id, uint64_t first, uint64_t members)
{
    MemberText *said;
    size_t n, expected = 0, kept = 0;
    char text[60];
    ck_ok(store_member_texts(default_tenant(f.store), id, first, MEMBER_TEXTS_MAX, f.arena, &said,
                             &n, err));
    for (uint64_t k = 0; k < members && kept < MEMBER_TEXTS_MAX; k++) {
        const char *own = said_by(k, text, sizeof text);
        kept += own != NULL;
        if (!own || k < first)
            continue;
        ck_assert_uint_lt(expected, n);
        ck_assert_uint_eq(said[expected].member, k);
        ck_assert_str_eq(said[expected++].text, own);
    }
    ck_assert_uint_eq(n, expected);
}

static int64_t count_rows(const char *sql)
{
    Connection connection;
    char path[100];
    int64_t n = -1;
    snprintf(path, sizeof path, "%s/dalembert.db", f.directory);
    ck_ok(connection_open(&connection, path, false, err));
    ck_ok(connection_int(&connection, sql, &n, err));
    connection_close(&connection);
    return n;
}

/* Units that end in any order, in several processes: what the first members said is kept, a text
 * that many say once. */
START_TEST(what_the_first_members_said_is_kept)
{
    enum { OF_UNIT = 150, N = 20 * OF_UNIT };
    UnitLease units[4];
    size_t n_units = 0;
    Random random;
    uint64_t ended = 0;
    printf("units: seed %d\n", _i + 1);
    random_init(&random, (uint64_t)_i + 1);
    const JobRecord job = add_ensemble(&f, N, 0);
    (void)claim_job(&f);
    while (ended < N) {
        while (n_units < 4 &&
               store_unit_claim(f.store, job.id, OF_UNIT, &units[n_units], NULL) == OK)
            n_units++;
        // NOLINTNEXTLINE(clang-analyzer-core.DivideZero): members are left, and claimed
        const size_t at = (size_t)(random_bits(&random) % n_units);
        end_saying(job.id, &units[at]);
        ended += units[at].n;
        units[at] = units[--n_units];
        if (n_units > 0 && random_bits(&random) % 4 == 0) { /* the others go back */
            for (; n_units > 0; n_units--)
                ck_ok(store_unit_release(f.store, job.id, units[n_units - 1].token, err));
            fixture_reopen(&f);
            (void)claim_job(&f);
        }
    }
    check_said(job.id, 0, N);
    check_said(job.id, 700, N);
    ck_assert_int_eq(count_rows("SELECT count(*) FROM member_says"), MEMBER_TEXTS_MAX);
    ck_assert_int_eq(count_rows("SELECT count(*) FROM member_texts"), 1 + MEMBER_TEXTS_MAX / 2);
    check_sound(&f);
    /* the diagnostics tell it from then on, if there are any */
    const JobLease end = claim_job(&f);
    const JobFinish finish = {.state = JOB_SUCCEEDED, .diagnostics = _i ? "{}" : NULL};
    ck_ok(store_job_finish(f.store, job.id, end.token, &finish, err));
    fixture_reopen(&f);
    check_said(job.id, 0, _i ? 0 : N);
    ck_ok(store_job_delete(default_tenant(f.store), job.id, err));
    ck_assert_int_eq(count_rows("SELECT count(*) FROM member_says"), 0);
    ck_assert_int_eq(count_rows("SELECT count(*) FROM member_texts"), 0);
    ck_assert_int_eq(count_rows("SELECT count(*) FROM ensemble_times"), 0);
}
END_TEST

START_TEST(what_is_said_is_of_members_that_failed)
{
    const JobRecord job = add_ensemble(&f, 10, 0);
    (void)claim_job(&f);
    const UnitLease unit = claim_unit(&f, job.id, 5);
    for (uint64_t i = 0; i < 4; i++)
        ck_assert_int_eq(tell(&f, job.id, &unit, i), OK);
    static const MemberText WRONG[][2] = {
        {{4, "not done"}, {0}}, {{1, ""}, {0}}, {{1, NULL}, {0}}, {{2, "a"}, {2, "b"}}};
    for (size_t i = 0; i < sizeof WRONG / sizeof WRONG[0]; i++) {
        const UnitFinish finish = {
            .done = 4, .failed = 2, .said = WRONG[i], .n_said = WRONG[i][1].text ? 2 : 1};
        ck_fails(store_unit_finish(f.store, job.id, unit.token, &finish, err), ERR_INVALID);
    }
    const UnitFinish more = {.done = 4, .failed = 1, .said = WRONG[3], .n_said = 2};
    ck_fails(store_unit_finish(f.store, job.id, unit.token, &more, err), ERR_INVALID);
    ck_assert_int_eq(finish_unit(&f, job.id, &unit, 4), OK);
}
END_TEST

static void count_damage(void *self, const char *what)
{
    (void)what;
    ++*(int *)self;
}

/* What is said of members is changed behind the store's back: nobody runs or reads them as if
 * nothing were. */
START_TEST(damage_to_what_is_said_of_members_is_told)
{
    static const char *const CHANGES[] = {"UPDATE unit_ends SET n = n - 1",
                                          "UPDATE unit_ends SET failed = failed + 1",
                                          "UPDATE units SET first = first + 1",
                                          "UPDATE ensemble_times SET used_ms = used_ms + 1",
                                          "UPDATE member_texts SET text = text || '?'",
                                          "UPDATE member_says SET text = 1 WHERE text > 1",
                                          "PRAGMA foreign_keys = OFF; DELETE FROM member_texts"};
    int damaged = 0;
    const ReportSink sink = {&damaged, count_damage};
    StoreReport report;
    JobRecord found;
    JobLease lease;
    Connection connection;
    char path[100];
    MemberText *said;
    size_t n;
    const JobRecord job = add_ensemble(&f, 20, 0);
    (void)claim_job(&f);
    const UnitLease unit = claim_unit(&f, job.id, 10);
    end_saying(job.id, &unit);
    (void)claim_unit(&f, job.id, 10); /* whose process dies */
    fixture_reopen(&f);
    store_close(f.store);
    f.store = NULL;
    snprintf(path, sizeof path, "%s/dalembert.db", f.directory);
    ck_ok(connection_open(&connection, path, true, err));
    ck_ok(connection_script(&connection, CHANGES[_i], err));
    connection_close(&connection);
    ck_ok(store_verify(f.directory, &sink, &report, err));
    ck_assert_int_gt(damaged, 0);
    ck_ok(store_open(&f.options, &f.store, err));
    if (_i >= 4) { /* members are run all the same */
        ck_fails(store_member_texts(default_tenant(f.store), job.id, 0, MEMBER_TEXTS_MAX, f.arena,
                                    &said, &n, err),
                 ERR_DAMAGED);
        ck_assert(claim_job(&f).in_units);
        return;
    }
    ck_fails(store_ready(f.store, err), ERR_DAMAGED);
    ck_fails(store_job_claim(f.store, f.arena, &lease, err), ERR_NOT_FOUND);
    if (_i < 2)
        ck_fails(store_job_get(default_tenant(f.store), job.id, f.arena, &found, err), ERR_DAMAGED);
    /* others go on */
    const JobRecord other = add_job(&f, "{}");
    ck_assert_str_eq(claim_job(&f).job.id, other.id);
}
END_TEST

SUITE(member_texts)
{
    TCase *tc = suite_case(suite, "member texts");
    tcase_add_checked_fixture(tc, setup, teardown);
    tcase_add_loop_test(tc, damage_to_what_is_said_of_members_is_told, 0, 7);
    tcase_add_loop_test(tc, what_the_first_members_said_is_kept, 0, 4);
    tcase_add_test(tc, what_is_said_is_of_members_that_failed);
}
