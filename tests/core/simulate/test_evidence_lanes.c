/* What runs measure in lanes has the same bits with all instruction sets, whatever the numbers. */
#include <math.h>
#include <string.h>

#include "core/run/batch/evidence_lanes.h"
#include "tests/kernels.h"
#include "tests/suite.h"

enum { LANES = 16, N = 4, R = 3, ARRAYS = 5, DRAWS = 300, ROOM = 2 * R * 8 * LANES };
_Static_assert(ROOM >= (int)EVIDENCE_SUMS * LANES && RESIDUAL_NUMBERS <= 8, "room for all rows");

/* All that kernels may write: the arrays of EvidenceLanes. */
typedef struct Subject {
    EvidenceLanes lanes;
    double rows[ARRAYS][ROOM];
    int64_t masks[LANES];
} Subject;

static void take_places(Subject *s)
{
    double **const arrays[ARRAYS] = {&s->lanes.residuals, &s->lanes.relative, &s->lanes.sums,
                                     &s->lanes.bounds, &s->lanes.speed_squares};
    for (size_t k = 0; k < ARRAYS; k++)
        *arrays[k] = s->rows[k];
}

static void draw(Random *random, Subject *s, const StepEndLanes *ends, double *t, double *y)
{
    double *const read[] = {ends->look, ends->dq, ends->dv, ends->energy, t};

    for (size_t k = 0; k < ARRAYS; k++)
        kernels_draw(random, s->rows[k], ROOM);
    kernels_draw_masks(random, s->masks, LANES);
    for (size_t k = 0; k < sizeof read / sizeof *read; k++)
        kernels_draw(random, read[k], (k ? 1 : look_size(R)) * LANES);
    kernels_draw(random, y, (2 * N + 1) * LANES);
    /* scales, the terms of the energy, and what is summed of squares are not negative */
    for (size_t i = 0; i < look_size(R) * LANES; i++)
        if (i / LANES != LOOK_ENERGY)
            ends->look[i] = fabs(ends->look[i]);
    for (size_t k = 0; k < 3; k++)
        for (size_t i = 0; i < ROOM; i++)
            s->rows[k][i] = fabs(s->rows[k][i]);
}

static double look[64 * LANES], dq[LANES], dv[LANES], energy[LANES], t[LANES],
    y[(2 * N + 1) * LANES];
static Constraint constraints[R] = {{.kind = CONSTRAINT_HOLONOMIC}};
static size_t kinds[N] = {0, 0, 2, 3};
static const Model model = {.n = N, .r = R, .constraints = constraints, .kinds.first = kinds};
static const StepEndLanes ends = {.look = look, .dq = dq, .dv = dv, .energy = energy};

START_TEST(evidence_has_the_same_bits_with_all_instruction_sets)
{
    static Subject drawn, first, subject;
    const EvidenceKernel *all[KERNELS_MOST];
    const size_t n = KERNELS_HERE(evidence_kernel, all);
    Random random;

    ck_assert_uint_le(look_size(R), 64);
    random_init(&random, 3);
    for (int k = 0; k < DRAWS; k++) {
        drawn.lanes = (EvidenceLanes){.model = &model, .ends = &ends, .lanes = LANES};
        draw(&random, &drawn, &ends, t, y);
        for (size_t a = 0; a < n; a++) {
            subject = drawn;
            take_places(&subject);
            all[a]->look(&subject.lanes, 1e-3, subject.masks);
            all[a]->take(&subject.lanes, t, y, subject.masks);
            if (a == 0)
                first = subject;
            ck_assert_msg(memcmp(&first, &subject, sizeof subject) == 0, "draw %d, table %zu", k,
                          a);
        }
    }
}
END_TEST

/* What the balance is measured by, with all divisions. */
static double turnover_of(const EvidenceSums *sums)
{
    const double elapsed = fabs(sums->last_t - sums->start_t);
    const double terms = fmax(sums->terms_start, sums->terms_last) + sums->impact_swing;

    return elapsed == 0 ? terms
                        : fmax(terms, sums->terms_integral / elapsed) +
                              sums->power_root * sums->power_root / elapsed;
}

/* In one lane, after a step. */
static void check_balance(const Subject *s, size_t lane, int *count)
{
    EvidenceSums sums;

    for (size_t k = 0; k < EVIDENCE_SUMS; k++)
        memcpy((char *)&sums + k * sizeof(double), &s->lanes.sums[k * LANES + lane],
               sizeof(double));
    const double drift = sums.energy_last - sums.energy_start;
    const double balance = fabs(drift - sums.work_last - sums.projection_work - sums.impact_work);
    const double terms = fmax(sums.terms_start, sums.terms_last) + sums.impact_swing;
    const bool fine = balance <= sums.believable * turnover_of(&sums);
    ck_assert_int_eq(isnan(sums.lost_t), fine);
    count[balance <= sums.believable * terms ? 0 : fine ? 1 : 2]++;
}

START_TEST(an_imbalance_is_judged_as_with_the_whole_turnover)
{
    int count[3] = {0}; /* little beside the ends; beside the way, too; not little */
    Subject s;
    Random random;

    random_init(&random, 4);
    for (int k = 0; k < DRAWS; k++) {
        s.lanes = (EvidenceLanes){.model = &model, .ends = &ends, .lanes = LANES};
        take_places(&s);
        draw(&random, &s, &ends, t, y);
        KERNEL_BEST(evidence_kernel)->take(&s.lanes, t, y, s.masks);
        for (size_t l = 0; l < LANES; l++)
            if (s.masks[l])
                check_balance(&s, l, count);
    }
    for (size_t k = 0; k < 3; k++)
        ck_assert_int_gt(count[k], 200);
}
END_TEST

SUITE(evidence_lanes)
{
    TCase *tc = suite_case(suite, "evidence lanes");
    tcase_add_test(tc, evidence_has_the_same_bits_with_all_instruction_sets);
    tcase_add_test(tc, an_imbalance_is_judged_as_with_the_whole_turnover);
}
