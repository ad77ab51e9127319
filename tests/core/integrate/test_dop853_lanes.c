/* Steps of lanes have the same bits with all instruction sets, however many lanes and components
 * there are: arguments of the sums written out, the end of a step of each lane alone. */
#include <math.h>
#include <string.h>

#include "core/base/random.h"
#include "core/integrate/combine.h"
#include "core/integrate/dop853_kernel.h"
#include "tests/core/integrate/kernels.h"
#include "tests/suite.h"

enum { ROWS_MOST = 7, LANES_MOST = 24, ROOM = ROWS_MOST * LANES_MOST + COMBINE_BLOCK };

/* A step from a state that somebody has made up: of lanes, or of one of them. */
typedef struct Made {
    double t[LANES_MOST], h[LANES_MOST], y[ROOM], carry[ROOM], rates[ROOM], y_new[ROOM],
        carry_new[ROOM];
    double size[ROOM], unsized[ROOM], noise[ROOM], carried[ROOM], place[ROOM + LANES_MOST],
        older[ROOM];
    double stages[DOP853_ALL_STAGES][ROOM], squares[2][ROOM];
    Dop853Arrays arrays;
    OdeStep step;
} Made;

static void make(Made *m, size_t rows, size_t lanes)
{
    m->arrays =
        (Dop853Arrays){.older = m->older, .squares5 = m->squares[0], .squares3 = m->squares[1]};
    m->arrays.k[0] = m->rates;
    for (int s = 1; s < DOP853_ALL_STAGES; s++)
        m->arrays.k[s] = m->stages[s];
    m->step = (OdeStep){.lanes = lanes,
                        .dim = rows - 1,
                        .rows = rows,
                        .rtol = 1e-9,
                        .atol = 1e-10,
                        .t = m->t,
                        .h = m->h,
                        .y = m->y,
                        .carry = m->carry,
                        .rates = m->rates,
                        .y_new = m->y_new,
                        .carry_new = m->carry_new,
                        .sizes = {.size = m->size, .unsized = m->unsized},
                        .rounding = {.noise = m->noise, .carried = m->carried},
                        .scratch = {.place = m->place}};
}

static void draw(Made *m, Random *random)
{
    for (size_t i = 0; i < ROOM; i++) {
        m->y[i] = random_normal(random) * (i % 3 == 0 ? 1e9 : 1e-3);
        m->carry[i] = 1e-20 * random_normal(random);
        m->size[i] = fabs(random_normal(random));
        m->unsized[i] = i % 3 ? 1 : 0;
        m->noise[i] = m->carried[i] = 1e-9 * m->size[i];
        for (int s = 0; s < DOP853_ALL_STAGES; s++)
            m->arrays.k[s][i] = random_normal(random);
    }
    m->arrays.k[7][3] = NAN;
    for (size_t l = 0; l < LANES_MOST; l++) {
        m->t[l] = random_normal(random);
        m->h[l] = random_uniform(random, -1, 1);
    }
}

static bool same(double a, double b)
{
    return a == b || (isnan(a) && isnan(b));
}

/* The argument after stage s, from the rates that were there before. */
static void argument_is_right(const Made *made, const Made *before, size_t s)
{
    const OdeStep *step = &made->step;
    const Dop853Row *row = &DOP853_A[s + 1];

    for (size_t l = 0; l < step->lanes; l++) {
        volatile double way = row->weight[0] * made->h[l];
        ck_assert(made->place[l] == made->t[l] + way);
    }
    for (size_t i = 0; i < step->rows * step->lanes; i++) {
        const double newest = before->arrays.k[s][i] - made->rates[i];
        volatile double sum = row->weight[0] * made->rates[i], term;
        ck_assert(same(made->arrays.k[s][i], newest));
        for (int j = 1; j < row->n; j++) {
            term = row->weight[j] *
                   (row->stage[j] == (int)s ? newest : made->arrays.k[row->stage[j]][i]);
            sum = sum + term;
        }
        sum = made->h[i % step->lanes] * sum;
        if (i < step->dim * step->lanes)
            ck_assert_msg(same(made->place[step->lanes + i], made->y[i] + sum), "stage %zu", s);
    }
}

/* The rates of a stage are in their place already. */
static void leave_rates(void *self, const double *t, const double *y, double *ret_rates,
                        size_t lanes)
{
    (void)self, (void)t, (void)y, (void)ret_rates, (void)lanes;
}

/* The stage of the end is taken by itself. */
static void take(const Dop853Kernel *kernel, Made *made, size_t s)
{
    static const OdeSystem system = {.rates = leave_rates};

    made->step.system = &system;
    made->step.pulse = (OdePulse){.interval = 2, .left = 2};
    if (s == DOP853_STAGES)
        kernel->take_end(&made->step, &made->arrays, made->arrays.k[s]);
    else
        ck_assert_uint_eq(kernel->stages(&made->step, &made->arrays, s, s), 1);
}

START_TEST(arguments_have_the_same_bits_with_all_instruction_sets)
{
    static Made made, before;
    const Dop853Kernel *all[TABLES];
    const size_t n_tables = dop853_kernels(all);
    Random random;

    random_init(&random, 5);
    for (size_t lanes = COMBINE_BLOCK; lanes <= LANES_MOST; lanes += COMBINE_BLOCK)
        for (size_t rows = 2; rows <= ROWS_MOST; rows++)
            for (size_t a = 0; a < n_tables; a++)
                for (size_t s = 1; s + 1 < DOP853_ALL_STAGES; s++) {
                    if (DOP853_A[s + 1].n < 2)
                        continue; /* nothing follows the last stage of a step */
                    make(&made, rows, lanes);
                    draw(&made, &random);
                    memcpy(before.stages, made.stages, sizeof before.stages);
                    make(&before, rows, lanes);
                    take(all[a], &made, s);
                    argument_is_right(&made, &before, s);
                }
}
END_TEST

static void take_lane(const double *from, size_t lanes, size_t lane, double *to)
{
    for (size_t r = 0; r < ROWS_MOST; r++)
        to[r] = r * lanes + lane < ROOM ? from[r * lanes + lane] : 0;
}

/* Lane `lane` of `of` alone. */
static void make_alone(Made *m, const Made *of, size_t lane)
{
    const size_t lanes = of->step.lanes;
    make(m, of->step.rows, 1);
    m->t[0] = of->t[lane];
    m->h[0] = of->h[lane];
    take_lane(of->y, lanes, lane, m->y);
    take_lane(of->carry, lanes, lane, m->carry);
    take_lane(of->size, lanes, lane, m->size);
    take_lane(of->unsized, lanes, lane, m->unsized);
    take_lane(of->noise, lanes, lane, m->noise);
    take_lane(of->carried, lanes, lane, m->carried);
    for (int s = 0; s < DOP853_ALL_STAGES; s++)
        take_lane(of->arrays.k[s], lanes, lane, m->arrays.k[s]);
}

START_TEST(an_end_has_the_bits_of_a_lane_alone)
{
    static Made made, alone;
    const Dop853Kernel *all[TABLES];
    const size_t n_tables = dop853_kernels(all);
    Random random;

    random_init(&random, 6);
    for (size_t lanes = COMBINE_BLOCK; lanes <= LANES_MOST; lanes += COMBINE_BLOCK)
        for (size_t rows = 2; rows <= ROWS_MOST; rows++)
            for (size_t a = 0; a < n_tables; a++) {
                make(&made, rows, lanes);
                draw(&made, &random);
                all[a]->end(&made.step, &made.arrays);
                for (size_t l = 0; l < lanes; l++) {
                    make_alone(&alone, &made, l);
                    dop853_sse2.end(&alone.step, &alone.arrays);
                    ck_assert(same(alone.squares[0][0], made.squares[0][l]));
                    ck_assert(same(alone.squares[1][0], made.squares[1][l]));
                    for (size_t r = 0; r < rows; r++) {
                        ck_assert(same(made.y_new[r * lanes + l], alone.y_new[r]));
                        ck_assert(same(made.carry_new[r * lanes + l], alone.carry_new[r]));
                    }
                }
            }
}
END_TEST

SUITE(dop853_lanes)
{
    TCase *tcase = suite_case(suite, "dop853_lanes");
    tcase_add_test(tcase, arguments_have_the_same_bits_with_all_instruction_sets);
    tcase_add_test(tcase, an_end_has_the_bits_of_a_lane_alone);
}
