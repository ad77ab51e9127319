/* Jobs that differ in numbers only, of which the next ones are known: their initial states are made in lanes. */
#include "core/simulation/prepare/starts.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/memory.h"
#include "core/simulation/prepare/motion_starts.h"
#include "core/simulation/prepare/named_values.h"

/* So few are made alone as fast. */
enum { FEW = 4 };

struct Starts {
    Compiled *compiled;
    bool possible; /* to make any */
    InitialLanes lanes;
    MotionStarts motions;
    size_t n;
    Consistency consistency;
    int64_t made[INITIAL_LANES]; /* -1; 0: not */
    /* of the job that is added: its numbers, and its mistakes */
    double *q, *v, *params;
    bool *given;
    Arena *arena;
    Arena mistakes;
};

Status starts_new(Compiled *compiled, Starts **ret_starts, Error *err)
{
    const Model *m = compiled->model;
    Starts *s = alloc_array(1, sizeof *s);

    if (!s)
        return error_set(err, ERR_NO_MEMORY, "out of memory");
    s->compiled = compiled_ref(compiled);
    s->arena = arena_new(0);
    s->q = arena_doubles(s->arena, m->n);
    s->v = arena_doubles(s->arena, m->n);
    s->params = arena_doubles(s->arena, m->n_params);
    s->given = ARENA_NEW(s->arena, m->n, bool);
    Status status = arena_status(s->arena, err);
    if (status == OK)
        s->possible = initial_lanes_possible(m);
    if (status == OK && s->possible)
        status = initial_lanes_init(&s->lanes, compiled->programs, err);
    if (status == OK)
        *ret_starts = s;
    else
        starts_free(s);
    return status;
}

void starts_free(Starts *s)
{
    if (!s)
        return;
    motion_starts_done(&s->motions);
    initial_lanes_done(&s->lanes);
    compiled_unref(s->compiled);
    arena_done(&s->mistakes);
    arena_free(s->arena);
    free(s);
}

void starts_clear(Starts *s)
{
    s->n = 0;
}

/* Whether they are given by name, all of them, without a mistake. */
static bool read_state(Starts *s, const JobSpec *spec)
{
    const Model *m = s->compiled->model;
    const NamedTargets parameters = parameter_targets(m), coordinates = coordinate_targets(m),
                       velocities = velocity_targets(m);
    bool all = true;
    Diagnostics diag;

    arena_clear(&s->mistakes);
    diagnostics_init(&diag, &s->mistakes);
    memcpy(s->params, m->param_values, m->n_params * sizeof *s->params);
    memset(s->q, 0, m->n * sizeof *s->q);
    memset(s->v, 0, m->n * sizeof *s->v);
    memset(s->given, 0, m->n * sizeof *s->given);
    named_values_assign(spec->parameters, spec->n_parameters, &parameters, s->params, NULL, &diag);
    named_values_assign(spec->q, spec->n_q, &coordinates, s->q, NULL, &diag);
    named_values_assign(spec->v, spec->n_v, &velocities, s->v, s->given, &diag);
    for (size_t i = 0; i < m->n; i++)
        all = all && s->given[i];
    return all && diag.total == 0;
}

void starts_add(Starts *s, const JobSpec *spec)
{
    const bool named = !spec->boundary.given && !spec->in_chart && !spec->equilibrium.given;
    const bool reads = s->possible && spec->brief && named && read_state(s, spec);

    s->consistency = spec->consistency;
    if (reads)
        initial_lanes_put(&s->lanes, s->n, spec->t0, s->q, s->v, s->params);
    s->made[s->n++] = reads ? -1 : 0;
}

void starts_make(Starts *s, const Simulation *like)
{
    int64_t n = 0;

    memset(s->made + s->n, 0, (INITIAL_LANES - s->n) * sizeof *s->made);
    for (size_t k = 0; k < s->n; k++)
        n -= s->made[k];
    if (n >= FEW)
        initial_lanes_make(&s->lanes, s->consistency, s->made);
    else
        memset(s->made, 0, sizeof s->made);
    motion_starts_make(&s->motions, like, &s->lanes, s->made);
}

bool starts_take_state(StartAhead ahead, Simulation *s)
{
    if (!ahead.starts || !ahead.starts->made[ahead.k])
        return false;
    s->report.independent = s->rows;
    initial_lanes_take(&ahead.starts->lanes, ahead.k, s->eval, s->q, s->v, &s->report);
    return true;
}

void starts_take_motion(StartAhead ahead, Simulation *s)
{
    if (ahead.starts)
        motion_starts_take(&ahead.starts->motions, ahead.k, s);
}
