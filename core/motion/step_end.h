/* The end of a step in one program, for the constraints in use and a metric: the least correction
 * that puts the state back onto the constraints, energy and residuals before it, and all that is
 * told of the state after it, with one set of sines and cosines.
 *
 * The correction is Newton's step, unrolled as the equations of motion are (eliminate.h): of
 * velocities, on linear constraints, it is exact but for rounding. If two steps do not meet the
 * constraints to rounding, or the elimination is nearly singular, step_end_correct() says so and
 * model_project() does it, with pivots.
 *
 * A StepEnd is immutable and shared by threads; a StepEndEval belongs to one. */
#ifndef CORE_MOTION_STEP_END_H
#define CORE_MOTION_STEP_END_H

#include "core/base/arena.h"
#include "core/model/residuals.h"
#include "core/model/state.h"
#include "core/program/function.h"

/* What watches look at along a motion. */
typedef struct StepEndMatrices {
    bool all;      /* M and A: a RankWatch */
    bool changing; /* M of Model.changing alone: a MassWatch */
} StepEndMatrices;

typedef struct StepEndOptions {
    const size_t *rows; /* independent constraints, ascending; none: nothing is corrected */
    size_t n_rows;
    ModelMetric metric;       /* of the corrections */
    bool mass_positive;       /* M is positive definite, not on the constraints alone */
    StepEndMatrices matrices; /* are wanted too */
} StepEndOptions;

/* A look at a state: energy, the size of its terms, model_residuals(). */
enum { LOOK_ENERGY, LOOK_TERMS, LOOK_RESIDUALS };
static inline size_t look_size(size_t r)
{
    return LOOK_RESIDUALS + RESIDUAL_PARTS * r;
}

/* Places of the outputs of the correction program: the energy first. */
typedef struct StepEndPlaces {
    size_t f, phi; /* with the energy: before */
    size_t v, look, regularity, q, matrices, changing;
} StepEndPlaces;

typedef struct StepEnd {
    size_t n, r;
    StepEndOptions options; /* as asked for; rows are its own */
    size_t n_positions;     /* rows that are holonomic: the first of `ordered` */
    size_t *ordered;        /* n_rows */
    Program *look;          /* t, q[n], v[n] -> look */
    Program
        *correct; /* the same -> energy, f[r], phi[r], all before; v corrected[n], the look there,
                         regularity, q corrected[n] where there are such rows, and where wanted
                         M[n x n], A[r x n], M of Model.changing alone; NULL where no elimination
                         fits */
    StepEndPlaces places;
    Arena memory; /* owns the arrays */
} StepEnd;

Status step_end_new(const Model *model, const StepEndOptions *options, StepEnd **ret,
                    Error *err) MUST_CHECK;
void step_end_free(StepEnd *end); /* NULL is fine */

typedef struct StepEndEval {
    const StepEnd *end;
    Function at, correct;
    const double *look; /* at t, q[n], v[n]; NULL: at none */
    double t;
    const double *q, *v; /* among what the functions were evaluated of, and have found */
    double *kept;        /* the look at a state that was left as it is */
    /* What somebody else has evaluated for the next correction, and for which state; used once. */
    bool ahead;
    double *ahead_state, *ahead_out;
} StepEndEval;

/* Borrows what it evaluates. step_end_eval_done() in any case. */
Status step_end_eval_init(StepEndEval *eval, const StepEnd *end, const double *params,
                          Error *err) MUST_CHECK;
void step_end_eval_done(StepEndEval *eval); /* {0} is fine */
/* As after step_end_eval_init() of the same `end` with these parameters; NULL: with those it
 * has. */
void step_end_eval_renew(StepEndEval *eval, const double *params);

/* The look at a state; evaluated unless it is the one known already. Valid until the next call. */
const double *step_end_look(StepEndEval *eval, double t, const double *q, const double *v);

/* It is evaluated anew at the next look, wherever that is. */
void step_end_forget(StepEndEval *eval);

/* What a correction does: Euclidean sizes, and the energy that it adds. */
typedef struct StepEndChange {
    double dq, dv, energy;
} StepEndChange;

/* Moves the state onto the constraints in use, and looks at it there; one that satisfies them to
 * rounding keeps its bits. False, and the state as it came, if model_project() has to do it. */
bool step_end_correct(StepEndEval *eval, double t, double *q, double *v, StepEndChange *ret_change);

/* M and A after step_end_correct() was true, at the state at which the program was evaluated last:
 * at *ret_state, which is t, q and v as they were to be corrected for the last time. NULL where
 * they were not wanted. */
static inline const double *step_end_matrices(const StepEndEval *eval, const double **ret_state)
{
    *ret_state = eval->correct.in;
    return eval->end->options.matrices.all ? eval->correct.out + eval->end->places.matrices : NULL;
}
/* Of the same M that of Model.changing alone; NULL where it was not wanted. */
static inline const double *step_end_changing(const StepEndEval *eval)
{
    return eval->end->options.matrices.changing ? eval->correct.out + eval->end->places.changing
                                                : NULL;
}

#endif
