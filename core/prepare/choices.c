/* Choices that the service made for the job. A client may state them in its next job. */
#include "core/prepare/prepare.h"

#include <string.h>

#include "core/motion/algebra/eliminate.h"
#include "core/motion/formulation.h"
#include "core/prepare/named_values.h"

typedef struct Choices {
    const Simulation *s;
    const JobSpec *spec;
    Arena *arena;
    Value *list;
} Choices;

/* Adds a record; its value is added by the caller. */
static Value *choose(const Choices *c, const char *what, const char *reason)
{
    Value *choice = value_add(c->arena, c->list, NULL, VALUE_RECORD);

    value_add_text(c->arena, choice, "what", what);
    value_add_text(c->arena, choice, "reason", reason);
    return choice;
}

static void choose_text(const Choices *c, const char *what, const char *value, const char *reason)
{
    value_add_text(c->arena, choose(c, what, reason), "value", value);
}

static void choose_number(const Choices *c, const char *what, double value, const char *reason)
{
    value_add_number(c->arena, choose(c, what, reason), "value", value);
}

static Value *choose_names(const Choices *c, const char *what, const char *reason)
{
    return value_add(c->arena, choose(c, what, reason), "value", VALUE_LIST);
}

/* Lists the coordinates that have no value. If all have one, nothing is added. */
static void choose_left_out(const Choices *c, const char *what, const NamedValue *values, size_t n,
                            const char *reason)
{
    const Model *model = c->s->compiled->model;
    Value *names = NULL;

    for (size_t i = 0; i < model->n; i++) {
        if (named_values_have(values, n, model->names.coordinates[i]))
            continue;
        if (!names)
            names = choose_names(c, what, reason);
        value_add_text(c->arena, names, NULL, model->names.coordinates[i]);
    }
}

/* The start of a job, unless a boundary, a chart or an equilibrium determines it; their results
 * are reported elsewhere. */
static void choose_start(const Choices *c)
{
    const JobSpec *spec = c->spec;
    const InitialReport *report = &c->s->start.report;

    if (spec->boundary.given || spec->initial.in_chart || spec->initial.equilibrium.given)
        return;
    choose_left_out(c, "initial.q", spec->initial.q, spec->initial.n_q,
                    "left out: 0, before any projection");
    choose_left_out(c, "initial.v", spec->initial.v, spec->initial.n_v,
                    report->rank == 0 ? "left out, and nothing demands more: 0"
                    : report->metric_is_mass
                        ? "left out: with the least v.M.v that the constraints leave"
                        : "left out: with the least |v| that the constraints leave, since the mass "
                          "matrix is not positive on them");
}

static void choose_integrator(const Choices *c)
{
    const JobSpec *spec = c->spec;
    const Simulation *s = c->s;

    /* the method, then tolerances and sizes of methods that control their steps */
    if (strcmp(spec->integrator.method, "auto") == 0)
        choose_text(
            c, "integrator.method", ode_method_name(s->integration.method),
            "auto: an explicit method of high order that controls its steps; bdf takes over "
            "if the motion is stiff and many steps are left");
    if (!ode_method_fixed_step(s->integration.method)) {
        if (!spec->integrator.rtol_given)
            choose_number(c, "integrator.rtol", spec->integrator.rtol, "the default");
        if (!spec->integrator.atol_given)
            choose_number(c, "integrator.atol", job_spec_atol(spec), "rtol / 100");
        if (s->integration.absolute)
            choose_number(c, "integrator.nominal", 1, "atol is given without sizes");
        else if (spec->integrator.n_nominal == 0)
            choose_text(c, "integrator.nominal", "from the motion",
                        "none are given: the largest value so far of each coordinate and velocity, "
                        "and of those of its kind");
    }
    if (!spec->integrator.max_steps)
        choose_number(c, "integrator.max_steps", (double)s->integration.options.max_steps,
                      "the default, or the limit of the service if that is lower");
    if (!spec->integrator.projection_given)
        value_add_bool(c->arena,
                       choose(c, "integrator.projection",
                              "the default: every step ends on the "
                              "constraints"),
                       "value", spec->integrator.projection);
    if (s->integration.projection && s->start.report.rank > 0)
        choose_text(c, "metric", s->start.report.metric_is_mass ? "mass" : "euclidean",
                    s->start.report.metric_is_mass
                        ? "states are projected as the mass matrix measures, which is positive on "
                          "the constraints"
                        : "states are projected by the change of coordinates itself: the mass "
                          "matrix is not positive on the constraints");
}

/* The form in which the equations are integrated. */
static void choose_equations(const Choices *c)
{
    const Simulation *s = c->s;
    const Model *model = s->compiled->model;

    if (!c->spec->formulation_given)
        choose_text(c, "formulation", c->spec->formulation,
                    "the default: it applies to every model");
    if (s->motion->formulation->uses_dependent && s->start.dependent && model->given.n_base == 0) {
        Value *names = choose_names(c, "dependent",
                                    "the model names no base: of all coordinates, the constraints "
                                    "determine the velocities of these best at the start");
        for (size_t k = 0; k < s->start.report.rank; k++)
            value_add_text(c->arena, names, NULL, model->names.coordinates[s->start.dependent[k]]);
    }
    choose_text(c, "elimination", elimination_name(s->motion->elimination),
                "of the ways to solve for the accelerations that are sound for this mass matrix, "
                "the one with the shortest program");
}

Status choices_list(const Simulation *s, const JobSpec *spec, const Value **ret_list, Error *err)
{
    const Choices c = {s, spec, s->arena, value_new_list(s->arena)};

    choose_equations(&c);
    choose_start(&c);
    if (spec->time.kind == TIME_SAMPLES && !spec->time.samples_given)
        choose_number(&c, "time.samples", (double)spec->time.samples, "the default");
    choose_integrator(&c);
    if (!spec->analyses) {
        Value *names = choose_names(&c, "analyses",
                                    "the job names none: those that fit the model "
                                    "of the ones that are made by default");
        for (size_t k = 0; k < s->n_analyses; k++)
            value_add_text(c.arena, names, NULL, s->analyses[k].row->analysis->name);
    }
    *ret_list = c.list;
    return arena_status(s->arena, err);
}
