/* Inside core/run/: events and reductions over the steps of runs on the fast path, for all lanes at
 * once. A lane stays if no guard can vanish within the step, no extreme is inside it and no part of
 * an integral needs a closer look. The retained values are bit for bit those of the run alone. */
#ifndef CORE_RUN_BATCH_INSIDE_LANES_H
#define CORE_RUN_BATCH_INSIDE_LANES_H

#include "core/run/batch/clear_lanes.h"
#include "core/run/state/run_state.h"

typedef struct InsideLanes {
    Run **slots; /* [lanes] */
    size_t lanes, n_guards,
        n_along; /* 0: none is looked for roots; nothing is taken along the motion */
    ClearLanes guards, along;
    bool takes_extremes, takes_means;
    double *ends,
        *sizes; /* [n_guards][lanes]: values at the end of the step, the largest |values| in it */
    double *first, *last; /* [n_along][lanes]: values at its ends, by the dense output */
    double *nodes;        /* [QUADRATURE_NODES][n_along][lanes] */
    Along *next;          /* [lanes][n_along]: once the step is accepted */
} InsideLanes;

/* Are there guards or expressions to look at within steps, and can that be done in lanes? */
bool inside_lanes_wanted(const Run *run);
bool inside_lanes_possible(const Run *run);
/* Of what runs like `first` look for. Borrows slots. inside_lanes_done() also after a failure. */
Status inside_lanes_init(InsideLanes *inside, const Run *first, Run **slots, size_t lanes,
                         Arena *arena, Error *err) MUST_CHECK;
void inside_lanes_done(InsideLanes *inside); /* {0} is fine */
/* Another run has the lane. */
void inside_lanes_slot(InsideLanes *inside, size_t lane);

/* Lanes in which something may happen go out of the masks. */
void inside_lanes_look(InsideLanes *inside, const FastStep *step, int64_t *masks);
/* The step is accepted. */
void inside_lanes_take(InsideLanes *inside, const FastStep *step, const int64_t *masks);

#endif
