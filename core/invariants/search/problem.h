/* The linear problem of a search for first integrals.
 *
 * Candidates m_k are functions of an ansatz times 1, a velocity, or more of them, and the
 * energy. With their values V and their rates D = D/Dt m_k along the motion at random admissible
 * states, a combination c is
 *
 *     a relation if V c = 0 (it holds because of the constraints),
 *     a first integral if D c = 0 and V c is not 0.
 *
 * Candidates come in order of complexity, and each is expressed by earlier ones if possible:
 * therefore the first integrals are those of the simplest candidates. */
#ifndef CORE_INVARIANTS_SEARCH_PROBLEM_H
#define CORE_INVARIANTS_SEARCH_PROBLEM_H

#include "core/invariants/analysis.h"
#include "core/invariants/search/ansatz.h"
#include "core/invariants/search/columns.h"

/* Velocities of a candidate. Convention. The energy is no function of the ansatz. */
enum { MOST_VELOCITIES = 4, THE_ENERGY = -1 };

/* functions[function] u_i u_j .., with the velocities u of the ansatz */
typedef struct Candidate {
    int function;          /* THE_ENERGY: the energy of the model */
    unsigned n_velocities; /* of these, in the order of the ansatz: */
    size_t u[MOST_VELOCITIES];
    unsigned cost; /* its complexity: factors */
} Candidate;

typedef struct Problem {
    const AnalysisContext *context; /* with the parameters and the states of this problem */
    size_t n_functions;
    const Expr *functions;
    size_t n_velocities;
    const Expr *velocities;
    size_t n;
    Candidate *candidates; /* sorted by cost */
    double *table; /* [n_states][2 n_functions + 2 n_velocities + 2]: functions, their rates,
                              velocities, theirs, energy, its rate */
    double *unit;  /* n_states: one over a time in which the motion there changes */
    Arena arena;   /* owns the arrays */
    double slow;   /* one over the longest time scale, in these units */
} Problem;

/* All candidates with up to `degree` velocities. Borrows everything; the context must have its
 * states. */
Status problem_init(Problem *problem, const AnalysisContext *context, const Ansatz *ansatz,
                    unsigned degree, Error *err) MUST_CHECK;
/* The candidates of `part`, which has only lists, at the states of another context. */
Status problem_init_part(Problem *problem, const AnalysisContext *context, const Problem *part,
                         Error *err) MUST_CHECK;
void problem_done(Problem *problem); /* {0} is fine */

size_t problem_count(const Ansatz *ansatz, size_t n_functions, unsigned degree);

/* Values of candidate k at the first `rows` states. */
void problem_values(const Problem *problem, size_t k, size_t rows, double *ret);

Expr problem_candidate(const Problem *problem, size_t k); /* as an expression */

typedef struct Solution {
    Columns relations; /* of the values */
    Columns integrals; /* of the rates of candidates independent by these */
    size_t rows;       /* states that were used */
    double gap;        /* the smaller one of the two */
} Solution;

/* Everything found lives in the arena. */
Status problem_solve(const Problem *problem, Arena *arena, Solution *ret, Error *err) MUST_CHECK;

/* If the last candidate completes the only combination that is conserved: their coefficients
 * ret_coefs[n], the last one 1. Not found if there is none, or more than one. */
Status problem_complete(const Problem *problem, double *ret_coefs, bool *ret_found,
                        Error *err) MUST_CHECK;

/* Known conserved quantities, by their values at states: constants, the energy if it is conserved
 * (or the integral found in its place), the integrals found, and products of these. */
typedef struct KnownColumn {
    unsigned velocities; /* degree in them */
    unsigned factors;    /* found integrals in this product */
    bool energy;         /* it contains the energy */
    double *values;
} KnownColumn;

typedef struct Known {
    Arena *arena;
    size_t rows;
    unsigned degree, factors; /* products beyond are not made */
    size_t n, capacity;
    KnownColumn *columns;
    Echelon single;   /* constants, the energy, found integrals: each by itself */
    Echelon products; /* without the energy */
    Echelon rest;     /* these and the energy, without products of it */
    Echelon all;
    double *work, *ones; /* rows */
} Known;

typedef enum Novelty {
    NOVEL,     /* a combination of nothing known */
    REMAINDER, /* of the energy, when products of others are taken off it */
    REPEATED,  /* the energy, a found integral, or a combination of products, with the energy too */
} Novelty;

/* In the arena. */
Status known_init(Known *known, Arena *arena, size_t rows, unsigned degree, unsigned factors,
                  Error *err) MUST_CHECK;

Novelty known_judge(const Known *known, const double *values);
/* values[rows] of an integral with that many velocities. */
Status known_add(Known *known, const double *values, unsigned velocities, bool energy,
                 Error *err) MUST_CHECK;

#endif
