/* Names of the result's columns and event tables. */
#include "core/prepare/columns.h"

#include "core/base/name_set.h"
#include "core/prepare/column_units.h"
#include "core/prepare/event_times.h"
#include "core/prepare/sensitivities.h"

/* Names of the derivatives of the columns before them. */
static void name_sensitivities(Simulation *s)
{
    const size_t n = s->n_columns - s->n_sensitivities;
    const char **next = s->columns + n;

    for (size_t k = 0; s->sensitivities && k < s->sensitivities->m; k++)
        for (size_t c = 1; c < n; c++)
            *next++ =
                arena_printf(s->arena, "d(%s)/d(%s)", s->columns[c], s->sensitivities->paths[k]);
}

/* t, the coordinates, their velocities, the multipliers, the formulation's own, the observables,
 * then the sensitivities. */
Status columns_name(Simulation *s, const JobSpec *spec, Diagnostics *diag, Error *err)
{
    if (s->motion && s->motion == s->first.of) {
        s->columns = s->first.names;
        s->n_columns = s->first.n;
        s->n_sensitivities = s->first.n_sensitivities;
        return column_units_find(s, err);
    }
    const Model *model = s->compiled->model;
    const size_t n_own = s->motion ? s->motion->n_own : 0; /* unknown after mistakes */
    size_t c = 0;

    s->named = s->motion;
    s->n_columns = 1 + 2 * model->n + model->r + n_own + spec->n_observe;
    s->n_sensitivities = sensitivities_columns(s->sensitivities, s->n_columns);
    s->n_columns += s->n_sensitivities;
    s->columns = arena_alloc(s->arena, s->n_columns, sizeof *s->columns);
    if (!s->columns)
        return arena_status(s->arena, err);
    s->columns[c++] = "t";
    for (size_t i = 0; i < model->n; i++)
        s->columns[c++] = arena_strdup(s->arena, model->coordinate_names[i]);
    for (size_t i = 0; i < model->n; i++)
        s->columns[c++] = arena_join(s->arena, "dot(", model->coordinate_names[i], ")");
    for (size_t a = 0; a < model->r; a++)
        s->columns[c++] = arena_join(s->arena, "multiplier(", model->constraints[a].name, ")");
    for (size_t k = 0; k < n_own; k++)
        s->columns[c++] = s->motion->own_names[k];
    NameSet names = name_set(c + spec->n_observe, s->arena);
    for (size_t k = 0; k < c; k++)
        (void)name_set_add(&names, s->columns[k]);
    for (size_t k = 0; k < spec->n_observe; k++) {
        const NamedText *observe = &spec->observe[k];
        s->columns[c] = arena_strdup(s->arena, observe->name);
        if (!name_set_add(&names, s->columns[c++]))
            diagnostics_add(diag, observe->pointer, -1, "choose another name",
                            "there is a column \"%s\" already", observe->name);
    }
    name_sensitivities(s);
    const Status status = arena_status(s->arena, err);
    return status == OK ? column_units_find(s, err) : status;
}

Status tables_name(Simulation *s, const JobSpec *spec, Diagnostics *diag, Error *err)
{
    s->n_events = spec->n_events;
    s->tables = NULL;
    s->events = NULL;
    if (spec->n_events == 0)
        return arena_status(s->arena, err);
    /* one table per event, with unique names */
    s->tables = arena_alloc(s->arena, spec->n_events, sizeof *s->tables);
    s->events = arena_alloc(s->arena, spec->n_events, sizeof *s->events);
    NameSet names = name_set(spec->n_events, s->arena);
    if (arena_failed(s->arena))
        return arena_status(s->arena, err);
    for (size_t k = 0; k < spec->n_events; k++) {
        const EventSpec *event = &spec->events[k];
        if (!name_set_add(&names, event->name))
            diagnostics_add(diag, event->pointer, -1, NULL, "there are two events \"%s\"",
                            event->name);
        if (spec->boundary.given && event->n_set)
            diagnostics_add(diag, event->pointer, -1, "leave out \"set\"",
                            "the event %s changes the state: the path would not reach its end",
                            event->name);
        /* copy the event's settings, and its times */
        s->tables[k] = arena_strdup(s->arena, event->name);
        s->events[k] = (EventSpec){.name = s->tables[k],
                                   .direction = event->direction,
                                   .terminal = event->terminal,
                                   .n_set = event->n_set};
        event_times_init(s, event, &s->events[k], diag);
    }
    return arena_status(s->arena, err);
}
