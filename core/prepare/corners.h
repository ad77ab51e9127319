/* Inside core/prepare/: corners past which no smooth motion goes on.
 *
 * The equations of motion hold on either side of a corner (abs, sign, min, max, if), and a motion
 * is carried across by its position and velocity. That is right where the corner is in a force or a
 * potential. It is not where a constraint jumps, where the velocity that a constraint demands does
 * (a shock), or where a momentum L_v does, which has to stay while the velocity jumps. */
#ifndef CORE_PREPARE_CORNERS_H
#define CORE_PREPARE_CORNERS_H

#include "core/motion/motion.h"
#include "core/program/function.h"

/* t, q, v -> model_continuous(), then the size of the terms of each. NULL where none has a
 * corner. */
Status corners_compile(const Model *model, Program **ret_program, Error *err) MUST_CHECK;

typedef struct Corners {
    const Model *model;
    Function function; /* of no program: nothing can jump */
    bool momenta;      /* they are not the state: what they do has to be looked at */
    double reach;      /* how far in t to either side */
    /* 2 r + n: what changes over the distance, and over half of it; the size of its terms */
    double *far, *near, *size;
} Corners;

/* Arrays are the arena's; whether there was memory, it tells. */
Status corners_init(Corners *corners, const Model *model, const Formulation *formulation,
                    const Program *program, const double *params, double span, Arena *arena,
                    Error *err) MUST_CHECK;
void corners_done(Corners *corners);

/* How far in t from a corner it is looked at. */
double corners_distance(const Corners *corners, double t);

/* At a corner that the motion through (q, v, vdot) at t meets: ERR_NUMERIC where something jumps
 * that must not. */
Status corners_check(Corners *corners, double t, const double *q, const double *v,
                     const double *vdot, Error *err) MUST_CHECK;

#endif
