/* Units of members: claimed in sizes that take about as long as it takes to notice, run, told to the store. */
#include "server/unit_run.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/clock.h"
#include "core/base/memory.h"
#include "server/job_end.h"
#include "server/member_failures.h"

enum {
    RUNNER_MEMORY = 512 * 1024 * 1024,
    /* units are multiples of it: lanes that end are filled again; unless there are few members */
    UNIT_LEAST = 2 * SIMULATION_LANES,
    UNIT_MAX = 64 * 1024, /* whose rows are in memory until it ends */
};

#define UNIT_SECONDS 1.5       /* of work in a unit */
#define JOB_SLICE_SECONDS 5e-3 /* that members are begun while a plain job waits */
#define ENSEMBLE_SLICE_SECONDS 1.0
#define UNIT_SHARE 4 /* a unit is at most so small a part of what is left, for each worker */

struct UnitRunner {
    Arena *arena;
    char id[JOB_ID_MAX]; /* "": none */
    Diagnostics diag;
    PreparedJob job;
    double rate;      /* members a second; 0: unknown */
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

/* The request of the lease lives no longer than it; the ensemble may borrow from it. */
static Status runner_prepare(UnitRunner *runner, const JobSetting *setting, const JobLease *lease,
                             Error *err)
{
    JobLease own = *lease;
    if (strcmp(runner->id, lease->job.id) == 0)
        return OK;
    runner_forget(runner);
    diagnostics_init(&runner->diag, runner->arena);
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

/* Why members are cut short. */
typedef enum UnitStop { UNIT_GOES_ON, UNIT_CANCELLED, UNIT_PUT_BACK, UNIT_TIMEOUT } UnitStop;

typedef struct UnitRun {
    const UnitRunContext *ctx;
    const JobLease *lease;
    UnitLease unit;
    Ensemble *ensemble;
    size_t n_columns, n_table_columns;
    double turn_began, began; /* of this turn, of this unit */
    double deadline;          /* of the whole ensemble, of clock_seconds(); INFINITY: none */
    UnitStop stop;
    MemberState *states; /* of the unit's members */
    bool *told;
    MemberFailures *failures;
} UnitRun;

static Status on_member(void *self, uint64_t k, const double *row, const char *reason,
                        const char *message, Error *err)
{
    UnitRun *run = self;
    const uint64_t i = k - run->unit.first;
    Status status = store_unit_append(run->ctx->job->store, run->lease->job.id, run->unit.token, -1,
                                      k, row, 1, run->n_columns, err);
    if (status != OK)
        return status;
    run->told[i] = true;
    run->states[i] = (MemberState)row[run->n_columns - 1];
    if (reason && message && run->states[i] != MEMBER_CANCELLED)
        member_failures_add(run->failures, k, message);
    return OK;
}

static Status on_rows(void *self, uint64_t k, size_t table, const double *rows, size_t n_rows,
                      Error *err)
{
    const UnitRun *run = self;
    return store_unit_append(run->ctx->job->store, run->lease->job.id, run->unit.token, (int)table,
                             k, rows, n_rows, run->n_table_columns, err);
}

static Status on_poll(void *self, Error *err)
{
    UnitRun *run = self;
    /* a wish to cancel goes before one to stop: the members would only come back to be cancelled */
    if (store_job_stop_wanted(run->ctx->job->store, run->lease->job.id, run->unit.token))
        run->stop = UNIT_CANCELLED;
    else if (atomic_load_explicit(run->ctx->job->put_back, memory_order_relaxed))
        run->stop = UNIT_PUT_BACK;
    else if (clock_seconds() > run->deadline)
        run->stop = UNIT_TIMEOUT;
    return run->stop == UNIT_GOES_ON ? OK : error_set(err, ERR_CANCELLED, "cancelled");
}

/* Whether it is the turn of others, after so many seconds. */
static bool others_turn(const UnitRun *run, double seconds)
{
    const StoreOthers others = store_others_wait(run->ctx->job->store, run->lease->job.id);
    return others == OTHERS_JOB ? seconds >= JOB_SLICE_SECONDS
                                : others == OTHERS_ENSEMBLE && seconds >= ENSEMBLE_SLICE_SECONDS;
}

static bool on_enough(void *self)
{
    const UnitRun *run = self;
    const double now = clock_seconds();
    return now - run->began >= JOB_SLICE_SECONDS && others_turn(run, now - run->turn_began);
}

/* The first of the unit's members that have ended all; those cut short go back if others are to run them. */
static uint64_t count_done(const UnitRun *run)
{
    uint64_t done = 0;
    while (done < run->unit.n && run->told[done] &&
           !(run->stop == UNIT_PUT_BACK && run->states[done] == MEMBER_CANCELLED))
        done++;
    return done;
}

static Status tell_lost(UnitRun *run, uint64_t i, MemberState state, const char *message,
                        Error *err)
{
    double *row = alloc_array(run->n_columns, sizeof *row);
    if (!row)
        return error_set(err, ERR_NO_MEMORY, "out of memory");
    ensemble_lost_row(run->ensemble, run->unit.first + i, state, row);
    Status status =
        on_member(run, run->unit.first + i, row, member_state_reason(state), message, err);
    free(row);
    return status;
}

static Status finish_unit(UnitRun *run, uint64_t *io_members, Error *err)
{
    const bool stop_on_error = run->ctx->runner->job.input.ensemble.stop_on_error;
    UnitFinish finish = {.done = count_done(run), .stop = run->stop == UNIT_TIMEOUT};
    for (uint64_t i = 0; i < finish.done; i++)
        finish.failed += run->states[i] != MEMBER_SUCCEEDED;
    finish.stop = finish.stop || (stop_on_error && finish.failed && run->stop == UNIT_GOES_ON);
    Status status = member_failures_list(run->failures, run->unit.first + finish.done, &finish.said,
                                         &finish.n_said, err);
    if (status == OK)
        status = store_unit_finish(run->ctx->job->store, run->lease->job.id, run->unit.token,
                                   &finish, err);
    if (status == OK)
        *io_members += finish.done;
    return status;
}

/* What was measured last counts half. */
static void note_rate(UnitRunner *runner, uint64_t members, double seconds)
{
    if (members == 0 || seconds <= 0.0)
        return;
    const double rate = (double)members / seconds;
    runner->rate = runner->rate > 0.0 ? 0.5 * (runner->rate + rate) : rate;
}

static Status run_members(UnitRun *run, Error *err)
{
    const EnsembleSink sink = {.self = run,
                               .member = on_member,
                               .rows = on_rows,
                               .poll = on_poll,
                               .enough = on_enough,
                               .member_timeout = (double)run->lease->job.timeout_ms / 1e3};
    Error failure = {0};
    uint64_t done = 0;
    if (run->unit.lost)
        return tell_lost(run, 0, MEMBER_WORKER_LOST, "each process that ran it ended", err);
    Status status =
        ensemble_run(run->ensemble, run->unit.first, run->unit.n, &sink, &done, &failure);
    if (status != ERR_NO_MEMORY && status != ERR_LIMIT && status != ERR_INTERNAL)
        return status == OK ? OK : error_set(err, status, "%s", failure.message);
    /* the first that has not ended is the one that there is no memory for, as far as anybody knows */
    done = count_done(run);
    return done < run->unit.n ? tell_lost(run, done, MEMBER_INTERNAL, failure.message, err) : OK;
}

/* Of the whole ensemble, which goes on running as long as this unit does. */
static double deadline_of(const UnitRun *run)
{
    const double seconds = run->ctx->runner->job.input.ensemble.timeout;
    return seconds > 0.0 ? run->began + seconds - (double)run->unit.used_ms / 1e3 : INFINITY;
}

static Status run_unit(UnitRun *run, uint64_t *io_members, Error *err)
{
    Store *store = run->ctx->job->store;
    const uint64_t before = *io_members;
    run->states = alloc_array((size_t)run->unit.n, sizeof *run->states);
    run->told = alloc_array((size_t)run->unit.n, sizeof *run->told);
    run->failures = member_failures_new();
    run->began = clock_seconds();
    run->deadline = deadline_of(run);
    Status status = run->states && run->told && run->failures
                        ? run_members(run, err)
                        : error_set(err, ERR_NO_MEMORY, "out of memory");
    if (status == OK)
        status = finish_unit(run, io_members, err);
    if (status != OK && status != ERR_CONFLICT)
        (void)!store_unit_release(store, run->lease->job.id, run->unit.token, NULL);
    if (!run->unit.lost)
        note_rate(run->ctx->runner, *io_members - before, clock_seconds() - run->began);
    free(run->states);
    free(run->told);
    member_failures_free(run->failures);
    return status;
}

/* Few members first, then as many as were run in a while; fewer when not many are left, so that all workers end together. */
static uint64_t unit_size(const UnitRunContext *ctx, const JobLease *lease)
{
    const UnitRunner *runner = ctx->runner;
    const uint64_t total = lease->job.members.total;
    const uint64_t left = runner->reached < total ? total - runner->reached : 0;
    const uint64_t most = (uint64_t)fmin(runner->rate * UNIT_SECONDS, UNIT_MAX);
    const uint64_t share = left / (UNIT_SHARE * (uint64_t)ctx->workers);
    const uint64_t size = most < share ? most : share;
    if (size >= UNIT_LEAST)
        return size - size % UNIT_LEAST;
    return left < UNIT_LEAST * (uint64_t)ctx->workers ? SIMULATION_LANES : UNIT_LEAST;
}

/* Nobody can run it: the one that is given its end tells why. */
static Status stop_unprepared(const UnitRunContext *ctx, const JobLease *lease, Error *err)
{
    UnitLease unit;
    const UnitFinish finish = {.stop = true};
    Status status = store_unit_claim(ctx->job->store, lease->job.id, 1, &unit, err);
    if (status == OK)
        status = store_unit_finish(ctx->job->store, lease->job.id, unit.token, &finish, err);
    return status == ERR_NOT_FOUND || status == ERR_CONFLICT ? OK : status;
}

Status units_run(const UnitRunContext *ctx, const JobLease *lease, uint64_t *ret_members,
                 Error *err)
{
    UnitRunner *runner = ctx->runner;
    Error failure = {0};
    *ret_members = 0;
    Status status = runner_prepare(runner, ctx->job->setting, lease, &failure);
    if (status == ERR_IO)
        return error_set(err, status, "%s", failure.message);
    if (status != OK)
        return stop_unprepared(ctx, lease, err);
    ctx->job->progress(ctx->job->self, "integrating", -1.0, 0.0, 0);
    const char *const *names;
    UnitRun run = {.ctx = ctx,
                   .lease = lease,
                   .ensemble = runner->job.ensemble,
                   .n_columns = ensemble_columns(runner->job.ensemble, &names),
                   .n_table_columns = ensemble_table_columns(runner->job.ensemble, &names),
                   .turn_began = clock_seconds()};
    while (status == OK && run.stop == UNIT_GOES_ON &&
           !atomic_load_explicit(ctx->job->put_back, memory_order_relaxed)) {
        status =
            store_unit_claim(ctx->job->store, lease->job.id, unit_size(ctx, lease), &run.unit, err);
        if (status != OK)
            break;
        runner->reached = run.unit.first + run.unit.n;
        status = run_unit(&run, ret_members, err);
        ctx->rate(ctx->self, runner->rate);
        if (others_turn(&run, clock_seconds() - run.turn_began))
            break;
    }
    return status == ERR_NOT_FOUND || status == ERR_CONFLICT ? OK : status;
}
