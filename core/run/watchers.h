/* Inside core/run/: all that looks at the steps and samples of a run, one table in a stated order.
 *
 *     begin of the run     watchers_begin() makes the list of those that have something to do
 *     end of each step     watchers_step() asks them in the order of the table, which is that of
 *                          what they change: the state, the equations, the evidence, the rows
 *     each sample          watchers_sample(), in the same order
 *
 * To add one: write its functions in a file of its own, which takes parts of the run, and a row in
 * the table of watchers.c. On the fast path of ensembles (batch/fast_runs.h) `step` is not called.
 * A watcher with `step` therefore keeps its run off the fast path, unless fast_runs.c does the same
 * for lanes of members: then the row says IN_LANES. Attempts of steps are shared in either case. */
#ifndef CORE_RUN_WATCHERS_H
#define CORE_RUN_WATCHERS_H

#include "core/run/state/run_state.h"

/* The end of a step of length h, or the start of the motion (h = 0). */
typedef struct StepSeen {
    double t, h;
    const double *y;
} StepSeen;

/* A sample: number k. */
typedef struct SampleSeen {
    size_t k;
    double t;
    const double *y;
} SampleSeen;

typedef enum WatcherFlag {
    IN_LANES = 1, /* fast_runs.c does the work of `step` for lanes of members */
    ALWAYS = 2, /* `step` is called though a watcher before it has ended the run; it cannot fail */
} WatcherFlag;

/* Functions may be NULL. */
struct Watcher {
    const char *name;
    /* Does the run need it at all? NULL: every run does. Does not change in a run. */
    bool (*wanted)(const Run *run);
    Status (*step)(Run *run, const StepSeen *seen, Error *err);
    Status (*sample)(Run *run, const SampleSeen *seen, Error *err);
    unsigned flags; /* WatcherFlag */
    /* With IN_LANES, or without `step`: true if the run never takes the fast path. */
    bool (*alone)(const Run *run);
    bool (*busy)(const Run *run); /* with IN_LANES: true while it must see the next step itself */
};

/* When all else of the run is known. */
void watchers_begin(Run *run);
/* For OdeObserver; self is the run. */
Status watchers_step(void *self, double t, double h, const double *y, Error *err) MUST_CHECK;
Status watchers_sample(void *self, size_t k, double t, const double *y, Error *err) MUST_CHECK;

/* Whether the next step of the run has to be made off the fast path. */
bool watchers_want_next_step(const Run *run);

#endif
