/* The result of a run: its end, its counts, and the analyses of its motion. */
#include "core/run/tell/report.h"

#include <math.h>
#include <string.h>

#include "core/base/accuracy.h"
#include "core/integrate/sizes.h"
#include "core/model/dimensions.h"
#include "core/model/kinds.h"
#include "core/motion/choice.h"
#include "core/motion/dependent/dependent.h"
#include "core/prepare/chosen_analyses.h"
#include "core/prepare/nominal.h"
#include "core/run/parts/result.h"
#include "core/run/parts/singular.h"
#include "core/run/state/extent.h"
#include "core/run/tell/column_digits.h"
#include "core/run/watch/cancellation.h"

/* Fraction of the size of a coordinate by which random states differ at least. Convention: for a
 * coordinate that the motion does not change. */
static const double MIN_BOX_FRACTION = 0.1;

/* The formulation's variables may be singular though the motion is smooth. */
static const char *own_variables(const Simulation *s)
{
    const Formulation *formulation = s->motion->formulation;

    if (singular_multipliers_apart(s))
        return ". The multipliers are part of this motion: they become infinite there, and nothing "
               "determines them beyond. The coordinates do not depend on them where constraints "
               "are "
               "holonomic: lagrange-dalembert goes on";
    if (formulation->keeps_multipliers)
        return ". The multipliers are part of this motion: they become infinite there, and nothing "
               "determines them, and with them the motion, beyond";
    if (formulation->uses_dependent)
        return ". The velocities in which this formulation writes the motion may lose their "
               "meaning there where the motion does not: lagrange-dalembert does without them";
    return "";
}

/* If fixed dependent coordinates (those of a fibration, say) ended the motion, the message says so,
 * and names a formulation that goes on. */
static const char *message_of(const Run *run, const OdeOutcome *outcome)
{
    const Simulation *s = run->at.s;
    const Motion *motion = s->motion;
    const Formulation *formulation = motion->formulation;
    const char *message = outcome->error.message;
    MotionOptions options = {
        .rows = motion->rows, .n_rows = motion->n_rows, .dependent = motion->dependent};
    MotionQuestion question = simulation_question(s, outcome->t, s->start.q, s->start.v, &options);
    double smallest;

    /* rows have length 1 */
    if (outcome->status == ERR_NUMERIC && formulation->uses_dependent &&
        !motion->watches_dependent && dependent_quality(&question, &smallest, NULL) == OK &&
        smallest < ACCURACY_CLEAR)
        return arena_printf(s->arena,
                            "%s. The constraints no longer determine the velocities outside the "
                            "base there (smallest singular value %.3g), and the equations of the "
                            "formulation %s end; voronec goes on over others",
                            message, smallest, formulation->name);
    /* infinite velocities of a frame end the motion before the drive sees it */
    const bool frame_ends = outcome->blown_up && formulation->uses_dependent && motion->n_own > 0 &&
                            singular_near(&run->at.singular);
    if (outcome->singular || frame_ends)
        return arena_printf(
            s->arena, "the constraints lose rank soon after, or nearly so%s, and %s%s",
            run->at.singular.unseen ? ", with a barrier, pulse or switch too near to "
                                      "that for a passage across that sees it"
                                    : "",
            message, own_variables(s));
    if (outcome->chattering)
        return arena_printf(s->arena, "%s. %s", message,
                            outcome->last_guard < s->n_events
                                ? "Where it comes to rest, end the motion by a terminal event"
                                : "Smooth the corner, tanh(x/0.01) for sign(x) say, or end the "
                                  "motion before by a terminal event");
    if (outcome->stuck)
        return arena_printf(s->arena,
                            "%s. Friction that holds what has come to rest, -v/|v|, ends a motion: "
                            "end it before by a terminal event, or smooth the friction. Where the "
                            "model is stiff, take the method bdf",
                            message);
    return arena_strdup(s->arena, message);
}

/* Features narrower than the steps. */
static void report_features(Run *run)
{
    const Simulation *s = run->at.s;
    const Features *features = &run->watch.features.features;
    SimulationResult *result = &run->result;

    result->features.watched = features->n;
    result->features.of = features->of;
    /* those that a fixed step found, but could not stop for, are passed */
    result->features.met = features->found - run->watch.overlooked;
    result->features.passed = run->watch.overlooked;
    result->features.undecided = features->undecided;
    if (run->watch.overlooked)
        result_warn(
            s, result,
            "%llu steps, the first from t = %.6g on, have passed something narrower than the step "
            "(a barrier, a pulse, a switch): take a shorter step, or a method that chooses its own",
            (unsigned long long)run->watch.overlooked, run->watch.overlooked_t);
    if (features->undecided)
        result_warn(s, result,
                    "%llu steps, the first from t = %.6g on, may have passed something narrower "
                    "than the step: nothing tells that there is none",
                    (unsigned long long)features->undecided, features->undecided_t);
}

/* Warns of coordinates below the smallest size (core/integrate/sizes.h), because they are not
 * resolved to the tolerance. */
static void report_tiny(Run *run)
{
    const Simulation *s = run->at.s;
    const Model *m = run->at.model;

    for (size_t i = 0;
         i < m->n && !s->integration.absolute && !ode_method_fixed_step(s->integration.method);
         i++) {
        /* only a coordinate that leaves zero, without a given size */
        const double met =
            fmax(kinds_largest(m, run->at.bounds, i), kinds_largest(m, run->at.bounds + m->n, i));
        if (s->integration.sized[i] || !(met > 0) || met >= SIZES_LEAST)
            continue;
        result_warn(s, &run->result,
                    "%s stays below 1e-100, where tolerances end, and is computed coarsely: choose "
                    "smaller units, or give its size in integrator.nominal",
                    m->names.coordinates[i]);
        return;
    }
}

/* Warns if rounding decided the accuracy, rather than the tolerances. */
static void report_rounding(Run *run, const OdeRounding *rounding)
{
    const char *const *names = run->progress.system.names;
    const char *name = names ? names[rounding->component] : NULL;

    if (rounding->by > 0 && run->outcome.status != ERR_NUMERIC)
        result_warn(run->at.s, &run->result,
                    "from t = %.9g on rounding of t and of the state, not the tolerances, limits "
                    "the accuracy of the motion, because the motion changes too fast: %s may be "
                    "off by %.2g there, and everything that depends on it",
                    rounding->t, name ? name : "the state", rounding->by);
}

static void report_corner_checks(Run *run)
{
    const Simulation *s = run->at.s;
    if (run->watch.corner_checks.undecided)
        result_warn(s, &run->result,
                    "%llu steps, the first from t = %.6g on, may have passed a corner of the model "
                    "(abs, sign, min, max or if) twice: nothing tells that they did not",
                    (unsigned long long)run->watch.corner_checks.undecided,
                    run->watch.corner_checks.undecided_t);
}

/* A guard that reads nothing is constant, so it has no roots on any motion. */
static bool is_constant(const Simulation *s, size_t event)
{
    bool reads = s->events[event].kind != EVENT_WHEN;

    for (size_t i = 0; i < observed_n_inputs(s->observed); i++)
        reads = reads || observed_guard_reads(s->observed, event, i);
    return !reads;
}

static void report_constant_events(Run *run)
{
    const Simulation *s = run->at.s;

    for (size_t k = 0; k < s->n_events; k++)
        if (is_constant(s, k))
            result_warn(s, &run->result,
                        "the event %s never happens: its value is the same on every motion, and an "
                        "event is a zero crossing",
                        s->events[k].name);
}

static void report_undecided_events(Run *run)
{
    const Simulation *s = run->at.s;
    UndecidedEvent *items = s->n_events ? arena_alloc(s->arena, s->n_events, sizeof *items) : NULL;

    run->result.features.undecided_events = items;
    for (size_t k = 0; items && k < s->n_events; k++) {
        /* a guard that is constant has no roots to miss */
        if (run->watch.events.unsure[k] == 0 || is_constant(s, k))
            continue;
        items[run->result.features.n_undecided_events++] =
            (UndecidedEvent){.name = s->events[k].name,
                             .steps = run->watch.events.unsure[k],
                             .t = run->watch.events.unsure_t[k]};
        result_warn(s, &run->result,
                    "roots of the event %s may have been missed in %llu steps, the first from t = "
                    "%.6g on: nothing tells where it keeps its sign there",
                    s->events[k].name, (unsigned long long)run->watch.events.unsure[k],
                    run->watch.events.unsure_t[k]);
    }
}

static void report_singular(Run *run)
{
    const Simulation *s = run->at.s;
    const Singular *g = &run->at.singular;
    SingularEvidence *items =
        g->count ? arena_alloc(s->arena, SINGULAR_ITEMS, sizeof *items) : NULL;

    if (!items)
        return;
    /* the list is bounded, the count is not */
    memcpy(items, g->items, SINGULAR_ITEMS * sizeof *items);
    run->result.singular = items;
    run->result.n_singular = g->count;
    result_warn(s, &run->result,
                "passed %s configuration at t = %.9g%s: the constraints lose rank there (%zu of "
                "%zu) and allow more than one motion; this one goes on smoothly",
                g->count > 1 ? "the first singular" : "a singular", items->t,
                g->count > 1 ? arena_printf(s->arena, " (of %llu)", (unsigned long long)g->count)
                             : "",
                items->rank, s->start.report.rank);
}

static void report_stand_in(Run *run)
{
    const Simulation *s = run->at.s;
    const StandIn *x = &run->at.eq.stand_in;

    if (x->count)
        result_warn(s, &run->result,
                    "near t = %.9g%s the %s says little or nothing of the velocities that the "
                    "constraints allow: the motion goes on in Voronec's equations over other "
                    "coordinates, until it does again",
                    x->first,
                    x->count > 1 ? arena_printf(s->arena, " (the first of %llu times)",
                                                (unsigned long long)x->count)
                                 : "",
                    run->at.model->given.n_base ? "base" : "frame");
}

/* The end and the cost of the run. */
static void tell_end(Run *run, const OdeOutcome *outcome)
{
    SimulationResult *result = &run->result;

    result->end.status = outcome->status;
    result->end.reason = reason_name(outcome->status);
    result->end.message = outcome->status == OK ? NULL : message_of(run, outcome);
    result->end.complete = outcome->status == OK;
    result->end.t = outcome->t;
    result->samples = run->rows.n;
    result->steps.accepted = outcome->accepted;
    result->steps.rejected = outcome->rejected;
    result->steps.longest = outcome->longest;
    result->steps.evaluations = outcome->evaluations;
    result->steps.jacobians = outcome->jacobians;
    result->steps.switches = run->progress.switches;
    result->steps.events = run->progress.events;
}

/* The choices before the run, and its final state. */
static void tell_setting(Run *run)
{
    const Simulation *s = run->at.s;
    SimulationResult *result = &run->result;
    const Unit *units = run->at.model->units.state;

    result->provenance.method = ode_method_name(s->integration.method);
    result->provenance.rtol = s->integration.options.rtol;
    result->provenance.atol = s->integration.options.atol;
    result->provenance.elimination = elimination_name(s->motion->elimination);
    result->rank.rank = s->start.report.rank;
    result->rank.redundant = s->start.report.n_redundant;
    result->rank.redundant_names = s->start.report.redundant_texts;
    result->provenance.choices = s->choices;
    result->provenance.seconds_prepare = s->seconds_prepare;
    /* by now s->start is the state at the end */
    result->final.q = units_show(units, s->start.q, run->at.model->n, s->arena);
    result->final.v =
        units_show(units ? units + run->at.model->n : NULL, s->start.v, run->at.model->n, s->arena);
    result->final.n = run->at.model->n;
    result->initial.change = s->start.change;
    result->initial.equilibrium = s->start.equilibrium;
}

/* Events that were lost on the way, or do not act at the start. */
static void report_idle_events(Run *run)
{
    const Simulation *s = run->at.s;
    SimulationResult *result = &run->result;

    /* without a value for some time */
    for (size_t k = 0; k < s->n_events; k++)
        if (!isnan(run->watch.events.lost[k]))
            result_warn(s, result,
                        "the event %s was not finite at t = %.6g and perhaps later: where it is "
                        "not, no root of it is found",
                        s->events[k].name, run->watch.events.lost[k]);
    /* a contact that is passed, for its direction holds as time increases */
    for (size_t k = 0; k < s->n_events; k++)
        if (!isnan(run->watch.events.unheeded[k])) {
            const bool falls = s->events[k].direction < 0;
            result_warn(s, result,
                        "the event %s does not act at t = %.6g, where this motion backwards in "
                        "time %s: it is \"%s\", and as time increases it %s there; a contact that "
                        "is met backwards needs \"%s\"",
                        s->events[k].name, run->watch.events.unheeded[k],
                        run->watch.events.unheeded[k] == s->times.t0 ? "begins"
                                                                     : "leads through it",
                        falls ? "falling" : "rising", falls ? "rises" : "falls",
                        falls ? "rising" : "falling");
        }
    /* a contact at the start without a side */
    for (size_t k = 0; k < s->n_events; k++)
        if (run->watch.events.at_start[k])
            result_warn(s, result,
                        "the event %s is zero at the start and does not act there, for it has no "
                        "direction: a contact needs \"rising\" or \"falling\" to know its side",
                        s->events[k].name);
}

void report_outcome(Run *run, const OdeOutcome *outcome)
{
    const Simulation *s = run->at.s;
    SimulationResult *result = &run->result;

    /* in the order in which the warnings stand in the diagnostics */
    tell_end(run, outcome);
    report_singular(run);
    report_stand_in(run);
    tell_setting(run);
    if (s->start.note)
        result_warn(s, result, "%s", s->start.note);
    report_idle_events(run);
    const char *unused = nominal_without_effect(s);
    if (unused)
        result_warn(
            s, result,
            "integrator.nominal has no effect on %s: this formulation integrates another state",
            unused);
    report_features(run);
    report_corner_checks(run);
    report_tiny(run);
    report_rounding(run, &outcome->rounding);
    report_constant_events(run);
    report_undecided_events(run);
    method_log_report(&run->progress.methods, run->at.s, outcome, &run->result);
    cancellation_report(&run->at, run->evidence.magnified, outcome, result);
    if (outcome->status == OK)
        column_digits_report(&run->evidence.digits, s, run->rows.reduce.along, result);
}

/* The run as analyses see it that integrate motions of their own. */
static AnalysedRun analysed_run(const Simulation *s)
{
    AnalysedRun run = {.motion = s->motion,
                       .kind = motion_class_of(&s->start.report),
                       .guess = s->start.guess,
                       .multipliers = s->start.multipliers,
                       .max_steps = s->integration.options.max_steps};

    for (size_t k = 0; k < s->n_events && !run.impact; k++)
        if (s->events[k].n_set)
            run.impact = s->columns.tables[k];
    return run;
}

/* The sizes of q and v on the motion; NULL: out of memory. */
static const double *sizes_met(const Run *run, const Trajectory *motion)
{
    const size_t n = run->at.model->n;
    double *largest = arena_doubles(run->at.s->arena, 2 * n), *sizes = NULL;

    for (size_t i = 0; largest && i < motion->n_states * n; i++) {
        largest[i % n] = fmax(largest[i % n], fabs(motion->q[i]));
        largest[n + i % n] = fmax(largest[n + i % n], fabs(motion->v[i]));
    }
    sizes = largest ? arena_doubles(run->at.s->arena, 2 * n) : NULL;
    if (sizes)
        nominal_met(run->at.s, largest, sizes);
    return sizes;
}

/* The model's identities are tried in the region of the motion. */
static Status make_context(Run *run, const Trajectory *trajectory, AnalysisContext *ret, Error *err)
{
    Simulation *s = run->at.s;
    const size_t n = run->at.model->n;
    double *centre = arena_doubles(s->arena, n), *width = arena_doubles(s->arena, n);
    double *size = arena_doubles(s->arena, n), *speed = arena_doubles(s->arena, n);
    double *met = arena_doubles(s->arena, n); /* speeds */
    size_t *dependent = arena_sizes(s->arena, s->start.report.rank);
    const double *sizes = sizes_met(run, trajectory);
    if (!centre || !width || !size || !speed || !met || !dependent || !sizes)
        return error_set(err, ERR_NO_MEMORY, "out of memory");

    /* random states are drawn from the box that the motion filled, not thinner than a tenth of its
     * size */
    for (size_t i = 0; i < n; i++) {
        centre[i] = (run->at.bounds[i] + run->at.bounds[n + i]) / 2;
        width[i] = fmax(fabs(run->at.bounds[i]), fabs(run->at.bounds[n + i]));
        met[i] = extent_speed(&run->at, i);
    }
    const ModelPoint point = model_point(s->eval, s->times.t0, s->start.q, s->start.v);
    kinds_scales(run->at.model, point.M, width, met, run->result.end.t - s->times.t0, size, speed);
    for (size_t i = 0; i < n; i++)
        width[i] = fmax(run->at.bounds[n + i] - run->at.bounds[i], MIN_BOX_FRACTION * size[i]);
    *ret = (AnalysisContext){.model = run->at.model,
                             .formulation = s->compiled->formulation,
                             .programs = s->compiled->programs,
                             .eval = s->eval,
                             .params = s->params,
                             .rows = s->start.rows,
                             .n_rows = s->start.report.rank,
                             .dependent = dependent,
                             .t0 = s->times.t0,
                             .q0 = trajectory->n_states ? trajectory->q : s->start.q,
                             .v0 = trajectory->n_states ? trajectory->v : s->start.v,
                             .t_end = run->result.end.t,
                             .range = {.t_from = s->times.t0,
                                       .t_to = s->times.end,
                                       .centre = centre,
                                       .width = width,
                                       .speed = speed,
                                       .size = size},
                             .trajectory = trajectory,
                             .recall = s->compiled->recall,
                             .steps = {.rtol = fmax(s->integration.options.rtol, ACCURACY_ROUNDED),
                                       .atol = s->integration.options.atol,
                                       .nominal = sizes,
                                       .max_step = s->integration.options.max_step},
                             .poll = run->progress.observer.poll,
                             .self = run,
                             .arena = s->arena};
    /* verdicts do not depend on the formulation: dependent coordinates are chosen without it */
    const MotionOptions options = {.rows = s->start.rows, .n_rows = s->start.report.rank};
    const MotionQuestion start = simulation_question(s, ret->t0, ret->q0, ret->v0, &options);
    return motion_choose_dependent(&start, dependent, err);
}

/* Features that the run has met may be missed by analyses that integrate the same model in longer
 * steps. */
static void report_blindness(Run *run)
{
    const Simulation *s = run->at.s;
    const char *which = NULL;

    if (run->watch.features.features.found == 0 || s->integration.options.max_step > 0)
        return;
    for (size_t k = 0; k < s->n_analyses; k++)
        if (s->analyses[k].row->integrates)
            which = arena_printf(s->arena, "%s%s%s", which ? which : "", which ? ", " : "",
                                 s->analyses[k].row->analysis->name);
    if (which)
        result_warn(s, &run->result,
                    "the run has met something narrower than its steps, which motions integrated "
                    "for %s may pass unseen: give integrator.max_step, no longer than that lasts",
                    which);
}

Status report_analyses(Run *run, Error *err)
{
    const Simulation *s = run->at.s;
    Trajectory trajectory = state_samples_trajectory(&run->rows.states);
    Findings findings;
    const AnalysedRun analysed = analysed_run(s);
    AnalysisContext context = {0};

    if (s->brief && s->n_analyses == 0) /* nor does anybody read that nothing was found */
        return OK;
    report_blindness(run);
    findings_init(&findings, s->arena);
    Status status = s->n_analyses ? make_context(run, &trajectory, &context, err) : OK;
    if (status == OK)
        status = analyses_run(&context, &analysed, s->analyses, s->n_analyses, &findings, err);
    if (status == ERR_CANCELLED || status == ERR_TIMEOUT) {
        /* the motion is complete, only its analyses are not */
        run->result.end.status = status;
        run->result.end.reason = reason_name(status);
        run->result.end.message = err ? arena_strdup(s->arena, err->message) : NULL;
        status = OK;
    }
    if (status == OK) {
        run->result.found.verdicts = findings.verdicts;
        run->result.found.n_verdicts = findings.n_verdicts;
        run->result.found.findings = findings.record;
    }
    return status;
}
