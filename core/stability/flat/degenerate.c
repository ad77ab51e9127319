/* Potential energies whose second derivatives vanish in one direction.
 *
 * Let the second derivatives of V along the constraints be positive definite at a fixed coordinate
 * s. Then the conditions without that of s determine all other unknowns z (coordinates and
 * multipliers) as functions of s. V is smallest there for this s, and v(s) = V(s, z(s)) has the
 * derivative G_s(s, z(s)). V has a strict minimum if v has one. By Morse's lemma (with parameters)
 * V = v(s) + Q(y) in suitable coordinates, Q positive definite. The derivatives of v follow by
 * differentiating the conditions along s: B z^(k) = .. with one matrix B.
 *
 * Let k be the order of the first derivative of v that does not vanish. If it is negative or k is
 * odd, v = a s^k + .. falls on one side, and the equilibrium is not stable: consider motions with
 * an energy H below that at rest. For them s does not vanish and keeps its sign, and |y|, |v| <= C
 * |s|^(k/2). With axes that M does not couple to s there, and p_s the momentum,
 *
 *     d/dt (s p_s) >= c |s|^k - |s (D v)_s| >= c/2 |s|^k - C |s|^(2 - k) v.D v ,
 *
 * because (D v)_s^2 <= D_ss v.D v with symmetric D >= 0. As v.D v = -dH/dt, its integral is
 * bounded near the equilibrium, and |s| stays away from 0. So s p_s grows beyond all bounds unless
 * the motion leaves (the method of N. G. Chetaev; without drag V. V. Kozlov, J. Appl. Math. Mech.
 * 50 (1986) 719). No gyroscopic forces: p = M(q) v. */
#include "core/stability/flat/energy.h"

#include <math.h>
#include <string.h>

#include "core/expr/calculus/calculus.h"

/* Highest order of the derivatives of v that are examined, from the second on. Bounds the work. */
enum { MOST_ORDER = 8, MOST_LEVELS = MOST_ORDER - 1 };
/* Coordinates that are tried if the search does not say which one is flat. Bounds the work. */
enum { MOST_TRIES = 8 };

typedef struct Reduced {
    Enclosed *e;
    const Model *model;
    size_t n, r, m, s; /* m = n - 1 + r unknowns; s: which coordinate */
    ExprPool *pool;
    Arena *scratch;
    Expr *known;       /* of e, by numbers: */
    Expr *wrt, *rates; /* s, z, z', z'', .. and their derivatives by s */
    Expr *z;           /* of wrt */
    Expr *g, slope;    /* m: the conditions' derivatives by s; that of v */
    Expr *B;           /* [m][m] */
    ExactProblem problem;
    ExactStage stages[3 + MOST_LEVELS];
} Reduced;

/* The coordinate that the flat direction changes most, or 0 if none is known. */
static size_t flattest(const Equilibrium *x)
{
    double most = -1;
    size_t found = 0;

    for (size_t i = 0; i < x->n; i++) {
        const double size =
            x->family.dimension ? fabs(x->family.null[i * (x->n + x->s)]) / x->scales.unit[i] : 0;
        if (size > most) {
            most = size;
            found = i;
        }
    }
    return found;
}

/* Replaces symbols of q and of parameters by their known values. */
static void put_numbers(const Reduced *d, Expr *roots, size_t n)
{
    const ExactProblem *place = &d->e->place;

    expr_substitute(d->pool, roots, n, place->known, d->known, place->n_known, roots);
}

static Status reduced_init(Reduced *d, Enclosed *e, size_t s, Arena *scratch, Error *err)
{
    const Equilibrium *x = e->x;
    const size_t n = x->n, r = x->context->n_rows, m = n - 1 + r, levels = MOST_LEVELS;
    const size_t n_symbols = e->place.n_symbols + levels * m;

    *d = (Reduced){.e = e,
                   .model = x->context->model,
                   .n = n,
                   .r = r,
                   .m = m,
                   .s = s,
                   .pool = e->pool,
                   .scratch = scratch,
                   .problem = e->place};
    d->known = ARENA_NEW(scratch, e->place.n_known, Expr);
    d->wrt = ARENA_NEW(scratch, 1 + (levels + 1) * m, Expr);
    d->rates = ARENA_NEW(scratch, 1 + levels * m, Expr);
    d->g = ARENA_NEW(scratch, m, Expr);
    d->B = ARENA_NEW(scratch, m * m, Expr);
    double *symbols = arena_doubles(scratch, n_symbols);
    Status status = arena_status(scratch, err);
    if (status != OK)
        return status;
    /* symbols and stages are copies: derivatives of z will be added to them */
    memcpy(symbols, e->symbols, e->place.n_symbols * sizeof *symbols);
    d->problem.symbols = symbols;
    d->problem.n_symbols = n_symbols;
    for (size_t k = 0; k < e->place.n_known; k++)
        d->known[k] = expr_given(e->pool, e->place.values[k]);
    memcpy(d->stages, e->stages, sizeof e->stages);
    d->problem.stages = d->stages;
    return OK;
}

/* s and z with their derivatives; the conditions; B. */
static Status build(Reduced *d, Error *err)
{
    const Model *model = d->model;
    const size_t n = d->n, m = d->m;
    Expr *G = ARENA_NEW(d->scratch, n, Expr);
    size_t k = 0;
    Status status = arena_status(d->scratch, err);
    if (status != OK)
        return status;

    /* conditions: G without its row s, which is the slope of v, and the constraints in use */
    enclosed_balance(d->e, G);
    d->slope = G[d->s];
    d->wrt[0] = model->sym.q[d->s];
    d->z = d->wrt + 1;
    for (size_t i = 0; i < n; i++)
        if (i != d->s) {
            d->z[k] = model->sym.q[i];
            d->g[k++] = G[i];
        }
    for (size_t a = 0; a < d->r; a++, k++) {
        const size_t row = d->e->x->context->rows[a];
        d->z[k] = model->sym.lambda[row];
        d->g[k] = model->constraints[row].f;
    }
    /* symbols for the derivatives of z, and B = the derivatives of the conditions by z */
    for (size_t i = 0; i < MOST_LEVELS * m; i++)
        d->z[m + i] = expr_symbol(d->pool, (uint32_t)(d->e->place.n_symbols + i));
    d->rates[0] = expr_const(d->pool, 1);
    memcpy(d->rates + 1, d->z + m, MOST_LEVELS * m * sizeof *d->rates);
    expr_jacobian(d->pool, d->g, m, d->z, m, d->B);
    put_numbers(d, d->B, m * m);
    return expr_pool_status(d->pool, err);
}

/* One derivative more of v: z^(level) is determined by that of the conditions. */
static void differentiate(Reduced *d, size_t level)
{
    const size_t m = d->m, known = 1 + level * m;
    Expr *equations = ARENA_NEW(d->scratch, m, Expr);

    if (!equations)
        return;
    expr_directional(d->pool, d->g, m, d->wrt, d->rates, known, d->g);
    expr_directional(d->pool, &d->slope, 1, d->wrt, d->rates, known, &d->slope);
    memcpy(equations, d->g, m * sizeof *equations);
    put_numbers(d, equations, m);
    d->problem.n_stages = 3 + level;
    d->stages[2 + level] = (ExactStage){.n_unknowns = m,
                                        .n_equations = m,
                                        .unknowns = d->z + level * m,
                                        .equations = equations,
                                        .jacobian = d->B,
                                        .linear = true};
}

/* The order of the first derivative of v that does not vanish, and its sign; 0: it is not known. */
static Status find_order(Reduced *d, size_t *ret_order, int *ret_sign, Error *err)
{
    double value = 0;
    bool known = true;
    Status status = OK;

    for (size_t level = 1; status == OK && known && value == 0 && level <= MOST_LEVELS; level++) {
        differentiate(d, level);
        Expr slope = d->slope;
        put_numbers(d, &slope, 1);
        status = arena_status(d->scratch, err);
        if (status == OK)
            status = exact_value(&d->problem, slope, &value, &known, err);
        *ret_order = level + 1;
    }
    *ret_sign = known ? (value > 0) - (value < 0) : 0;
    return status;
}

static Status decide(Reduced *d, bool symmetric, EnergyShape *ret, Error *err)
{
    bool trough = false;
    size_t order = 0;
    int sign = 0;
    Status status = build(d, err);

    /* V is smallest at z(s) if the form is positive definite on dq_s = 0 */
    if (status == OK)
        status = enclosed_minimum(d->e, d->s, &trough, err);
    if (status == OK && trough)
        status = find_order(d, &order, &sign, err);
    if (status != OK || sign == 0)
        return status;
    /* even order and positive: a minimum; otherwise V falls, which needs p = M(q) v to decide */
    ret->order = order;
    ret->minimum = order % 2 == 0 && sign > 0;
    if (!ret->minimum && order > 2 && symmetric && enclosed_is_natural(d->e))
        ret->falls = ENERGY_FALLS_ALONG_ONE;
    return expr_pool_status(d->pool, err);
}

Status equilibrium_degenerate(Enclosed *enclosed, bool symmetric, EnergyShape *ret, Error *err)
{
    const Equilibrium *x = enclosed->x;
    const size_t first = flattest(x), tries = x->family.dimension || x->n > MOST_TRIES ? 1 : x->n;
    Status status = OK;

    for (size_t k = 0; status == OK && k < tries && ret->order == 2; k++) {
        Arena scratch = {0};
        Reduced d;
        status = reduced_init(&d, enclosed, first + k, &scratch, err);
        if (status == OK)
            status = decide(&d, symmetric, ret, err);
        arena_done(&scratch);
    }
    return status;
}
