/* The cost of runs beside each other: counted, not timed. */
#ifndef CORE_INTEGRATE_LANE_WORK_H
#define CORE_INTEGRATE_LANE_WORK_H

#include <stdint.h>

/* The runs have made shared + alone attempts of steps; with every lane in use, attempts together
 * would have been that sum over the number of lanes. */
typedef struct LaneWork {
    uint64_t together; /* attempts of all lanes at once, with or without a step to make .. */
    uint64_t shared;   /* .. and the steps of runs in them */
    uint64_t alone;    /* attempts of one run in its lane */
    uint64_t cruised;  /* of shared: those after which nothing was asked of the run itself */
} LaneWork;

#endif
