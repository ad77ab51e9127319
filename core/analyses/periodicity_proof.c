/* That equations repeat after a period, and that they are linear, proved on their expressions. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "core/analyses/periodicity.h"
#include "core/expr/calculus/calculus.h"
#include "core/numeric/constants.h"

/* Error of the number of half turns in a period, relative (no unit): the rounding of the period
 * and of slopes. Convention. */
static const double HALF_TURN_ERROR = 16 * DBL_EPSILON;

/* Proves that the equations remain if t grows by the period: sines and cosines of a t + b then
 * keep their value or change their sign. */
static Status proves_periodic(Circular *c, double period, bool *ret, Error *err)
{
    ExprPool *pool = c->context->pool;
    Expr images[CIRCULAR_MOST];
    Expr *later = ARENA_NEW(&c->scratch, c->n_roots, Expr);
    bool timed = true, found = false, odd = false, whole = true;
    Status status = arena_status(&c->scratch, err);

    *ret = false;
    /* equations without time repeat trivially */
    if (status == OK)
        status = expr_uses(pool, c->roots, c->n_roots, &c->context->model->sym.t, 1, &timed, err);
    *ret = !timed;
    if (status != OK || *ret)
        return status;
    /* find all sines and cosines of time */
    status = circular_find(c, &found, err);
    if (status != OK || !found)
        return status;
    /* half turns of each: odd numbers change the sign */
    for (size_t k = 0; k < c->n; k++) {
        const double turns = c->values[k] * period / PI, near = nearbyint(turns);
        const bool minus = fmod(near, 2) != 0 && expr_node(pool, c->nodes[k]).op != EXPR_TAN;
        whole = whole && fabs(turns - near) <= HALF_TURN_ERROR * fmax(1, fabs(near));
        odd = odd || minus;
        images[k] = minus ? expr_neg(pool, c->nodes[k]) : c->nodes[k];
    }
    *ret = whole && !odd;
    if (!whole || !odd)
        return expr_pool_status(pool, err);
    /* with sign changes the equations have to stay the same */
    expr_substitute(pool, c->roots, c->n_roots, c->nodes, images, c->n, later);
    return circular_same(c, later, ret, err);
}

/* The derivatives of e by the state, into ret[2 n]. *ret_any: e contains the state.
 * used[model->sym.first_free]: for work. */
static Status by_state(const Circular *x, Expr e, bool *used, Expr *ret, bool *ret_any, Error *err)
{
    const Model *model = x->context->model;
    ExprPool *pool = x->context->pool;

    memset(used, 0, model->sym.first_free * sizeof *used);
    Status status = expr_used_symbols(pool, &e, 1, used, model->sym.first_free, err);
    *ret_any = false;
    for (size_t i = 0; status == OK && i < 2 * model->n; i++) {
        const Expr s = i < model->n ? model->sym.q[i] : model->sym.v[i - model->n];
        const bool occurs = used[expr_node(pool, s).symbol];
        ret[i] = occurs ? expr_diff(pool, e, s) : expr_const(pool, 0);
        *ret_any = *ret_any || occurs;
    }
    return status == OK ? expr_pool_status(pool, err) : status;
}

static Status proves_linear(Circular *x, bool *ret, Error *err)
{
    const size_t dim = 2 * x->context->model->n;
    Expr *first = ARENA_NEW(&x->scratch, dim, Expr), *second = ARENA_NEW(&x->scratch, dim, Expr);
    bool *used = ARENA_NEW(&x->scratch, x->context->model->sym.first_free, bool), any;
    Status status = arena_status(&x->scratch, err);

    *ret = true;
    /* M must not depend on the state, and the others have to have second derivatives zero */
    for (size_t k = 0; status == OK && *ret && k < x->n_roots; k++) {
        status = by_state(x, x->roots[k], used, first, &any, err);
        if (status == OK && k < x->n_masses && any)
            status = circular_all_vanish(x, first, dim, ret, err);
        for (size_t i = 0; status == OK && *ret && k >= x->n_masses && i < dim; i++) {
            status = by_state(x, first[i], used, second, &any, err);
            if (status == OK && any)
                status = circular_all_vanish(x, second, dim, ret, err);
        }
    }
    return status;
}

Status local_repetition_proof(const AnalysisContext *context, double period, bool *ret_periodic,
                              bool *ret_linear, Error *err)
{
    Circular x;
    Error failure = {0};
    Status status = circular_init(&x, context, true, &failure);

    *ret_periodic = *ret_linear = false;
    if (status == OK)
        status = proves_periodic(&x, period, ret_periodic, &failure);
    if (status == OK)
        status = proves_linear(&x, ret_linear, &failure);
    arena_done(&x.scratch);
    return status == OK || status == ERR_LIMIT ? OK : error_set(err, status, "%s", failure.message);
}
