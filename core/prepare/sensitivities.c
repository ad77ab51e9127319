/* The numbers that columns are differentiated by. */
#include "core/prepare/sensitivities.h"

#include <string.h>

#include "core/linear/initial_tangent.h"
#include "core/prepare/named_values.h"

/* The part of the path behind `prefix`, or NULL if the path does not begin with it. */
static const char *after_prefix(const char *path, const char *prefix)
{
    const size_t length = strlen(prefix);
    return strncmp(path, prefix, length) == 0 ? path + length : NULL;
}

static void read_path(Simulation *s, const JobSpec *spec, size_t k, Diagnostics *diag)
{
    const Model *model = s->compiled->model;
    const size_t n = model->n;
    const NamedTargets parameters = parameter_targets(model);
    const NamedTargets coordinates = state_targets(model, false).q;
    Sensitivities *x = s->sensitivities;
    const char *path = spec->sensitivities[k].text, *pointer = spec->sensitivities[k].pointer;
    const char *name;
    size_t i;

    /* a parameter is a direction of its own; an initial value is a unit vector of the start */
    if ((name = after_prefix(path, "parameters."))) {
        i = named_targets_look_up(&parameters, name, 0, pointer, diag);
        x->parameters[x->n_parameters] = i;
        x->dp[x->n_parameters++ * x->m + k] = 1;
    } else if ((name = after_prefix(path, "initial.q."))) {
        i = named_targets_look_up(&coordinates, name, 0, pointer, diag);
        if (i < n)
            x->start[i * x->m + k] = 1;
    } else if ((name = after_prefix(path, "initial.v."))) {
        i = named_targets_look_up(&coordinates, name, 0, pointer, diag);
        if (i < n)
            x->start[(n + i) * x->m + k] = 1;
        if (i < n && !named_values_have(spec->initial.v, spec->initial.n_v, name))
            diagnostics_add(diag, pointer, -1, "give it, or ask for another",
                            "the initial velocity of %s is found from the constraints, not given",
                            name);
    } else {
        diagnostics_add(diag, pointer, -1,
                        "write \"parameters.NAME\", \"initial.q.NAME\" or \"initial.v.NAME\"",
                        "\"%.80s\" is no number that sensitivities can be taken by", path);
    }
    for (size_t j = 0; j < k; j++)
        if (strcmp(spec->sensitivities[j].text, path) == 0)
            diagnostics_add(diag, pointer, -1, NULL, "\"%.80s\" is asked for twice", path);
}

/* Checks the conditions that do not depend on the state. */
static void sensitivities_check(const Simulation *s, const JobSpec *spec, Diagnostics *diag)
{
    const char *formulation = s->compiled->formulation->name;

    /* a job may fail several of these: all are told */
    if (strcmp(formulation, "lagrange-dalembert") != 0)
        diagnostics_add(diag, "/sensitivities", -1, "\"formulation\": \"lagrange-dalembert\"",
                        "sensitivities are those of the state (q, v), which the formulation %s "
                        "does not integrate",
                        formulation);
    if (s->integration.method && ode_method_needs_jacobian(s->integration.method))
        diagnostics_add(diag, "/sensitivities", -1, "\"method\": \"auto\"",
                        "the method %s would need second derivatives for them",
                        ode_method_name(s->integration.method));
    if (spec->initial.in_chart)
        diagnostics_add(diag, "/sensitivities", -1, "give \"q\" and \"v\"",
                        "the initial state is not given in the model's coordinates");
    if (spec->initial.equilibrium.given)
        diagnostics_add(diag, "/sensitivities", -1, "give \"q\" and \"v\"",
                        "the initial state is found from an equilibrium: how that depends on "
                        "numbers of the job is not differentiated in this version");
    for (size_t k = 0; k < spec->n_events; k++)
        if (spec->events[k].n_set)
            diagnostics_add(diag, "/sensitivities", -1, NULL,
                            "the event %.80s changes the state: derivatives would have to jump "
                            "with it, which they do not in this version",
                            spec->events[k].name);
}

Status sensitivities_read(Simulation *s, const JobSpec *spec, Diagnostics *diag, Error *err)
{
    const size_t m = spec->n_sensitivities, n = s->compiled->model->n;
    const size_t before = diag->total;

    if (m == 0)
        return OK;
    /* paths are read only if the job can have sensitivities at all */
    sensitivities_check(s, spec, diag);
    if (diag->total > before)
        return error_set(err, ERR_INVALID, "the sensitivities have mistakes");
    const Sensitivities empty = {.m = m,
                                 .paths = ARENA_NEW(s->arena, m, const char *),
                                 .parameters = arena_sizes(s->arena, m),
                                 .dp = arena_doubles(s->arena, m * m),
                                 .start = arena_doubles(s->arena, 2 * n * m)};
    s->sensitivities = ARENA_NEW(s->arena, 1, Sensitivities);
    if (arena_failed(s->arena))
        return arena_status(s->arena, err);
    *s->sensitivities = empty;
    for (size_t k = 0; k < m; k++) {
        s->sensitivities->paths[k] = arena_strdup(s->arena, spec->sensitivities[k].text);
        read_path(s, spec, k, diag);
    }
    if (arena_failed(s->arena))
        return arena_status(s->arena, err);
    return diag->total == before ? OK
                                 : error_set(err, ERR_INVALID, "the sensitivities have mistakes");
}

void sensitivities_name_state(const Simulation *s, const char **ret_names)
{
    const size_t m = s->sensitivities->m, dim = 2 * s->compiled->model->n;
    const char *const *columns = s->columns.names + s->columns.n - s->columns.n_sensitivities;

    for (size_t i = 0; i < dim; i++)
        for (size_t c = 0; c < m; c++)
            *ret_names++ = columns[c * (s->columns.n_sensitivities / m) + i];
}

/* The derivatives of the initial state; given_q, given_v as in the job. */
static Status derive_start(Simulation *s, const JobSpec *spec, const double *given,
                           const bool *v_given, Diagnostics *diag, Error *err)
{
    const Model *model = s->compiled->model;
    Sensitivities *x = s->sensitivities;
    bool optimal = false;
    InitialTangent problem = {.model = model,
                              .eval = s->eval,
                              .params = s->params,
                              .rows = s->start.rows,
                              .n_rows = s->start.report.rank,
                              .t = s->times.t0,
                              .q = s->start.q,
                              .v = s->start.v,
                              .given_q = given,
                              .given_v = given + model->n,
                              .v_given = v_given,
                              .consistency = spec->initial.consistency,
                              .held = s->start.held,
                              .parameters = x->parameters,
                              .n_parameters = x->n_parameters,
                              .dp = x->dp,
                              .m = x->m};
    Status status = initial_tangent(&problem, x->start, &optimal, err);

    /* a state that is not the nearest one has no derivative */
    if (status == ERR_NUMERIC || (status == OK && !optimal)) {
        diagnostics_add(
            diag, "/sensitivities", -1, "give an admissible state with all velocities",
            "the initial state has no derivative: other states fit the given values, too");
        return error_set(err, ERR_INVALID, "the initial state has no derivative");
    }
    return status;
}

Status sensitivities_start(Simulation *s, const JobSpec *spec, Diagnostics *diag, Error *err)
{
    const Model *model = s->compiled->model;
    const size_t n = model->n;

    if (!s->sensitivities)
        return OK;
    /* corners and redundant constraints have no derivatives */
    if (s->motion->n_switches) {
        diagnostics_add(diag, "/sensitivities", -1, "use smooth functions",
                        "the equations have corners (abs, min, max, sign or if), across which "
                        "derivatives would have to jump, which they do not in this version");
        return error_set(err, ERR_INVALID, "sensitivities of a motion with corners");
    }
    if (s->start.report.rank < model->r) {
        diagnostics_add(diag, "/sensitivities", -1, "leave the redundant constraints out",
                        "constraints are redundant: how their multipliers share the reaction is "
                        "a convention that is not differentiated");
        return error_set(err, ERR_INVALID, "sensitivities with redundant constraints");
    }
    double *given = arena_doubles(s->arena, 2 * n);
    bool *v_given = ARENA_NEW(s->arena, n, bool);
    Status status = arena_status(s->arena, err);
    if (status == OK) {
        const StateTargets names = state_targets(model, false);
        named_values_assign(spec->initial.q, spec->initial.n_q, &names.q, given, NULL, diag);
        named_values_assign(spec->initial.v, spec->initial.n_v, &names.v, given + n, v_given, diag);
        status = derive_start(s, spec, given, v_given, diag, err);
    }
    return status;
}
