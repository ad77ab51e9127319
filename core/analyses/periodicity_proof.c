/* That equations repeat after a period, and that they are linear, proved on their expressions. */
#include <float.h>
#include <math.h>

#include "core/analyses/periodicity.h"
#include "core/expr/calculus/calculus.h"
#include "core/numeric/constants.h"

/* Error of the number of half turns in a period, relative (no unit): the rounding of the period
 * and of slopes. Convention. */
static const double HALF_TURN_ERROR = 16 * DBL_EPSILON;

typedef struct Recurrence {
    const AnalysisContext *context;
    ExprPool *pool; /* a clone */
    size_t n_roots;
    Expr *roots; /* M, F - l, phi, f */
    size_t n_masses;
    bool *used; /* model->sym.first_free */
    Circular circular;
    Arena scratch;
} Recurrence;

static Status recurrence_init(Recurrence *x, const AnalysisContext *context, Error *err)
{
    const Model *model = context->model;
    const size_t n = model->n;

    /* clone the pool and allocate the roots */
    *x = (Recurrence){.context = context, .n_masses = n * n};
    x->pool = expr_pool_clone(model->pool);
    x->roots = ARENA_NEW(&x->scratch, n * n + n + 2 * model->r, Expr);
    x->used = ARENA_NEW(&x->scratch, model->sym.first_free, bool);
    if (!x->pool || arena_failed(&x->scratch))
        return error_set(err, ERR_NO_MEMORY, "out of memory");
    /* roots: M, then F - l, then the constraints */
    for (size_t k = 0; k < n * n; k++)
        x->roots[x->n_roots++] = model->M[k];
    for (size_t i = 0; i < n; i++)
        x->roots[x->n_roots++] = expr_sub(x->pool, model->F[i], model->l[i]);
    for (size_t k = 0; k < model->r; k++) {
        const Constraint *constraint = &model->constraints[k];
        x->roots[x->n_roots++] = constraint->phi;
        if (constraint->kind == CONSTRAINT_HOLONOMIC)
            x->roots[x->n_roots++] = constraint->f;
    }
    return expr_pool_status(x->pool, err);
}

/* Proves that the equations remain if t grows by the period: sines and cosines of a t + b then
 * keep their value or change their sign. */
static Status proves_periodic(Recurrence *x, double period, bool *ret, Error *err)
{
    Circular *c = &x->circular;
    Expr images[CIRCULAR_MOST];
    Expr *later = ARENA_NEW(&x->scratch, x->n_roots, Expr);
    bool found = false, odd = false, whole = true;
    Status status = arena_status(&x->scratch, err);

    *ret = false;
    /* equations without time repeat trivially */
    bool timed = true;
    if (status == OK)
        status =
            expr_uses(x->pool, x->roots, x->n_roots, &x->context->model->sym.t, 1, &timed, err);
    *ret = !timed;
    if (status != OK || *ret)
        return status;
    /* find all sines and cosines of time */
    const CircularQuestion question = {.context = x->context,
                                       .pool = x->pool,
                                       .roots = x->roots,
                                       .n_roots = x->n_roots,
                                       .phases = true,
                                       .scratch = &x->scratch};
    status = circular_find(&question, c, &found, err);
    if (status != OK || !found)
        return status;
    /* half turns of each: odd numbers change the sign */
    for (size_t k = 0; k < c->n; k++) {
        const double turns = c->values[k] * period / PI, near = nearbyint(turns);
        const bool minus = fmod(near, 2) != 0 && expr_node(x->pool, c->nodes[k]).op != EXPR_TAN;
        whole = whole && fabs(turns - near) <= HALF_TURN_ERROR * fmax(1, fabs(near));
        odd = odd || minus;
        images[k] = minus ? expr_neg(x->pool, c->nodes[k]) : c->nodes[k];
    }
    *ret = whole && !odd;
    if (!whole || !odd)
        return expr_pool_status(x->pool, err);
    /* with sign changes the equations have to stay the same */
    expr_substitute(x->pool, x->roots, x->n_roots, c->nodes, images, c->n, later);
    for (size_t k = 0; k < x->n_roots; k++)
        later[k] = expr_sub(x->pool, later[k], x->roots[k]);
    status = expr_pool_status(x->pool, err);
    return status == OK ? circular_all_vanish(x->context, x->pool, later, x->n_roots, ret, err)
                        : status;
}

/* The derivatives of e by the state, into ret[2 n]. *ret_any: e contains the state. */
static Status by_state(Recurrence *x, Expr e, Expr *ret, bool *ret_any, Error *err)
{
    const Model *model = x->context->model;

    for (size_t s = 0; s < model->sym.first_free; s++)
        x->used[s] = false;
    Status status = expr_used_symbols(x->pool, &e, 1, x->used, model->sym.first_free, err);
    *ret_any = false;
    for (size_t i = 0; status == OK && i < 2 * model->n; i++) {
        const Expr s = i < model->n ? model->sym.q[i] : model->sym.v[i - model->n];
        const bool occurs = x->used[expr_node(x->pool, s).symbol];
        ret[i] = occurs ? expr_diff(x->pool, e, s) : expr_const(x->pool, 0);
        *ret_any = *ret_any || occurs;
    }
    return status == OK ? expr_pool_status(x->pool, err) : status;
}

static Status proves_linear(Recurrence *x, bool *ret, Error *err)
{
    const size_t dim = 2 * x->context->model->n;
    Expr *first = ARENA_NEW(&x->scratch, dim, Expr), *second = ARENA_NEW(&x->scratch, dim, Expr);
    Status status = arena_status(&x->scratch, err);
    bool any;

    *ret = true;
    /* M must not depend on the state, and the others have to have second derivatives zero */
    for (size_t k = 0; status == OK && *ret && k < x->n_roots; k++) {
        status = by_state(x, x->roots[k], first, &any, err);
        if (status == OK && k < x->n_masses && any)
            status = circular_all_vanish(x->context, x->pool, first, dim, ret, err);
        for (size_t i = 0; status == OK && *ret && k >= x->n_masses && i < dim; i++) {
            status = by_state(x, first[i], second, &any, err);
            if (status == OK && any)
                status = circular_all_vanish(x->context, x->pool, second, dim, ret, err);
        }
    }
    return status;
}

Status local_repetition_proof(const AnalysisContext *context, double period, bool *ret_periodic,
                              bool *ret_linear, Error *err)
{
    Recurrence x;
    Error failure = {0};
    Status status = recurrence_init(&x, context, &failure);

    *ret_periodic = *ret_linear = false;
    if (status == OK)
        status = proves_periodic(&x, period, ret_periodic, &failure);
    if (status == OK)
        status = proves_linear(&x, ret_linear, &failure);
    expr_pool_free(x.pool);
    arena_done(&x.scratch);
    return status == OK || status == ERR_LIMIT ? OK : error_set(err, status, "%s", failure.message);
}
