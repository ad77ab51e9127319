/* Gauss-Newton steps of least size on the conditions, in units in which all are of similar size. */
#include "core/stability/find/equilibrium.h"

#include <math.h>
#include <string.h>

#include "core/base/accuracy.h"
#include "core/base/arena.h"
#include "core/base/random.h"
#include "core/base/stop_token.h"
#include "core/numeric/dense.h"

enum {
    NEWTON_STEPS = 100,
    APPROACHES = 8,
    HALVINGS = 20,
    DOUBLINGS = 4,
    TRIED_TIMES = 8,
    SEED = 28
};
/* Weighted size of the conditions, no unit, below which no step improves them. Convention. */
static const double NEGLIGIBLE_CONDITIONS = 1e-60;
/* Cuts of singular values relative to the largest, from coarse to fine. If solutions of different
 * kinds meet, the derivatives are nearly singular, and a step that trusts all of them leads to
 * their meeting point. */
static const double CUTS[] = {1e-2, 1e-4, 1e-7};
/* A coarse step is taken if at most this fraction of the conditions' size remains. Convention. */
static const double GOOD_STEP_RATIO = 0.7;
/* Going back along a family goes on if at most this part of the distance is left. Convention. */
static const double NEARER_RATIO = 0.9;
/* If a whole step leaves more than this part, a multiple root is near. No unit; convention. */
static const double SLOW_STEP_RATIO = 0.2;

/* The c for which u is nearest to the given velocity. */
static Status equilibrium_fit(Equilibrium *x, Error *err)
{
    const size_t n = x->n, s = x->s, m = n + s;
    double *dc = x->work.directions;
    const DirectionRows parts[] = {{NULL, 2 * n}, {dc, s}};
    double *target = x->work.held, *zero = x->work.slopes;

    memset(dc, 0, s * s * sizeof *dc);
    memset(zero, 0, m * sizeof *zero);
    for (size_t a = 0; a < s; a++)
        dc[a * s + a] = 1;
    memcpy(target, x->v, n * sizeof *target);
    drift_along(x->drift, (DriftState){x->q, x->v, zero}, parts, 2, s, x->work.along);
    /* the generators' velocities may be dependent */
    return dense_least_norm(x->work.along, n, s, target, ACCURACY_SOLVED, x->c, err);
}

/* Newton's step is too short near a multiple root: doubles it while the conditions shrink. */
static void lengthen(Equilibrium *x, double t, const double *from, const double *step, double *size)
{
    double part = -1;

    for (int k = 0; k < DOUBLINGS; k++) {
        const double longer = equilibrium_move(x, t, from, step, 2 * part);
        if (!(longer < *size))
            break;
        part *= 2;
        *size = longer;
    }
    *size = equilibrium_move(x, t, from, step, part);
}

/* Takes one step: the coarsest that is good enough, else the finest, halved until it is better. */
static Status equilibrium_improve(Equilibrium *x, double t, bool *ret_better, Error *err)
{
    const size_t m = x->n + x->s, n_cuts = sizeof CUTS / sizeof CUTS[0];
    double *from = x->work.held, *step = from + m, *conditions = x->work.directions,
           size = INFINITY;
    double taken = -1;
    Status status = OK;

    equilibrium_place(x, from);
    for (size_t k = 0; k < x->n_conditions; k++)
        conditions[k] = x->scales.weight[k] * x->work.conditions[k];
    for (size_t k = 0; status == OK && k < n_cuts && !(size < GOOD_STEP_RATIO * x->residual); k++) {
        const int halvings = k + 1 < n_cuts ? 1 : HALVINGS;
        double part = -1;
        status =
            dense_least_norm(x->scales.scaled, x->n_conditions, m, conditions, CUTS[k], step, err);
        for (size_t i = 0; i < m; i++)
            step[i] *= x->scales.unit[i];
        size = INFINITY;
        for (int h = 0; status == OK && h < halvings && !(size < x->residual); h++, part /= 2)
            size = equilibrium_move(x, t, from, step, part);
        taken = 2 * part; /* it was halved once more */
    }
    *ret_better = status == OK && size < x->residual;
    if (*ret_better && taken == -1 && size > SLOW_STEP_RATIO * x->residual)
        lengthen(x, t, from, step, &size);
    if (*ret_better) {
        x->residual = size;
        equilibrium_scales_take(&x->scales, x->q, x->c);
    } else {
        equilibrium_move(x, t, from, step, 0);
    }
    return status;
}

/* The derivatives of the rates and of the constraints along all of q and v. */
static Status take_slopes(Equilibrium *x, double t, const double *unit, double *ret, Error *err)
{
    const size_t dim = 2 * x->n;

    linearised_along(x->local->linearised, t, x->q, unit, dim, ret);
    return stop_token_settle(tangent_space_along(x->local->space, (TangentState){t, x->q, x->v},
                                                 unit, dim, ret + dim * dim, err),
                             err);
}

/* Evaluates the conditions and the linearisation at other times. */
static Status try_times(Equilibrium *x, Error *err)
{
    const AnalysisContext *context = x->context;
    const size_t dim = 2 * x->n, size = (2 * dim - x->local->d) * dim;
    const double t0 = context->t0, span = context->t_end - t0;
    Random random;
    Arena scratch = {0};
    double *unit = arena_doubles(&scratch, dim * dim), change = 0, largest = 0;
    double *start = arena_doubles(&scratch, size), *later = arena_doubles(&scratch, size);
    double residual;
    bool holds;
    Status status = arena_status(&scratch, err);

    for (size_t i = 0; status == OK && i < dim; i++)
        unit[i * dim + i] = 1;
    x->lasting = true;
    random_init(&random, SEED);
    if (status == OK)
        status = take_slopes(x, t0, unit, start, err);
    /* lasting: an equilibrium at other times too; steady: with the same slopes */
    for (int k = 0; status == OK && k < TRIED_TIMES; k++) {
        const double t = t0 + span * random_uniform(&random, 0, 1);
        status = equilibrium_judge(x, t, &residual, &holds, err);
        x->lasting = x->lasting && holds;
        if (status != OK)
            break;
        status = take_slopes(x, t, unit, later, err);
        for (size_t i = 0; i < size; i++) {
            change = fmax(change, fabs(later[i] - start[i]));
            largest = fmax(largest, fabs(start[i]));
        }
    }
    x->steady = change <= ACCURACY_COMPARED * largest;
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
        memcpy(slopes + k * m, x->scales.scaled + k * (x->n + x->s), m * sizeof *slopes);
    if (status == OK)
        status = dense_singular_values(slopes, rows, m, singular, err);
    *ret_nullity = m;
    /* count singular values above the cut; between both cuts the rank is not sharp */
    for (size_t k = 0; status == OK && k < least; k++) {
        /* the conditions do not change along a direction with a smaller singular value */
        const bool counts = singular[k] > ACCURACY_DIFFERENCED * singular[0];
        *ret_nullity -= counts;
        x->family.sharp =
            x->family.sharp && (counts || singular[k] <= ACCURACY_SOLVED * singular[0]);
    }
    arena_done(&scratch);
    return status;
}

/* x->family.null: the directions along which the conditions do not change. */
static Status find_directions(Equilibrium *x, Error *err)
{
    const size_t m = x->n + x->s;
    size_t found = 0;
    Status status = dense_null_space(x->scales.scaled, x->n_conditions, m, ACCURACY_DIFFERENCED,
                                     x->family.null, &found, err);

    for (size_t i = 0; i < m; i++)
        for (size_t k = 0; k < found; k++)
            x->family.null[i * m + k] *= x->scales.unit[i];
    x->family.sharp = x->family.sharp && found == x->family.dimension;
    return status;
}

/* Counts directions of the family that are independent changes of q and v: not a generator that
 * vanishes there (a rotation about its own axis), or that others compose. */
static Status count_states(Equilibrium *x, Error *err)
{
    const size_t n = x->n, m = n + x->s, rows = 2 * n, family = x->family.dimension;
    const double *changes = x->work.directions; /* n x m of q, then of v */
    Arena scratch = {0};
    double *along = arena_doubles(&scratch, rows * family), fastest = 0;
    double *singular = arena_doubles(&scratch, family);
    Status status = arena_status(&scratch, err);

    x->family.states = family;
    if (status == OK)
        status = equilibrium_differentiate(x, x->context->t0, err);
    for (size_t i = 0; i < n; i++)
        fastest = fmax(fastest, fabs(x->v[i]) / x->scales.unit[i]);
    const double rate = fastest > 0 ? fastest : 1;
    for (size_t i = 0; status == OK && i < rows; i++)
        for (size_t k = 0; k < family; k++) {
            double sum = 0;
            for (size_t j = 0; j < m; j++)
                sum += changes[i * m + j] * x->family.null[j * m + k];
            along[i * family + k] = sum / (x->scales.unit[i % n] * (i < n ? 1 : rate));
        }
    if (status == OK && family <= rows)
        status = dense_singular_values(along, rows, family, singular, err);
    for (size_t k = 0; status == OK && k < family; k++)
        x->family.states -= family > rows || !(singular[k] > ACCURACY_DIFFERENCED * singular[0]);
    arena_done(&scratch);
    return status;
}

/* Lists the generators that vanish there, if each direction is a state of its own without them. */
static void find_idle(Equilibrium *x)
{
    const size_t n = x->n, m = n + x->s;
    const double *dv = x->work.directions + n * m;
    double largest = 0;

    x->family.n_idle = 0;
    /* pass 1 finds the largest effect of a generator, pass 2 marks those of rounding size */
    for (int pass = 0; pass < 2; pass++)
        for (size_t a = 0; a < x->s; a++) {
            double reach = 0;
            for (size_t i = 0; i < n; i++)
                reach = fmax(reach, fabs(dv[i * m + n + a]) / x->scales.unit[i]);
            largest = fmax(largest, reach);
            x->family.idle[a] = pass == 1 && reach <= ACCURACY_SOLVED * largest;
            x->family.n_idle += x->family.idle[a];
        }
    /* keep the list only if it explains the whole difference */
    if (x->family.states + x->family.n_idle == x->family.dimension)
        return;
    memset(x->family.idle, 0, x->s * sizeof *x->family.idle);
    x->family.n_idle = 0;
}

static Status measure_family(Equilibrium *x, Error *err)
{
    x->family.sharp = true;
    Status status = measure_nullity(x, x->n + x->s, &x->family.dimension, err);
    if (status == OK)
        status = find_directions(x, err);
    if (status == OK)
        status = measure_nullity(x, x->n, &x->family.same, err);
    x->family.states = x->family.dimension;
    x->family.n_idle = 0;
    if (status == OK && x->s && x->family.dimension) {
        status = count_states(x, err);
        find_idle(x);
    }
    return status;
}

/* Newton's method from q and c, in units that follow the search. */
static Status newton(Equilibrium *x, bool even, bool *ret_found, Error *err)
{
    const double t = x->context->t0;
    bool better = true;
    Status status = OK;

    for (int k = 0; status == OK && k < NEWTON_STEPS && better; k++) {
        status = equilibrium_differentiate(x, t, err);
        if (even)
            equilibrium_scales_even(&x->scales);
        x->residual = equilibrium_size(x);
        if (status == OK)
            status = equilibrium_improve(x, t, &better, err);
        better = better && x->residual > NEGLIGIBLE_CONDITIONS;
        if (status == OK && x->context->poll)
            status = x->context->poll(x->context->self, err);
    }
    /* judge the result in its own measure */
    if (status == OK)
        status = equilibrium_differentiate(x, t, err);
    *ret_found = false;
    return status == OK ? equilibrium_judge(x, t, &x->residual, ret_found, err) : status;
}

/* Near a multiple root the slopes of some conditions are tiny. If Newton's method leaves those
 * unsolved, it runs again with equal weights. */
static Status equilibrium_solve(Equilibrium *x, bool *ret_found, Error *err)
{
    Status status = newton(x, false, ret_found, err);

    return status == OK && !*ret_found ? newton(x, true, ret_found, err) : status;
}

/* The state that was given, q and v scaled by the rate of the motion there. */
typedef struct Approach {
    const double *near;  /* 2 n */
    double rate;         /* of v over the units of q */
    double *from, *step; /* n + s each */
    double *along;       /* 2 n x family: changes along the family's directions */
    double *ahead;       /* 2 n */
    double *parts;       /* family */
    Arena memory;
} Approach;

static Status approach_init(Approach *a, const Equilibrium *x, const double *near, Error *err)
{
    const size_t n = x->n, m = n + x->s;

    *a = (Approach){.near = near};
    a->from = arena_doubles(&a->memory, m);
    a->step = arena_doubles(&a->memory, m);
    a->along = arena_doubles(&a->memory, 2 * n * m);
    a->ahead = arena_doubles(&a->memory, 2 * n);
    a->parts = arena_doubles(&a->memory, m);
    for (size_t i = 0; i < n; i++)
        a->rate = fmax(a->rate, fabs(near[n + i]) / x->scales.unit[i]);
    a->rate = a->rate > 0 ? a->rate : 1;
    return arena_status(&a->memory, err);
}

/* Unit of q_i, or of v_(i-n). */
static double state_unit(const Approach *a, const Equilibrium *x, size_t i)
{
    return i < x->n ? x->scales.unit[i] : a->rate * x->scales.unit[i - x->n];
}

/* a->ahead: from the present state to the given one. Returns its length. */
static double look_ahead(Approach *a, const Equilibrium *x)
{
    double length = 0;

    for (size_t i = 0; i < 2 * x->n; i++) {
        const double here = i < x->n ? x->q[i] : x->v[i - x->n];
        a->ahead[i] = (a->near[i] - here) / state_unit(a, x, i);
        length = hypot(length, a->ahead[i]);
    }
    return length;
}

/* a->step: along the family to its point nearest to the given state, by the last derivatives. */
static Status step_along_family(Approach *a, const Equilibrium *x, Error *err)
{
    const size_t n = x->n, m = n + x->s, family = x->family.dimension;
    const double *changes = x->work.directions; /* n x m of q, then of v */

    memset(a->along, 0, 2 * n * m * sizeof *a->along);
    for (size_t i = 0; i < 2 * n; i++)
        for (size_t k = 0; k < family; k++)
            for (size_t j = 0; j < m; j++)
                a->along[i * family + k] +=
                    changes[i * m + j] * x->family.null[j * m + k] / state_unit(a, x, i);
    Status status =
        dense_least_norm(a->along, 2 * n, family, a->ahead, ACCURACY_DIFFERENCED, a->parts, err);
    memset(a->step, 0, m * sizeof *a->step);
    for (size_t j = 0; status == OK && j < m; j++)
        for (size_t k = 0; k < family; k++)
            a->step[j] += a->parts[k] * x->family.null[j * m + k];
    return status;
}

/* If solutions of different kinds meet, Newton's method is drawn to the meeting point, past nearer
 * members of its family. Goes back along the family while the distance shrinks enough. */
static Status equilibrium_approach(Equilibrium *x, const double *near, Error *err)
{
    const double t = x->context->t0;
    Approach a;
    bool nearer = true, found = false;
    Status status = approach_init(&a, x, near, err);

    for (int k = 0; status == OK && k < APPROACHES && nearer; k++) {
        status = measure_family(x, err);
        if (status != OK || x->family.dimension == 0)
            break;
        /* step along the family towards the given state, and solve again from there */
        const double before = look_ahead(&a, x);
        status = equilibrium_differentiate(x, t, err);
        if (status == OK)
            status = step_along_family(&a, x, err);
        if (status != OK)
            break;
        equilibrium_place(x, a.from);
        equilibrium_move(x, t, a.from, a.step, 1);
        status = equilibrium_solve(x, &found, err);
        nearer = status == OK && found && look_ahead(&a, x) < NEARER_RATIO * before;
        /* no gain: restore the solution before */
        if (!nearer && (status == OK || status == ERR_NUMERIC)) {
            equilibrium_move(x, t, a.from, a.step, 0);
            status = equilibrium_differentiate(x, t, err);
            if (status == OK)
                status = equilibrium_judge(x, t, &x->residual, &found, err);
        }
    }
    arena_done(&a.memory);
    return status;
}

Status equilibrium_find(Equilibrium *x, bool *ret_found, Error *err)
{
    double *near = arena_doubles(&x->memory, 2 * x->n);
    Status status = arena_status(&x->memory, err);

    if (status == OK)
        memcpy(near, x->q, 2 * x->n * sizeof *near);
    if (status == OK && x->drift)
        status = equilibrium_fit(x, err);
    equilibrium_scales_begin(&x->scales, x->v);
    equilibrium_scales_take(&x->scales, x->q, x->c);
    x->residual = status == OK ? equilibrium_evaluate(x, x->context->t0) : INFINITY;
    if (status == OK && !isfinite(x->residual))
        status =
            error_set(err, ERR_NUMERIC, "the equations are not finite at the state to look near");
    *ret_found = false;
    if (status == OK)
        status = equilibrium_solve(x, ret_found, err);
    /* of a family the nearest member, and whether it is an equilibrium at other times */
    if (status == OK && *ret_found && x->s)
        status = equilibrium_approach(x, near, err);
    if (status == OK && *ret_found)
        status = equilibrium_find_noise(x, err);
    if (status == OK && *ret_found)
        status = measure_family(x, err);
    if (status == OK && *ret_found)
        status = try_times(x, err);
    return status;
}

Status equilibrium_extends(Equilibrium *x, const double *values, bool *ret, Error *err)
{
    enum { PARTS = 4 };
    const size_t m = x->n + x->s;
    const double t = x->context->t0;
    Arena scratch = {0};
    double *from = arena_doubles(&scratch, m), *step = arena_doubles(&scratch, m), residual;
    Status status = arena_status(&scratch, err);

    *ret = true;
    if (status != OK)
        goto out;
    equilibrium_place(x, from);
    for (size_t i = 0; i < m; i++)
        step[i] = values[i] - from[i];
    /* judge the conditions at equal parts of the path */
    for (int k = 1; status == OK && *ret && k <= PARTS; k++) {
        equilibrium_move(x, t, from, step, (double)k / PARTS);
        status = equilibrium_judge(x, t, &residual, ret, err);
    }
    /* restore the solution */
    equilibrium_move(x, t, from, step, 0);
out:
    arena_done(&scratch);
    return status;
}
