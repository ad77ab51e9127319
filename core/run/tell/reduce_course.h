/* Inside core/run/: one expression over one step of a motion that is reduced to numbers,
 * taken part by part. */
#ifndef CORE_RUN_TELL_REDUCE_COURSE_H
#define CORE_RUN_TELL_REDUCE_COURSE_H

#include "core/linear/step_parts.h"
#include "core/run/state/run_state.h"

/* Parts of a step that are looked at, at most, and how often one is halved. */
enum { COURSE_PARTS = 500, COURSE_HALVINGS = 50 };
/* Fraction of the largest value by which values may exceed those seen. Convention: intervals of a
 * nearly constant expression, such as an energy, stay wider than its changes for many halvings. */
static const double REDUCE_UNSEEN_FRACTION = 1e-4;

/* One expression over one step. */
typedef struct Course {
    Reduce *reduce;
    MotionState *at;
    const OdeArc *arc;
    Along *a;
    StepPart items[COURSE_HALVINGS + 2];
    StepParts parts;   /* still to be looked at */
    size_t left;       /* parts that may be looked at */
    double sum, mass;  /* mean: of theta on the step; of |the integrals| of its parts */
    double pole;       /* mean: the most that a part without a bound adds, .. */
    double pole_at;    /* .. and where it is */
    double blur;       /* mean: rounding error of values, if it was asked for */
    double best_at;    /* max: place of the best value; NAN: not on this step */
    double best_reach; /* and how far from it nothing was looked at */
} Course;

/* The inputs of expressions at a state; without multipliers if they read none. */
ObservedState reduce_state_at(MotionState *at, const Observed *observed, double t, const double *y);

/* The value at theta of the step; NAN, and reported, if it is not finite. */
double course_value(Course *course, double theta);
/* The whole step is to be looked at. */
void course_begin(Course *course);
/* The next part; false where none is left, or too many were looked at. */
bool course_next(Course *course, StepPart *ret);
/* The width that rounding and the path leave at one place. */
double course_doubt(Course *course);
/* Something in the step may have been missed, of that size at most. */
void course_note_unsure(Course *course, double size);

/* The largest or the least value of the step into course->a, by branch and bound. */
void course_take_extreme(Course *course);
/* The integral over the step into course->a; error: of the mean, relative. */
void course_take_mean(Course *course, double error);

#endif
