/* The end of a step in one program, for the constraints in use and a metric: what the model's energy
 * and residuals are there, the least correction that puts the state back onto the constraints, and
 * energy and residuals after it, with one set of sines and cosines.
 *
 * The correction is Newton's step, unrolled as the equations of motion are (eliminate.h): of
 * velocities, on linear constraints, it is exact but for rounding. Where one or two steps do not
 * meet the constraints to rounding, or the elimination is nearly singular, step_end_correct() says
 * so and model_project() does it, with pivots.
 *
 * A StepEnd is immutable and shared by threads; a StepEndEval belongs to one. */
#ifndef CORE_MOTION_STEP_END_H
#define CORE_MOTION_STEP_END_H

#include "core/base/arena.h"
#include "core/model/residuals.h"
#include "core/model/state.h"
#include "core/program/function.h"

typedef struct StepEndOptions {
    const size_t *rows; /* independent constraints, ascending; none: nothing is corrected */
    size_t n_rows;
    ModelMetric metric; /* of the corrections */
    bool mass_positive; /* M is positive definite, not on the constraints alone */
} StepEndOptions;

typedef struct StepEnd {
    size_t n, r;
    StepEndOptions options; /* as asked for; rows are its own */
    size_t n_positions;     /* rows that are holonomic: the first of `ordered` */
    size_t *ordered;        /* n_rows */
    bool corrects;          /* else no elimination fits, and the program ends with the first look */
    Program *program; /* t, q[n], v[n] -> look, look after the correction of v, v corrected[n],
                               q corrected[n], regularity [1], M[n x n], A[r x n] */
    Arena memory;     /* owns the arrays */
} StepEnd;

/* A look at a state: what the program tells of it. */
enum { LOOK_ENERGY, LOOK_TERMS /* their size, of the energy */, LOOK_RESIDUALS };
static inline size_t look_size(size_t r)
{
    return LOOK_RESIDUALS + RESIDUAL_PARTS * r; /* see model_residuals() */
}

Status step_end_new(const Model *model, const StepEndOptions *options, StepEnd **ret,
                    Error *err) MUST_CHECK;
void step_end_free(StepEnd *end); /* NULL is fine */

typedef struct StepEndEval {
    const StepEnd *end;
    Function function;
    const double *look; /* at `state`; NULL: at none */
    double *state;      /* t, q, v */
} StepEndEval;

/* Borrows what it evaluates. step_end_eval_done() in any case. */
Status step_end_eval_init(StepEndEval *eval, const StepEnd *end, const double *params,
                          Error *err) MUST_CHECK;
void step_end_eval_done(StepEndEval *eval);

/* The look at a state; evaluated unless it is the one known already. Valid until the next call. */
const double *step_end_look(StepEndEval *eval, double t, const double *q, const double *v);

/* Moves the state onto the constraints in use, and looks at it there; one that satisfies them to
 * rounding keeps its bits. ret_dq, ret_dv: Euclidean sizes of the changes. False, and the state as it
 * came, where that is for model_project() to do. */
bool step_end_correct(StepEndEval *eval, double t, double *q, double *v, double *ret_dq,
                      double *ret_dv);

/* M and A after step_end_correct() was true, where the program was evaluated last: at *ret_state, which
 * is t, q and v as they were to be corrected for the last time. */
const double *step_end_matrices(const StepEndEval *eval, const double **ret_state);

#endif
