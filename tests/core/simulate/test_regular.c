/* What is looked for beside a motion costs regular models no warning and hardly a step.
 *
 * Random models, smooth and of size 1, with constraints of all kinds, forces and time, in each
 * formulation that applies: the steps of the run, with all that it watches, against those of a
 * textbook's loop over the same equations. 55 of them; RANDOM_MODELS times as many (make regular:
 * 550). */
#include <stdio.h>
#include <string.h>

#include "core/prepare/initial_motion.h"
#include "core/prepare/simulation.h"
#include "tests/core/motion/random_model.h"
#include "tests/core/simulate/documents.h"
#include "tests/core/simulate/textbook.h"
#include "tests/suite.h"

enum { FEW = 55, MOST_TRIED = 100000 };

/* All but the cones dot(x) = f sqrt(..) of velocities, which have a tip where these vanish. */
static const unsigned FEATURES = RANDOM_EVERYTHING & ~(unsigned)RANDOM_EXPLICIT;

/* In so much time .. */
static const double SPAN = 2;
/* .. a motion that is regular takes no more steps than that: a loop that goes on has come near a
 * singular state. */
enum { REGULAR_STEPS = 250 };

static const double MOST_SHARE = 1.1;  /* of the textbook's steps, all models together */
static const double MOST_OF_ONE = 1.5; /* of one model, and .. */
static const double SPARE_OF_ONE = 8;  /* .. a few, for where a base is chosen anew */
static const double MOST_ENDS = 0.06;  /* of the frames that hamel derives, so many end */

static const char *const FORMULATIONS[] = {"lagrange-dalembert", "voronec", "hamel", "hamiltonian"};
enum { N_FORMULATIONS = sizeof FORMULATIONS / sizeof *FORMULATIONS };

typedef struct Steps {
    size_t runs, ends; /* those that went through in their equations, and the others */
    double own, textbook;
} Steps;

/* A job over some time, from a random admissible state of the document. */
typedef struct Case {
    unsigned seed;
    ModelDocument document;
    NamedValue q[RANDOM_MAX_N], v[RANDOM_MAX_N];
    JobSpec spec;
} Case;

static bool draw(unsigned seed, Arena *arena, Case *ret)
{
    RandomModel m;
    Random random;
    const size_t n = (ret->document = random_document(seed, FEATURES, arena)).n_coordinates;

    ret->seed = seed;
    random_init(&random, seed);
    if (!random_model_init(&m, &ret->document, &random))
        return false;
    for (size_t i = 0; i < n; i++) {
        const char *name = ret->document.coordinates[i].name;
        ret->q[i] = (NamedValue){.name = name, .value = m.q[i], .pointer = ""};
        ret->v[i] = (NamedValue){.name = name, .value = m.v[i], .pointer = ""};
    }
    job_spec_init(&ret->spec);
    ret->spec.initial.t = m.t;
    ret->spec.initial.q = ret->q;
    ret->spec.initial.v = ret->v;
    ret->spec.initial.n_q = ret->spec.initial.n_v = n;
    ret->spec.time = (TimeSpec){.kind = TIME_SAMPLES, .end = m.t + SPAN, .samples = 2};
    random_model_done(&m);
    return true;
}

static Status ignore_rows(void *self, int table, const double *rows, size_t n_rows, Error *err)
{
    (void)self, (void)table, (void)rows, (void)n_rows, (void)err;
    return OK;
}

/* Of the loop alone; 0: the motion does not begin, or does not end. */
static size_t textbook_steps(const Simulation *s)
{
    const TextbookSpan span = {.t0 = s->times.t0,
                               .end = s->times.end,
                               .rtol = s->integration.options.rtol,
                               .atol = s->integration.options.atol,
                               .most_steps = REGULAR_STEPS};
    MotionEval *eval = NULL;
    double y[TEXTBOOK_MAX_DIM + 1] = {0};
    size_t steps = 0;

    ck_assert_uint_le(s->motion->dim, TEXTBOOK_MAX_DIM);
    ck_assert_int_eq(motion_eval_new(s->compiled->model, s->motion, s->params, false, &eval, NULL),
                     OK);
    if (initial_motion_state(s, eval, y, NULL) == OK)
        steps = textbook_dop853(eval, s->motion->dim, &span, y);
    motion_eval_free(eval);
    return steps;
}

static void add(const Case *c, const SimulationResult *r, double textbook, Steps *sum)
{
    const double own = (double)(r->steps.accepted + r->steps.rejected);

    /* where a derived frame ends, others stand in and say so */
    const bool ends =
        !r->end.complete || (r->n_warnings == 1 && strstr(r->warnings[0], "the motion goes on in"));

    sum->ends += ends;
    if (ends)
        return;
    ck_assert_msg(r->n_warnings == 0, "seed %u: %s", c->seed, r->n_warnings ? r->warnings[0] : "");
    sum->runs++;
    sum->own += own;
    sum->textbook += textbook;
}

/* Runs it beside the loop, where its motion is regular. */
static void run_beside(const Case *c, const char *formulation, Steps *sum)
{
    const SimulationSink sink = {.rows = ignore_rows};
    Arena *arena = arena_new(1 << 24);
    Diagnostics *diag = arena_alloc(arena, 1, sizeof *diag);
    JobSpec spec = c->spec;
    Compiled *compiled = NULL;
    Simulation *simulation = NULL;
    SimulationResult result;
    size_t textbook = 0;

    diagnostics_init(diag, arena);
    spec.formulation = formulation;
    if (compiled_new(&c->document, formulation, diag, &compiled, NULL) == OK &&
        simulation_new(compiled, &spec, NULL, diag, &simulation, NULL) == OK)
        textbook = textbook_steps(simulation);
    if (textbook > 0) {
        ck_assert_int_eq(simulation_run(simulation, &sink, &result, NULL), OK);
        add(c, &result, (double)textbook, sum);
    }
    simulation_free(simulation);
    compiled_unref(compiled);
    arena_free(arena);
}

/* Of so many models; max_step 0: as the method chooses. */
static Steps steps_of(int models, const char *formulation, double max_step)
{
    Steps all = {0};

    for (unsigned seed = 1, found = 0; found < (unsigned)models; seed++) {
        Arena *arena = arena_new(1 << 20);
        Case c;
        ck_assert_uint_lt(seed, MOST_TRIED);
        if (draw(seed, arena, &c)) {
            Steps one = {0};
            c.spec.integrator.max_step = max_step;
            run_beside(&c, formulation, &one);
            if (max_step == 0)
                ck_assert_msg(one.own <= MOST_OF_ONE * one.textbook + SPARE_OF_ONE,
                              "seed %u: %g steps, a textbook's loop %g", seed, one.own,
                              one.textbook);
            all = (Steps){all.runs + one.runs, all.ends + one.ends, all.own + one.own,
                          all.textbook + one.textbook};
            found++;
        }
        arena_free(arena);
    }
    return all;
}

START_TEST(what_is_looked_for_costs_no_warning_and_no_steps)
{
    const int models = random_models(FEW);
    const Steps all = steps_of(models, FORMULATIONS[_i], 0);

    printf("%s: %d models, %zu runs to the end, %zu whose frame ends before, %.0f steps, a "
           "textbook's loop "
           "%.0f\n",
           FORMULATIONS[_i], models, all.runs, all.ends, all.own, all.textbook);
    ck_assert_uint_ge(2 * all.runs, (size_t)models);
    ck_assert_double_le(all.own, MOST_SHARE * all.textbook);
    ck_assert_double_le((double)all.ends, MOST_ENDS * (double)all.runs);
}
END_TEST

START_TEST(shorter_steps_would_show)
{
    const Steps all = steps_of(SUITE_DRAWS(10), FORMULATIONS[0], SPAN / 25);

    ck_assert_double_gt(all.own, MOST_SHARE * all.textbook);
}
END_TEST

SUITE(regular)
{
    TCase *tc = suite_case(suite, "steps");
    tcase_add_loop_test(tc, what_is_looked_for_costs_no_warning_and_no_steps, 0, N_FORMULATIONS);
    tcase_add_test(tc, shorter_steps_would_show);
}
