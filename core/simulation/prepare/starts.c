/* Jobs that differ in numbers only, of which the next ones are known: their initial states are made in lanes. */
#include "core/simulation/prepare/starts.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/memory.h"
#include "core/simulation/prepare/motion_starts.h"
#include "core/simulation/prepare/named_values.h"

/* So few are made alone as fast. */
enum { FEW = 4 };

/* What the jobs give by name: of all of them the same names, in the same order. */
typedef struct NamedList {
    NamedTargets targets;
    const NamedValue *values;
    size_t n, *places; /* of the values in .. */
    double *target;
} NamedList;

enum { PARAMETERS, COORDINATES, VELOCITIES, N_LISTS };

struct Starts {
    Compiled *compiled;
    bool possible; /* to make any */
    bool known;    /* the lists are */
    NamedList lists[N_LISTS];
    bool *given; /* n: which velocities are in theirs */
    InitialLanes lanes;
    MotionStarts motions;
    size_t n;
    Consistency consistency;
    int64_t made[INITIAL_LANES]; /* -1; 0: not */
    Arena *arena;
};

Status starts_new(Compiled *compiled, Starts **ret_starts, Error *err)
{
    const Model *m = compiled->model;
    Starts *s = alloc_array(1, sizeof *s);

    if (!s)
        return error_set(err, ERR_NO_MEMORY, "out of memory");
    s->compiled = compiled_ref(compiled);
    s->arena = arena_new(0);
    s->lists[PARAMETERS] =
        (NamedList){.targets = parameter_targets(m),
                    .target = arena_copy_doubles(s->arena, m->param_values, m->n_params)};
    s->lists[COORDINATES] =
        (NamedList){.targets = coordinate_targets(m), .target = arena_doubles(s->arena, m->n)};
    s->lists[VELOCITIES] =
        (NamedList){.targets = velocity_targets(m), .target = arena_doubles(s->arena, m->n)};
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
    arena_free(s->arena);
    free(s);
}

void starts_clear(Starts *s)
{
    s->n = 0;
}

static void find_places(Starts *s, NamedList *list, const NamedValue *values, size_t n)
{
    list->values = values;
    list->n = n;
    list->places = arena_sizes(s->arena, n);
    s->possible =
        s->possible && list->places && named_values_find(values, n, &list->targets, list->places);
}

static void know_lists(Starts *s, const JobSpec *spec)
{
    find_places(s, &s->lists[PARAMETERS], spec->parameters, spec->n_parameters);
    find_places(s, &s->lists[COORDINATES], spec->q, spec->n_q);
    find_places(s, &s->lists[VELOCITIES], spec->v, spec->n_v);
    for (size_t k = 0; s->possible && k < spec->n_v; k++)
        s->given[s->lists[VELOCITIES].places[k]] = true;
    s->known = true;
}

/* Whether the numbers of the job are numbers; velocities that are not given are 0. */
static bool read_numbers(Starts *s)
{
    bool read = true;

    memset(s->lists[VELOCITIES].target, 0, s->compiled->model->n * sizeof(double));
    for (NamedList *list = s->lists; list < s->lists + N_LISTS; list++)
        read = read &&
               named_values_put(list->values, list->n, &list->targets, list->places, list->target);
    return read;
}

void starts_add(Starts *s, const JobSpec *spec)
{
    const bool named =
        !spec->boundary.given && !spec->in_chart && !spec->equilibrium.given && !spec->n_hold;
    const InitialState state = {.t = spec->t0,
                                .q = s->lists[COORDINATES].target,
                                .v = s->lists[VELOCITIES].target,
                                .v_given = s->given};

    s->consistency = spec->consistency;
    s->possible = s->possible && spec->brief && named;
    if (s->possible && !s->known)
        know_lists(s, spec);
    const bool put = s->possible && read_numbers(s) &&
                     initial_lanes_put(&s->lanes, s->n, &state, s->lists[PARAMETERS].target);
    s->made[s->n++] = put ? -1 : 0;
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
