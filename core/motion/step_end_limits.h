/* Shared by the end of a step of one trajectory (step_end_eval.c) and of several in lanes
 * (step_end_lanes.c): the limits, and the places of the outputs of the program. */
#ifndef CORE_MOTION_STEP_END_LIMITS_H
#define CORE_MOTION_STEP_END_LIMITS_H

#include "core/model/residuals.h"
#include "core/motion/step_end.h"

/* The outputs of the program, in rows of lanes: see StepEndPlaces. */
typedef struct StepEndOutputs {
    const double *energy, *f, *phi;
    const double *v, *look, *regularity, *q, *matrices, *changing;
} StepEndOutputs;

static inline StepEndOutputs step_end_outputs(const StepEnd *end, const double *out, size_t lanes)
{
    const StepEndPlaces *at = &end->places;

    return (StepEndOutputs){.energy = out,
                            .f = out + at->f * lanes,
                            .phi = out + at->phi * lanes,
                            .v = out + at->v * lanes,
                            .look = out + at->look * lanes,
                            .regularity = out + at->regularity * lanes,
                            .q = out + at->q * lanes,
                            .matrices = out + at->matrices * lanes,
                            .changing = out + at->changing * lanes};
}

#endif
