/* Inside core/run/: the fast path of a batch. It takes the steps in which nothing else happens to
 * the runs, for all lanes at once (core/integrate/fast_path.h). */
#ifndef CORE_RUN_BATCH_FAST_RUNS_H
#define CORE_RUN_BATCH_FAST_RUNS_H

#include "core/integrate/fast_path.h"
#include "core/model/watch_lanes.h"
#include "core/run/batch/evidence_lanes.h"
#include "core/run/batch/inside_lanes.h"

/* Of runs with the same equations, and ends of steps on the same constraints. */
typedef struct FastRuns {
    FastPathRuns runs; /* for the batched step */
    StepEndLanes *ends;
    EvidenceLanes evidence;
    const EvidenceKernel *kernel;
    bool watches_mass, watches_rank;
    MassRows mass;
    RankRows rank;
    const WatchKernel *watch;
    InsideLanes inside; /* if something is looked for within steps */
    Function drifts;    /* expressions whose drifts are taken at the ends of steps; {0}: of none */
    Run **slots;        /* [lanes]; NULL: none that may take the fast path */
    int64_t *steps;     /* [lanes]: Progress.steps of those that do, and .. */
    double *t0;         /* .. where they start */
    double *y;          /* scratch: a state */
    size_t lanes, size;
    Arena memory;
} FastRuns;

/* Watching what `first` does. Borrows `ends`. Call fast_runs_done() also after a failure. */
Status fast_runs_init(FastRuns *fast_path, const Run *first, StepEndLanes *ends,
                      Error *err) MUST_CHECK;
void fast_runs_done(FastRuns *fast_path); /* {0} is fine */
/* Whose lane it is; NULL: the lane takes no fast path. */
void fast_runs_slot(FastRuns *fast_path, size_t lane, Run *run);

#endif
