/* Arguments and ends of steps have the same bits with all instruction sets and for any number of
 * lanes: those of the sums written out. */
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

/* The argument of the first stage; one lane goes by blocks of its components, so that their number
 * matters. */
START_TEST(a_first_argument_has_the_same_bits_with_all_instruction_sets_and_lanes)
{
    enum { MOST = 19 };
    const size_t lanes = LANES[_i], most = lanes == 1 ? MOST : ROWS;
    const Combine *all[TABLES];
    const size_t n_tables = tables(all);
    double k[ROOM] = {0}, y[ROOM] = {0}, out[LANES_MOST + ROOM], h[LANES_MOST] = {0};
    double t[LANES_MOST] = {0}; /* read by whole blocks */
    Random random;
    random_init(&random, 2);
    for (size_t dim = 1; dim <= most && (lanes == 1 || lanes % COMBINE_BLOCK == 0); dim++) {
        const OdeStep step = {
            .lanes = lanes, .dim = dim, .t = t, .h = h, .y = y, .scratch.place = out};
        const double node = random_uniform(&random, 0, 1), w = random_normal(&random);
        draw(&random, k, ROOM);
        draw(&random, y, ROOM);
        draw(&random, h, lanes);
        draw(&random, t, lanes);
        for (size_t a = 0; a < n_tables; a++) {
            memset(out, 0, sizeof out);
            all[a]->first(&step, node, w, k);
            for (size_t l = 0; l < lanes; l++) {
                volatile double way = node * h[l];
                ck_assert(out[l] == t[l] + way);
            }
            for (size_t i = 0; i <= dim * lanes; i++) {
                volatile double term = w * k[i];
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
            const OdeStep step = {.lanes = lanes,
                                  .rows = ROWS,
                                  .h = h,
                                  .y = y,
                                  .carry = carry,
                                  .y_new = y_new,
                                  .carry_new = carry_new};
            all[a]->advance(&step, slope);
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

SUITE(combine)
{
    TCase *tcase = suite_case(suite, "combine");
    tcase_add_loop_test(tcase,
                        a_first_argument_has_the_same_bits_with_all_instruction_sets_and_lanes, 0,
                        sizeof LANES / sizeof *LANES);
    tcase_add_test(tcase, an_end_has_the_same_bits_with_all_instruction_sets);
}
