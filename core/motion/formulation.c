/* The equations that a formulation fills in: room for them, symbols, columns, names. */
#include "core/motion/formulation.h"

#include <stdlib.h>

#include "core/base/memory.h"

enum { NAMES_BYTES = 1 << 20 };

Status equations_init(Equations *equations, const Model *model, size_t n_rows, size_t dim,
                      Error *err)
{
    const size_t n = model->n;

    *equations =
        (Equations){.n = n, .n_rows = n_rows, .dim = dim, .next_symbol = model->first_free};
    equations->pool = expr_pool_clone(model->pool);
    equations->arena = arena_new(NAMES_BYTES);
    const BlockPart parts[] = {{&equations->state, dim},
                               {&equations->rates, dim},
                               {&equations->restate, dim},
                               {&equations->q, n},
                               {&equations->v, n},
                               {&equations->vdot, n},
                               {&equations->lambda, n_rows},
                               {&equations->lambda_rate, n_rows},
                               {&equations->regularity, n + n_rows + 1}};
    const bool good = alloc_block(sizeof *equations->state, parts, sizeof parts / sizeof *parts);
    return good && equations->pool && equations->arena
               ? OK
               : error_set(err, ERR_NO_MEMORY, "out of memory");
}

void equations_done(Equations *equations)
{
    expr_pool_free(equations->pool);
    arena_free(equations->arena);
    free(equations->state);
    free(equations->guess);
    free(equations->own);
    *equations = (Equations){0};
}

Expr equations_symbol(Equations *equations)
{
    return expr_symbol(equations->pool, equations->next_symbol++);
}

Status equations_implicit(Equations *equations, size_t n, Error *err)
{
    equations->guess = alloc_array(3 * n, sizeof *equations->guess);
    if (!equations->guess)
        return error_set(err, ERR_NO_MEMORY, "out of memory");
    equations->implicit = equations->guess + n;
    equations->implicit_start = equations->implicit + n;
    equations->n_implicit = n;
    for (size_t i = 0; i < n; i++)
        equations->guess[i] = equations_symbol(equations);
    return OK;
}

Status equations_columns(Equations *equations, size_t n, Error *err)
{
    equations->own = alloc_array(n, sizeof *equations->own);
    equations->own_names = arena_alloc(equations->arena, n, sizeof *equations->own_names);
    if (!equations->own || !equations->own_names)
        return error_set(err, ERR_NO_MEMORY, "out of memory");
    equations->n_own = n;
    return OK;
}

const char *equations_state_name(const Equations *eq, const Model *model,
                                 const MotionOptions *options, size_t k)
{
    const Expr e = eq->state[k];

    for (size_t i = 0; i < eq->n; i++) {
        if (expr_same(e, model->q[i]))
            return model->coordinate_names[i];
        if (expr_same(e, model->v[i]))
            return arena_printf(eq->arena, "dot(%s)", model->coordinate_names[i]);
    }
    const Expr exponential = expr_call(eq->pool, EXPR_EXP, &e, 1);
    for (size_t i = 0; i < eq->n_own; i++) {
        if (expr_same(e, eq->own[i]))
            return eq->own_names[i];
        if (expr_same(exponential, eq->own[i]))
            return arena_printf(eq->arena, "log(%s)", eq->own_names[i]);
    }
    /* a chart's symbol for a coordinate that is the model's own */
    for (size_t i = 0; i < eq->n; i++) {
        if (expr_same(e, eq->q[i]))
            return model->coordinate_names[i];
        if (expr_same(e, eq->v[i]))
            return arena_printf(eq->arena, "dot(%s)", model->coordinate_names[i]);
    }
    for (size_t i = 0; i < eq->n_rows; i++)
        if (expr_same(e, eq->lambda[i]))
            return arena_printf(eq->arena, "multiplier(%s)",
                                model->constraints[options->rows[i]].name);
    return NULL;
}
