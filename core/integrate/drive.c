/* All lanes from start to end: they attempt steps together, and each is judged, looked at for roots
 * and told about by itself (lane*.c). */
#include "core/integrate/drive.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/clock.h"
#include "core/base/finite.h"
#include "core/base/memory.h"
#include "core/integrate/combine.h"
#include "core/integrate/control.h"
#include "core/integrate/limits.h"
#include "core/integrate/rounding.h"
#include "core/integrate/sizes.h"

static bool has_passages(const OdeSystem *system, size_t lanes)
{
    return system->singular != NULL && lanes == 1;
}

/* One block holds all arrays; with NULL they are only counted. Returns bytes; the first
 * *ret_cleared of them are to be zero, the others are written before they are read. */
static size_t lay_out(Drive *drive, void *memory, size_t *ret_cleared)
{
    OdeStep *step = &drive->step;
    const size_t lanes = step->lanes;
    Cutter cutter = {.memory = memory};

    /* what watches events */
    void *guards = cut(&cutter, 1, guards_size(step->system, lanes));
    if (guards != NULL)
        guards_init(&drive->guards, step->system, drive->options->guards, lanes, guards);
    step->rounding.shaken = cut(&cutter, 3 * step->rows, sizeof *step->rounding.shaken);
    /* each lane's own course */
    drive->lanes = cut(&cutter, lanes, sizeof *drive->lanes);
    drive->chosen = cut(&cutter, lanes, sizeof *drive->chosen);
    drive->state = cut(&cutter, step->rows, sizeof *drive->state);
    drive->place = cut(&cutter, (1 + step->dim) * lanes, sizeof *drive->place);
    /* the step, the method's work last */
    ode_step_lay_out(step, drive->method, &cutter);
    *ret_cleared = cutter.used - cut_aligned(drive->method->work_size(step->system, lanes));
    /* what carries a motion across singular configurations */
    if (has_passages(step->system, lanes)) {
        drive->passage = cut(&cutter, 1, passage_size(step->system));
        drive->history = cut(&cutter, 1, history_size(passage_rows(step->system)));
    }
    return cutter.used;
}

void drive_room_done(DriveRoom *room)
{
    free(room->memory);
    *room = (DriveRoom){0};
}

/* A block of memory has room to begin where vectors do: one that lies across two lines of the
 * cache is read twice. */
enum { ALIGNING = CUT_ALIGNMENT - 1 };

static void *aligned(void *memory)
{
    return (char *)memory + (0 - (uintptr_t)memory) % CUT_ALIGNMENT;
}

/* A block of so many bytes, of which the first `cleared` are zero once it is aligned; in the
 * others is what the drive before has left. */
static void *take_room(DriveRoom *room, size_t size, size_t cleared)
{
    if (room->size >= size) {
        clear_bytes(aligned(room->memory), cleared);
        return room->memory;
    }
    drive_room_done(room);
    room->memory = alloc_array(size, 1);
    room->size = room->memory != NULL ? size : 0;
    return room->memory;
}

static DriveSizes sizes_of(const OdeTask *task)
{
    const OdeSystem *system = task->system;

    return (DriveSizes){.method = task->method,
                        .dim = system->dim,
                        .rows = system->dim + system->extra,
                        .lanes = task->lanes,
                        .guards = system->n_guards,
                        .passage = has_passages(system, task->lanes) ? passage_rows(system) : 0};
}

/* Whether the drive that is laid out in the room has these sizes. */
static bool has_layout(const DriveRoom *room, const DriveSizes *sizes)
{
    const DriveSizes *laid = &room->sizes;

    return laid->method == sizes->method && laid->dim == sizes->dim && laid->rows == sizes->rows &&
           laid->lanes == sizes->lanes && laid->guards == sizes->guards &&
           laid->passage == sizes->passage;
}

/* Keeps the layout, if the method only cuts its work at a start. */
static void keep_layout(DriveRoom *room, const Drive *drive, const DriveSizes *sizes,
                        size_t cleared)
{
    room->layout = *drive;
    room->sizes = drive->method->only_cuts ? *sizes : (DriveSizes){0};
    room->cleared = cleared;
}

/* Measures the memory, allocates it and lays the arrays out; then the method cuts its work. */
static bool make_room(Drive *drive, DriveRoom *room, const DriveSizes *sizes)
{
    size_t cleared;
    const size_t size = lay_out(drive, NULL, &cleared) + ALIGNING;

    drive->memory = room != NULL ? take_room(room, size, cleared) : alloc_array(size, 1);
    if (drive->memory == NULL)
        return false;
    lay_out(drive, aligned(drive->memory), &cleared);
    drive->method->start(&drive->step);
    if (room != NULL)
        keep_layout(room, drive, sizes, cleared);
    return true;
}

static Status drive_check(const OdeSystem *system, const OdeMethod *method,
                          const OdeOptions *options, size_t lanes, Error *err)
{
    if (lanes == 0 || system->dim == 0)
        return error_set(err, ERR_INVALID, "nothing to integrate");
    if (method->needs_jacobian && system->jacobian == NULL)
        return error_set(err, ERR_INVALID, "method %s needs the Jacobian of the rates",
                         method->name);
    if (method->fixed_step && !(options->step > 0 && isfinite(options->step)))
        return error_set(err, ERR_INVALID, "method %s needs a step above zero", method->name);
    if (!method->fixed_step && !(options->rtol >= 0 && options->atol >= 0 &&
                                 options->rtol + options->atol > 0 && isfinite(options->atol)))
        return error_set(err, ERR_INVALID, "method %s needs a tolerance above zero", method->name);
    if (!(options->max_step >= 0))
        return error_set(err, ERR_INVALID, "the longest step must be above zero, or 0 for none");
    return OK;
}

static void lane_init(Drive *drive, size_t lane, const OdeSpan *span, OdeOutcome *outcome)
{
    Lane *l = &drive->lanes[lane];
    /* NOLINTNEXTLINE(clang-analyzer-core.UndefinedBinaryOperatorResult): a span for each lane */
    const double length = span->t_end - span->t0;
    memset(outcome, 0, sizeof *outcome);
    l->state = LANE_READY;
    l->span = span;
    l->outcome = outcome;
    l->direction = length < 0 ? -1 : 1;
    l->t_new = l->breaks.t = drive->step.t[lane] = span->t0;
    l->sample_t = span->n_samples > 0 ? span->sample_time(span->self, 0) : l->direction * INFINITY;
    l->start.fresh = l->start.changed = true;
    l->singular.failed = INFINITY;
    l->stuck.steps = STUCK_STEPS;
    l->stuck.t = span->t0;
    if (drive->method->fixed_step)
        l->h = l->direction * drive->options->step;
    else if (drive->options->first_step > 0)
        l->h = l->direction * fmin(drive->options->first_step, fabs(length));
    else
        l->start.unknown_h = true;
}

/* Many short motions share the measured time of an evaluation. */
static void take_pulse(OdeStep *step, const DriveRoom *room)
{
    const bool known = room != NULL && room->interval > 0;

    step->pulse.last = known ? 0 : clock_seconds();
    step->pulse.interval = known ? room->interval : 1;
    step->pulse.left = known ? room->left : 1;
}

static void leave_pulse(const OdePulse *pulse, DriveRoom *room)
{
    room->interval = pulse->interval;
    room->left = pulse->left;
}

static void start_lanes(Drive *drive, const double *y, const OdeTask *task)
{
    const OdeSpan *spans = task->spans;
    OdeStep *step = &drive->step;
    memcpy(step->y, y, step->rows * step->lanes * sizeof *y);
    sizes_start(step);
    for (size_t l = 0; l < step->lanes; l++)
        lane_init(drive, l, &spans[l], &task->outcomes[l]);
    take_pulse(step, task->room);
    for (size_t l = 0; l < step->lanes; l++) {
        lane_next_stop(drive, l);
        rounding_begin(step, l);
        lane_start(drive, l);
    }
}

static bool finite_rates(const OdeStep *step, const double *rates, size_t lane)
{
    if (step->lanes == 1)
        return all_finite(rates, step->dim);
    double none = 0; /* what is not finite makes a NaN of it */
    for (size_t i = lane; i < step->dim * step->lanes; i += step->lanes)
        none += 0 * rates[i];
    return none == 0;
}

/* Marks the lanes in this state; true if there is any. */
static bool drive_choose(Drive *drive, LaneState state)
{
    bool any = false;
    for (size_t l = 0; l < drive->step.lanes; l++) {
        drive->chosen[l] = drive->lanes[l].state == state;
        any |= drive->chosen[l];
    }
    return any;
}

/* Asks the system for its place of rates: an observer may have changed it between two steps. */
static void drive_place(Drive *drive)
{
    const OdeSystem *system = drive->step.system;
    drive->step.scratch.place = system->place != NULL ? system->place(system->self) : drive->place;
    drive->step.scratch.results = system->results != NULL ? system->results(system->self) : NULL;
}

/* Those of a lane, from the new ones. A quadrature whose rate is infinite at that instant alone,
 * as t^(-1/3) is at 0, goes on from there: what the method makes of its first step, a short one,
 * is off by no more than that is worth. */
static void take_first_rates(OdeStep *step, size_t lane)
{
    for (size_t i = lane; i < step->rows * step->lanes; i += step->lanes)
        step->rates[i] = step->rates_new[i];
    for (size_t i = step->dim * step->lanes + lane; i < step->rows * step->lanes; i += step->lanes)
        if (!isfinite(step->rates[i]))
            step->rates[i] = 0;
}

/* Beyond the next corner the rates of this side of it may be anything: of a window max(0, 1 -
 * u^2)^3.5 the powers of u, which are huge, and rounding of theirs is none of this motion's. */
static void begin_noise(Drive *drive, size_t lane)
{
    OdeStep *step = &drive->step;
    const Lane *l = &drive->lanes[lane];

    if (!sizes_have_noise(step))
        return;
    sizes_begin_noise(step, lane, guards_outlook(&drive->guards, step, lane, l->h, false));
}

/* Sides of guards, with the time to the next sample or stop. */
static bool begin_guards(Drive *drive, size_t lane)
{
    const Lane *l = &drive->lanes[lane];
    const double t = drive->step.t[lane];

    guards_begin(&drive->guards, &drive->step, lane, l->start.changed);
    return !l->start.changed ||
           guards_begin_contacts(&drive->guards, &drive->step, lane,
                                 fmin(fabs(l->sample_t - t), fabs(l->stop - t)));
}

/* A guessed first step was too long: rounding is measured anew, ahead of a start as far as the
 * next one leads. */
static void renew_guesses(Drive *drive)
{
    for (size_t l = 0; l < drive->step.lanes; l++) {
        const Lane *lane = &drive->lanes[l];
        if (!lane->start.guessed || lane->rejected.n == 0 || lane->state != LANE_READY)
            continue;
        sizes_guess(&drive->step, l);
        sizes_begin(&drive->step, l);
        begin_noise(drive, l);
    }
}

/* Rates, first steps and guards of the lanes that start or have jumped. */
static bool begin_fresh_lanes(Drive *drive)
{
    OdeStep *step = &drive->step;
    /* which lanes start, and their rates */
    bool any = false, unknown = false;
    for (size_t l = 0; l < step->lanes; l++) {
        drive->chosen[l] = drive->lanes[l].state == LANE_READY && drive->lanes[l].start.fresh;
        any |= drive->chosen[l];
    }
    if (!any)
        return true;
    if (!ode_rates(step, step->t, step->y, step->rates_new, drive->chosen))
        return false;
    for (size_t l = 0; l < step->lanes; l++) {
        /* the first step: what was left over by the step before, or to be chosen from the rates */
        Lane *lane = &drive->lanes[l];
        if (!drive->chosen[l])
            continue;
        take_first_rates(step, l);
        if (!finite_rates(step, step->rates, l))
            lane_not_finite_at_start(drive, l);
        drive->chosen[l] = lane->start.unknown_h && lane->state == LANE_READY;
        unknown |= drive->chosen[l];
        step->h[l] =
            lane_bounded(drive, lane->start.unknown_h ? lane->span->t_end - step->t[l] : lane->h);
        sizes_begin(step, l);
    }
    /* a first step for those without one; then method and guards begin anew */
    if (unknown && !control_first_step(step, drive->chosen, drive->method->error_order))
        return false;
    for (size_t l = 0; l < step->lanes; l++)
        drive->lanes[l].start.guessed = drive->lanes[l].start.unknown_h && !drive->chosen[l];
    for (size_t l = 0; l < step->lanes; l++) {
        Lane *lane = &drive->lanes[l];
        if (lane->state != LANE_READY || !lane->start.fresh)
            continue;
        lane->h = step->h[l];
        begin_noise(drive, l);
        drive->method->restart(step, l, lane->h);
        if (!begin_guards(drive, l))
            return false;
        lane->start.fresh = lane->start.changed = lane->start.unknown_h = false;
    }
    return true;
}

/* Measures the rounding errors of the rates in the lanes where they seem to hinder: in the midst
 * of the step that was tried last, or of as much of it as leads over no corner. Steps of an
 * implicit method are long beside the time in which the rates change, and what the rates would
 * lead to there is nothing. */
static bool drive_measure_noise(Drive *drive)
{
    OdeStep *step = &drive->step;
    bool any = false;

    if (drive->method->multistep) {
        /* an implicit method: raise the noise without a look ahead */
        if (drive->lanes[0].rejected.noisy && sizes_have_noise(step))
            sizes_raise_noise(step);
        drive->lanes[0].rejected.noisy = false;
        return true;
    }
    /* choose the noisy lanes; look no farther than the next corner */
    for (size_t l = 0; l < step->lanes; l++) {
        Lane *lane = &drive->lanes[l];
        drive->chosen[l] = lane->rejected.noisy && lane->state == LANE_READY;
        any |= drive->chosen[l];
        if (drive->chosen[l])
            step->h[l] = guards_outlook(&drive->guards, step, l, step->h[l], true);
        lane->rejected.noisy = false;
    }
    return !any || control_measure_noise(step, drive->chosen);
}

/* A lane that is not to be evaluated at its new state is evaluated at its current one. */
static void fill_others(OdeStep *step, const bool *chosen)
{
    for (size_t l = 0; l < step->lanes; l++) {
        if (chosen[l])
            continue;
        for (size_t i = l; i < step->rows * step->lanes; i += step->lanes)
            step->y_new[i] = step->y[i];
    }
}

bool drive_begin(Drive *drive)
{
    drive_place(drive);
    return begin_fresh_lanes(drive);
}

bool drive_propose(Drive *drive)
{
    OdeStep *step = &drive->step;

    if (!drive_begin(drive) || !drive_measure_noise(drive))
        return false;
    renew_guesses(drive);
    for (size_t l = 0; l < step->lanes; l++) {
        Lane *lane = &drive->lanes[l];
        step->h[l] = 0;
        if (lane->state == LANE_READY)
            lane_choose_step(drive, l);
        step->active[l] = lane->state == LANE_READY;
        if (!step->active[l])
            step->h[l] = 0;
    }
    return true;
}

bool drive_judge(Drive *drive)
{
    OdeStep *step = &drive->step;

    for (size_t l = 0; l < step->lanes; l++)
        if (step->active[l])
            lane_judge(drive, l);
    if (!drive_choose(drive, LANE_CANDIDATE))
        return false;
    fill_others(step, drive->chosen);
    for (size_t l = 0; l < step->lanes; l++)
        step->scratch.times[l] = drive->chosen[l] ? drive->lanes[l].t_new : step->t[l];
    return true;
}

bool drive_evaluate_end(Drive *drive)
{
    OdeStep *step = &drive->step;
    return ode_rates(step, step->scratch.times, step->y_new, step->rates_new, drive->chosen);
}

void drive_check_end(Drive *drive)
{
    OdeStep *step = &drive->step;

    /* inside a passage the rates are its own: those of the system have no value there */
    if (drive->lanes[0].singular.passing && drive->lanes[0].t_new != passage_end(drive->passage))
        passage_rates(drive->passage, drive->lanes[0].t_new, step->rates_new);
    for (size_t l = 0; l < step->lanes; l++) {
        if (drive->chosen[l] && !finite_rates(step, step->rates_new, l)) {
            step->error[l] = NAN;
            lane_reject(drive, l);
        }
    }
}

/* The new states become the current ones where the step was accepted. */
static void drive_commit(Drive *drive)
{
    if (drive_choose(drive, LANE_ACCEPTED))
        ode_go_on(&drive->step, drive->chosen);
}

bool drive_look(Drive *drive)
{
    bool any = false;

    for (size_t l = 0; l < drive->step.lanes; l++) {
        drive->chosen[l] = drive->lanes[l].state == LANE_CANDIDATE && lane_look(drive, l);
        any |= drive->chosen[l];
    }
    return any;
}

bool drive_make_dense(Drive *drive)
{
    return drive->method->dense_prepare == NULL ||
           drive->method->dense_prepare(&drive->step, drive->chosen);
}

bool drive_settle(Drive *drive)
{
    OdeStep *step = &drive->step;
    bool went_on = true;

    for (size_t l = 0; l < step->lanes && step->pulse.status == OK; l++)
        if (drive->lanes[l].state == LANE_CANDIDATE)
            lane_settle(drive, l);
    drive_commit(drive);
    for (size_t l = 0; l < step->lanes; l++) {
        LaneState state = drive->lanes[l].state;
        if (state == LANE_ACCEPTED || state == LANE_BLOCKED)
            lane_finish(drive, l);
        else if (state == LANE_REJECTED)
            drive->lanes[l].state = LANE_READY;
        went_on = went_on && !drive->lanes[l].start.fresh && !drive->lanes[l].unprojected;
    }
    return went_on;
}

bool drive_running(const Drive *drive)
{
    for (size_t l = 0; drive->step.pulse.status == OK && l < drive->step.lanes; l++)
        if (drive->lanes[l].state != LANE_DONE)
            return true;
    return false;
}

/* Borrows everything from the task. */
static void borrow(Drive *drive, const OdeTask *task)
{
    static const OdeObserver nobody = {0};
    const OdeSystem *system = task->system;
    const OdeOptions *options = task->options;
    OdeStep *step = &drive->step;

    /* the method and its settings */
    drive->method = drive->usual = drive->first = task->method;
    drive->room = task->room;
    drive->options = options;
    drive->observer = task->observer != NULL ? task->observer : &nobody;
    /* the sizes of the system */
    step->system = system;
    step->lanes = task->lanes;
    step->dim = system->dim;
    step->rows = system->dim + system->extra;
    /* tolerances and sizes of components */
    step->rtol = options->rtol;
    step->atol = options->atol;
    step->sizes.nominal = options->nominal;
    step->sizes.given = sizes_are_given(options->nominal, system->dim);
    step->sizes.kinds = options->kinds;
    step->sizes.integrals = options->integrals;
    step->fixed_h = options->step;
    step->pulse.observer = task->observer;
}

/* Takes the layout of the room, or makes one; false: out of memory. */
static bool take_task(Drive *drive, const OdeTask *task)
{
    DriveRoom *room = task->room;
    const DriveSizes sizes = sizes_of(task);

    /* take the layout of the drive before, or lay out a new one */
    if (room != NULL && has_layout(room, &sizes)) {
        *drive = room->layout;
        clear_bytes(aligned(room->memory), room->cleared);
        borrow(drive, task);
    } else {
        *drive = (Drive){0};
        borrow(drive, task);
        if (!make_room(drive, room, &sizes))
            return false;
    }
    /* parts that depend on the task */
    drive->guards.kinds = task->options->guards;
    if (drive->passage != NULL) {
        passage_init(drive->passage, task->system);
        history_init(drive->history, passage_rows(task->system));
    }
    return true;
}

Status drive_start(Drive *drive, const OdeTask *task, const double *y, Error *err)
{
    Status status = drive_check(task->system, task->method, task->options, task->lanes, err);
    if (status != OK)
        return status;
    if (!take_task(drive, task))
        return error_set(err, ERR_NO_MEMORY, "no memory for %zu lanes of %zu states", task->lanes,
                         drive->step.rows);
    start_lanes(drive, y, task);
    return OK;
}

void drive_finish(Drive *drive, double *ret_y)
{
    const OdeStep *step = &drive->step;
    memcpy(ret_y, step->y, step->rows * step->lanes * sizeof *ret_y);
    for (size_t l = 0; l < step->lanes; l++) {
        Lane *lane = &drive->lanes[l];
        OdeOutcome *outcome = lane->outcome;
        /* a lane that has not ended was stopped by the pulse */
        if (lane->state != LANE_DONE) {
            outcome->status = step->pulse.status;
            outcome->error = step->pulse.error;
        }
        /* where it is, and what it cost */
        outcome->t = step->t[l];
        outcome->evaluations = step->evaluations[l];
        outcome->jacobians = step->jacobians[l];
        outcome->rounding = rounding_worst(step, l);
    }
    /* the memory goes back to its owner */
    drive_end_methods(drive);
    if (drive->room != NULL)
        leave_pulse(&step->pulse, drive->room);
    else
        free(drive->memory);
}

void drive_step(Drive *drive)
{
    if (!drive_propose(drive) || !drive->method->attempt(&drive->step))
        return;
    if (drive_judge(drive)) {
        if (!drive_evaluate_end(drive))
            return;
        drive_check_end(drive);
    }
    if (!drive_look(drive) || drive_make_dense(drive))
        drive_settle(drive);
}

void drive_run(Drive *drive)
{
    while (drive_running(drive))
        drive_step(drive);
}

Status ode_drive(const OdeTask *task, double *y, Error *err)
{
    Drive drive;

    Status status = drive_start(&drive, task, y, err);
    if (status != OK)
        return status;
    drive_run(&drive);
    drive_finish(&drive, y);
    return OK;
}

Status ode_reach(const OdeSystem *system, const OdeMethod *method, const OdeOptions *options,
                 const OdeSpan *span, double *y, const OdeObserver *observer, Error *err)
{
    OdeOutcome outcome = {0};
    const OdeTask task = {.system = system,
                          .method = method,
                          .options = options,
                          .spans = span,
                          .observer = observer,
                          .outcomes = &outcome,
                          .lanes = 1};

    Status status = ode_drive(&task, y, err);
    if (status == OK && outcome.status != OK)
        return error_set(err, outcome.status, "%s", outcome.error.message);
    return status;
}
