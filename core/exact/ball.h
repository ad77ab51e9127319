/* Values of all steps near a real point, enclosed in balls. Private to core/exact. */
#ifndef CORE_EXACT_BALL_H
#define CORE_EXACT_BALL_H

#include "core/exact/steps.h"

/* Arb is a part of FLINT 3; with FLINT 2 it is a library with headers of its own. */
#if __has_include(<flint/arb_mat.h>)
#include <flint/arb_hypgeom.h>
#include <flint/arb_mat.h>
#include <flint/arb_poly.h>
#else
#include <arb_hypgeom.h>
#include <arb_mat.h>
#include <arb_poly.h>
#endif

typedef struct Balls {
    const Steps *steps;
    slong bits;
    arb_ptr numbers; /* numbers of the steps, as far as known: see numbers_doubt() */
    arb_ptr store;   /* solutions of the systems in the graph */
    arb_ptr value;   /* by slot; the caller sets symbols */
} Balls;

void balls_init(Balls *balls, const Steps *steps, slong bits);
void balls_done(Balls *balls);

/* balls_work(): the work of this number of products. balls_afford(): whether it may be spent in one
 * call that cannot be interrupted. */
uint64_t balls_work(const Balls *balls, size_t products);
bool balls_afford(const Balls *balls, size_t products);
/* Solves A x = y if the work is afforded and A is proved to be regular; x may be y. */
bool balls_linear(const Balls *balls, arb_mat_t x, const arb_mat_t A, const arb_mat_t y);

/* Evaluates all steps of one level except symbols; fewer if the thread is to stop. */
void balls_evaluate(Balls *balls, uint32_t level);

/* The value of the k-th term. */
static inline arb_srcptr balls_term(const Balls *balls, size_t k)
{
    return balls->value + balls->steps->terms[k];
}

/* All levels at this point of the problem, moved onto the equations. *ret_placed is false if the
 * existence of such a point is not proved. */
Status balls_place(Balls *balls, const ExactProblem *problem, const double *symbols,
                   bool *ret_placed, Error *err) MUST_CHECK;

/* A question about the terms at a point of the equations near the problem's. It is asked in balls
 * of `bits`, then of four times as many each, up to `most_bits`, until it is answered. */
typedef struct BallQuestion {
    const ExactProblem *problem;
    slong bits, most_bits;
    /* `placed` as from balls_place(); *ret_answered is false at first */
    Status (*answer)(void *self, Balls *balls, bool placed, bool *ret_answered, Error *err);
    void *self;
    const char **why; /* becomes the reason if the terms cannot be evaluated; or NULL */
} BallQuestion;

Status balls_ask(const BallQuestion *question, Error *err) MUST_CHECK;

#endif
