/* Units for Newton's method. Coordinates of one kind share a unit: the largest value met. If all
 * of a kind were zero, its unit takes as much energy to move by in the same time as the units of
 * the others. If all coordinates were zero, the unit is 1 for angles, else the way that the
 * velocity leads. */
#include "core/stability/find/scales.h"

#include <math.h>
#include <string.h>

#include "core/base/accuracy.h"
#include "core/model/kinds.h"
#include "core/numeric/vectors.h"

Status equilibrium_scales_init(EquilibriumScales *x, const AnalysisContext *context, size_t s,
                               size_t n_conditions, Arena *arena, Error *err)
{
    const size_t n = context->model->n, m = n + s;

    *x = (EquilibriumScales){.context = context,
                             .n = n,
                             .s = s,
                             .n_conditions = n_conditions,
                             .size = arena_doubles(arena, m),
                             .unit = arena_doubles(arena, m),
                             .rest = arena_doubles(arena, n),
                             .way = arena_doubles(arena, n),
                             .block = arena_doubles(arena, n),
                             .noise = arena_doubles(arena, n),
                             .weight = arena_doubles(arena, n_conditions),
                             .scaled = arena_doubles(arena, n_conditions * m)};
    /* all conditions take part at first */
    for (size_t k = 0; x->weight && k < n_conditions; k++)
        x->weight[k] = 1;
    return arena_status(arena, err);
}

void equilibrium_scales_begin(EquilibriumScales *x, const double *v)
{
    const AnalysisContext *context = x->context;
    const double span = fabs(context->t_end - context->t0);

    for (size_t i = 0; i < x->n; i++)
        x->way[i] = span * kinds_largest(context->model, v, i);
}

void equilibrium_scales_take(EquilibriumScales *x, const double *q, const double *c)
{
    const size_t *kinds = x->context->model->kinds.first;

    for (size_t i = 0; i < x->n; i++)
        x->size[kinds[i]] = fmax(x->size[kinds[i]], fabs(q[i]));
    for (size_t i = 0; i < x->n; i++)
        x->size[i] = x->size[kinds[i]];
    for (size_t a = 0; a < x->s; a++)
        x->size[x->n + a] = fmax(x->size[x->n + a], fabs(c[a]));
}

/* The effort to move by the sizes of the kinds, or substitutes, in a unit of time. Until the units
 * are set, x->unit holds the largest |M_ii| of each kind, at its first coordinate. */
static double find_effort(const EquilibriumScales *x)
{
    const Model *model = x->context->model;
    double by_size = 0, by_angle = 0, by_speed = 0, by_one = 0;

    for (size_t i = 0; i < x->n; i++) {
        const double root = sqrt(x->unit[model->kinds.first[i]]);
        by_size = fmax(by_size, x->size[i] * root);
        by_angle = fmax(by_angle, model->kinds.pure[i] ? root : 0);
        by_speed = fmax(by_speed, x->way[i] * root);
        by_one = fmax(by_one, root);
    }
    return by_size > 0 ? by_size : by_angle > 0 ? by_angle : by_speed > 0 ? by_speed : by_one;
}

/* Units of the coordinates. */
static void find_lengths(EquilibriumScales *x, const double *M)
{
    const size_t n = x->n, *kinds = x->context->model->kinds.first;

    /* the largest mass of each kind in x->unit, at the first of the kind */
    memset(x->unit, 0, n * sizeof *x->unit);
    for (size_t i = 0; i < n; i++)
        x->unit[kinds[i]] = fmax(x->unit[kinds[i]], fabs(M[i * n + i]));
    const double effort = find_effort(x);
    for (size_t i = 0; i < n; i++) {
        const double root = sqrt(x->unit[i]);
        if (kinds[i] == i && x->rest[i] == 0 && !(x->size[i] > 0))
            x->rest[i] = root > 0 ? effort / root : 1;
        x->unit[i] = kinds[i] != i                                 ? x->unit[kinds[i]]
                     : x->size[i] > ACCURACY_COMPUTED * x->rest[i] ? x->size[i]
                                                                   : x->rest[i];
    }
}

/* The largest rate of change, in these units. */
static double find_rate(const EquilibriumScales *x, const EquilibriumSlopes *at)
{
    const size_t n = x->n, m = n + x->s;
    double stiffness = 0, speed = 0;

    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < n; j++)
            stiffness = fmax(stiffness, fabs(at->slopes[i * m + j]) * x->unit[j] / x->unit[i]);
        speed = fmax(speed, fabs(at->v[i]) / x->unit[i]);
    }
    return fmax(sqrt(stiffness), speed);
}

/* Units of the c: one unit moves the coordinates at that rate. */
static void find_speeds(EquilibriumScales *x, const EquilibriumSlopes *at, double rate)
{
    const size_t n = x->n, m = n + x->s;
    for (size_t a = 0; a < x->s; a++) {
        double reach = 0;
        for (size_t i = 0; i < n; i++)
            reach = fmax(reach, fabs(at->dv[i * m + n + a]) / x->unit[i]);
        x->unit[n + a] = reach > 0 ? (rate > 0 ? rate : 1) / reach : 1;
    }
}

/* The largest entry of each row of vdot - w in these units, or of the block of derivatives that
 * it is part of, if no constraint or generator couples the blocks. A much stiffer block must not
 * make another one look flat. A block of rounding noise is flat. */
static void find_blocks(const EquilibriumScales *x, const EquilibriumSlopes *at)
{
    const size_t n = x->n, m = n + x->s;
    double *ret = x->block, largest = 0;
    bool changed = true;

    for (size_t i = 0; i < n; i++) {
        ret[i] = 0;
        for (size_t j = 0; j < m; j++)
            ret[i] = fmax(ret[i], fabs(at->slopes[i * m + j]) * x->unit[j] / x->unit[i]);
        largest = fmax(largest, ret[i]);
    }
    if (x->s || x->n_conditions > n)
        for (size_t i = 0; i < n; i++)
            ret[i] = largest;
    /* the largest entry spreads along rows and columns */
    while (changed) {
        changed = false;
        for (size_t j = 0; j < m; j++) {
            double most = 0;
            for (size_t i = 0; i < n; i++)
                if (at->slopes[i * m + j] != 0)
                    most = fmax(most, ret[i]);
            for (size_t i = 0; i < n; i++)
                if (at->slopes[i * m + j] != 0 && ret[i] < most) {
                    ret[i] = most;
                    changed = true;
                }
        }
    }
    largest = 0;
    for (size_t i = 0; i < n; i++)
        largest = fmax(largest, ret[i] > x->noise[i] ? ret[i] : 0);
    for (size_t i = 0; i < n; i++)
        if (ret[i] <= x->noise[i])
            ret[i] = largest;
}

/* The changes of f and phi along the units; that of phi is at least f's change at the rate. */
static void find_reaches(const EquilibriumScales *x, const EquilibriumSlopes *at, const double *A,
                         double rate, double *ret)
{
    const AnalysisContext *context = x->context;
    const size_t n = x->n;
    double *f = ret, *phi = ret + x->n_conditions - n - context->n_rows;
    const double *slopes = at->slopes + (x->n_conditions - context->n_rows) * (n + x->s);

    for (size_t k = 0; k < context->n_rows; k++) {
        const size_t a = context->rows[k];
        double reach = 0;
        /* the change of the row of A along the units */
        for (size_t j = 0; j < n; j++)
            reach += fabs(A[a * n + j]) * x->unit[j];
        if (context->model->constraints[a].kind == CONSTRAINT_HOLONOMIC)
            *f++ = reach;
        /* per time, and at least the derivatives by coordinates */
        reach *= rate;
        for (size_t j = 0; j < n; j++)
            reach = fmax(reach, fabs(slopes[j]) * x->unit[j]);
        *phi++ = reach;
        slopes += n + x->s;
    }
}

void equilibrium_scales_set(EquilibriumScales *x, const EquilibriumSlopes *at)
{
    const size_t n = x->n, m = n + x->s;
    const ModelPoint point = model_point(x->context->eval, x->context->t0, at->q, at->v);

    find_lengths(x, point.M);
    const double rate = find_rate(x, at);
    find_speeds(x, at, rate);
    find_blocks(x, at);
    for (size_t i = 0; i < n; i++)
        x->weight[i] = x->block[i] * x->unit[i];
    find_reaches(x, at, point.A, rate, x->weight + n);
    for (size_t k = 0; k < x->n_conditions; k++) {
        /* a row on which no unknown has an effect takes no part */
        const double weight = 1 / x->weight[k];
        x->weight[k] = isfinite(weight) ? weight : 0;
        for (size_t j = 0; j < m; j++)
            x->scaled[k * m + j] = at->slopes[k * m + j] * x->unit[j] * x->weight[k];
    }
}

void equilibrium_scales_even(EquilibriumScales *x)
{
    const size_t m = x->n + x->s;

    for (size_t k = 0; k < x->n_conditions; k++) {
        double *row = x->scaled + k * m;
        const double even = 1 / vector_largest(row, m);
        if (!isfinite(even) || even == 0)
            continue;
        x->weight[k] *= even;
        for (size_t j = 0; j < m; j++)
            row[j] *= even;
    }
}
