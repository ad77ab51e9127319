/* Values of all steps near a real point, enclosed in balls. Private to core/exact. */
#ifndef CORE_EXACT_BALL_H
#define CORE_EXACT_BALL_H

#include <arb_mat.h>

#include "core/exact/steps.h"

typedef struct Balls {
    const Steps *steps;
    slong bits;
    arb_ptr numbers; /* of the steps, as far as they are known: see reading_doubt() */
    arb_ptr store;   /* solutions of the systems in the graph */
    arb_ptr value;   /* by slot; symbols are set by whoever asks */
} Balls;

void balls_init(Balls *balls, const Steps *steps, slong bits);
void balls_done(Balls *balls);

/* Gives symbols without a value that of symbols[symbol], unknowns too; those from n on have
 * none. */
void balls_start(Balls *balls, const double *symbols, size_t n);

/* What so many products of balls are worth of the stop token; those of n^3 in one call that
 * cannot be left are done where balls_afford() says so: not beyond EXACT_MAX_PIECE, nor when the
 * stop token is over. */
uint64_t balls_work(const Balls *balls, size_t products);
bool balls_afford(const Balls *balls, size_t products);
/* A x = y, if that is afforded and A proved to be regular; x may be y. */
bool balls_linear(const Balls *balls, arb_mat_t x, const arb_mat_t A, const arb_mat_t y);

/* Evaluates all steps of one level but its symbols; not all of them when the thread is to stop. */
void balls_evaluate(Balls *balls, uint32_t level);

/* Encloses the unknowns of a stage at a solution of its equations near where they are; steps of
 * lower levels have their values. False: none could be proved to be there. */
bool balls_solve(Balls *balls, size_t stage);

/* All levels at the point symbols[n], moved onto the equations; *ret_placed false: it could not be
 * proved that there is such a point. */
Status balls_place(Balls *balls, const ExactProblem *problem, const double *symbols, size_t n,
                   bool *ret_placed, Error *err) MUST_CHECK;

#endif
