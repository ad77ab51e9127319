/* A model's motions as equations for exact tests of expressions that may vanish on all of them. */
#ifndef CORE_INVARIANTS_PROOF_H
#define CORE_INVARIANTS_PROOF_H

#include "core/exact/exact.h"
#include "core/invariants/analysis.h"

/* The equations in three stages: f(q, t) = 0 for q, phi(q, v, t) = 0 for v, and the linear
 * system of docs/explanation/numerics.md for vdot and lambda, all on the independent rows. For
 * inquiries about any states there are none. If the formulation keeps its multipliers, the last
 * stage is left out: they are free. */
typedef struct MotionEquations {
    ExactProblem problem; /* without terms */
    ExactStage stages[3];
    size_t n_symbols; /* of symbols */
    double *symbols;  /* space for one state; see motion_equations_at() */
    const AnalysisContext *context;
} MotionEquations;

/* M vdot - A^T lambda = -g, A vdot = -psi, with g = l - F: n equations and r. */
typedef struct AccelerationEquations {
    size_t n, r;
    const Expr *vdot, *lambda;   /* n, r: the unknowns */
    const Expr *M, *A, *g, *psi; /* n x n, r x n, n, r */
} AccelerationEquations;

/* The linear stage of these. Adds nodes to the pool; the stage lives in the arena. False: out of
 * memory. */
bool acceleration_stage(const AccelerationEquations *equations, ExprPool *pool, Arena *arena,
                        ExactStage *ret);

/* Adds nodes to the pool. Lives in the arena. */
Status motion_equations_init(MotionEquations *equations, const AnalysisContext *context,
                             Arena *arena, Error *err) MUST_CHECK;

/* Asks whether terms[n] add up to zero on all motions; exact_difference(): near state k of these.
 * Counts the test. */
Status motion_identity(const MotionEquations *equations, const Expr *terms, size_t n,
                       ExactResult *ret, Error *err) MUST_CHECK;
Status motion_difference(MotionEquations *equations, const Expr *terms, size_t n,
                         const Trajectory *states, size_t k, ExactResult *ret,
                         Error *err) MUST_CHECK;
/* The proof that a decided result is. */
Proof proof_of(const ExactResult *result);

/* The symbols' values at a state. */
void motion_equations_at(MotionEquations *equations, const Trajectory *states, size_t k);
/* The velocities v[n] in their place. */
void motion_equations_velocities(MotionEquations *equations, const double *v);

#endif
