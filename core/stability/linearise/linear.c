/* J - DX on the tangent space, with the error of its entries; and its quotient by the family to
 * which the equilibrium belongs (J. E. Marsden, Lectures on Mechanics, 1992). */
#include "core/stability/linearise/linear.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "core/base/accuracy.h"
#include "core/base/arena.h"
#include "core/base/random.h"
#include "core/base/stop_token.h"
#include "core/numeric/dense.h"

enum { PROBES = 6, SEED = 28 };

/* J - D X by all of (q, v), [dim x dim], at the state of the last evaluation. */
static void whole_slopes(Equilibrium *x, const double *unit, double *work, double *ret)
{
    const size_t dim = 2 * x->n;
    const DirectionRows parts[] = {{unit, dim}, {NULL, x->s}};

    linearised_along(x->local->linearised, x->context->t0, x->q, unit, dim, ret);
    if (!x->drift)
        return;
    drift_along(x->drift, (DriftState){x->q, x->v, x->c}, parts, 2, dim, work);
    for (size_t k = 0; k < dim * dim; k++)
        ret[k] -= work[k];
}

/* The possible distance of q and c from the solution, without directions flat to rounding. */
static Status measure_distance(Equilibrium *x, Arena *scratch, double *ret, Error *err)
{
    const size_t m = x->n + x->s, rows = x->n_conditions;
    double *conditions = arena_doubles(scratch, rows);

    Status status = arena_status(scratch, err);
    if (status == OK)
        status = equilibrium_differentiate(x, x->context->t0, err);
    for (size_t k = 0; status == OK && k < rows; k++)
        conditions[k] = x->scales.weight[k] * x->work.conditions[k];
    if (status == OK)
        status = dense_least_norm(x->scales.scaled, rows, m, conditions, ACCURACY_SUMMED, ret, err);
    for (size_t i = 0; status == OK && i < m; i++) {
        const double value = fabs(i < x->n ? x->q[i] : x->c[i - x->n]);
        /* at most this many Newton steps, if the method converges, and the value's rounding */
        ret[i] = ESTIMATE_MARGIN * fabs(ret[i]) * x->scales.unit[i] +
                 4 * DBL_EPSILON * fmax(value, DBL_EPSILON * x->scales.unit[i]);
    }
    return status;
}

/* x->jacobian and the error of its entries: by rounding, and by the distance of the state. */
static Status measure_jacobian(Equilibrium *x, const double *unit, Arena *scratch, Error *err)
{
    const size_t n = x->n, m = n + x->s, size = 4 * n * n;
    Random random;
    double *other = arena_doubles(scratch, size), *work = arena_doubles(scratch, size);
    double *from = arena_doubles(scratch, m), *step = arena_doubles(scratch, m);
    double *distance = x->distance;
    Status status = arena_status(scratch, err);

    if (status == OK)
        status = measure_distance(x, scratch, distance, err);
    if (status != OK)
        return status;
    /* at this state, with the rounding error */
    whole_slopes(x, unit, work, x->jacobian);
    for (size_t k = 0; k < size; k++)
        x->jacobian_error[k] = ACCURACY_COMPUTED * fabs(x->jacobian[k]);
    equilibrium_place(x, from);
    /* the change at states within the equilibrium's possible distance */
    random_init(&random, SEED);
    for (int probe = 0; probe < PROBES; probe++) {
        for (size_t i = 0; i < m; i++)
            step[i] = random_bits(&random) & 1 ? distance[i] : -distance[i];
        equilibrium_move(x, x->context->t0, from, step, 1);
        whole_slopes(x, unit, work, other);
        /* a bound of the error that random probes see */
        for (size_t k = 0; k < size; k++)
            x->jacobian_error[k] =
                fmax(x->jacobian_error[k], ESTIMATE_MARGIN * fabs(other[k] - x->jacobian[k]));
    }
    /* restore the state */
    equilibrium_move(x, x->context->t0, from, step, 0);
    return OK;
}

/* A unit of time in which rates and their derivatives have similar sizes: a power of two. */
static double own_time(const Equilibrium *x)
{
    const size_t n = x->n, dim = 2 * n;
    double stiffness = 0, damping = 0;
    int exponent;

    for (size_t i = n; i < dim; i++)
        for (size_t j = 0; j < dim; j++) {
            double *most = j < n ? &stiffness : &damping;
            const double units = x->scales.unit[j < n ? j : j - n] / x->scales.unit[i - n];
            *most = fmax(*most, fabs(x->jacobian[i * dim + j]) * units);
        }
    const double rate = fmax(sqrt(stiffness), damping);
    if (!(rate > 0 && isfinite(rate)))
        return 1;
    (void)frexp(rate, &exponent);
    return ldexp(1, exponent);
}

/* A row of the derivatives by (q, v) becomes one by q / unit and v / (unit rate), of length 1. */
static void scale_row(double *row, size_t n, const double *unit, double rate)
{
    double length = 0;

    for (size_t j = 0; j < 2 * n; j++)
        row[j] *= j < n ? unit[j] : unit[j - n] * rate;
    for (size_t j = 0; j < 2 * n; j++)
        length = hypot(length, row[j]);
    for (size_t j = 0; length > 0 && j < 2 * n; j++)
        row[j] /= length;
}

/* An orthonormal basis [dim x d] of the tangent space of q / unit and v / (unit rate). */
static Status scaled_basis(Equilibrium *x, const double *unit, double rate, Arena *scratch,
                           double *ret, Error *err)
{
    const size_t n = x->n, dim = 2 * n, n_roots = dim - x->local->d;
    double *rows = arena_doubles(scratch, n_roots * dim);
    double *basis = arena_doubles(scratch, dim * dim);
    size_t found = dim;
    Status status = arena_status(scratch, err);

    /* without constraints the basis is the identity */
    if (status == OK && n_roots == 0)
        memcpy(basis, unit, dim * dim * sizeof *unit);
    if (status == OK && n_roots) {
        status = tangent_space_along(x->local->space, (TangentState){x->context->t0, x->q, x->v},
                                     unit, dim, rows, err);
        for (size_t k = 0; status == OK && k < n_roots; k++)
            scale_row(rows + k * dim, n, x->scales.unit, rate);
        if (status == OK)
            status = dense_null_space(rows, n_roots, dim, ACCURACY_SOLVED, basis, &found, err);
    }
    if (status == OK && found != x->local->d)
        status =
            error_set(err, ERR_NUMERIC,
                      "the constraints lose rank: %zu directions instead of %zu are tangent to "
                      "them",
                      found, x->local->d);
    for (size_t i = 0; status == OK && i < dim; i++)
        memcpy(ret + i * found, basis + i * dim, found * sizeof *ret);
    return status;
}

/* ret[d x d] = |W|^T B |W| */
static void reduce_error(const double *W, const double *B, size_t dim, size_t d, double *work,
                         double *ret)
{
    memset(ret, 0, d * d * sizeof *ret);
    for (size_t i = 0; i < dim && stop_token_spend(dim * d, NULL) == OK; i++) {
        memset(work, 0, d * sizeof *work);
        for (size_t k = 0; k < dim; k++)
            for (size_t j = 0; B[i * dim + k] != 0 && j < d; j++)
                work[j] += B[i * dim + k] * fabs(W[k * d + j]);
        for (size_t a = 0; a < d; a++)
            for (size_t j = 0; W[i * d + a] != 0 && j < d; j++)
                ret[a * d + j] += fabs(W[i * d + a]) * work[j];
    }
}

Status equilibrium_linearise(Equilibrium *x, double *ret_matrix, double *ret_error, Error *err)
{
    const size_t n = x->n, dim = 2 * n, d = x->local->d;
    Arena scratch = {0};
    double *unit = arena_doubles(&scratch, dim * dim), *W = x->basis;
    double *JW = arena_doubles(&scratch, dim * d), *J = arena_doubles(&scratch, dim * dim);
    double *E = arena_doubles(&scratch, dim * dim), *work = arena_doubles(&scratch, d);
    Status status = arena_status(&scratch, err);

    for (size_t i = 0; status == OK && i < dim; i++)
        unit[i * dim + i] = 1;
    if (status == OK)
        status = measure_jacobian(x, unit, &scratch, err);
    /* in the system's own units, so that q and v are of one size */
    const double rate = x->rate = status == OK ? own_time(x) : 1;
    if (status == OK)
        status = scaled_basis(x, unit, rate, &scratch, W, err);
    for (size_t i = 0; status == OK && i < dim; i++)
        for (size_t j = 0; j < dim; j++) {
            const double unit_ij = x->scales.unit[j < n ? j : j - n] /
                                   x->scales.unit[i < n ? i : i - n] * (j < n ? 1 : rate) /
                                   (i < n ? 1 : rate);
            J[i * dim + j] = x->jacobian[i * dim + j] * unit_ij;
            E[i * dim + j] = x->jacobian_error[i * dim + j] * unit_ij;
        }
    for (size_t i = 0; status == OK && i < dim; i++, status = stop_token_spend(dim * d, err))
        for (size_t k = 0; k < dim; k++)
            for (size_t j = 0; J[i * dim + k] != 0 && j < d; j++)
                JW[i * d + j] += J[i * dim + k] * W[k * d + j];
    if (status == OK) {
        local_reduce(W, JW, dim, d, ret_matrix);
        reduce_error(W, E, dim, d, work, ret_error);
    }
    arena_done(&scratch);
    return stop_token_settle(status, err);
}

/* The directions of the family in the basis W: rows ret[family][d] of unit length. */
static Status family_tangent(Equilibrium *x, Arena *scratch, double *ret, Error *err)
{
    const size_t n = x->n, m = n + x->s, d = x->local->d, count = x->family.dimension;
    double *dq = arena_doubles(scratch, m * count), *along = arena_doubles(scratch, 2 * n * count);
    const DirectionRows parts[] = {{dq, n}, {NULL, n}, {dq + n * count, x->s}};
    Status status = arena_status(scratch, err);

    /* the family's changes of q and c, and of v along the drift */
    for (size_t i = 0; status == OK && i < m; i++)
        memcpy(dq + i * count, x->family.null + i * m, count * sizeof *dq);
    if (status == OK && x->drift)
        drift_along(x->drift, (DriftState){x->q, x->v, x->c}, parts, 3, count, along);
    for (size_t k = 0; status == OK && k < count; k++) {
        double *row = ret + k * d, length = 0;
        for (size_t a = 0; a < d; a++) {
            row[a] = 0;
            for (size_t i = 0; i < n; i++)
                row[a] += (x->basis[i * d + a] * dq[i * count + k] +
                           x->basis[(n + i) * d + a] * along[i * count + k] / x->rate) /
                          x->scales.unit[i];
            length = hypot(length, row[a]);
        }
        for (size_t a = 0; length > 0 && a < d; a++)
            row[a] /= length;
    }
    return status;
}

/* V^T A, [size][d], for the first columns of V[d][d]. */
static void apply(const double *V, const double *A, size_t d, size_t size, double *ret)
{
    memset(ret, 0, size * d * sizeof *ret);
    for (size_t i = 0; i < d && stop_token_spend(size * d, NULL) == OK; i++)
        for (size_t a = 0; a < size; a++)
            for (size_t j = 0; j < d; j++)
                ret[a * d + j] += V[i * d + a] * A[i * d + j];
}

/* The size of the part of A that leads out of the invariant family, with rounding. */
static double leaving(const double *VA, const double *tangent, size_t d, size_t size, size_t family)
{
    double worst = 0, norm = 0;

    for (size_t a = 0; a < size && stop_token_spend(family * d, NULL) == OK; a++)
        for (size_t k = 0; k < family; k++) {
            double sum = 0;
            for (size_t j = 0; j < d; j++)
                sum += VA[a * d + j] * tangent[k * d + j];
            worst = fmax(worst, fabs(sum));
        }
    for (size_t k = 0; k < size * d; k++)
        norm = hypot(norm, VA[k]);
    return ESTIMATE_MARGIN * worst + ACCURACY_COMPUTED * norm;
}

Status equilibrium_beside_family(Equilibrium *x, const double *matrix, const double *error,
                                 double *ret_matrix, double *ret_error, bool *ret_separated,
                                 Error *err)
{
    const size_t d = x->local->d, size = d - x->family.dimension;
    Arena scratch = {0};
    double *tangent = arena_doubles(&scratch, x->family.dimension * d),
           *V = arena_doubles(&scratch, d * d);
    double *VA = arena_doubles(&scratch, size * d), *kept = arena_doubles(&scratch, d * size);
    double *work = arena_doubles(&scratch, size);
    size_t found = 0;
    Status status = arena_status(&scratch, err);

    /* V: an orthonormal basis of the complement of the family's directions */
    if (status == OK)
        status = family_tangent(x, &scratch, tangent, err);
    if (status == OK)
        status = dense_null_space(tangent, x->family.dimension, d, ACCURACY_SUMMED * 1e3, V, &found,
                                  err);
    *ret_separated = status == OK && found == size;
    /* V A V^T, and its error: that of A, and the part of the family that A leads out of it */
    if (*ret_separated) {
        apply(V, matrix, d, size, VA);
        const double wrong = leaving(VA, tangent, d, size, x->family.dimension);
        for (size_t i = 0; i < d; i++)
            memcpy(kept + i * size, V + i * d, size * sizeof *kept);
        reduce_error(kept, error, d, size, work, ret_error);
        for (size_t a = 0; a < size && stop_token_spend(size * d, NULL) == OK; a++)
            for (size_t b = 0; b < size; b++) {
                ret_error[a * size + b] += wrong;
                ret_matrix[a * size + b] = 0;
                for (size_t j = 0; j < d; j++)
                    ret_matrix[a * size + b] += VA[a * d + j] * kept[j * size + b];
            }
    }
    arena_done(&scratch);
    return stop_token_settle(status, err);
}
