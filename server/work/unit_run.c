/* Units of members: claimed in sizes of about UNIT_SECONDS, run, and stored. Members of the next
 * unit take the lanes that the last members of a unit leave free. */
#include "server/work/unit_run.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/clock.h"
#include "core/base/memory.h"
#include "server/work/job_end.h"
#include "server/work/member_failures.h"
#include "server/work/unit_nodes.h"

enum {
    RUNNER_MEMORY = 512 * 1024 * 1024,
    /* units are multiples of it, so that free lanes are filled again, unless there are few
     * members */
    UNIT_LEAST = 2 * SIMULATION_LANES,
    UNIT_MAX = 64 * 1024, /* its rows are in memory until it ends */
};

#define UNIT_SECONDS 1.5       /* work in a unit */
#define RATE_SECONDS 0.5       /* for a measurement of the rate of members */
#define JOB_SLICE_SECONDS 5e-3 /* for which members are begun while a plain job waits */
#define ENSEMBLE_SLICE_SECONDS 1.0
#define UNIT_SHARE 4 /* a unit has at most 1 / UNIT_SHARE of a worker's share of the members left */

struct UnitRunner {
    Arena *arena;
    char id[JOB_ID_MAX]; /* "": none */
    Diagnostics diag;
    PreparedJob job;
    double rate;      /* members a second; 0: unknown */
    bool measured;    /* over RATE_SECONDS; else from the first few members */
    uint64_t reached; /* the end of the last unit */
};

UnitRunner *unit_runner_new(void)
{
    UnitRunner *runner = alloc_array(1, sizeof *runner);
    if (runner)
        runner->arena = arena_new(RUNNER_MEMORY);
    if (runner && !runner->arena) {
        free(runner);
        return NULL;
    }
    return runner;
}

static void runner_forget(UnitRunner *runner)
{
    prepared_job_done(&runner->job);
    runner->job = (PreparedJob){0};
    runner->id[0] = '\0';
    runner->rate = 0.0;
    runner->measured = false;
    runner->reached = 0;
    arena_reset(runner->arena);
}

void unit_runner_free(UnitRunner *runner)
{
    if (!runner)
        return;
    runner_forget(runner);
    arena_free(runner->arena);
    free(runner);
}

/* Copies the request, because the ensemble may borrow from it, and the lease frees it earlier. */
Status unit_runner_prepare(UnitRunner *runner, const JobSetting *setting, const JobLease *lease,
                           PreparedJob **ret_job, const Diagnostics **ret_diag, Error *err)
{
    JobLease own = *lease;
    *ret_job = &runner->job;
    *ret_diag = &runner->diag;
    /* prepared in an earlier turn */
    if (strcmp(runner->id, lease->job.id) == 0)
        return OK;
    runner_forget(runner);
    diagnostics_init(&runner->diag, runner->arena);
    /* copy the request */
    if (lease->request) {
        char *bytes = arena_alloc(runner->arena, lease->request_size + 1, 1);
        if (!bytes)
            return arena_status(runner->arena, err);
        memcpy(bytes, lease->request, lease->request_size);
        own.request = bytes;
    }
    Status status = job_prepare(setting, &own, runner->arena, &runner->diag, &runner->job, err);
    if (status == OK && !runner->job.ensemble)
        status = error_set(err, ERR_INTERNAL, "the document is no ensemble's");
    if (status == OK)
        memcpy(runner->id, lease->job.id, sizeof runner->id);
    return status;
}

/* Why members are stopped. */
typedef enum UnitStop { UNIT_GOES_ON, UNIT_CANCELLED, UNIT_PUT_BACK, UNIT_TIMEOUT } UnitStop;

/* A unit under way. */
typedef struct TurnUnit {
    struct TurnUnit *older;
    UnitLease lease;
    MemberState *states; /* of its members */
    bool *told;
    uint64_t n_told;
    MemberFailures *failures;
    UnitNodes nodes;
} TurnUnit;

/* Several units are under way: while the last members of one run, members of the next take the free
 * lanes. */
typedef struct UnitTurn {
    const UnitRunContext *ctx;
    const JobLease *lease;
    Ensemble *ensemble;
    size_t n_columns, n_table_columns;
    double began;
    double deadline; /* of the whole ensemble, of clock_seconds(); INFINITY: none */
    UnitStop stop;
    TurnUnit *units; /* under way, the newest first */
    uint64_t n_held; /* members of them */
    TurnUnit *alone; /* to be run after them; NULL: none */
    double marked;   /* start of the count n_ended */
    uint64_t n_ended, n_unstored;
    LaneWork work; /* not in the metrics yet */
} UnitTurn;

static void unit_free(TurnUnit *unit)
{
    if (!unit)
        return;
    free(unit->states);
    free(unit->told);
    member_failures_free(unit->failures);
    unit_nodes_done(&unit->nodes);
    free(unit);
}

static TurnUnit *turn_unit(const UnitTurn *turn, uint64_t member)
{
    TurnUnit *unit = turn->units;
    while (member < unit->lease.first || member - unit->lease.first >= unit->lease.n)
        unit = unit->older;
    return unit;
}

/* Measures the rate at which members end, from the first on; later the last value counts half. */
static void note_ended(UnitTurn *turn)
{
    UnitRunner *runner = turn->ctx->runner;
    const double seconds = clock_seconds() - turn->marked;
    if (turn->n_ended == 0 || seconds <= 0.0)
        return;
    const double rate = (double)turn->n_ended / seconds;
    if (seconds >= RATE_SECONDS) {
        runner->rate = runner->measured ? 0.5 * (runner->rate + rate) : rate;
        runner->measured = true;
        turn->marked += seconds;
        turn->n_ended = 0;
    } else if (!runner->measured) {
        runner->rate = rate;
    }
}

static void tell_progress(const UnitTurn *turn)
{
    turn->ctx->progress(turn->ctx->self, turn->ctx->runner->rate, turn->n_unstored);
}

static void tell_metrics(UnitTurn *turn, uint64_t members)
{
    Metrics *metrics = turn->ctx->metrics;
    atomic_fetch_add(&metrics->rows, members);
    atomic_fetch_add(&metrics->steps_together, turn->work.together);
    atomic_fetch_add(&metrics->member_steps_together, turn->work.shared);
    atomic_fetch_add(&metrics->member_steps_alone, turn->work.alone);
    turn->work = (LaneWork){0};
}

/* The number of first members of the unit that have all ended. Stopped members go back if others
 * are to run them. */
static uint64_t count_done(const UnitTurn *turn, const TurnUnit *unit)
{
    uint64_t done = 0;
    while (done < unit->lease.n && unit->told[done] &&
           !(turn->stop == UNIT_PUT_BACK && unit->states[done] == MEMBER_CANCELLED))
        done++;
    return done;
}

static void forget_unit(UnitTurn *turn, TurnUnit *unit)
{
    TurnUnit **link = &turn->units;
    while (*link != unit)
        link = &(*link)->older;
    *link = unit->older;
    turn->n_held -= unit->lease.n;
    turn->n_unstored -= unit->n_told;
    unit_free(unit);
}

static Status finish_unit(UnitTurn *turn, TurnUnit *unit, Error *err)
{
    const bool stop_on_error = turn->ctx->runner->job.input.ensemble.stop_on_error;
    UnitFinish finish = {.done = count_done(turn, unit), .stop = turn->stop == UNIT_TIMEOUT};
    /* failed members, and the end of the ensemble */
    for (uint64_t i = 0; i < finish.done; i++)
        finish.failed += unit->states[i] != MEMBER_SUCCEEDED;
    finish.stop = finish.stop || (stop_on_error && finish.failed && turn->stop == UNIT_GOES_ON);
    /* messages and nodes */
    Status status = member_failures_list(unit->failures, unit->lease.first + finish.done,
                                         &finish.said, &finish.n_said, err);
    if (status == OK)
        status = unit_nodes_make(&unit->nodes, finish.done, &finish.nodes, err);
    if (status == OK)
        /* store the end of the unit */
        status = store_unit_finish(turn->ctx->job->store, turn->lease->job.id, unit->lease.token,
                                   &finish, err);
    if (status != OK)
        return status;
    forget_unit(turn, unit);
    tell_metrics(turn, finish.done);
    tell_progress(turn);
    return OK;
}

static Status on_member(void *self, uint64_t k, const double *row, const char *reason,
                        const char *message, Error *err)
{
    UnitTurn *turn = self;
    TurnUnit *unit = turn_unit(turn, k);
    const uint64_t i = k - unit->lease.first;
    Status status = store_unit_append(turn->ctx->job->store, turn->lease->job.id, unit->lease.token,
                                      -1, k, row, 1, turn->n_columns, err);
    if (status != OK)
        return status;
    /* note the outcome */
    unit->told[i] = true;
    unit->n_told++;
    unit->states[i] = (MemberState)row[turn->n_columns - 1];
    if (reason && message && unit->states[i] != MEMBER_CANCELLED)
        member_failures_add(unit->failures, k, message);
    turn->n_ended++;
    turn->n_unstored++;
    note_ended(turn);
    tell_progress(turn);
    /* gather the member, and end the unit after its last one */
    if (unit->states[i] != MEMBER_CANCELLED)
        status = unit_nodes_end(&unit->nodes, k, err);
    if (status == OK && unit->n_told == unit->lease.n)
        return finish_unit(turn, unit, err);
    return status;
}

static Status on_rows(void *self, uint64_t k, size_t table, const double *rows, size_t n_rows,
                      Error *err)
{
    const UnitTurn *turn = self;
    return store_unit_append(turn->ctx->job->store, turn->lease->job.id,
                             turn_unit(turn, k)->lease.token, (int)table, k, rows, n_rows,
                             turn->n_table_columns, err);
}

static bool wanted_back(const UnitTurn *turn)
{
    return atomic_load_explicit(turn->ctx->job->put_back, memory_order_relaxed);
}

static Status on_over_time(void *self, uint64_t k, const double *cells, Error *err)
{
    const UnitTurn *turn = self;

    (void)err;
    unit_nodes_note(&turn_unit(turn, k)->nodes, k, cells);
    return OK;
}

static Status on_poll(void *self, Error *err)
{
    UnitTurn *turn = self;
    const TurnUnit *unit = turn->units;
    /* a cancellation goes before a stop: the members would only come back to be cancelled */
    if (unit &&
        store_job_stop_wanted(turn->ctx->job->store, turn->lease->job.id, unit->lease.token))
        turn->stop = UNIT_CANCELLED;
    else if (wanted_back(turn))
        turn->stop = UNIT_PUT_BACK;
    else if (clock_seconds() > turn->deadline)
        turn->stop = UNIT_TIMEOUT;
    return turn->stop == UNIT_GOES_ON ? OK : error_set(err, ERR_CANCELLED, "cancelled");
}

/* Whether other jobs get their turn. */
static bool others_turn(const UnitTurn *turn)
{
    const double seconds = clock_seconds() - turn->began;
    if (seconds < JOB_SLICE_SECONDS)
        return false;
    const StoreOthers others = store_others_wait(turn->ctx->job->store, turn->lease->job.id);
    return others == OTHERS_JOB || (others == OTHERS_ENSEMBLE && seconds >= ENSEMBLE_SLICE_SECONDS);
}

static bool on_enough(void *self)
{
    return others_turn(self);
}

/* Few members first, then as many as run in UNIT_SECONDS; fewer at the end, so that all workers end
 * together. */
static uint64_t unit_size(const UnitRunContext *ctx, const JobLease *lease)
{
    const UnitRunner *runner = ctx->runner;
    const uint64_t total = lease->job.members.total;
    const uint64_t left = runner->reached < total ? total - runner->reached : 0;
    const OverTimeShape over_time = ensemble_over_time(runner->job.ensemble);
    const bool nodes = over_time.n_columns > 0;
    const uint64_t held = over_time_held(over_time);
    const uint64_t most = (uint64_t)fmin(runner->rate * UNIT_SECONDS, fmin(UNIT_MAX, (double)held));
    const uint64_t share = left / (UNIT_SHARE * (uint64_t)ctx->workers);
    uint64_t size = most < share ? most : share;
    while (nodes && size & (size - 1)) /* a power of 2: the unit's members fill few nodes */
        size &= size - 1;
    if (size >= UNIT_LEAST)
        return size - size % UNIT_LEAST;
    return left < UNIT_LEAST * (uint64_t)ctx->workers ? SIMULATION_LANES : UNIT_LEAST;
}

/* The time of the ensemble runs on as long as the unit does. */
static double deadline_of(const UnitTurn *turn, const UnitLease *unit)
{
    const double seconds = turn->ctx->runner->job.input.ensemble.timeout;
    return seconds > 0.0 ? clock_seconds() + seconds - (double)unit->used_ms / 1e3 : INFINITY;
}

static Status claim_unit(UnitTurn *turn, TurnUnit **ret_unit, Error *err)
{
    Store *store = turn->ctx->job->store;
    TurnUnit *unit = alloc_array(1, sizeof *unit);
    if (!unit)
        return error_set(err, ERR_NO_MEMORY, "out of memory for a unit");
    /* claim the members */
    Status status = store_unit_claim(store, turn->lease->job.id, unit_size(turn->ctx, turn->lease),
                                     &unit->lease, err);
    if (status != OK) {
        free(unit);
        return status;
    }
    /* allocate their states */
    unit->states = alloc_array((size_t)unit->lease.n, sizeof *unit->states);
    unit->told = alloc_array((size_t)unit->lease.n, sizeof *unit->told);
    unit->failures = member_failures_new();
    status = unit->states && unit->told && unit->failures
                 ? unit_nodes_init(&unit->nodes, ensemble_over_time(turn->ensemble),
                                   unit->lease.first, unit->lease.n, err)
                 : error_set(err, ERR_NO_MEMORY, "out of memory for a unit");
    if (status != OK) {
        (void)!store_unit_release(store, turn->lease->job.id, unit->lease.token, NULL);
        unit_free(unit);
        return status;
    }
    turn->ctx->runner->reached = unit->lease.first + unit->lease.n;
    turn->deadline = deadline_of(turn, &unit->lease);
    *ret_unit = unit;
    return OK;
}

static void begin_unit(UnitTurn *turn, TurnUnit *unit)
{
    unit->older = turn->units;
    turn->units = unit;
    turn->n_held += unit->lease.n;
}

/* Limit of the members of units under way: their rows are in memory until their units end. */
static uint64_t held_most(const UnitTurn *turn)
{
    const uint64_t held = over_time_held(ensemble_over_time(turn->ensemble));
    return held < UNIT_MAX ? held : UNIT_MAX;
}

/* Members of another unit for the free lanes. A unit whose process died runs alone. */
static Status on_more(void *self, uint64_t *ret_first, uint64_t *ret_n, Error *err)
{
    UnitTurn *turn = self;
    TurnUnit *unit = NULL;
    if (turn->alone || (turn->units && turn->units->lease.suspect) ||
        turn->n_held > held_most(turn) || turn->stop != UNIT_GOES_ON || wanted_back(turn) ||
        others_turn(turn))
        return OK;
    const Status status = claim_unit(turn, &unit, err);
    if (status == ERR_NOT_FOUND)
        return OK;
    if (status != OK)
        return status;
    /* after the units under way */
    if (unit->lease.suspect) {
        turn->alone = unit;
        return OK;
    }
    begin_unit(turn, unit);
    *ret_first = unit->lease.first;
    *ret_n = unit->lease.n;
    return OK;
}

/* Stores a member that no process has run to its end. */
static Status tell_lost(UnitTurn *turn, uint64_t member, MemberState state, const char *message,
                        Error *err)
{
    double *row = alloc_array(turn->n_columns, sizeof *row);
    if (!row)
        return error_set(err, ERR_NO_MEMORY, "out of memory");
    ensemble_lost_row(turn->ensemble, member, state, row);
    Status status = on_member(turn, member, row, member_state_reason(state), message, err);
    free(row);
    return status;
}

static Status run_members(UnitTurn *turn, const UnitLease *unit, Error *err)
{
    const EnsembleSink sink = {.self = turn,
                               .member = on_member,
                               .rows = on_rows,
                               .over_time = on_over_time,
                               .poll = on_poll,
                               .enough = on_enough,
                               .more = on_more,
                               .member_timeout = (double)turn->lease->job.timeout_ms / 1e3,
                               .work = &turn->work};
    Error failure = {0};
    uint64_t done = 0;
    if (unit->lost)
        return tell_lost(turn, unit->first, MEMBER_WORKER_LOST, "each process that ran it ended",
                         err);
    Status status = ensemble_run(turn->ensemble, unit->first, unit->n, &sink, &done, &failure);
    if (status != ERR_NO_MEMORY && status != ERR_LIMIT && status != ERR_INTERNAL)
        return status == OK ? OK : error_set(err, status, "%s", failure.message);
    /* the first unfinished member is taken for the one without memory */
    const TurnUnit *oldest = turn->units;
    while (oldest && oldest->older)
        oldest = oldest->older;
    done = oldest ? count_done(turn, oldest) : 0;
    return oldest && done < oldest->lease.n
               ? tell_lost(turn, oldest->lease.first + done, MEMBER_INTERNAL, failure.message, err)
               : OK;
}

/* Runs a unit, and the units that follow in its lanes. */
static Status run_units(UnitTurn *turn, Error *err)
{
    TurnUnit *unit = turn->alone;
    Status status = unit ? OK : claim_unit(turn, &unit, err);
    if (status != OK)
        return status;
    turn->alone = NULL;
    begin_unit(turn, unit);
    const UnitLease lease = unit->lease; /* an ended unit is freed */
    status = run_members(turn, &lease, err);
    while (status == OK && turn->units)
        status = finish_unit(turn, turn->units, err);
    return status;
}

static void release_units(UnitTurn *turn)
{
    if (turn->alone)
        begin_unit(turn, turn->alone);
    while (turn->units) {
        (void)!store_unit_release(turn->ctx->job->store, turn->lease->job.id,
                                  turn->units->lease.token, NULL);
        forget_unit(turn, turn->units);
    }
}

/* The ensemble cannot be prepared: stops it. The worker that ends it reports the reason. */
static Status stop_unprepared(const UnitRunContext *ctx, const JobLease *lease, Error *err)
{
    UnitLease unit;
    const UnitFinish finish = {.stop = true};
    Status status = store_unit_claim(ctx->job->store, lease->job.id, 1, &unit, err);
    if (status == OK)
        status = store_unit_finish(ctx->job->store, lease->job.id, unit.token, &finish, err);
    return status == ERR_NOT_FOUND || status == ERR_CONFLICT ? OK : status;
}

Status units_run(const UnitRunContext *ctx, const JobLease *lease, Error *err)
{
    UnitRunner *runner = ctx->runner;
    Error failure = {0};
    PreparedJob *prepared;
    const Diagnostics *diag;
    /* prepare the ensemble */
    Status status =
        unit_runner_prepare(runner, ctx->job->setting, lease, &prepared, &diag, &failure);
    if (status == ERR_IO)
        return error_set(err, status, "%s", failure.message);
    if (status != OK)
        return stop_unprepared(ctx, lease, err);
    ctx->job->progress(ctx->job->self, "integrating", -1.0, 0.0, 0);
    const char *const *names;
    const double now = clock_seconds();
    UnitTurn turn = {.ctx = ctx,
                     .lease = lease,
                     .ensemble = prepared->ensemble,
                     .n_columns = ensemble_columns(prepared->ensemble, &names),
                     .n_table_columns = ensemble_table_columns(prepared->ensemble, &names),
                     .began = now,
                     .marked = now};
    tell_progress(&turn);
    /* run units until other jobs get their turn */
    do {
        status = run_units(&turn, err);
    } while (status == OK && turn.stop == UNIT_GOES_ON && !wanted_back(&turn) &&
             !others_turn(&turn));
    /* give the rest back */
    release_units(&turn);
    tell_metrics(&turn, 0);
    return status == ERR_NOT_FOUND || status == ERR_CONFLICT ? OK : status;
}
