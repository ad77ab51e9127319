/* Inside core/simulation/: the linearised equations of motion for analyses of what happens near a
 * motion.
 *
 * They are those of Lagrange-d'Alembert in (q, v), whatever the formulation of the job: all but
 * those that keep their multipliers describe the same motions. */
#ifndef CORE_SIMULATION_ANALYSES_LOCAL_H
#define CORE_SIMULATION_ANALYSES_LOCAL_H

#include "core/numeric/spectrum.h"
#include "core/simulation/analyses/analyses.h"
#include "core/simulation/linear/linearised.h"

typedef struct Local {
    Motion *own; /* NULL where the job's serves */
    const Motion *motion;
    Linearised *linearised;
    TangentSpace *space; /* of linearised */
    size_t n, dim;       /* dim = 2 n */
    size_t d;            /* of the constraint manifold */
    bool
        at_place; /* it is asked about one state only, and who asks looks at corners: set before local_init() */
} Local;

/* Of the constraint manifold. */
size_t local_dimension(const AnalysisContext *context);

/* Time occurs nowhere: L, forces, constraints. */
bool local_is_autonomous(const Model *model);

/* `columns`: usually at a time. ERR_INVALID with the reason where the motion has no
 * linearisation: other motions than those of Lagrange-d'Alembert, corners, impacts. local_done()
 * in any case. */
Status local_init(Local *local, const AnalysisContext *context, const AnalysedRun *run,
                  size_t columns, Error *err) MUST_CHECK;
void local_done(Local *local);

/* Guards of steps in L and in constraints, across which these are not seen to be continuous: where all
 * derivatives are, what jumps is a constant, and the linearised equations do not know it. ERR_LIMIT
 * past `room`. */
Status local_jumps(const AnalysisContext *context, ExprPool *pool, Expr *ret_guards, size_t room,
                   size_t *ret_n, Error *err) MUST_CHECK;

/* ret[d x d] = Z^T A for columns A[2 n][d], or as many as Z has. */
void local_reduce(const double *Z, const double *A, size_t dim, size_t d, double *ret);

/* [{"re": .., "im": .., ("modulus": ..)}] */
void local_report_eigenvalues(Arena *arena, Value *parent, const char *name,
                              const Eigenvalue *values, size_t n, bool modulus);

/* "q": {..}, "v": {..}, by the names of the coordinates. */
void local_report_state(Arena *arena, Value *parent, const Model *model, const double *q,
                        const double *v);

#endif
