/* A sample is reported before the step that it lies in ends. Its row is retained until the next one
 * comes, so that a step that ends at the sample still counts. */
#include "core/run/tell/instants.h"

#include <math.h>

static size_t row_length(size_t r)
{
    return 1 + evidence_instant_size(r);
}

void instants_init(Instants *instants, size_t r, Arena *memory)
{
    instants->held = arena_doubles(memory, row_length(r));
    instants->since = arena_doubles(memory, row_length(r));
}

void instants_step(RunEvidence *evidence, double t, double h)
{
    const size_t r = evidence->motion.model->r, n = evidence_instant_size(r);
    Instants *instants = &evidence->instants;
    double *held = instants->held;

    evidence_step(&evidence->motion, h);
    if (!instants->holds || held[0] != t)
        return;
    /* the step of the sample that is held: residuals and energy count by the largest, the rest by
     * the smallest */
    evidence_instant(&evidence->motion, instants->since);
    for (size_t i = 0; i < n; i++)
        held[1 + i] =
            i <= r ? fmax(held[1 + i], instants->since[i]) : fmin(held[1 + i], instants->since[i]);
}

Status instants_end(RunEvidence *evidence, RunRows *rows, Error *err)
{
    Instants *instants = &evidence->instants;

    if (!instants->holds)
        return OK;
    instants->holds = false;
    rows->sink_status = rows->sink->evidence(rows->sink->self, instants->held,
                                             row_length(evidence->motion.model->r), err);
    return rows->sink_status;
}

Status instants_sample(RunEvidence *evidence, RunRows *rows, double t, Error *err)
{
    Instants *instants = &evidence->instants;

    if (!instants->held)
        return OK;
    const Status status = instants_end(evidence, rows, err);
    if (status != OK)
        return status;
    instants->held[0] = t;
    evidence_instant(&evidence->motion, instants->held + 1);
    instants->holds = true;
    return OK;
}
