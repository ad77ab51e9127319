/* One period of the motion: closed by Newton's method if requested; its monodromy and error. */
#include <math.h>
#include <string.h>

#include "core/analyses/floquet.h"
#include "core/base/accuracy.h"
#include "core/model/kinds.h"
#include "core/numeric/constants.h"
#include "core/numeric/dense.h"

/* Most Newton steps towards a closed motion. Convention. */
enum { NEWTON_STEPS = 30 };
/* Distance from the start relative to the size of the motion (no unit), below which Newton's method
 * stops. Convention. */
static const double CORRECTED_DISTANCE = 1e-11;

/* Units in which the energy of a deviation does not depend on the model's units. A coordinate
 * without mass gets the largest unit. The least unit is 1, far above the absolute tolerance. */
static void set_units(Floquet *x)
{
    const size_t n = x->local.n;
    const double *M = model_point(x->context->eval, x->t0, x->start, x->start + n).M;
    double largest = 0, least = INFINITY;

    for (size_t i = 0; i < n; i++)
        largest = isfinite(M[i * n + i]) ? fmax(largest, fabs(M[i * n + i])) : largest;
    for (size_t i = 0; i < n; i++) {
        const double mass = fabs(M[i * n + i]);
        const double used = mass > 0 && isfinite(mass) ? mass : largest > 0 ? largest : 1;
        x->units[n + i] = -log2(used) / 2;
        x->units[i] = x->units[n + i] + log2(x->period / (2 * PI));
        least = fmin(least, fmin(x->units[i], x->units[n + i]));
    }
    for (size_t k = 0; k < x->local.dim; k++)
        x->units[k] = exp2(x->units[k] - least);
}

static Status set_basis(Floquet *x, Error *err)
{
    const size_t d = x->local.d;
    Status status =
        tangent_space_basis(x->local.space, (TangentState){x->t0, x->start, x->start + x->local.n},
                            x->units, x->Z, err);

    for (size_t k = 0; status == OK && k < x->local.dim; k++)
        for (size_t i = 0; i < d; i++)
            x->dual[k * d + i] = x->Z[k * d + i] / x->units[k] / x->units[k];
    return status;
}

/* The distance of the state in y from the start. */
static void measure_return(Floquet *x)
{
    const Model *model = x->context->model;
    const size_t n = x->local.n;

    x->return_error = 0;
    kinds_sizes(model, x->start, x->start + n, x->period / (2 * PI), x->sizes, x->sizes + n);
    for (size_t i = 0; i < x->local.dim; i++) {
        const double period = i < n ? model->kinds.periods[i] : 0;
        x->miss[i] = x->y[i] - x->start[i];
        if (period > 0)
            x->miss[i] -= period * round(x->miss[i] / period);
        if (x->miss[i] != 0)
            x->return_error = fmax(x->return_error, fabs(x->miss[i]) / x->sizes[i]);
    }
}

/* Integrates one period with tolerances multiplied by `looser`: the monodromy and the return. */
static Status go_round(Floquet *x, double looser, Error *err)
{
    const AnalysisContext *c = x->context;
    const size_t dim = x->local.dim, d = x->local.d;
    /* tolerances near the limit of doubles; the absolute one in units of the state */
    const LinearisedDrive drive = {.rtol = looser * fmin(c->steps.rtol, ACCURACY_COMPUTED),
                                   .atol = looser * fmin(c->steps.atol, ACCURACY_ROUNDED),
                                   .max_step = c->steps.max_step,
                                   .max_steps = 10000000,
                                   .poll = c->poll,
                                   .self = c->self,
                                   .watch = &x->watch};

    x->watch.features.undecided = 0;
    Status status = set_basis(x, err);
    if (status != OK)
        return status;
    memcpy(x->y, x->start, dim * sizeof *x->y);
    memcpy(x->y + dim, x->Z, dim * d * sizeof *x->y);
    status = linearised_advance(x->local.linearised, &drive, x->t0, x->t0 + x->period, x->y, err);
    if (status != OK)
        return status;
    local_reduce(x->dual, x->y + dim, dim, d, x->monodromy);
    measure_return(x);
    return OK;
}

/* Newton's step for a closed motion: (Z^T Phi Z - 1) z + Z^T rates s = -Z^T miss, with s the
 * change of the period of an autonomous system. The least-norm step is taken, because closed
 * motions come in families. A change of the period is measured by the way of the motion in that
 * time. */
static Status correct_once(Floquet *x, Error *err)
{
    const size_t dim = x->local.dim, d = x->local.d, n = x->local.n;
    const size_t unknown = d + (x->repetition.autonomous ? 1 : 0);
    const ArenaMark mark = arena_mark(&x->memory);
    double *a = arena_doubles(&x->memory, d * unknown), *b = arena_doubles(&x->memory, d), dq, dv;
    double *step = arena_doubles(&x->memory, unknown), *rates = arena_doubles(&x->memory, dim);
    double *along = arena_doubles(&x->memory, d), speed = 0;
    Status status = arena_status(&x->memory, err);
    if (status != OK)
        return status;
    /* a = [Z^T Phi Z - 1 | Z^T rates / speed], b = -Z^T miss */
    linearised_state_rates(x->local.linearised, x->t0 + x->period, x->y, rates);
    for (size_t i = 0; i < d; i++) {
        b[i] = 0;
        for (size_t k = 0; k < dim; k++) {
            b[i] -= x->dual[k * d + i] * x->miss[k];
            along[i] += x->dual[k * d + i] * rates[k];
        }
        speed = hypot(speed, along[i]);
    }
    for (size_t i = 0; i < d; i++) {
        for (size_t j = 0; j < d; j++)
            a[i * unknown + j] = x->monodromy[i * d + j] - (double)(i == j);
        if (unknown > d)
            a[i * unknown + d] = speed > 0 ? along[i] / speed : 0;
    }
    /* directions with smaller singular values do not change the return of the motion */
    status = dense_least_norm(a, d, unknown, b, ACCURACY_COMPARED, step, err);
    /* the start moves along the tangent space, then back onto the constraints */
    for (size_t k = 0; status == OK && k < dim; k++)
        for (size_t i = 0; i < d; i++)
            x->start[k] += x->Z[k * d + i] * step[i];
    if (status == OK && unknown > d && speed > 0)
        x->period += step[d] / speed;
    if (status == OK && x->local.motion->n_rows)
        status = model_project(x->context->eval, x->t0, x->start, x->start + n, x->context->rows,
                               x->context->n_rows, &dq, &dv, err);
    arena_release(&x->memory, mark);
    return status;
}

static Status find_closed_motion(Floquet *x, Error *err)
{
    const double given = x->period;
    double last = INFINITY;

    for (;;) {
        Status status = go_round(x, 1, err);
        if (status != OK || x->return_error <= CORRECTED_DISTANCE)
            return status;
        if (x->return_error <= ACCURACY_DIFFERENCED && x->return_error >= last)
            return OK; /* rounding */
        if (++x->corrections > NEWTON_STEPS)
            break;
        last = x->return_error;
        status = correct_once(x, err);
        if (status != OK)
            return status;
        if (!(x->period > given / 2 && x->period < given * 2))
            break;
    }
    return error_set(err, ERR_NUMERIC,
                     "no motion of a period near %.9g was found near the start (it misses by %.3g)",
                     given, x->return_error);
}

/* The change of the monodromy, relative to its size, in a less accurate integration. */
static Status measure_error(Floquet *x, Error *err)
{
    const size_t d = x->local.d;
    const double return_error = x->return_error;
    double *fine = arena_doubles(&x->memory, d * d), size = 0, change = 0;
    Status status = arena_status(&x->memory, err);

    if (status == OK) {
        memcpy(fine, x->monodromy, d * d * sizeof *fine);
        status = go_round(x, FLOQUET_LOOSER, err);
    }
    /* the relative change; the fine monodromy is restored */
    for (size_t k = 0; status == OK && k < d * d; k++) {
        size = hypot(size, fine[k]);
        change = hypot(change, fine[k] - x->monodromy[k]);
        x->monodromy[k] = fine[k];
    }
    x->return_error = return_error;
    /* the bound is at least the error of an integration */
    x->matrix_error = size > 0 ? fmax(ACCURACY_COMPARED, change / size) : INFINITY;
    return status;
}

/* The eigenvalues of the monodromy, whose error is matrix_error times its size. */
static Status find_multipliers(Floquet *x, Error *err)
{
    const size_t d = x->local.d;
    double *errors = arena_doubles(&x->memory, d * d), size = 0;
    if (!errors)
        return arena_status(&x->memory, err);

    for (size_t k = 0; k < d * d; k++)
        size = hypot(size, x->monodromy[k]);
    for (size_t k = 0; k < d * d; k++)
        errors[k] = x->matrix_error * size;
    return spectrum_discs(x->monodromy, errors, d, x->multipliers, err);
}

/* ret = A B, all of them [n x n]. */
static void multiply(const double *A, const double *B, size_t n, double *ret)
{
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++) {
            double sum = 0;
            for (size_t k = 0; k < n; k++)
                sum += A[i * n + k] * B[k * n + j];
            ret[i * n + j] = sum;
        }
}

/* The monodromy in the units of the model: W^T Phi W = (W^T Z) (Z^T Phi Z) (Z^T W). */
static Status express_monodromy(Floquet *x, Error *err)
{
    const size_t dim = x->local.dim, d = x->local.d;
    double *to = arena_doubles(&x->memory, d * d), *from = arena_doubles(&x->memory, d * d);
    double *half = arena_doubles(&x->memory, d * d);
    Status status = arena_status(&x->memory, err);

    if (status == OK)
        status = tangent_space_basis(x->local.space,
                                     (TangentState){x->t0, x->start, x->start + x->local.n}, NULL,
                                     x->basis, err);
    /* change the basis from Z to W */
    if (status == OK) {
        local_reduce(x->basis, x->Z, dim, d, to);
        local_reduce(x->dual, x->basis, dim, d, from);
        multiply(to, x->monodromy, d, half);
        multiply(half, from, d, x->told);
    }
    return status;
}

Status floquet_compute(Floquet *x, Error *err)
{
    set_units(x);
    Status status =
        local_repetition(&x->local, x->context, x->period, x->units, &x->repetition, err);

    x->repetition.autonomous = x->repetition.autonomous && local_is_autonomous(x->context->model);

    if (status == OK && x->repetition.change > ACCURACY_COMPARED)
        return error_set(err, ERR_INVALID,
                         "the equations of motion at t + %.9g are not those at t (they differ by "
                         "%.3g of their size): this is not a period of theirs",
                         x->period, x->repetition.change);
    /* random states have refuted wrong assumptions; a small term, or one outside their range,
     * proves neither periodicity nor linearity */
    bool linear = false;
    if (status == OK)
        status = local_repetition_proof(x->context, x->period, &x->repeats, &linear, err);
    x->repetition.linear = x->repetition.linear && linear;
    if (status == OK)
        status =
            x->correct && !x->repetition.linear ? find_closed_motion(x, err) : go_round(x, 1, err);
    if (status == OK && !x->repetition.linear && x->return_error > ACCURACY_DIFFERENCED)
        return error_set(err, ERR_INVALID,
                         "the motion does not return after %.9g: it misses its start by %.3g "
                         "(relative); Floquet multipliers belong to periodic motions "
                         "(\"correct\": true looks for one nearby)",
                         x->period, x->return_error);
    if (status == OK)
        status = measure_error(x, err);
    if (status == OK) {
        /* the monodromy of a motion that is not quite closed differs from that of the closed one */
        const double gap = x->repetition.linear ? 0 : 10 * x->return_error;
        x->matrix_error = fmax(x->matrix_error, gap);
        status = find_multipliers(x, err);
    }
    if (status == OK)
        status = express_monodromy(x, err);
    return status;
}
