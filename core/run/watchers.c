/* The table of watchers. */
#include "core/run/watchers.h"

#include <math.h>

#include "core/base/clock.h"
#include "core/run/equations/change_base.h"
#include "core/run/equations/change_elimination.h"
#include "core/run/equations/stand_in.h"
#include "core/run/state/projection.h"
#include "core/run/tell/column_digits.h"
#include "core/run/tell/reduce.h"
#include "core/run/tell/rows.h"
#include "core/run/watch/column_sizes.h"
#include "core/run/watch/guards.h"
#include "core/run/watch/observe.h"
#include "core/run/watch/residuals.h"

/* Samples at which the rank is looked at, about. Convention: each costs a singular value
 * decomposition. */
enum { RANK_SAMPLES = 1000 };
/* Steps between looks at the clock, and seconds between reports of progress. Convention; they
 * change no result. */
enum { PROGRESS_STEPS = 16 };
static const double PROGRESS_SECONDS = 0.02;

static bool at_start(const Run *run)
{
    return run->progress.steps == 0;
}

/* projection: the changes by the projection onto the constraints */
static bool projection_wanted(const Run *run)
{
    return run->at.s->integration.projection;
}

static Status projection_step(Run *run, const StepSeen *seen, Error *err)
{
    const StepEndChange *change = &run->progress.pending;

    (void)err;
    if (seen->h != 0)
        evidence_projection(&run->evidence.motion, change->dq, change->dv, change->energy);
    return OK;
}

static bool projection_alone(const Run *run)
{
    return run->watch.corners.function.program || run->at.eq.sensitivities;
}

static bool projection_busy(const Run *run)
{
    return !isnan(run->at.corner_t);
}

/* equations: the guess of what they solve for by iteration */
static Status equations_step(Run *run, const StepSeen *seen, Error *err)
{
    (void)err;
    if (run->at.s->motion->n_implicit)
        motion_eval_renew(run->at.eq.eval, seen->t, seen->y);
    return OK;
}

static bool equations_alone(const Run *run)
{
    const Motion *motion = run->at.s->motion;
    return !motion->plain || motion->n_implicit > 0 || motion->n_switches > 0;
}

/* rank: how near the constraints are to losing theirs */
static bool rank_wanted(const Run *run)
{
    return singular_watches(&run->at.singular);
}

static Status rank_step(Run *run, const StepSeen *seen, Error *err)
{
    (void)err;
    singular_step(&run->at.singular, seen->t, seen->y, false);
    return OK;
}

static bool rank_busy(const Run *run)
{
    return run->at.singular.arc || run->at.singular.waiting;
}

/* base: the choice of dependent velocities */
static bool base_wanted(const Run *run)
{
    return run->at.eq.watches_dependent;
}

static Status base_step(Run *run, const StepSeen *seen, Error *err)
{
    const Singular *singular = &run->at.singular;

    (void)err;
    if (singular_ends(singular, seen->t))
        change_base_orient(&run->at, seen->t, seen->y);
    if (!singular_covers(singular, seen->t))
        change_base_rise(&run->at, seen->t, seen->y);
    if (at_start(run))
        stand_in_start(&run->at, seen->t, seen->y);
    return OK;
}

/* events: those that cannot be seen */
static bool events_wanted(const Run *run)
{
    return run->at.s->n_events > 0;
}

static Status events_step(Run *run, const StepSeen *seen, Error *err)
{
    (void)err;
    if (at_start(run))
        guards_note_start(&run->at, &run->watch.events, seen->t, seen->y);
    if (run->watch.events.some_lost)
        guards_note_lost(&run->at, &run->watch.events, seen->t, seen->y);
    return OK;
}

static bool events_busy(const Run *run)
{
    return run->watch.events.some_lost;
}

/* momenta: other velocities belong to them than those that the motion leads to */
static bool momenta_wanted(const Run *run)
{
    return run->watch.legendre.eval != NULL;
}

static Status momenta_step(Run *run, const StepSeen *seen, Error *err)
{
    const double *q, *v;

    state_locate(&run->at, seen->t, seen->y, &q, &v);
    if (!legendre_watch_folds(&run->watch.legendre, seen->t, q, v))
        return OK;
    return error_set(err, ERR_NUMERIC,
                     "the Legendre transform folds between t = %.17g and %.17g: det(d2L/dv2) "
                     "vanishes, and other velocities belong to the momenta than those that the "
                     "motion leads to",
                     seen->t - seen->h, seen->t);
}

/* collapse: steps that become shorter and shorter towards t = 0 */
static Status step_of_collapse(Run *run, const StepSeen *seen, Error *err)
{
    StepCollapse *collapse = &run->watch.collapse;
    const double *q, *v;

    if (seen->h == 0 || !(collapse_is_in(collapse, seen->t, seen->h) || collapse_was_in(collapse)))
        return OK;
    state_locate(&run->at, seen->t, seen->y, &q, &v);
    return collapse_step(collapse, run->at.s->eval, seen->t, seen->h, q, v, err);
}

/* residuals: of the constraints, and the energy balance */
static Status residuals_step(Run *run, const StepSeen *seen, Error *err)
{
    return residuals_take(&run->at, &run->evidence, &run->watch.corners, seen->t, seen->y, true,
                          err);
}

static Status residuals_sample(Run *run, const SampleSeen *seen, Error *err)
{
    return residuals_take(&run->at, &run->evidence, &run->watch.corners, seen->t, seen->y, false,
                          err);
}

static bool residuals_busy(const Run *run)
{
    const Evidence *evidence = &run->evidence.motion;
    return evidence->sums.states == 0 || evidence_doubts(evidence);
}

/* reductions: those that go by the ends of steps */
static bool reductions_wanted(const Run *run)
{
    return reduce_wants_states(run->at.s);
}

static Status reductions_step(Run *run, const StepSeen *seen, Error *err)
{
    (void)err;
    reduce_take_state(&run->rows.reduce, &run->at, seen->t, seen->y);
    return OK;
}

/* instants: the evidence at each sample, the worst since the one before */
static bool instants_wanted(const Run *run)
{
    return run->evidence.instants.held != NULL;
}

static Status step_of_instants(Run *run, const StepSeen *seen, Error *err)
{
    (void)err;
    instants_step(&run->evidence, seen->t, seen->h);
    return OK;
}

/* elimination: whether the mass matrix can still be divided by */
static bool elimination_wanted(const Run *run)
{
    return run->at.eq.mass.rows.pivots != NULL;
}

static Status elimination_step(Run *run, const StepSeen *seen, Error *err)
{
    return change_elimination_step(&run->at, seen->t, seen->y, err);
}

static bool elimination_busy(const Run *run)
{
    return !run->at.eq.mass.begun || run->at.eq.dividing;
}

/* regularity: of the equations, and states for the analyses */
static Status regularity_step(Run *run, const StepSeen *seen, Error *err)
{
    return observe_step(&run->at, &run->evidence.motion, &run->rows.states, run->progress.steps,
                        seen->t, seen->y, err);
}

static Status regularity_sample(Run *run, const SampleSeen *seen, Error *err)
{
    const bool looked =
        run->progress.steps == 1 && seen->t == run->at.s->times.t0; /* by the step */
    return looked ? OK : observe_state(&run->at, &run->evidence.motion, seen->t, seen->y, err);
}

static bool regularity_alone(const Run *run)
{
    return run->rows.states.room > 0;
}

/* condition: rank and condition of the constraints; a lost rank ends the run */
static Status condition_sample(Run *run, const SampleSeen *seen, Error *err)
{
    const bool looks = seen->k % (run->at.s->times.n / RANK_SAMPLES + 1) == 0;
    return looks && !singular_covers(&run->at.singular, seen->t)
               ? residuals_check_rank(&run->at, &run->evidence.motion, run->rows.n == 0, err)
               : OK;
}

/* rows: of the trajectory, each with its evidence */
static Status rows_sample(Run *run, const SampleSeen *seen, Error *err)
{
    const Status status = rows_add(&run->rows, &run->at, -1, seen->y, err);
    return status == OK ? instants_sample(&run->evidence, &run->rows, seen->t, err) : status;
}

/* columns: their sizes, and how many digits of them are right */
static Status columns_sample(Run *run, const SampleSeen *seen, Error *err)
{
    (void)err;
    if (!singular_covers(&run->at.singular, seen->t)) {
        column_digits_take(&run->evidence.digits, &run->at, run->rows.row, seen->k);
        column_sizes_take(&run->evidence.sizes, &run->at, run->rows.row, seen->k, seen->y);
    }
    return OK;
}

static bool columns_alone(const Run *run)
{
    return run->at.s->second.terms != NULL;
}

/* progress: to the sink */
static Status progress_step(Run *run, const StepSeen *seen, Error *err)
{
    const SimulationSink *sink = run->rows.sink;
    const SampleTimes *times = &run->at.s->times;

    (void)err;
    run->progress.steps++;
    if (!sink->progress || run->progress.steps % PROGRESS_STEPS != 0)
        return OK;
    const double now = clock_seconds();
    if (now - run->progress.told_at < PROGRESS_SECONDS)
        return OK;
    run->progress.told_at = now;
    sink->progress(sink->self, (seen->t - times->t0) / (times->end - times->t0), seen->t,
                   run->progress.steps);
    return OK;
}

static bool progress_alone(const Run *run)
{
    return run->rows.sink->progress != NULL;
}

/* clang-format off */
static const Watcher WATCHERS[] = {
    /* changes by the step */
    {.name = "projection", .wanted = projection_wanted, .step = projection_step, .flags = IN_LANES,
     .alone = projection_alone, .busy = projection_busy},
    {.name = "equations", .step = equations_step, .flags = IN_LANES, .alone = equations_alone},
    {.name = "rank", .wanted = rank_wanted, .step = rank_step, .flags = IN_LANES,
     .busy = rank_busy},
    {.name = "base", .wanted = base_wanted, .step = base_step},
    {.name = "events", .wanted = events_wanted, .step = events_step, .flags = IN_LANES,
     .busy = events_busy},
    /* evidence, and whether the equations still serve */
    {.name = "momenta", .wanted = momenta_wanted, .step = momenta_step},
    {.name = "collapse", .step = step_of_collapse, .flags = IN_LANES},
    {.name = "residuals", .step = residuals_step, .sample = residuals_sample, .flags = IN_LANES,
     .busy = residuals_busy},
    {.name = "reductions", .wanted = reductions_wanted, .step = reductions_step,
     .flags = IN_LANES | ALWAYS},
    {.name = "instants", .wanted = instants_wanted, .step = step_of_instants},
    {.name = "elimination", .wanted = elimination_wanted, .step = elimination_step,
     .flags = IN_LANES, .busy = elimination_busy},
    {.name = "regularity", .step = regularity_step, .sample = regularity_sample, .flags = IN_LANES,
     .alone = regularity_alone},
    /* reports */
    {.name = "condition", .sample = condition_sample},
    {.name = "rows", .sample = rows_sample},
    {.name = "columns", .sample = columns_sample, .alone = columns_alone},
    {.name = "progress", .step = progress_step, .flags = IN_LANES | ALWAYS,
     .alone = progress_alone},
};
/* clang-format on */
_Static_assert(sizeof WATCHERS / sizeof *WATCHERS == N_WATCHERS, "list has a place for each");

void watchers_begin(Run *run)
{
    Watchers *list = &run->watch.list;

    list->n_step = list->n_sample = list->n_busy = 0;
    list->alone = false;
    for (const Watcher *w = WATCHERS; w < WATCHERS + N_WATCHERS; w++) {
        if (w->wanted && !w->wanted(run))
            continue;
        if (w->step)
            list->step[list->n_step++] = w;
        if (w->sample)
            list->sample[list->n_sample++] = w;
        if (w->busy)
            list->busy[list->n_busy++] = w;
        list->alone =
            list->alone || (w->step && !(w->flags & IN_LANES)) || (w->alone && w->alone(run));
    }
}

Status watchers_step(void *self, double t, double h, const double *y, Error *err)
{
    Run *run = self;
    const StepSeen seen = {t, h, y};
    const Watchers *list = &run->watch.list;
    Status status = OK;

    for (size_t k = 0; k < list->n_step; k++) {
        if (status != OK && !(list->step[k]->flags & ALWAYS))
            continue;
        const Status found = list->step[k]->step(run, &seen, err);
        status = status == OK ? found : status;
    }
    return status;
}

Status watchers_sample(void *self, size_t k, double t, const double *y, Error *err)
{
    Run *run = self;
    const SampleSeen seen = {k, t, y};
    const Watchers *list = &run->watch.list;
    Status status = OK;
    for (size_t i = 0; status == OK && i < list->n_sample; i++)
        status = list->sample[i]->sample(run, &seen, err);
    return status;
}

bool watchers_want_next_step(const Run *run)
{
    const Watchers *list = &run->watch.list;

    for (size_t k = 0; k < list->n_busy; k++)
        if (list->busy[k]->busy(run))
            return true;
    return list->alone;
}
