/* A generic state: random states are made admissible until one succeeds. */
#include "core/simulate/generic.h"

#include "core/base/random.h"
#include "core/base/stop_token.h"
#include "core/model/kinds.h"
#include "core/motion/choice.h"

/* Random states that are tried. Convention. */
enum { TRIES = 32 };

static void generic_draw(Generic *g, Random *random, double width)
{
    for (size_t i = 0; i < g->compiled->model->n; i++) {
        g->q[i] = g->size[i] * random_uniform(random, -width, width);
        g->v[i] = g->size[i] / g->time * random_normal(random);
    }
    g->t = g->time * random_uniform(random, 0, 1);
}

static Status generic_find(Generic *g, const bool *given, Arena *arena, Error *err)
{
    const Model *model = g->compiled->model;
    Random random;
    random_init(&random, 5);

    /* first with sizes from the parameters, so that units do not matter, then with sizes of 1 */
    const Status sized = kinds_of_parameters(model, model->param_values, g->size, &g->time, err);
    if (sized != OK)
        return sized;
    for (size_t k = 0; k < (size_t)2 * TRIES && !g->found; k++) {
        Diagnostics objections;
        Error failure = {0};
        diagnostics_init(&objections, arena);
        if (k == TRIES) {
            for (size_t i = 0; i < model->n; i++)
                g->size[i] = 1;
            g->time = 1;
        }
        /* the first tries stay near the origin, because formulas such as sqrt(1 - x^2) are
         * defined there */
        generic_draw(g, &random, k % TRIES < TRIES / 2 ? 0.5 : 2);
        InitialState state = {.t = g->t,
                              .q = g->q,
                              .v = g->v,
                              .v_given = given,
                              .consistency = CONSISTENCY_PROJECT,
                              .pointer = ""};
        g->report.independent = g->rows;
        Status status = model_initial_state(g->eval, &state, &g->report, &objections, &failure);
        const Status over = stop_token_status(err);
        if (over != OK)
            return over;
        if (status == ERR_NO_MEMORY || objections.no_memory)
            return error_set(err, ERR_NO_MEMORY, "out of memory");
        g->found = status == OK;
        if (!g->irregular)
            g->objection = g->report.singular ? g->report.singular
                           : objections.count ? objections.items[0].message
                                              : arena_strdup(arena, failure.message);
        g->irregular = !g->found && (g->irregular || g->report.singular);
    }
    return OK;
}

Status generic_init(Generic *g, const Compiled *compiled, Arena *arena, Error *err)
{
    const size_t n = compiled->model->n;
    bool *given = ARENA_NEW(arena, n, bool);

    *g = (Generic){.compiled = compiled,
                   .q = arena_doubles(arena, n),
                   .v = arena_doubles(arena, n),
                   .size = arena_doubles(arena, n),
                   .rows = arena_sizes(arena, compiled->model->r)};
    Status status = arena_status(arena, err);
    for (size_t i = 0; status == OK && i < n; i++)
        given[i] = true;
    if (status == OK)
        status = model_eval_new(compiled->programs, NULL, &g->eval, err);
    if (status == OK)
        status = generic_find(g, given, arena, err);
    return status;
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
                        "no state from which a motion could start was found to look at: %s",
                        g->objection);
        return error_set(err, ERR_INVALID, "no admissible state was found");
    }
    /* choose the options of the formulation there, and an elimination that suits texts */
    MotionOptions options = {.rows = g->rows, .n_rows = g->report.rank};
    const MotionQuestion question = generic_question(g, &options);
    Status status =
        motion_choose_options(formulation, &question, false, arena, &options, diag, err);
    const MotionClass kind = motion_class_of(&g->report);
    options.elimination = kind == MOTION_INDEFINITE ? ELIMINATE_PIVOTED : ELIMINATE_NULL_SPACE;
    options.mass_positive = kind <= MOTION_POSITIVE_UNEVEN;
    if (status == OK)
        *ret_options = options;
    return status;
}
