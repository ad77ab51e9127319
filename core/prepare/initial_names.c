/* The names of the initial state, and its held coordinates. */
#include "core/prepare/initial.h"

#include "core/prepare/named_values.h"

/* Whether coordinates can be held in this kind of initial state. */
static bool check_state(const JobSpec *spec, Diagnostics *diag)
{
    const char *at = spec->initial.hold[0].pointer;

    if (spec->initial.in_chart)
        diagnostics_add(diag, at, -1, "give the state under \"q\" and \"v\"",
                        "coordinates of the model are held, and the state is given in its chart");
    else if (spec->initial.consistency != CONSISTENCY_PROJECT)
        diagnostics_add(diag, at, -1, "add \"consistency\": \"project\", or leave \"hold\" out",
                        "coordinates are held while others are projected, and none is here");
    return !spec->initial.in_chart && spec->initial.consistency == CONSISTENCY_PROJECT;
}

Status initial_hold_read(Simulation *s, const JobSpec *spec, Diagnostics *diag, Error *err)
{
    const Model *model = s->compiled->model;
    const NamedTargets coordinates = state_targets(model, false).q;
    const char **held = spec->initial.n_hold ? ARENA_NEW(s->arena, model->n, const char *) : NULL;

    s->start.held = held;
    if (!spec->initial.n_hold)
        return OK;
    if (!held)
        return arena_status(s->arena, err);
    if (!check_state(spec, diag))
        return OK;
    /* each name is a coordinate with a value, and is held once */
    for (size_t k = 0; k < spec->initial.n_hold; k++) {
        const char *name = spec->initial.hold[k].name, *pointer = spec->initial.hold[k].pointer;
        const size_t i = named_targets_look_up(&coordinates, name, 0, pointer, diag);
        if (i == model->n)
            continue;
        if (held[i])
            diagnostics_add(diag, pointer, -1, NULL, "%s is held twice", name);
        else if (!named_values_have(spec->initial.q, spec->initial.n_q, name))
            diagnostics_add(diag, pointer, -1, "give it one in \"initial.q\"",
                            "%s is held, and has no value", name);
        held[i] = pointer;
    }
    return OK;
}

Status initial_names_check(Simulation *s, const JobSpec *spec, Diagnostics *diag, Error *err)
{
    const Model *model = s->compiled->model;
    const EquilibriumSpec *rest = &spec->initial.equilibrium;
    const StateTargets state = state_targets(model, false), chart = state_targets(model, true);
    const struct {
        const NamedValue *values;
        size_t n;
        const NamedTargets *targets;
    } lists[] = {{spec->initial.q, spec->initial.n_q, &state.q},
                 {spec->initial.v, spec->initial.n_v, &state.q},
                 {rest->near_q, rest->n_near_q, &state.q},
                 {rest->near_v, rest->n_near_v, &state.q},
                 {rest->offset_q, rest->n_offset_q, &state.q},
                 {rest->offset_v, rest->n_offset_v, &state.q},
                 {spec->initial.chart_q, spec->initial.n_chart_q, &chart.q},
                 {spec->initial.chart_v, spec->initial.n_chart_v, &chart.q}};
    double *scratch = arena_doubles(s->arena, model->n + model->given.chart.n);

    /* a scratch array receives the values */
    if (!scratch)
        return arena_status(s->arena, err);
    const Status status = initial_hold_read(s, spec, diag, err);
    if (status != OK)
        return status;
    for (size_t k = 0; k < sizeof lists / sizeof *lists; k++)
        if (lists[k].targets->n > 0)
            named_values_assign(lists[k].values, lists[k].n, lists[k].targets, scratch, NULL, diag);
    if (spec->initial.in_chart && chart.q.n == 0)
        diagnostics_add(diag, "/initial/chart", -1, "give the state under \"q\" and \"v\"",
                        "the model has no chart");
    return initial_multipliers_check(s, spec, diag, err);
}
