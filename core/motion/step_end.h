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

/* The matrices that watches need along a motion. */
typedef struct StepEndMatrices {
    bool all;      /* M and A: a RankWatch */
    bool changing; /* M of the coordinates Model.fixed.changing alone: a MassWatch */
} StepEndMatrices;

typedef struct StepEndOptions {
    const size_t *rows; /* independent constraints, ascending; none: nothing is corrected */
    size_t n_rows;
    ModelMetric metric;       /* of the corrections */
    bool mass_positive;       /* M is positive definite, not on the constraints alone */
    StepEndMatrices matrices; /* outputs in addition */
} StepEndOptions;

/* A look at a state: energy, the size of its terms, model_residuals(). */
enum { LOOK_ENERGY, LOOK_TERMS, LOOK_RESIDUALS };
static inline size_t look_size(size_t r)
{
    return LOOK_RESIDUALS + RESIDUAL_PARTS * r;
}

/* Places of the outputs of the correction program. The energy has place 0. */
typedef struct StepEndPlaces {
    size_t f, phi; /* before the correction, as the energy */
    size_t v, look, regularity, q, matrices, changing;
} StepEndPlaces;

typedef struct StepEnd {
    size_t n, r;
    StepEndOptions options; /* a copy */
    size_t n_positions;     /* rows that are holonomic: the first of `ordered` */
    size_t *ordered;        /* n_rows */
    Program *look;          /* t, q[n], v[n] -> look */
    /* t, q[n], v[n] -> energy, f[r], phi[r], all before; corrected v[n], the look there,
     * regularity; corrected q[n] if a row is holonomic; if requested M[n x n] and A[r x n];
     * if requested M of Model.fixed.changing; NULL if no elimination fits */
    Program *correct;
    StepEndPlaces places;
    Arena memory; /* owns the arrays */
} StepEnd;

/* The outputs of the program, in rows of lanes: see StepEndPlaces. */
typedef struct StepEndOutputs {
    const double *energy, *f, *phi;
    const double *v, *look, *regularity, *q, *matrices, *changing;
} StepEndOutputs;

static inline StepEndOutputs step_end_outputs(const StepEnd *end, const double *out, size_t lanes)
{
    const StepEndPlaces *at = &end->places;

    return (StepEndOutputs){.energy = out,
                            .f = out + at->f * lanes,
                            .phi = out + at->phi * lanes,
                            .v = out + at->v * lanes,
                            .look = out + at->look * lanes,
                            .regularity = out + at->regularity * lanes,
                            .q = out + at->q * lanes,
                            .matrices = out + at->matrices * lanes,
                            .changing = out + at->changing * lanes};
}

Status step_end_new(const Model *model, const StepEndOptions *options, StepEnd **ret,
                    Error *err) MUST_CHECK;
void step_end_free(StepEnd *end); /* NULL is fine */

typedef struct StepEndEval {
    const StepEnd *end;
    Function at, correct;
    const double *look; /* at t, q[n], v[n]; NULL: there is none */
    double t;
    const double *q, *v; /* in the inputs or the outputs of `at` and `correct` */
    double *kept;        /* the look at a state that was left as it is */
    /* Outputs of step_end_lanes_eval() for the next correction, and their state; used once. */
    bool ahead;
    double *ahead_state, *ahead_out;
} StepEndEval;

/* Borrows `end`. Call step_end_eval_done() also after a failure. */
Status step_end_eval_init(StepEndEval *eval, const StepEnd *end, const double *params,
                          Error *err) MUST_CHECK;
void step_end_eval_done(StepEndEval *eval); /* {0} is fine */
/* Resets it as step_end_eval_init() with these parameters would; NULL keeps the parameters. */
void step_end_eval_renew(StepEndEval *eval, const double *params);

/* The look at a state; evaluated unless it is the one known already. Valid until the next call. */
const double *step_end_look(StepEndEval *eval, double t, const double *q, const double *v);

/* Forgets the known look: the next step_end_look() evaluates at any state. */
void step_end_forget(StepEndEval *eval);

/* The effect of a correction: Euclidean sizes of the changes, and the energy that it adds. */
typedef struct StepEndChange {
    double dq, dv, energy;
} StepEndChange;

/* Moves the state onto the constraints in use, and looks at it there; one that meets them keeps its
 * bits. False, with the state unchanged: model_project() must do it. */
bool step_end_correct(StepEndEval *eval, double t, double *q, double *v, StepEndChange *ret_change);

/* M and A after step_end_correct() returned true, or NULL if they were not requested. They
 * belong to *ret_state (t, q, v), the state before the last Newton step. */
static inline const double *step_end_matrices(const StepEndEval *eval, const double **ret_state)
{
    *ret_state = eval->correct.in;
    return eval->end->options.matrices.all ? eval->correct.out + eval->end->places.matrices : NULL;
}
/* M of the coordinates Model.fixed.changing at the same state; NULL if it was not requested. */
static inline const double *step_end_changing(const StepEndEval *eval)
{
    return eval->end->options.matrices.changing ? eval->correct.out + eval->end->places.changing
                                                : NULL;
}

#endif
