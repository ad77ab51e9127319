/* One run: its parts are put together, driven, and reported. */
#include "core/run/run.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#include "core/base/memory.h"
#include "core/prepare/event_times.h"
#include "core/prepare/initial_motion.h"
#include "core/prepare/nominal.h"
#include "core/prepare/sensitivities.h"
#include "core/run/equations/change_base.h"
#include "core/run/equations/change_elimination.h"
#include "core/run/equations/smooth.h"
#include "core/run/equations/stand_in.h"
#include "core/run/parts/result.h"
#include "core/run/parts/shooting.h"
#include "core/run/state/projection.h"
#include "core/run/system.h"
#include "core/run/tell/column_digits.h"
#include "core/run/tell/reduce.h"
#include "core/run/tell/report.h"
#include "core/run/tell/rows.h"
#include "core/run/watch/cancellation.h"
#include "core/run/watch/column_sizes.h"
#include "core/run/watch/inside.h"
#include "core/run/watchers.h"
#include "core/run/workspace.h"

/* The relative size of a velocity that does not count beside the features looked for in a step.
 * With fixed steps it is the error up to which the result is believed. */
static double told_apart(const Simulation *s)
{
    return ode_method_fixed_step(s->integration.method) ? result_believable(s)
                                                        : s->integration.options.rtol;
}

/* The equations, those of the run before where they are the same. */
static Status bind_equations(Run *run, Error *err)
{
    const Simulation *s = run->at.s;
    const bool with_jacobian = ode_method_needs_jacobian(s->integration.method);

    if (!s->workspace ||
        !motion_eval_reuse(s->workspace->equations, s->motion,
                           run_workspace_new_params(s->workspace, s), with_jacobian))
        return motion_eval_new(run->at.model, s->motion, s->params, with_jacobian, &run->at.eq.eval,
                               err);
    run->at.eq.eval = s->workspace->equations;
    s->workspace->equations = NULL;
    return OK;
}

/* Work arrays of a size that the simulation tells. */
static void work_arrays_init(Run *run, Arena *memory)
{
    const Simulation *s = run->at.s;
    const size_t n = run->at.model->n, r = run->at.model->r;
    const ArenaPiece pieces[] = {
        {&run->rows.row, s->columns.n},
        {&run->at.lambda, r},
        {&run->at.reaction, n},
        {&run->at.transpose, n * r},
        {&run->at.passage_vdot, n},
        {&run->at.bounds, 2 * n},
        {&run->at.speed_squares, 2 * n},
        {&run->at.q, n},
        {&run->at.v, n},
        {&run->at.kept, r},
        /* events and switches are looked at together */
        {&run->watch.events.guards, s->n_events + s->motion->n_switches + 1},
        {&run->watch.events.guards_at_start, s->n_events},
        {&run->watch.events.lost, s->n_events},
        {&run->watch.events.unheeded, s->n_events},
        {&run->watch.events.unsure_t, s->n_events},
        {&run->at.shaken, s->motion->dim + 1},
        {&run->at.eq.stand_in.y, s->motion->dim},
        {&run->at.eq.stand_in.own, s->motion->n_own},
    };
    arena_pieces(memory, pieces, sizeof pieces / sizeof *pieces);
}

/* The job's events, then the equations'. */
static void set_guards(const Simulation *s, OdeGuard *guards, size_t n_guards)
{
    const size_t switches_end = s->n_events + s->motion->n_switches;

    for (size_t k = 0; k < n_guards; k++) {
        guards[k] =
            (OdeGuard){.kind = ODE_GUARD_BREAK, .is_switch = k >= s->n_events && k < switches_end};
        if (k < s->n_events) {
            const EventSpec *event = &s->events[k];
            guards[k].direction = event->direction;
            guards[k].is_impact = event->n_set > 0;
            guards[k].is_clock = event->kind != EVENT_WHEN;
            if (!event->terminal && event->n_set == 0 && !guards[k].is_clock)
                guards[k].kind = ODE_GUARD_RECORD;
        }
    }
}

/* Is there an event that is looked for? */
static bool has_roots(const Simulation *s)
{
    for (size_t k = 0; k < s->n_events; k++)
        if (s->events[k].kind == EVENT_WHEN)
            return true;
    return false;
}

/* The names of the guards in messages; NULL when out of memory. */
static const char *const *name_guards(const Simulation *s, size_t n_guards, Arena *memory)
{
    const char **names = arena_alloc(memory, n_guards, sizeof *names);

    for (size_t k = 0; names && k < n_guards; k++)
        names[k] = k < s->n_events ? arena_printf(memory, "the event %s", s->events[k].name)
                   : k < s->n_events + s->motion->n_switches
                       ? "a corner of the model (abs, sign, min, max or if)"
                       : "a new choice of dependent velocities";
    return names;
}

/* The names of the components in messages; NULL when out of memory. */
static const char *const *name_state(const Run *run)
{
    const Simulation *s = run->at.s;
    const size_t dim = s->motion->dim;

    if (!run->at.eq.sensitivities)
        return s->motion->state_names;
    const char **names = arena_alloc(s->arena, run->at.size, sizeof *names);
    if (names) {
        memcpy(names, s->motion->state_names, dim * sizeof *names);
        sensitivities_name_state(s, names + dim);
    }
    return names;
}

/* Describes the guards and components to a drive: their names, kinds and sizes. There is room for
 * one guard more, which watches the dependent velocities. */
static Status describe_task(Run *run, Error *err)
{
    const Simulation *s = run->at.s;
    Arena *memory = &run->lasting;
    const size_t n_guards = s->n_events + s->motion->n_switches + 1;
    OdeGuard *guards = ARENA_NEW(memory, n_guards, OdeGuard);

    run->progress.system.names = name_state(run);
    run->progress.system.guard_names = name_guards(s, n_guards, memory);
    const Status status = arena_status(memory, err);
    if (status != OK)
        return status;
    set_guards(s, guards, n_guards);
    run->progress.options = s->integration.options;
    run->progress.options.guards = guards;
    run->progress.options.tick = event_times_at;
    run->progress.options.tick_self = run->at.s;
    return nominal_options(s, run->at.size, memory, &run->progress.options, err);
}

/* The parts of a run that depend on its equations and on the job without its numbers. They last:
 * the next run in the same workspace begins with them. */
static Status run_init(Run *run, Simulation *s, Error *err)
{
    const Model *model = s->compiled->model;
    RunWorkspace *workspace = s->workspace;

    *run = (Run){.lasting = workspace ? workspace->run.lasting : (Arena){0},
                 .memory = workspace ? workspace->run.memory : (Arena){0},
                 .at = {.s = s, .model = model, .size = s->motion->dim}};
    arena_clear(&run->lasting);
    /* sensitivities, whose columns are behind the state */
    Status status = OK;
    if (s->sensitivities) {
        status = sensitivity_run_new(s, &run->at.eq.sensitivities, err);
        if (status == OK)
            run->at.size = linearised_size(sensitivity_run_motion(run->at.eq.sensitivities));
    }
    enclosure_init(&run->watch.enclosure, s->observed, s->n_events,
                   s->motion->plain && !observed_guards_need_motion(s->observed), &run->lasting);
    reduce_init(&run->rows.reduce, s, &run->lasting);
    if (status == OK && s->motion->n_switches)
        status =
            corner_checks_init(&run->watch.corner_checks, model, s->params, &run->lasting, err);
    if (status == OK)
        status = inside_init(&run->watch.features, &run->at, told_apart(s), &run->lasting, err);
    return status == OK ? describe_task(run, err) : status;
}

/* Everything but the lasting parts as in a new run. The drive begins anew with each motion. */
static void forget_motion(Run *run, const SimulationSink *sink)
{
    SensitivityRun *const sensitivities = run->at.eq.sensitivities;
    Progress *progress = &run->progress;

    arena_clear(&run->memory);
    /* the parts that last are behind the others in each struct, except the sensitivities; the drive
     * sets the outcome */
    clear_bytes(&run->at, offsetof(MotionState, s));
    run->at.eq.sensitivities = sensitivities;
    run->at.corner_t = NAN;
    clear_bytes(&run->watch, offsetof(Watches, enclosure));
    clear_bytes(&run->evidence, sizeof run->evidence);
    clear_bytes(&run->rows, offsetof(RunRows, reduce.enclosure));
    run->rows.sink = sink;
    clear_bytes(progress, offsetof(Progress, system));
    clear_bytes(&run->result, sizeof run->result);
}

/* Prepares the looks along the way: events, sizes of the columns, states for the analyses,
 * evidence. */
static Status begin_looks(Run *run, Error *err)
{
    const Simulation *s = run->at.s;
    const size_t n = run->at.model->n, r = run->at.model->r;
    Arena *memory = &run->memory;

    work_arrays_init(run, memory);
    run->watch.events.at_start = ARENA_NEW(memory, s->n_events, bool);
    run->watch.events.unsure = ARENA_NEW(memory, s->n_events, uint64_t);
    column_sizes_init(&run->evidence.sizes, s, memory);
    column_digits_init(&run->evidence.digits, s, memory);
    state_samples_init(&run->rows.states, s->n_analyses ? MOST_STATE_SAMPLES : 0, n, r, memory);
    if (run->rows.sink->evidence)
        instants_init(&run->evidence.instants, r, memory);
    collapse_init(&run->watch.collapse, s->times.t0, n, memory);
    Status status = evidence_init(&run->evidence.motion, s, memory, err);
    if (status == OK)
        status = reduce_begin(&run->rows.reduce, &run->at, memory, err);
    if (status != OK)
        return status;
    /* times; NAN: nothing has been lost or unheeded yet */
    for (size_t k = 0; k < s->n_events; k++)
        run->watch.events.lost[k] = run->watch.events.unheeded[k] = NAN;
    return OK;
}

/* The watches over singular configurations. */
static Status begin_watches(Run *run, Error *err)
{
    const Simulation *s = run->at.s;
    Arena *memory = &run->memory;

    change_elimination_watch(&run->at, memory);
    if (s->motion->n_implicit && s->motion->formulation == formulation_find("hamiltonian"))
        legendre_watch_init(&run->watch.legendre, s->eval, memory);
    const Status status = singular_init(&run->at.singular, s, smooth_widest(&run->at), state_of,
                                        &run->at, memory, err);
    return status == OK ? smooth_init(&run->at, memory, err) : status;
}

/* The functions that a drive asks and tells. */
static void take_system(Run *run)
{
    const Simulation *s = run->at.s;
    const OdeSystem described = run->progress.system;

    /* the last guard watches the dependent velocities */
    run->at.eq.watches_dependent = s->motion->watches_dependent || stand_in_fears_rank(&run->at);
    run->progress.system = run_system(run);
    run->progress.system.n_guards =
        s->n_events + s->motion->n_switches + (run->at.eq.watches_dependent ? 1 : 0);
    run->progress.system.n_enclosed = has_roots(s) ? s->n_events : 0;
    run->progress.system.names = described.names;
    run->progress.system.guard_names = described.guard_names;
    run->progress.observer = run_observer(run);
}

/* Puts the run back to its beginning: its lasting parts stay, and every other part begins in memory
 * that the motion before may have used. */
static Status run_rebind(Run *run, const SimulationSink *sink, Error *err)
{
    forget_motion(run, sink);
    Status status = begin_looks(run, err);
    if (status == OK)
        status = bind_equations(run, err);
    if (status != OK)
        return status;
    run->watch.features.equations = run->at.eq.eval;
    run->at.y = arena_doubles(&run->memory, run->at.size + 1);
    run->at.scratch = arena_doubles(&run->memory, run->at.size + 1);
    run->at.inside = arena_doubles(&run->memory, smooth_widest(&run->at) + 1);
    status = begin_watches(run, err);
    if (status != OK)
        return status;
    take_system(run);
    return arena_status(&run->memory, err);
}

/* Begun again as the run before in its workspace, or made anew. */
static Status run_make(Run *run, Simulation *s, const SimulationSink *sink, Error *err)
{
    RunWorkspace *workspace = s->workspace;
    Status status = OK;

    if (!workspace || workspace->begun_for != s->motion) {
        if (workspace)
            workspace->begun_for = NULL;
        status = run_init(run, s, err);
        if (status == OK && workspace)
            run_workspace_keep(workspace, run);
    }
    return status == OK ? run_rebind(run, sink, err) : status;
}

/* Takes the parameters, times and the start. */
static Status run_take_numbers(Run *run, Error *err)
{
    const Simulation *s = run->at.s;
    const size_t n = run->at.model->n;

    /* the range of the motion: the start so far */
    memcpy(run->at.bounds, s->start.q, n * sizeof *s->start.q);
    memcpy(run->at.bounds + n, s->start.q, n * sizeof *s->start.q);
    const Status status = corners_init(&run->watch.corners, run->at.model, s->compiled->formulation,
                                       s->compiled->corners, s->params, s->times.end - s->times.t0,
                                       &run->memory, err);
    if (status != OK)
        return status;
    const StepEndMatrices matrices = {.all = singular_watches(&run->at.singular),
                                      .changing = run->at.eq.mass.rows.pivots != NULL};
    return s->workspace ? evidence_bind(&run->evidence.motion, s, matrices, &s->workspace->end,
                                        run_workspace_new_params(s->workspace, s), err)
                        : evidence_bind(&run->evidence.motion, s, matrices, NULL, NULL, err);
}

void run_done(Run *run)
{
    if (run->progress.driven)
        drive_finish(&run->drive, run->at.y);
    sensitivity_run_free(run->at.eq.sensitivities);
    motion_eval_free(run->at.eq.smooth.equations);
    motion_eval_free(run->at.eq.stand_in.given);
    watch_done(&run->watch.features);
    corner_checks_done(&run->watch.corner_checks);
    function_done(&run->watch.corners.function);
    if (run->at.s->workspace) {
        run_workspace_leave(run, run->at.s->workspace);
        return;
    }
    motion_eval_free(run->at.eq.eval);
    step_end_eval_done(&run->evidence.motion.end);
    arena_done(&run->memory);
    arena_done(&run->lasting);
}

/* The job's span, events and corners are handed to a drive. */
static Status start_drive(Run *run, Error *err)
{
    Simulation *s = run->at.s;
    const OdeTask task = {.system = &run->progress.system,
                          .method = s->integration.method,
                          .options = &run->progress.options,
                          .span = &run->progress.span,
                          .observer = &run->progress.observer,
                          .outcome = &run->outcome,
                          .workspace = s->workspace ? &s->workspace->drive : NULL};

    /* samples are made from their number: long jobs need no list of times */
    run->progress.span = (OdeSpan){.t0 = s->times.t0,
                                   .t_end = s->times.end,
                                   .n_samples = s->times.n,
                                   .sample_time = sample_times_at,
                                   .self = &s->times};
    const Status status = drive_start(&run->drive, &task, run->at.y, err);
    run->progress.driven = status == OK;
    return status;
}

/* The state at the start; the far end of a boundary problem is met first. */
static Status run_begin(Run *run, double *y, Error *err)
{
    Status status = OK;

    if (run->at.s->boundary)
        status = shooting_solve(run->at.s, run->rows.sink, &run->result, err);
    if (status == OK)
        status = initial_motion_state(run->at.s, run->at.eq.eval, y, err);
    if (status == OK && run->at.s->motion->n_switches)
        motion_eval_start_switches(run->at.eq.eval, sample_times_backwards(&run->at.s->times),
                                   run->at.s->times.t0, y);
    if (status == OK)
        status = initial_motion_check(run->at.s, run->at.eq.eval, y, err);
    if (status == OK && run->at.eq.sensitivities)
        sensitivity_run_begin(run->at.eq.sensitivities, y);
    return status;
}

static Status begin_motion(Run *run, Error *err)
{
    const Simulation *s = run->at.s;
    const Status status = run_begin(run, run->at.y, err);

    if (status == ERR_NUMERIC || status == ERR_CANCELLED || status == ERR_TIMEOUT) {
        /* how the job ends, not a failure of the service */
        run->outcome = (OdeOutcome){.status = status, .t = s->times.t0};
        if (err)
            run->outcome.error = *err;
        return OK;
    }
    if (status != OK)
        return status;
    if (run->at.eq.watches_dependent)
        change_base_watch(&run->at, s->times.t0, run->at.y);
    watchers_begin(run);
    return start_drive(run, err);
}

Status run_start(Run *run, Simulation *simulation, const SimulationSink *sink, Error *err)
{
    const double began = simulation_clock(simulation);
    Status status = run_make(run, simulation, sink, err);

    run->progress.began = began;
    if (status == OK)
        status = run_take_numbers(run, err);
    return status == OK ? begin_motion(run, err) : status;
}

bool run_under_way(const Run *run)
{
    return run->progress.driven && drive_running(&run->drive);
}

static void finish_drive(Run *run)
{
    const size_t n = run->at.model->n;
    const double t = run->drive.step.t[0], *y = run->drive.step.y, *q, *v;

    /* it may have ended inside a passage, which is the drive's */
    reduce_end(&run->rows.reduce, &run->at, &run->memory, t, y);
    state_locate(&run->at, t, y, &q, &v);
    memcpy(run->at.s->start.q, q, n * sizeof *q);
    memcpy(run->at.s->start.v, v, n * sizeof *v);
    singular_leave(&run->at.singular);
    run->evidence.magnified = cancellation_magnified(run->at.s, &run->drive.step, &run->outcome);
    drive_finish(&run->drive, run->at.y);
    run->progress.driven = false;
    run->result.energy.work = run->at.y[run->at.size];
}

Status run_report(Run *run, SimulationResult *ret_result, Error *err)
{
    if (run->progress.driven)
        finish_drive(run);
    if (run->rows.sink_status != OK)
        return error_set(err, run->rows.sink_status, "%s", run->outcome.error.message);
    if (run->outcome.status != OK) {
        run->result.end.stopped_by = NULL;
        run->result.end.between = false;
    }
    Status status = OK;
    if (run->result.end.between)
        status = rows_end(&run->rows, &run->evidence, run->at.s, err);
    if (status == OK)
        status = instants_end(&run->evidence, &run->rows, err);
    if (status != OK)
        return status;
    /* the outcome, the evidence, the analyses and the reductions that read them */
    run->result.provenance.seconds_integrate = simulation_clock(run->at.s) - run->progress.began;
    report_outcome(run, &run->outcome);
    status = evidence_report(&run->evidence.motion, run->at.s, &run->result, err);
    if (status == OK && run->outcome.status == OK)
        status = report_analyses(run, err);
    if (status == OK)
        reduce_report(&run->rows.reduce, run->at.s, &run->result);
    if (status == OK) {
        run->result.provenance.seconds_analyse = simulation_clock(run->at.s) - run->progress.began -
                                                 run->result.provenance.seconds_integrate;
        *ret_result = run->result;
    }
    return status;
}

Status run_motion(Simulation *simulation, const SimulationSink *sink, SimulationResult *ret_result,
                  Error *err)
{
    Run own, *run = run_workspace_place(simulation, &own);

    Status status = run_start(run, simulation, sink, err);
    if (status == OK && run->progress.driven)
        drive_run(&run->drive);
    if (status == OK)
        status = run_report(run, ret_result, err);
    run_done(run);
    return status;
}
