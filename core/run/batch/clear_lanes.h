/* Inside core/run/: expressions of a job over the steps of runs in lanes, evaluated at places of a
 * step for all lanes at once, and enclosed in boxes that contain the motion for some steps.
 *
 * The enclosure in a box holds for each step inside it. The path of such a step, as enclosure.h has
 * it, lies in the range compared with the box: an enclosure of the step alone is no wider. */
#ifndef CORE_RUN_BATCH_CLEAR_LANES_H
#define CORE_RUN_BATCH_CLEAR_LANES_H

#include "core/integrate/fast_path.h"
#include "core/prepare/observed.h"

/* An expression in a box. */
typedef struct ClearRange {
    Range range;  /* rates in t */
    double noise; /* so wide is its enclosure at one point */
} ClearRange;

typedef struct ClearLanes {
    size_t n, n_used, lanes; /* expressions; inputs that they read */
    size_t *used;
    Function values;    /* {0}: there are no expressions */
    DenseReach *reach;  /* [n_used]: over the step under way */
    DenseReach *boxes;  /* [n_used]: rates in t */
    bool *made;         /* [lanes]: there is a box */
    ClearRange *ranges; /* [lanes][n] in it */
    Range *inputs;      /* scratch */
} ClearLanes;

/* n expressions in the place of the guards of `observed`, that read t, q and v. Call
 * clear_lanes_done() also after a failure. */
Status clear_lanes_init(ClearLanes *clear, Observed *observed, size_t n, const double *params,
                        size_t lanes, Arena *arena, Error *err) MUST_CHECK;
void clear_lanes_done(ClearLanes *clear); /* {0} is fine */
/* Another run has the lane. */
void clear_lanes_slot(ClearLanes *clear, size_t lane, const double *params);

/* [n][lanes] at a place of the step, by its dense output, and at its end; until the next call. */
const double *clear_lanes_inside(ClearLanes *clear, const FastStep *step, double theta);
const double *clear_lanes_at_end(ClearLanes *clear, const FastStep *step);

/* The step that is looked at from now on. */
void clear_lanes_follow(ClearLanes *clear, const FastStep *step);
/* Is all that the lane does in it in the lane's box? Then `ranges` tell of it. */
bool clear_lanes_covers(const ClearLanes *clear, size_t lane, double h);
/* Makes a new box: the extent of this step, and `more` times that extent on either side. */
void clear_lanes_renew(ClearLanes *clear, size_t lane, double h, double more, Observed *observed);

#endif
