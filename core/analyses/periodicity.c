/* Values and derivatives along random directions, compared at random admissible states. */
#include "core/analyses/periodicity.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "core/base/accuracy.h"
#include "core/base/arena.h"
#include "core/base/random.h"
#include "core/base/stop_token.h"

/* Most random states that are tried, and the seed of directions. Conventions. */
enum { STATES = 32, SEED = 26 };

typedef struct Trial {
    Local *local;
    const AnalysisContext *context;
    size_t dim, n_roots;
    const double *units;       /* dim: of the rates and of deviations */
    double *state, *direction; /* dim */
    double *values, *other;    /* 2 dim + n_roots: rates; along the direction: rates, f, phi */
} Trial;

/* The rates at a state, and along the direction those and the constraints' derivatives. */
static Status repetition_evaluate(Trial *x, double t, const double *state, double *ret, Error *err)
{
    linearised_state_rates(x->local->linearised, t, state, ret);
    linearised_along(x->local->linearised, t, state, x->direction, 1, ret + x->dim);
    return stop_token_settle(tangent_space_along(x->local->space,
                                                 (TangentState){t, state, state + x->dim / 2},
                                                 x->direction, 1, ret + 2 * x->dim, err),
                             err);
}

/* The largest difference of rows[n], in their units (NULL: 1), relative to the largest value. */
static double rows_difference(const Trial *x, size_t first, size_t n, const double *units)
{
    double most = 0, size = 0;

    for (size_t i = 0; i < n; i++) {
        const double a = x->values[first + i], b = x->other[first + i];
        const double unit = units ? units[i] : 1;
        most = fmax(most, fabs(a - b) / unit);
        size = fmax(size, fmax(fabs(a), fabs(b)) / unit);
        if (isnan(a - b))
            return NAN;
    }
    return size > 0 ? most / size : 0;
}

/* The largest difference of the rates, of the derivatives of the rates, and of each constraint.
 * 0 if one is not finite: such a state says nothing. */
static double repetition_difference(const Trial *x, bool with_rates)
{
    double most = rows_difference(x, x->dim, x->dim, x->units);

    if (with_rates && !isnan(most)) {
        const double rates = rows_difference(x, 0, x->dim, x->units);
        most = isnan(rates) ? rates : fmax(most, rates);
    }
    for (size_t k = 0; k < x->n_roots && !isnan(most); k++) {
        const double root = rows_difference(x, 2 * x->dim + k, 1, NULL);
        most = isnan(root) ? root : fmax(most, root);
    }
    return isnan(most) ? 0 : most;
}

static void repetition_set_state(Trial *x, size_t k)
{
    const size_t n = x->dim / 2;

    memcpy(x->state, x->context->states->q + k * n, n * sizeof *x->state);
    memcpy(x->state + n, x->context->states->v + k * n, n * sizeof *x->state);
}

/* The difference between the equations at t + period and those at t, in x->values. It is 0 if a
 * rounding of t changes them as much: after a million periods the phase is known to ten digits. */
static Status repetition_change(Trial *x, double t, double period, double *ret, Error *err)
{
    const double ulps = ROUNDING_FEW * fmax(fabs(t), fabs(t + period));
    double rounding = 0;

    Status status = repetition_evaluate(x, t + period, x->state, x->other, err);
    if (status != OK)
        return status;
    *ret = repetition_difference(x, true);
    if (*ret <= ACCURACY_SOLVED)
        return OK;
    /* the effect of a rounding of t */
    for (int side = -1; side <= 1 && status == OK; side += 2) {
        status = repetition_evaluate(x, t + side * ulps, x->state, x->other, err);
        if (status == OK)
            rounding = fmax(rounding, repetition_difference(x, true));
    }
    if (*ret <= rounding)
        *ret = 0;
    return status;
}

static Status repetition_try_state(Trial *x, size_t k, double period, Random *random,
                                   Repetition *ret, Error *err)
{
    const Trajectory *states = x->context->states;
    const double t = states->t[k], span = fmax(fabs(x->context->t_end - x->context->t0), period);

    repetition_set_state(x, k);
    for (size_t i = 0; i < x->dim; i++)
        x->direction[i] = x->units[i] * random_normal(random);
    Status status = repetition_evaluate(x, t, x->state, x->values, err);
    double change = 0;
    if (status == OK)
        status = repetition_change(x, t, period, &change, err);
    if (status != OK)
        return status;
    ret->change = fmax(ret->change, change);
    /* the change over a random time, then from another state */
    status = repetition_evaluate(x, t + random_uniform(random, 0, span), x->state, x->other, err);
    if (status != OK)
        return status;
    ret->autonomous = ret->autonomous && repetition_difference(x, true) <= ACCURACY_SOLVED;
    repetition_set_state(x, (k + 1) % states->n_states);
    status = repetition_evaluate(x, t, x->state, x->other, err);
    ret->linear = ret->linear && repetition_difference(x, false) <= ACCURACY_SOLVED;
    return status;
}

Status local_repetition(Local *local, const AnalysisContext *context, double period,
                        const double *units, Repetition *ret, Error *err)
{
    const size_t dim = local->dim, n_roots = dim - local->d;
    Trial x = {.local = local, .context = context, .dim = dim, .n_roots = n_roots, .units = units};
    Random random;
    Arena scratch = {0};

    x.state = arena_doubles(&scratch, dim);
    x.direction = arena_doubles(&scratch, dim);
    x.values = arena_doubles(&scratch, 2 * dim + n_roots);
    x.other = arena_doubles(&scratch, 2 * dim + n_roots);
    Status status = arena_status(&scratch, err);
    *ret = (Repetition){.autonomous = true, .linear = true};
    random_init(&random, SEED);
    for (size_t k = 0; status == OK && k < STATES && k < context->states->n_states; k++)
        status = repetition_try_state(&x, k, period, &random, ret, err);
    /* a single state was compared with itself only */
    ret->linear = ret->linear && context->states->n_states >= 2;
    arena_done(&scratch);
    return status;
}
