/* Inside core/analyses/: the linearised equations of motion for analyses of the neighbourhood
 * of a motion. They are those of Lagrange-d'Alembert in (q, v), for any formulation of the job.
 * All formulations that do not keep their multipliers describe the same motions. */
#ifndef CORE_ANALYSES_LOCAL_H
#define CORE_ANALYSES_LOCAL_H

#include "core/analyses/analyses.h"
#include "core/linear/linearised.h"
#include "core/numeric/spectrum.h"

typedef struct Local {
    Motion *own; /* NULL if the job's equations can be used */
    const Motion *motion;
    Linearised *linearised;
    TangentSpace *space; /* of linearised */
    size_t n, dim;       /* dim = 2 n */
    size_t d;            /* of the constraint manifold */
    /* only one state is examined, and the caller handles corners: set before local_init() */
    bool at_place;
} Local;

/* Dimension of the constraint manifold. */
size_t local_dimension(const AnalysisContext *context);

/* Whether time occurs nowhere: not in L, forces or constraints. */
bool local_is_autonomous(const Model *model);

/* `columns`: the usual number of directions. ERR_INVALID with the reason if the motion has no
 * linearisation: another motion than that of Lagrange-d'Alembert, corners, impacts. local_done()
 * in any case. */
Status local_init(Local *local, const AnalysisContext *context, const AnalysedRun *run,
                  size_t columns, Error *err) MUST_CHECK;
void local_done(Local *local);

/* Most guards (conditions at which L or a constraint may jump) that an analysis lists. Size of a
 * buffer. */
enum { LOCAL_MOST_GUARDS = 32 };

/* Guards of jumps in L and in constraints at which their continuity is not proved. If all
 * derivatives are continuous, only a constant jumps, and the linearised equations do not contain
 * it. ERR_LIMIT if there are more than LOCAL_MOST_GUARDS. */
Status local_jumps(const AnalysisContext *context, ExprPool *pool, Expr *ret_guards, size_t *ret_n,
                   Error *err) MUST_CHECK;

/* ret[d x d] = Z^T A for columns A[2 n][d], or as many as Z has. */
void local_reduce(const double *Z, const double *A, size_t dim, size_t d, double *ret);

/* [{"re": .., "im": .., ("modulus": ..)}] */
void local_report_eigenvalues(Arena *arena, Value *parent, const char *name,
                              const Eigenvalue *values, size_t n, bool modulus);

/* "q": {..}, "v": {..}, by the names of the coordinates. */
void local_report_state(Arena *arena, Value *parent, const Model *model, const double *q,
                        const double *v);

#endif
