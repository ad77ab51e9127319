/* The rank of a matrix of expressions almost everywhere on a model's motions, with its proof: a
 * bound from prime fields above, a ball below (core/exact/exact.h). */
#ifndef CORE_INVARIANTS_GENERIC_RANK_H
#define CORE_INVARIANTS_GENERIC_RANK_H

#include "core/invariants/analysis.h"

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

#endif
