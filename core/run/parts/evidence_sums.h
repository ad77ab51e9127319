/* Inside core/run/: what the evidence of a run counts and sums from step to step. The rules are in
 * evidence_blocks.h, for one motion and for motions in lanes. */
#ifndef CORE_RUN_PARTS_EVIDENCE_SUMS_H
#define CORE_RUN_PARTS_EVIDENCE_SUMS_H

#include <stddef.h>
#include <stdint.h>

/* Residual statistics of one constraint at one level. */
typedef struct Residual {
    double max, sum_squares, max_absolute;
    double rounding; /* the largest up to now: where a motion comes to rest, its velocities tell
                        nothing about what rounding has left in them */
    double since;    /* the largest since evidence_instant(); less than 0: none was taken */
} Residual;

/* Counts and sums over the steps. All members are as large as a double, because they also lie in
 * rows of lanes (evidence_lanes.h). */
typedef struct EvidenceSums {
    uint64_t states;                                        /* at which residuals were taken */
    double energy_start, energy_last, terms_max, max_drift; /* terms_max: of E */
    double projection_work, balance_max, work_max;
    /* the size of the energy up to now */
    double start_t, last_t;
    double terms_start, terms_last, terms_integral; /* sizes of the terms of E; over time */
    double work_last, power_root;                   /* the last, the integral of sqrt(|power|) */
    double impact_swing;                            /* the sum of |jumps of E| by events */
    double impact_work;
    double believable;     /* result_believable_energy() */
    double lost_t;         /* time at which the imbalance became unbelievable; NAN: never */
    double lost_most;      /* the largest since, relative to the turnover */
    double bound_integral; /* of evidence_spare(), over time */
    struct {
        uint64_t count;
        double max_dq, max_dv, sum_dq2, sum_dv2;
    } projection;
} EvidenceSums;
enum { EVIDENCE_SUMS = sizeof(EvidenceSums) / sizeof(double) };

#endif
