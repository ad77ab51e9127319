/* Steps attempted together have the bits of those made alone, with whatever the lanes beside them
 * do: random starts, spans and widths, lanes that are filled again, and drives that go alone for a
 * while. */
#include <stdlib.h>
#include <string.h>

#include "core/base/random.h"
#include "core/integrate/batched_step.h"
#include "core/integrate/combine.h"
#include "tests/core/integrate/problems.h"
#include "tests/deadline.h"
#include "tests/suite.h"

enum { DRIVES = 23, ROOM = 64 };

/* One trajectory, and all that is told of it. */
typedef struct Course {
    Drive drive;
    OdeSpan span;
    OdeOutcome outcome;
    OdeTask task;
    OdeSystem system;
    OdeObserver observer;
    double y[MAX_DIM];
    uint64_t told;
} Course;

typedef struct Group {
    const Problem *problem;
    OdeOptions options;
    OdeGuard guards[2];
    const OdeMethod *method;
    Random random;
    bool slow; /* so that it is polled */
    double place[(1 + MAX_DIM) * ROOM];
} Group;

static void tell(Course *course, double t, const double *y)
{
    for (size_t i = 0; i <= course->system.dim; i++) {
        uint64_t bits;
        memcpy(&bits, i ? &y[i - 1] : &t, sizeof bits);
        course->told = (course->told ^ bits) * 1099511628211u + 1;
    }
}

static Status see_step(void *self, double t, double h, const double *y, Error *err)
{
    (void)h, (void)err;
    tell(self, t, y);
    return OK;
}

static Status see_sample(void *self, size_t k, double t, const double *y, Error *err)
{
    (void)k, (void)err;
    tell(self, t, y);
    return OK;
}

/* The second guard bounces. */
static Status see_event(void *self, size_t guard, int direction, double t, double *y,
                        OdeAction *ret_action, Error *err)
{
    Course *course = self;
    (void)direction, (void)err;
    tell(course, t, y);
    if (guard == 1) {
        y[course->system.dim - 1] *= -0.9;
        *ret_action = ODE_RESTART;
    }
    return OK;
}

static void see_guards(void *self, double t, const double *y, double *ret)
{
    (void)self;
    ret[0] = y[0] - 0.3 - 0.01 * t;
    ret[1] = y[1] + 0.4;
}

static double sample_time(void *self, size_t k)
{
    const OdeSpan *span = self;
    return span->t0 + (span->t_end - span->t0) * (double)k / 19;
}

static void start(Group *g, Course *c, int number)
{
    Random random;
    random_init(&random, (uint64_t)number);
    memset(c, 0, sizeof *c);
    c->system = g->problem->system;
    c->system.self = c;
    c->system.n_guards = number % 2 ? 2 : 0;
    c->system.guards = see_guards;
    c->observer =
        (OdeObserver){.self = c, .step = see_step, .sample = see_sample, .event = see_event};
    c->span = (OdeSpan){.t0 = g->problem->t0,
                        .t_end = g->problem->t0 + random_uniform(&random, 0.1, number % 5 ? 3 : 20),
                        .n_samples = number % 3 ? 0 : 20,
                        .sample_time = sample_time};
    c->span.self = &c->span;
    for (size_t i = 0; i < c->system.dim; i++)
        c->y[i] = g->problem->y0[i] + random_uniform(&random, -0.1, 0.1);
    c->task = (OdeTask){
        .system = &c->system,
        .method = g->method,
        .options = &g->options,
        .span = &c->span,
        .observer = &c->observer,
        .outcome = &c->outcome,
    };
    ck_assert_int_eq(drive_start(&c->drive, &c->task, c->y, NULL), OK);
}

static double *place(void *self)
{
    Group *g = self;
    return g->place;
}

static void rates(void *self, const double *t, const double *y, double *ret, size_t lanes)
{
    const Group *g = self;
    if (g->slow)
        pause_ms(1);
    g->problem->system.rates(NULL, t, y, ret, lanes);
}

static bool join(void *self, size_t lane)
{
    Group *g = self;

    (void)lane;
    return g->slow || random_uniform(&g->random, 0, 1) < 0.9;
}

static void group_init(Group *g, const Problem *problem, const char *method)
{
    *g = (Group){.problem = problem, .method = ode_method_find(method)};
    g->guards[0] = (OdeGuard){.kind = ODE_GUARD_RECORD};
    g->guards[1] = (OdeGuard){.kind = ODE_GUARD_BREAK, .direction = -1, .is_impact = true};
    g->options = (OdeOptions){.rtol = 1e-8,
                              .atol = 1e-9,
                              .step = 0.01,
                              .max_steps = 100000,
                              .max_breaks = 1000,
                              .guards = g->guards};
    random_init(&g->random, 5);
}

static Status stop(void *self, Error *err)
{
    (void)self;
    return error_set(err, ERR_TIMEOUT, "too long");
}

static void expect_same(const Course *a, const Course *b)
{
    ck_assert_int_eq(a->outcome.status, b->outcome.status);
    ck_assert_uint_eq(a->told, b->told);
    ck_assert_uint_eq(a->outcome.accepted, b->outcome.accepted);
    ck_assert_uint_eq(a->outcome.rejected, b->outcome.rejected);
    ck_assert_uint_eq(a->outcome.evaluations, b->outcome.evaluations);
    ck_assert_mem_eq(a->y, b->y, sizeof a->y);
}

/* All courses in `lanes` lanes; each that has ended gives its lane to the next. */
static void go_together(Group *g, size_t lanes, const Course *alone)
{
    static Course courses[DRIVES];
    const BatchedSystem system = {.self = g,
                                  .method = g->method,
                                  .dim = g->problem->system.dim,
                                  .extra = g->problem->system.extra,
                                  .rtol = g->options.rtol,
                                  .atol = g->options.atol,
                                  .rates = rates,
                                  .place = place,
                                  .join = join};
    Course *seated[ROOM] = {0};
    BatchedStep *batched_step;
    int next = 0;
    size_t going = 1;

    ck_assert_int_eq(batched_step_new(&system, lanes, &batched_step, NULL), OK);
    while (going) {
        going = 0;
        for (size_t l = 0; l < lanes; l++) {
            if (seated[l] && !drive_running(&seated[l]->drive)) {
                drive_finish(&seated[l]->drive, seated[l]->y);
                seated[l] = NULL;
                batched_step_put(batched_step, l, NULL);
            }
            if (!seated[l] && next < DRIVES) {
                seated[l] = &courses[next];
                start(g, seated[l], next++);
                if (g->slow && next % 3 == 0)
                    seated[l]->observer.poll = stop;
                batched_step_put(batched_step, l, &seated[l]->drive);
            }
            going += seated[l] != NULL;
        }
        batched_step_step(batched_step);
    }
    batched_step_free(batched_step);
    for (int k = 0; k < DRIVES; k++) {
        if (g->slow && k % 3 == 2)
            ck_assert_int_eq(courses[k].outcome.status, ERR_TIMEOUT);
        else
            expect_same(&courses[k], &alone[k]);
    }
}

START_TEST(steps_made_together_have_the_bits_of_those_made_alone)
{
    static const char *const METHODS[] = {"dop853", "rk4"};
    static Course alone[DRIVES];
    static Group g;

    group_init(&g, SMOOTH[_i / 2], METHODS[_i % 2]);
    for (int k = 0; k < DRIVES; k++) {
        start(&g, &alone[k], k);
        while (drive_running(&alone[k].drive))
            drive_step(&alone[k].drive);
        drive_finish(&alone[k].drive, alone[k].y);
    }
    for (size_t lanes = COMBINE_BLOCK; lanes <= ROOM; lanes += COMBINE_BLOCK)
        go_together(&g, lanes, alone);
}
END_TEST

START_TEST(one_that_is_stopped_is_no_one_elses)
{
    static Course alone[DRIVES];
    static Group g;

    group_init(&g, &oscillator, "dop853");
    for (int k = 0; k < DRIVES; k++) {
        start(&g, &alone[k], k);
        while (drive_running(&alone[k].drive))
            drive_step(&alone[k].drive);
        drive_finish(&alone[k].drive, alone[k].y);
    }
    g.slow = true;
    go_together(&g, 8, alone);
}
END_TEST

SUITE(batched_step)
{
    TCase *tc = suite_case(suite, "lockstep");
    tcase_add_loop_test(tc, steps_made_together_have_the_bits_of_those_made_alone, 0, 4);
    tcase_add_test(tc, one_that_is_stopped_is_no_one_elses);
}
