/* One motion from start to end: a step is attempted, judged, searched for roots and reported. */
#include "core/integrate/drive.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/clock.h"
#include "core/base/finite.h"
#include "core/base/memory.h"
#include "core/integrate/control.h"
#include "core/integrate/limits.h"
#include "core/integrate/rounding.h"
#include "core/integrate/sizes.h"

/* One block holds all arrays; with NULL they are only counted. Returns bytes; the first
 * *ret_cleared of them are to be zero, the others are written before they are read. */
static size_t lay_out(Drive *drive, void *memory, size_t *ret_cleared)
{
    OdeStep *step = &drive->step;
    Cutter cutter = {.memory = memory};

    guards_lay_out(&drive->guards, step->system, drive->options->guards, &cutter);
    step->rounding.shaken = cut(&cutter, 3 * step->rows, sizeof *step->rounding.shaken);
    drive->state = cut(&cutter, step->rows, sizeof *drive->state);
    drive->place = cut(&cutter, 1 + step->dim, sizeof *drive->place);
    /* the step, the method's work last */
    ode_step_lay_out(step, drive->method, &cutter);
    *ret_cleared = cutter.used - cut_aligned(drive->method->work_size(step->system, 1));
    if (step->system->singular != NULL) {
        passage_lay_out(&drive->passage, step->system, &cutter);
        history_lay_out(&drive->history, passage_rows(step->system), &cutter);
    }
    return cutter.used;
}

void drive_workspace_done(DriveWorkspace *workspace)
{
    free(workspace->memory);
    *workspace = (DriveWorkspace){0};
}

/* A block of memory has room to begin where vectors do: one that lies across two lines of the
 * cache is read twice. */
enum { ALIGNING = CUT_ALIGNMENT - 1 };

static void *aligned(void *memory)
{
    return (char *)memory + (0 - (uintptr_t)memory) % CUT_ALIGNMENT;
}

/* Lays the drive out in the memory of the drive before, or in a larger block. The bytes behind the
 * cleared ones hold values of the drive before. */
static bool make_room(Drive *drive, DriveWorkspace *workspace)
{
    DriveWorkspace own = {0}, *room = workspace != NULL ? workspace : &own;
    size_t cleared;
    void *const old = room->memory != NULL ? aligned(room->memory) : NULL;
    const size_t size = lay_out(drive, old, &cleared) + ALIGNING;

    /* new memory is clear */
    if (size <= room->size) {
        clear_bytes(old, cleared);
    } else {
        drive_workspace_done(room);
        room->memory = alloc_array(size, 1);
        if (room->memory == NULL)
            return false;
        room->size = size;
        lay_out(drive, aligned(room->memory), &cleared);
    }
    drive->memory = room->memory;
    drive->method->start(&drive->step);
    return true;
}

static Status drive_check(const OdeSystem *system, const OdeMethod *method,
                          const OdeOptions *options, Error *err)
{
    if (system->dim == 0)
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

static void lane_init(Drive *drive, const OdeSpan *span, OdeOutcome *outcome)
{
    const double length = span->t_end - span->t0, direction = length < 0 ? -1 : 1;
    Lane *l = &drive->lane;

    memset(outcome, 0, sizeof *outcome);
    *l = (Lane){.state = LANE_READY,
                .span = span,
                .outcome = outcome,
                .direction = direction,
                .t_new = span->t0,
                .sample_t =
                    span->n_samples > 0 ? span->sample_time(span->self, 0) : direction * INFINITY,
                .start = {.fresh = true, .changed = true},
                .breaks.t = span->t0,
                .singular.failed = INFINITY,
                .stuck = {.steps = STUCK_STEPS, .t = span->t0}};
    drive->step.t[0] = span->t0;
    /* the first step: the fixed or the given one; else it is estimated at the start */
    if (drive->method->fixed_step)
        l->h = direction * drive->options->step;
    else if (drive->options->first_step > 0)
        l->h = direction * fmin(drive->options->first_step, fabs(length));
    else
        l->start.unknown_h = true;
}

static void start_lane(Drive *drive, const double *y, const OdeTask *task)
{
    OdeStep *step = &drive->step;
    const DriveWorkspace *before = drive->workspace;
    const bool known = before != NULL && before->interval > 0;

    memcpy(step->y, y, step->rows * sizeof *y);
    sizes_start(step);
    lane_init(drive, task->span, task->outcome);
    /* the clock is read as often as the drive before found to be enough */
    step->pulse.last = known ? 0 : clock_seconds();
    step->pulse.interval = known ? before->interval : 1;
    step->pulse.left = known ? before->left : 1;
    lane_next_stop(drive);
    rounding_begin(step);
    lane_start(drive);
}

/* Asks the system for its place of rates: an observer may have changed it between two steps. */
static void drive_place(Drive *drive)
{
    const OdeSystem *system = drive->step.system;
    drive->step.scratch.place = system->place != NULL ? system->place(system->self) : drive->place;
}

/* The rates at a start. A quadrature whose rate is infinite at that instant alone, such as
 * t^(-1/3) at 0, goes on from there with the rate 0: the first step is short. */
static void take_first_rates(OdeStep *step)
{
    memcpy(step->rates, step->rates_new, step->rows * sizeof *step->rates);
    for (size_t r = step->dim; r < step->rows; r++)
        if (!isfinite(step->rates[r]))
            step->rates[r] = 0;
}

/* Beyond the next corner the rates of this side of it may be anything: of a window max(0, 1 -
 * u^2)^3.5 the powers of u, which are huge, and rounding of theirs is none of this motion's. */
static void begin_noise(Drive *drive)
{
    OdeStep *step = &drive->step;

    if (sizes_have_noise(step))
        sizes_begin_noise(step, guards_outlook(&drive->guards, step, drive->lane.h, false));
}

static bool begin_guards(Drive *drive)
{
    const Lane *l = &drive->lane;
    const double t = drive->step.t[0];

    guards_begin(&drive->guards, &drive->step, l->start.changed);
    return !l->start.changed ||
           guards_begin_contacts(&drive->guards, &drive->step,
                                 fmin(fabs(l->sample_t - t), fabs(l->stop - t)));
}

/* A guessed first step was too long: rounding is measured anew, over the next one. */
static void renew_guess(Drive *drive)
{
    const Lane *l = &drive->lane;

    if (!l->start.guessed || l->rejected.n == 0 || l->state != LANE_READY)
        return;
    sizes_guess(&drive->step);
    sizes_begin(&drive->step);
    begin_noise(drive);
}

/* The rates, the first step and the guards of a lane that starts or has jumped. */
static bool begin_fresh(Drive *drive)
{
    OdeStep *step = &drive->step;
    Lane *l = &drive->lane;
    bool guessed = false;

    if (l->state != LANE_READY || !l->start.fresh)
        return true;
    if (!ode_rates_one(step, step->t, step->y, step->rates_new))
        return false;
    take_first_rates(step);
    if (!all_finite(step->rates, step->dim)) {
        lane_not_finite_at_start(drive);
        return true;
    }
    /* the first step: given, left over by the step before, or chosen from the rates */
    step->h[0] = lane_bounded(drive, l->start.unknown_h ? l->span->t_end - step->t[0] : l->h);
    sizes_begin(step);
    if (l->start.unknown_h && !control_first_step(step, drive->method->error_order, &guessed))
        return false;
    l->start.guessed = guessed;
    l->h = step->h[0];
    begin_noise(drive);
    if (drive->method->restart != NULL)
        drive->method->restart(step, l->h);
    if (!begin_guards(drive))
        return false;
    l->start.fresh = l->start.changed = l->start.unknown_h = false;
    return true;
}

/* Measures the rounding errors of the rates if they seem to hinder: in the middle of the step
 * that was tried last, or of the part of it before the next corner. Steps of an implicit method
 * are long beside the time in which the rates change, so that it is measured at the start. */
static bool drive_measure_noise(Drive *drive)
{
    OdeStep *step = &drive->step;
    Lane *l = &drive->lane;
    const bool noisy = l->rejected.noisy;

    l->rejected.noisy = false;
    if (!noisy)
        return true;
    if (drive->method->multistep) {
        if (sizes_have_noise(step))
            sizes_measure_noise(step, 1);
        return true;
    }
    if (l->state != LANE_READY)
        return true;
    step->h[0] = guards_outlook(&drive->guards, step, step->h[0], true);
    return control_measure_noise(step);
}

bool drive_begin(Drive *drive)
{
    drive_place(drive);
    return begin_fresh(drive);
}

bool drive_propose(Drive *drive)
{
    OdeStep *step = &drive->step;

    if (!drive_begin(drive) || !drive_measure_noise(drive))
        return false;
    renew_guess(drive);
    step->h[0] = 0;
    if (drive->lane.state == LANE_READY)
        lane_choose_step(drive);
    step->active[0] = drive->lane.state == LANE_READY;
    if (!step->active[0])
        step->h[0] = 0;
    return true;
}

bool drive_judge(Drive *drive)
{
    OdeStep *step = &drive->step;

    if (step->active[0])
        lane_judge(drive);
    step->scratch.times[0] = drive->lane.t_new;
    return drive->lane.state == LANE_CANDIDATE;
}

bool drive_evaluate_end(Drive *drive)
{
    OdeStep *step = &drive->step;
    return ode_rates_one(step, step->scratch.times, step->y_new, step->rates_new);
}

void drive_check_end(Drive *drive)
{
    OdeStep *step = &drive->step;
    const Lane *l = &drive->lane;

    /* inside a passage the rates are its own: those of the system have no value there */
    if (l->singular.passing && l->t_new != passage_end(&drive->passage))
        passage_rates(&drive->passage, l->t_new, step->rates_new);
    if (!all_finite(step->rates_new, step->dim)) {
        step->error[0] = NAN;
        lane_reject(drive);
    }
}

bool drive_look(Drive *drive)
{
    return drive->lane.state == LANE_CANDIDATE && lane_look(drive);
}

bool drive_make_dense(Drive *drive)
{
    return drive->method->dense_prepare == NULL ||
           drive->method->dense_prepare(&drive->step, drive->step.active);
}

bool drive_settle(Drive *drive)
{
    Lane *l = &drive->lane;

    if (l->state == LANE_CANDIDATE && drive->step.pulse.status == OK)
        lane_settle(drive);
    if (l->state == LANE_ACCEPTED)
        ode_go_on_one(&drive->step);
    if (l->state == LANE_ACCEPTED || l->state == LANE_BLOCKED)
        lane_finish(drive);
    else if (l->state == LANE_REJECTED)
        l->state = LANE_READY;
    return !l->start.fresh && !l->unprojected;
}

bool drive_running(const Drive *drive)
{
    return drive->step.pulse.status == OK && drive->lane.state != LANE_DONE;
}

static void borrow(Drive *drive, const OdeTask *task)
{
    static const OdeObserver nobody = {0};
    const OdeSystem *system = task->system;
    const OdeOptions *options = task->options;
    OdeStep *step = &drive->step;

    drive->method = drive->usual = drive->first = task->method;
    drive->workspace = task->workspace;
    drive->options = options;
    drive->observer = task->observer != NULL ? task->observer : &nobody;
    step->system = system;
    step->lanes = 1;
    step->dim = system->dim;
    step->rows = system->dim + system->extra;
    step->rtol = options->rtol;
    step->atol = options->atol;
    /* sizes of components for the tolerance: if all are given, none is measured on the way */
    step->sizes.nominal = options->nominal;
    step->sizes.given = sizes_are_given(options->nominal, system->dim);
    step->sizes.kinds = options->kinds;
    step->sizes.integrals = options->integrals;
    step->fixed_h = options->step;
    step->pulse.observer = task->observer;
}

Status drive_start(Drive *drive, const OdeTask *task, const double *y, Error *err)
{
    Status status = drive_check(task->system, task->method, task->options, err);
    if (status != OK)
        return status;
    clear_bytes(drive, sizeof *drive);
    borrow(drive, task);
    if (!make_room(drive, task->workspace))
        return error_set(err, ERR_NO_MEMORY, "no memory for %zu states", drive->step.rows);
    start_lane(drive, y, task);
    return OK;
}

void drive_finish(Drive *drive, double *ret_y)
{
    const OdeStep *step = &drive->step;
    OdeOutcome *outcome = drive->lane.outcome;

    memcpy(ret_y, step->y, step->rows * sizeof *ret_y);
    /* a lane that has not ended was stopped by the pulse */
    if (drive->lane.state != LANE_DONE) {
        outcome->status = step->pulse.status;
        outcome->error = step->pulse.error;
    }
    outcome->t = step->t[0];
    outcome->evaluations = step->evaluations[0];
    outcome->jacobians = step->jacobians[0];
    outcome->rounding = rounding_worst(step);
    stiffness_end(drive);
    if (drive->workspace == NULL) {
        free(drive->memory);
        return;
    }
    drive->workspace->interval = step->pulse.interval;
    drive->workspace->left = step->pulse.left;
}

void drive_step(Drive *drive)
{
    if (!drive_propose(drive) || !drive->step.active[0] || !drive->method->attempt(&drive->step))
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
                          .span = span,
                          .observer = observer,
                          .outcome = &outcome};

    Status status = ode_drive(&task, y, err);
    if (status == OK && outcome.status != OK)
        return error_set(err, outcome.status, "%s", outcome.error.message);
    return status;
}
