/* The sign of V(x, y) = sum c_ij x^i y^j + .. near 0, unless it vanishes to all known orders.
 *
 * With x = +-t and y = t u, V = t^k (f(u) + t ..). The lowest form f has the degree k in u if x is
 * chosen such that y^k occurs. If f(u) is negative somewhere, V is negative somewhere. If f(u) is
 * positive, V is positive near that direction. There remain the roots u = c of f, all of even
 * order.
 *
 * About each root, W = V/t^k = sum w_ij t^i (u - c)^j has a lowest power (u - c)^r. The steepest
 * edge of its Newton polygon from there gives the weights t = z^q, u - c = z^p s, with W = z^(rp)
 * (e(s) + z ..). Here e is a polynomial of degree r with the same leading term. So the region of
 * |u - c| much larger than z^p is decided, and all real s are examined like u before.
 *
 * This follows the half-branches of W = 0 by V. Puiseux's method (I. Newton; E. Brieskorn and H.
 * Knoerrer, Plane Algebraic Curves, 8.3) until everything is positive, or something is negative.
 * Terms t^U and higher are not known: an edge counts if all of them lie above it. */
#include "core/stability/flat/flat.h"

#include <math.h>
#include <string.h>

/* Most rows of W, and most polygons in a sequence. Bounds of the work. */
enum { ROWS = 40, MOST_POLYGONS = 6 };

typedef struct Polygon {
    const Flat *flat;
    Arena *memory;
} Polygon;

/* W: w[i][j] of t^i u^j, i < rows. */
typedef struct Weighted {
    Expr w[ROWS][POLYGON_SIZE];
    unsigned rows;
} Weighted;

static Weighted *new_weighted(const Polygon *d, unsigned rows)
{
    Weighted *w = ARENA_NEW(d->memory, 1, Weighted);

    for (size_t i = 0; w && i < ROWS; i++)
        for (size_t j = 0; j < POLYGON_SIZE; j++)
            w->w[i][j] = expr_const(d->flat->pool, 0);
    if (w)
        w->rows = rows < ROWS ? rows : ROWS;
    return w;
}

/* u = c + s */
static void shift(const Polygon *d, Weighted *w, Expr c)
{
    ExprPool *pool = d->flat->pool;

    for (size_t i = 0; i < w->rows; i++)
        for (size_t done = 0; done + 1 < POLYGON_SIZE; done++)
            for (size_t j = POLYGON_SIZE - 1; j-- > done;)
                w->w[i][j] = expr_add(pool, w->w[i][j], expr_mul(pool, c, w->w[i][j + 1]));
}

/* The steepest edge from s^r: the least p/q = i/(r - j) of terms t^i s^j, if it is known. */
static Status find_edge(const Polygon *d, const Weighted *w, unsigned r, unsigned *ret_p,
                        unsigned *ret_q, bool *ret_known, Error *err)
{
    unsigned p = 0, q = 0; /* none yet */
    double value = 0;
    Status status = OK;

    *ret_known = true;
    for (unsigned i = 1; i < w->rows; i++)
        for (unsigned j = 0; j < r; j++) {
            if (q && i * q >= p * (r - j))
                continue;
            status = flat_number(d->flat, w->w[i][j], &value, ret_known, err);
            if (status != OK || !*ret_known)
                return status;
            if (value != 0) {
                p = i;
                q = r - j;
            }
        }
    for (unsigned k = 2; k <= q; k++)
        while (p % k == 0 && q % k == 0) {
            p /= k;
            q /= k;
        }
    *ret_known = q && w->rows * q > r * p;
    *ret_p = p;
    *ret_q = q;
    return status;
}

/* t = z^q, s = z^p u over z^(rp); NULL: out of memory; the arena has the status. */
static Weighted *stretch(const Polygon *d, const Weighted *w, unsigned r, unsigned p, unsigned q)
{
    Weighted *next = new_weighted(d, q * w->rows - r * p);

    for (unsigned i = 0; next && i < w->rows; i++)
        for (unsigned j = 0; j < POLYGON_SIZE; j++) {
            const unsigned power = q * i + p * j;
            if (power >= r * p && power - r * p < next->rows)
                next->w[power - r * p][j] = w->w[i][j];
        }
    return next;
}

/* The sign of W for small t > 0 and all u.
 * NOLINTNEXTLINE(misc-no-recursion): `depth` is bounded by MOST_POLYGONS */
static Status sign_of(const Polygon *d, const Weighted *w, unsigned depth, ExactSign *ret,
                      Error *err)
{
    RealRoots roots;
    Status status = real_roots(d->flat, w->w[0], POLYGON_SIZE, &roots, err);

    /* a form without real roots decides */
    *ret = roots.sign;
    if (status != OK || roots.sign != EXACT_POSITIVE)
        return status;
    for (size_t k = 0; status == OK && *ret == EXACT_POSITIVE && k < roots.n; k++) {
        /* about each root: shift, find the edge, stretch and examine again */
        const unsigned r = roots.multiplicity[k];
        unsigned p = 0, q = 0;
        bool known = false;
        Weighted *here = new_weighted(d, w->rows), *next = NULL;
        if (here) {
            memcpy(here->w, w->w, sizeof here->w);
            shift(d, here, roots.root[k]);
            status = find_edge(d, here, r, &p, &q, &known, err);
        }
        if (status == OK && known)
            next = stretch(d, here, r, p, q);
        if (status == OK)
            status = arena_status(d->memory, err);
        *ret = EXACT_NO_SIGN;
        if (status == OK && next && depth < MOST_POLYGONS)
            status = sign_of(d, next, depth + 1, ret, err);
    }
    return status;
}

/* The lowest order of which some coefficient does not vanish, if it is known. */
static Status find_lowest(const Polygon *d, const Expr *coefs, unsigned *ret_order, bool *ret_known,
                          Error *err)
{
    double value = 0;
    Status status = OK;

    *ret_known = true;
    for (unsigned k = 0; status == OK && k <= POLYGON_ORDER; k++)
        for (unsigned i = 0; status == OK && i <= k; i++) {
            status = flat_number(d->flat, coefs[i * POLYGON_SIZE + k - i], &value, ret_known, err);
            *ret_order = k;
            if (status != OK || !*ret_known || value != 0)
                return status;
        }
    *ret_known = false;
    return status;
}

/* x + times y in place of x. */
static void shear(const Polygon *d, Expr *coefs, double times)
{
    ExprPool *pool = d->flat->pool;

    /* as a polynomial in x, of a degree that falls with the power of y */
    for (size_t done = 0; done < POLYGON_ORDER; done++)
        for (size_t i = POLYGON_ORDER; i-- > done;)
            for (size_t j = POLYGON_ORDER - i; j-- > 0;) {
                Expr *to = &coefs[i * POLYGON_SIZE + j + 1];
                *to =
                    expr_add(pool, *to, expr_scale(pool, times, coefs[(i + 1) * POLYGON_SIZE + j]));
            }
}

/* coefs come to be such that y^k occurs; *ret_known false: it is not known. */
static Status turn(const Polygon *d, Expr *coefs, unsigned k, bool *ret_known, Error *err)
{
    double value = 0;
    Status status = OK;

    for (unsigned tries = 0; status == OK && tries <= k + 1; tries++) {
        status = flat_number(d->flat, coefs[k], &value, ret_known, err);
        if (status != OK || !*ret_known || value != 0)
            return status;
        shear(d, coefs, 1);
    }
    *ret_known = false;
    return status;
}

/* V/t^k with x = side t, y = t u. */
static Weighted *blow_up(const Polygon *d, const Expr *coefs, unsigned k, int side)
{
    Weighted *w = new_weighted(d, POLYGON_SIZE - k);

    for (unsigned i = 0; w && i < POLYGON_SIZE; i++)
        for (unsigned j = 0; i + j < POLYGON_SIZE; j++)
            if (i + j >= k)
                w->w[i + j - k][j] =
                    expr_scale(d->flat->pool, i % 2 ? side : 1, coefs[i * POLYGON_SIZE + j]);
    return w;
}

Status polygon_sign(const Flat *flat, const Expr *coefs, int side, ExactSign *ret, Error *err)
{
    Arena memory = {0};
    const Polygon d = {.flat = flat, .memory = &memory};
    Expr turned[POLYGON_SIZE * POLYGON_SIZE];
    unsigned k = 0;
    bool known = false;

    memcpy(turned, coefs, sizeof turned);
    *ret = EXACT_NO_SIGN;
    /* the lowest form; an odd order takes both signs */
    Status status = find_lowest(&d, turned, &k, &known, err);
    if (status == OK && known && k % 2 == 1)
        *ret = EXACT_NEGATIVE;
    known = known && *ret == EXACT_NO_SIGN && k > 0;
    /* turn the axes such that y^k occurs, then blow up */
    if (status == OK && known)
        status = turn(&d, turned, k, &known, err);
    if (status == OK && known) {
        const Weighted *w = blow_up(&d, turned, k, side);
        status = arena_status(&memory, err);
        if (status == OK)
            status = sign_of(&d, w, 0, ret, err);
    }
    arena_done(&memory);
    return status == OK ? expr_pool_status(flat->pool, err) : status;
}
