/* Potential energies V that are flat to second order in m directions, without constraints.
 *
 * The m coordinates s are chosen such that the second derivatives by the others, y, are positive
 * definite. The origin of y is a polynomial Y(s), so that no products s^a y_j are left for small
 * a. Let k_i be the order of the first derivative of V by s_i alone that does not vanish: even and
 * positive. Take the weights 1/k_i of s_i and 1/2 of y_j. If there is no monomial of a weight less
 * than 1, and no s^a y_j of weight 1, and if V is analytic,
 *
 *     V(t^(1/k) s, t^(1/2) y) = V0 + t (y.Q y/2 + F(s)) + o(t),
 *
 * with Q > 0 and F the sum of the monomials s^a of weight 1. So V has a strict minimum if F is
 * positive for all s other than 0, and takes lower values nearby if F is negative somewhere. (V.
 * I. Arnold's principal part of a function; V = x^4 + y^6 - x^2 y^3 has the minimum, and weights
 * 1/4 and 1/6.)
 *
 * If F does not decide and m = 2, v(s) = V(s, Y(s)) is examined to order 9 by its Newton polygons:
 * polygon.c.
 *
 * Lower values nearby prove instability with drag on all motions, and without forces if F is the
 * lowest form: see saddle.c, whose proof uses no other property of V. Without forces the
 * equilibrium is unstable, too, if for some mu > 2
 *
 *     mu F - s.F_s > 0 for all s other than 0
 *
 * (for example x^4 - y^6 with mu = 5), or for m = 2 mu v - s.v_s > 0 by its polygons. With the
 * field X = s d/ds + y d/dy then also mu V - X V > 0 nearby, because y.Q y counts (mu - 2)/2
 * times, and terms of higher weight do not change the sign. A motion from rest at V = -h < 0 keeps
 * V <= -h. As X equals q to first order,
 *
 *     d/dt (p.X) = v.M v + o(1) |v|^2 - X V > -mu V >= mu h ,
 *
 * so that p.X grows beyond all bounds unless the motion leaves (N. G. Chetaev's method). */
#include "core/stability/flat/energy.h"

#include <assert.h>
#include <string.h>

#include "core/expr/calculus/calculus.h"
#include "core/stability/flat/flat.h"

/* Most monomials in F. Size of a buffer. */
enum { MOST_MONOMIALS = 200 };

typedef struct Principal {
    Flat flat;
    size_t m;        /* flat.m coordinates s, flat.pivot */
    size_t n_beside; /* y: the others, */
    size_t *beside;  /* by number */
    Expr *shift;     /* n: Y, of the symbols of s; 0 for s */
    unsigned bent;   /* degree up to which products of y with s are gone */
    Expr *zero;      /* n */
    Expr factor;     /* of Q */
    Expr V;          /* of s and y in place of the coordinates they are; of numbers otherwise */
    unsigned order[EXACT_MAX_FORM]; /* k; 0: not known yet */
    unsigned common;                /* a multiple of all of them */
    bool falls;                     /* along one s, with the coordinates that follow */
    size_t n_terms;                 /* of F: */
    Expr terms[MOST_MONOMIALS];
    unsigned exponents[MOST_MONOMIALS * EXACT_MAX_FORM]; /* [n_terms][m] */
} Principal;

static Expr symbol_of(const Principal *d, size_t i)
{
    return d->flat.model->sym.q[i];
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

/* The derivative of e by s of these orders, over their factorials, at s = 0 and y = 0. */
static Expr coefficient(const Principal *d, Expr e, const unsigned *exponents)
{
    ExprPool *pool = d->flat.pool;
    double factorial = 1;

    for (size_t i = 0; i < d->m; i++)
        for (unsigned k = 1; k <= exponents[i]; k++) {
            e = expr_diff(pool, e, symbol_of(d, d->flat.pivot[i]));
            factorial *= k;
        }
    expr_substitute(pool, &e, 1, d->flat.model->sym.q, d->zero, d->flat.n, &e);
    return expr_div(pool, e, expr_const(pool, factorial));
}

/* The exponents after these of the same sum, from begin() on; false: there are none. */
static bool next(unsigned *exponents, size_t m)
{
    size_t i = m - 1;

    assert(m > 0 && m <= EXACT_MAX_FORM);
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

/* Products of y with s of the next degree go: y counts from Y with Q Y = -their coefficients. */
static Status bend(Principal *d, Error *err)
{
    const unsigned degree = ++d->bent;
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
        /* for each monomial in s solve Q y = -coefficients */
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
    /* the second derivatives by the others have to be positive definite, and are factored */
    status = enclosed_positive(flat->e, flat->V_qq, n, rows, d->m, ret_ready, err);
    for (size_t a = 0; a < d->n_beside; a++)
        for (size_t b = 0; b < d->n_beside; b++)
            Q[a * d->n_beside + b] =
                flat_at_place(flat, flat->V_qq[d->beside[a] * n + d->beside[b]]);
    if (d->n_beside)
        d->factor = expr_factor(flat->pool, d->n_beside, Q);
    return status == OK ? displace(d, err) : status;
}

/* The derivatives of this order by one s alone: the first one other than zero gives the order. If
 * the order is odd or the derivative negative, V falls. */
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

/* All orders, or, unless `all`, only until V falls along one s. *ret_known: they are known. */
static Status find_orders(Principal *d, bool all, bool *ret_known, Error *err)
{
    size_t n_known = 0;
    Status status = OK;

    *ret_known = true;
    d->n_terms = 0;
    for (size_t i = 0; i < d->m; i++)
        n_known += d->order[i] > 0;
    while (status == OK && *ret_known && (all || !d->falls) && n_known < d->m &&
           2 * d->bent < FLAT_MOST_ORDER) {
        status = bend(d, err);
        for (unsigned k = 2 * d->bent; status == OK && *ret_known && k <= 2 * d->bent + 1; k++)
            status = look_along(d, k, ret_known, err);
        n_known = 0;
        for (size_t i = 0; i < d->m; i++)
            n_known += d->order[i] > 0;
    }
    *ret_known = *ret_known && (n_known == d->m || (d->falls && !all));
    /* weights in whole numbers */
    d->common = 1;
    for (size_t i = 0; *ret_known && n_known == d->m && i < d->m; i++) {
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

/* Whether no monomial of a weight less than 1 exists, and no product with y of weight 1 or less. */
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

/* F; *ret_known false: it is not all of the principal part. */
static Status collect(Principal *d, bool *ret_known, Error *err)
{
    unsigned here[EXACT_MAX_FORM];
    Status status = OK;

    *ret_known = true;
    d->n_terms = 0;
    for (unsigned degree = 1; degree <= FLAT_MOST_ORDER; degree++) {
        begin(here, d->m, degree);
        do {
            *ret_known = d->n_terms < MOST_MONOMIALS;
            if (*ret_known)
                status = is_principal(d, here, ret_known, err);
            if (status != OK || !*ret_known)
                return status;
            /* those of weight 1 belong to F */
            if (weight(d, here) == d->common) {
                memcpy(d->exponents + d->n_terms * d->m, here, d->m * sizeof *here);
                d->terms[d->n_terms++] = coefficient(d, d->V, here);
            }
        } while (next(here, d->m));
    }
    return OK;
}

/* Of mu F - s.F_s, or with mu = 0 of F. */
static Status find_sign(const Principal *d, double mu, ExactSign *ret, Error *err)
{
    Expr terms[MOST_MONOMIALS];

    for (size_t k = 0; k < d->n_terms; k++) {
        double degree = 0;
        for (size_t i = 0; i < d->m; i++)
            degree += d->exponents[k * d->m + i];
        terms[k] = expr_scale(d->flat.pool, mu != 0 ? mu - degree : 1, d->terms[k]);
    }
    ExactProblem problem = exact_about(&d->flat.e->place, terms, d->n_terms);
    problem.n_stages = 0;
    const Status status = expr_pool_status(d->flat.pool, err);
    return status == OK ? exact_form(&problem, d->m, d->exponents, ret, err) : status;
}

/* The coefficients of v(s) up to POLYGON_ORDER: y contributes only higher orders. */
static Status tabulate(Principal *d, Expr *ret, Error *err)
{
    Status status = OK;

    while (status == OK && 2 * d->bent < FLAT_MOST_ORDER)
        status = bend(d, err);
    for (unsigned i = 0; i < POLYGON_SIZE; i++)
        for (unsigned j = 0; j < POLYGON_SIZE; j++) {
            const unsigned exponents[2] = {i, j};
            ret[i * POLYGON_SIZE + j] = i + j < POLYGON_SIZE ? coefficient(d, d->V, exponents)
                                                             : expr_const(d->flat.pool, 0);
        }
    return status == OK ? expr_pool_status(d->flat.pool, err) : status;
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

/* With F, for some mu: see above. All degrees in it lie between the orders along the axes. */
static Status part_falls(Principal *d, bool *ret, Error *err)
{
    bool known = false;
    ExactSign sign = EXACT_NO_SIGN;
    unsigned least = 2 * FLAT_MOST_ORDER, most = 2;
    Status status = find_orders(d, true, &known, err);

    if (status == OK && known)
        status = collect(d, &known, err);
    /* the range of the orders along the axes */
    for (size_t i = 0; i < d->m; i++) {
        least = d->order[i] < least ? d->order[i] : least;
        most = d->order[i] > most ? d->order[i] : most;
    }
    /* try the values of mu in between, in steps of 1/2 */
    for (unsigned twice = 2 * least + 1; status == OK && known && !*ret && twice < 2 * most;
         twice++) {
        status = find_sign(d, twice / 2.0, &sign, err);
        *ret = sign == EXACT_POSITIVE;
    }
    return status;
}

/* With v(s) of two variables: mu may be one on either side of a line, which all mu share. */
static Status curve_falls(Principal *d, bool *ret, Error *err)
{
    Expr coefs[POLYGON_SIZE * POLYGON_SIZE], falling[POLYGON_SIZE * POLYGON_SIZE];
    bool falls[2] = {false, false};
    Status status = tabulate(d, coefs, err);

    /* for each mu the coefficients of mu v - s.v_s */
    for (unsigned twice = 5; status == OK && twice < 2 * POLYGON_ORDER; twice++) {
        for (unsigned k = 0; k < POLYGON_SIZE * POLYGON_SIZE; k++) {
            const unsigned order = k / POLYGON_SIZE + k % POLYGON_SIZE;
            falling[k] = expr_scale(d->flat.pool, twice / 2.0 - order, coefs[k]);
        }
        /* each side of the line needs some mu */
        for (int side = 0; status == OK && side < 2; side++) {
            ExactSign sign = EXACT_NO_SIGN;
            if (!falls[side])
                status = polygon_sign(&d->flat, falling, 2 * side - 1, &sign, err);
            falls[side] = falls[side] || sign == EXACT_POSITIVE;
        }
    }
    *ret = falls[0] && falls[1];
    return status;
}

/* The sign of v(s) of two variables. */
static Status curve_sign(Principal *d, ExactSign *ret, Error *err)
{
    Expr coefs[POLYGON_SIZE * POLYGON_SIZE];
    ExactSign other = EXACT_NO_SIGN;
    Status status = tabulate(d, coefs, err);

    if (status == OK)
        status = polygon_sign(&d->flat, coefs, 1, ret, err);
    if (status == OK && *ret != EXACT_NEGATIVE)
        status = polygon_sign(&d->flat, coefs, -1, &other, err);
    if (*ret != EXACT_NEGATIVE)
        *ret = *ret == other || other == EXACT_NEGATIVE ? other : EXACT_NO_SIGN;
    return status;
}

/* Without forces, V being negative somewhere; `part`: F is. */
static Status falls_freely(Principal *d, bool part, EnergyShape *ret, Error *err)
{
    bool holds = false, goes_on = true;
    Status status = flat_is_natural(&d->flat, &goes_on, err);

    if (status == OK && goes_on && part)
        status = is_lowest_form(d, &holds, err);
    if (status == OK && holds)
        ret->falls = ENERGY_FALLS_FREELY;
    goes_on = goes_on && !holds;
    if (status == OK && goes_on)
        status = part_falls(d, &holds, err);
    if (status == OK && goes_on && !holds && d->m == 2)
        status = curve_falls(d, &holds, err);
    if (status == OK && goes_on && holds)
        ret->falls = ENERGY_FALLS_ALONG_RAYS;
    return status;
}

/* `part`: the sign is that of F. */
static Status conclude(Principal *d, const Drag *drag, ExactSign sign, bool part, EnergyShape *ret,
                       Error *err)
{
    const Model *model = d->flat.model;
    bool holds = false;
    /* the theorems need an analytic V */
    Status status = flat_is_analytic(&d->flat, d->flat.V, &holds, err);
    if (status != OK || !holds)
        return status;

    /* a minimum needs positive masses; a fall needs drag, or no forces */
    if (sign == EXACT_POSITIVE)
        status = enclosed_positive(d->flat.e, model->M, d->flat.n, NULL, 0, &ret->minimum, err);
    else if (drag->complete)
        ret->falls = ENERGY_FALLS_WITH_DRAG;
    else if (drag->none)
        status = falls_freely(d, part, ret, err);
    if (ret->minimum || ret->falls) {
        for (size_t i = 0; i < d->m; i++)
            ret->order = d->order[i] > ret->order ? d->order[i] : ret->order;
        ret->flat = d->m;
        ret->by_polygons = !part && ret->falls != ENERGY_FALLS_ALONG_RAYS;
    }
    return status;
}

/* The sign of v, as far as it is known. */
static Status find_shape(Principal *d, ExactSign *ret, bool *ret_part, Error *err)
{
    bool goes_on = false;
    Status status = find_orders(d, false, &goes_on, err);

    *ret = status == OK && goes_on && d->falls ? EXACT_NEGATIVE : EXACT_NO_SIGN;
    if (status == OK && goes_on && !d->falls)
        status = collect(d, &goes_on, err);
    if (status == OK && goes_on && !d->falls)
        status = find_sign(d, 0, ret, err);
    *ret_part = *ret != EXACT_NO_SIGN;
    return status == OK && !*ret_part && d->m == 2 ? curve_sign(d, ret, err) : status;
}

static Status decide(Principal *d, const Drag *drag, EnergyShape *ret, Error *err)
{
    ExactSign sign = EXACT_NO_SIGN;
    bool ready = false, part = false;
    Status status = choose(d, &ready, err);

    if (status == OK && ready)
        status = find_shape(d, &sign, &part, err);
    return status == OK && sign != EXACT_NO_SIGN ? conclude(d, drag, sign, part, ret, err) : status;
}

Status equilibrium_principal(Enclosed *e, const Drag *drag, EnergyShape *ret, Error *err)
{
    Principal d = {0};

    if (e->x->context->n_rows || e->x->n > FLAT_MOST_COORDINATES)
        return OK;
    Status status = flat_init(&d.flat, e, err);
    if (status == OK)
        status = decide(&d, drag, ret, err);
    arena_done(&d.flat.scratch);
    return status;
}
