/* Sums of stages have the same bits with all instruction sets and for any number of lanes: those of
 * the sums written out. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "core/base/random.h"
#include "core/integrate/combine.h"
#include "tests/suite.h"

enum { LANES_MOST = 17, DIM = 5, ROWS = 7, ROOM = 128, TABLES = 3 };

static const size_t LANES[] = {1, 3, 8, 16, LANES_MOST};

/* The tables that this CPU can run. */
static size_t tables(const Combine *ret[TABLES])
{
    const Combine *best = combine_best();
    size_t n = 0;
    ret[n++] = &combine_sse2;
    if (best != &combine_sse2)
        ret[n++] = &combine_avx2;
    if (best == &combine_avx512)
        ret[n++] = &combine_avx512;
    return n;
}

static void draw(Random *random, double *values, size_t n)
{
    for (size_t i = 0; i < n; i++)
        values[i] = random_normal(random) * (i % 3 == 0 ? 1e9 : 1e-3);
}

START_TEST(a_sum_has_the_same_bits_with_all_instruction_sets)
{
    const Combine *all[TABLES];
    const size_t n_tables = tables(all);
    double k[COMBINE_MAX_TERMS][ROOM], w[COMBINE_MAX_TERMS], out[ROOM];
    Random random;
    random_init(&random, 1);
    ck_assert_uint_le(combine_room(ROWS * LANES_MOST), ROOM);
    for (size_t n = 1; n <= COMBINE_MAX_TERMS; n++) {
        StageSum sum = {.n = n, .w = w};
        draw(&random, w, n);
        for (size_t j = 0; j < n; j++) {
            draw(&random, k[j], ROOM);
            sum.k[j] = k[j];
        }
        for (size_t count = 1; count <= ROWS * LANES_MOST; count += 13) {
            for (size_t a = 0; a < n_tables; a++) {
                all[a]->sum(&sum, count, out);
                for (size_t i = 0; i < count; i++) {
                    volatile double s = w[0] * k[0][i];
                    for (size_t j = 1; j < n; j++) {
                        volatile double term = w[j] * k[j][i];
                        s = s + term;
                    }
                    ck_assert_msg(out[i] == s, "%zu terms, table %zu", n, a);
                }
            }
        }
    }
}
END_TEST

/* The argument of the first stage; one lane goes by blocks of its components, so that their number
 * matters. */
START_TEST(a_first_argument_has_the_same_bits_with_all_instruction_sets_and_lanes)
{
    enum { MOST = 19 };
    const size_t lanes = LANES[_i], most = lanes == 1 ? MOST : ROWS;
    const Combine *all[TABLES];
    const size_t n_tables = tables(all);
    double k[ROOM] = {0}, y[ROOM] = {0}, out[LANES_MOST + ROOM], h[LANES_MOST], t[LANES_MOST];
    Random random;
    random_init(&random, 2);
    for (size_t dim = 1; dim <= most && (lanes == 1 || lanes % COMBINE_BLOCK == 0); dim++) {
        const FirstStage first = {
            t, y, h, k, random_uniform(&random, 0, 1), random_normal(&random)};
        draw(&random, k, ROOM);
        draw(&random, y, ROOM);
        draw(&random, h, lanes);
        draw(&random, t, lanes);
        for (size_t a = 0; a < n_tables; a++) {
            memset(out, 0, sizeof out);
            all[a]->first(&first, dim, lanes, out);
            for (size_t l = 0; l < lanes; l++) {
                volatile double way = first.node * h[l];
                ck_assert(out[l] == t[l] + way);
            }
            for (size_t i = 0; i <= dim * lanes; i++) {
                volatile double term = first.w * k[i];
                // NOLINTNEXTLINE(clang-analyzer-core.DivideZero): there is a lane
                term = h[i % lanes] * term;
                ck_assert(out[lanes + i] == (i < dim * lanes ? y[i] + term : 0));
            }
        }
    }
}
END_TEST

/* By components, and by whole blocks of lanes. */
static size_t next_lanes(size_t lanes)
{
    return lanes == 1 ? COMBINE_BLOCK : lanes + COMBINE_BLOCK;
}

START_TEST(an_end_has_the_same_bits_with_all_instruction_sets)
{
    enum { BLOCKS = 16, N = ROWS * BLOCKS };
    const Combine *all[TABLES];
    const size_t n_tables = tables(all);
    double y[N], carry[N], slope[N], h[BLOCKS], y_new[N], carry_new[N]; /* room for blocks */
    Random random;
    random_init(&random, 3);
    draw(&random, y, N);
    draw(&random, carry, N);
    draw(&random, slope, N);
    draw(&random, h, BLOCKS);
    for (size_t a = 0; a < n_tables; a++) {
        for (size_t lanes = 1; lanes <= BLOCKS; lanes = next_lanes(lanes)) {
            const StepEndSum sum = {y, carry, slope, h, y_new, carry_new};
            all[a]->advance(&sum, ROWS, lanes);
            for (size_t i = 0; i < ROWS * lanes; i++) {
                volatile double d = h[i % lanes] * slope[i], s, part, rest;
                d = d + carry[i];
                s = y[i] + d;
                part = s - y[i];
                rest = y[i] - (s - part);
                ck_assert(y_new[i] == s);
                ck_assert(carry_new[i] == rest + (d - part));
            }
            if (lanes == 1)
                continue;
            /* some lanes go on to it */
            int64_t masks[BLOCKS];
            double moved[N];
            for (size_t l = 0; l < lanes; l++)
                masks[l] = random_uniform(&random, 0, 1) < 0.5 ? -1 : 0;
            memcpy(moved, y, sizeof moved);
            moved[0] = y_new[lanes - 1] = NAN;
            all[a]->take(moved, y_new, masks, ROWS, lanes);
            for (size_t i = 0; i < ROWS * lanes; i++) {
                const double from = i == 0 ? NAN : y[i];
                ck_assert(memcmp(&moved[i], masks[i % lanes] ? &y_new[i] : &from, sizeof from) ==
                          0);
            }
        }
    }
}
END_TEST

/* A row of dense output that somebody has made up. */
typedef struct Dense {
    double rows[8][LANES_MOST], h[LANES_MOST];
    DenseRow row;
} Dense;

static void draw_dense(Random *random, Dense *d)
{
    for (size_t k = 0; k < 8; k++)
        draw(random, d->rows[k], LANES_MOST);
    draw(random, d->h, LANES_MOST);
    d->row = (DenseRow){.y = d->rows[0],
                        .y_new = d->rows[1],
                        .rates = d->rows[2],
                        .rates_new = d->rows[3],
                        .h = d->h,
                        .d = {d->rows[4], d->rows[5], d->rows[6], d->rows[7]}};
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
    enum { BLOCKS = 16 };
    const Combine *all[TABLES];
    const size_t n_tables = tables(all);
    static Dense d;
    double ret[BLOCKS];
    Random random;

    random_init(&random, 6);
    for (int k = 0; k < 100; k++) {
        const double theta = k < 2 ? k : random_uniform(&random, 0, 1);
        draw_dense(&random, &d);
        for (size_t a = 0; a < n_tables; a++) {
            all[a]->dense(&d.row, theta, BLOCKS, ret);
            for (size_t l = 0; l < BLOCKS; l++)
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
    enum { BLOCKS = 16, NUMBERS = 4 };
    static const double SHORTER[] = {1, 1, 0.5, 0.1};
    const Combine *all[TABLES];
    const size_t n_tables = tables(all);
    static Dense d;
    double ret[TABLES][NUMBERS][BLOCKS] = {0};
    Random random;

    random_init(&random, 7);
    for (int k = 0; k < 200; k++) {
        draw_dense(&random, &d);
        for (size_t a = 0; a < n_tables; a++) {
            const DenseReach reach = {ret[a][0], ret[a][1], ret[a][2], ret[a][3]};
            all[a]->reach(&d.row, BLOCKS, &reach);
            ck_assert_mem_eq(ret[a], ret[0], sizeof ret[0]);
        }
        /* the whole step, and parts of it: as polynomials about their middles they reach no
         * farther */
        const double r = SHORTER[k % 4], s = random_uniform(&random, r - 1, 1 - r);
        for (size_t l = 0; l < BLOCKS; l++) {
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

SUITE(combine)
{
    TCase *tcase = suite_case(suite, "combine");
    tcase_add_test(tcase, a_sum_has_the_same_bits_with_all_instruction_sets);
    tcase_add_loop_test(tcase,
                        a_first_argument_has_the_same_bits_with_all_instruction_sets_and_lanes, 0,
                        sizeof LANES / sizeof *LANES);
    tcase_add_test(tcase, an_end_has_the_same_bits_with_all_instruction_sets);
    tcase_add_test(tcase, dense_output_has_the_same_bits_with_all_instruction_sets);
    tcase_add_test(tcase, what_dense_output_reaches_holds_all_of_it_with_all_instruction_sets);
}
