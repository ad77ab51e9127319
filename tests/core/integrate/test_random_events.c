/* Random events: runs end, and every event is where the exact motion has it. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/base/random.h"
#include "tests/core/integrate/problems.h"
#include "tests/suite.h"

enum { GUARDS = 3, SEED = 20240611 };

/* Guard k is sin(w t + p) - c, or the same made of the state: a sum of it and y0 + cos(t) - 2
 * cos(t), which is zero but for the errors of the run. */
typedef struct Wave {
    double w, p, c;
} Wave;

static Wave waves[GUARDS];

static void wave_guards(void *self, double t, const double *y, double *ret_values)
{
    (void)self;
    for (size_t k = 0; k < GUARDS; k++)
        ret_values[k] = sin(waves[k].w * t + waves[k].p) - waves[k].c + (y[0] - cos(t));
}

/* Crossings of guard k in [from, to] by their closed form. */
static size_t crossings(const Wave *wave, double from, double to)
{
    const double turn = 2 * acos(-1), a = asin(wave->c);
    const double roots[2] = {a, turn / 2 - a};
    size_t n = 0;
    for (int i = 0; i < 2; i++)
        for (int k = -100; k < 100; k++) {
            double t = (roots[i] + k * turn - wave->p) / wave->w;
            n += t > from && t <= to;
        }
    return n;
}

static Status maybe_restart(Run *run, size_t guard, int direction, double t, double *y,
                            OdeAction *ret_action)
{
    (void)run;
    (void)t;
    (void)y;
    *ret_action = guard == 1 && direction > 0 ? ODE_RESTART : ODE_CONTINUE;
    return OK;
}

START_TEST(random_guards_are_all_found)
{
    Random random;
    random_init(&random, SEED + (uint64_t)_i);
    for (int run_number = 0; run_number < 100; run_number++) {
        OdeGuard kinds[GUARDS];
        Run *run = run_new(&oscillator, "dop853", pow(10, random_uniform(&random, -12, -4)));
        for (size_t k = 0; k < GUARDS; k++) {
            waves[k] = (Wave){random_uniform(&random, 0.5, 2), random_uniform(&random, 0, 6),
                              random_uniform(&random, -0.9, 0.9)};
            kinds[k] = (OdeGuard){.kind = random_bits(&random) % 2 == 0 ? ODE_GUARD_RECORD
                                                                        : ODE_GUARD_BREAK};
        }
        if (run_number % 4 == 0)
            waves[2] = waves[1]; /* two at the same instants */
        run->system.n_guards = GUARDS;
        run->system.guards = wave_guards;
        run->options.guards = kinds;
        run->options.max_steps = 5000;
        run->on_event = maybe_restart;
        run->t_end = 20;
        run_well(run);
        for (size_t k = 0; k < GUARDS; k++) {
            size_t found = 0;
            for (size_t i = 0; i < run->n_rows; i++)
                found += run->rows[i].index == k;
            ck_assert_msg(found == crossings(&waves[k], 0, 20),
                          "seed %d, run %d, guard %zu (%g %g %g): %zu roots instead of %zu",
                          SEED + _i, run_number, k, waves[k].w, waves[k].p, waves[k].c, found,
                          crossings(&waves[k], 0, 20));
        }
        for (size_t i = 0; i < run->n_rows; i++) {
            const Wave *wave = &waves[run->rows[i].index];
            const double t = run->rows[i].t;
            ck_assert_double_lt(fabs(sin(wave->w * t + wave->p) - wave->c),
                                1e-14 + 100 * run->options.rtol);
            if (i > 0)
                ck_assert_double_ge(t, run->rows[i - 1].t);
        }
        free(run);
    }
}
END_TEST

SUITE(random_events)
{
    TCase *tcase = suite_case(suite, "random");
    tcase_add_loop_test(tcase, random_guards_are_all_found, 0, 4);
}
