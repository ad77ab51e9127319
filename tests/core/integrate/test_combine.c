/* Sums of stages have the same bits with all instruction sets and for any number of lanes: those of
 * the sums written out. */
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

START_TEST(an_argument_has_the_same_bits_with_all_instruction_sets_and_lanes)
{
    const Combine *all[TABLES];
    const size_t n_tables = tables(all);
    double rates[ROOM] = {0}, start[ROOM] = {0}, before[ROOM] = {0}, older[ROOM] = {0};
    double y[ROOM] = {0}, k[ROOM], out[ROOM];
    double h[LANES_MOST];
    Random random;
    random_init(&random, 2);
    for (size_t trial = 0; trial < 2 * sizeof LANES / sizeof *LANES; trial++) {
        const size_t lanes = LANES[trial / 2];
        const double w[] = {random_normal(&random), random_normal(&random)};
        NewestStage newest = {.k = k,
                              .start = start,
                              .before = before,
                              .older = trial % 2 ? older : NULL,
                              .w = w,
                              .y = y,
                              .h = h};
        double *const drawn[] = {rates, start, before, older, y};
        for (size_t i = 0; i < sizeof drawn / sizeof *drawn; i++)
            draw(&random, drawn[i], ROOM);
        draw(&random, h, lanes);
        for (size_t a = 0; a < n_tables; a++) {
            memcpy(k, rates, sizeof k);
            memset(out, 0, sizeof out);
            all[a]->newest(&newest, DIM, ROWS, lanes, out);
            for (size_t i = 0; i < ROWS * lanes; i++) {
                const double less = rates[i] - start[i];
                volatile double s = w[0] * before[i], last = w[1] * less;
                if (newest.older)
                    s = older[i] + s;
                s = s + last;
                s = h[i % lanes] * s;
                ck_assert(k[i] == less);
                ck_assert(out[i] == (i < DIM * lanes ? y[i] + s : 0));
            }
            memcpy(k, rates, sizeof k);
            all[a]->less(k, start, ROWS * lanes);
            for (size_t i = 0; i < ROWS * lanes; i++)
                ck_assert(k[i] == rates[i] - start[i]);
        }
    }
}
END_TEST

SUITE(combine)
{
    TCase *tcase = suite_case(suite, "combine");
    tcase_add_test(tcase, a_sum_has_the_same_bits_with_all_instruction_sets);
    tcase_add_test(tcase, an_argument_has_the_same_bits_with_all_instruction_sets_and_lanes);
}
