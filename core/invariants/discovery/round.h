/* The search for first integrals, one problem after the other.
 *
 * A round is one problem: candidates of one degree over the states of one probe (round.c). What it
 * finds and nobody knew is written down, checked at fresh states and reported (integral.c). */
#ifndef CORE_INVARIANTS_DISCOVERY_ROUND_H
#define CORE_INVARIANTS_DISCOVERY_ROUND_H

#include "core/invariants/analysis.h"
#include "core/invariants/search/known.h"
#include "core/invariants/search/probe.h"
#include "core/invariants/search/problem.h"
#include "core/invariants/search/sparse.h"

enum {
    MOST_FOUND = 40,
    SPARE_STATES = 32 /* beyond as many as there are unknowns */
};

typedef struct Found {
    Expr e;
    unsigned velocities;
    bool energy; /* it contains the energy */
} Found;

typedef struct Search {
    const AnalysisContext *context;
    ExprPool *pool;
    Findings *findings;
    Value *problems; /* what was asked, a record each */
    const Value *ansatz_option;
    Ansatz ansatz;
    Probe fresh;
    size_t n_found, repeated, failed;
    Found found[MOST_FOUND];
    bool energy_conserved;
} Search;

/* One problem of the search. */
typedef struct Round {
    Search *search;
    unsigned degree;
    Problem problem;
    Arena scratch; /* holds what follows */
    Solution solution;
    Known known;
    Moves relations, all; /* all: with first integrals that came before */
    double *cost, *values;
} Round;

/* A round with the candidates of the search's ansatz at the states of the context. *ret_complete:
 * there was a clear gap between what is conserved and what is not; without it nothing is
 * believed. */
Status round_run(Search *search, unsigned degree, const AnalysisContext *context,
                 bool *ret_complete, Error *err) MUST_CHECK;

/* Whether e is no function of what was found, as far as the constraints tell: at most of the fresh
 * states its gradient by q, v and t is independent of theirs. */
Status discovery_independent(Search *search, Expr e, bool *ret_independent, Error *err) MUST_CHECK;

/* A combination that is new: made short (vector is changed), spelled, checked at fresh states,
 * reported. round->values are its own at the round's states. */
Status round_take_new(Round *round, double *vector, Novelty novelty, Error *err) MUST_CHECK;

#endif
