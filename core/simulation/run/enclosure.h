/* Inside core/simulation/: the guards of events enclosed over a step, so that no root hides in it. */
#ifndef CORE_SIMULATION_RUN_ENCLOSURE_H
#define CORE_SIMULATION_RUN_ENCLOSURE_H

#include "core/base/arena.h"
#include "core/expr/range.h"
#include "core/integrate/ode.h"
#include "core/simulation/prepare/observed.h"

/* At most so many coefficients a component. */
enum { ENCLOSURE_TERMS = 9 };

/* What the guards read, as polynomials in s = 2 theta - 1 over one step. */
typedef struct Enclosure {
    Observed *observed;
    size_t n_inputs, terms;
    bool *used;        /* n_inputs */
    double *values;    /* [terms][n_inputs]: at the nodes */
    double *coefs;     /* [n_inputs][terms]: powers of s */
    double *remainder; /* n_inputs: how far the polynomial may be from the motion */
    Range *ranges;     /* n_inputs */
} Enclosure;

/* exact: what is read is a polynomial on each step already. */
void enclosure_init(Enclosure *enclosure, Observed *observed, size_t n_events, bool exact,
                    Arena *arena);

/* Takes the inputs, in the order of observed_inputs(), at a place theta of the step. */
typedef const double *EnclosureLook(void *self, const OdeArc *arc, double theta);
void enclosure_follow(Enclosure *enclosure, EnclosureLook *look, void *self, const OdeArc *arc);

/* The guard of an event between two places of the step. */
void enclosure_take(Enclosure *enclosure, size_t event, double from, double to, OdeRange *ret);

#endif
