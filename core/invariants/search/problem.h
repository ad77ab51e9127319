/* The linear problem of a search for first integrals.
 *
 * Candidates m_k are functions of an ansatz times 1, a velocity, or two, and the energy. At random
 * admissible states their values V and their rates D = D/Dt m_k along the motion are known, and a
 * combination c is
 *
 *     a relation where V c = 0 (it holds because of the constraints),
 *     a first integral where D c = 0 and V c is not 0.
 *
 * Candidates come in order of complexity, and each is expressed by those before it where it can be:
 * so the first integrals that come out are those of the simplest candidates. */
#ifndef CORE_INVARIANTS_SEARCH_PROBLEM_H
#define CORE_INVARIANTS_SEARCH_PROBLEM_H

#include "core/invariants/analysis.h"
#include "core/invariants/search/ansatz.h"
#include "core/invariants/search/columns.h"

enum { MOST_VELOCITIES = 4, THE_ENERGY = -1 };

/* functions[function] u_i u_j .., with the velocities u of the ansatz */
typedef struct Candidate {
    int function;          /* THE_ENERGY: the energy of the model */
    unsigned n_velocities; /* of these, in the order of the ansatz: */
    size_t u[MOST_VELOCITIES];
    unsigned cost; /* how complicated it is */
} Candidate;

typedef struct Problem {
    const AnalysisContext *context; /* with the parameters and the states of this problem */
    ExprPool *pool;
    size_t n_functions;
    const Expr *functions;
    size_t n_velocities;
    const Expr *velocities;
    size_t n;
    Candidate *candidates; /* sorted by cost */
    double *table; /* [n_states][2 n_functions + 2 n_velocities + 2]: functions, their rates,
                              velocities, theirs, energy, its rate */
    double *unit;  /* n_states: one over a time in which the motion there changes */
    Arena arena;   /* holds these */
    double slow;   /* one over the longest time that matters, in these units */
} Problem;

/* All candidates with up to `degree` velocities. Borrows everything; the context must have its
 * states. */
Status problem_init(Problem *problem, const AnalysisContext *context, ExprPool *pool,
                    const Ansatz *ansatz, unsigned degree, Error *err) MUST_CHECK;
/* Only these candidates of another problem, numbered by what they are in functions[n_functions]. */
Status problem_init_few(Problem *problem, const AnalysisContext *context, const Problem *whole,
                        const Expr *functions, size_t n_functions, const Candidate *candidates,
                        size_t n, Error *err) MUST_CHECK;
void problem_done(Problem *problem); /* {0} is fine */

size_t problem_count(const Ansatz *ansatz, size_t n_functions, unsigned degree);

/* Values of candidate k, or its rates in units of problem->unit, at the first `rows` states. */
void problem_values(const Problem *problem, size_t k, size_t rows, double *ret);
void problem_rates(const Problem *problem, size_t k, size_t rows, double *ret);

Expr problem_candidate(const Problem *problem, size_t k); /* as an expression */

typedef struct Solution {
    Columns relations, integrals; /* of the values; of the rates of what is independent by these */
    size_t rows;                  /* states that were used */
    double gap;                   /* the smaller one of the two */
} Solution;

/* Everything found lives in the arena. */
Status problem_solve(const Problem *problem, Arena *arena, Solution *ret, Error *err) MUST_CHECK;

/* For candidates whose last one should complete the only combination that is conserved: their
 * coefficients ret_coefs[n], the last one 1. Not found where it is none, or not the only one. */
Status problem_complete(const Problem *problem, double *ret_coefs, bool *ret_found,
                        Error *err) MUST_CHECK;

#endif
