/* Steps of one lane have the same bits with all instruction sets, however many components there
 * are: those of the sums written out. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "core/base/random.h"
#include "core/integrate/dop853_kernel.h"
#include "tests/core/integrate/kernels.h"
#include "tests/suite.h"

enum { ROWS_MOST = 19, ROOM = 24 };

/* A sum of the tableau. */
typedef struct StageSum {
    size_t n;
    const double *w, *k[DOP853_STAGES];
} StageSum;

/* Sums of the squares of both estimates of the error. */
typedef struct ErrorSquares {
    double order5, order3;
} ErrorSquares;

/* A step from a state that somebody has made up. */
typedef struct Made {
    double t, h, y[ROOM], carry[ROOM], rates[ROOM], y_new[ROOM], carry_new[ROOM], size[ROOM],
        unsized[ROOM], rates_new[ROOM];
    double noise[ROOM], carried[ROOM], older[ROOM], place[1 + ROOM];
    double differences[DOP853_ALL_STAGES][ROOM], squares[2][ROOM];
    StageSum sums[DOP853_ALL_STAGES], slope, error5, error3;
    size_t dim, rows, calls;
    OdeSystem system;
    OdeStep step;
    Dop853Arrays arrays;
} Made;

static void rates_of(void *self, const double *t, const double *y, double *ret, size_t lanes)
{
    Made *m = self;
    ck_assert_uint_eq(lanes, 1);
    m->calls++;
    for (size_t i = 0; i < m->rows; i++)
        ret[i] = *t + 1.5 * y[(i + 1) % m->dim] - 0.25 * y[i % m->dim];
}

static StageSum sum_of(const Made *m, const Dop853Row *row, int n)
{
    StageSum sum = {.n = (size_t)n, .w = row->weight};
    for (int j = 0; j < n; j++)
        sum.k[j] = m->arrays.k[row->stage[j]];
    return sum;
}

static void make(Made *m, Random *random, size_t rows)
{
    *m = (Made){.t = 0.5, .h = 0.125, .dim = rows - 1, .rows = rows};
    for (size_t i = 0; i < ROOM; i++) {
        m->y[i] = random_normal(random) * (i % 3 == 0 ? 1e9 : 1e-3);
        m->carry[i] = 1e-20 * random_normal(random);
        m->rates[i] = random_normal(random);
        m->size[i] = fabs(random_normal(random));
        m->unsized[i] = i % 3 ? 1 : 0;
        m->noise[i] = m->carried[i] = 1e-12 * m->size[i];
    }
    m->arrays.k[0] = m->rates;
    for (int s = 1; s < DOP853_ALL_STAGES; s++)
        m->arrays.k[s] = m->differences[s];
    for (int s = 1; s < DOP853_ALL_STAGES; s++)
        if (DOP853_A[s].n > 1)
            m->sums[s - 1] = sum_of(m, &DOP853_A[s], DOP853_A[s].n - 1);
    m->slope = sum_of(m, &DOP853_B, DOP853_B.n);
    m->error5 = sum_of(m, &DOP853_E5, DOP853_E5.n);
    m->error3 = sum_of(m, &DOP853_E3, DOP853_E3.n);
    m->arrays.older = m->older;
    m->arrays.squares5 = m->squares[0];
    m->arrays.squares3 = m->squares[1];
    m->system = (OdeSystem){.self = m, .dim = m->dim, .extra = 1, .rates = rates_of};
    m->step = (OdeStep){.system = &m->system,
                        .lanes = 1,
                        .dim = m->dim,
                        .rows = m->rows,
                        .rtol = 1e-9,
                        .atol = 1e-10,
                        .t = &m->t,
                        .h = &m->h,
                        .y = m->y,
                        .carry = m->carry,
                        .rates = m->rates,
                        .rates_new = m->rates_new,
                        .y_new = m->y_new,
                        .carry_new = m->carry_new,
                        .sizes = {.size = m->size, .unsized = m->unsized},
                        .rounding = {.noise = m->noise, .carried = m->carried},
                        .scratch = {.place = m->place},
                        .pulse = {.left = 1000}};
}

static double sum_at(const StageSum *sum, size_t n, size_t i)
{
    volatile double s = sum->w[0] * sum->k[0][i];
    for (size_t j = 1; j < n; j++) {
        volatile double term = sum->w[j] * sum->k[j][i];
        s = s + term;
    }
    return s;
}

/* What the stages are when the sums are written out. */
static void stages_written_out(Made *m, size_t first, size_t last)
{
    for (size_t s = first; s <= last; s++) {
        double *k = m->arrays.k[s];
        const Dop853Row *row = &DOP853_A[(s + 1) % DOP853_ALL_STAGES];
        rates_of(m, m->place, m->place + 1, k, 1);
        for (size_t i = 0; i < m->rows; i++)
            k[i] = k[i] - m->rates[i];
        if (s == last)
            break;
        volatile double way = row->weight[0] * m->h;
        m->place[0] = m->t + way;
        for (size_t i = 0; i < m->dim; i++) {
            volatile double term = row->weight[row->n - 1] * k[i];
            term = sum_at(&m->sums[s], m->sums[s].n, i) + term;
            term = m->h * term;
            m->place[1 + i] = m->y[i] + term;
        }
    }
}

static ErrorSquares end_written_out(Made *m)
{
    ErrorSquares squares = {0, 0};
    for (size_t i = 0; i < m->rows; i++) {
        const double slope = sum_at(&m->slope, m->slope.n, i);
        volatile double d = m->h * slope, s, part, rest;
        d = d + m->carry[i];
        s = m->y[i] + d;
        part = s - m->y[i];
        rest = m->y[i] - (s - part);
        m->y_new[i] = s;
        m->carry_new[i] = rest + (d - part);
        if (i >= m->dim)
            break;
        volatile double x5 = m->h * sum_at(&m->error5, m->error5.n, i), x3 = m->h * slope;
        part = m->h * sum_at(&m->error3, m->error3.n, i);
        const double scale = 1 / ode_tolerance(&m->step, i);
        x5 = x5 * scale;
        x3 = (x3 + part) * scale;
        part = x5 * x5;
        squares.order5 += part;
        part = x3 * x3;
        squares.order3 += part;
    }
    return squares;
}

static void are_same(const Made *made, const Made *expected, size_t last)
{
    for (size_t s = 1; s <= last; s++)
        ck_assert_mem_eq(made->arrays.k[s], expected->arrays.k[s], made->rows * sizeof(double));
    ck_assert_mem_eq(made->place, expected->place, sizeof made->place);
}

/* From the rates at the end of the step. */
static void dense_is_the_same(const Dop853Kernel *kernel, Made *made, Made *expected)
{
    enum { STAGES = DOP853_ALL_STAGES - 1 - DOP853_STAGES };

    rates_of(made, &made->h, made->y_new, made->rates_new, 1);
    kernel->take_end(&made->step, &made->arrays, made->rates_new);
    memcpy(expected->place, made->place, sizeof made->place);
    for (size_t i = 0; i < made->rows; i++)
        expected->arrays.k[DOP853_STAGES][i] = made->rates_new[i] - made->rates[i];
    ck_assert_uint_eq(
        kernel->stages(&made->step, &made->arrays, DOP853_STAGES + 1, DOP853_ALL_STAGES - 1),
        STAGES);
    stages_written_out(expected, DOP853_STAGES + 1, DOP853_ALL_STAGES - 1);
    are_same(made, expected, DOP853_ALL_STAGES - 1);
}

START_TEST(a_step_has_the_same_bits_with_all_instruction_sets)
{
    const Dop853Kernel *all[TABLES];
    const size_t n_tables = dop853_kernels(all);
    static Made made, expected;
    Random random;

    random_init(&random, 8);
    for (size_t rows = 2; rows <= ROWS_MOST; rows++) {
        for (size_t a = 0; a < n_tables; a++) {
            Random same = random;
            make(&made, &same, rows);
            same = random;
            make(&expected, &same, rows);
            ck_assert_uint_eq(all[a]->stages(&made.step, &made.arrays, 1, DOP853_STAGES - 1),
                              DOP853_STAGES - 1);
            stages_written_out(&expected, 1, DOP853_STAGES - 1);
            ck_assert_uint_eq(made.calls, DOP853_STAGES - 1);
            are_same(&made, &expected, DOP853_STAGES - 1);
            all[a]->end(&made.step, &made.arrays);
            const ErrorSquares written = end_written_out(&expected);
            ck_assert(made.squares[0][0] == written.order5);
            ck_assert(made.squares[1][0] == written.order3);
            ck_assert_mem_eq(made.y_new, expected.y_new, rows * sizeof(double));
            ck_assert_mem_eq(made.carry_new, expected.carry_new, rows * sizeof(double));
            dense_is_the_same(all[a], &made, &expected);
        }
    }
}
END_TEST

START_TEST(a_pulse_that_is_over_stops_between_stages)
{
    const Dop853Kernel *all[TABLES];
    const size_t n_tables = dop853_kernels(all);
    static Made made;
    Random random;

    random_init(&random, 9);
    for (size_t a = 0; a < n_tables; a++) {
        make(&made, &random, 5);
        made.step.pulse.status = ERR_CANCELLED;
        ck_assert_uint_eq(all[a]->stages(&made.step, &made.arrays, 1, DOP853_STAGES - 1), 0);
        ck_assert_uint_eq(made.calls, 0);
    }
}
END_TEST

SUITE(dop853_one)
{
    TCase *tcase = suite_case(suite, "dop853_one");
    tcase_add_test(tcase, a_step_has_the_same_bits_with_all_instruction_sets);
    tcase_add_test(tcase, a_pulse_that_is_over_stops_between_stages);
}
