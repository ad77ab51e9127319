/* Runs beside each other. Runs with the same equations of motion are in one batch, each with
 * parameters of its own. A lane whose run has ended takes the next run at once. A run with new
 * equations goes over to the batch of these. Runs with a method that shares nothing are run
 * alone. */
#include "core/run/batch/crew.h"

#include <stdlib.h>

#include "core/base/memory.h"
#include "core/integrate/lockstep.h"
#include "core/run/batch/cruise_runs.h"
#include "core/run/equations/stand_in.h"
#include "core/run/room.h"
#include "core/run/run.h"

/* Kinds of equations that are shared at one time. */
enum { COMPANIES = 4 };

/* Runs with the same equations, each in its own lane. */
typedef struct Company {
    struct Crew *crew;
    Lockstep *lockstep; /* NULL: there is none yet */
    LockstepSystem system;
    const Motion *motion;
    RateLanes rates;
    StepEndLanes ends;
    CruisingRuns cruising;
} Company;

/* A lane; its run does not move while it is under way, nor between those of one simulation. */
typedef struct Seat {
    Run own, *run;    /* `own`, or in the room of its simulation */
    Company *company; /* NULL: it is free */
    bool shares_end;  /* the corrections at the ends of steps */
} Seat;

typedef struct Crew {
    const SimulationQueue *queue;
    size_t lanes;
    Seat *seats;
    StepEndEval **corrected; /* [lanes] scratch */
    bool none;               /* to begin, the queue has said, and nothing has ended since */
    Company companies[COMPANIES];
} Crew;

static void company_rates(void *self, const double *t, const double *y, double *ret_rates,
                          size_t lanes)
{
    Company *company = self;
    (void)lanes;
    rate_lanes_eval(&company->rates, t, y, ret_rates);
}

static double *company_place(void *self)
{
    Company *company = self;
    return rate_lanes_place(&company->rates);
}

/* The run may have other equations by now. */
static bool company_join(void *self, size_t lane)
{
    Company *company = self;
    const Run *run = company->crew->seats[lane].run;

    if (stand_in_motion(run) != company->motion)
        return false;
    rate_lanes_take(&company->rates, lane, run->eq.eval);
    return true;
}

static void company_ends(void *self, const double *t, const double *y, const bool *lanes)
{
    Company *company = self;
    const Crew *crew = company->crew;
    const bool corrects = company->ends.end->options.n_rows > 0;

    for (size_t k = 0; k < crew->lanes; k++)
        crew->corrected[k] = lanes[k] && corrects && crew->seats[k].shares_end
                                 ? &crew->seats[k].run->evidence.motion.end
                                 : NULL;
    step_end_lanes_eval(&company->ends, t, y, crew->corrected);
}

/* States of the motion are those of the model, and end steps on the constraints, if there are
 * any. */
static bool has_plain_ends(const Run *run)
{
    const StepEnd *end = run->evidence.motion.end.end;

    return run->s->motion->plain && run->s->integration.projection &&
           (end->correct || end->options.n_rows == 0);
}

static Status found_company(Crew *crew, Company *company, Run *run, Error *err)
{
    const Simulation *s = run->s;

    company->crew = crew;
    company->motion = stand_in_motion(run);
    company->system = (LockstepSystem){.self = company,
                                       .method = s->integration.method,
                                       .dim = run->progress.system.dim,
                                       .extra = run->progress.system.extra,
                                       .rtol = s->integration.options.rtol,
                                       .atol = s->integration.options.atol,
                                       .rates = company_rates,
                                       .place = company_place,
                                       .join = company_join,
                                       .ends = has_plain_ends(run) ? company_ends : NULL,
                                       .work = crew->queue->work};
    /* rates and ends of steps in lanes, then the fast path */
    Status status = rate_lanes_init(&company->rates, company->motion, s->params, crew->lanes, err);
    if (status == OK)
        status = step_end_lanes_init(&company->ends, run->evidence.motion.end.end, s->params,
                                     crew->lanes, err);
    if (status == OK && company->system.ends)
        status = cruising_runs_init(&company->cruising, run, &company->ends, err);
    if (status != OK)
        return status;
    company->system.cruise = company->system.ends ? &company->cruising.runs : NULL;
    return lockstep_new(&company->system, crew->lanes, &company->lockstep, err);
}

static bool may_share(const Run *run)
{
    return run->s->integration.method->shares_attempts && !run->eq.sensitivities;
}

static bool fits(const Company *company, const Run *run)
{
    const Simulation *s = run->s;

    return stand_in_motion(run) == company->motion &&
           s->integration.method == company->system.method &&
           s->integration.options.rtol == company->system.rtol &&
           s->integration.options.atol == company->system.atol;
}

/* The batch of a run, a new one if there is room for it; NULL: there is none. */
static Status find_company(Crew *crew, Run *run, Company **ret_company, Error *err)
{
    *ret_company = NULL;
    if (!may_share(run))
        return OK;
    for (Company *company = crew->companies; company < crew->companies + COMPANIES; company++) {
        if (company->lockstep && !fits(company, run))
            continue;
        *ret_company = company;
        return company->lockstep ? OK : found_company(crew, company, run, err);
    }
    return OK;
}

static void take_seat(Company *company, size_t lane)
{
    Seat *seat = &company->crew->seats[lane];
    const double *params = seat->run->s->params;

    seat->company = company;
    seat->shares_end =
        company->system.ends && seat->run->evidence.motion.end.end == company->ends.end;
    rate_lanes_bind(&company->rates, lane, params);
    if (seat->shares_end)
        step_end_lanes_bind(&company->ends, lane, params);
    if (company->system.cruise)
        cruising_runs_seat(&company->cruising, lane, seat->shares_end ? seat->run : NULL);
    lockstep_put(company->lockstep, lane, &seat->run->drive);
}

static void leave_seat(Seat *seat, size_t lane)
{
    lockstep_put(seat->company->lockstep, lane, NULL);
    seat->company = NULL;
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
    Run *run = seat->run = run_room_place(s, &seat->own);
    Company *company = NULL;

    /* into a batch if one fits, else alone to its end */
    Status status = run_start(run, s, sink, err);
    if (status == OK && run_under_way(run))
        status = find_company(crew, run, &company, err);
    if (status == OK && company) {
        take_seat(company, lane);
        return OK;
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

    while (status == OK && !crew->none && !crew->seats[lane].company) {
        /* the next simulation of the queue; those with a second opinion run alone */
        Simulation *s = NULL;
        const SimulationSink *sink = NULL;
        status = crew->queue->next(crew->queue->self, lane, &s, &sink, err);
        crew->none = status == OK && !s;
        if (status != OK || !s)
            break;
        if (s->second.n_others == 0 && !s->second.finer) {
            status = begin(crew, lane, s, sink, err);
            continue;
        }
        SimulationResult result;
        status = simulation_run(s, sink, &result, err);
        status = tell_end(crew, s, status, &result, err);
    }
    return status;
}

/* After a step: ends the run of a lane that is not under way any more. A run with other equations
 * goes over to another batch, if there is one. */
static Status settle(Crew *crew, size_t lane, Error *err)
{
    Seat *seat = &crew->seats[lane];
    Company *company = NULL;

    if (!seat->company || lockstep_cruised(seat->company->lockstep, lane))
        return OK;
    /* the run has ended */
    if (!run_under_way(seat->run)) {
        leave_seat(seat, lane);
        return end_run(crew, seat->run, err);
    }
    /* the run has other equations now: it changes its batch */
    if (stand_in_motion(seat->run) == seat->company->motion)
        return OK;
    Status status = find_company(crew, seat->run, &company, err);
    if (status == OK && company) {
        leave_seat(seat, lane);
        take_seat(company, lane);
    }
    return status;
}

/* All lanes are in one batch, and all their runs are idle. */
static bool all_cruised(const Crew *crew)
{
    bool all = false;

    for (size_t c = 0; c < COMPANIES; c++)
        all = all ||
              (crew->companies[c].lockstep && lockstep_all_cruised(crew->companies[c].lockstep));
    return all;
}

/* A step of all lanes; *ret_any: there was one to make. */
static Status make_step(Crew *crew, bool *ret_any, Error *err)
{
    Status status = OK;

    *ret_any = all_cruised(crew);
    const bool settled = *ret_any;
    for (size_t k = 0; status == OK && !settled && k < crew->lanes; k++) {
        status = fill(crew, k, err);
        *ret_any = *ret_any || crew->seats[k].company;
    }
    for (size_t c = 0; status == OK && c < COMPANIES; c++)
        if (crew->companies[c].lockstep)
            lockstep_step(crew->companies[c].lockstep);
    const bool quiet = all_cruised(crew);
    for (size_t k = 0; status == OK && !quiet && k < crew->lanes; k++)
        status = settle(crew, k, err);
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

    /* steps of all lanes, until no run is left */
    while (status == OK && any)
        status = make_step(&crew, &any, err);
    for (size_t k = 0; crew.seats && k < lanes; k++)
        if (crew.seats[k].company)
            run_done(crew.seats[k].run);
    for (size_t c = 0; c < COMPANIES; c++) {
        lockstep_free(crew.companies[c].lockstep);
        rate_lanes_done(&crew.companies[c].rates);
        step_end_lanes_done(&crew.companies[c].ends);
        cruising_runs_done(&crew.companies[c].cruising);
    }
    free(crew.corrected);
    free(crew.seats);
    return status;
}
