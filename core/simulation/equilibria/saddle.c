/* Potential energies V that fall along a line q(s) = q0 + s e: the first derivative by s that does not
 * vanish is of odd order, or negative. Without constraints, the equilibrium is not stable
 *
 * - where drag takes energy from every motion (v.F <= -v.D v, D positive definite; gyroscopic forces may act, too) and V is
 *   analytic. A motion from rest on that line, near q0, has the energy H < V(q0), and H falls. If it stayed near the
 *   equilibrium, it would come near states of which the motions keep H (J. P. LaSalle), hence rest, at V = H < V(q0). But near q0 the
 *   critical points of an analytic function have its value there (S. Lojasiewicz): there is no such state. (N. N. Krasovskii has the
 *   case of an isolated equilibrium, Stability of Motion, 1959, section 15.)
 *
 * - where no forces act, T is a form in v, L is smooth, the second derivatives of V have no negative eigenvalue, and the third
 *   ones do not all vanish on their kernel: then motions go out of the equilibrium (V. V. Kozlov, J. Appl. Math.
 *   Mech. 50 (1986) 719), as from a monkey saddle, x^3 - 3 x y^2. */
#include "core/simulation/equilibria/saddle.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/expr/calculus.h"
#include "core/numeric/dense.h"

enum { MOST_ORDER = 8, MOST_GUARDS = 32, MOST_COORDINATES = 32 };
/* Of the largest component of a direction: what a number in it may be wrong by. */
static const double SLACK = 1e-6;
/* Singular values of the second derivatives, in units and relative to the largest, that count as none. */
static const double FLAT = 1e-12;

typedef struct Saddle {
    Enclosed *e;
    const Model *model;
    size_t n, m; /* m: directions in which the second derivatives vanish */
    ExprPool *pool;
    Expr *known;   /* of e, by numbers */
    Expr V;        /* of q, by numbers of all else */
    Expr *V_qq;    /* n x n */
    double *basis; /* [m][n], of simple numbers */
    size_t *pivot; /* m: coordinates that are 1 in one direction each, and 0 in the others */
    double *times; /* m: a direction by the basis, */
    Expr *rates;   /* n: and by the coordinates */
    Arena scratch; /* owns the arrays */
} Saddle;

static Status saddle_init(Saddle *d, Enclosed *e, Error *err)
{
    const Equilibrium *x = e->x;
    const Model *model = x->context->model;
    const size_t n = x->n;

    *d = (Saddle){.e = e, .model = model, .n = n, .pool = e->pool};
    d->known = ARENA_NEW(&d->scratch, e->place.n_known, Expr);
    d->V_qq = ARENA_NEW(&d->scratch, n * n, Expr);
    d->basis = arena_doubles(&d->scratch, n * n);
    d->pivot = arena_sizes(&d->scratch, n);
    d->times = arena_doubles(&d->scratch, n);
    d->rates = ARENA_NEW(&d->scratch, n, Expr);
    Expr *slopes = ARENA_NEW(&d->scratch, n, Expr);
    Status status = arena_status(&d->scratch, err);
    if (status != OK)
        return status;
    for (size_t k = 0; k < e->place.n_known; k++)
        d->known[k] = expr_given(e->pool, e->place.values[k]);
    /* at rest */
    for (size_t i = 0; i < n; i++)
        d->rates[i] = expr_const(e->pool, 0);
    d->V = expr_neg(e->pool, model->L);
    expr_substitute(e->pool, &d->V, 1, model->v, d->rates, n, &d->V);
    expr_gradient(e->pool, d->V, model->q, n, slopes);
    for (size_t i = 0; i < n; i++)
        expr_gradient(e->pool, slopes[i], model->q, n, d->V_qq + i * n);
    return expr_pool_status(e->pool, err);
}

static Expr at_place(const Saddle *d, Expr root)
{
    const ExactProblem *place = &d->e->place;

    expr_substitute(d->pool, &root, 1, place->known, d->known, place->n_known, &root);
    return root;
}

/* The expression at the place: 0 where it vanishes; *ret_known false: neither is proved. */
static Status find_number(const Saddle *d, Expr e, double *ret, bool *ret_known, Error *err)
{
    const Expr number = at_place(d, e);
    ExactProblem problem = d->e->place;
    ExactResult result = {0};

    problem.terms = &number;
    problem.n_terms = 1;
    problem.n_stages = 0;
    *ret = 0;
    *ret_known = expr_vanishes(d->pool, number);
    Status status = expr_pool_status(d->pool, err);
    if (status != OK || *ret_known)
        return status;
    status = exact_difference(&problem, d->e->symbols, d->e->n_symbols, &result, err);
    if (status == OK && result.answer == EXACT_NONZERO && result.value != 0) {
        *ret = result.value;
        *ret_known = true;
        return OK;
    }
    if (status == OK)
        status = exact_identity(&problem, &result, err);
    *ret_known = status == OK && result.answer == EXACT_ZERO;
    return status;
}

/* The shortest decimal near it. */
static double simple(double value, double slack)
{
    char text[40];

    for (int digits = 1; fabs(value) > slack && digits < 15; digits++) {
        snprintf(text, sizeof text, "%.*e", digits - 1, value);
        if (fabs(strtod(text, NULL) - value) <= slack)
            return strtod(text, NULL);
    }
    return fabs(value) > slack ? value : 0;
}

/* The directions in which the second derivatives vanish, if these are known: d->m columns of ret[n][n]. */
static Status find_kernel(Saddle *d, double *ret, Error *err)
{
    const double *unit = d->e->x->scales.unit;
    const size_t n = d->n;
    double *form = arena_doubles(&d->scratch, n * n);
    bool known = true;
    Status status = arena_status(&d->scratch, err);

    for (size_t i = 0; status == OK && known && i < n; i++)
        for (size_t j = 0; status == OK && known && j <= i; j++) {
            status = find_number(d, d->V_qq[i * n + j], &form[i * n + j], &known, err);
            form[i * n + j] *= unit[i] * unit[j];
            form[j * n + i] = form[i * n + j];
        }
    if (status == OK && known)
        status = dense_null_space(form, n, n, FLAT, ret, &d->m, err);
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < d->m; k++)
            ret[i * n + k] *= unit[i];
    return status;
}

/* The same, reduced: each direction has a coordinate of its own. */
static Status find_basis(Saddle *d, Error *err)
{
    const double *unit = d->e->x->scales.unit;
    double *kernel = arena_doubles(&d->scratch, d->n * d->n);
    Status status = arena_status(&d->scratch, err);
    if (status == OK)
        status = find_kernel(d, kernel, err);
    const size_t n = d->n, m = status == OK ? d->m : 0;

    for (size_t k = 0; k < m; k++)
        for (size_t i = 0; i < n; i++)
            d->basis[k * n + i] = kernel[i * n + k];
    for (size_t k = 0; k < m; k++) {
        double *row = d->basis + k * n, most = 0;
        for (size_t i = 0; i < n; i++)
            if (fabs(row[i]) / unit[i] > most) {
                most = fabs(row[i]) / unit[i];
                d->pivot[k] = i;
            }
        const double first = row[d->pivot[k]];
        for (size_t i = 0; i < n; i++)
            row[i] /= first;
        for (size_t j = 0; j < m; j++) {
            const double factor = d->basis[j * n + d->pivot[k]];
            for (size_t i = 0; j != k && i < n; i++)
                d->basis[j * n + i] -= factor * row[i];
        }
    }
    for (size_t k = 0; k < m; k++)
        for (size_t i = 0; i < n; i++)
            d->basis[k * n + i] = simple(d->basis[k * n + i], SLACK * unit[i] / unit[d->pivot[k]]);
    return status;
}

/* The direction of which d->times tells. */
static void set_direction(Saddle *d)
{
    for (size_t i = 0; i < d->n; i++) {
        d->rates[i] = expr_const(d->pool, 0);
        for (size_t k = 0; k < d->m; k++)
            d->rates[i] = expr_add(d->pool, d->rates[i],
                                   expr_mul(d->pool, expr_given(d->pool, d->times[k]),
                                            expr_given(d->pool, d->basis[k * d->n + i])));
    }
}

/* One of the basis, a, and another as often. */
static void set_pair(Saddle *d, size_t a, size_t b, double times)
{
    memset(d->times, 0, d->m * sizeof *d->times);
    d->times[b] = times;
    d->times[a] = 1;
    set_direction(d);
}

/* The first derivative of V along the line that does not vanish, and its order; 0: it is not known. */
static Status find_slope(Saddle *d, size_t *ret_order, double *ret, Error *err)
{
    Expr slope = d->V;
    bool known = true;
    Status status = OK;

    *ret = 0;
    for (size_t k = 1; status == OK && known && *ret == 0 && k <= MOST_ORDER; k++) {
        expr_directional(d->pool, &slope, 1, d->model->q, d->rates, d->n, &slope);
        status = find_number(d, slope, ret, &known, err);
        *ret_order = k;
    }
    *ret = known ? *ret : 0;
    return status;
}

/* V falls along the line: its order goes to *ret_order, otherwise 0. `third`: only by third derivatives. */
static Status try_line(Saddle *d, bool third, size_t *ret_order, Error *err)
{
    size_t order = 0;
    double slope = 0;
    Status status = find_slope(d, &order, &slope, err);
    const bool falls = third ? order == 3 : order % 2 == 1 || slope < 0;

    *ret_order = status == OK && slope != 0 && falls ? order : 0;
    return status;
}

/* A line along which V falls: of the directions, of two of them, of all. */
static Status find_fall(Saddle *d, bool third, size_t *ret_order, Error *err)
{
    static const double TIMES[] = {1, -1, 2, -2};
    const size_t n_times = sizeof TIMES / sizeof TIMES[0];
    Status status = OK;

    *ret_order = 0;
    for (size_t a = 0; status == OK && a < d->m && *ret_order == 0; a++) {
        set_pair(d, a, a, 1);
        status = try_line(d, third, ret_order, err);
    }
    for (size_t a = 0; a < d->m; a++)
        for (size_t b = 0; b < a; b++)
            for (size_t k = 0; status == OK && k < n_times && *ret_order == 0; k++) {
                set_pair(d, a, b, TIMES[k]);
                status = try_line(d, third, ret_order, err);
            }
    for (int side = -1; status == OK && side <= 1 && *ret_order == 0 && d->m > 2; side += 2) {
        for (size_t k = 0; k < d->m; k++)
            d->times[k] = (double)(k + 1) * (k == 0 ? side : 1);
        set_direction(d);
        status = try_line(d, third, ret_order, err);
    }
    return status;
}

/* The second derivatives have this kernel, and are positive beside it. */
static Status is_trough(Saddle *d, bool *ret, Error *err)
{
    const size_t n = d->n, m = d->m;
    Expr *rows = ARENA_NEW(&d->scratch, m * n, Expr);
    Status status = arena_status(&d->scratch, err);
    double change = 0;

    *ret = true;
    for (size_t k = 0; status == OK && k < m; k++) {
        set_pair(d, k, k, 1);
        for (size_t i = 0; status == OK && *ret && i < n; i++) {
            status =
                find_number(d, expr_dot(d->pool, n, d->V_qq + i * n, d->rates), &change, ret, err);
            *ret = *ret && change == 0;
        }
        for (size_t i = 0; i < n; i++)
            rows[k * n + i] = expr_const(d->pool, i == d->pivot[k]);
    }
    return status == OK && *ret ? enclosed_positive(d->e, d->V_qq, n, rows, m, ret, err) : status;
}

/* The expression is analytic at the place. */
static Status is_analytic(Saddle *d, Expr e, bool *ret, Error *err)
{
    Expr guards[MOST_GUARDS];
    size_t n_guards = 0;
    double value = 0;
    Status status = OK;

    *ret = expr_is_analytic(d->pool, e, guards, MOST_GUARDS, &n_guards);
    for (size_t k = 0; status == OK && *ret && k < n_guards; k++) {
        status = find_number(d, guards[k], &value, ret, err);
        *ret = *ret && value != 0;
    }
    return status;
}

/* What Kozlov's theorem asks for beside the third derivatives. */
static Status is_free(Saddle *d, bool *ret, Error *err)
{
    const Model *model = d->model;
    Status status = OK;

    *ret = true;
    for (size_t i = 0; i < d->n; i++) {
        Expr p =
            expr_sub(d->pool, model->p[i], expr_dot(d->pool, d->n, model->M + i * d->n, model->v));
        expr_expand(d->pool, &p, 1, &p);
        *ret = *ret && expr_vanishes(d->pool, p);
    }
    if (*ret)
        status = is_analytic(d, model->L, ret, err);
    if (status == OK && *ret)
        status = is_trough(d, ret, err);
    if (status == OK && *ret)
        status = enclosed_positive(d->e, model->M, d->n, NULL, 0, ret, err);
    return status;
}

static Status decide(Saddle *d, const Drag *drag, EnergyShape *ret, Error *err)
{
    bool holds = true;
    size_t order = 0;

    Status status = find_basis(d, err);
    if (status == OK)
        status = find_fall(d, drag->none, &order, err);
    if (status != OK || order == 0)
        return status;
    status = drag->none ? is_free(d, &holds, err) : is_analytic(d, d->V, &holds, err);
    if (status == OK && holds) {
        ret->falls = drag->none ? ENERGY_FALLS_FREELY : ENERGY_FALLS_WITH_DRAG;
        ret->order = order;
    }
    return status;
}

Status equilibrium_saddle(Enclosed *e, const Drag *drag, EnergyShape *ret, Error *err)
{
    Saddle d;

    if (e->x->context->n_rows || e->x->n > MOST_COORDINATES || !(drag->none || drag->complete))
        return OK;
    Status status = saddle_init(&d, e, err);
    if (status == OK)
        status = decide(&d, drag, ret, err);
    arena_done(&d.scratch);
    return status;
}
