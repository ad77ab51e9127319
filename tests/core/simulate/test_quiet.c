/* Motions about which there is nothing to warn of. */
#include <stdio.h>
#include <string.h>

#include "tests/core/simulate/documents.h"
#include "tests/suite.h"

typedef struct Quiet {
    const char *lagrangian, *force; /* of x, y, z */
    double q[3], v[3];
} Quiet;

static const Quiet QUIET[] = {
    /* at rest on its sphere: all of the energy is what rounding makes of 0 */
    {"-(x^2 + y^2 + z^2 - 1)^2", NULL, {0.6, 0.8, 0}, {0, 0, 0}},
    {"-(x*y - 0.07)^4", NULL, {0.7, 0.1, 0}, {0, 0, 0}},
    /* the air of two velocities that stay zero, and of three of which two do */
    {"-9.81*z", "-hypot(dot(x), dot(y))*dot(#)", {0, 0, 0}, {0, 0, 0}},
    {"-9.81*z", "-hypot(hypot(dot(x), dot(y)), dot(z))*dot(#)", {0, 0, 0}, {0, 0, 0}},
    /* a power that is infinite at the start */
    {"-x^2/2*cbrt(t^2)", NULL, {1, 0, 0}, {0, 0, 0}},
};

START_TEST(nothing_is_warned_of)
{
    static const char *const NAMES[] = {"x", "y", "z"};
    const Quiet *c = &QUIET[_i];
    TestModel model = {.coordinates = {"x", "y", "z"}};
    NamedValue q[3], v[3];
    char lagrangian[200], forces[3][200];
    JobSpec spec;

    snprintf(lagrangian, sizeof lagrangian, "(dot(x)^2 + dot(y)^2 + dot(z)^2)/2%s", c->lagrangian);
    model.lagrangian = lagrangian;
    job_spec_init(&spec);
    for (size_t i = 0; i < 3; i++) {
        q[i] = (NamedValue){NAMES[i], c->q[i], ""};
        v[i] = (NamedValue){NAMES[i], c->v[i], ""};
        const char *place = c->force ? strchr(c->force, '#') : NULL;
        if (!place)
            continue;
        snprintf(forces[i], sizeof forces[i], "%.*s%s%s", (int)(place - c->force), c->force,
                 NAMES[i], place + 1);
        model.forces[i] = (NamedText){NAMES[i], forces[i], "/forces", NULL};
    }
    spec.time.end = 20;
    spec.time.samples = 3;
    spec.initial.q = q;
    spec.initial.v = v;
    spec.initial.n_q = spec.initial.n_v = 3;
    TestRun run = test_run(&model, &spec);
    ck_assert_msg(run.result.end.complete, "%s", run.result.end.message);
    ck_assert_msg(run.result.n_warnings == 0, "%s", run.result.warnings[0]);
    test_run_done(&run);
}
END_TEST

SUITE(quiet)
{
    TCase *tc = suite_case(suite, "quiet");
    tcase_add_loop_test(tc, nothing_is_warned_of, 0, sizeof QUIET / sizeof QUIET[0]);
}
