/* Proofs on the expressions of the equations. Under a reversal of time M(q, t) vdot = F - l must
 * stay the same if t is reflected and v changes its sign (J. S. W. Lamb, J. A. G. Roberts, Physica
 * D 112, 1998). */
#include "core/analyses/periodicity.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "core/exact/exact.h"
#include "core/expr/calculus/calculus.h"
#include "core/numeric/constants.h"

/* Error of the number of half turns in a period, relative (no unit): the rounding of the period
 * and of slopes. Convention. */
static const double HALF_TURN_ERROR = 16 * DBL_EPSILON;
/* Whole multiples of a slope that are considered are smaller than this. No unit; convention. */
static const double MOST_MULTIPLE = 1e6;

/* Most sines and cosines of time. Size of a buffer. */
enum { CIRCULAR_MOST = 32 };

/* The equations as expressions in context->pool, and the nodes sin(u) and cos(u) in them, with
 * u = slope t + phase. Slopes depend on parameters only. */
typedef struct Circular {
    const AnalysisContext *context;
    bool phases;     /* a phase may be anything without t, and tan counts; else it is zero */
    size_t n_masses; /* of the roots, the first */
    size_t n_roots;
    Expr *roots; /* M, F - l, phi, f */
    size_t n;
    Expr nodes[CIRCULAR_MOST];
    Expr slopes[CIRCULAR_MOST];
    double values[CIRCULAR_MOST]; /* of the slopes, with the job's parameters */
    Arena scratch;
} Circular;

/* arena_done(&x->scratch) in any case. */
static Status circular_init(Circular *x, const AnalysisContext *context, bool phases, Error *err)
{
    const Model *model = context->model;
    const size_t n = model->n;

    *x = (Circular){.context = context, .phases = phases, .n_masses = n * n};
    x->roots = ARENA_NEW(&x->scratch, n * n + n + 2 * model->r, Expr);
    Status status = arena_status(&x->scratch, err);
    if (status != OK)
        return status;
    for (size_t k = 0; k < n * n; k++)
        x->roots[x->n_roots++] = model->M[k];
    for (size_t i = 0; i < n; i++)
        x->roots[x->n_roots++] = expr_sub(context->pool, model->F[i], model->l[i]);
    x->n_roots += constraint_roots(model, NULL, model->r, x->roots + x->n_roots);
    return expr_pool_status(context->pool, err);
}

/* *ret: each of exprs[n] vanishes identically with the job's parameters, by exact tests. */
static Status circular_all_vanish(const Circular *x, const Expr *exprs, size_t n, bool *ret,
                                  Error *err)
{
    const Model *model = x->context->model;
    Status status = OK;

    *ret = true;
    /* each expression is tested as a sum of one term, with the job's parameters */
    for (size_t k = 0; k < n && *ret && status == OK; k++) {
        const ExactProblem problem = {.pool = x->context->pool,
                                      .terms = &exprs[k],
                                      .n_terms = 1,
                                      .known = model->sym.params,
                                      .values = x->context->params,
                                      .n_known = model->n_params};
        ExactResult result = {.answer = EXACT_ZERO};
        if (!expr_vanishes(x->context->pool, exprs[k]))
            status = exact_identity(&problem, &result, err);
        *ret = result.answer == EXACT_ZERO;
    }
    return status;
}

/* *ret: changed[n_roots] are the roots. Overwrites them. */
static Status circular_same(const Circular *x, Expr *changed, bool *ret, Error *err)
{
    for (size_t k = 0; k < x->n_roots; k++)
        changed[k] = expr_sub(x->context->pool, changed[k], x->roots[k]);
    Status status = expr_pool_status(x->context->pool, err);
    return status == OK ? circular_all_vanish(x, changed, x->n_roots, ret, err) : status;
}

static bool has_state(const Circular *x, Expr e)
{
    bool moves = true;

    return model_moves(x->context->model, x->context->pool, e, &moves, NULL) != OK || moves;
}

/* Takes a sine or cosine of slope t. Returns false if its argument contains time in another way.
 * With phases such a node is skipped, because its operands may be circular. */
static bool add_circular(Circular *x, Expr e)
{
    const Expr t = x->context->model->sym.t, u = expr_node(x->context->pool, e).args[0];
    const Expr slope = expr_diff(x->context->pool, u, t);

    if (expr_vanishes(x->context->pool, slope))
        return true;
    const Expr rest = expr_sub(x->context->pool, u, expr_mul(x->context->pool, slope, t));
    if (has_state(x, slope) || (!x->phases && !expr_vanishes(x->context->pool, rest)))
        return x->phases;
    if (x->n == CIRCULAR_MOST)
        return false;
    x->slopes[x->n] = slope;
    x->nodes[x->n++] = e;
    return true;
}

static Status collect(Circular *x, bool *ret_simple, Error *err)
{
    const uint32_t size = expr_pool_size(x->context->pool);
    bool *reached = ARENA_NEW(&x->scratch, (size_t)size + 1, bool);
    Status status = arena_status(&x->scratch, err);

    *ret_simple = true;
    /* mark the nodes below the roots from the top down */
    for (size_t k = 0; status == OK && k < x->n_roots; k++)
        reached[x->roots[k].id] = true;
    for (uint32_t id = size; status == OK && id > 0 && *ret_simple; id--) {
        if (!reached[id])
            continue;
        const ExprNode node = expr_node(x->context->pool, (Expr){id});
        for (uint32_t k = 0; k < node.n; k++)
            reached[node.args[k].id] = true;
        if (node.op == EXPR_SIN || node.op == EXPR_COS || (x->phases && node.op == EXPR_TAN))
            *ret_simple = add_circular(x, (Expr){id});
    }
    return status;
}

static Status evaluate_slopes(Circular *x, Error *err)
{
    const Model *model = x->context->model;
    double *symbols = arena_doubles(&x->scratch, model->sym.first_free);
    Status status = arena_status(&x->scratch, err);

    for (size_t j = 0; status == OK && j < model->n_params; j++)
        symbols[expr_node(x->context->pool, model->sym.params[j]).symbol] = x->context->params[j];
    return status == OK ? expr_eval(x->context->pool, x->slopes, x->n, symbols, x->values, err)
                        : status;
}

/* Whether time occurs in the roots after the sines and cosines are replaced by another symbol.
 * (Numbers would be computed with, and rounded.) */
static Status has_other_time(Circular *x, bool *ret, Error *err)
{
    const ModelSymbols *sym = &x->context->model->sym;
    Expr *rest = ARENA_NEW(&x->scratch, x->n_roots, Expr), others[CIRCULAR_MOST];
    Status status = arena_status(&x->scratch, err);
    if (status != OK)
        return status;

    for (size_t k = 0; k < x->n; k++)
        others[k] = sym->vdot[0];
    expr_substitute(x->context->pool, x->roots, x->n_roots, x->nodes, others, x->n, rest);
    status = expr_pool_status(x->context->pool, err);
    if (status == OK)
        status = expr_uses(x->context->pool, rest, x->n_roots, &sym->t, 1, ret, err);
    return status;
}

/* Finds the circular nodes. *ret_found: there are some, and time occurs nowhere else. */
static Status circular_find(Circular *x, bool *ret_found, Error *err)
{
    bool simple, elsewhere = false;
    Status status = collect(x, &simple, err);

    if (status == OK)
        status = evaluate_slopes(x, err);
    if (status == OK && simple && x->n > 0)
        status = has_other_time(x, &elsewhere, err);
    *ret_found = status == OK && simple && x->n > 0 && !elsewhere;
    return status;
}

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

/* The derivatives of e by the state: ret[2 n]. *ret_any: e contains it. used: for work. */
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

Status reversal_is_hamiltonian(const AnalysisContext *context, bool *ret, Error *err)
{
    const Model *model = context->model;
    const size_t n = model->n;
    ExprPool *pool = context->pool;

    /* holonomic constraints, and forces with symmetric derivatives that do not depend on v */
    *ret = model_is_holonomic(model);
    for (size_t i = 0; i < n && *ret; i++)
        for (size_t j = 0; j < n && *ret; j++) {
            Expr curl = expr_sub(pool, expr_diff(pool, model->F[i], model->sym.q[j]),
                                 expr_diff(pool, model->F[j], model->sym.q[i]));
            Expr drag = expr_diff(pool, model->F[i], model->sym.v[j]);
            expr_expand(pool, &curl, 1, &curl);
            *ret = expr_vanishes(pool, curl) && expr_vanishes(pool, drag);
        }
    return expr_pool_status(pool, err);
}

/* Whether the roots are unchanged if symbols[n] are replaced, and v by -v. */
static Status is_mirror(Circular *x, const Expr *symbols, const Expr *images, size_t n, bool *ret,
                        Error *err)
{
    const Model *model = x->context->model;
    ExprPool *pool = x->context->pool;
    Expr *mirrored = ARENA_NEW(&x->scratch, x->n_roots, Expr);
    Expr *back = ARENA_NEW(&x->scratch, model->n, Expr);
    Status status = arena_status(&x->scratch, err);
    if (status != OK)
        return status;

    for (size_t i = 0; i < model->n; i++)
        back[i] = expr_neg(pool, model->sym.v[i]);
    expr_substitute(pool, x->roots, x->n_roots, symbols, images, n, mirrored);
    expr_substitute(pool, mirrored, x->n_roots, model->sym.v, back, model->n, mirrored);
    return circular_same(x, mirrored, ret, err);
}

/* The slope of which all others are whole multiples, set in `values`; n: there is none. */
static Status find_base(Circular *c, size_t *ret_base, Error *err)
{
    ExprPool *pool = c->context->pool;
    Expr *rest = ARENA_NEW(&c->scratch, c->n, Expr);
    Status status = arena_status(&c->scratch, err);
    size_t base = 0;
    bool whole = true;
    if (status != OK)
        return status;

    /* the smallest slope is the candidate */
    for (size_t k = 0; k < c->n; k++)
        if (fabs(c->values[k]) < fabs(c->values[base]))
            base = k;
    /* the others have to be whole multiples of it, proved by exact tests */
    for (size_t k = 0; k < c->n; k++) {
        c->values[k] = k == base ? c->values[k] : nearbyint(c->values[k] / c->values[base]);
        whole = whole && isfinite(c->values[k]) && fabs(c->values[k]) < MOST_MULTIPLE;
        rest[k] = expr_sub(pool, c->slopes[k],
                           expr_scale(pool, k == base ? 1 : c->values[k], c->slopes[base]));
    }
    if (whole)
        status = circular_all_vanish(c, rest, c->n, &whole, err);
    if (status == OK)
        c->values[base] = 1;
    *ret_base = whole ? base : c->n;
    return status;
}

/* t becomes pi/a - t: sin(k a t) becomes -(-1)^k sin(k a t), cos(k a t) (-1)^k cos(k a t). */
static Status mirror_at_quarter(Circular *c, bool *ret, Error *err)
{
    ExprPool *pool = c->context->pool;
    Expr images[CIRCULAR_MOST];
    size_t base;
    bool found;
    Status status = circular_find(c, &found, err);

    *ret = false;
    if (status != OK || !found)
        return status;
    status = find_base(c, &base, err);
    if (status != OK || base == c->n)
        return status;
    /* the values are the multiples k: their parity decides the sign */
    for (size_t k = 0; k < c->n; k++) {
        const double even = fmod(c->values[k], 2) == 0 ? 1 : -1;
        const bool sine = expr_node(pool, c->nodes[k]).op == EXPR_SIN;
        images[k] = expr_scale(pool, sine ? -even : even, c->nodes[k]);
    }
    return is_mirror(c, c->nodes, images, c->n, ret, err);
}

Status reversal_is_proven(const AnalysisContext *context, bool *ret, Error *err)
{
    Circular x;
    Error failure = {0};
    Status status = circular_init(&x, context, false, &failure);

    *ret = false;
    if (status == OK) {
        const Expr t = context->model->sym.t, back = expr_neg(context->pool, t);
        status = is_mirror(&x, &t, &back, 1, ret, &failure);
    }
    if (status == OK && !*ret)
        status = mirror_at_quarter(&x, ret, &failure);
    arena_done(&x.scratch);
    return status == OK || status == ERR_LIMIT ? OK : error_set(err, status, "%s", failure.message);
}
