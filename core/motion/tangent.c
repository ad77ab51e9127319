/* Directional derivatives of a motion's rates and multipliers, compiled. */
#include "core/motion/tangent.h"

#include <string.h>

#include "core/motion/frozen.h"

void motion_tangent_done(MotionTangent *tangent)
{
    program_free(tangent->rates);
    program_free(tangent->lambda);
    *tangent = (MotionTangent){0};
}

/* The chosen symbols and the symbols of their direction: n each. */
static void list_directions(Frozen *frozen, const size_t *parameters, size_t n_parameters,
                            Expr *symbols, Expr *directions)
{
    Equations *eq = &frozen->eq;
    const size_t n = eq->dim + n_parameters;

    memcpy(symbols, eq->state, eq->dim * sizeof *symbols);
    for (size_t k = 0; k < n_parameters; k++)
        symbols[eq->dim + k] = frozen->model->sym.params[parameters[k]];
    for (size_t k = 0; k < n; k++)
        directions[k] = equations_symbol(eq);
}

static Status tangent_compile(Frozen *frozen, const size_t *parameters, size_t n_parameters,
                              bool limits, MotionTangent *ret, Error *err)
{
    Equations *eq = &frozen->eq;
    const size_t n = eq->dim + n_parameters, r = frozen->n_rows, n_roots = eq->dim + r;
    Expr *roots = ARENA_NEW(&eq->arena, n_roots, Expr);
    Expr *derivatives = ARENA_NEW(&eq->arena, n_roots, Expr);
    Expr *symbols = ARENA_NEW(&eq->arena, n, Expr), *directions = ARENA_NEW(&eq->arena, n, Expr);
    Status status = arena_status(&eq->arena, err);
    if (status != OK)
        return status;

    /* differentiate rates and multipliers along the directions */
    memcpy(roots, eq->rates, eq->dim * sizeof *roots);
    memcpy(roots + eq->dim, eq->lambda, r * sizeof *roots);
    list_directions(frozen, parameters, n_parameters, symbols, directions);
    expr_directional(eq->pool, roots, n_roots, symbols, directions, n, derivatives);
    if (limits)
        ret->n_norms = expr_soften_norms(eq->pool, derivatives, n_roots, derivatives, ret->norms);
    status = expr_pool_status(eq->pool, err);
    if (status == OK)
        status = frozen_compile(frozen, directions, n, derivatives, eq->dim, &ret->rates, err);
    if (status == OK && r)
        status = frozen_compile(frozen, directions, n, derivatives + eq->dim, r, &ret->lambda, err);
    return status;
}

Status motion_tangent(const Model *model, const Motion *motion, const size_t *parameters,
                      size_t n_parameters, bool limits, MotionTangent *ret_tangent, Error *err)
{
    if (motion->n_implicit)
        return error_set(err, ERR_INTERNAL,
                         "a motion whose rates are solved for is not linearised");
    Frozen frozen = {0};
    MotionTangent tangent = {0};
    const MotionOptions options = motion_options(motion);
    Status status = frozen_init(&frozen, model, motion->formulation, &options, err);
    if (status == OK)
        status = tangent_compile(&frozen, parameters, n_parameters, limits, &tangent, err);
    frozen_done(&frozen);
    if (status == OK)
        *ret_tangent = tangent;
    else
        motion_tangent_done(&tangent);
    return status;
}
