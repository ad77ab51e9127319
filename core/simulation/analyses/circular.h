/* Inside core/simulation/: equations in which time occurs only in sines and cosines. */
#ifndef CORE_SIMULATION_ANALYSES_CIRCULAR_H
#define CORE_SIMULATION_ANALYSES_CIRCULAR_H

#include "core/invariants/analysis.h"

enum { CIRCULAR_MOST = 32 };

/* Nodes sin(u) and cos(u), and tan(u) if requested, with u = slope t + phase. Slopes depend on
 * parameters only. */
typedef struct Circular {
    size_t n;
    Expr nodes[CIRCULAR_MOST];
    Expr slopes[CIRCULAR_MOST];
    double values[CIRCULAR_MOST]; /* of the slopes, with the job's parameters */
} Circular;

/* The circular nodes below roots[n]. `pool` is a clone of the model's. *ret_found: there are
 * some, and time occurs nowhere else. phases: a phase may be anything without t, and tan counts;
 * else it is zero. scratch: for work arrays. */
Status circular_find(const AnalysisContext *context, ExprPool *pool, const Expr *roots, size_t n,
                     bool phases, Arena *scratch, Circular *ret, bool *ret_found,
                     Error *err) MUST_CHECK;

/* *ret: each of exprs[n] vanishes identically with the job's parameters, by exact tests. */
Status circular_all_vanish(const AnalysisContext *context, ExprPool *pool, const Expr *exprs,
                           size_t n, bool *ret, Error *err) MUST_CHECK;

#endif
