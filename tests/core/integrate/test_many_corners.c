/* Rates with many corners, at each of which a step ends: what that costs. */
#include <stdlib.h>
#include <string.h>

#include "tests/core/integrate/problems.h"
#include "tests/suite.h"

enum { CORNERS = 2000 };

/* dot(v) = sum of max(0, t - t_k), t_k = (k + 1/2) / CORNERS, and how often it was asked for. */
static struct {
    bool on[CORNERS];
    uint64_t rates, guards;
} many;

static double corner(size_t k)
{
    return ((double)k + 0.5) / CORNERS;
}

static void rates(void *self, const double *t, const double *y, double *ret, size_t lanes)
{
    (void)self;
    (void)lanes;
    ret[0] = y[1];
    ret[1] = 0;
    for (size_t k = 0; k < CORNERS; k++)
        ret[1] += many.on[k] ? t[0] - corner(k) : 0;
    many.rates++;
}

static void guards(void *self, double t, const double *y, double *ret_values)
{
    (void)self;
    (void)y;
    for (size_t k = 0; k < CORNERS; k++)
        ret_values[k] = t - corner(k);
    many.guards++;
}

static Status switch_on(Run *run, size_t guard, int direction, double t, double *y,
                        OdeAction *ret_action)
{
    (void)run;
    (void)t;
    (void)y;
    ck_assert_int_eq(direction, 1);
    many.on[guard] = true;
    *ret_action = ODE_RESTART;
    return OK;
}

static const Problem sum_of_corners = {
    .name = "sum of corners",
    .system = {.dim = 2, .rates = rates, .n_guards = CORNERS, .guards = guards},
    .t_end = 1,
};

/* Beyond the stages of the method: for the start, each corner and each step that is tried. */
START_TEST(a_corner_costs_few_evaluations)
{
    enum { STAGES = 12, MOST_RATES = 3, MOST_GUARDS = 5 };
    static OdeGuard kinds[CORNERS];
    Run *run = run_new(&sum_of_corners, "dop853", 1e-10);

    memset(&many, 0, sizeof many);
    for (size_t k = 0; k < CORNERS; k++)
        kinds[k] = (OdeGuard){.kind = ODE_GUARD_BREAK, .is_switch = true};
    run->options.guards = kinds;
    run->options.max_breaks = CORNERS;
    run->on_event = switch_on;
    run_well(run);

    double x = 0;
    for (size_t k = 0; k < CORNERS; k++) {
        const double s = 1 - corner(k);
        x += s * s * s / 6;
    }
    const OdeOutcome *outcome = &run->outcome;
    const uint64_t tried = outcome->accepted + outcome->rejected;
    ck_assert_uint_eq(outcome->breaks, CORNERS);
    ck_assert_double_eq_tol(run->y[0], x, 1e-9 * x);
    ck_assert_uint_le(tried, 3 * CORNERS);
    ck_assert_uint_le(many.rates - STAGES * tried, MOST_RATES * (1 + CORNERS + tried));
    ck_assert_uint_le(many.guards, MOST_GUARDS * (1 + CORNERS + tried));
    free(run);
}
END_TEST

SUITE(many_corners)
{
    TCase *tc = suite_case(suite, "many corners");
    tcase_add_test(tc, a_corner_costs_few_evaluations);
}
