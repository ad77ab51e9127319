/* The cost of an ensemble: the cost of a few members spread over its design, scaled to all
 * members. */
#include "api/ensemble_cost.h"

#include <inttypes.h>
#include <math.h>

/* Members whose samples are counted, and members that are set up for an estimate. */
enum { COUNTED = 1000, TRIED = 5 };

/* The number of the i-th of n members that are spread evenly over all. */
static uint64_t spread(uint64_t count, uint64_t i, uint64_t n)
{
    return count <= n ? i : (uint64_t)((double)(count - 1) / (double)(n - 1) * (double)i);
}

static uint64_t least_of(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

static double samples_of(const JobSpec *job)
{
    const TimeSpec *time = &job->time;

    switch (time->kind) {
    case TIME_SAMPLES:
        return (double)time->samples;
    case TIME_EVERY:
        return floor(fabs(time->end - job->initial.t) / time->every) + 1;
    case TIME_AT:
        return (double)time->n_at;
    }
    return 0;
}

double ensemble_samples(Ensemble *ensemble)
{
    const uint64_t count = design_count(ensemble_design(ensemble)), n = least_of(count, COUNTED);
    double sum = 0;

    for (uint64_t i = 0; i < n; i++)
        sum += samples_of(ensemble_member(ensemble, spread(count, i, n)));
    return sum / (double)n;
}

double ensemble_bytes(Ensemble *ensemble, EnsembleKeep keep)
{
    const uint64_t members = design_count(ensemble_design(ensemble));
    const char *const *names;
    double row = (double)ensemble_columns(ensemble, &names);

    if (keep == KEEP_TRAJECTORIES)
        row += ensemble_samples(ensemble) * (double)ensemble_table_columns(ensemble, &names);
    return (double)members * row * sizeof(double) +
           over_time_bytes(ensemble_over_time(ensemble), members);
}

/* The estimate of one member. *ret_why: the reason why it cannot start; NULL: it can start. */
static Status estimate_member(Ensemble *ensemble, uint64_t k, Compiled *compiled, Arena *arena,
                              SimulationEstimate *ret, const char **ret_why, Error *err)
{
    Simulation *simulation = NULL;
    Diagnostics *diag = ARENA_NEW(arena, 1, Diagnostics);
    Error own = {0};

    if (!diag)
        return arena_status(arena, err);
    diagnostics_init(diag, arena);
    /* set up the member, and keep the reason if that fails */
    Status status =
        simulation_new(compiled, ensemble_member(ensemble, k), NULL, diag, &simulation, &own);
    *ret_why = NULL;
    if (status != OK)
        *ret_why = diag->count ? diag->items[0].message : arena_strdup(arena, own.message);
    /* a member that cannot start is no error, but lack of memory is */
    if (status == OK)
        status = simulation_estimate(simulation, arena, ret, err);
    else if (diag->no_memory)
        status = error_set(err, ERR_NO_MEMORY, "out of memory");
    else if (status != ERR_NO_MEMORY && status != ERR_INTERNAL)
        status = arena_status(arena, err);
    else
        error_set(err, status, "%s", own.message);
    simulation_free(simulation);
    return status;
}

Status ensemble_estimate(Ensemble *ensemble, Compiled *compiled, Arena *arena,
                         SimulationEstimate *ret, const char **ret_warning, Error *err)
{
    const uint64_t count = design_count(ensemble_design(ensemble)), n = least_of(count, TRIED);
    SimulationEstimate sum = {0};
    const char *reason = NULL;
    uint64_t bad = 0, first = 0;
    const double weight = (double)count / (double)n;

    /* the estimate of the last member that can start, with the scaled work of all of these */
    for (uint64_t i = 0; i < n; i++) {
        SimulationEstimate one = {0};
        const char *why = NULL;
        const uint64_t k = spread(count, i, n);
        Status status = estimate_member(ensemble, k, compiled, arena, &one, &why, err);
        if (status != OK)
            return status;
        if (why && bad++ == 0) {
            first = k;
            reason = why;
        }
        if (why)
            continue;
        const double evaluations = sum.evaluations, operations = sum.operations;
        sum = one;
        sum.evaluations = evaluations + weight * one.evaluations;
        sum.operations = operations + weight * one.operations;
    }
    *ret = sum;
    /* a warning about the members that cannot start */
    *ret_warning = NULL;
    if (bad)
        *ret_warning = arena_printf(arena,
                                    "%" PRIu64 " of %" PRIu64 " tested members cannot start, the "
                                    "first of them member %" PRIu64 ": %s",
                                    bad, n, first, reason);
    return arena_status(arena, err);
}
