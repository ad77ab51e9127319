/* The making of an initial state: the data that its steps share. */
#ifndef CORE_MODEL_INITIAL_H
#define CORE_MODEL_INITIAL_H

#include "core/model/evaluate.h"
#include "core/model/rank.h"

typedef struct Initial {
    ModelEval *eval;
    const Model *model;
    InitialState *state;
    Diagnostics *diag;
    size_t mistakes_before;
    double *given_q, *given_v;      /* n: before the correction */
    double *residuals, *relative;   /* r: at the given state; relative to their equations */
    size_t *slopes;                 /* r: the coordinate that changes the residual most */
    ConstraintRank positions, rank; /* of the holonomic rows alone; of all rows */
    double *held_A;    /* r x n: the rows with the columns of held coordinates set to 0; NULL: none
                         is held */
    double *coefs;     /* r */
    double *direction; /* n */
} Initial;

ModelPoint initial_point(const Initial *s);
bool initial_is_independent(const ConstraintRank *rank, size_t a);

/* Adds the diagnostic that a dependent constraint cannot hold together with the others. */
void initial_contradiction(Initial *s, const Combination *c, double gap, bool derivative);

/* Distinguishes redundant constraints from contradictory ones, and both from a rank that drops at
 * this state only. */
Status initial_dependencies(Initial *s, InitialReport *report, Error *err) MUST_CHECK;
/* Refuses a mass matrix that leaves accelerations undetermined. */
Status initial_regularity(Initial *s, InitialReport *report, Error *err) MUST_CHECK;

/* Finds the velocities that were not given (state->v_given) and writes them to state->v. If none
 * satisfy the constraints, it writes the best attempt. */
Status initial_find_velocities(ModelEval *eval, const InitialState *state, bool *ret_found,
                               Error *err) MUST_CHECK;
/* Reports the constraints that the attempt in state->v violates. */
void initial_report_velocities(ModelEval *eval, const InitialState *state, Diagnostics *diag);

/* One diagnostic for each object of the model (L, a force, a constraint) that is not finite at the
 * state; positions_only: looks at holonomic constraints alone. True when all are finite. */
bool initial_check_finite(ModelEval *eval, const InitialState *state, bool positions_only,
                          Diagnostics *diag);

#endif
