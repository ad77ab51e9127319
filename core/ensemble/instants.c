/* The instants that all members have in common follow from the document alone. */
#include "core/ensemble/instants.h"

#include <string.h>

#include "core/simulate.h"

bool instants_vary(const DesignSpec *design)
{
    for (size_t a = 0; a < design->n_axes; a++)
        if (strcmp(design->axes[a].path, "time.end") == 0 ||
            strcmp(design->axes[a].path, "initial.t") == 0)
            return true;
    return false;
}

static Status parts_of(uint64_t n, uint64_t most, Arena *arena, Instants *ret, Error *err)
{
    Instants instants = {.parts = true, .n = n};

    if (n <= most) {
        double *t = arena_doubles(arena, (size_t)n);
        for (uint64_t k = 0; t && k < n; k++)
            t[k] = (double)k / (double)(n - 1);
        if (!t)
            return arena_status(arena, err);
        instants.t = t;
    }
    *ret = instants;
    return OK;
}

Status instants_of(const JobSpec *job, const DesignSpec *design, uint64_t most, Arena *arena,
                   Instants *ret_instants, Error *err)
{
    const TimeSpec *time = &job->time;

    *ret_instants = (Instants){0};
    if (!instants_vary(design))
        return simulation_times(job, most, arena, &ret_instants->t, &ret_instants->n, err);
    if (time->kind == TIME_SAMPLES)
        return parts_of(time->samples, most, arena, ret_instants, err);
    if (time->kind == TIME_EVERY)
        return error_set(
            err, ERR_INVALID,
            "the members' samples are at different instants: give time.samples instead "
            "of time.every");
    /* listed instants do not depend on the beginning of a member */
    *ret_instants = (Instants){.n = time->n_at};
    if (time->n_at <= most)
        ret_instants->t = arena_copy_doubles(arena, time->at, time->n_at);
    return arena_status(arena, err);
}
