/* Jobs of members: values reach their places, and paths that lead nowhere are named. */
#include <string.h>

#include "core/ensemble/member.h"
#include "tests/suite.h"

static const DesignAxis AXES[] = {
    {.path = "parameters.l", .pointer = "/vary/parameters.l"},
    {.path = "parameters.m", .pointer = "/vary/parameters.m"},
    {.path = "initial.q.x", .pointer = "/vary/initial.q.x"},
    {.path = "initial.v.x", .pointer = "/vary/initial.v.x"},
    {.path = "initial.mu.c1", .pointer = "/vary/initial.mu.c1"},
    {.path = "initial.t", .pointer = "/vary/initial.t"},
    {.path = "time.end", .pointer = "/vary/time.end"},
};

START_TEST(values_take_the_places_of_the_documents)
{
    const NamedValue parameters[] = {{"g", 9.81, "/parameters/g"}, {"l", 1, "/parameters/l"}};
    const NamedValue q[] = {{"x", 0.5, "/initial/q/x"}, {"y", 2, "/initial/q/y"}};
    const MultiplierSpec mu[] = {{"c1", 0, "2*x", "/initial/mu/c1"}};
    const double values[][7] = {{10, 11, 12, 13, 14, 15, 16}, {20, 21, 22, 23, 24, 25, 26}};
    Arena *arena = arena_new(1 << 20);
    Diagnostics diag;
    JobSpec base;
    Member *member;
    Error err;

    diagnostics_init(&diag, arena);
    job_spec_init(&base);
    base.parameters = parameters;
    base.n_parameters = 2;
    base.initial.q = q;
    base.initial.n_q = 2;
    base.initial.mu = mu;
    base.initial.n_mu = 1;
    ck_assert_int_eq(member_new(&base, AXES, 7, arena, &diag, &member, &err), OK);
    for (int k = 0; k < 2; k++) {
        const JobSpec *job = member_job(member, values[k]);
        const double at = 10 * (k + 1);
        ck_assert_uint_eq(job->n_parameters, 3);
        ck_assert_double_eq(job->parameters[0].value, 9.81);
        ck_assert_double_eq(job->parameters[1].value, at);
        ck_assert_str_eq(job->parameters[1].pointer, "/vary/parameters.l");
        ck_assert_str_eq(job->parameters[2].name, "m");
        ck_assert_double_eq(job->parameters[2].value, at + 1);
        ck_assert_double_eq(job->initial.q[0].value, at + 2);
        ck_assert_double_eq(job->initial.q[1].value, 2);
        ck_assert_uint_eq(job->initial.n_v, 1);
        ck_assert_double_eq(job->initial.v[0].value, at + 3);
        ck_assert_uint_eq(job->initial.n_mu, 1);
        ck_assert_ptr_null(job->initial.mu[0].text);
        ck_assert_double_eq(job->initial.mu[0].value, at + 4);
        ck_assert_double_eq(job->initial.t, at + 5);
        ck_assert_double_eq(job->time.end, at + 6);
    }
    ck_assert_double_eq(q[0].value, 0.5);
    ck_assert_str_eq(mu[0].text, "2*x");
    arena_free(arena);
}
END_TEST

static const struct {
    const char *path, *message;
} NOWHERE[] = {
    {"rtol", "\"rtol\" is no number that can be varied"},
    {"parameters.", "\"parameters.\" is no number that can be varied"},
    {"integrator.rtol", "\"integrator.rtol\" is no number that can be varied"},
    {"parameters.l", "\"parameters.l\" is varied twice"},
};

START_TEST(paths_that_lead_nowhere_are_named)
{
    const DesignAxis axes[] = {AXES[0], {.path = NOWHERE[_i].path, .pointer = "/vary/PATH"}};
    Arena *arena = arena_new(1 << 20);
    Diagnostics diag;
    JobSpec base;
    Member *member;
    Error err;

    diagnostics_init(&diag, arena);
    job_spec_init(&base);
    ck_assert_int_eq(member_new(&base, axes, 2, arena, &diag, &member, &err), ERR_INVALID);
    ck_assert_uint_eq(diag.total, 1);
    ck_assert_str_eq(diag.items[0].pointer, "/vary/PATH");
    ck_assert_str_eq(diag.items[0].message, NOWHERE[_i].message);
    arena_free(arena);
}
END_TEST

START_TEST(an_end_is_not_varied_where_instants_are_listed)
{
    const double at[] = {1, 2};
    Arena *arena = arena_new(1 << 20);
    Diagnostics diag;
    JobSpec base;
    Member *member;
    Error err;

    diagnostics_init(&diag, arena);
    job_spec_init(&base);
    base.time = (TimeSpec){.kind = TIME_AT, .at = at, .n_at = 2};
    ck_assert_int_eq(member_new(&base, AXES, 7, arena, &diag, &member, &err), ERR_INVALID);
    ck_assert_ptr_nonnull(strstr(diag.items[0].message, "listed in \"time.at\""));
    arena_free(arena);
}
END_TEST

SUITE(member)
{
    TCase *tc = suite_case(suite, "member");
    tcase_add_test(tc, values_take_the_places_of_the_documents);
    tcase_add_loop_test(tc, paths_that_lead_nowhere_are_named, 0,
                        (int)(sizeof NOWHERE / sizeof *NOWHERE));
    tcase_add_test(tc, an_end_is_not_varied_where_instants_are_listed);
}
