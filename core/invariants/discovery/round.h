/* The search for first integrals, one problem after the other: candidates of one degree over the
 * states of one probe (round.c), and the new integrals among their solutions (integral.c). */
#ifndef CORE_INVARIANTS_DISCOVERY_ROUND_H
#define CORE_INVARIANTS_DISCOVERY_ROUND_H

#include "core/invariants/analysis.h"
#include "core/invariants/search/columns.h"
#include "core/invariants/search/probe.h"
#include "core/invariants/search/problem.h"

/* Integrals at most. Convention. */
enum { MAX_FOUND = 40 };

typedef struct Found {
    Expr e;
    unsigned velocities;
    bool energy; /* it contains the energy */
} Found;

typedef struct Search {
    const AnalysisContext *context;
    ExprPool *pool; /* the context's */
    Findings *findings;
    Value *problems; /* a record for each problem */
    const Value *ansatz_option;
    Ansatz ansatz;
    Probe fresh;
    size_t n_found, repeated, failed;
    Found found[MAX_FOUND];
    bool energy_conserved;
} Search;

/* One problem of the search. */
typedef struct Round {
    Search *search;
    unsigned degree;
    Problem problem;
    Arena scratch; /* owns the arrays */
    Solution solution;
    Known known;
    Moves relations, all; /* all: also the first integrals found before */
    double *cost, *values;
} Round;

/* A round with the candidates of the search's ansatz at the states of the context.
 * *ret_complete: there was a clear gap between conserved and other combinations; without it
 * nothing is believed. */
Status round_run(Search *search, unsigned degree, const AnalysisContext *context,
                 bool *ret_complete, Error *err) MUST_CHECK;

/* Takes a new combination: shortens it (vector is changed), writes it down, checks it at fresh
 * states, reports it. round->values are its own at the round's states. */
Status round_take_new(Round *round, double *vector, Novelty novelty, Error *err) MUST_CHECK;

#endif
