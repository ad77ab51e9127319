/* Inside core/simulation/: corners past which no smooth motion goes on.
 *
 * The equations of motion hold on either side of a corner (abs, sign, min, max, if), and a motion
 * is carried across by its position and velocity. That is right where the corner is in a force or a
 * potential. It is not where a constraint jumps, where the velocity that a constraint demands does
 * (a shock), or where a momentum L_v does, which has to stay while the velocity jumps. */
#ifndef CORE_SIMULATION_RUN_CORNERS_H
#define CORE_SIMULATION_RUN_CORNERS_H

#include "core/motion/motion.h"

/* t, q, v -> model_continuous(), then the size of the terms of each. NULL where none has a corner.
 */
Status jumps_compile(const Model *model, Program **ret_program, Error *err) MUST_CHECK;

typedef struct Jumps {
    const Model *model;
    const Program *program; /* NULL: nothing can jump */
    bool momenta;           /* they are not the state: what they do has to be looked at */
    double reach;           /* how far in t to either side */
    double *block, *in, *out, *work;
    /* 2 r + n: what changes over the distance, and over half of it; the size of its terms */
    double *far, *near, *size;
} Jumps;

Status jumps_init(Jumps *jumps, const Model *model, const Formulation *formulation,
                  const Program *program, const double *params, double span, Error *err) MUST_CHECK;
void jumps_done(Jumps *jumps);

/* How far in t from a corner it is looked at. */
double jumps_distance(const Jumps *jumps, double t);

/* At a corner that the motion through (q, v, vdot) at t meets: ERR_NUMERIC where something jumps
 * that must not. */
Status jumps_check(Jumps *jumps, double t, const double *q, const double *v, const double *vdot,
                   Error *err) MUST_CHECK;

#endif
