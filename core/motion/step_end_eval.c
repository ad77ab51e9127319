/* States looked at and corrected by the program of the end of a step. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "core/base/accuracy.h"
#include "core/base/numbers.h"
#include "core/motion/step_end.h"

enum { STEPS = 2 };

Status step_end_eval_init(StepEndEval *eval, const StepEnd *end, const double *params, Error *err)
{
    Arena *memory = &eval->at.memory;

    *eval = (StepEndEval){0};
    Status status = function_bind(&eval->at, end->look, params, 1, err);
    if (status == OK)
        status = function_bind(&eval->correct, end->correct, params, 1, err);
    if (status != OK)
        return status;
    eval->kept = arena_doubles(memory, look_size(end->r));
    eval->ahead_state = arena_doubles(memory, 1 + 2 * end->n);
    eval->ahead_out = arena_doubles(memory, end->correct ? program_n_outputs(end->correct) : 0);
    status = arena_status(memory, err);
    eval->end = status == OK ? end : NULL;
    return status;
}

void step_end_eval_done(StepEndEval *eval)
{
    function_done(&eval->at);
    function_done(&eval->correct);
    eval->end = NULL;
}

void step_end_eval_renew(StepEndEval *eval, const double *params)
{
    function_renew(&eval->at, params);
    function_renew(&eval->correct, params);
    eval->look = NULL;
    eval->ahead = false;
}

static void put_state(double *state, size_t n, double t, const double *q, const double *v)
{
    state[0] = t;
    numbers_copy(state + 1, q, n);
    numbers_copy(state + 1 + n, v, n);
}

static bool is_state(const double *state, size_t n, double t, const double *q, const double *v)
{
    return state[0] == t && numbers_are_same(state + 1, q, n) &&
           numbers_are_same(state + 1 + n, v, n);
}

/* The look that is known is that at t, q and v. */
static void keep_look(StepEndEval *eval, const double *look, double t, const double *q,
                      const double *v)
{
    eval->look = look;
    eval->t = t;
    eval->q = q;
    eval->v = v;
}

const double *step_end_look(StepEndEval *eval, double t, const double *q, const double *v)
{
    const size_t n = eval->end->n;

    if (!eval->look || eval->t != t || !numbers_are_same(eval->q, q, n) ||
        !numbers_are_same(eval->v, v, n)) {
        double *in = eval->at.in;
        put_state(in, n, t, q, v);
        keep_look(eval, function_eval(&eval->at), t, in + 1, in + 1 + n);
    }
    return eval->look;
}

void step_end_forget(StepEndEval *eval)
{
    eval->look = NULL;
}

/* Whether these residuals of the first n_rows rows are all at most `enough`, relative to their
 * terms. sizes: scale and rounding of each, see model_residuals(). */
static inline bool all_met(const StepEnd *end, const double *residuals, const double *sizes,
                           size_t n_rows, double enough)
{
    const size_t r = end->r;
    bool met = true;

    for (size_t k = 0; k < n_rows; k++) {
        const size_t a = end->ordered[k];
        met &= residual_is_within(residuals[a], sizes[a], sizes[r + a], enough);
    }
    return met;
}

/* After the first evaluation: moves q in correct.in until f is zero to rounding. */
static bool correct_positions(StepEndEval *eval, const StepEndOutputs *out)
{
    const StepEnd *end = eval->end;
    const double *sizes = out->look + LOOK_RESIDUALS + RESIDUAL_F_SCALE * end->r;
    double enough = RESIDUAL_UNTOUCHED;

    /* a smaller pivot: elimination without pivoting loses digits that no residual shows */
    for (int k = 0; *out->regularity >= ACCURACY_CLEAR; k++) {
        if (all_met(end, out->f, sizes, end->n_positions, enough))
            return true;
        if (k == STEPS)
            return false;
        memcpy(eval->correct.in + 1, out->q, end->n * sizeof *out->q);
        function_eval(&eval->correct);
        enough = RESIDUAL_ROUND_OFF;
    }
    return false;
}

/* The look at the velocities before their correction, up to rounding in the sizes of terms. */
static const double *keep(StepEndEval *eval, const StepEndOutputs *out)
{
    const size_t r = eval->end->r;

    memcpy(eval->kept, out->look, look_size(r) * sizeof *out->look);
    memcpy(eval->kept + LOOK_RESIDUALS + RESIDUAL_PHI * r, out->phi, r * sizeof *out->phi);
    eval->kept[LOOK_ENERGY] = *out->energy;
    return eval->kept;
}

/* Leaves velocities at which phi is zero to rounding in *ret_v: those in correct.in, or corrected.
 * Returns the look there; NULL: there are none. */
static const double *correct_velocities(StepEndEval *eval, const StepEndOutputs *out,
                                        const double **ret_v)
{
    const StepEnd *end = eval->end;
    const size_t r = end->r, n_rows = end->options.n_rows;
    const double *after = out->look + LOOK_RESIDUALS + RESIDUAL_PHI * r, *sizes = after + r;
    double *v = eval->correct.in + 1 + end->n;

    *ret_v = v;
    if (all_met(end, out->phi, sizes, n_rows, RESIDUAL_UNTOUCHED))
        return keep(eval, out);
    /* out->v is one Newton step ahead; iterate from it until phi is zero there */
    *ret_v = out->v;
    for (int k = 1; *out->regularity >= ACCURACY_CLEAR; k++) {
        if (all_met(end, after, sizes, n_rows, RESIDUAL_ROUND_OFF))
            return out->look;
        if (k == STEPS)
            return NULL;
        memcpy(v, out->v, end->n * sizeof *v);
        function_eval(&eval->correct);
    }
    return NULL;
}

/* Copies `to` over `from`; returns the length of the change. */
static double move(double *from, const double *to, size_t n)
{
    double square = 0;

    for (size_t i = 0; i < n; i++) {
        const double change = to[i] - from[i];
        square += change * change;
        from[i] = to[i];
    }
    return sqrt(square);
}

/* Evaluates the program at the state to be corrected, unless that was done ahead. */
static void evaluate_first(StepEndEval *eval)
{
    const size_t n = eval->end->n;
    const double *in = eval->correct.in;

    if (eval->ahead && is_state(eval->ahead_state, n, in[0], in + 1, in + 1 + n)) {
        double *out = eval->correct.out;
        eval->correct.out = eval->ahead_out;
        eval->ahead_out = out;
    } else {
        function_eval(&eval->correct);
    }
    eval->ahead = false;
}

bool step_end_correct(StepEndEval *eval, double t, double *q, double *v, StepEndChange *ret_change)
{
    const size_t n = eval->end->n;
    double *in = eval->correct.in;
    const double *v_new, *look = NULL;

    if (!eval->end->correct)
        return false;
    eval->look = NULL;
    put_state(in, n, t, q, v);
    evaluate_first(eval);
    const StepEndOutputs out = step_end_outputs(eval->end, eval->correct.out, 1);
    /* read it now: each further step overwrites the outputs */
    const double before = *out.energy;
    if (correct_positions(eval, &out))
        look = correct_velocities(eval, &out, &v_new);
    if (!look)
        return false;
    ret_change->dq = eval->end->n_positions > 0 ? move(q, in + 1, n) : 0;
    ret_change->dv = move(v, v_new, n);
    ret_change->energy = look[LOOK_ENERGY] - before;
    keep_look(eval, look, t, in + 1, v_new);
    return true;
}
