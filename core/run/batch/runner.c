/* Runs beside each other. Runs with the same equations of motion are in one batch, each with
 * parameters of its own. A lane whose run has ended takes the next run at once. A run with new
 * equations goes over to their batch. Runs with a method that shares nothing are run alone. */
#include "core/run/batch/runner.h"

#include <stdlib.h>

#include "core/base/memory.h"
#include "core/integrate/batched_step.h"
#include "core/run/batch/fast_runs.h"
#include "core/run/equations/stand_in.h"
#include "core/run/run.h"
#include "core/run/workspace.h"

/* Kinds of equations that are shared at one time. */
enum { BATCHES = 4 };

/* Runs with the same equations, each in its own lane. */
typedef struct Batch {
    struct BatchRunner *runner;
    BatchedStep *batched_step; /* NULL: there is none yet */
    BatchedSystem system;
    const Motion *motion;
    RateLanes rates;
    StepEndLanes ends;
    FastRuns fast_path;
} Batch;

/* A lane; its run does not move while it is under way, nor between those of one simulation. */
typedef struct LaneSlot {
    Run own, *run;            /* `own`, or in the room of its simulation */
    Simulation *next;         /* out of the queue, to begin; NULL: there is none .. */
    const SimulationSink *to; /* .. and its sink */
    Batch *batch;             /* NULL: it is free */
    bool shares_end;          /* the corrections at the ends of steps */
} LaneSlot;

typedef struct BatchRunner {
    const SimulationQueue *queue;
    size_t lanes;
    LaneSlot *slots;
    StepEndEval **corrected; /* [lanes] scratch */
    bool none;               /* to begin, the queue has said, and nothing has ended since */
    Batch batches[BATCHES];
} BatchRunner;

static void batch_rates(void *self, const double *t, const double *y, double *ret_rates,
                        size_t lanes)
{
    Batch *batch = self;
    (void)lanes;
    rate_lanes_eval(&batch->rates, t, y, ret_rates);
}

static double *batch_place(void *self)
{
    Batch *batch = self;
    return batch->rates.rates.in;
}

/* The run may have other equations by now. */
static bool batch_join(void *self, size_t lane)
{
    Batch *batch = self;
    const Run *run = batch->runner->slots[lane].run;

    if (stand_in_motion(&run->at) != batch->motion)
        return false;
    rate_lanes_take(&batch->rates, lane, run->at.eq.eval);
    return true;
}

static void batch_ends(void *self, const double *t, const double *y, const bool *lanes)
{
    Batch *batch = self;
    const BatchRunner *runner = batch->runner;
    const bool corrects = batch->ends.end->options.n_rows > 0;

    for (size_t k = 0; k < runner->lanes; k++)
        runner->corrected[k] = lanes[k] && corrects && runner->slots[k].shares_end
                                   ? &runner->slots[k].run->evidence.motion.end
                                   : NULL;
    step_end_lanes_eval(&batch->ends, t, y, runner->corrected);
}

/* States of the motion are those of the model, and end steps on the constraints. */
static bool has_plain_ends(const Run *run)
{
    const StepEnd *end = run->evidence.motion.end.end;

    return run->at.s->motion->plain && run->at.s->integration.projection &&
           (end->correct || end->options.n_rows == 0);
}

static Status found_batch(BatchRunner *runner, Batch *batch, Run *run, Error *err)
{
    const Simulation *s = run->at.s;

    batch->runner = runner;
    batch->motion = stand_in_motion(&run->at);
    batch->system = (BatchedSystem){.self = batch,
                                    .method = s->integration.method,
                                    .dim = run->progress.system.dim,
                                    .extra = run->progress.system.extra,
                                    .rtol = s->integration.options.rtol,
                                    .atol = s->integration.options.atol,
                                    .rates = batch_rates,
                                    .place = batch_place,
                                    .join = batch_join,
                                    .ends = has_plain_ends(run) ? batch_ends : NULL,
                                    .work = runner->queue->work};
    Status status = rate_lanes_init(&batch->rates, batch->motion, s->params, runner->lanes, err);
    if (status == OK)
        status = step_end_lanes_init(&batch->ends, run->evidence.motion.end.end, s->params,
                                     runner->lanes, err);
    /* the fast path needs ends of steps that are states of the model, corrected in lanes */
    if (status == OK && batch->system.ends)
        status = fast_runs_init(&batch->fast_path, run, &batch->ends, err);
    if (status != OK)
        return status;
    batch->system.fast_path = batch->system.ends ? &batch->fast_path.runs : NULL;
    return batched_step_new(&batch->system, runner->lanes, &batch->batched_step, err);
}

static bool may_share(const Run *run)
{
    return run->at.s->integration.method->shares_attempts && !run->at.eq.sensitivities;
}

static bool fits(const Batch *batch, const Run *run)
{
    const Simulation *s = run->at.s;

    return stand_in_motion(&run->at) == batch->motion &&
           s->integration.method == batch->system.method &&
           s->integration.options.rtol == batch->system.rtol &&
           s->integration.options.atol == batch->system.atol;
}

/* The batch of a run, a new one if there is room for it; NULL: there is none. */
static Status find_batch(BatchRunner *runner, Run *run, Batch **ret_batch, Error *err)
{
    *ret_batch = NULL;
    if (!may_share(run))
        return OK;
    for (Batch *batch = runner->batches; batch < runner->batches + BATCHES; batch++) {
        if (batch->batched_step && !fits(batch, run))
            continue;
        *ret_batch = batch;
        return batch->batched_step ? OK : found_batch(runner, batch, run, err);
    }
    return OK;
}

static void take_slot(Batch *batch, size_t lane)
{
    LaneSlot *slot = &batch->runner->slots[lane];
    const double *params = slot->run->at.s->params;

    slot->batch = batch;
    slot->shares_end = batch->system.ends && slot->run->evidence.motion.end.end == batch->ends.end;
    function_bind_lane(&batch->rates.rates, lane, params);
    if (slot->shares_end)
        step_end_lanes_bind(&batch->ends, lane, params);
    if (batch->system.fast_path)
        fast_runs_slot(&batch->fast_path, lane, slot->shares_end ? slot->run : NULL);
    batched_step_put(batch->batched_step, lane, &slot->run->drive);
}

static void leave_slot(LaneSlot *slot, size_t lane)
{
    batched_step_put(slot->batch->batched_step, lane, NULL);
    slot->batch = NULL;
}

static Status tell_end(BatchRunner *runner, Simulation *s, Status status,
                       const SimulationResult *result, Error *err)
{
    return status == OK ? runner->queue->ended(runner->queue->self, s, result, err) : status;
}

static Status end_run(BatchRunner *runner, Run *run, Error *err)
{
    Simulation *s = run->at.s;
    SimulationResult result;

    runner->none = false;
    Status status = run_report(run, &result, err);
    run_done(run);
    return tell_end(runner, s, status, &result, err);
}

/* Takes a simulation out of the queue for a free lane. */
static Status take_next(BatchRunner *runner, size_t lane, Error *err)
{
    LaneSlot *slot = &runner->slots[lane];

    if (runner->none || slot->batch)
        return OK;
    Status status = runner->queue->next(runner->queue->self, lane, &slot->next, &slot->to, err);
    runner->none = status == OK && !slot->next;
    return status;
}

/* A simulation starts: it takes the lane, or is run alone to its end. */
static Status begin(BatchRunner *runner, size_t lane, Simulation *s, Error *err)
{
    LaneSlot *slot = &runner->slots[lane];
    Run *run = slot->run = run_workspace_place(s, &slot->own);
    Batch *batch = NULL;

    Status status = run_start(run, s, slot->to, err);
    if (status == OK && run_under_way(run))
        status = find_batch(runner, run, &batch, err);
    if (status == OK && batch) {
        take_slot(batch, lane);
        return OK;
    }
    /* no batch takes it: its steps are made here, one after the other */
    while (status == OK && run_under_way(run))
        drive_step(&run->drive);
    if (status == OK)
        return end_run(runner, run, err);
    run_done(run);
    return status;
}

/* The simulation that the lane took begins; one with a second opinion is run alone. */
static Status begin_next(BatchRunner *runner, size_t lane, Error *err)
{
    LaneSlot *slot = &runner->slots[lane];
    Simulation *s = slot->next;
    SimulationResult result;

    slot->next = NULL;
    if (!s)
        return OK;
    if (s->second.n_others == 0 && !s->second.finer)
        return begin(runner, lane, s, err);
    runner->none = false;
    const Status status = simulation_run(s, slot->to, &result, err);
    return tell_end(runner, s, status, &result, err);
}

/* Simulations for the free lanes, until each has one that stays or the queue has none; those that
 * have ended by then were told. All are taken before the first begins: the instructions of either
 * part stay in the cache. *ret_any: a lane is busy. */
static Status fill(BatchRunner *runner, bool *ret_any, Error *err)
{
    Status status = OK;
    size_t busy;

    do {
        for (size_t k = 0; status == OK && k < runner->lanes; k++)
            status = take_next(runner, k, err);
        for (size_t k = 0; status == OK && k < runner->lanes; k++)
            status = begin_next(runner, k, err);
        busy = 0;
        for (size_t k = 0; k < runner->lanes; k++)
            busy += runner->slots[k].batch != NULL;
    } while (status == OK && busy < runner->lanes && !runner->none);
    *ret_any = busy > 0;
    return status;
}

/* After a step: ends the run of a lane that is not under way any more. A run with other equations
 * goes over to another batch, if there is one. */
static Status settle(BatchRunner *runner, size_t lane, Error *err)
{
    LaneSlot *slot = &runner->slots[lane];
    Batch *batch = NULL;

    /* a lane that only made a step cannot have ended or changed its equations */
    if (!slot->batch || batched_step_cruised(slot->batch->batched_step, lane))
        return OK;
    if (!run_under_way(slot->run)) {
        leave_slot(slot, lane);
        return end_run(runner, slot->run, err);
    }
    if (stand_in_motion(&slot->run->at) == slot->batch->motion)
        return OK;
    Status status = find_batch(runner, slot->run, &batch, err);
    if (status == OK && batch) {
        leave_slot(slot, lane);
        take_slot(batch, lane);
    }
    return status;
}

/* All lanes are in one batch, and all their runs are idle. */
static bool all_cruised(const BatchRunner *runner)
{
    bool all = false;

    for (size_t c = 0; c < BATCHES; c++)
        all = all || (runner->batches[c].batched_step &&
                      batched_step_all_cruised(runner->batches[c].batched_step));
    return all;
}

/* A step of all lanes; *ret_any: there was one to make. */
static Status make_step(BatchRunner *runner, bool *ret_any, Error *err)
{
    Status status = OK;

    *ret_any = all_cruised(runner);
    if (!*ret_any)
        status = fill(runner, ret_any, err);
    for (size_t c = 0; status == OK && c < BATCHES; c++)
        if (runner->batches[c].batched_step)
            batched_step_step(runner->batches[c].batched_step);
    const bool quiet = all_cruised(runner);
    for (size_t k = 0; status == OK && !quiet && k < runner->lanes; k++)
        status = settle(runner, k, err);
    return status;
}

Status batches_run(const SimulationQueue *queue, size_t lanes, Error *err)
{
    BatchRunner runner = {.queue = queue,
                          .lanes = lanes,
                          .slots = alloc_array(lanes, sizeof(LaneSlot)),
                          .corrected = alloc_array(lanes, sizeof(StepEndEval *))};
    Status status =
        runner.slots && runner.corrected ? OK : error_set(err, ERR_NO_MEMORY, "out of memory");
    bool any = true;

    while (status == OK && any)
        status = make_step(&runner, &any, err);
    /* after a failure some lanes still have a run */
    for (size_t k = 0; runner.slots && k < lanes; k++)
        if (runner.slots[k].batch)
            run_done(runner.slots[k].run);
    for (size_t c = 0; c < BATCHES; c++) {
        batched_step_free(runner.batches[c].batched_step);
        function_done(&runner.batches[c].rates.rates);
        step_end_lanes_done(&runner.batches[c].ends);
        fast_runs_done(&runner.batches[c].fast_path);
    }
    free(runner.corrected);
    free(runner.slots);
    return status;
}
