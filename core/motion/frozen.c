/* Equations with their corners frozen into modes, and programs over the resulting inputs. */
#include "core/motion/frozen.h"

#include <stdlib.h>
#include <string.h>

void frozen_done(Frozen *frozen)
{
    equations_done(&frozen->eq);
    free(frozen->switches);
}

Expr *frozen_gather(Equations *eq, bool measures, size_t more, size_t *ret_n)
{
    EquationsPart parts[EQUATIONS_PARTS];
    size_t n = 0;

    equations_parts(eq, parts);
    for (size_t i = 0; i < EQUATIONS_PARTS; i++)
        n += parts[i].n;
    Expr *all = ARENA_NEW(&eq->arena, n + more, Expr);
    *ret_n = 0;
    for (size_t i = 0; all && i < EQUATIONS_PARTS; i++) {
        if (!parts[i].n || (parts[i].measure && !measures))
            continue;
        memcpy(all + *ret_n, parts[i].exprs, parts[i].n * sizeof *all);
        *ret_n += parts[i].n;
    }
    return all;
}

/* Copies all parts except the measures back. */
static void scatter(Equations *eq, const Expr *all)
{
    EquationsPart parts[EQUATIONS_PARTS];

    equations_parts(eq, parts);
    for (size_t i = 0; i < EQUATIONS_PARTS; i++) {
        if (!parts[i].n || parts[i].measure)
            continue;
        memcpy(parts[i].exprs, all, parts[i].n * sizeof *all);
        all += parts[i].n;
    }
}

static void list_inputs(Frozen *frozen)
{
    Equations *eq = &frozen->eq;
    const size_t k = frozen->n_switches;

    frozen->n_inputs = 1 + eq->dim + k + eq->n_implicit;
    Expr *next = frozen->inputs = ARENA_NEW(&eq->arena, frozen->n_inputs, Expr);
    if (!next)
        return;
    *next++ = frozen->model->sym.t;
    for (size_t i = 0; i < eq->dim; i++)
        *next++ = eq->state[i];
    for (size_t i = 0; i < k; i++)
        *next++ = frozen->switches[i].mode;
    for (size_t i = 0; i < eq->n_implicit; i++)
        *next++ = eq->guess[i];
}

static Status freeze_roots(Frozen *frozen, Expr *roots, size_t n, Error *err)
{
    Equations *eq = &frozen->eq;

    free(frozen->switches);
    frozen->switches = NULL;
    return expr_freeze_switches(eq->pool, roots, n, eq->next_symbol, roots, &frozen->switches,
                                &frozen->n_switches, err);
}

/* Watches the corners of quantities that must be continuous, too, because the rates may not show
 * them: a ramp max(0, t - 1) for a constrained coordinate has no acceleration on either side.
 * `roots` has space for these quantities after the first n; all come back frozen. */
static Status freeze_with_continuous(Frozen *frozen, Expr *roots, size_t n, Error *err)
{
    const Model *model = frozen->model;
    Equations *eq = &frozen->eq;
    const size_t count = 2 * model->r + model->n;
    Expr *continuous = roots + n;

    model_continuous(model, eq->pool, continuous);
    Status status = freeze_roots(frozen, continuous, count, err);
    if (status != OK || frozen->n_switches == 0)
        return status == OK ? freeze_roots(frozen, roots, n, err) : status;
    /* write them in the state, and freeze them together with the rest */
    model_continuous(model, eq->pool, continuous);
    expr_substitute(eq->pool, continuous, count, model->sym.v, eq->v, model->n, continuous);
    expr_substitute(eq->pool, continuous, count, model->sym.q, eq->q, model->n, continuous);
    return freeze_roots(frozen, roots, n + count, err);
}

/* Corners only of measures, such as sqrt(sin(x)^2) = abs(sin(x)), are not of the motion. */
static Status frozen_freeze(Frozen *frozen, Error *err)
{
    Equations *eq = &frozen->eq;
    const size_t more = 2 * frozen->model->r + frozen->model->n;
    size_t n;
    Expr *all = frozen_gather(eq, false, more, &n);
    if (!all)
        return arena_status(&eq->arena, err);

    Status status = freeze_with_continuous(frozen, all, n, err);
    if (status != OK)
        return status;
    eq->next_symbol += (uint32_t)frozen->n_switches;
    scatter(eq, all);
    list_inputs(frozen);
    return equations_status(eq, err);
}

Status frozen_init(Frozen *frozen, const Model *model, const Formulation *formulation,
                   const MotionOptions *options, Error *err)
{
    *frozen = (Frozen){.model = model, .rows = options->rows, .n_rows = options->n_rows};
    Status status = formulation->derive(model, options, &frozen->eq, err);
    /* a derivation that failed for lack of memory may succeed later */
    if (frozen->eq.pool && expr_pool_status(frozen->eq.pool, NULL) == ERR_NO_MEMORY)
        status = expr_pool_status(frozen->eq.pool, err);
    if (status == OK)
        status = frozen_freeze(frozen, err);
    return status;
}

Status frozen_compile(const Frozen *frozen, const Expr *more, size_t n_more, const Expr *outputs,
                      size_t n, Program **ret_program, Error *err)
{
    const size_t n_inputs = frozen->n_inputs;
    Arena scratch = {0};
    Expr *inputs = ARENA_NEW(&scratch, n_inputs + n_more, Expr);
    Status status = arena_status(&scratch, err);

    if (status == OK) {
        memcpy(inputs, frozen->inputs, n_inputs * sizeof *inputs);
        /* memcpy() must not get NULL, even for no bytes */
        if (n_more)
            memcpy(inputs + n_inputs, more, n_more * sizeof *inputs);
        const ProgramSpec spec = {.pool = frozen->eq.pool,
                                  .params = frozen->model->sym.params,
                                  .n_params = frozen->model->n_params,
                                  .inputs = inputs,
                                  .n_inputs = n_inputs + n_more,
                                  .outputs = outputs,
                                  .n_outputs = n};
        status = program_compile(&spec, ret_program, err);
    }
    arena_done(&scratch);
    return status;
}

Status corners_depend(const Model *model, const Expr *exprs, size_t n, const Expr *symbols,
                      size_t n_symbols, bool *ret_depend, Error *err)
{
    Arena scratch = {0};
    ExprPool *pool = expr_pool_clone(model->pool);
    Expr *frozen = ARENA_NEW(&scratch, n, Expr);
    ExprSwitch *switches = NULL;
    size_t n_switches = 0;
    Status status =
        pool ? arena_status(&scratch, err) : error_set(err, ERR_NO_MEMORY, "out of memory");

    /* freeze the corners, and test the guards, whose zeros they are */
    if (status == OK)
        status = expr_freeze_switches(pool, exprs, n, model->sym.first_free, frozen, &switches,
                                      &n_switches, err);
    *ret_depend = false;
    for (size_t k = 0; status == OK && k < n_switches && !*ret_depend; k++)
        status = expr_uses(pool, &switches[k].guard, 1, symbols, n_symbols, ret_depend, err);
    free(switches);
    arena_done(&scratch);
    expr_pool_free(pool);
    return status;
}
