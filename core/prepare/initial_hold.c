/* Reads the names of held coordinates. */
#include "core/prepare/initial_hold.h"

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
    const NamedTargets coordinates = coordinate_targets(model);
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
        const size_t i = named_targets_find(&coordinates, name, 0);
        if (i == model->n)
            unknown_name(diag, pointer, coordinates.what, name, coordinates.names, coordinates.n);
        else if (held[i])
            diagnostics_add(diag, pointer, -1, NULL, "%s is held twice", name);
        else if (!named_values_have(spec->initial.q, spec->initial.n_q, name))
            diagnostics_add(diag, pointer, -1, "give it one in \"initial.q\"",
                            "%s is held, and has no value", name);
        if (i < model->n)
            held[i] = pointer;
    }
    return OK;
}
