/* Relative equilibria by Gauss-Newton steps of least size on vdot = u_q v and the constraints;
 * the linearisation there is J - DX on the tangent space (J. E. Marsden, Lectures on Mechanics,
 * 1992). */
#include "core/simulation/analyses/equilibrium.h"

#include <math.h>
#include <string.h>

#include "core/base/arena.h"
#include "core/base/random.h"
#include "core/numeric/dense.h"

enum { NEWTON_STEPS = 100, HALVINGS = 20, TIMES = 8, SEED = 28 };
/* Residual, of scale, that counts as solved; changes at other times that count as none. */
static const double SOLVED = 1e-11, SAME = 1e-9;
/* Singular values, relative to the largest, along which the conditions do not change. */
static const double FLAT = 1e-7;
/* Those that are rounding. */
static const double ROUNDING = 1e-10;
/* For a step; what the coarser leave is for the finer. Where solutions of different kinds meet, the
 * derivatives are nearly singular, and a step that trusts them leads to where they meet. */
static const double CUTS[] = {1e-2, 1e-4, 1e-7};
/* A coarse step is taken if it leaves no more than this of the conditions. */
static const double GOOD = 0.7;

void equilibrium_done(Equilibrium *x)
{
    arena_done(&x->memory);
    *x = (Equilibrium){0};
}

Status equilibrium_init(Equilibrium *x, const AnalysisContext *context, Local *local, Drift *drift,
                        Error *err)
{
    const size_t n = local->n, s = drift ? drift->s : 0, m = n + s;
    const size_t conditions = n + local->dim - local->d;

    *x = (Equilibrium){.context = context,
                       .local = local,
                       .drift = drift,
                       .n = n,
                       .s = s,
                       .n_conditions = conditions};
    Arena *memory = &x->memory;
    x->q = arena_doubles(memory, 2 * n); /* q and v are one state */
    x->v = x->q + n;
    x->c = arena_doubles(memory, s);
    x->conditions = arena_doubles(memory, conditions);
    x->slopes = arena_doubles(memory, conditions * m);
    x->directions = arena_doubles(memory, (2 * n + s) * m + conditions);
    x->along = arena_doubles(memory, 2 * n * m);
    x->held = arena_doubles(memory, 2 * m);
    return arena_status(memory, err);
}

/* The conditions at (q, c) with the velocity that belongs to them; returns their size. */
static double equilibrium_evaluate(Equilibrium *x, double t)
{
    const AnalysisContext *context = x->context;
    const size_t n = x->n;
    const double *u = NULL, *w = NULL;
    double *out = x->conditions, *rates = x->along, size = 0;

    /* v = u(q, c), with which w = u_q v */
    memset(x->v, 0, n * sizeof *x->v);
    if (x->drift) {
        u = drift_velocity(x->drift, x->q, x->v, x->c, &w);
        memcpy(x->v, u, n * sizeof *x->v);
        drift_velocity(x->drift, x->q, x->v, x->c, &w);
    }
    /* vdot - w, then f and phi */
    linearised_state_rates(x->local->linearised, t, x->q, rates);
    for (size_t i = 0; i < n; i++)
        *out++ = rates[n + i] - (w ? w[i] : 0);
    const ModelPoint point = model_point(context->eval, t, x->q, x->v);
    for (size_t k = 0; k < context->n_rows; k++)
        if (context->model->constraints[context->rows[k]].kind == CONSTRAINT_HOLONOMIC)
            *out++ = point.f[context->rows[k]];
    for (size_t k = 0; k < context->n_rows; k++)
        *out++ = point.phi[context->rows[k]];
    for (size_t k = 0; k < x->n_conditions; k++)
        size = hypot(size, x->conditions[k]);
    return size;
}

/* The derivatives of the conditions by q and c, at the state of the last evaluation. */
static Status equilibrium_differentiate(Equilibrium *x, double t, Error *err)
{
    const size_t n = x->n, m = n + x->s;
    double *dq = x->directions, *dv = dq + n * m, *dc = dv + n * m, largest = 0, size = 1;
    const DirectionRows with_rest[] = {{dq, n}, {NULL, n}, {dc, x->s}};
    const DirectionRows all[] = {{dq, n}, {dv, n}, {dc, x->s}};

    /* unit directions of q and c; dv = u_q dq + u_c dc follows from them */
    memset(dq, 0, (2 * n + x->s) * m * sizeof *dq);
    for (size_t j = 0; j < n; j++)
        dq[j * m + j] = 1;
    for (size_t a = 0; a < x->s; a++)
        dc[a * m + n + a] = 1;
    if (x->drift) {
        drift_along(x->drift, x->q, x->v, x->c, with_rest, 3, m, x->along);
        memcpy(dv, x->along, n * m * sizeof *dv);
    }
    /* d(vdot) - dw, then df and dphi */
    linearised_along(x->local->linearised, t, x->q, dq, m, x->along);
    memcpy(x->slopes, x->along + n * m, n * m * sizeof *x->slopes);
    if (x->drift) {
        drift_along(x->drift, x->q, x->v, x->c, all, 3, m, x->along);
        for (size_t k = 0; k < n * m; k++)
            x->slopes[k] -= x->along[n * m + k];
    }
    Status status =
        tangent_space_along(x->local->space, t, x->q, x->v, dq, m, x->slopes + n * m, err);
    for (size_t k = 0; k < x->n_conditions * m; k++)
        largest = fmax(largest, fabs(x->slopes[k]));
    for (size_t i = 0; i < n; i++)
        size = fmax(size, fabs(x->q[i]));
    for (size_t a = 0; a < x->s; a++)
        size = fmax(size, fabs(x->c[a]));
    x->scale = largest > 0 ? largest * size : 1;
    return status;
}

/* The c for which u is nearest to the given velocity. */
static Status equilibrium_fit(Equilibrium *x, Error *err)
{
    const size_t n = x->n, s = x->s, m = n + s;
    double *dc = x->directions;
    const DirectionRows parts[] = {{NULL, 2 * n}, {dc, s}};
    double *target = x->held, *zero = x->slopes;

    memset(dc, 0, s * s * sizeof *dc);
    memset(zero, 0, m * sizeof *zero);
    for (size_t a = 0; a < s; a++)
        dc[a * s + a] = 1;
    memcpy(target, x->v, n * sizeof *target);
    drift_along(x->drift, x->q, x->v, zero, parts, 2, s, x->along);
    return dense_least_norm(x->along, n, s, target, 1e-10, x->c, err);
}

static void equilibrium_move(Equilibrium *x, const double *from, const double *step, double part)
{
    for (size_t i = 0; i < x->n; i++)
        x->q[i] = from[i] + part * step[i];
    for (size_t a = 0; a < x->s; a++)
        x->c[a] = from[x->n + a] + part * step[x->n + a];
}

/* One step, the coarsest that serves, the finest halved until the conditions shrink; false when
 * they do not. */
static Status equilibrium_improve(Equilibrium *x, double t, bool *ret_better, Error *err)
{
    const size_t m = x->n + x->s, n_cuts = sizeof CUTS / sizeof CUTS[0];
    double *from = x->held, *step = from + m, *conditions = x->directions, size = INFINITY;
    Status status = OK;

    memcpy(from, x->q, x->n * sizeof *from);
    if (x->s)
        memcpy(from + x->n, x->c, x->s * sizeof *from);
    memcpy(conditions, x->conditions, x->n_conditions * sizeof *conditions);
    for (size_t k = 0; status == OK && k < n_cuts && !(size < GOOD * x->residual); k++) {
        const int halvings = k + 1 < n_cuts ? 1 : HALVINGS;
        double part = -1;
        status = dense_least_norm(x->slopes, x->n_conditions, m, conditions, CUTS[k], step, err);
        size = INFINITY;
        for (int h = 0; status == OK && h < halvings && !(size < x->residual); h++, part /= 2) {
            equilibrium_move(x, from, step, part);
            size = equilibrium_evaluate(x, t);
        }
    }
    *ret_better = status == OK && size < x->residual;
    if (*ret_better) {
        x->residual = size;
    } else {
        equilibrium_move(x, from, step, 0);
        equilibrium_evaluate(x, t);
    }
    return status;
}

/* The derivatives of the rates and of the constraints along all of q and v. */
static Status take_slopes(Equilibrium *x, double t, const double *unit, double *ret, Error *err)
{
    const size_t dim = 2 * x->n;

    linearised_along(x->local->linearised, t, x->q, unit, dim, ret);
    return tangent_space_along(x->local->space, t, x->q, x->v, unit, dim, ret + dim * dim, err);
}

/* The conditions, and the linearisation, at other times. */
static Status try_times(Equilibrium *x, Error *err)
{
    const AnalysisContext *context = x->context;
    const size_t dim = 2 * x->n, size = (2 * dim - x->local->d) * dim;
    const double t0 = context->t0, span = context->t_end - t0;
    Random random;
    Arena scratch = {0};
    double *unit = arena_doubles(&scratch, dim * dim), change = 0, largest = 0;
    double *start = arena_doubles(&scratch, size), *later = arena_doubles(&scratch, size);
    Status status = arena_status(&scratch, err);

    for (size_t i = 0; status == OK && i < dim; i++)
        unit[i * dim + i] = 1;
    x->lasting = true;
    random_init(&random, SEED);
    if (status == OK)
        status = take_slopes(x, t0, unit, start, err);
    for (int k = 0; status == OK && k < TIMES; k++) {
        const double t = t0 + span * random_uniform(&random, 0, 1);
        x->lasting = x->lasting && equilibrium_evaluate(x, t) <= SAME * x->scale;
        status = take_slopes(x, t, unit, later, err);
        for (size_t i = 0; i < size; i++) {
            change = fmax(change, fabs(later[i] - start[i]));
            largest = fmax(largest, fabs(start[i]));
        }
    }
    x->steady = change <= SAME * largest;
    equilibrium_evaluate(x, t0);
    arena_done(&scratch);
    return status;
}

/* The dimension of the null space of the conditions' derivatives by the first m of q and c. */
static Status measure_nullity(Equilibrium *x, size_t m, size_t *ret_nullity, Error *err)
{
    const size_t rows = x->n_conditions, least = m < rows ? m : rows;
    Arena scratch = {0};
    double *slopes = arena_doubles(&scratch, rows * m), *singular = arena_doubles(&scratch, least);
    Status status = arena_status(&scratch, err);

    for (size_t k = 0; status == OK && k < rows; k++)
        memcpy(slopes + k * m, x->slopes + k * (x->n + x->s), m * sizeof *slopes);
    if (status == OK)
        status = dense_singular_values(slopes, rows, m, singular, err);
    *ret_nullity = m;
    for (size_t k = 0; status == OK && k < least; k++) {
        const bool counts = singular[k] > FLAT * singular[0];
        *ret_nullity -= counts;
        x->sharp = x->sharp && (counts || singular[k] <= ROUNDING * singular[0]);
    }
    arena_done(&scratch);
    return status;
}

static Status measure_family(Equilibrium *x, Error *err)
{
    x->sharp = true;
    Status status = measure_nullity(x, x->n + x->s, &x->family, err);
    return status == OK ? measure_nullity(x, x->n, &x->same, err) : status;
}

Status equilibrium_find(Equilibrium *x, bool *ret_found, Error *err)
{
    const double t = x->context->t0;
    bool better = true;
    Status status = x->drift ? equilibrium_fit(x, err) : OK;

    x->residual = status == OK ? equilibrium_evaluate(x, t) : INFINITY;
    if (status == OK && !isfinite(x->residual))
        status =
            error_set(err, ERR_NUMERIC, "the equations are not finite at the state to look near");
    for (int k = 0; status == OK && k < NEWTON_STEPS && better; k++) {
        status = equilibrium_differentiate(x, t, err);
        if (status == OK)
            status = equilibrium_improve(x, t, &better, err);
        if (status == OK && x->context->poll)
            status = x->context->poll(x->context->self, err);
    }
    if (status == OK)
        status = equilibrium_differentiate(x, t, err);
    *ret_found = status == OK && x->residual <= SOLVED * x->scale;
    if (*ret_found)
        status = measure_family(x, err);
    if (status == OK && *ret_found)
        status = try_times(x, err);
    return status;
}

Status equilibrium_linearise(Equilibrium *x, double *ret_matrix, Error *err)
{
    const size_t n = x->n, dim = 2 * n, d = x->local->d;
    Arena scratch = {0};
    double *Z = arena_doubles(&scratch, dim * d);
    double *JZ = arena_doubles(&scratch, dim * d), *XZ = arena_doubles(&scratch, dim * d);
    Status status = arena_status(&scratch, err);

    if (status == OK)
        status = tangent_space_basis(x->local->space, x->context->t0, x->q, x->v, Z, err);
    if (status == OK) {
        linearised_along(x->local->linearised, x->context->t0, x->q, Z, d, JZ);
        if (x->drift) {
            const DirectionRows parts[] = {{Z, dim}, {NULL, x->s}};
            drift_along(x->drift, x->q, x->v, x->c, parts, 2, d, XZ);
            for (size_t k = 0; k < dim * d; k++)
                JZ[k] -= XZ[k];
        }
        local_reduce(Z, JZ, dim, d, ret_matrix);
    }
    arena_done(&scratch);
    return status;
}
