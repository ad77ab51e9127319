/* What is decided of lanes on the fast path has the same bits with all instruction sets,
 * whatever the numbers. What it has in common with a lane alone is for those who compare runs
 * (tests/api/test_simulations_run.c). */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/integrate/fast_path.h"
#include "core/integrate/methods.h"
#include "tests/kernels.h"
#include "tests/suite.h"

enum { LANES = 16, DIM = 5, ROWS = 6, DRAWS = 200, ROOM = 1 << 17 };

/* A fast path, and all that its kernels may write, in two blocks of memory. */
typedef struct Subject {
    OdeSystem system;
    OdeStep step;
    FastPathRuns runs;
    FastPath fast_path;
    size_t step_size, size;
    _Alignas(CUT_ALIGNMENT) char step_memory[ROOM];
} Subject;

static void subject_init(Subject *s)
{
    const OdeMethod *method = ode_method_find("dop853");
    Cutter cutter = {.memory = s->step_memory};

    s->system = (OdeSystem){.dim = DIM, .extra = ROWS - DIM};
    s->step = (OdeStep){.system = &s->system,
                        .lanes = LANES,
                        .dim = DIM,
                        .rows = ROWS,
                        .rtol = 1e-9,
                        .atol = 1e-10};
    ode_step_lay_out(&s->step, method, &cutter);
    s->step_size = (size_t)((char *)s->step.work - s->step_memory);
    ck_assert_uint_le(cutter.used, ROOM);
    ck_assert_int_eq(fast_path_init(&s->fast_path, &s->runs, &s->step, method, NULL), OK);
    /* the last array that was cut */
    s->size = (size_t)((char *)(s->fast_path.history.looks + LANES) - (char *)s->fast_path.memory);
}

static void draw_counts(Random *random, int64_t *counts, int64_t most)
{
    for (size_t l = 0; l < LANES; l++)
        counts[l] = (int64_t)random_uniform(random, 0, (double)most);
}

/* States are now and then larger than before; the sizes of some components are given. */
static void draw_sizes(Random *random, OdeStep *s)
{
    double *const sizes[] = {s->sizes.size, s->rounding.noise, s->rounding.carried};

    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        kernels_draw(random, sizes[k], DIM * LANES);
        for (size_t i = 0; i < DIM * LANES; i++)
            sizes[k][i] = fabs(sizes[k][i]);
    }
    for (size_t i = 0; i < DIM * LANES; i++)
        s->sizes.unsized[i] = random_uniform(random, 0, 1) < 0.3 ? 0 : 1;
}

static void draw(Random *random, Subject *s)
{
    OdeStep *step = &s->step;
    FastPath *c = &s->fast_path;
    FastCourse *o = &c->course;
    double *const courses[] = {o->h,      o->t_new,   o->h_new,      o->stop,          o->sample_t,
                               o->next_h, o->horizon, o->rejected_h, o->rejected_error};
    double *const sizes[] = {o->longest, o->paced_h, o->root, o->least, o->next_root, o->limit};
    double *const states[] = {step->y, step->y_new, step->rates, step->rates_new, c->attempted};

    for (size_t k = 0; k < sizeof courses / sizeof *courses; k++)
        kernels_draw(random, courses[k], LANES);
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        kernels_draw(random, sizes[k], LANES);
        for (size_t l = 0; l < LANES; l++)
            sizes[k][l] = fabs(sizes[k][l]);
    }
    for (size_t k = 0; k < sizeof states / sizeof *states; k++)
        kernels_draw(random, states[k], ROWS * LANES);
    kernels_draw(random, step->t, LANES);
    kernels_draw(random, step->h, LANES);
    kernels_draw(random, step->error, LANES);
    kernels_draw(random, c->history.t, HISTORY_STATES * LANES);
    for (size_t l = 0; l < LANES; l++) {
        o->direction[l] = l % 3 ? 1 : -1;
        o->margin[l] = random_uniform(random, 0, 1);
        o->limit[l] = l % 4 ? INFINITY : o->limit[l];
        o->sample_t[l] = l % 5 ? o->direction[l] * INFINITY : o->sample_t[l];
        step->error[l] = l % 7 ? fabs(step->error[l]) : INFINITY;
        o->slowed[l] = random_uniform(random, 0, 1) < 0.3 ? -1 : 0;
        c->history.n[l] = (int64_t)random_uniform(random, 0, HISTORY_STATES);
    }
    draw_sizes(random, step);
    draw_counts(random, o->accepted, 40);
    draw_counts(random, o->paced_steps, 20);
    draw_counts(random, o->rejected, 5);
    draw_counts(random, o->most, 100);
    draw_counts(random, o->rejections, 3);
    kernels_draw_masks(random, c->masks, LANES);
    c->sizes.noise = random_uniform(random, 0, 1) < 0.5;
    c->history.newest = (size_t)random_uniform(random, 0, HISTORY_STATES);
}

START_TEST(decisions_have_the_same_bits_with_all_instruction_sets)
{
    static Subject s;
    static char step[ROOM], memory[ROOM], step_there[ROOM], there[ROOM];
    const FastKernel *all[KERNELS_MOST];
    const size_t n = KERNELS_HERE(fast_path_kernel, all);
    unsigned stayed[LANES] = {0};
    Random random;

    subject_init(&s);
    ck_assert_uint_le(s.size, ROOM);
    random_init(&random, 1);
    for (int k = 0; k < DRAWS; k++) {
        draw(&random, &s);
        const size_t newest = s.fast_path.history.newest;
        memcpy(step, s.step_memory, s.step_size);
        memcpy(memory, s.fast_path.memory, s.size);
        for (size_t which = 0; which < sizeof(FastKernel) / sizeof(void (*)(FastPath *)); which++) {
            for (size_t a = 0; a < n; a++) {
                void (*kernel)(FastPath *);
                memcpy(&kernel, (const char *)all[a] + which * sizeof kernel, sizeof kernel);
                memcpy(s.step_memory, step, s.step_size);
                memcpy(s.fast_path.memory, memory, s.size);
                s.fast_path.history.newest = newest;
                s.fast_path.history.kept = true;
                kernel(&s.fast_path);
                if (a == 0) {
                    memcpy(step_there, s.step_memory, s.step_size);
                    memcpy(there, s.fast_path.memory, s.size);
                }
                ck_assert_msg(memcmp(step_there, s.step_memory, s.step_size) == 0 &&
                                  memcmp(there, s.fast_path.memory, s.size) == 0,
                              "draw %d: kernel %zu of table %zu", k, which, a);
            }
            if (which == 0)
                for (size_t l = 0; l < LANES; l++)
                    stayed[l] += s.fast_path.masks[l] != 0;
        }
    }
    /* both are decided, in each lane */
    for (size_t l = 0; l < LANES; l++)
        ck_assert_msg(stayed[l] > 0 && stayed[l] < DRAWS, "lane %zu stayed %u times", l, stayed[l]);
    fast_path_done(&s.fast_path);
}
END_TEST

SUITE(fast_path)
{
    TCase *tcase = suite_case(suite, "cruise");
    tcase_add_test(tcase, decisions_have_the_same_bits_with_all_instruction_sets);
}
