/* Weights of velocities by the inertia of their kind (core/model/kinds.h). */
#include "core/motion/weights.h"

#include <string.h>

/* Indexed by the first coordinate of the kind; 0 if all M_ii of the kind depend on velocities. */
static void sum_inertia(ExprPool *pool, const Model *model, Arena *scratch, Expr *ret)
{
    for (size_t i = 0; i < model->n; i++)
        ret[i] = expr_const(pool, 0);
    for (size_t i = 0; i < model->n; i++) {
        const Expr entry = model->M[i * model->n + i];
        Expr *sum = &ret[model->kinds.first[i]];
        bool moves = false;
        if (expr_uses(model->pool, &entry, 1, model->sym.v, model->n, &moves, NULL) != OK)
            arena_fail(scratch);
        else if (!moves)
            *sum = expr_add(pool, *sum, entry);
    }
}

static size_t first_column(const ExprPool *pool, const Expr *rows, size_t n_rows, size_t n)
{
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < n_rows; k++)
            if (!expr_is_zero(pool, rows[k * n + i]))
                return i;
    return 0;
}

void velocity_weights(ExprPool *pool, const Model *model, const MotionOptions *options,
                      const Expr *rows, size_t n_rows, Arena *scratch, Expr *ret_weights)
{
    const size_t n = model->n;
    Expr *inertia = ARENA_NEW(scratch, n, Expr);

    for (size_t i = 0; i < n; i++)
        ret_weights[i] = expr_const(pool, 1);
    if (!inertia || !options->mass_positive)
        return;
    sum_inertia(pool, model, scratch, inertia);
    const size_t first = model->kinds.first[first_column(pool, rows, n_rows, n)];
    for (size_t i = 0; i < n && !expr_is_zero(pool, inertia[first]); i++) {
        const size_t kind = model->kinds.first[i];
        if (kind != first && !expr_is_zero(pool, inertia[kind]))
            ret_weights[i] = expr_div(pool, inertia[first], inertia[kind]);
    }
}

Expr weighted_dot(ExprPool *pool, size_t n, const Expr *a, const Expr *b, const Expr *weights)
{
    Expr sum = expr_const(pool, 0);

    for (size_t k = 0; k < n; k++)
        sum = expr_add(pool, sum, expr_mul(pool, weights[k], expr_mul(pool, a[k], b[k])));
    return sum;
}
