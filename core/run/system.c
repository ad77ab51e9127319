/* A run as the drive of core/integrate sees it: rates, guards, and what is done at steps, samples,
 * events and corners. */
#include "core/run/system.h"
#include "core/prepare/column_units.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "core/base/clock.h"
#include "core/base/finite.h"
#include "core/numeric/dense.h"
#include "core/run/change_base.h"
#include "core/run/change_elimination.h"
#include "core/run/column_digits.h"
#include "core/run/column_sizes.h"
#include "core/run/contradiction.h"
#include "core/run/inside.h"
#include "core/run/instants.h"
#include "core/run/look.h"
#include "core/run/observe.h"
#include "core/run/projection.h"
#include "core/run/reduce.h"
#include "core/run/row.h"
#include "core/run/smooth.h"
#include "core/run/stand_in.h"
#include "core/run/worth.h"

/* Singular value of the constraints, relative to the largest, below which they lost rank. */
static const double RANK_LOST = 1e-8;

enum {
    START_ULPS = 8,
    RANK_SAMPLES = 1000, /* samples whose rank is looked at, about */
};
static const double PROGRESS_SECONDS = 0.02;

/* Whether the state is the initial one, whose rank is known, or one with the same rank, for all
 * rows only turn, or the end of a step that was looked at; condition numbers are nobody's
 * question. */
static bool rank_is_known(const Run *run)
{
    const Simulation *s = run->s;
    const bool turns = run->model->fixed.A_turns && s->start.report.rank == run->model->r;
    const bool as_at_start = turns || (run->rows.n == 0 && run->at.state.t == s->times.t0);

    return s->brief && s->motion->plain &&
           (as_at_start ? s->start.report.rank_is_clear
                        : singular_is_clear(&run->watch.singular, run->at.state.t));
}

static Status check_rank(Run *run, Error *err)
{
    const size_t rank = run->s->start.report.rank;
    ConstraintRank found = {.rank_only = run->s->brief};

    if (rank == 0 || rank_is_known(run))
        return OK;
    ModelPoint at = model_point(run->s->eval, run->at.state.t, run->at.state.q, run->at.state.v);
    Status status = model_rank(run->s->eval, &at, &found, err);
    if (status != OK)
        return status;
    if (found.rank < rank || found.smallest < RANK_LOST * found.largest)
        return error_set(err, ERR_NUMERIC,
                         "the constraints lose rank at t = %.17g (singular values %.3g of %.3g)",
                         run->at.state.t, found.smallest, found.largest);
    if (!found.rank_only)
        run->evidence.motion.condition_max =
            fmax(run->evidence.motion.condition_max, found.largest / found.smallest);
    return OK;
}

static Status not_finite(const Run *run, size_t column, bool observable, Error *err)
{
    if (observable)
        return error_set(err, ERR_NUMERIC,
                         "the observable %s is not finite at t = %.17g: write it so that it is "
                         "finite all along the motion, with if(..) where need be",
                         run->s->columns.names[column], run->at.state.t);
    const size_t multipliers = 1 + 2 * run->model->n;
    const bool multiplier = column >= multipliers && column < multipliers + run->model->r;
    return error_set(err, ERR_NUMERIC, "the column %s is not finite at t = %.17g%s",
                     run->s->columns.names[column], run->at.state.t,
                     multiplier ? ": the constraints lose rank or the mass matrix degenerates there"
                                : "");
}

static Status tell_row(Run *run, int table, const double *shown, Error *err)
{
    run->rows.n += table < 0;
    run->rows.sink_status = run->rows.sink->rows(run->rows.sink->self, table, shown, 1, err);
    return run->rows.sink_status;
}

static Status add_row(Run *run, int table, const double *y, Error *err)
{
    double *row = run->rows.row, *observed = row_state(run, row);

    observed_columns(run->s->observed, &run->at.state, observed);
    if (run->eq.sensitivities)
        sensitivity_run_row(run->eq.sensitivities, &run->at.state, y,
                            row + run->s->columns.n - run->s->columns.n_sensitivities);
    for (size_t c = 0; !all_finite(row, run->s->columns.n) && c < run->s->columns.n; c++)
        if (!isfinite(row[c]))
            return not_finite(run, c, row + c >= observed, err);
    const double *shown = row_shown(run->s, row);
    for (size_t c = 0; shown != row && c < run->s->columns.n; c++)
        if (!isfinite(shown[c]))
            return not_finite(run, c, row + c >= observed, err);
    return tell_row(run, table, shown, err);
}

static void run_widen(Run *run, const double *q, const double *v)
{
    const size_t n = run->model->n, *kinds = run->model->kinds.first;
    double *low = run->at.bounds, *high = low + n, *most = run->at.speed_squares, *now = most + n;

    for (size_t i = 0; i < n; i++) {
        low[i] = q[i] < low[i] ? q[i] : low[i];
        high[i] = q[i] > high[i] ? q[i] : high[i];
        now[i] = 0;
        now[kinds[i]] += v[i] * v[i];
    }
    for (size_t i = 0; i < n; i++)
        most[i] = now[i] > most[i] ? now[i] : most[i];
}

/* Redundant constraints hold with the others, or contradict them. The ones in use are projected
 * onto, or hold by the formulation's construction: they are lost where its state says nothing any
 * more. */
static Status lost_constraint(const Run *run, double t, size_t a, Error *err)
{
    const Simulation *s = run->s;
    const char *name = run->model->constraints[a].name;
    const bool own_state = !s->motion->plain && !s->compiled->formulation->keeps_multipliers;
    bool in_use = false;

    for (size_t k = 0; k < s->start.report.rank; k++)
        in_use = in_use || s->start.rows[k] == a;
    if (!in_use)
        return error_set(err, ERR_NUMERIC,
                         "the constraint %s contradicts the others: it cannot be kept at t = %.17g",
                         name, t);
    return error_set(err, ERR_NUMERIC,
                     "the constraint %s is no longer satisfied at t = %.17g (relative residual "
                     "%.3g): the state%s has grown too large or lost its meaning there%s",
                     name, t, evidence_residual(&run->evidence.motion, a),
                     own_state ? " in the formulation's own variables" : "",
                     own_state ? ", as where a chart ends or a frame has a pole; the formulation "
                                 "lagrange-dalembert does without them"
                               : "");
}

static Status take_residuals(Run *run, double t, const double *y, bool on_step, Error *err)
{
    const double *q, *v;
    /* without projection drift is the client's choice; with it only redundant rows can drift, and
     * states that lose their meaning */
    double bound = run->s->integration.projection && !singular_covers(&run->watch.singular, t)
                       ? CONTRADICTION
                       : INFINITY;

    if (t == run->watch.corner_t) /* on neither side of the constraint */
        return OK;
    run_locate(run, t, y, &q, &v);
    if (on_step) {
        run_widen(run, q, v);
        if (run->s->second.terms)
            column_sizes_widen(run, q, v);
    }
    size_t beyond = evidence_take(&run->evidence.motion, t, q, v, on_step, y[run->at.size], bound);
    if (beyond == run->model->r) {
        if (on_step && evidence_doubts(&run->evidence.motion))
            evidence_spare(&run->evidence.motion, energy_worth(run, t, y));
        return OK;
    }
    Status status = run_check_corner(run, t, y, err);
    return status == OK ? lost_constraint(run, t, beyond, err) : status;
}

static void report_progress(Run *run, double t)
{
    const SampleTimes *times = &run->s->times;
    double now;

    if (!run->rows.sink->progress || run->progress.steps % 16 != 0)
        return;
    now = clock_seconds();
    if (now - run->progress.told_at < PROGRESS_SECONDS)
        return;
    run->progress.told_at = now;
    run->rows.sink->progress(run->rows.sink->self, (t - times->t0) / (times->end - times->t0), t,
                             run->progress.steps);
}

/* What the guards of events read at a state. */
static ObservedState guarded_state(Run *run, double t, const double *y)
{
    ObservedState state = {.t = t};

    run_locate(run, t, y, &state.q, &state.v);
    if (run->s->n_events && observed_guards_need_motion(run->s->observed)) {
        Error ignored;
        MotionPoint point = look_at(run, t, y);
        if (row_multipliers(run, &point, &ignored) == OK)
            state = run->at.state;
    }
    return state;
}

static void watch_guards(void *self, size_t lane, double t, const double *y, double *ret_values)
{
    Run *run = self;
    const Simulation *s = run->s;
    const ObservedState state = guarded_state(run, t, y);

    observed_guards(s->observed, &state, ret_values);
    for (size_t k = 0; k < s->n_events; k++)
        run->watch.events.some_lost = run->watch.events.some_lost || !isfinite(ret_values[k]);
    if (s->motion->n_switches)
        motion_eval_guards(run->eq.eval, lane, t, y, ret_values + s->n_events);
    if (run->eq.watches_dependent)
        ret_values[s->n_events + s->motion->n_switches] = change_base_guard(run, t, y);
}

static const double *run_look_inside(void *self, const OdeArc *arc, double theta)
{
    Run *run = self;
    const double t = arc->t + theta * arc->h;

    arc->state(arc, theta, run->at.inside);
    const ObservedState state = guarded_state(run, t, run->at.inside);
    return observed_inputs(run->s->observed, &state);
}

/* Where a chart turns too often within a step, half of it. */
static double follow_guards(void *self, size_t lane, const OdeArc *arc)
{
    Run *run = self;

    (void)lane;
    path_follow(&run->watch.enclosure.path, run_look_inside, run, arc);
    return run_loses(run, &run->watch.enclosure.path) ? 0.5 : 1;
}

static void enclose_guard(void *self, size_t guard, double from, double to, OdeRange *ret_range)
{
    Run *run = self;
    enclosure_take(&run->watch.enclosure, guard, from, to, ret_range);
}

static void run_on_overlooked(void *self, size_t lane, double t, double h)
{
    Run *run = self;

    (void)lane;
    (void)h;
    if (run->watch.overlooked++ == 0)
        run->watch.overlooked_t = t;
}

static void run_on_unsure(void *self, size_t lane, size_t guard, double t, double h)
{
    Run *run = self;

    (void)lane;
    (void)h;
    if (run->watch.events.unsure[guard]++ == 0)
        run->watch.events.unsure_t[guard] = t;
}

static void run_on_lost(void *self, size_t lane, size_t guard, double t)
{
    Run *run = self;

    (void)lane;
    if (guard < run->s->n_events && isnan(run->watch.events.lost[guard]))
        run->watch.events.lost[guard] = t;
}

static void run_on_unheeded(void *self, size_t lane, size_t guard, double t)
{
    Run *run = self;

    (void)lane;
    if (guard < run->s->n_events && isnan(run->watch.events.unheeded[guard]))
        run->watch.events.unheeded[guard] = t;
}

/* Events that are not finite at the end of a step: from there on they see no root. */
static void note_lost(Run *run, size_t lane, double t, const double *y)
{
    watch_guards(run, lane, t, y, run->watch.events.guards);
    for (size_t k = 0; k < run->s->n_events; k++)
        if (!isfinite(run->watch.events.guards[k]) && isnan(run->watch.events.lost[k]))
            run->watch.events.lost[k] = t;
    run->watch.events.some_lost = false;
}

/* Impacts without a direction whose guards are zero where the run starts, to rounding: what the
 * state moved by some units in the last place makes of them. */
static void note_start(Run *run, size_t lane, double t, const double *y)
{
    const Simulation *s = run->s;
    double *moved = run->at.scratch;

    watch_guards(run, lane, t, y, run->watch.events.guards);
    for (size_t k = 0; k < s->n_events; k++)
        run->watch.events.at_start[k] = s->events[k].kind == EVENT_WHEN && s->events[k].n_set > 0 &&
                                        s->events[k].direction == 0;
    for (size_t i = 0; i <= run->at.size; i++)
        moved[i] = y[i] * (1 + START_ULPS * DBL_EPSILON);
    memcpy(run->watch.events.guards_at_start, run->watch.events.guards,
           s->n_events * sizeof *run->watch.events.guards);
    watch_guards(run, lane, t, moved, run->watch.events.guards);
    for (size_t k = 0; k < s->n_events; k++) {
        const double value = run->watch.events.guards_at_start[k];
        run->watch.events.at_start[k] = run->watch.events.at_start[k] &&
                                        fabs(value) <= fabs(run->watch.events.guards[k] - value);
    }
}

/* Towards t = 0 no rounding of t ends steps that become shorter and shorter. */
static Status leave_funnel(Run *run, double t, double h, const double *y, Error *err)
{
    const double *q, *v;

    if (h == 0 || !(funnel_is_in(&run->watch.funnel, t, h) || funnel_was_in(&run->watch.funnel)))
        return OK;
    run_locate(run, t, y, &q, &v);
    return funnel_step(&run->watch.funnel, run->s->eval, t, h, q, v, err);
}

/* Momenta to which other velocities belong than those that the motion leads to. */
static Status check_legendre(Run *run, double t, double h, const double *y, Error *err)
{
    const double *q, *v;

    if (!run->watch.legendre.eval)
        return OK;
    run_locate(run, t, y, &q, &v);
    return legendre_watch_folds(&run->watch.legendre, t, q, v)
               ? error_set(err, ERR_NUMERIC,
                           "the Legendre transform folds between t = %.17g and %.17g: det(d2L/dv2) "
                           "vanishes, and other "
                           "velocities belong to the momenta than those that the motion leads to",
                           t - h, t)
               : OK;
}

static Status eliminate_in_time(Run *run, double t, const double *y, Error *err)
{
    if (!change_elimination_is_due(run, t, y))
        return OK;
    const Status status = observe_waiting(run, err); /* by the equations of their time */
    return status == OK ? change_elimination_in_time(run, t, y, err) : status;
}

static Status run_on_step(void *self, size_t lane, double t, double h, const double *y, Error *err)
{
    Run *run = self;

    /* what the step has changed */
    if (h != 0 && run->s->integration.projection)
        evidence_projection(&run->evidence.motion, run->progress.pending.dq,
                            run->progress.pending.dv, run->progress.pending.energy);
    if (run->s->motion->n_implicit)
        motion_eval_renew(run->eq.eval, lane, t, y);
    singular_step(&run->watch.singular, t, y, false);
    if (run->eq.watches_dependent && singular_ends(&run->watch.singular, t))
        change_base_orient(run, t, y);
    if (run->eq.watches_dependent && !singular_covers(&run->watch.singular, t))
        change_base_rise(run, t, y);
    /* what is noted at the start */
    if (run->progress.steps == 0)
        stand_in_start(run, t, y);
    if (run->progress.steps == 0 && run->s->n_events)
        note_start(run, lane, t, y);
    if (run->watch.events.some_lost)
        note_lost(run, lane, t, y);
    /* evidence, and whether the equations still serve */
    Status status = check_legendre(run, t, h, y, err);
    if (status == OK)
        status = leave_funnel(run, t, h, y, err);
    if (status == OK)
        status = take_residuals(run, t, y, true, err);
    reduce_state(run, t, y);
    if (status == OK && run->evidence.instants.held)
        instants_step(run, t, h);
    if (status == OK)
        status = eliminate_in_time(run, t, y, err);
    if (status == OK)
        status = observe_step(run, t, y, err);
    run->progress.steps++;
    report_progress(run, t);
    return status;
}

static Status run_on_sample(void *self, size_t lane, size_t k, double t, const double *y,
                            Error *err)
{
    Run *run = self;
    const bool looked = run->progress.steps == 1 && t == run->s->times.t0; /* by run_on_step() */

    (void)lane;
    Status status = take_residuals(run, t, y, false, err);
    if (status == OK && !looked)
        status = run_observe(run, t, y, err);
    if (status == OK && k % (run->s->times.n / RANK_SAMPLES + 1) == 0 &&
        !singular_covers(&run->watch.singular, t))
        status = check_rank(run, err);
    if (status == OK)
        status = add_row(run, -1, y, err);
    if (status == OK)
        status = instants_sample(run, t, err);
    if (status == OK && !singular_covers(&run->watch.singular, t)) {
        column_digits_take(run, k);
        column_sizes_take(run, k, y);
    }
    return status;
}

/* Makes run->q, run->v admissible; at a corner of the constraints, on the side that v leads to. */
static Status run_admit(Run *run, double t, Change *ret, Error *err)
{
    const size_t n = run->model->n;
    const double distance = corners_distance(&run->watch.corners, t);
    const double ahead = sample_times_backwards(&run->s->times) ? -distance : distance;

    if (corners_check(&run->watch.corners, t, run->at.q, run->at.v, run->at.state.vdot, NULL) == OK)
        return run_project_model(run, t, run->at.q, run->at.v, ret, err);
    /* projected a little ahead, where the constraints are smooth, and taken back as far */
    for (size_t i = 0; i < n; i++)
        run->at.q[i] += ahead * run->at.v[i];
    Status status = run_project_model(run, t + ahead, run->at.q, run->at.v, ret, err);
    for (size_t i = 0; i < n; i++)
        run->at.q[i] -= ahead * run->at.v[i];
    return status;
}

/* The event's assignments, all from the state before it; then the state is made admissible. */
static Status run_impact(Run *run, size_t event, double t, double *y, bool *ret_changed, Error *err)
{
    const Simulation *s = run->s;
    const SetTarget *targets = NULL;
    const double *values = NULL;
    Change change = {0};
    double before = run_energy(run, t, run->at.state.q, run->at.state.v);

    /* the assignments go to a copy of the model's state */
    size_t count = observed_impact(s->observed, event, &run->at.state, &targets, &values);
    *ret_changed = count > 0;
    if (count == 0)
        return OK;
    run_take_out(run, t, y);
    for (size_t i = 0; i < count; i++) {
        if (!isfinite(values[i]))
            return error_set(err, ERR_NUMERIC,
                             "event %s sets a value that is not finite at t = %.17g",
                             s->columns.tables[event], t);
        (targets[i].velocity ? run->at.v : run->at.q)[targets[i].coordinate] = values[i];
    }
    /* states that satisfy the constraints by construction hold no others */
    Status status =
        s->integration.projection || !s->motion->plain ? run_admit(run, t, &change, err) : OK;
    if (status == OK && !s->motion->plain) {
        status = run_put_back(run, t, y, err);
        if (status == OK)
            status = change_base_after_impact(run, t, y, err);
    } else if (status == OK) {
        memcpy(y, run->at.q, run->model->n * sizeof *y);
        memcpy(y + run->model->n, run->at.v, run->model->n * sizeof *y);
    }
    if (status != OK) {
        error_prefix(err, "after event %s at t = %.17g", s->columns.tables[event], t);
        return status;
    }
    singular_step(&run->watch.singular, t, y, true);
    legendre_watch_restart(&run->watch.legendre);
    evidence_impact(&run->evidence.motion, change.dq, change.dv,
                    run_energy(run, t, run->at.q, run->at.v) - before);
    motion_eval_start_switches(run->eq.eval, 0, sample_times_backwards(&s->times), t, y);
    return OK;
}

/* A terminal event: if its instant is no sample, the row of the event, in run->row, becomes the
 * last row of the trajectory (run_tell_end()), and its columns are examined like those of a
 * sample. */
static Status end_between(Run *run, double t, const double *y, Error *err)
{
    SampleTimes *times = &run->s->times;
    const size_t last = (size_t)times->n - 1;

    run->result.end.between =
        run->rows.n == 0 || sample_times_at(times, (size_t)run->rows.n - 1) != t;
    if (!run->result.end.between || singular_covers(&run->watch.singular, t))
        return OK;
    column_digits_take(run, last);
    column_sizes_take(run, last, y);
    return run_observe(run, t, y, err); /* these have looked at other states */
}

Status run_tell_end(Run *run, Error *err)
{
    SimulationResult *result = &run->result;

    if (run->outcome.status != OK) {
        result->end.stopped_by = NULL;
        result->end.between = false;
    }
    if (!result->end.between)
        return OK;
    const Status status = tell_row(run, -1, row_shown(run->s, run->rows.row), err);
    return status == OK ? instants_sample(run, run->rows.row[0], err) : status;
}

static Status run_on_event(void *self, size_t lane, size_t guard, int direction, double t,
                           double *y, OdeAction *ret_action, Error *err)
{
    Run *run = self;
    const Simulation *s = run->s;
    bool changed = false;

    *ret_action = ODE_CONTINUE;
    /* the dependent velocities: other equations go on */
    if (guard == s->n_events + s->motion->n_switches) {
        *ret_action = ODE_RENEW;
        singular_leave(&run->watch.singular);
        return change_base(run, t, y, err);
    }
    /* a switch: the other branch of the equations, if the motion may cross at all */
    if (guard >= s->n_events) {
        Status status = t == s->times.end ? OK : run_check_corner(run, t, y, err);
        run->progress.switches++;
        if (status == OK)
            motion_eval_cross(run->eq.eval, lane, guard - s->n_events, direction, t, y);
        singular_leave(&run->watch.singular);
        *ret_action = ODE_RESTART;
        return status;
    }
    /* an event of the job: a row in its table, then what it does to the state */
    if (s->integration.max_event_rows && run->progress.events >= s->integration.max_event_rows)
        return error_set(err, ERR_LIMIT, "more than %llu events by t = %.17g",
                         (unsigned long long)s->integration.max_event_rows, t);
    run->progress.events++;
    run->s->second.event_step = fabs(run->drive.step.h[0]);
    Status status = run_observe(run, t, y, err);
    if (status == OK)
        reduce_event(run, guard);
    if (status == OK)
        status = add_row(run, (int)guard, y, err);
    if (status == OK && s->events[guard].terminal)
        status = end_between(run, t, y, err);
    if (status == OK)
        status = run_impact(run, guard, t, y, &changed, err);
    if (status == OK && s->events[guard].terminal) {
        run->result.end.stopped_by = s->columns.tables[guard];
        *ret_action = ODE_STOP;
    } else if (changed) {
        *ret_action = ODE_RESTART;
    }
    return status;
}

static void run_on_arc(void *self, size_t lane, const OdeArc *arc)
{
    (void)lane;
    reduce_step(self, arc);
}

static bool suspect_singular(void *self, size_t lane, double t, const double *y, double ahead)
{
    Run *run = self;

    (void)lane;
    return singular_suspects(&run->watch.singular, t, y, ahead);
}

static double singular_ahead(void *self, size_t lane, double *ret_margin)
{
    Run *run = self;

    (void)lane;
    return singular_horizon(&run->watch.singular, ret_margin);
}

static double find_singular(void *self, size_t lane, const OdeArc *arc, double most)
{
    Run *run = self;

    (void)lane;
    return singular_find(&run->watch.singular, arc, most);
}

/* A passage that has passed something unseen is not taken: the motion goes half the way, by steps
 * that see it, and a shorter one is tried. */
static bool pass_singular(void *self, size_t lane, const OdeArc *arc, double agreement)
{
    Run *run = self;

    (void)lane;
    if (!singular_pass(&run->watch.singular, arc, agreement))
        return false;
    run->watch.singular.unseen = run_find_all_passed(run, arc) != ODE_NOTHING;
    if (run->watch.singular.unseen)
        singular_leave(&run->watch.singular);
    return !run->watch.singular.unseen;
}

/* Of holonomic constraints coordinates do not depend on multipliers, and one of these may be
 * nothing but rounding beside others. */
static void weigh_multipliers(void *self, const double *y, double *sizes)
{
    const Run *run = self;
    const size_t n = run->model->n;

    singular_weigh(&run->watch.singular, y + 2 * n, sizes + 2 * n);
}

static void run_rates(void *self, const double *t, const double *y, double *ret_rates, size_t lanes)
{
    const Run *run = self;
    motion_eval_rates(run->eq.eval, t, y, ret_rates, lanes);
}

static double *run_place(void *self)
{
    const Run *run = self;
    return motion_eval_place(run->eq.eval);
}

static double *run_results(void *self)
{
    const Run *run = self;
    return motion_eval_results(run->eq.eval);
}

static void run_rates_beside(void *self, const double *t, const double *y, double *ret_rates,
                             size_t lanes)
{
    const Run *run = self;
    linearised_rates(sensitivity_run_motion(run->eq.sensitivities), t, y, ret_rates, lanes);
}

static void run_jacobian(void *self, size_t lane, double t, const double *y, double *ret_dfdy,
                         double *ret_dfdt)
{
    Run *run = self;
    const size_t dim = run->at.size;

    /* equations that have taken over may be without it; where it cannot be had the step is
     * rejected */
    if (motion_eval_make_jacobian(run->eq.eval, run->model, run->s->params, NULL) == OK) {
        motion_eval_jacobian(run->eq.eval, lane, t, y, ret_dfdy, ret_dfdt);
        return;
    }
    for (size_t i = 0; i < dim * dim; i++)
        ret_dfdy[i] = NAN;
}

static Status run_make_jacobian(void *self, Error *err)
{
    const Run *run = self;
    return motion_eval_make_jacobian(run->eq.eval, run->model, run->s->params, err);
}

static void run_on_exchange(void *self, size_t lane, double t, const OdeMethod *method,
                            double ratio)
{
    Run *run = self;

    (void)lane;
    run->evidence.motion.damped = true;
    method_log_take(&run->progress.methods, run->s, t, method, ratio);
}

static Status poll_sink(void *self, Error *err)
{
    const Run *run = self;
    return run->rows.sink->poll ? run->rows.sink->poll(run->rows.sink->self, err) : OK;
}

static void run_shaken(void *self, double t, const double *y, double *ret_rates)
{
    Run *run = self;
    const size_t dim = run->s->motion->dim;

    if (run->eq.sensitivities) {
        linearised_rates_shaken(sensitivity_run_motion(run->eq.sensitivities), t, y, ret_rates);
    } else {
        motion_eval_rates_shaken(run->eq.eval, t, y, run->at.shaken);
        memcpy(ret_rates, run->at.shaken, dim * sizeof *ret_rates);
    }
    ret_rates[run->at.size] = NAN; /* work */
}

OdeSystem run_system(Run *run)
{
    const Simulation *s = run->s;

    return (OdeSystem){
        .self = run,
        .dim = run->at.size,
        .extra = 1,
        .rates = run->eq.sensitivities ? run_rates_beside : run_rates,
        .place = run->eq.sensitivities ? NULL : run_place,
        .results = run->eq.sensitivities ? NULL : run_results,
        .shaken = run_shaken,
        .jacobian = run->eq.sensitivities ? NULL : run_jacobian,
        .make_jacobian = run->eq.sensitivities ? NULL : run_make_jacobian,
        .project = s->integration.projection && s->start.report.rank ? run_project_state : NULL,
        .guards = watch_guards,
        .follow = follow_guards,
        .enclose = enclose_guard,
        .suspect = suspect_singular,
        .horizon = singular_ahead,
        .singular = singular_watches(&run->watch.singular) ? find_singular : NULL,
        .smooth = smooth_variables(run),
        .pass = pass_singular,
        .weigh = singular_multipliers_apart(s) ? weigh_multipliers : NULL,
        .watch = run_watch_system(run)};
}

OdeObserver run_observer(Run *run)
{
    return (OdeObserver){.self = run,
                         .step = run_on_step,
                         .arc = reduce_wants_steps(run) ? run_on_arc : NULL,
                         .sample = run_on_sample,
                         .event = run_on_event,
                         .overlooked = run_on_overlooked,
                         .unsure = run_on_unsure,
                         .lost = run_on_lost,
                         .unheeded = run_on_unheeded,
                         .exchanged = run_on_exchange,
                         .poll = poll_sink};
}
