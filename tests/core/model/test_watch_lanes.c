/* What is watched in lanes has the same bits with all instruction sets, whatever the numbers. */
#include <math.h>
#include <string.h>

#include "core/model/watch_lanes.h"
#include "tests/kernels.h"
#include "tests/suite.h"

enum { LANES = 16, N = 4, N_ROWS = 2, ROOM = N * N * LANES, DRAWS = 300 };
/* M, and A behind it. */
enum { MATRICES = ROOM + N_ROWS * N * LANES };
/* All that kernels may write. */
typedef struct Subject {
    MassRows mass;
    RankRows rank;
    double mass_rows[5][ROOM], states[2][3 * ROOM], rank_rows[9][ROOM], horizon[LANES],
        margin[LANES];
    int64_t masks[LANES], looks[LANES];
} Subject;

static void place(Subject *s)
{
    static const size_t ROWS[N_ROWS] = {0, 1};
    double(*rows)[ROOM] = s->rank_rows;

    s->mass = (MassRows){N,
                         LANES,
                         s->mass_rows[0],
                         s->mass_rows[1],
                         s->mass_rows[2],
                         s->mass_rows[3],
                         s->mass_rows[4]};
    s->rank = (RankRows){.n = N,
                         .n_rows = N_ROWS,
                         .lanes = LANES,
                         .rows = ROWS,
                         .past = rows[0],
                         .t_past = rows[1],
                         .rate = rows[2],
                         .next_rate = rows[3],
                         .farthest = rows[4],
                         .next_farthest = rows[5],
                         .B = rows[6],
                         .gram = rows[7],
                         .column = rows[8]};
    rank_state_lay_out(&s->rank.now, s->states[0], N, N_ROWS, LANES);
    rank_state_lay_out(&s->rank.next, s->states[1], N, N_ROWS, LANES);
}

static void draw(Random *random, Subject *s, WatchedStep *step, double (*rows)[MATRICES])
{
    const double *const of[] = {rows[0], rows[1], rows[2], rows[3], rows[4], rows[5]};

    memset(s, 0, sizeof *s);
    place(s);
    for (size_t k = 0; k < 5; k++)
        kernels_draw(random, s->mass_rows[k], ROOM);
    for (size_t k = 0; k < 9; k++)
        kernels_draw(random, s->rank_rows[k], ROOM);
    for (size_t k = 0; k < 2; k++)
        kernels_draw(random, s->states[k], 3 * ROOM);
    /* scales and margins are not negative; entries of A may be */
    for (size_t k = 1; k < 9; k++)
        for (size_t i = 0; i < ROOM; i++)
            s->rank_rows[k][i] = fabs(s->rank_rows[k][i]);
    for (size_t k = 0; k < 2; k++)
        for (size_t i = 0; i < 3 * ROOM; i++)
            if (s->states[k] + i < (k == 0 ? s->rank.now : s->rank.next).A ||
                s->states[k] + i >= (k == 0 ? s->rank.now : s->rank.next).margin)
                s->states[k][i] = fabs(s->states[k][i]);
    for (size_t k = 0; k < 6; k++)
        kernels_draw(random, rows[k], MATRICES);
    /* matrices were evaluated near the state, but for some lanes */
    memcpy(rows[4], rows[1], LANES * sizeof(double));
    memcpy(rows[4] + LANES, rows[3], 2 * N * LANES * sizeof(double));
    rows[4][LANES + 3] += 1;
    /* M is about as it was, and definite in some lanes */
    for (size_t i = 0; i < N; i++)
        for (size_t l = 0; l < LANES; l++)
            rows[5][i * (N + 1) * LANES + l] = l % 2 ? 1e9 : fabs(rows[5][i * (N + 1) * LANES + l]);
    *step = (WatchedStep){of[0], of[1], of[2], of[3], of[4], of[5], of[5], s->looks};
    kernels_draw_masks(random, s->masks, LANES);
    kernels_draw_masks(random, s->looks, LANES);
}

static void run(const WatchKernel *kernel, int which, Subject *s, const WatchedStep *step)
{
    if (which == 0)
        kernel->mass_look(&s->mass, step, s->masks);
    else if (which == 1)
        kernel->mass_take(&s->mass, s->masks);
    else if (which == 2)
        kernel->rank_look(&s->rank, step, 1, s->horizon, s->margin, s->masks);
    else
        kernel->rank_take(&s->rank, step, s->masks);
}

START_TEST(watches_have_the_same_bits_with_all_instruction_sets)
{
    static Subject drawn, subject, first;
    static double rows[6][MATRICES];
    const WatchKernel *all[KERNELS_MOST];
    const size_t n = KERNELS_HERE(watch_kernel, all);
    WatchedStep step;
    Random random;

    random_init(&random, 2);
    for (int k = 0; k < DRAWS; k++) {
        draw(&random, &drawn, &step, rows);
        for (int which = 0; which < 4; which++)
            for (size_t a = 0; a < n; a++) {
                subject = drawn;
                place(&subject);
                run(all[a], which, &subject, &step);
                if (a == 0)
                    first = subject;
                ck_assert_msg(memcmp(&first, &subject, sizeof subject) == 0,
                              "draw %d: kernel %d of table %zu", k, which, a);
            }
    }
}
END_TEST

SUITE(watch_lanes)
{
    TCase *tc = suite_case(suite, "watch lanes");
    tcase_add_test(tc, watches_have_the_same_bits_with_all_instruction_sets);
}
