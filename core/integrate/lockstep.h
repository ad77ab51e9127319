/* Drives of one lane each whose steps are attempted together, in the lanes of one step: what a
 * step costs most, the rates and the sums of stages, is computed for all of them at once. All
 * else each drive does by itself, as it would alone, and with the same bits: where it starts,
 * how long its steps are, what it meets and how it ends.
 *
 * The seam between the two: a drive decides, and its own step has all that it looks at; the
 * lanes compute. A lane gets from its drive what has changed: where the step starts, unless it
 * is where the lane's last step has ended (drive_settle() says so), and what the error is
 * measured by, where that has become another. The drive gets from its lane what its decisions
 * need: the end of the step, its error, the rates there, the dense output where it asks for it.
 * In a step these are exchanged three times:
 *     drive_propose()   each drive's h       -> attempts, and corrections of their ends
 *     drive_judge()     the ends that stay   -> rates there
 *     drive_look()      who needs them       -> dense output
 *     drive_settle()    what was told        -> who goes on from there
 * In between each drive is served to its end before the next one, for what one reads fits into
 * the cache.
 *
 * Where nothing happens but steps even that is done for all lanes at once, and a drive is left
 * behind until something does (cruise.h).
 *
 * A drive that cannot go along, for a passage or because its system has become another one,
 * makes its steps alone in its lane. */
#ifndef CORE_INTEGRATE_LOCKSTEP_H
#define CORE_INTEGRATE_LOCKSTEP_H

#include "core/integrate/cruise.h"
#include "core/integrate/drive.h"
#include "core/integrate/lane_work.h"

/* What the drives have in common. Arrays of lanes are [component][lane]. */
typedef struct LockstepSystem {
    void *self;
    const OdeMethod *method; /* one that shares attempts */
    size_t dim, extra;
    double rtol, atol;
    /* As an OdeSystem's, with what each lane's own system would give. */
    void (*rates)(void *self, const double *t, const double *y, double *ret_rates, size_t lanes);
    double *(*place)(void *self);
    /* The drive of this lane is to take part in the attempt to come: false where its system has
     * become another one. */
    bool (*join)(void *self, size_t lane);
    /* The ends of all steps; those of these lanes are to be projected next by their drives.
     * NULL: nobody wants to know. t[lanes], y[dim + extra][lanes] */
    void (*ends)(void *self, const double *t, const double *y, const bool *lanes);
    const CruiseRuns *cruise; /* NULL: no lane cruises */
    LaneWork *work;           /* counted on; may be NULL */
} LockstepSystem;

typedef struct Lockstep Lockstep;

/* Borrows the system. */
Status lockstep_new(const LockstepSystem *system, size_t lanes, Lockstep **ret_lockstep,
                    Error *err) MUST_CHECK;
void lockstep_free(Lockstep *lockstep); /* NULL is fine */

/* The drive of a lane, which has been started; NULL: it is free. */
void lockstep_put(Lockstep *lockstep, size_t lane, Drive *drive);

/* A step of every drive. Those that are not running any more are to be put out before the next. */
void lockstep_step(Lockstep *lockstep);
/* Nothing has happened to the drive in it but a step, or that one is to be tried again: it is
 * under way, with what it had before. */
bool lockstep_cruised(const Lockstep *lockstep, size_t lane);
/* So it is with the drives of all lanes. */
bool lockstep_all_cruised(const Lockstep *lockstep);

#endif
