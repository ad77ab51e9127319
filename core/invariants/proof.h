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
    double *symbols; /* the problem's: space for one state; see motion_equations_at() */
    const AnalysisContext *context;
} MotionEquations;

/* The linear stage of M vdot - A^T lambda = -(l - F), A vdot = -psi, n equations and r on the
 * independent rows. Adds nodes to the pool; the stage lives in the arena. Returns its equations,
 * with its Jacobian behind them; NULL: out of memory. */
Expr *acceleration_stage(const AnalysisContext *context, ExprPool *pool, Arena *arena,
                         ExactStage *ret);

/* Adds nodes to the pool. Lives in the arena. */
Status motion_equations_init(MotionEquations *equations, const AnalysisContext *context,
                             Arena *arena, Error *err) MUST_CHECK;

/* Asks whether terms[n] add up to zero on all motions; motion_difference(): the same near state k.
 * Both count the test. */
Status motion_identity(const MotionEquations *equations, const Expr *terms, size_t n,
                       ExactResult *ret, Error *err) MUST_CHECK;
Status motion_difference(MotionEquations *equations, const Expr *terms, size_t n,
                         const Trajectory *states, size_t k, ExactResult *ret,
                         Error *err) MUST_CHECK;
/* The Proof that a decided result amounts to. */
Proof proof_of(const ExactResult *result);

/* The symbols' values at a state. */
void motion_equations_at(MotionEquations *equations, const Trajectory *states, size_t k);

/* The rank of a matrix of expressions almost everywhere on a model's motions, with its proof: a
 * bound from prime fields above, a ball below (core/exact/exact.h). */
typedef struct GenericRank {
    size_t least, most; /* both proved; the rank is known if they are equal */
    Proof proof;        /* PROOF_SAMPLES, with a doubt: they differ */
} GenericRank;

/* The matrix entries[rows][columns] of t, q, v, vdot, lambda. Several copies of its rows stand
 * one below the other, each at its own velocities over the same t and q. */
typedef struct RankQuestion {
    const Expr *entries;
    size_t rows, columns, copies;
    const Trajectory *states; /* for the lower bound, from the first on */
} RankQuestion;

Status generic_rank_prove(const AnalysisContext *context, const RankQuestion *question,
                          GenericRank *ret, Error *err) MUST_CHECK;

/* A rank that is proved near one of the states: at most `wanted`. */
Status generic_rank_least(const AnalysisContext *context, const RankQuestion *question,
                          size_t state, size_t wanted, size_t *ret, Error *err) MUST_CHECK;

/* States behind the corners of expressions, however far away: a force that acts only beyond x =
 * 1e9 breaks a law all the same. */

/* Roots of a symbol that are stored; and guards of corners that are examined, the first ones if
 * there are more. Conventions. */
enum { BEYOND_ROOTS = 8, MAX_CORNER_GUARDS = 32 };

typedef struct Beyond {
    const AnalysisContext *context;
    size_t n;       /* symbols t, q, v */
    double *base;   /* n: a state of the motion */
    double *sizes;  /* n: their sizes around it */
    double *roots;  /* [n][BEYOND_ROOTS]: where a guard changes sign, all others as in base */
    size_t *counts; /* n */
    bool any;       /* there is one */
} Beyond;

/* Looks for the guards of corners (core/expr/interval/sharp.h) of terms[n_terms], from the motion
 * on to 1e16 times its size. Adds nodes to the pool. Arrays are the arena's. */
Status beyond_init(Beyond *beyond, const AnalysisContext *context, const Expr *terms,
                   size_t n_terms, Arena *arena, Error *err) MUST_CHECK;

/* Admissible states close to some of the roots at once, on random sides, in the arena; maybe
 * none. */
Status beyond_draw(const Beyond *beyond, uint64_t seed, Arena *arena, const Trajectory **ret,
                   Error *err) MUST_CHECK;

#endif
