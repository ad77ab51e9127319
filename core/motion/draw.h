/* Random states near the start of a motion, with the job's parameters. Questions that the
 * symbolic graph leaves open (is this expression zero?) are decided by values at these states. */
#ifndef CORE_MOTION_DRAW_H
#define CORE_MOTION_DRAW_H

#include "core/base/random.h"
#include "core/motion/formulation.h"

typedef struct Draw {
    const MotionQuestion *question;
    const ExprPool *pool;
    Random random;
    double width;         /* largest distance from the start, in sizes */
    double *size, *speed; /* n: of the model's coordinates and velocities, and of its time */
    double time;
    double *symbols; /* model->sym.first_free */
} Draw;

/* `pool` is a clone of the model's, for expressions of its symbols. Lives in the arena. */
Status draw_init(Draw *draw, const MotionQuestion *question, const ExprPool *pool, Arena *arena,
                 Error *err) MUST_CHECK;

/* Draws t, coordinates and velocities within their sizes of the start. The sizes are the model's
 * own (core/model/kinds.h). The velocities need not satisfy the constraints. */
void draw_anew(Draw *draw);
/* Draw one coordinate, one velocity or the time anew. */
void draw_coordinate(Draw *draw, size_t i);
void draw_velocity(Draw *draw, size_t i);
void draw_time(Draw *draw);

/* Sets the time and the coordinates. */
void draw_place(Draw *draw, double t, const double *q);

/* Returns false if a value is not finite; later states are then drawn closer to the start. */
bool draw_eval(Draw *draw, const Expr *roots, size_t n, double *ret_values);

#endif
