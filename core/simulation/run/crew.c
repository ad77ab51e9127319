/* Runs beside each other. The first one decides what is shared: others that have the same equations of motion join
 * it, each with parameters of its own, and a lane whose run has ended takes the next one at once. Those that have
 * other equations, or a method that shares nothing, are run alone. */
#include "core/simulation/run/crew.h"

#include <stdlib.h>

#include "core/base/memory.h"
#include "core/integrate/lockstep.h"
#include "core/simulation/run/run.h"

/* A lane; its run does not move while it is under way. */
typedef struct Seat {
    Run run;
    bool taken;
    bool shares_end; /* the corrections at the ends of steps */
} Seat;

typedef struct Crew {
    const SimulationQueue *queue;
    size_t lanes;
    Seat *seats;
    StepEndEval **corrected; /* [lanes] scratch */
    bool none;               /* to begin, the queue has said, and nothing has ended since */
    /* what the first run has brought; lockstep NULL: none has come yet */
    Lockstep *lockstep;
    LockstepSystem system;
    const Motion *motion;
    RateLanes rates;
    StepEndLanes ends;
} Crew;

static void crew_rates(void *self, const double *t, const double *y, double *ret_rates,
                       size_t lanes)
{
    Crew *crew = self;
    (void)lanes;
    rate_lanes_eval(&crew->rates, t, y, ret_rates);
}

static double *crew_place(void *self)
{
    Crew *crew = self;
    return rate_lanes_place(&crew->rates);
}

/* The run may have other equations by now. */
static bool crew_join(void *self, size_t lane)
{
    Crew *crew = self;
    const Run *run = &crew->seats[lane].run;

    if (run->s->motion != crew->motion)
        return false;
    rate_lanes_take(&crew->rates, lane, run->equations);
    return true;
}

static void crew_ends(void *self, const double *t, const double *y, const bool *lanes)
{
    Crew *crew = self;

    for (size_t k = 0; k < crew->lanes; k++)
        crew->corrected[k] =
            lanes[k] && crew->seats[k].shares_end ? &crew->seats[k].run.evidence.end : NULL;
    step_end_lanes_eval(&crew->ends, t, y, crew->corrected);
}

/* States of the motion are those of the model, and end steps on the constraints. */
static bool has_plain_ends(const Run *run)
{
    return run->s->motion->plain && run->system.project != NULL && run->evidence.end.end->correct;
}

static Status found_crew(Crew *crew, Run *run, Error *err)
{
    const Simulation *s = run->s;

    crew->motion = s->motion;
    crew->system = (LockstepSystem){.self = crew,
                                    .method = s->method,
                                    .dim = run->system.dim,
                                    .extra = run->system.extra,
                                    .rtol = s->options.rtol,
                                    .atol = s->options.atol,
                                    .rates = crew_rates,
                                    .place = crew_place,
                                    .join = crew_join,
                                    .ends = has_plain_ends(run) ? crew_ends : NULL};
    Status status = rate_lanes_init(&crew->rates, s->motion, s->params, crew->lanes, err);
    if (status == OK)
        status =
            step_end_lanes_init(&crew->ends, run->evidence.end.end, s->params, crew->lanes, err);
    return status == OK ? lockstep_new(&crew->system, crew->lanes, &crew->lockstep, err) : status;
}

static bool may_share(const Run *run)
{
    return run->s->method->shares_attempts && !run->sensitivities;
}

static bool fits(const Crew *crew, const Run *run)
{
    const Simulation *s = run->s;

    return s->motion == crew->motion && s->method == crew->system.method &&
           s->options.rtol == crew->system.rtol && s->options.atol == crew->system.atol;
}

static void take_seat(Crew *crew, size_t lane)
{
    Seat *seat = &crew->seats[lane];
    const double *params = seat->run.s->params;

    seat->taken = true;
    seat->shares_end = crew->system.ends && seat->run.evidence.end.end == crew->ends.end;
    rate_lanes_bind(&crew->rates, lane, params);
    if (seat->shares_end)
        step_end_lanes_bind(&crew->ends, lane, params);
    lockstep_put(crew->lockstep, lane, &seat->run.drive);
}

static Status tell_end(Crew *crew, Simulation *s, Status status, const SimulationResult *result,
                       Error *err)
{
    return status == OK ? crew->queue->ended(crew->queue->self, s, result, err) : status;
}

static Status end_run(Crew *crew, Run *run, Error *err)
{
    Simulation *s = run->s;
    SimulationResult result;

    crew->none = false;
    Status status = run_report(run, &result, err);
    run_done(run);
    return tell_end(crew, s, status, &result, err);
}

/* A simulation starts: it takes the lane, or is run alone to its end. */
static Status begin(Crew *crew, size_t lane, Simulation *s, const SimulationSink *sink, Error *err)
{
    Seat *seat = &crew->seats[lane];
    Run *run = &seat->run;

    Status status = run_start(run, s, sink, err);
    if (status == OK && run_under_way(run) && may_share(run)) {
        if (!crew->lockstep)
            status = found_crew(crew, run, err);
        if (status == OK && fits(crew, run)) {
            take_seat(crew, lane);
            return OK;
        }
    }
    while (status == OK && run_under_way(run))
        drive_step(&run->drive);
    if (status == OK)
        return end_run(crew, run, err);
    run_done(run);
    return status;
}

/* The next simulation that stays in the lane; those that have ended by then were told. */
static Status fill(Crew *crew, size_t lane, Error *err)
{
    Status status = OK;

    while (status == OK && !crew->none && !crew->seats[lane].taken) {
        Simulation *s = NULL;
        const SimulationSink *sink = NULL;
        status = crew->queue->next(crew->queue->self, lane, &s, &sink, err);
        crew->none = status == OK && !s;
        if (status != OK || !s)
            break;
        if (s->n_others == 0 && !s->finer) {
            status = begin(crew, lane, s, sink, err);
            continue;
        }
        SimulationResult result;
        status = simulation_run(s, sink, &result, err);
        status = tell_end(crew, s, status, &result, err);
    }
    return status;
}

/* Ends the run of a lane that is not under way any more. */
static Status vacate(Crew *crew, size_t lane, Error *err)
{
    Seat *seat = &crew->seats[lane];

    if (!seat->taken || run_under_way(&seat->run))
        return OK;
    seat->taken = false;
    lockstep_put(crew->lockstep, lane, NULL);
    return end_run(crew, &seat->run, err);
}

/* A step of all lanes; *ret_any: there was one to make. */
static Status make_step(Crew *crew, bool *ret_any, Error *err)
{
    Status status = OK;

    *ret_any = false;
    for (size_t k = 0; status == OK && k < crew->lanes; k++) {
        status = fill(crew, k, err);
        *ret_any = *ret_any || crew->seats[k].taken;
    }
    if (status == OK && *ret_any)
        lockstep_step(crew->lockstep);
    for (size_t k = 0; status == OK && k < crew->lanes; k++)
        status = vacate(crew, k, err);
    return status;
}

Status crew_run(const SimulationQueue *queue, size_t lanes, Error *err)
{
    Crew crew = {.queue = queue,
                 .lanes = lanes,
                 .seats = alloc_array(lanes, sizeof(Seat)),
                 .corrected = alloc_array(lanes, sizeof(StepEndEval *))};
    Status status =
        crew.seats && crew.corrected ? OK : error_set(err, ERR_NO_MEMORY, "out of memory");
    bool any = true;

    while (status == OK && any)
        status = make_step(&crew, &any, err);
    for (size_t k = 0; crew.seats && k < lanes; k++)
        if (crew.seats[k].taken)
            run_done(&crew.seats[k].run);
    lockstep_free(crew.lockstep);
    rate_lanes_done(&crew.rates);
    step_end_lanes_done(&crew.ends);
    free(crew.corrected);
    free(crew.seats);
    return status;
}
