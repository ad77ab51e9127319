/* States looked at and corrected by the program of the end of a step. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "core/motion/step_end.h"

/* Residuals, of scale: up to which nothing is done at all, and at which it is as good as it gets; the
 * same as of model_project(). */
static const double UNTOUCHED = DBL_EPSILON, ROUND_OFF = 2 * DBL_EPSILON;
/* Pivots relative to their diagonal entries: below, elimination without pivoting loses digits that
 * no residual shows. */
static const double LEAST_PIVOT = 1e-6;
enum { STEPS = 2 };

Status step_end_eval_init(StepEndEval *eval, const StepEnd *end, const double *params, Error *err)
{
    const size_t size = 1 + 2 * end->n;

    *eval = (StepEndEval){.end = end};
    Status status = function_bind(&eval->function, end->program, params, 1, err);
    if (status != OK)
        return status;
    eval->state = arena_doubles(&eval->function.memory, size);
    return arena_status(&eval->function.memory, err);
}

void step_end_eval_done(StepEndEval *eval)
{
    function_done(&eval->function);
}

static void put_state(double *state, size_t n, double t, const double *q, const double *v)
{
    state[0] = t;
    memcpy(state + 1, q, n * sizeof *q);
    memcpy(state + 1 + n, v, n * sizeof *v);
}

static bool is_state(const double *state, size_t n, double t, const double *q, const double *v)
{
    return state[0] == t && memcmp(state + 1, q, n * sizeof *q) == 0 &&
           memcmp(state + 1 + n, v, n * sizeof *v) == 0;
}

const double *step_end_look(StepEndEval *eval, double t, const double *q, const double *v)
{
    const size_t n = eval->end->n;

    if (!eval->look || !is_state(eval->state, n, t, q, v)) {
        put_state(eval->function.in, n, t, q, v);
        put_state(eval->state, n, t, q, v);
        eval->look = function_eval(&eval->function);
    }
    return eval->look;
}

/* The largest residual of the first n_rows rows, relative to its terms; NaN where one is. */
static double worst(const StepEnd *end, const double *look, size_t part, size_t n_rows)
{
    const double *values = look + LOOK_RESIDUALS + part * end->r;
    double largest = 0;

    for (size_t k = 0; k < n_rows; k++) {
        const double *value = values + end->ordered[k];
        const double ratio = residual_relative(value[0], value[end->r], value[2 * end->r]);
        if (!(ratio <= largest))
            largest = ratio;
        if (isnan(ratio))
            break;
    }
    return largest;
}

static double distance(const double *a, const double *b, size_t n)
{
    double square = 0;
    for (size_t i = 0; i < n; i++)
        square += (a[i] - b[i]) * (a[i] - b[i]);
    return sqrt(square);
}

/* What the program gives, in its order. */
typedef struct Outputs {
    const double *before, *after, *v, *q, *regularity, *matrices;
} Outputs;

static Outputs outputs_of(const StepEndEval *eval)
{
    const size_t size = look_size(eval->end->r), n = eval->end->n;
    const double *out = eval->function.out;

    return (Outputs){.before = out,
                     .after = out + size,
                     .v = out + 2 * size,
                     .q = out + 2 * size + n,
                     .regularity = out + 2 * size + 2 * n,
                     .matrices = out + 2 * size + 2 * n + 1};
}

const double *step_end_matrices(const StepEndEval *eval, const double **ret_state)
{
    *ret_state = eval->function.in;
    return outputs_of(eval).matrices;
}

/* Moves q in function.in until f of the holonomic rows is zero to rounding. */
static bool correct_positions(StepEndEval *eval, const Outputs *out)
{
    const StepEnd *end = eval->end;
    double off = worst(end, out->before, RESIDUAL_F, end->n_positions);

    if (off <= UNTOUCHED)
        return true;
    for (int k = 0; k < STEPS && *out->regularity >= LEAST_PIVOT; k++) {
        memcpy(eval->function.in + 1, out->q, end->n * sizeof *out->q);
        function_eval(&eval->function);
        off = worst(end, out->before, RESIDUAL_F, end->n_positions);
        if (off <= ROUND_OFF)
            return true;
    }
    return false;
}

/* The velocities at which phi is zero to rounding: those in function.in, or corrected. *ret_look: the
 * look there. */
static bool correct_velocities(StepEndEval *eval, const Outputs *out, const double **ret_v,
                               const double **ret_look)
{
    const StepEnd *end = eval->end;
    double *v = eval->function.in + 1 + end->n;

    *ret_v = v;
    *ret_look = out->before;
    if (worst(end, out->before, RESIDUAL_PHI, end->options.n_rows) <= UNTOUCHED)
        return true;
    *ret_v = out->v;
    *ret_look = out->after;
    for (int k = 1; *out->regularity >= LEAST_PIVOT; k++) {
        if (worst(end, out->after, RESIDUAL_PHI, end->options.n_rows) <= ROUND_OFF)
            return true;
        if (k == STEPS)
            return false;
        memcpy(v, out->v, end->n * sizeof *v);
        function_eval(&eval->function);
    }
    return false;
}

bool step_end_correct(StepEndEval *eval, double t, double *q, double *v, double *ret_dq,
                      double *ret_dv)
{
    const size_t n = eval->end->n;
    double *in = eval->function.in;
    const Outputs out = outputs_of(eval);
    const double *v_new, *look;

    if (!eval->end->corrects)
        return false;
    /* the program may be evaluated there already, by step_end_look() */
    if (eval->look != out.before || !is_state(in, n, t, q, v)) {
        put_state(in, n, t, q, v);
        function_eval(&eval->function);
    }
    eval->look = NULL;
    if (!correct_positions(eval, &out) || !correct_velocities(eval, &out, &v_new, &look))
        return false;
    *ret_dq = distance(in + 1, q, n);
    *ret_dv = distance(v_new, v, n);
    memcpy(q, in + 1, n * sizeof *q);
    memcpy(v, v_new, n * sizeof *v);
    put_state(eval->state, n, t, q, v);
    eval->look = look;
    return true;
}
