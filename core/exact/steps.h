/* The part of a graph that one question needs, in an order of evaluation. Private to core/exact.
 *
 * Steps are sorted by level: 0 needs no unknown, k the unknowns of stages up to k. A value is
 * identified by its place, its slot. */
#ifndef CORE_EXACT_STEPS_H
#define CORE_EXACT_STEPS_H

#include <flint/fmpq.h>

#include "core/base/arena.h"
#include "core/exact/exact.h"
#include "core/exact/numbers.h"

#define SLOT_NONE UINT32_MAX

typedef struct Step {
    ExprOp op;
    uint32_t level;
    uint32_t n, first; /* operands: args[first ..], coefs[first ..] */
    double value;      /* of a constant and a sum; of a known symbol */
    uint32_t number;   /* place of value in numbers; only of constants, sums and known symbols */
    bool known;        /* a symbol that has a value */
    uint32_t stage;    /* of an unknown, from 1; 0: none */
    uint32_t part;     /* of an element: its number; of a solution: its first place in the store */
} Step;

/* A stage in slots. */
typedef struct StepStage {
    const ExactStage *stage;
    uint32_t *unknowns; /* SLOT_NONE if no step depends on it */
    uint32_t *equations, *jacobian;
    bool used; /* some step depends on its unknowns */
} StepStage;

/* Equal constants that follow each other closely share a place in numbers. */
typedef struct Steps {
    Arena arena;
    size_t n, n_args, n_numbers, n_stages;
    size_t n_store; /* solutions of the systems in the graph lie there */
    Step *step;
    uint32_t *args;    /* slots */
    double *coefs;     /* parallel; exponents of a product */
    uint32_t *weights; /* parallel; their place in numbers, of a sum */
    double *numbers;
    bool *given;   /* parallel: the value of a known symbol, whose decimal is exact */
    Numbers reals; /* the reals that numbers stand for */
    fmpq *exact;   /* exact values of numbers; 0 for irrational ones */
    StepStage *stages;
    uint32_t *terms, *symbols; /* slots; symbols by step, the pool's numbers (of symbol steps) */
    size_t n_terms;
    const char *why; /* the reason why it cannot be evaluated exactly, or NULL */
} Steps;

/* With loose, nonlinear stages are left out: their unknowns are free. */
Status steps_init(Steps *steps, const ExactProblem *problem, bool loose, Error *err) MUST_CHECK;
void steps_done(Steps *steps); /* {0} is fine */

/* The number at a place of numbers; NULL if it is irrational. */
static inline const fmpq *steps_rational(const Steps *s, uint32_t number)
{
    const Number *real = numbers_at(&s->reals, number);
    return !real || real->rational ? s->exact + number : NULL;
}

#endif
