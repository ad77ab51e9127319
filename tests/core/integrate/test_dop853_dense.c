/* Dense output of lanes has the same bits with all instruction sets, and its bounds hold all of
 * it. */
#include <math.h>

#include "core/base/random.h"
#include "core/integrate/dop853_kernel.h"
#include "core/program/kernels.h"
#include "tests/core/integrate/kernels.h"
#include "tests/suite.h"

enum { LANES = 16 };

static void draw(Random *random, double values[LANES])
{
    for (size_t i = 0; i < LANES; i++)
        values[i] = random_normal(random) * (i % 3 == 0 ? 1e9 : 1e-3);
}

/* A row of dense output that somebody has made up. */
typedef struct Dense {
    double rows[8][LANES], h[LANES];
    OdeStep step;
    Dop853Arrays arrays;
} Dense;

static void draw_dense(Random *random, Dense *d)
{
    for (size_t k = 0; k < 8; k++)
        draw(random, d->rows[k]);
    draw(random, d->h);
    d->step = (OdeStep){.lanes = LANES,
                        .h = d->h,
                        .y = d->rows[0],
                        .y_new = d->rows[1],
                        .rates = d->rows[2],
                        .rates_new = d->rows[3]};
    for (size_t k = 0; k < DOP853_DENSE_ROWS; k++)
        d->arrays.dense[k] = d->rows[4 + k];
}

static double dense_at(const Dense *d, size_t l, double theta)
{
    volatile double rise = d->rows[1][l] - d->rows[0][l], first = d->h[l] * d->rows[2][l];
    volatile double last = d->h[l] * d->rows[3][l], start = first - rise, end = rise - last, s;
    volatile double rest = 1 - theta;

    end = end - start;
    s = theta * d->rows[7][l];
    s = d->rows[6][l] + s;
    s = rest * s;
    s = d->rows[5][l] + s;
    s = theta * s;
    s = d->rows[4][l] + s;
    s = rest * s;
    s = end + s;
    s = theta * s;
    s = start + s;
    s = rest * s;
    s = rise + s;
    s = theta * s;
    return d->rows[0][l] + s;
}

START_TEST(dense_output_has_the_same_bits_with_all_instruction_sets)
{
    const Dop853Kernel *all[TABLES];
    const size_t n_tables = dop853_kernels(all);
    static Dense d;
    double ret[LANES];
    Random random;

    random_init(&random, 6);
    for (int k = 0; k < 100; k++) {
        const double theta = k < 2 ? k : random_uniform(&random, 0, 1);
        draw_dense(&random, &d);
        for (size_t a = 0; a < n_tables; a++) {
            all[a]->dense_row(&d.step, &d.arrays, 0, theta, ret);
            for (size_t l = 0; l < LANES; l++)
                ck_assert(ret[l] == dense_at(&d, l, theta));
        }
    }
}
END_TEST

/* Values at nodes of a polynomial of degree 7 are those of its powers about s: Vandermonde's
 * equations, by elimination. */
static void powers_about(const Dense *d, size_t l, double s, double r, double *b)
{
    enum { N = 8 };
    long double m[N][N + 1];

    for (int i = 0; i < N; i++) {
        const double u = cos(3.14159265358979 * (i + 0.5) / N);
        m[i][N] = dense_at(d, l, (1 + s + r * u) / 2);
        m[i][0] = 1;
        for (int j = 1; j < N; j++)
            m[i][j] = m[i][j - 1] * u;
    }
    for (int j = 0; j < N; j++)
        for (int i = 0; i < N; i++) {
            const long double by = m[i][j] / m[j][j];
            for (int k = j; k <= N && i != j; k++)
                m[i][k] -= by * m[j][k];
        }
    for (int j = 0; j < N; j++)
        b[j] = (double)(m[j][N] / m[j][j]);
}

START_TEST(what_dense_output_reaches_holds_all_of_it_with_all_instruction_sets)
{
    enum { NUMBERS = 4 };
    static const double SHORTER[] = {1, 1, 0.5, 0.1};
    const Dop853Kernel *all[TABLES];
    const size_t n_tables = dop853_kernels(all);
    static Dense d;
    double ret[TABLES][NUMBERS][LANES] = {0};
    Random random;

    random_init(&random, 7);
    for (int k = 0; k < 200; k++) {
        draw_dense(&random, &d);
        for (size_t a = 0; a < n_tables; a++) {
            const DenseReach reach = {ret[a][0], ret[a][1], ret[a][2], ret[a][3]};
            all[a]->dense_reach(&d.step, &d.arrays, 0, &reach);
            ck_assert_mem_eq(ret[a], ret[0], sizeof ret[0]);
        }
        /* the whole step, and parts of it: as polynomials about their middles they reach no
         * farther */
        const double r = SHORTER[k % 4], s = random_uniform(&random, r - 1, 1 - r);
        for (size_t l = 0; l < LANES; l++) {
            double b[8], value = 0, rate = 0, size = 0;
            powers_about(&d, l, s, r, b);
            for (int j = 1; j < 8; j++) {
                value += fabs(b[j]);
                rate += j > 1 ? j * fabs(b[j]) / r : 0;
            }
            for (int j = 0; j < 8; j++)
                size += fabs(d.rows[j][l]) * (j == 2 || j == 3 ? fabs(d.h[l]) : 1);
            ck_assert_double_le(fabs(b[0] - ret[0][0][l]) + value, ret[0][1][l] + 1e-12 * size);
            ck_assert_double_le(fabs(2 * b[1] / r - ret[0][2][l]) + 2 * rate,
                                ret[0][3][l] + 1e-10 * size / r);
        }
    }
}
END_TEST

SUITE(dop853_dense)
{
    TCase *tcase = suite_case(suite, "dop853_dense");
    tcase_add_test(tcase, dense_output_has_the_same_bits_with_all_instruction_sets);
    tcase_add_test(tcase, what_dense_output_reaches_holds_all_of_it_with_all_instruction_sets);
}
