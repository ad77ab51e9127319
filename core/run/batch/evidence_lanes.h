/* Inside core/run/: the evidence of runs in lanes at the ends of their steps, in rows of lanes. */
#ifndef CORE_RUN_BATCH_EVIDENCE_LANES_H
#define CORE_RUN_BATCH_EVIDENCE_LANES_H

#include <math.h>
#include <stddef.h>

#include "core/motion/step_end_lanes.h"
#include "core/run/state/run_state.h"

enum { RESIDUAL_NUMBERS = sizeof(Residual) / sizeof(double) };

typedef struct EvidenceLanes {
    const Model *model;
    const StepEndLanes *ends;
    size_t lanes;
    double *residuals;     /* [2 r][RESIDUAL_NUMBERS]: of velocities, of positions */
    double *relative;      /* [2 r]: at the end of the step that was looked at */
    double *sums;          /* EVIDENCE_SUMS */
    double *bounds;        /* 2 n: of Run */
    double *speed_squares; /* n */
} EvidenceLanes;

void evidence_lanes_init(EvidenceLanes *e, const Model *model, const StepEndLanes *ends,
                         Arena *arena);
/* The evidence of a run, or its sums alone, between the run and its lane. */
typedef enum LaneWay { INTO_LANE, OUT_OF_LANE } LaneWay;
void evidence_lanes_move(const EvidenceLanes *e, size_t lane, Run *run, LaneWay way);
void evidence_lanes_move_sums(const EvidenceLanes *e, size_t lane, Run *run, LaneWay way);
/* evidence_doubts() of a lane. */
static inline bool evidence_lanes_doubt(const EvidenceLanes *e, size_t lane)
{
    return !isnan(e->sums[offsetof(EvidenceSums, lost_t) / sizeof(double) * e->lanes + lane]);
}

/* Compiled once for each instruction set; whole blocks of lanes. */
typedef struct EvidenceKernel {
    /* Residuals after the corrections in `ends`; lanes beyond the bound leave the masks. */
    void (*look)(EvidenceLanes *e, double bound, int64_t *masks);
    /* evidence_projection(), evidence_take() and extent_widen() at t[lanes], y: q, v and work. */
    void (*take)(EvidenceLanes *e, const double *t, const double *y, const int64_t *masks);
} EvidenceKernel;
extern const EvidenceKernel evidence_kernel_sse2, evidence_kernel_avx2, evidence_kernel_avx512;

#endif
