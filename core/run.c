#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/clock.h"
#include "core/base/memory.h"
#include "core/evidence.h"
#include "core/invariants/energy.h"
#include "core/lanes.h"
#include "core/numeric/dense.h"
#include "core/rows.h"

/* |phi| relative to its terms beyond which a redundant constraint is contradictory. */
static const double CONTRADICTION = 1e-9;
/* Pivot ratio or reciprocal condition below which the equations count as singular. */
static const double SINGULAR = 1e-14;
/* Singular value of the constraints, relative to the largest, below which they lost rank. */
static const double RANK_LOST = 1e-8;

enum {
    REGULARITY_STEPS = 8, /* regularity is looked at every so many steps, and at all samples */
    RANK_SAMPLES = 1000,  /* about so many samples have their rank looked at */
};
static const double PROGRESS_SECONDS = 0.02;

typedef struct Run {
    Simulation *s;
    const Model *model;
    Lanes *lanes;
    Rows rows;
    Evidence evidence;
    const SimulationSink *sink;
    SimulationResult *result;
    ObservedState state; /* with the arrays below */
    double *block;
    size_t *found_rows; /* r: scratch of the rank */
    double *lambda;     /* r */
    double *reaction;   /* n */
    double *transpose;  /* n x r */
    double *bounds;     /* 2 n: smallest and largest coordinates met, for the verdict's states */
    double speed;       /* largest |v| met */
    double pending_dq, pending_dv, pending_jump; /* of the projection of the step under way */
    uint64_t steps, events, switches, rank_stride;
    double last_progress;
    Status sink_status; /* what the sink failed with, apart from what the motion did */
} Run;

/* Projection ------------------------------------------------------------------------------- */

static Status project(Run *run, double t, double *y, double *ret_dq, double *ret_dv,
                      double *ret_jump, Error *err)
{
    const Simulation *s = run->s;
    const size_t n = run->model->n;
    const Program *program = s->compiled->evidence;

    double before = evidence_energy(&run->evidence, program, t, y, y + n);
    Status status =
        model_project(s->eval, t, y, y + n, s->rows, s->report.rank, ret_dq, ret_dv, err);
    *ret_jump = 0;
    if (status == OK && (*ret_dq > 0 || *ret_dv > 0))
        *ret_jump = evidence_energy(&run->evidence, program, t, y, y + n) - before;
    return status;
}

static Status project_state(void *self, size_t lane, double t, double *y, bool on_step_end,
                            Error *err)
{
    Run *run = self;
    double dq, dv, jump;

    (void)lane;
    Status status = project(run, t, y, &dq, &dv, &jump, err);
    if (status == OK && on_step_end) {
        run->pending_dq = dq;
        run->pending_dv = dv;
        run->pending_jump = jump;
    }
    return status;
}

/* Observation ------------------------------------------------------------------------------ */

/* All r multipliers from those of the rows in use: the least-norm ones with the same reaction. */
static Status all_multipliers(Run *run, const LanePoint *point, Error *err)
{
    const Model *model = run->model;
    const size_t n = model->n, r = model->r, rank = run->s->report.rank;

    if (rank == r) {
        if (r)
            memcpy(run->lambda, point->lambda, r * sizeof *run->lambda);
        return OK;
    }
    ModelPoint at = model_point(run->s->eval, run->state.t, run->state.q, run->state.v);
    memset(run->reaction, 0, n * sizeof *run->reaction);
    for (size_t k = 0; k < rank; k++)
        for (size_t i = 0; i < n; i++)
            run->reaction[i] += point->lambda[k] * at.A[run->s->rows[k] * n + i];
    for (size_t a = 0; a < r; a++)
        for (size_t i = 0; i < n; i++)
            run->transpose[i * r + a] = at.A[a * n + i];
    return dense_least_norm(run->transpose, n, r, run->reaction, 1e-10, run->lambda, err);
}

static Status observe(Run *run, double t, const double *y, Error *err)
{
    LanePoint point = lanes_point(run->lanes, 0, t, y);

    run->state = (ObservedState){
        .t = t, .q = point.q, .v = point.v, .vdot = point.vdot, .lambda = run->lambda};
    if (!(point.regularity >= SINGULAR))
        return error_set(
            err, ERR_NUMERIC,
            "the equations of motion became singular at t = %.17g (smallest relative "
            "pivot %.3g): the constraints lose rank or the mass matrix degenerates there",
            t, point.regularity);
    run->evidence.rcond_min = fmin(run->evidence.rcond_min, point.regularity);
    return all_multipliers(run, &point, err);
}

static Status check_rank(Run *run, Error *err)
{
    const size_t rank = run->s->report.rank;
    ConstraintRank found = {.independent = run->found_rows};

    if (rank == 0)
        return OK;
    ModelPoint at = model_point(run->s->eval, run->state.t, run->state.q, run->state.v);
    Status status = model_rank(run->s->eval, &at, &found, err);
    if (status != OK)
        return status;
    if (found.rank < rank || found.smallest < RANK_LOST * found.largest)
        return error_set(err, ERR_NUMERIC,
                         "the constraints lose rank at t = %.17g (singular values %.3g of %.3g)",
                         run->state.t, found.smallest, found.largest);
    run->evidence.condition_max = fmax(run->evidence.condition_max, found.largest / found.smallest);
    return OK;
}

static Status add_row(Run *run, int table, Error *err)
{
    const Model *model = run->model;
    const size_t n = model->n, r = model->r;
    double *row = rows_next(&run->rows, table);

    row[0] = run->state.t;
    memcpy(row + 1, run->state.q, n * sizeof *row);
    memcpy(row + 1 + n, run->state.v, n * sizeof *row);
    if (r)
        memcpy(row + 1 + 2 * n, run->lambda, r * sizeof *row);
    observed_columns(run->s->observed, &run->state, row + 1 + 2 * n + r);
    for (size_t c = 0; c < run->s->n_columns; c++)
        if (!isfinite(row[c]))
            return error_set(err, ERR_NUMERIC, "%s is not finite at t = %.17g", run->s->columns[c],
                             run->state.t);
    run->sink_status = rows_commit(&run->rows, table, err);
    return run->sink_status;
}

static Status take_residuals(Run *run, double t, const double *y, bool on_step, Error *err)
{
    const Model *model = run->model;
    const size_t n = model->n;
    /* without projection drift is the client's choice; with it only redundant rows can drift */
    double bound = run->s->projection ? CONTRADICTION : INFINITY;
    size_t beyond = evidence_take(&run->evidence, run->s->compiled->evidence, t, y, y + n, on_step,
                                  y[2 * n], bound);
    if (beyond == model->r)
        return OK;
    return error_set(err, ERR_NUMERIC,
                     "the constraint %s contradicts the others: it cannot be kept at t = %.17g",
                     model->constraints[beyond].name, t);
}

static void widen(Run *run, const double *y)
{
    const size_t n = run->model->n;
    double square = 0;

    for (size_t i = 0; i < n; i++) {
        run->bounds[i] = fmin(run->bounds[i], y[i]);
        run->bounds[n + i] = fmax(run->bounds[n + i], y[i]);
        square += y[n + i] * y[n + i];
    }
    run->speed = fmax(run->speed, sqrt(square / (double)n));
}

static void report_progress(Run *run, double t)
{
    const Times *times = &run->s->times;
    double now;

    if (!run->sink->progress || run->steps % 16 != 0)
        return;
    now = clock_seconds();
    if (now - run->last_progress < PROGRESS_SECONDS)
        return;
    run->last_progress = now;
    run->sink->progress(run->sink->self, (t - times->t0) / (times->end - times->t0), t, run->steps);
}

/* The drive's observer ----------------------------------------------------------------------- */

static Status on_step(void *self, size_t lane, double t, double h, const double *y, Error *err)
{
    Run *run = self;

    (void)lane;
    if (h != 0 && run->s->projection)
        evidence_projection(&run->evidence, run->pending_dq, run->pending_dv, run->pending_jump);
    widen(run, y);
    Status status = take_residuals(run, t, y, true, err);
    if (status == OK && run->steps % REGULARITY_STEPS == 0)
        status = observe(run, t, y, err);
    run->steps++;
    report_progress(run, t);
    return status;
}

static Status on_sample(void *self, size_t lane, size_t k, double t, const double *y, Error *err)
{
    Run *run = self;

    (void)lane;
    Status status = take_residuals(run, t, y, false, err);
    if (status == OK)
        status = observe(run, t, y, err);
    if (status == OK && k % run->rank_stride == 0)
        status = check_rank(run, err);
    if (status == OK)
        status = add_row(run, -1, err);
    return status;
}

/* The event's assignments, all from the state before it; then the state is made admissible. */
static Status impact(Run *run, size_t event, double t, double *y, bool *ret_changed, Error *err)
{
    const size_t n = run->model->n;
    const Program *program = run->s->compiled->evidence;
    const SetTarget *targets = NULL;
    const double *values = NULL;
    double dq, dv, jump;

    double before = evidence_energy(&run->evidence, program, t, y, y + n);
    size_t count = observed_impact(run->s->observed, event, &run->state, &targets, &values);
    for (size_t i = 0; i < count; i++) {
        if (!isfinite(values[i]))
            return error_set(err, ERR_NUMERIC,
                             "event %s sets a value that is not finite at t = %.17g",
                             run->s->tables[event], t);
        y[targets[i].coordinate + (targets[i].velocity ? n : 0)] = values[i];
    }
    *ret_changed = count > 0;
    if (count == 0)
        return OK;
    Status status = run->s->projection ? project(run, t, y, &dq, &dv, &jump, err) : OK;
    if (status != OK) {
        error_prefix(err, "after event %s at t = %.17g", run->s->tables[event], t);
        return status;
    }
    run->evidence.projection_work += evidence_energy(&run->evidence, program, t, y, y + n) - before;
    lanes_switches_start(run->lanes, 0, t, y);
    return OK;
}

static Status on_event(void *self, size_t lane, size_t guard, int direction, double t, double *y,
                       OdeAction *ret_action, Error *err)
{
    Run *run = self;
    const Simulation *s = run->s;
    bool changed = false;

    *ret_action = ODE_CONTINUE;
    if (guard >= s->n_events) {
        run->switches++;
        lanes_switches_cross(run->lanes, lane, guard - s->n_events, direction, t, y);
        *ret_action = ODE_RESTART;
        return OK;
    }
    if (s->max_event_rows && run->events >= s->max_event_rows)
        return error_set(err, ERR_LIMIT, "more than %llu events by t = %.17g",
                         (unsigned long long)s->max_event_rows, t);
    run->events++;
    Status status = observe(run, t, y, err);
    if (status == OK)
        status = add_row(run, (int)guard, err);
    if (status == OK)
        status = impact(run, guard, t, y, &changed, err);
    if (status == OK && s->events[guard].terminal) {
        run->result->stopped_by = s->tables[guard];
        *ret_action = ODE_STOP;
    } else if (changed) {
        *ret_action = ODE_RESTART;
    }
    return status;
}

static void watch_guards(void *self, size_t lane, double t, const double *y, double *ret_values)
{
    Run *run = self;
    const Simulation *s = run->s;
    const size_t n = run->model->n;
    ObservedState state = {.t = t, .q = y, .v = y + n};

    if (s->n_events && observed_guards_need_motion(s->observed)) {
        Error ignored;
        if (observe(run, t, y, &ignored) == OK)
            state = run->state;
    }
    observed_guards(s->observed, &state, ret_values);
    if (s->motion->n_switches)
        lanes_switches_guards(run->lanes, lane, t, y, ret_values + s->n_events);
}

static void rates(void *self, const double *t, const double *y, double *ret_rates, size_t lanes)
{
    Run *run = self;
    lanes_rates(run->lanes, t, y, ret_rates, lanes);
}

static void jacobian(void *self, size_t lane, double t, const double *y, double *ret_dfdy,
                     double *ret_dfdt)
{
    Run *run = self;
    lanes_jacobian(run->lanes, lane, t, y, ret_dfdy, ret_dfdt);
}

static Status poll_sink(void *self, Error *err)
{
    const Run *run = self;
    return run->sink->poll ? run->sink->poll(run->sink->self, err) : OK;
}

/* The run ------------------------------------------------------------------------------------ */

static Status run_init(Run *run, Simulation *s, const SimulationSink *sink,
                       SimulationResult *result, Error *err)
{
    const Model *model = s->compiled->model;
    const size_t n = model->n, r = model->r;

    *run = (Run){.s = s, .model = model, .sink = sink, .result = result};
    run->rank_stride = s->times.n / RANK_SAMPLES + 1;
    run->block = alloc_array(r + n + n * r + 2 * n, sizeof *run->block);
    run->found_rows = alloc_array(r, sizeof *run->found_rows);
    if (!run->block || !run->found_rows)
        return error_set(err, ERR_NO_MEMORY, "out of memory");
    run->lambda = run->block;
    run->reaction = run->lambda + r;
    run->transpose = run->reaction + n;
    run->bounds = run->transpose + n * r;
    memcpy(run->bounds, s->q, n * sizeof *s->q);
    memcpy(run->bounds + n, s->q, n * sizeof *s->q);
    Status status = rows_init(&run->rows, sink, s->n_columns, s->n_events, err);
    if (status == OK)
        status = evidence_init(&run->evidence, s, err);
    if (status == OK)
        status = lanes_new(model, s->motion, s->params, 1, ode_method_needs_jacobian(s->method),
                           &run->lanes, err);
    return status;
}

static void run_done(Run *run)
{
    lanes_free(run->lanes);
    evidence_done(&run->evidence);
    rows_done(&run->rows);
    free(run->block);
    free(run->found_rows);
}

static Status integrate(Run *run, OdeOutcome *ret_outcome, Error *err)
{
    Simulation *s = run->s;
    const size_t n = run->model->n, n_guards = s->n_events + s->motion->n_switches;
    OdeGuard *guards = alloc_array(n_guards, sizeof *guards);
    double *y = alloc_array(2 * n + 1, sizeof *y);
    Status status = guards && y ? OK : error_set(err, ERR_NO_MEMORY, "out of memory");
    if (status != OK)
        goto out;

    for (size_t k = 0; k < n_guards; k++) {
        guards[k] = (OdeGuard){.kind = ODE_GUARD_BREAK, .direction = 0};
        if (k < s->n_events) {
            const EventSpec *event = &s->events[k];
            guards[k].direction = event->direction;
            if (!event->terminal && event->n_set == 0)
                guards[k].kind = ODE_GUARD_RECORD;
        }
    }
    memcpy(y, s->q, n * sizeof *y);
    memcpy(y + n, s->v, n * sizeof *y);
    if (s->motion->n_switches)
        lanes_switches_start(run->lanes, 0, s->times.t0, y);

    OdeSystem system = {.self = run,
                        .dim = 2 * n,
                        .extra = 1,
                        .rates = rates,
                        .jacobian = ode_method_needs_jacobian(s->method) ? jacobian : NULL,
                        .project = s->projection && s->report.rank ? project_state : NULL,
                        .n_guards = n_guards,
                        .guards = watch_guards};
    OdeObserver observer = {
        .self = run, .step = on_step, .sample = on_sample, .event = on_event, .poll = poll_sink};
    OdeSpan span = {.t0 = s->times.t0,
                    .t_end = s->times.end,
                    .n_samples = s->times.n,
                    .sample_time = times_sample,
                    .self = &s->times};
    s->options.guards = guards;
    status = ode_drive(&system, s->method, &s->options, &span, 1, y, &observer, ret_outcome, err);
    if (status == OK) {
        memcpy(s->q, y, n * sizeof *y);
        memcpy(s->v, y + n, n * sizeof *y);
        run->result->energy.work = y[2 * n];
    }
out:
    s->options.guards = NULL;
    free(guards);
    free(y);
    return status;
}

static const char *reason_name(Status status)
{
    switch (status) {
    case OK:
        return NULL;
    case ERR_NUMERIC:
        return "numeric";
    case ERR_LIMIT:
        return "limit";
    case ERR_TIMEOUT:
        return "timeout";
    case ERR_CANCELLED:
        return "cancelled";
    case ERR_INVALID:
    case ERR_NOT_FOUND:
    case ERR_CONFLICT:
    case ERR_BUSY:
    case ERR_NO_MEMORY:
    case ERR_NO_SPACE:
    case ERR_IO:
    case ERR_INTERNAL:
        return "internal";
    }
    return "internal";
}

static void report_outcome(Run *run, const OdeOutcome *outcome)
{
    const Simulation *s = run->s;
    SimulationResult *result = run->result;

    result->status = outcome->status;
    result->reason = reason_name(outcome->status);
    result->message = outcome->status == OK ? NULL : arena_strdup(s->arena, outcome->error.message);
    result->complete = outcome->status == OK;
    result->t_reached = outcome->t;
    result->samples = run->rows.counts[0];
    result->accepted = outcome->accepted;
    result->rejected = outcome->rejected;
    result->evaluations = outcome->evaluations;
    result->jacobians = outcome->jacobians;
    result->switches = run->switches;
    result->events = run->events;
    result->method = ode_method_name(s->method);
    result->rtol = s->options.rtol;
    result->atol = s->options.atol;
    result->elimination = elimination_name(s->motion->elimination);
    result->rank = s->report.rank;
    result->redundant = s->report.n_redundant;
    result->redundant_names = s->report.redundant_texts;
    result->seconds_prepare = s->seconds_prepare;
    result->final_q = s->q;
    result->final_v = s->v;
    result->n = run->model->n;
}

/* The text of the energy; a long one is named, not written out. */
static const char *energy_text(const Run *run)
{
    enum { LONG = 2000 };
    Text text = TEXT_INIT;
    const char *result = "v.L_v - L";
    size_t n_names;
    char **names = model_print_names(run->model, PRINT_TEXT, &n_names);

    if (names) {
        PrintNames print = {.names = (const char *const *)names, .n = n_names};
        if (expr_print(run->model->pool, run->model->energy, PRINT_TEXT, print, LONG, &text,
                       NULL) == OK &&
            text_ok(&text))
            result = arena_strdup(run->s->arena, text_string(&text));
    }
    free(names);
    text_done(&text);
    return result;
}

static Status analyse(Run *run, Error *err)
{
    Simulation *s = run->s;
    SimulationResult *result = run->result;
    const size_t n = run->model->n;
    double *centre = arena_alloc(s->arena, 2 * n, sizeof *centre), *width = centre + n;
    Verdict *verdict = arena_alloc(s->arena, 1, sizeof *verdict);
    if (!centre || !verdict)
        return error_set(err, ERR_NO_MEMORY, "out of memory");

    for (size_t i = 0; i < n; i++) {
        centre[i] = (run->bounds[i] + run->bounds[n + i]) / 2;
        width[i] = fmax(run->bounds[n + i] - run->bounds[i], 0.1);
    }
    EnergyQuestion question = {.model = run->model,
                               .eval = s->eval,
                               .power_terms = s->compiled->power_terms,
                               .params = s->params,
                               .rows = s->rows,
                               .n_rows = s->report.rank,
                               .range = {.t_from = s->times.t0,
                                         .t_to = s->times.end,
                                         .centre = centre,
                                         .width = width,
                                         .speed = run->speed > 0 ? run->speed : 1}};
    Status status = energy_predict(&question, s->arena, verdict, err);
    if (status != OK)
        return status;
    /* what a run at this tolerance can tell from a constant */
    double resolution = 1e3 * fmax(s->options.rtol, 1e-14) * (1 + run->evidence.energy_max);
    verdict->expression = energy_text(run);
    verdict->initial = result->energy.initial;
    verdict->final = result->energy.final;
    verdict->max_drift = result->energy.max_drift;
    verdict->conserved = result->energy.max_drift <= resolution;
    result->verdicts = verdict;
    result->n_verdicts = 1;
    return OK;
}

Status simulation_run(Simulation *simulation, const SimulationSink *sink,
                      SimulationResult *ret_result, Error *err)
{
    Run run;
    SimulationResult result = {0};
    OdeOutcome outcome = {0};
    const double start = clock_seconds();

    Status status = run_init(&run, simulation, sink, &result, err);
    if (status == OK)
        status = integrate(&run, &outcome, err);
    if (status == OK && run.sink_status != OK)
        status = error_set(err, run.sink_status, "%s", outcome.error.message);
    if (status == OK)
        status = rows_flush(&run.rows, err);
    if (status == OK) {
        result.seconds_integrate = clock_seconds() - start;
        report_outcome(&run, &outcome);
        status = evidence_report(&run.evidence, simulation, &result, err);
    }
    if (status == OK && outcome.status == OK)
        status = analyse(&run, err);
    if (status == OK) {
        result.seconds_analyse = clock_seconds() - start - result.seconds_integrate;
        *ret_result = result;
    }
    run_done(&run);
    return status;
}
