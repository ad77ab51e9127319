/* A step across an instant at which the rates are singular though the motion is smooth.
 *
 * Collocation at Gauss' points (Kuntzmann 1961, Butcher 1964; Hairer, Norsett, Wanner, Solving
 * Ordinary Differential Equations I, section II.7), symmetric about the instant: of an even number
 * of points none is near the middle, and the polynomial through them is the motion's analytic
 * continuation. Each point is put onto the constraints as it is found.
 *
 * If two such steps are solved and agree, of which the second starts on the first and is shorter,
 * the motion goes on along them. */
#ifndef CORE_INTEGRATE_PASSAGE_H
#define CORE_INTEGRATE_PASSAGE_H

#include "core/integrate/history.h"
#include "core/integrate/method.h"

enum { PASSAGE_POINTS = 12 };

/* The polynomial through the points, and the rates at them. */
typedef struct Collocation {
    double t, reach;
    double *start;  /* rows: the state at t */
    double *rates;  /* PASSAGE_POINTS x rows */
    double *points; /* PASSAGE_POINTS x rows */
} Collocation;

/* States are those of `smooth` where there is one, else of the system. */
typedef struct Passage {
    const OdeSystem *system;
    const OdeSmooth *smooth;
    size_t dim, rows;         /* as in an OdeStep */
    Collocation whole, inner; /* inner: shorter, about the same instant */
    double *state, *other;    /* rows: scratch */
    double *least;            /* rows: of what is computed, less than these counts less */
    double *size;             /* rows: the factor of atol .. */
    double *noise, *carried;  /* .. and rounding errors of the rates, as in an OdeStep */
    bool tried, solved;
    const OdeStep *step; /* which it takes the place of */
    OdeArc arc;
} Passage;

/* Of its states: those of the system's smooth variables where it has such, with the quadratures. */
size_t passage_rows(const OdeSystem *system);
void passage_lay_out(Passage *passage, const OdeSystem *system, Cutter *cutter);

/* Adds the state of a step, and its rates there, to the history from which a passage goes on. */
void passage_remember(Passage *passage, const OdeStep *step, History *history);

/* The next one begins at theta on the arc, one of the same variables, and is `reach` long; the
 * first guess of the states at the points is where the arc goes on to. */
void passage_prepare(Passage *passage, const OdeArc *before, double theta, double reach);

double passage_from(const Passage *passage);
double passage_end(const Passage *passage);
/* The rates of all rows at a time inside. In smooth variables the rates of the system are not
 * known from the passage: ret_rates stays as it was evaluated, or 0 if there was no value. */
void passage_rates(const Passage *passage, double t, double *ret_rates);

/* A method for a step of one lane; step->work is the Passage. A failed attempt errs infinitely. */
extern const OdeMethod ode_passage;

#endif
