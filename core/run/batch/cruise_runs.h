/* Inside core/run/: the fast path of a batch. It takes the steps in which nothing else happens to
 * the runs, for all lanes at once (core/integrate/cruise.h). */
#ifndef CORE_RUN_BATCH_CRUISE_RUNS_H
#define CORE_RUN_BATCH_CRUISE_RUNS_H

#include "core/integrate/cruise.h"
#include "core/model/watch_lanes.h"
#include "core/run/batch/evidence_lanes.h"
#include "core/run/batch/inside_lanes.h"

/* Of runs with the same equations, and ends of steps on the same constraints. */
typedef struct CruisingRuns {
    CruiseRuns runs; /* for the lockstep */
    StepEndLanes *ends;
    EvidenceLanes evidence;
    const EvidenceKernel *kernel;
    bool watches_mass, watches_rank;
    MassLanes mass;
    RankLanes rank;
    const WatchKernel *watch;
    InsideLanes inside; /* if something is looked for within steps */
    bool looks_inside;
    Function drifts; /* expressions whose drifts are taken at the ends of steps; {0}: of none */
    Run **seats;     /* [lanes]; NULL: none that may cruise */
    int64_t *steps;  /* [lanes]: Run.steps of those that do, and .. */
    double *t0;      /* .. where they start */
    double *y;       /* scratch: a state */
    size_t lanes, size;
    Arena memory;
} CruisingRuns;

/* Watching what `first` does. Borrows `ends`. cruising_runs_done() in any case. */
Status cruising_runs_init(CruisingRuns *cruising, const Run *first, StepEndLanes *ends,
                          Error *err) MUST_CHECK;
void cruising_runs_done(CruisingRuns *cruising); /* {0} is fine */
/* Whose lane it is; NULL: nobody's who may cruise. */
void cruising_runs_seat(CruisingRuns *cruising, size_t lane, Run *run);

#endif
