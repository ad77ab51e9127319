/* Potential energies V that fall along a line q(s) = q0 + s e: the first derivative by s that does
 * not vanish is of odd order, or negative. Without constraints, the equilibrium is not stable in
 * two cases.
 *
 * - Drag takes energy from every motion (v.F <= -v.D v, D positive definite; gyroscopic forces may
 *   act, too) and V is analytic. A motion from rest on that line, near q0, has the energy H <
 *   V(q0), and H falls. If it stayed near the equilibrium, it would approach states whose motions
 *   keep H (J. P. LaSalle), hence rest, at V = H < V(q0). But near q0 the critical points of an
 *   analytic function have its value there (S. Lojasiewicz): there is no such state. (N. N.
 *   Krasovskii has the case of an isolated equilibrium, Stability of Motion, 1959, section 15.)
 *
 * - No forces act, T is a positive form in v, L is analytic, and V = V_2 + V_k + V_(k+1) + .. with
 *   forms V_j of degree j in q - q0 (all of V_3 .. V_(k-1) vanish, k > 2). V_2 is nowhere
 *   negative, and V_k is negative somewhere on the kernel of V_2. Then a motion leaves the
 *   equilibrium (V. V. Kozlov, V. P. Palamodov, Soviet Math. Dokl. 25 (1982) 335; V. V. Kozlov, J.
 *   Appl. Math. Mech. 50 (1986) 719), as from a monkey saddle, x^3 - 3 x y^2, or x^4 - y^4. */
#include "core/stability/flat/energy.h"

#include <string.h>

#include "core/expr/calculus/calculus.h"
#include "core/stability/flat/flat.h"

typedef struct Saddle {
    Flat flat;
    double *times; /* m: a direction by the basis, */
    Expr *rates;   /* n: and by the coordinates */
} Saddle;

/* Sets the direction given by d->times. */
static void set_direction(Saddle *d)
{
    for (size_t i = 0; i < d->flat.n; i++) {
        d->rates[i] = expr_const(d->flat.pool, 0);
        for (size_t k = 0; k < d->flat.m; k++)
            d->rates[i] =
                expr_add(d->flat.pool, d->rates[i],
                         expr_mul(d->flat.pool, expr_given(d->flat.pool, d->times[k]),
                                  expr_given(d->flat.pool, d->flat.basis[k * d->flat.n + i])));
    }
}

/* One of the basis, a, and another as often. */
static void set_pair(Saddle *d, size_t a, size_t b, double times)
{
    memset(d->times, 0, d->flat.m * sizeof *d->times);
    d->times[b] = times;
    d->times[a] = 1;
    set_direction(d);
}

/* The first derivative of V along the line that does not vanish, and its order; 0: not known. */
static Status find_slope(Saddle *d, size_t *ret_order, double *ret, Error *err)
{
    Expr slope = d->flat.V;
    bool known = true;
    Status status = OK;

    *ret = 0;
    for (size_t k = 1; status == OK && known && *ret == 0 && k <= FLAT_MOST_ORDER; k++) {
        expr_directional(d->flat.pool, &slope, 1, d->flat.model->sym.q, d->rates, d->flat.n,
                         &slope);
        status = flat_number(&d->flat, slope, ret, &known, err);
        *ret_order = k;
    }
    *ret = known ? *ret : 0;
    return status;
}

/* *ret_order: that at which V falls along the line, else 0. `only`: the one that counts; 0: any. */
static Status try_line(Saddle *d, size_t only, size_t *ret_order, Error *err)
{
    size_t order = 0;
    double slope = 0;
    Status status = find_slope(d, &order, &slope, err);
    const bool falls = order % 2 == 1 || slope < 0;

    *ret_order = status == OK && slope != 0 && falls && (only == 0 || order == only) ? order : 0;
    return status;
}

/* A line along which V falls: of the directions, of two of them, of all. */
static Status find_fall(Saddle *d, size_t only, size_t *ret_order, Error *err)
{
    static const double TIMES[] = {1, -1, 2, -2};
    const size_t n_times = sizeof TIMES / sizeof TIMES[0];
    Status status = OK;

    *ret_order = 0;
    for (size_t a = 0; status == OK && a < d->flat.m && *ret_order == 0; a++) {
        set_pair(d, a, a, 1);
        status = try_line(d, only, ret_order, err);
    }
    /* along sums of two directions */
    for (size_t a = 0; a < d->flat.m; a++)
        for (size_t b = 0; b < a; b++)
            for (size_t k = 0; status == OK && k < n_times && *ret_order == 0; k++) {
                set_pair(d, a, b, TIMES[k]);
                status = try_line(d, only, ret_order, err);
            }
    for (int side = -1; status == OK && side <= 1 && *ret_order == 0 && d->flat.m > 2; side += 2) {
        for (size_t k = 0; k < d->flat.m; k++)
            d->times[k] = (double)(k + 1) * (k == 0 ? side : 1);
        set_direction(d);
        status = try_line(d, only, ret_order, err);
    }
    return status;
}

/* The second derivatives have this kernel, and are positive beside it. */
static Status is_trough(Saddle *d, bool *ret, Error *err)
{
    const size_t n = d->flat.n, m = d->flat.m;
    Expr *rows = ARENA_NEW(&d->flat.scratch, m * n, Expr);
    Status status = arena_status(&d->flat.scratch, err);
    double change = 0;

    *ret = true;
    for (size_t k = 0; status == OK && k < m; k++) {
        /* V_qq maps each direction to zero */
        set_pair(d, k, k, 1);
        for (size_t i = 0; status == OK && *ret && i < n; i++) {
            status =
                flat_number(&d->flat, expr_dot(d->flat.pool, n, d->flat.V_qq + i * n, d->rates),
                            &change, ret, err);
            *ret = *ret && change == 0;
        }
        /* rows that fix the flat coordinates */
        for (size_t i = 0; i < n; i++)
            rows[k * n + i] = expr_const(d->flat.pool, i == d->flat.pivot[k]);
    }
    return status == OK && *ret ? enclosed_positive(d->flat.e, d->flat.V_qq, n, rows, m, ret, err)
                                : status;
}

/* The further conditions of Kozlov's theorem. */
static Status is_free(Saddle *d, bool *ret, Error *err)
{
    Status status = flat_is_natural(&d->flat, ret, err);

    return status == OK && *ret ? is_trough(d, ret, err) : status;
}

static Status decide(Saddle *d, const Drag *drag, EnergyShape *ret, Error *err)
{
    bool holds = true;
    size_t order = 0, lowest = 0;

    Status status = flat_find_basis(&d->flat, err);
    d->times = arena_doubles(&d->flat.scratch, d->flat.n);
    d->rates = ARENA_NEW(&d->flat.scratch, d->flat.n, Expr);
    if (status == OK)
        status = arena_status(&d->flat.scratch, err);
    /* a line along which V falls; without forces it has to be of the lowest order */
    if (status == OK && d->flat.m && drag->none)
        status = flat_lowest_order(&d->flat, &lowest, err);
    if (status == OK && d->flat.m)
        status = find_fall(d, lowest, &order, err);
    if (status != OK || order == 0)
        return status;
    status =
        drag->none ? is_free(d, &holds, err) : flat_is_analytic(&d->flat, d->flat.V, &holds, err);
    if (status == OK && holds) {
        ret->falls = drag->none ? ENERGY_FALLS_FREELY : ENERGY_FALLS_WITH_DRAG;
        ret->order = order;
    }
    return status;
}

Status equilibrium_saddle(Enclosed *e, const Drag *drag, EnergyShape *ret, Error *err)
{
    Saddle d;

    if (e->x->context->n_rows || e->x->n > FLAT_MOST_COORDINATES || !(drag->none || drag->complete))
        return OK;
    Status status = flat_init(&d.flat, e, err);
    if (status == OK)
        status = decide(&d, drag, ret, err);
    arena_done(&d.flat.scratch);
    return status;
}
