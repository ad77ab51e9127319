/* A generic state: random ones are made admissible until one is. */
#include "core/simulation/describe/generic.h"

#include "core/base/random.h"
#include "core/motion/choice.h"

enum { TRIES = 32 };

/* Random values near which an admissible state is looked for. */
static void draw(Generic *g, Random *random, double width)
{
    for (size_t i = 0; i < g->compiled->model->n; i++) {
        g->q[i] = random_uniform(random, -width, width);
        g->v[i] = random_normal(random);
    }
    g->t = random_uniform(random, 0, 1);
}

static Status find(Generic *g, const bool *given, Arena *arena, Error *err)
{
    Random random;
    random_init(&random, 5);

    for (size_t k = 0; k < TRIES && !g->found; k++) {
        Diagnostics *diag = arena_alloc(arena, 1, sizeof *diag);
        if (!diag)
            return error_set(err, ERR_NO_MEMORY, "out of memory");
        diagnostics_init(diag, arena);
        /* the first tries stay near the origin, where formulas such as sqrt(1 - x^2) live */
        draw(g, &random, k < TRIES / 2 ? 0.5 : 2);
        InitialState state = {.t = g->t,
                              .q = g->q,
                              .v = g->v,
                              .v_given = given,
                              .consistency = CONSISTENCY_PROJECT,
                              .pointer = ""};
        g->report.independent = g->rows;
        g->found = model_initial_state(g->eval, &state, &g->report, diag, NULL) == OK;
    }
    return OK;
}

Status generic_init(Generic *g, const Compiled *compiled, Arena *arena, Error *err)
{
    const size_t n = compiled->model->n;
    bool *given = arena_alloc(arena, n, sizeof *given);

    *g = (Generic){.compiled = compiled,
                   .q = arena_alloc(arena, 2 * n, sizeof *g->q),
                   .rows = arena_alloc(arena, compiled->model->r, sizeof *g->rows)};
    if (!g->q || !given || !g->rows)
        return error_set(err, ERR_NO_MEMORY, "out of memory");
    g->v = g->q + n;
    for (size_t i = 0; i < n; i++)
        given[i] = true;
    Status status = model_eval_new(compiled->programs, NULL, &g->eval, err);
    return status == OK ? find(g, given, arena, err) : status;
}

void generic_done(Generic *g)
{
    model_eval_free(g->eval);
}

MotionQuestion generic_question(const Generic *g, const MotionOptions *options)
{
    const Model *model = g->compiled->model;
    return (MotionQuestion){.model = model,
                            .eval = g->eval,
                            .params = model->param_values,
                            .t = g->t,
                            .q = g->q,
                            .v = g->v,
                            .options = options};
}

Status generic_options(const Generic *g, const Formulation *formulation, Arena *arena,
                       MotionOptions *ret_options, Diagnostics *diag, Error *err)
{
    if (!g->found) {
        diagnostics_add(diag, "/formulation", -1, NULL,
                        "no state from which a motion could start was found to look at");
        return error_set(err, ERR_INVALID, "no admissible state was found");
    }
    MotionOptions options = {.rows = g->rows, .n_rows = g->report.rank};
    const MotionQuestion question = generic_question(g, &options);
    Status status =
        motion_choose_options(formulation, &question, false, arena, &options, diag, err);
    options.elimination =
        motion_class_of(&g->report) == MOTION_INDEFINITE ? ELIMINATE_PIVOTED : ELIMINATE_NULL_SPACE;
    if (status == OK)
        *ret_options = options;
    return status;
}
