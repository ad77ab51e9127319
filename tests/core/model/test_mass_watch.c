/* Pivots along a motion: what is written out for two coordinates, and the loops for others, decide
 * as an elimination with branches. */
#include <math.h>
#include <string.h>

#include "core/base/random.h"
#include "core/model/evaluate.h"
#include "core/model/mass_watch.h"
#include "core/model/watch_limits.h"
#include "tests/suite.h"

enum { MOST = 4, MOTIONS = 400, STEPS = 6 };

typedef struct Watched {
    Model model;
    ModelEval eval;
    MassWatch watch;
    double pivots[MOST], largest[MOST], work[MOST * MOST];
} Watched;

static void watched_init(Watched *x, size_t n)
{
    *x = (Watched){.model = {.fixed.n_changing = n}};
    x->eval.model = &x->model;
    x->watch = (MassWatch){.eval = &x->eval,
                           .rows = {.n = n,
                                    .lanes = 1,
                                    .pivots = x->pivots,
                                    .largest = x->largest,
                                    .next_pivots = x->pivots,
                                    .next_largest = x->largest,
                                    .work = x->work},
                           .taken_t = NAN,
                           .begun = true};
}

/* Symmetric, definite or nearly so, here and there a zero off the diagonal. */
static void draw(Random *random, size_t n, double *M)
{
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j <= i; j++) {
            const double off = random_uniform(random, 0, 1) < 0.3 ? 0 : random_normal(random);
            const double entry = i == j ? 0.5 + fabs(random_normal(random)) : off;
            M[i * n + j] = M[j * n + i] = entry * exp2(random_uniform(random, -3, 3));
        }
}

/* As far as the first pivot that is to be suspected. */
static bool eliminate_slowly(double *M, size_t n, double *pivots, double *largest)
{
    for (size_t k = 0; k < n; k++)
        largest[k] = fmax(largest[k], M[k * n + k]);
    for (size_t k = 0; k < n; k++) {
        const double pivot = M[k * n + k], before = pivots[k];
        pivots[k] = pivot;
        if (!((pivot < before ? 2 * pivot - before : pivot) > MIN_PIVOT_RATIO * largest[k]) ||
            !(pivot > 0))
            return true;
        for (size_t i = k + 1; i < n; i++)
            for (size_t j = k + 1; j < n && M[i * n + k] != 0; j++)
                M[i * n + j] -= M[i * n + k] / pivot * M[k * n + j];
    }
    return false;
}

START_TEST(pivots_are_suspected_as_one_by_one)
{
    const size_t n = (size_t)_i;
    int count[2] = {0};
    Random random;
    Watched x;

    random_init(&random, 7);
    for (int k = 0; k < MOTIONS; k++) {
        double pivots[MOST] = {0}, largest[MOST] = {0}, M[MOST * MOST];
        bool suspects = false;
        watched_init(&x, n);
        for (int step = 0; step < STEPS && !suspects; step++) {
            draw(&random, n, M);
            mass_watch_take(&x.watch, step, M);
            suspects = eliminate_slowly(M, n, pivots, largest);
            ck_assert_int_eq(mass_watch_suspects(&x.watch, step, NULL, NULL), suspects);
            ck_assert_mem_eq(x.largest, largest, n * sizeof *largest);
            if (!suspects)
                ck_assert_mem_eq(x.pivots, pivots, n * sizeof *pivots);
            count[suspects]++;
        }
    }
    ck_assert_int_gt(count[false], MOTIONS / 8);
    ck_assert_int_gt(count[true], MOTIONS / 8);
}
END_TEST

SUITE(mass_watch)
{
    TCase *tc = suite_case(suite, "mass watch");
    tcase_add_loop_test(tc, pivots_are_suspected_as_one_by_one, 1, MOST + 1);
}
