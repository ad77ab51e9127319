/* Potential energies V = V0 + a_1 S_1 + a_2 S_2 + .. with a_k > 0. The terms S_k vanish at the
 * place and are nowhere negative by their form: even powers, norms, and products of these. V = V0
 * implies that all S_k vanish. A term that vanishes only for one value of a coordinate, such as
 * x^8 or (x + y - 1)^4, determines that coordinate, as a number or by others. Its value is put
 * into the other terms, which then determine the next one: (x^3 - 2 y^3)^2 becomes 4 y^6. If all
 * coordinates are determined, V has a strict minimum there, and no other zero nearby. V need not
 * have derivatives: hypot(x, y)^3 is allowed.
 *
 * A function f with f(0) = 0 that rises through 0, such as sin, is replaced by its argument: it
 * has no other zero nearby. */
#include "core/stability/flat/energy.h"

#include <math.h>
#include <string.h>

#include "core/expr/calculus/calculus.h"
#include "core/expr/graph/reach.h"

enum { MOST_TERMS = 64, MOST_COORDINATES = 32, DEEPEST = 16 };

typedef struct Squares {
    const Model *model;
    size_t n;
    ExprPool *pool;
    /* n: the coordinates by those that are not known yet; the symbol itself if unknown */
    Expr *values;
    bool *known; /* n */
    Expr terms[MOST_TERMS];
    size_t n_terms;
} Squares;

/* Something vanishes; then coordinate i is `value`. */
typedef struct Forced {
    size_t i;
    Expr value;
} Forced;

/* Whether the operation is continuous and defined for its arguments. */
static bool is_tame(const ExprPool *pool, ExprNode node)
{
    const ExprOp op = node.op;
    bool result = op == EXPR_CONST || op == EXPR_SYMBOL || op == EXPR_SUM || op == EXPR_PRODUCT ||
                  op == EXPR_SIN || op == EXPR_COS || op == EXPR_EXP || op == EXPR_HYPOT ||
                  op == EXPR_SINH || op == EXPR_COSH || op == EXPR_TANH || op == EXPR_ATAN ||
                  (op == EXPR_SQRT && expr_never_negative(pool, node.args[0]));

    for (uint32_t k = 0; op == EXPR_PRODUCT && k < node.n; k++) {
        const double power = node.coefs[k];
        result = result && power > 0 &&
                 (power == rint(power) || expr_never_negative(pool, node.args[k]));
    }
    return result;
}

static Status all_tame(const ExprPool *pool, Expr e, bool *ret, Error *err)
{
    Reach reach = {0};
    Status status = reach_init(pool, &e, 1, &reach, err);

    *ret = status == OK;
    for (uint32_t i = 0; *ret && i < reach.n; i++)
        *ret = is_tame(pool, expr_node(pool, reach.order[i]));
    reach_done(&reach);
    return status;
}

/* exp(u) - 1 for u >= 0 and cosh(u) - 1 vanish with u and u^2 alone. */
static Expr above_floor(ExprPool *pool, Expr e)
{
    const ExprNode node = expr_node(pool, e);

    if (node.op == EXPR_EXP)
        return node.args[0];
    return node.op == EXPR_COSH ? expr_pow(pool, node.args[0], expr_const(pool, 2)) : e;
}

/* The terms of V, but its constant; false: there are too many, or one may be negative. */
static bool split(Squares *s, Expr V)
{
    const ExprNode node = expr_node(s->pool, V);
    const bool sum = node.op == EXPR_SUM;
    const size_t n = sum ? node.n : 1;

    if (n > MOST_TERMS)
        return false;
    /* terms need positive coefficients */
    for (size_t k = 0; k < n; k++) {
        if (sum && !(node.coefs[k] > 0))
            return false;
        s->terms[k] = sum ? node.args[k] : V;
    }
    /* and must not be negative themselves */
    for (s->n_terms = 0; s->n_terms < n; s->n_terms++) {
        Expr *term = &s->terms[s->n_terms];
        *term = above_floor(s->pool, *term);
        if (!expr_never_negative(s->pool, *term))
            return false;
    }
    return true;
}

/* Coordinate i of a sum in which it stands by itself, times a number. */
static bool force_sum(Squares *s, Expr e, size_t i, Forced *ret)
{
    const Expr slope = expr_diff(s->pool, e, s->model->sym.q[i]);
    double number = 0;

    if (!expr_is_const(s->pool, slope, &number) || number == 0)
        return false;
    *ret = (Forced){i, expr_sub(s->pool, s->model->sym.q[i], expr_div(s->pool, e, slope))};
    expr_expand(s->pool, &ret->value, 1, &ret->value);
    return true;
}

/* Whether the node vanishes only with its operands: functions with a zero at 0, sums, norms. */
static bool has_parts(const Squares *s, ExprNode node)
{
    bool parts = node.op == EXPR_SUM && node.value == 0;

    for (uint32_t k = 0; parts && k < node.n; k++)
        parts = node.coefs[k] > 0 && expr_never_negative(s->pool, node.args[k]);
    return parts || node.op == EXPR_HYPOT || node.op == EXPR_SQRT || node.op == EXPR_ABS ||
           node.op == EXPR_SIN || node.op == EXPR_SINH || node.op == EXPR_TANH ||
           node.op == EXPR_ATAN;
}

/* Read anew: a view of a node is none any more when something has been built. */
static Expr operand(const Squares *s, Expr e, uint32_t k)
{
    return expr_node(s->pool, e).args[k];
}

/* The certain consequence for coordinate i if e vanishes. */
/* NOLINTNEXTLINE(misc-no-recursion): to the depth given */
static bool force(Squares *s, Expr e, size_t i, int depth, Forced *ret)
{
    const ExprNode node = expr_node(s->pool, e);
    bool found = false;

    if (depth == 0)
        return false;
    if (node.op == EXPR_SYMBOL || node.op == EXPR_SUM)
        found = force_sum(s, e, i, ret);
    if (has_parts(s, node))
        for (uint32_t k = 0; !found && k < node.n; k++)
            found = force(s, operand(s, e, k), i, depth - 1, ret);
    if (node.op != EXPR_PRODUCT)
        return found;
    /* one factor or another: it follows from each that may vanish */
    for (uint32_t k = 0; k < node.n; k++) {
        Forced other;
        const Expr factor = operand(s, e, k);
        if (expr_node(s->pool, factor).op == EXPR_EXP || expr_node(s->pool, factor).op == EXPR_COSH)
            continue;
        if (!force(s, factor, i, depth - 1, &other) ||
            (found && !expr_same(other.value, ret->value)))
            return false;
        *ret = other;
        found = true;
    }
    return found;
}

static void take(Squares *s, const Forced *forced)
{
    s->known[forced->i] = true;
    s->values[forced->i] = forced->value;
    expr_substitute(s->pool, s->values, s->n, &s->model->sym.q[forced->i], &forced->value, 1,
                    s->values);
    expr_substitute(s->pool, s->terms, s->n_terms, &s->model->sym.q[forced->i], &forced->value, 1,
                    s->terms);
}

/* As many coordinates as follow one after the other; true: all. */
static bool eliminate(Squares *s)
{
    size_t found = 0;
    bool more = true;

    while (found < s->n && more && expr_pool_status(s->pool, NULL) == OK) {
        Forced forced;
        more = false;
        for (size_t k = 0; !more && k < s->n_terms; k++)
            for (size_t i = 0; !more && i < s->n; i++)
                more = !s->known[i] && force(s, s->terms[k], i, DEEPEST, &forced);
        if (more)
            take(s, &forced);
        found += more;
    }
    return found == s->n;
}

/* Are they what they are at the place? */
static bool is_place(const Squares *s, const ExactProblem *place)
{
    bool all = true;

    for (size_t i = 0; all && i < s->n; i++) {
        all = false;
        for (size_t k = 0; !all && k < place->n_known; k++)
            all = expr_same(place->known[k], s->model->sym.q[i]) &&
                  expr_vanishes(s->pool, expr_sub(s->pool, s->values[i],
                                                  expr_given(s->pool, place->values[k])));
    }
    return all;
}

/* Do all terms vanish, now that all coordinates are numbers? exp(-x^2) does nowhere. */
static bool all_vanish(const Squares *s)
{
    bool all = true;

    for (size_t k = 0; all && k < s->n_terms; k++)
        all = expr_vanishes(s->pool, s->terms[k]);
    return all;
}

static Status decide(Squares *s, const Enclosed *e, Arena *scratch, bool *ret, Error *err)
{
    const Model *model = s->model;
    const size_t n = s->n, n_params = model->n_params;
    Expr *numbers = ARENA_NEW(scratch, n_params + n, Expr);
    Expr V = expr_neg(s->pool, model->L);
    Status status = arena_status(scratch, err);
    if (status != OK)
        return status;

    /* with the values of the parameters, at rest */
    for (size_t k = 0; k < n_params; k++)
        numbers[k] = expr_given(s->pool, e->x->context->params[k]);
    for (size_t i = 0; i < n; i++) {
        numbers[n_params + i] = expr_const(s->pool, 0);
        s->values[i] = model->sym.q[i];
    }
    if (n_params)
        expr_substitute(s->pool, &V, 1, model->sym.params, numbers, n_params, &V);
    expr_substitute(s->pool, &V, 1, model->sym.v, numbers + n_params, n, &V);
    status = expr_pool_status(s->pool, err);
    if (status == OK)
        status = all_tame(s->pool, V, ret, err);
    if (status != OK || !*ret)
        return status;
    *ret = split(s, V) && eliminate(s) && all_vanish(s) && is_place(s, &e->place) &&
           !expr_pool_rounded(s->pool);
    return expr_pool_status(s->pool, err);
}

/* The kinetic energy at rest there, in this pool: that of the enclosed one may have failed. */
static Status mass_is_positive(Squares *s, const Enclosed *e, Arena *scratch, bool *ret, Error *err)
{
    const size_t n = s->n;
    Expr *M = ARENA_NEW(scratch, n * n, Expr), *rest = ARENA_NEW(scratch, n, Expr);
    ExactProblem problem = exact_about(&e->place, M, n * n);
    Status status = arena_status(scratch, err);
    if (status != OK)
        return status;

    for (size_t i = 0; i < n; i++)
        rest[i] = expr_const(s->pool, 0);
    expr_substitute_limits(s->pool, s->model->M, n * n, s->model->sym.v, rest, n, M);
    problem.pool = s->pool;
    problem.n_stages = 0;
    status = expr_pool_status(s->pool, err);
    return status == OK ? exact_positive(&problem, n, 0, ret, err) : status;
}

Status equilibrium_squares(const Enclosed *e, bool *ret, Error *err)
{
    Arena scratch = {0};
    Squares s = {.model = e->x->context->model, .n = e->x->n};

    *ret = false;
    if (s.n > MOST_COORDINATES)
        return OK;
    /* a pool of its own, for this proof alone */
    s.pool = expr_pool_clone(s.model->pool);
    s.values = ARENA_NEW(&scratch, s.n, Expr);
    s.known = ARENA_NEW(&scratch, s.n, bool);
    Status status =
        s.pool ? arena_status(&scratch, err) : error_set(err, ERR_NO_MEMORY, "out of memory");
    /* V has a strict minimum, and the masses are positive */
    if (status == OK)
        status = decide(&s, e, &scratch, ret, err);
    if (status == OK && *ret)
        status = mass_is_positive(&s, e, &scratch, ret, err);
    expr_pool_free(s.pool);
    arena_done(&scratch);
    return status == ERR_LIMIT ? OK : status;
}
