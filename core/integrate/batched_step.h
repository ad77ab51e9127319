/* Drives of one lane each whose steps are attempted together, in the lanes of one step: the
 * largest costs of a step, the rates and the sums of stages, are computed for all of them at
 * once. All else each drive does by itself, as it would alone, and with the same bits: its
 * start, the lengths of its steps, its events and its end.
 *
 * The seam between the two: a drive decides on the data of its own step; the lanes compute. A
 * lane gets the changes from its drive: the start of the step, unless it is the end of the lane's
 * last step (drive_settle() says so), and the weights of the error, if they are new. A drive gets
 * the basis of its decisions from its lane: the end of the step, its error, the rates there, and
 * the dense output if it asks for it. These are exchanged at four places of a step:
 *     drive_propose()   each drive's h         -> attempts, and corrections of their ends
 *     drive_judge()     the ends that stay     -> rates there
 *     drive_look()      the lanes in need      -> dense output
 *     drive_settle()    the reported steps     -> the lanes that go on from there
 * In between each drive is served to its end before the next one, because the data of one drive
 * fit into the cache.
 *
 * If nothing happens but steps, even the decisions are made for all lanes at once, and a drive
 * is left behind until something does (fast_path.h).
 *
 * A drive that cannot go along, for a passage or because its system has become another one,
 * makes its steps alone in its lane. */
#ifndef CORE_INTEGRATE_BATCHED_STEP_H
#define CORE_INTEGRATE_BATCHED_STEP_H

#include "core/integrate/drive.h"
#include "core/integrate/fast_path.h"
#include "core/integrate/lane_work.h"

/* The common part of the drives. Arrays of lanes are [component][lane]. */
typedef struct BatchedSystem {
    void *self;
    const OdeMethod *method; /* one that shares attempts */
    size_t dim, extra;
    double rtol, atol;
    /* As an OdeSystem's, with the results of each lane's own system. */
    void (*rates)(void *self, const double *t, const double *y, double *ret_rates, size_t lanes);
    double *(*place)(void *self);
    /* The drive of this lane is to take part in the next attempt; false: it has another system. */
    bool (*join)(void *self, size_t lane);
    /* The ends of all steps; those of these lanes are to be projected next by their drives.
     * NULL: nobody wants to know. t[lanes], y[dim + extra][lanes] */
    void (*ends)(void *self, const double *t, const double *y, const bool *lanes);
    const FastPathRuns *fast_path; /* NULL: no lane is on the fast path */
    LaneWork *work;                /* counted on; may be NULL */
} BatchedSystem;

typedef struct BatchedStep BatchedStep;

/* Borrows the system. `lanes` is a multiple of COMBINE_BLOCK. */
Status batched_step_new(const BatchedSystem *system, size_t lanes, BatchedStep **ret_batched_step,
                        Error *err) MUST_CHECK;
void batched_step_free(BatchedStep *batched_step); /* NULL is fine */

/* The drive of a lane, which has been started; NULL: it is free. */
void batched_step_put(BatchedStep *batched_step, size_t lane, Drive *drive);

/* A step of every drive. Those that are not running any more are to be put out before the next. */
void batched_step_step(BatchedStep *batched_step);
/* Only a step has happened to the drive, or is to be tried again: its values are from before. */
bool batched_step_cruised(const BatchedStep *batched_step, size_t lane);
/* So it is with the drives of all lanes. */
bool batched_step_all_cruised(const BatchedStep *batched_step);

#endif
