/* Strict minima of the energy: at rest (J. L. Lagrange, P. G. Lejeune Dirichlet; W. Thomson and
 * P. G. Tait for drag), and of steady motions at fixed momenta (E. J. Routh, Stability of a Given
 * State of Motion, 1877). A. M. Lyapunov added that nearby momenta have such minima as well. J. C.
 * Simo, D. Lewis, J. E. Marsden, Arch. Rational Mech. Anal. 115 (1991) call it the energy-momentum
 * method.
 *
 * If L does not contain the coordinates of s translations, E and the s momenta J_a are conserved.
 * A motion along them with the rates c_a is a critical point of W = E - c.J. It is stable, except
 * for these coordinates, if the second derivatives of W by the others and by v are positive
 * definite on dJ = 0.
 *
 * A generator of another kind may vanish there and leave L unchanged, such as the rotation about
 * the axis on which a top spins. Its momentum is conserved, too, and its rate c is free: for some
 * rate W may have such a minimum. This is how gyroscopic forces stabilise (J. C. Simo, D. Lewis,
 * J. E. Marsden: the energy-momentum method; D. D. Holm, J. E. Marsden, T. Ratiu, A. Weinstein,
 * Phys. Rep. 123 (1985), by Casimir functions). */
#include "core/stability/prove/proofs.h"

#include <math.h>
#include <string.h>

#include "core/base/accuracy.h"
#include "core/expr/calculus/calculus.h"
#include "core/numeric/dense.h"

/* Largest rate of an idle generator that is tried, relative to that of the linearised equations
 * (no unit); number of ternary sections. Conventions. */
static const double MOST_RATE = 100;
enum { SECTIONS = 60 };

typedef struct Steady {
    Enclosed *enclosed;
    const Model *model;
    const Equilibrium *x;
    size_t n, s, m; /* m = 2 n - translations: coordinates that are not translated, and all v */
    const size_t *moved; /* s - idle generators: those that are translations */
    size_t n_moved;
    ExprPool *pool;
    Arena *scratch;
    Expr *z; /* m */
} Steady;

/* L does not change along the generator, with velocities. */
static Status leaves_lagrangian(const Steady *y, const Expr *xi, bool *ret, Error *err)
{
    const Model *model = y->model;
    const size_t n = y->n;
    Expr *state = ARENA_NEW(y->scratch, 2 * n, Expr), *lift = ARENA_NEW(y->scratch, 2 * n, Expr);
    ExactProblem everywhere = y->enclosed->place;
    Expr change;
    Status status = arena_status(y->scratch, err);

    if (status != OK)
        return status;
    memcpy(state, model->sym.q, n * sizeof *state);
    memcpy(state + n, model->sym.v, n * sizeof *state);
    memcpy(lift, xi, n * sizeof *lift);
    expr_directional(y->pool, xi, n, model->sym.q, model->sym.v, n, lift + n);
    expr_directional(y->pool, &model->L, 1, state, lift, 2 * n, &change);
    /* at all states, with the values of the parameters, which are known first */
    everywhere.n_known = model->n_params;
    return exact_vanishes(&everywhere, 0, &change, 1, ret, err);
}

/* Each generator that is not idle moves one coordinate, at a constant rate; marks these. */
static bool find_translated(const Steady *y, const size_t *fields, bool *ret)
{
    const Model *model = y->model;
    bool *used = ARENA_NEW(y->scratch, model->sym.first_free, bool);

    if (!used ||
        expr_used_symbols(model->pool, &model->L, 1, used, model->sym.first_free, NULL) != OK)
        return false;
    for (size_t a = 0; a < y->s; a++) {
        size_t moved = 0;
        if (y->x->family.idle[a])
            continue;
        for (size_t i = 0; i < y->n; i++) {
            const Expr part = model->given.symmetries[fields[a]].components[i];
            if (expr_vanishes(model->pool, part))
                continue;
            /* a constant rate of a coordinate that neither L nor another generator contains */
            if (!expr_is_const(model->pool, part, NULL) || ret[i] ||
                used[expr_node(model->pool, model->sym.q[i]).symbol])
                return false;
            ret[i] = true;
            moved++;
        }
        if (moved != 1)
            return false;
    }
    return true;
}

static bool is_conservative(const Equilibrium *x)
{
    const Model *model = x->context->model;
    bool result = model->r == 0 && local_is_autonomous(model);

    for (size_t i = 0; i < model->n; i++)
        result = result && expr_vanishes(model->pool, model->F[i]);
    return result;
}

/* W_zz [m][m] and J_z of the translations [n_moved][m]. */
static void build_forms(const Steady *y, const size_t *fields, Expr *W_zz, Expr *J_z, Expr *slopes)
{
    const Model *model = y->model;
    const size_t n = y->n, m = y->m;
    Expr W = model->energy;

    for (size_t i = 0; i < n; i++)
        W = expr_sub(y->pool, W, expr_mul(y->pool, model->p[i], y->enclosed->u[i]));
    expr_gradient(y->pool, W, y->z, m, slopes);
    expr_jacobian(y->pool, slopes, m, y->z, m, W_zz);
    for (size_t a = 0; a < y->n_moved; a++) {
        const Expr *xi = model->given.symmetries[fields[y->moved[a]]].components;
        expr_gradient(y->pool, expr_dot(y->pool, n, model->p, xi), y->z, m, J_z + a * m);
    }
}

/* For the choice of a rate: the forms as doubles, in units, on J_z = 0. */
typedef struct Choice {
    size_t d; /* dimension of J_z = 0 */
    /* d x d: W_zz without the idle generator, and its change by a rate of 1 */
    double *still, *along;
    double *sum, *values; /* d x d, d */
} Choice;

/* The least eigenvalue with this rate: a concave function of it. */
static Status least_eigenvalue(const Choice *c, double rate, double *ret, Error *err)
{
    for (size_t k = 0; k < c->d * c->d; k++)
        c->sum[k] = c->still[k] + rate * c->along[k];
    Status status = dense_symmetric_eigenvalues(c->sum, c->d, c->values, err);
    *ret = status == OK ? c->values[0] : 0;
    return status;
}

/* The rate between -most and most with which it is largest, by sections. */
static Status best_rate(const Choice *c, double most, double *ret, Error *err)
{
    double low = -most, high = most, left = 0, right = 0;
    Status status = OK;

    for (int k = 0; status == OK && k < SECTIONS; k++) {
        const double third = (high - low) / 3;
        status = least_eigenvalue(c, low + third, &left, err);
        if (status == OK)
            status = least_eigenvalue(c, high - third, &right, err);
        if (left < right)
            low += third;
        else
            high -= third;
    }
    *ret = (low + high) / 2;
    return status;
}

/* ret[d][d] = N^T S F S N, with the units S of z and columns N[m][d] of ld m. */
static void reduce_form(const double *F, const double *S, const double *N, size_t m, size_t d,
                        double *ret)
{
    for (size_t a = 0; a < d; a++)
        for (size_t b = 0; b < d; b++) {
            double sum = 0;
            for (size_t i = 0; i < m; i++)
                for (size_t j = 0; j < m; j++)
                    sum += N[i * m + a] * S[i] * F[i * m + j] * S[j] * N[j * m + b];
            ret[a * d + b] = sum;
        }
}

/* Units of z: coordinates, and velocities at the rate of the linearised equations. */
static void find_units(const Steady *y, const bool *translated, double *ret)
{
    const double *unit = y->x->scales.unit;
    size_t k = 0;

    for (size_t i = 0; i < y->n; i++)
        if (!translated[i])
            ret[k++] = unit[i];
    for (size_t i = 0; i < y->n; i++)
        ret[k++] = unit[i] * y->x->rate;
}

/* Gives the idle generator the rate with which W_zz is best, in *c_known. */
static Status choose_rate(Steady *y, const bool *translated, Expr *forms, size_t idle,
                          double *c_known, Error *err)
{
    const size_t m = y->m, count = m * m + y->n_moved * m;
    double *values = arena_doubles(y->scratch, count), *with = arena_doubles(y->scratch, count);
    double *S = arena_doubles(y->scratch, m), *N = arena_doubles(y->scratch, m * m);
    double *symbols = y->enclosed->symbols, best = 0;
    const uint32_t symbol = expr_node(y->pool, y->enclosed->c[idle]).symbol;
    Choice c = {.still = arena_doubles(y->scratch, m * m),
                .along = arena_doubles(y->scratch, m * m),
                .sum = arena_doubles(y->scratch, m * m),
                .values = arena_doubles(y->scratch, m)};
    Status status = arena_status(y->scratch, err);
    if (status != OK)
        return status;

    /* W_zz is linear in the rate */
    symbols[symbol] = 0;
    status = expr_eval(y->pool, forms, count, symbols, values, err);
    symbols[symbol] = 1;
    if (status == OK)
        status = expr_eval(y->pool, forms, count, symbols, with, err);
    find_units(y, translated, S);
    for (size_t a = 0; a < y->n_moved; a++)
        for (size_t j = 0; j < m; j++)
            values[m * m + a * m + j] *= S[j];
    for (size_t k = 0; k < m * m; k++)
        with[k] -= values[k];
    if (status == OK)
        status = dense_null_space(values + m * m, y->n_moved, m, ACCURACY_SOLVED, N, &c.d, err);
    if (status == OK) {
        reduce_form(values, S, N, m, c.d, c.still);
        reduce_form(with, S, N, m, c.d, c.along);
        status = best_rate(&c, MOST_RATE * y->x->rate, &best, err);
    }
    symbols[symbol] = *c_known = status == OK ? best : 0;
    return status;
}

/* The one idle generator, if it leaves L alone; *ret_ready: there is none, or it has a rate. */
static Status use_idle(Steady *y, const size_t *fields, const bool *translated, Expr *forms,
                       bool *ret_ready, Error *err)
{
    const Enclosed *e = y->enclosed;
    size_t idle = 0, known = 0;
    Status status = OK;

    /* at most one idle generator is supported */
    *ret_ready = y->x->family.n_idle == 0;
    if (y->x->family.n_idle != 1 || y->n_moved == 0)
        return OK;
    while (!y->x->family.idle[idle])
        idle++;
    /* the rate has a known value, which may be chosen if L does not change */
    while (known < e->place.n_known && !expr_same(e->known.symbols[known], e->c[idle]))
        known++;
    if (known < e->place.n_known)
        status = leaves_lagrangian(y, y->model->given.symmetries[fields[idle]].components,
                                   ret_ready, err);
    if (status == OK && *ret_ready)
        status = choose_rate(y, translated, forms, idle, &e->known.values[known], err);
    return status;
}

static Status decide(Steady *y, const size_t *fields, bool *ret, Error *err)
{
    const size_t n = y->n;
    bool *translated = ARENA_NEW(y->scratch, n, bool), ready = false;
    size_t *moved = arena_sizes(y->scratch, y->s), k = 0;

    y->m = 2 * n - y->s + y->x->family.n_idle;
    Expr *forms = ARENA_NEW(y->scratch, y->m * y->m + y->s * y->m, Expr);
    Expr *slopes = ARENA_NEW(y->scratch, y->m, Expr);
    y->z = ARENA_NEW(y->scratch, y->m, Expr);
    Status status = arena_status(y->scratch, err);
    if (status != OK || !find_translated(y, fields, translated))
        return status;
    for (size_t a = 0; a < y->s; a++)
        if (!y->x->family.idle[a])
            moved[y->n_moved++] = a;
    y->moved = moved;
    for (size_t i = 0; i < n; i++)
        if (!translated[i])
            y->z[k++] = y->model->sym.q[i];
    memcpy(y->z + k, y->model->sym.v, n * sizeof *y->z);
    /* W with the rates found, and one that is free; then its minimum */
    build_forms(y, fields, forms, forms + y->m * y->m, slopes);
    enclosed_on_motion(y->enclosed, forms, y->m * y->m + y->n_moved * y->m);
    status = expr_pool_status(y->pool, err);
    if (status == OK)
        status = use_idle(y, fields, translated, forms, &ready, err);
    return status == OK && ready ? enclosed_positive(y->enclosed, forms, y->m, forms + y->m * y->m,
                                                     y->n_moved, ret, err)
                                 : status;
}

Status equilibrium_steady_minimum(const Equilibrium *x, Enclosed *enclosed, const size_t *fields,
                                  bool *ret_minimum, Error *err)
{
    Arena scratch = {0};
    Steady y = {.enclosed = enclosed,
                .model = x->context->model,
                .n = x->n,
                .x = x,
                .s = x->s,
                .pool = enclosed->pool,
                .scratch = &scratch};
    Status status = OK;

    *ret_minimum = false;
    if (x->s > 0 && x->s <= x->n && is_conservative(x))
        status = decide(&y, fields, ret_minimum, err);
    arena_done(&scratch);
    return status;
}

/* Reactions of constraints that are linear and homogeneous in the velocities do no work, so that
 * the energy is conserved or falls, and may have a minimum. */
bool equilibrium_energy_may_tell(const Equilibrium *x)
{
    const Model *model = x->context->model;
    bool result = x->s == 0 && local_is_autonomous(model);

    for (size_t k = 0; k < model->r; k++)
        result = result && model->constraints[k].kind <= CONSTRAINT_LINEAR;
    return result;
}

/* By second derivatives, or higher ones. */
static Status ask_derivatives(const Equilibrium *x, Enclosed *enclosed, const Drag *drag,
                              EnergyShape *ret, Error *err)
{
    Status status = OK;

    if (x->family.dimension == 0 && x->family.sharp)
        status = enclosed_minimum(enclosed, x->n, &ret->minimum, err);
    if (status == OK && !ret->minimum && enclosed->at_known)
        status = equilibrium_degenerate(enclosed, drag->symmetric, ret, err);
    if (status == OK && !ret->minimum && !ret->falls && enclosed->at_known)
        status = equilibrium_saddle(enclosed, drag, ret, err);
    if (status == OK && !ret->minimum && !ret->falls && enclosed->at_known)
        status = equilibrium_principal(enclosed, drag, ret, err);
    return status;
}

Status equilibrium_energy(const Equilibrium *x, Enclosed *enclosed, EnergyShape *ret, Error *err)
{
    Drag drag;

    *ret = (EnergyShape){.order = 2};
    if (!equilibrium_energy_may_tell(x))
        return OK;
    Status status = drag_find(x, &drag, err);
    if (status != OK || !drag.dissipative)
        return status;
    /* of derivatives those along the places that holonomic constraints leave count */
    if (model_is_holonomic(x->context->model))
        status = ask_derivatives(x, enclosed, &drag, ret, err);
    const bool rough = status == ERR_INVALID; /* there are no derivatives */
    if ((status == OK || rough) && !ret->minimum && !ret->falls && enclosed->at_known) {
        status = equilibrium_squares(enclosed, &ret->squares, err);
        ret->minimum = status == OK && ret->squares;
        if (status == OK && rough && !ret->minimum)
            status = error_set(err, ERR_INVALID, "the energy has no derivatives there");
    }
    return status;
}
