/* A sample is reported before the step that it lies in ends. Its row is retained until the next one
 * comes, so that a step that ends at the sample still counts. */
#include "core/run/tell/instants.h"

#include <math.h>
#include <string.h>

static size_t row_length(const Run *run)
{
    return 1 + evidence_instant_size(run->at.model->r);
}

void instants_init(Run *run)
{
    Instants *instants = &run->evidence.instants;

    if (!run->rows.sink->evidence)
        return;
    instants->held = arena_doubles(&run->memory, row_length(run));
    instants->since = arena_doubles(&run->memory, row_length(run));
}

void instants_step(Run *run, double t, double h)
{
    const size_t r = run->at.model->r, n = evidence_instant_size(r);
    Instants *instants = &run->evidence.instants;
    double *held = instants->held;

    evidence_step(&run->evidence.motion, h);
    if (!instants->holds || held[0] != t)
        return;
    /* the step of the sample that is held: residuals and energy count by the largest, the rest by
     * the smallest */
    evidence_instant(&run->evidence.motion, instants->since);
    for (size_t i = 0; i < n; i++)
        held[1 + i] =
            i <= r ? fmax(held[1 + i], instants->since[i]) : fmin(held[1 + i], instants->since[i]);
}

Status instants_end(Run *run, Error *err)
{
    Instants *instants = &run->evidence.instants;

    if (!instants->holds)
        return OK;
    instants->holds = false;
    run->rows.sink_status =
        run->rows.sink->evidence(run->rows.sink->self, instants->held, row_length(run), err);
    return run->rows.sink_status;
}

Status instants_sample(Run *run, double t, Error *err)
{
    Instants *instants = &run->evidence.instants;

    if (!instants->held)
        return OK;
    const Status status = instants_end(run, err);
    if (status != OK)
        return status;
    instants->held[0] = t;
    evidence_instant(&run->evidence.motion, instants->held + 1);
    instants->holds = true;
    return OK;
}
