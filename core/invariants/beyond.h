/* States behind the corners of expressions, however far away: a force that acts only beyond x =
 * 1e9 breaks a law all the same. */
#ifndef CORE_INVARIANTS_BEYOND_H
#define CORE_INVARIANTS_BEYOND_H

#include "core/invariants/analysis.h"

/* Roots of a symbol that are stored; and guards of corners that are examined, the first ones if
 * there are more. Conventions. */
enum { BEYOND_ROOTS = 8, MAX_CORNER_GUARDS = 32 };

typedef struct Beyond {
    const AnalysisContext *context;
    size_t n;      /* symbols t, q, v */
    double *base;  /* n: a state of the motion */
    double *sizes; /* n: their sizes around it */
    double
        *roots; /* [n][BEYOND_ROOTS]: values of the symbol at which a guard changes sign, while all
                      others are as in base */
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
