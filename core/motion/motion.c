/* From a formulation's equations to programs, by the elimination that makes them shortest. */
#include "core/motion/motion.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/memory.h"
#include "core/expr/calculus/calculus.h"
#include "core/motion/frozen.h"

void motion_free(Motion *motion)
{
    if (!motion)
        return;
    program_free(motion->rates);
    program_free(motion->point);
    program_free(motion->switches);
    program_free(motion->restate);
    arena_done(&motion->memory);
    free(motion);
}

/* Guards and their rates along the motion, which decide the direction of a switch. */
static Status compile_switches(Frozen *frozen, Program **ret, Error *err)
{
    Equations *eq = &frozen->eq;
    const size_t k = frozen->n_switches, dim = eq->dim;
    Expr *out = ARENA_NEW(&eq->arena, 2 * k, Expr), *rates = ARENA_NEW(&eq->arena, 1 + dim, Expr);
    Status status = arena_status(&eq->arena, err);
    if (status != OK)
        return status;

    rates[0] = expr_const(eq->pool, 1); /* the inputs begin with t and y */
    memcpy(rates + 1, eq->rates, dim * sizeof *rates);
    for (size_t i = 0; i < k; i++)
        out[i] = frozen->switches[i].guard;
    expr_directional(eq->pool, out, k, frozen->inputs, rates, 1 + dim, out + k);
    status = expr_pool_status(eq->pool, err);
    return status == OK ? frozen_compile(frozen, NULL, 0, out, 2 * k, ret, err) : status;
}

static bool among(const Expr *symbols, size_t n, Expr symbol)
{
    for (size_t i = 0; i < n; i++)
        if (expr_same(symbols[i], symbol))
            return true;
    return false;
}

/* The way back from the model's state; not used if the state is (q, v) itself. */
static Status compile_restate(Frozen *frozen, Program **ret, Error *err)
{
    const Model *model = frozen->model;
    Equations *eq = &frozen->eq;
    const size_t n = model->n, r = frozen->n_rows, dim = eq->dim;
    const size_t n_given = 1 + 2 * n + r;
    Expr *inputs = ARENA_NEW(&eq->arena, n_given + dim, Expr);
    Expr *outputs = ARENA_NEW(&eq->arena, dim + eq->n_implicit, Expr);
    const Status status = arena_status(&eq->arena, err);
    if (status != OK)
        return status;

    inputs[0] = model->sym.t;
    memcpy(inputs + 1, model->sym.q, n * sizeof *inputs);
    memcpy(inputs + 1 + n, model->sym.v, n * sizeof *inputs);
    for (size_t k = 0; k < r; k++)
        inputs[1 + 2 * n + k] = model->sym.lambda[frozen->rows[k]];
    /* a state symbol that is one of the model's means the given value, not the guess */
    for (size_t i = 0; i < dim; i++)
        inputs[n_given + i] =
            among(inputs, n_given, eq->state[i]) ? equations_symbol(eq) : eq->state[i];
    memcpy(outputs, eq->restate, dim * sizeof *outputs);
    if (eq->n_implicit)
        memcpy(outputs + dim, eq->implicit_start, eq->n_implicit * sizeof *outputs);
    const ProgramSpec spec = {.pool = eq->pool,
                              .params = model->sym.params,
                              .n_params = model->n_params,
                              .inputs = inputs,
                              .n_inputs = n_given + dim,
                              .outputs = outputs,
                              .n_outputs = dim + eq->n_implicit};
    return program_compile(&spec, ret, err);
}

static Status compile_all(Frozen *frozen, Motion *motion, Error *err)
{
    Equations *eq = &frozen->eq;
    const size_t n_rates = eq->dim + 1;
    size_t n;
    Expr *all = frozen_gather(eq, true, 0, &n);
    if (!all)
        return arena_status(&eq->arena, err);

    /* rates and accelerations are softened at norms of 0 by which they divide */
    expr_soften_norms(eq->pool, all, n, all, NULL);
    Status status = frozen_compile(frozen, NULL, 0, all, n_rates, &motion->rates, err);
    if (status == OK)
        status = frozen_compile(frozen, NULL, 0, all + n_rates, n - n_rates, &motion->point, err);
    if (status == OK && frozen->n_switches)
        status = compile_switches(frozen, &motion->switches, err);
    if (status == OK && !motion->plain)
        status = compile_restate(frozen, &motion->restate, err);
    return status;
}

/* Names that outlive the equations: the columns' and the state's. */
static Status keep_names(Motion *motion, const Model *model, const MotionOptions *options,
                         Equations *eq, Error *err)
{
    const size_t n = eq->n_own + eq->dim;
    Arena *arena = &motion->memory;

    motion->own_names = ARENA_NEW(arena, n, const char *);
    if (arena_failed(arena))
        return arena_status(arena, err);
    motion->state_names = motion->own_names + eq->n_own;
    for (size_t i = 0; i < n; i++) {
        const char *name =
            i < eq->n_own ? eq->own_names[i]
                          : equations_state_name(eq, model, options, i - eq->n_own, &eq->arena);
        motion->own_names[i] = name ? arena_strdup(arena, name) : NULL;
    }
    return arena_status(arena, err);
}

/* Copies from the options and the equations the parts that the motion keeps. */
static Status motion_describe(Motion *motion, Frozen *frozen, const Formulation *formulation,
                              const MotionOptions *options, Error *err)
{
    Equations *eq = &frozen->eq;
    const size_t r = options->n_rows;

    *motion = (Motion){.formulation = formulation,
                       .elimination = options->elimination,
                       .mass_positive = options->mass_positive,
                       .choice = options->choice,
                       .n = eq->n,
                       .dim = eq->dim,
                       .n_rows = r,
                       .n_switches = frozen->n_switches,
                       .n_regularity = eq->n_regularity,
                       .n_implicit = eq->n_implicit,
                       .n_own = eq->n_own,
                       .plain = expr_is_none(eq->restate[0]),
                       .has_determined = !expr_is_none(eq->determined),
                       .has_orientation = !expr_is_none(eq->orientation),
                       .has_inertia = !expr_is_none(eq->inertia)};
    motion->watches_dependent = motion->has_determined || motion->has_inertia;
    /* copies, because the options belong to the caller */
    motion->rows = arena_sizes(&motion->memory, r);
    motion->dependent = arena_sizes(&motion->memory, r);
    if (r && !arena_failed(&motion->memory)) {
        memcpy(motion->rows, options->rows, r * sizeof *motion->rows);
        memcpy(motion->dependent, options->dependent, r * sizeof *motion->rows);
    }
    return keep_names(motion, frozen->model, options, eq, err);
}

Status motion_new(const Model *model, const Formulation *formulation, const MotionOptions *options,
                  Motion **ret_motion, Error *err)
{
    Frozen frozen = {0};
    Motion *motion = alloc_array(1, sizeof *motion);
    Status status = motion ? OK : error_set(err, ERR_NO_MEMORY, "out of memory");

    if (status == OK)
        status = frozen_init(&frozen, model, formulation, options, err);
    if (status == OK)
        status = motion_describe(motion, &frozen, formulation, options, err);
    if (status == OK)
        status = compile_all(&frozen, motion, err);
    /* constants may overflow in the derivation */
    if (status == ERR_INVALID && frozen.eq.pool &&
        expr_pool_status(frozen.eq.pool, NULL) == ERR_INVALID)
        error_prefix(err, "the equations of motion have constants beyond the range of numbers, "
                          "about 1e-308 to 1e308: divide constraints by factors like 1e-200, or "
                          "choose other units");
    frozen_done(&frozen);
    if (status != OK) {
        motion_free(motion);
        return status;
    }
    *ret_motion = motion;
    return OK;
}

Status motion_best(const Model *model, const Formulation *formulation, const MotionOptions *given,
                   MotionClass kind, Motion **ret_motion, Error *err)
{
    /* pivoting at run time is the last choice: it costs several times an unrolled elimination */
    static const struct {
        Elimination elimination;
        MotionClass weakest;
    } CANDIDATES[] = {
        {ELIMINATE_NULL_SPACE_EXPANDED, MOTION_POSITIVE_ON_CONSTRAINTS},
        {ELIMINATE_NULL_SPACE, MOTION_POSITIVE_ON_CONSTRAINTS},
        {ELIMINATE_SCHUR, MOTION_POSITIVE},
    };
    Motion *best = NULL;
    MotionOptions options = *given;

    options.mass_positive = kind <= MOTION_POSITIVE_UNEVEN;
    for (size_t i = 0; i < sizeof CANDIDATES / sizeof CANDIDATES[0]; i++) {
        if (model->n + given->n_rows > MOTION_UNROLL_MAX || kind > CANDIDATES[i].weakest)
            continue;
        options.elimination = CANDIDATES[i].elimination;
        Motion *motion = NULL;
        Status status = motion_new(model, formulation, &options, &motion, err);
        if (status != OK && status != ERR_NOT_FOUND && status != ERR_LIMIT) {
            motion_free(best);
            return status;
        }
        if (status == OK &&
            (!best || program_length(motion->rates) < program_length(best->rates))) {
            motion_free(best);
            best = motion;
        } else if (status == OK) {
            motion_free(motion);
        }
    }
    if (best) {
        *ret_motion = best;
        return OK;
    }
    options.elimination = ELIMINATE_PIVOTED;
    return motion_new(model, formulation, &options, ret_motion, err);
}

MotionOptions motion_options(const Motion *motion)
{
    return (MotionOptions){.rows = motion->rows,
                           .n_rows = motion->n_rows,
                           .dependent = motion->dependent,
                           .elimination = motion->elimination,
                           .mass_positive = motion->mass_positive,
                           .choice = motion->choice};
}

static Status compile_jacobian(Frozen *frozen, Program **ret_program, Error *err)
{
    Equations *eq = &frozen->eq;
    const size_t dim = eq->dim;
    Expr *out = ARENA_NEW(&eq->arena, dim * dim + dim, Expr);

    for (size_t i = 0; out && i < dim; i++) {
        expr_gradient(eq->pool, eq->rates[i], eq->state, dim, out + i * dim);
        out[dim * dim + i] = expr_diff(eq->pool, eq->rates[i], frozen->model->sym.t);
    }
    const Status status = equations_status(eq, err);
    return status == OK ? frozen_compile(frozen, NULL, 0, out, dim * dim + dim, ret_program, err)
                        : status;
}

Status motion_jacobian(const Model *model, const Motion *motion, Program **ret_program, Error *err)
{
    Frozen frozen = {0};
    const MotionOptions options = motion_options(motion);
    Status status = frozen_init(&frozen, model, motion->formulation, &options, err);

    if (status == OK)
        status = compile_jacobian(&frozen, ret_program, err);
    frozen_done(&frozen);
    return status;
}
