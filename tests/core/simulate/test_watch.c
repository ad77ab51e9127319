/* Whatever integrates the motion meets what is narrower than its steps: the run, its sensitivities,
 * analyses with motions of their own, boundary problems. Against closed forms of kicks, and against
 * steps no longer than a kick. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/base/random.h"
#include "tests/core/simulate/findings.h"
#include "tests/suite.h"

enum { CASES = 12 };

/* A kick of area 1 over a time of 2 w about t = c, to 1e-16. */
#define KICK "exp(-((t - c)/w)^2)/(w*sqrt(pi))"

typedef struct Kick {
    double c, w, end;
    TestModel model;
    JobSpec spec;
    AnalysisSpec analysis;
    NamedValue q[2], v[2];
} Kick;

static void draw(Kick *kick, Random *random, const char *lagrangian)
{
    memset(kick, 0, sizeof *kick);
    kick->end = 10;
    kick->c = random_uniform(random, 1, 9);
    kick->w = pow(10, random_uniform(random, -6, -2));
    kick->model = (TestModel){.coordinates = {"x"},
                              .parameters = {{"c", kick->c, ""}, {"w", kick->w, ""}, {"a", 0, ""}},
                              .lagrangian = lagrangian};
    job_spec_init(&kick->spec);
    kick->spec.time = (TimeSpec){.end = kick->end, .samples = 2};
    kick->q[0] = (NamedValue){"x", 1, "/"};
    kick->spec.initial.q = kick->q;
    kick->spec.initial.n_q = 1;
    kick->spec.analyses = &kick->analysis;
}

static TestRun analyse(Kick *kick, const char *name)
{
    kick->analysis = (AnalysisSpec){.name = name, .pointer = "/analyses/0"};
    kick->spec.n_analyses = 1;
    return test_run(&kick->model, &kick->spec);
}

/* That E is not balanced within the kick may be said: its work is no part of the motion. */
static void expect_no_doubt(const TestRun *run)
{
    for (size_t k = 0; k < run->result.n_warnings; k++)
        ck_assert_msg(strstr(run->result.warnings[k], "energy balance") != NULL, "%s",
                      run->result.warnings[k]);
}

/* x'' = 0 but for the kick, which acts on no motion that starts at a = 0. */
START_TEST(sensitivities_meet_what_does_not_move_the_motion)
{
    static const NamedText path[] = {{.text = "parameters.a", .pointer = "/sensitivities/0"}};
    Random random;

    random_init(&random, 3);
    for (int i = 0; i < CASES; i++) {
        Kick kick;
        draw(&kick, &random, "dot(x)^2/2 + a*x*" KICK);
        kick.spec.sensitivities = path;
        kick.spec.n_sensitivities = 1;
        TestRun run = test_run(&kick.model, &kick.spec);
        ck_assert_msg(run.result.end.complete, "%s", run.result.end.message);
        ck_assert_double_eq_tol(test_value(&run, -1, "d(dot(x))/d(parameters.a)"), 1, 1e-6);
        ck_assert_double_eq_tol(test_value(&run, -1, "d(x)/d(parameters.a)"), kick.end - kick.c,
                                1e-6);
        test_run_done(&run);
    }
}
END_TEST

/* A kick that depends on no coordinate moves nothing, and is in the action. */
START_TEST(the_action_meets_what_does_not_move_the_motion)
{
    Random random;

    random_init(&random, 5);
    for (int i = 0; i < CASES; i++) {
        Kick kick;
        draw(&kick, &random, "dot(x)^2/2 - x^2/2 + " KICK);
        TestRun run = analyse(&kick, "action");
        const double alone = -sin(2 * kick.end) / 4;
        ck_assert_double_eq_tol(test_finding(&run, "action", "value")->number, 1 + alone, 1e-6);
        expect_no_doubt(&run);
        test_run_done(&run);
    }
}
END_TEST

/* x = 0 at the start, 1 at the end, and a kick k in between: v = (1 - k (T - c))/T. */
START_TEST(boundary_problems_meet_kicks)
{
    static const NamedValue q0[] = {{"x", 0, ""}}, q1[] = {{"x", 1, ""}};
    Random random;

    random_init(&random, 7);
    for (int i = 0; i < CASES; i++) {
        Kick kick;
        draw(&kick, &random, "dot(x)^2/2 + 3*x*" KICK);
        kick.spec.formulation = "least-action";
        kick.spec.initial.n_q = 0;
        kick.spec.boundary = (BoundarySpec){.given = true,
                                            .start = {.t = 0, .q = q0, .n_q = 1},
                                            .end = {.t = kick.end, .q = q1, .n_q = 1}};
        TestRun run = test_run(&kick.model, &kick.spec);
        ck_assert_msg(run.result.end.complete, "%s", run.result.end.message);
        const double v = (1 - 3 * (kick.end - kick.c)) / kick.end;
        const double x = v * kick.c; /* the action: of two straight lines, and of the kick */
        const double action =
            v * v / 2 * kick.c + (v + 3) * (v + 3) / 2 * (kick.end - kick.c) + 3 * x;
        ck_assert_double_eq_tol(run.result.solutions[0].v[0], v, 1e-6 + kick.w);
        ck_assert_double_eq_tol(run.result.solutions[0].action, action, 1e-6 + 20 * kick.w);
        ck_assert_double_eq_tol(test_value(&run, -1, "x"), 1, 1e-5);
        ck_assert_str_eq(run.result.solutions[0].kind, "minimum");
        expect_no_doubt(&run);
        test_run_done(&run);
    }
}
END_TEST

/* A spring that is stiff for an instant changes the directions beside a body at rest, not the
 * body. */
START_TEST(exponents_know_kicks_that_the_motion_does_not)
{
    Random random;

    random_init(&random, 11);
    for (int i = 0; i < CASES; i++) {
        Kick kick;
        draw(&kick, &random, "dot(x)^2/2 - x^2/2 + 4*x^2/2*" KICK);
        kick.q[0].value = i % 2;
        double growth[2] = {0};
        for (int fine = 0; fine < 2; fine++) {
            kick.spec.integrator.max_step = fine ? fmax(kick.w, 2e-4) : 0;
            if (fine && kick.w < 1e-4)
                continue; /* too many steps for an oracle */
            TestRun run = analyse(&kick, "lyapunov");
            growth[fine] = test_finding(&run, "lyapunov", "exponents")->first->number * kick.end;
            expect_no_doubt(&run);
            test_run_done(&run);
        }
        if (kick.w >= 1e-4)
            ck_assert_double_eq_tol(growth[0], growth[1], 1e-5);
        ck_assert_double_gt(fabs(growth[0]), 0.01); /* as it is without a kick, to 0.01 */
    }
}
END_TEST

/* What may not be wide: a barrier that a step would pass, met by the run and by what comes
 * after. */
START_TEST(the_action_of_a_motion_that_turns_back_is_that_of_its_path)
{
    Random random;

    random_init(&random, 13);
    for (int i = 0; i < CASES; i++) {
        Kick kick;
        draw(&kick, &random, "dot(x)^2/2 - 2*exp(-((x - c)/w)^2)");
        kick.q[0].value = 0;
        kick.v[0] = (NamedValue){"x", 1, "/"};
        kick.spec.initial.v = kick.v;
        kick.spec.initial.n_v = 1;
        TestRun run = analyse(&kick, "action");
        ck_assert_double_eq_tol(test_value(&run, -1, "dot(x)"), -1, 1e-6);
        /* in the barrier the kinetic energy becomes potential for about w */
        ck_assert_double_eq_tol(test_finding(&run, "action", "value")->number, kick.end / 2,
                                10 * kick.w + 1e-6);
        ck_assert_double_gt(test_number(test_finding(&run, "action", "features"), "met"), 0);
        test_run_done(&run);
    }
}
END_TEST

/* A model without anything that may be narrow has nothing to say of it. */
START_TEST(what_cannot_be_narrow_is_not_told)
{
    Kick kick;
    Random random;

    random_init(&random, 1);
    draw(&kick, &random, "dot(x)^2/2 - x^2/2");
    TestRun run = analyse(&kick, "lyapunov");
    ck_assert(value_member(value_member(run.result.found.findings, "lyapunov"), "features") ==
              NULL);
    test_run_done(&run);
}
END_TEST

SUITE(watch)
{
    TCase *tc = suite_case(suite, "watch");
    tcase_add_test(tc, sensitivities_meet_what_does_not_move_the_motion);
    tcase_add_test(tc, the_action_meets_what_does_not_move_the_motion);
    tcase_add_test(tc, boundary_problems_meet_kicks);
    tcase_add_test(tc, exponents_know_kicks_that_the_motion_does_not);
    tcase_add_test(tc, the_action_of_a_motion_that_turns_back_is_that_of_its_path);
    tcase_add_test(tc, what_cannot_be_narrow_is_not_told);
}
