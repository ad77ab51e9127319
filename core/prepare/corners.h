/* Inside core/prepare/: corners that no smooth motion passes.
 *
 * The equations of motion hold on either side of a corner (abs, sign, min, max, if). A motion keeps
 * its position and velocity across it. This is right for a corner of a force or a potential. It is
 * wrong in three cases: a constraint jumps, the velocity that a constraint demands jumps (a shock),
 * or a momentum L_v jumps, which must be continuous while the velocity jumps. */
#ifndef CORE_PREPARE_CORNERS_H
#define CORE_PREPARE_CORNERS_H

#include "core/motion/motion.h"
#include "core/program/function.h"

/* t, q, v -> model_continuous(), then the size of the terms of each. NULL if the model has no
 * corner. */
Status corners_compile(const Model *model, Program **ret_program, Error *err) MUST_CHECK;

typedef struct Corners {
    const Model *model;
    Function function; /* the caller's to release; without a program if nothing can jump */
    bool momenta;      /* momenta are checked, because they are not the state */
    double reach;      /* distance in t to either side */
    /* 2 r + n: the changes over the distance and over half of it; the sizes of the terms */
    double *far, *near, *size;
} Corners;

/* Arrays live in the arena, which also has the status of memory. */
Status corners_init(Corners *corners, const Model *model, const Formulation *formulation,
                    const Program *program, const double *params, double span, Arena *arena,
                    Error *err) MUST_CHECK;

/* The distance in t from a corner at which values are compared. */
double corners_distance(const Corners *corners, double t);

/* At a corner that the motion through (q, v, vdot) at t meets: ERR_NUMERIC if f, phi or L_v
 * jumps. */
Status corners_check(Corners *corners, double t, const double *q, const double *v,
                     const double *vdot, Error *err) MUST_CHECK;

#endif
