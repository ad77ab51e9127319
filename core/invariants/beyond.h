/* States behind the corners of expressions, wherever these are: a force that acts from x = 1e9 on breaks a law all the same. */
#ifndef CORE_INVARIANTS_BEYOND_H
#define CORE_INVARIANTS_BEYOND_H

#include "core/invariants/analysis.h"

enum { BEYOND_ROOTS = 8 };

typedef struct Beyond {
    const AnalysisContext *context;
    size_t n;      /* symbols t, q, v */
    double *base;  /* n: a state of the motion */
    double *sizes; /* n: their sizes around it */
    double *
        roots; /* [n][BEYOND_ROOTS]: values of the symbol, all others as in base, where a guard changes its sign */
    size_t *counts; /* n */
    bool any;       /* there is one */
} Beyond;

/* Looks for the guards of corners (core/expr/sharp.h) of terms[n_terms], of which nodes are added to the pool, from the motion on
 * to 1e16 times its size. Arrays are the arena's. */
Status beyond_init(Beyond *beyond, const AnalysisContext *context, ExprPool *pool,
                   const Expr *terms, size_t n_terms, Arena *arena, Error *err) MUST_CHECK;

/* Admissible states close to some of the roots at once, on random sides, in the arena; maybe none. */
Status beyond_draw(const Beyond *beyond, uint64_t seed, Arena *arena, const Trajectory **ret,
                   Error *err) MUST_CHECK;

#endif
