/* Properties of a moving frame q = g_t(x), apart from any motion in it. */
#ifndef CORE_MOTION_CHART_MOVING_FRAME_H
#define CORE_MOTION_CHART_MOVING_FRAME_H

#include "core/motion/chart/chart.h"

/* Expressions in the chart's pool. */
typedef struct MovingFrame {
    Expr *Omega; /* n, of x and time: (dg)^-1 d_t g, the velocity of the frame seen from itself */
    /* n, of q and time: the velocity d_t g of the frame's point at q. If g is not affine in x,
     * omega is given as a function of x instead. */
    Expr *omega;
    bool affine; /* g is affine in x */
    Expr *rest;  /* chart->n_left: phi'(x, 0, t); s + S omega for a constraint S v + s = 0 */
    Arena arena;
} MovingFrame;

/* For a chart of as many coordinates as the model, with its constraints (chart_init). */
Status moving_frame_init(MovingFrame *fields, const Chart *chart, Error *err) MUST_CHECK;
void moving_frame_done(MovingFrame *fields);

#endif
