/* Inside core/analyses/: equations in which time occurs only in sines and cosines. */
#ifndef CORE_ANALYSES_CIRCULAR_H
#define CORE_ANALYSES_CIRCULAR_H

#include "core/invariants/analysis.h"

/* Most sines and cosines of time. Size of a buffer. */
enum { CIRCULAR_MOST = 32 };

/* Nodes sin(u) and cos(u), and tan(u) if requested, with u = slope t + phase. Slopes depend on
 * parameters only. */
typedef struct Circular {
    size_t n;
    Expr nodes[CIRCULAR_MOST];
    Expr slopes[CIRCULAR_MOST];
    double values[CIRCULAR_MOST]; /* of the slopes, with the job's parameters */
} Circular;

typedef struct CircularQuestion {
    const AnalysisContext *context;
    ExprPool *pool; /* a clone of the model's */
    const Expr *roots;
    size_t n_roots;
    bool phases;    /* a phase may be anything without t, and tan counts; else it is zero */
    Arena *scratch; /* for work arrays */
} CircularQuestion;

/* The circular nodes below the roots. *ret_found: there are some, and time occurs nowhere else. */
Status circular_find(const CircularQuestion *question, Circular *ret, bool *ret_found,
                     Error *err) MUST_CHECK;

/* *ret: each of exprs[n] vanishes identically with the job's parameters, by exact tests. */
Status circular_all_vanish(const AnalysisContext *context, ExprPool *pool, const Expr *exprs,
                           size_t n, bool *ret, Error *err) MUST_CHECK;

#endif
