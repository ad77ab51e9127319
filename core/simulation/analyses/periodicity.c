/* Whether equations repeat after a period, depend on time, or are linear: values and derivatives
 * along random directions, compared at random admissible states. */
#include "core/simulation/analyses/periodicity.h"

#include <math.h>
#include <string.h>

#include "core/base/arena.h"
#include "core/base/random.h"

enum { STATES = 32, SEED = 26 };
/* Relative differences that are rounding. */
static const double SAME = 1e-10;

typedef struct Trial {
    Local *local;
    const AnalysisContext *context;
    size_t dim, n_roots;
    double *state, *direction; /* dim */
    double *values, *other;    /* 2 dim + n_roots: rates; along the direction: rates, f, phi */
} Trial;

/* The rates at a state, and along the direction those and the constraints' derivatives. */
static Status repetition_evaluate(Trial *x, double t, const double *state, double *ret, Error *err)
{
    linearised_state_rates(x->local->linearised, t, state, ret);
    linearised_along(x->local->linearised, t, state, x->direction, 1, ret + x->dim);
    return tangent_space_along(x->local->space, t, state, state + x->dim / 2, x->direction, 1,
                               ret + 2 * x->dim, err);
}

/* The largest difference of [first, end) relative to the largest value. */
static double repetition_difference(const Trial *x, size_t first, size_t end)
{
    double most = 0, size = 1e-300;

    for (size_t i = first; i < end; i++) {
        most = fmax(most, fabs(x->values[i] - x->other[i]));
        size = fmax(size, fmax(fabs(x->values[i]), fabs(x->other[i])));
        if (isnan(x->values[i] - x->other[i]))
            return 0; /* not a state to go by */
    }
    return most / size;
}

static void repetition_set_state(Trial *x, size_t k)
{
    const size_t n = x->dim / 2;

    memcpy(x->state, x->context->states->q + k * n, n * sizeof *x->state);
    memcpy(x->state + n, x->context->states->v + k * n, n * sizeof *x->state);
}

static Status repetition_try_state(Trial *x, size_t k, double period, Random *random,
                                   Repetition *ret, Error *err)
{
    const Trajectory *states = x->context->states;
    const size_t all = 2 * x->dim + x->n_roots;
    const double t = states->t[k], span = fmax(fabs(x->context->t_end - x->context->t0), period);

    repetition_set_state(x, k);
    for (size_t i = 0; i < x->dim; i++)
        x->direction[i] = random_normal(random);
    Status status = repetition_evaluate(x, t, x->state, x->values, err);
    if (status == OK)
        status = repetition_evaluate(x, t + period, x->state, x->other, err);
    if (status != OK)
        return status;
    ret->change = fmax(ret->change, repetition_difference(x, 0, all));
    status = repetition_evaluate(x, t + random_uniform(random, 0, span), x->state, x->other, err);
    if (status != OK)
        return status;
    ret->autonomous = ret->autonomous && repetition_difference(x, 0, all) <= SAME;
    repetition_set_state(x, (k + 1) % states->n_states);
    status = repetition_evaluate(x, t, x->state, x->other, err);
    ret->linear = ret->linear && repetition_difference(x, x->dim, all) <= SAME;
    return status;
}

Status local_repetition(Local *local, const AnalysisContext *context, double period,
                        Repetition *ret, Error *err)
{
    const size_t dim = local->dim, n_roots = dim - local->d;
    Trial x = {.local = local, .context = context, .dim = dim, .n_roots = n_roots};
    Random random;
    Arena scratch = {0};

    x.state = arena_doubles(&scratch, dim);
    x.direction = arena_doubles(&scratch, dim);
    x.values = arena_doubles(&scratch, 2 * dim + n_roots);
    x.other = arena_doubles(&scratch, 2 * dim + n_roots);
    Status status = arena_status(&scratch, err);
    *ret = (Repetition){.autonomous = true, .linear = true};
    random_init(&random, SEED);
    for (size_t k = 0; status == OK && k < STATES && k < context->states->n_states; k++) {
        status = repetition_try_state(&x, k, period, &random, ret, err);
        ret->states++;
    }
    ret->linear = ret->linear && ret->states >= 2;
    arena_done(&scratch);
    return status;
}
