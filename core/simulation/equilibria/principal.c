/* Potential energies V that are flat to second order in m directions, without constraints.
 *
 * Some m coordinates s are chosen such that the second derivatives by the others, y, are positive definite, and y counts from a
 * polynomial Y(s), so that no products s^a y_j are left for small a. Let k_i be the order of the first derivative of V
 * by s_i alone that does not vanish: even and positive. With the weights 1/k_i of s_i and 1/2 of y_j, no monomial of a weight less than 1
 * being there, and none s^a y_j of weight 1,
 *
 *     V(t^(1/k) s, t^(1/2) y) = V0 + t (y.Q y/2 + F(s)) + o(t),
 *
 * with Q > 0 and F the sum of the monomials s^a of weight 1, where V is analytic. So V has
 * a strict minimum if F is positive wherever s does not vanish, and takes lower values nearby if F is negative somewhere. (V. I. Arnold's
 * principal part of a function; V = x^4 + y^6 - x^2 y^3 has the minimum, and weights 1/4 and 1/6.)
 *
 * That it takes lower values makes it unstable with drag on all motions, and without forces if F is the lowest form: see
 * saddle.c, where no more is used of V than that. */
#include "core/simulation/equilibria/principal.h"

#include <string.h>

#include "core/expr/calculus.h"
#include "core/simulation/equilibria/flat.h"

/* Of the monomials in F. */
enum { MOST_MONOMIALS = 200 };

typedef struct Principal {
    Flat flat;
    size_t m;        /* flat.m coordinates s, flat.pivot */
    size_t n_beside; /* y: the others, */
    size_t *beside;  /* by number */
    Expr *shift;     /* n: Y, of the symbols of s; 0 for s */
    Expr *zero;      /* n */
    Expr factor;     /* of Q */
    Expr V;          /* of s and y in place of the coordinates they are; of numbers otherwise */
    unsigned order[EXACT_MAX_FORM]; /* k; 0: not known yet */
    unsigned common;                /* a multiple of all of them */
    bool falls;                     /* along one s, and what moves along */
} Principal;

static Expr symbol_of(const Principal *d, size_t i)
{
    return d->flat.model->q[i];
}

/* d->V with d->shift as it is. */
static Status displace(Principal *d, Error *err)
{
    const ExactProblem *place = &d->flat.e->place;
    Expr *to = ARENA_NEW(&d->flat.scratch, place->n_known, Expr);
    Status status = arena_status(&d->flat.scratch, err);
    if (status != OK)
        return status;

    memcpy(to, d->flat.known, place->n_known * sizeof *to);
    for (size_t k = 0; k < place->n_known; k++)
        for (size_t i = 0; i < d->flat.n; i++)
            if (expr_same(place->known[k], symbol_of(d, i)))
                to[k] = expr_add(d->flat.pool, to[k],
                                 expr_add(d->flat.pool, symbol_of(d, i), d->shift[i]));
    expr_substitute(d->flat.pool, &d->flat.V, 1, place->known, to, place->n_known, &d->V);
    return expr_pool_status(d->flat.pool, err);
}

/* The derivative of e by s as often as the exponents say, over their factorials, where s and y vanish. */
static Expr coefficient(const Principal *d, Expr e, const unsigned *exponents)
{
    ExprPool *pool = d->flat.pool;
    double factorial = 1;

    for (size_t i = 0; i < d->m; i++)
        for (unsigned k = 1; k <= exponents[i]; k++) {
            e = expr_diff(pool, e, symbol_of(d, d->flat.pivot[i]));
            factorial *= k;
        }
    expr_substitute(pool, &e, 1, d->flat.model->q, d->zero, d->flat.n, &e);
    return expr_div(pool, e, expr_const(pool, factorial));
}

/* The exponents after these of the same sum, the first being all in the first; false: there are none. */
static bool next(unsigned *exponents, size_t m)
{
    size_t i = m - 1;

    while (i > 0 && exponents[i - 1] == 0)
        i--;
    if (i == 0)
        return false;
    /* one moves from i - 1 to i, with all that the last has */
    const unsigned last = exponents[m - 1];
    exponents[m - 1] = 0;
    exponents[i - 1]--;
    exponents[i] = last + 1;
    return true;
}

static void begin(unsigned *exponents, size_t m, unsigned sum)
{
    memset(exponents, 0, m * sizeof *exponents);
    exponents[0] = sum;
}

static Status vanishes(const Principal *d, Expr number, bool *ret, Error *err)
{
    double value = 0;
    Status status = flat_number(&d->flat, number, &value, ret, err);

    *ret = *ret && value == 0;
    return status;
}

/* Products of y with s of this degree go: y counts from Y with Q Y = -their coefficients. */
static Status bend(Principal *d, unsigned degree, Error *err)
{
    ExprPool *pool = d->flat.pool;
    const size_t n = d->n_beside;
    Expr *slopes = ARENA_NEW(&d->flat.scratch, n, Expr), *b = ARENA_NEW(&d->flat.scratch, n, Expr);
    Expr *y = ARENA_NEW(&d->flat.scratch, n, Expr);
    unsigned exponents[EXACT_MAX_FORM];
    Status status = arena_status(&d->flat.scratch, err);
    if (status != OK || n == 0)
        return status;

    for (size_t j = 0; j < n; j++)
        slopes[j] = expr_diff(pool, d->V, symbol_of(d, d->beside[j]));
    begin(exponents, d->m, degree);
    do {
        Expr monomial = expr_const(pool, 1);
        for (size_t i = 0; i < d->m; i++)
            monomial = expr_mul(
                pool, monomial,
                expr_pow(pool, symbol_of(d, d->flat.pivot[i]), expr_const(pool, exponents[i])));
        for (size_t j = 0; j < n; j++)
            b[j] = expr_neg(pool, coefficient(d, slopes[j], exponents));
        expr_solve(pool, d->factor, n, b, y);
        for (size_t j = 0; j < n; j++)
            d->shift[d->beside[j]] =
                expr_add(pool, d->shift[d->beside[j]], expr_mul(pool, y[j], monomial));
    } while (next(exponents, d->m));
    return displace(d, err);
}

/* s, and y beside them with Q > 0; *ret_ready. */
static Status choose(Principal *d, bool *ret_ready, Error *err)
{
    Flat *flat = &d->flat;
    const size_t n = flat->n;
    Status status = flat_find_basis(flat, err);

    *ret_ready = status == OK && flat->m > 0 && flat->m <= EXACT_MAX_FORM;
    if (!*ret_ready)
        return status;
    d->m = flat->m;
    d->beside = arena_sizes(&flat->scratch, n);
    d->shift = ARENA_NEW(&flat->scratch, n, Expr);
    d->zero = ARENA_NEW(&flat->scratch, n, Expr);
    Expr *rows = ARENA_NEW(&flat->scratch, d->m * n, Expr);
    Expr *Q = ARENA_NEW(&flat->scratch, n * n, Expr);
    status = arena_status(&flat->scratch, err);
    if (status != OK)
        return status;
    /* flat directions go along their axes; the other coordinates follow */
    for (size_t i = 0; i < n; i++) {
        bool is_flat = false;
        d->shift[i] = d->zero[i] = expr_const(flat->pool, 0);
        for (size_t k = 0; k < d->m; k++) {
            is_flat = is_flat || flat->pivot[k] == i;
            rows[k * n + i] = expr_const(flat->pool, flat->pivot[k] == i);
        }
        if (!is_flat)
            d->beside[d->n_beside++] = i;
    }
    /* beside the flat ones the second derivatives are to be positive, and are solved for what follows */
    status = enclosed_positive(flat->e, flat->V_qq, n, rows, d->m, ret_ready, err);
    for (size_t a = 0; a < d->n_beside; a++)
        for (size_t b = 0; b < d->n_beside; b++)
            Q[a * d->n_beside + b] =
                flat_at_place(flat, flat->V_qq[d->beside[a] * n + d->beside[b]]);
    if (d->n_beside)
        d->factor = expr_factor(flat->pool, d->n_beside, Q);
    return status == OK ? displace(d, err) : status;
}

/* The derivatives of this order by one s alone: the first other than zero gives its order, and where that is odd or it is
 * negative, V falls. *ret_known false: it is not known. */
static Status look_along(Principal *d, unsigned order, bool *ret_known, Error *err)
{
    unsigned exponents[EXACT_MAX_FORM];
    double value = 0;
    Status status = OK;

    for (size_t i = 0; status == OK && *ret_known && i < d->m; i++) {
        if (d->order[i])
            continue;
        begin(exponents, d->m, 0);
        exponents[i] = order;
        status = flat_number(&d->flat, coefficient(d, d->V, exponents), &value, ret_known, err);
        if (!*ret_known || value == 0)
            continue;
        d->falls = d->falls || order % 2 == 1 || value < 0;
        d->order[i] = order;
    }
    return status;
}

/* All orders, or that V falls; *ret_known. */
static Status find_orders(Principal *d, bool *ret_known, Error *err)
{
    size_t n_known = 0;
    Status status = OK;

    *ret_known = true;
    for (unsigned p = 1;
         status == OK && *ret_known && !d->falls && n_known < d->m && 2 * p <= FLAT_MOST_ORDER;
         p++) {
        status = bend(d, p, err);
        for (unsigned k = 2 * p; status == OK && *ret_known && k <= 2 * p + 1; k++)
            status = look_along(d, k, ret_known, err);
        n_known = 0;
        for (size_t i = 0; i < d->m; i++)
            n_known += d->order[i] > 0;
    }
    *ret_known = *ret_known && (d->falls || n_known == d->m);
    /* weights in whole numbers */
    d->common = 1;
    for (size_t i = 0; *ret_known && !d->falls && i < d->m; i++) {
        unsigned more = d->common;
        while (more % d->order[i])
            more += d->common;
        d->common = more;
    }
    return status;
}

/* Of a product of powers of s, in parts of d->common. */
static unsigned weight(const Principal *d, const unsigned *exponents)
{
    unsigned sum = 0;

    for (size_t i = 0; i < d->m; i++)
        sum += exponents[i] * (d->common / d->order[i]);
    return sum;
}

/* What would be there beside F and Q: monomials of a weight less than 1, products with y of 1 and less. */
static Status is_principal(const Principal *d, const unsigned *exponents, bool *ret, Error *err)
{
    const unsigned share = weight(d, exponents);
    Status status = OK;

    *ret = true;
    if (share < d->common)
        status = vanishes(d, coefficient(d, d->V, exponents), ret, err);
    for (size_t j = 0; status == OK && *ret && 2 * share <= d->common && j < d->n_beside; j++) {
        const Expr slope = expr_diff(d->flat.pool, d->V, symbol_of(d, d->beside[j]));
        status = vanishes(d, coefficient(d, slope, exponents), ret, err);
    }
    return status;
}

/* F, and its sign. */
static Status find_sign(const Principal *d, ExactSign *ret, Error *err)
{
    Expr terms[MOST_MONOMIALS];
    unsigned exponents[MOST_MONOMIALS * EXACT_MAX_FORM], here[EXACT_MAX_FORM];
    ExactProblem problem = d->flat.e->place;
    size_t n_terms = 0;
    bool holds = true;
    Status status = OK;

    *ret = EXACT_NO_SIGN;
    for (unsigned degree = 1; degree <= FLAT_MOST_ORDER; degree++) {
        begin(here, d->m, degree);
        do {
            status = is_principal(d, here, &holds, err);
            if (status != OK || !holds || n_terms == MOST_MONOMIALS)
                return status;
            if (weight(d, here) == d->common) {
                memcpy(exponents + n_terms * d->m, here, d->m * sizeof *here);
                terms[n_terms++] = coefficient(d, d->V, here);
            }
        } while (next(here, d->m));
    }
    problem.terms = terms;
    problem.n_terms = n_terms;
    problem.n_stages = 0;
    status = expr_pool_status(d->flat.pool, err);
    return status == OK ? exact_form(&problem, d->m, exponents, d->flat.e->symbols,
                                     d->flat.e->n_symbols, ret, err)
                        : status;
}

/* Whether F is the lowest form of V beyond the second, but for y. */
static Status is_lowest_form(Principal *d, bool *ret, Error *err)
{
    size_t lowest = 0;
    Status status = flat_lowest_order(&d->flat, &lowest, err);

    *ret = status == OK;
    for (size_t i = 0; i < d->m; i++)
        *ret = *ret && d->order[i] == lowest;
    return status;
}

static Status conclude(Principal *d, const Drag *drag, ExactSign sign, EnergyShape *ret, Error *err)
{
    const Model *model = d->flat.model;
    bool holds = false;
    Status status = flat_is_analytic(&d->flat, d->flat.V, &holds, err);
    if (status != OK || !holds)
        return status;

    if (sign == EXACT_POSITIVE)
        status = enclosed_positive(d->flat.e, model->M, d->flat.n, NULL, 0, &ret->minimum, err);
    else if (drag->complete)
        ret->falls = ENERGY_FALLS_WITH_DRAG;
    else if (drag->none) {
        status = flat_is_natural(&d->flat, &holds, err);
        if (status == OK && holds)
            status = is_lowest_form(d, &holds, err);
        ret->falls = status == OK && holds ? ENERGY_FALLS_FREELY : ENERGY_STAYS;
    }
    if (ret->minimum || ret->falls) {
        for (size_t i = 0; i < d->m; i++)
            ret->order = d->order[i] > ret->order ? d->order[i] : ret->order;
        ret->flat = d->m;
    }
    return status;
}

static Status decide(Principal *d, const Drag *drag, EnergyShape *ret, Error *err)
{
    ExactSign sign = EXACT_NO_SIGN;
    bool goes_on = false;
    Status status = choose(d, &goes_on, err);

    if (status == OK && goes_on)
        status = find_orders(d, &goes_on, err);
    if (status == OK && goes_on && d->falls)
        sign = EXACT_NEGATIVE;
    else if (status == OK && goes_on)
        status = find_sign(d, &sign, err);
    return status == OK && sign != EXACT_NO_SIGN ? conclude(d, drag, sign, ret, err) : status;
}

Status equilibrium_principal(Enclosed *e, const Drag *drag, EnergyShape *ret, Error *err)
{
    Principal d = {0};

    if (e->x->context->n_rows || e->x->n > FLAT_MOST_COORDINATES)
        return OK;
    Status status = flat_init(&d.flat, e, err);
    if (status == OK)
        status = decide(&d, drag, ret, err);
    flat_done(&d.flat);
    return status;
}
