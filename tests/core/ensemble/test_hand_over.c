/* Ranges one after the other: the lanes that the last members of one leave free are taken by those
 * of the next. Counted in steps of all lanes at once. */
#include <stdlib.h>
#include <string.h>

#include "core/ensemble/ensemble.h"
#include "tests/suite.h"

static const CoordinateText ANGLE[] = {{.name = "x", .pointer = "/model/coordinates/0"}};
static const ModelDocument PENDULUM = {
    .name = "pendulum",
    .description = "",
    .coordinates = ANGLE,
    .n_coordinates = 1,
    .lagrangian = {NULL, "dot(x)^2/2 + cos(x)", "/model/lagrangian", NULL},
};
static const NamedValue START[] = {{"x", 1.5, "/initial/q/x"}};

/* The last of each range is 50 times as long. */
enum { OF_RANGE = 32, RANGES = 128, MEMBERS = OF_RANGE * RANGES, LONGER = 50, WIDTH = 12 };

typedef struct Rows {
    size_t n_columns;
    uint64_t n, handed; /* told; handed out */
    uint64_t most;      /* a cancel when so many are told; 0: never */
    bool told[MEMBERS];
    unsigned states[MEMBER_STATES];
    double rows[MEMBERS][WIDTH];
} Rows;

typedef struct Setting {
    Arena *arena;
    Compiled *compiled;
    Ensemble *ensemble;
    double ends[MEMBERS];
    Rows *rows, *others;
    Error err;
} Setting;

static Setting s;

static void setup(void)
{
    static Diagnostics diag;
    const char *const *names;
    const DesignAxis axis = {.path = "time.end",
                             .pointer = "/vary/time.end",
                             .kind = AXIS_LIST,
                             .list = s.ends,
                             .count = MEMBERS};
    const EnsembleSpec spec = {.design = {.kind = DESIGN_GRID, .axes = &axis, .n_axes = 1}};
    JobSpec job;

    memset(&s, 0, sizeof s);
    s.arena = arena_new(1 << 24);
    s.rows = calloc(1, sizeof *s.rows);
    s.others = calloc(1, sizeof *s.others);
    ck_assert(s.arena && s.rows && s.others);
    for (size_t k = 0; k < MEMBERS; k++)
        s.ends[k] = (k % OF_RANGE == OF_RANGE - 1 ? LONGER : 1) * (2 + 1e-3 * (double)k);
    diagnostics_init(&diag, s.arena);
    ck_assert_int_eq(compiled_new(&PENDULUM, NULL, &diag, &s.compiled, &s.err), OK);
    job_spec_init(&job);
    job.initial.q = START;
    job.initial.n_q = 1;
    job.time = (TimeSpec){.kind = TIME_SAMPLES, .end = 1, .samples = 2};
    ck_assert_int_eq(
        ensemble_new(s.compiled, &job, &spec, &(EnsembleLimits){0}, &diag, &s.ensemble, &s.err),
        OK);
    s.rows->n_columns = s.others->n_columns = ensemble_columns(s.ensemble, &names);
    ck_assert_uint_le(s.rows->n_columns, WIDTH);
}

static void teardown(void)
{
    ensemble_free(s.ensemble);
    compiled_unref(s.compiled);
    arena_free(s.arena);
    free(s.rows);
    free(s.others);
}

static Status on_member(void *self, uint64_t k, const double *row, const char *reason,
                        const char *message, Error *err)
{
    Rows *rows = self;

    (void)reason, (void)message, (void)err;
    ck_assert_uint_lt(k, rows->handed);
    ck_assert(!rows->told[k]);
    rows->told[k] = true;
    rows->n++;
    rows->states[(MemberState)row[rows->n_columns - 1]]++;
    memcpy(rows->rows[k], row, rows->n_columns * sizeof *row);
    return OK;
}

static Status on_more(void *self, uint64_t *ret_first, uint64_t *ret_n, Error *err)
{
    Rows *rows = self;

    (void)err;
    *ret_first = rows->handed;
    *ret_n = MEMBERS - rows->handed < OF_RANGE ? MEMBERS - rows->handed : OF_RANGE;
    rows->handed += *ret_n;
    return OK;
}

static Status on_poll(void *self, Error *err)
{
    const Rows *rows = self;
    return rows->most && rows->n >= rows->most ? error_set(err, ERR_CANCELLED, "cancelled") : OK;
}

/* Full steps, by those that there would be if no lane was ever empty; one that goes alone counts as
 * a full one. */
static double waste(const LaneWork *work)
{
    return (double)(work->together + work->alone) * SIMULATION_LANES /
           (double)(work->shared + work->alone);
}

static double run_handing_over(Rows *rows, uint64_t *ret_done)
{
    LaneWork work = {0};
    const EnsembleSink sink = {
        .self = rows, .member = on_member, .poll = on_poll, .more = on_more, .work = &work};

    rows->handed = OF_RANGE;
    ck_assert_int_eq(ensemble_run(s.ensemble, 0, OF_RANGE, &sink, ret_done, &s.err), OK);
    return waste(&work);
}

START_TEST(lanes_that_a_range_leaves_free_are_taken_by_the_next)
{
    uint64_t done;
    LaneWork work = {0};
    const EnsembleSink sink = {.self = s.others, .member = on_member, .work = &work};

    const double handing_over = run_handing_over(s.rows, &done);
    ck_assert_uint_eq(done, OF_RANGE);
    ck_assert_uint_eq(s.rows->n, MEMBERS);
    ck_assert_double_le(handing_over, 1.2);

    /* each range by itself: the same rows for far more work */
    s.others->handed = MEMBERS;
    for (uint64_t k = 0; k < MEMBERS; k += OF_RANGE)
        ck_assert_int_eq(ensemble_run(s.ensemble, k, OF_RANGE, &sink, &done, &s.err), OK);
    ck_assert_double_ge(waste(&work), 3);
    for (size_t k = 0; k < MEMBERS; k++)
        ck_assert_mem_eq(s.rows->rows[k], s.others->rows[k], s.rows->n_columns * sizeof(double));
}
END_TEST

START_TEST(a_cancel_tells_all_that_were_begun_in_any_range)
{
    uint64_t done;

    /* the long ones are under way when it comes, however fast this machine is */
    for (size_t k = OF_RANGE - 1; k < MEMBERS; k += OF_RANGE)
        s.ends[k] *= 1e5;
    s.rows->most = 100;
    run_handing_over(s.rows, &done);
    ck_assert_uint_le(done, OF_RANGE);
    ck_assert_uint_eq(s.rows->n, s.rows->handed - OF_RANGE + done);
    ck_assert_uint_gt(s.rows->states[MEMBER_CANCELLED], 0);
    ck_assert_uint_lt(s.rows->n, MEMBERS);
    for (uint64_t k = 0; k < s.rows->n; k++)
        ck_assert(s.rows->told[k]);
}
END_TEST

SUITE(hand_over)
{
    TCase *tc = suite_case(suite, "hand_over");
    tcase_add_checked_fixture(tc, setup, teardown);
    tcase_add_test(tc, lanes_that_a_range_leaves_free_are_taken_by_the_next);
    tcase_add_test(tc, a_cancel_tells_all_that_were_begun_in_any_range);
}
