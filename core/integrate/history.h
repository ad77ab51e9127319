/* The last states of a motion, and where they lead: Hermite's interpolation of the states and their
 * rates (Stoer, Bulirsch, Introduction to Numerical Analysis, section 2.1.5). */
#ifndef CORE_INTEGRATE_HISTORY_H
#define CORE_INTEGRATE_HISTORY_H

#include "core/integrate/method.h"

enum { HISTORY_STATES = 4 };

typedef struct History {
    size_t rows, n; /* the number of states, the oldest first */
    double t[HISTORY_STATES];
    double *y[HISTORY_STATES], *rates[HISTORY_STATES]; /* [rows] each */
    double *differences; /* [2 HISTORY_STATES][rows]: divided, of the last history_interpolate() */
} History;

void history_lay_out(History *history, size_t rows, Cutter *cutter);

void history_forget(History *history);
void history_add(History *history, double t, const double *y, const double *rates);

/* Takes the divided differences of all states; the two functions below go by them. */
void history_interpolate(History *history);
/* How far it can be followed beyond t, |far| or less: while its last terms matter little. */
double history_trust(const History *history, double t, double far);
void history_state(const History *history, double t, double *ret_y);

#endif
