/* Names of the result's columns and event tables. */
#include "core/prepare/prepare.h"

#include "core/base/name_set.h"
#include "core/prepare/column_units.h"
#include "core/prepare/event_times.h"

static void name_sensitivities(Simulation *s)
{
    const size_t n = s->columns.n - s->columns.n_sensitivities;
    const char **next = s->columns.names + n;

    for (size_t k = 0; s->sensitivities && k < s->sensitivities->m; k++)
        for (size_t c = 1; c < n; c++)
            *next++ = arena_printf(s->arena, "d(%s)/d(%s)", s->columns.names[c],
                                   s->sensitivities->paths[k]);
}

Status columns_name(Simulation *s, const JobSpec *spec, Diagnostics *diag, Error *err)
{
    if (s->motion && s->motion == s->columns.first.of) {
        s->columns.names = s->columns.first.names;
        s->columns.n = s->columns.first.n;
        s->columns.n_sensitivities = s->columns.first.n_sensitivities;
        return column_units_find(s, err);
    }
    const Model *model = s->compiled->model;
    const size_t n_own = s->motion ? s->motion->n_own : 0; /* unknown after mistakes */
    size_t c = 0;

    s->columns.of = s->motion;
    s->columns.n = 1 + 2 * model->n + model->r + n_own + spec->n_observe;
    s->columns.n_sensitivities = s->sensitivities ? s->sensitivities->m * (s->columns.n - 1) : 0;
    s->columns.n += s->columns.n_sensitivities;
    s->columns.names = arena_alloc(s->arena, s->columns.n, sizeof *s->columns.names);
    if (!s->columns.names)
        return arena_status(s->arena, err);
    s->columns.names[c++] = "t";
    for (size_t i = 0; i < model->n; i++)
        s->columns.names[c++] = arena_strdup(s->arena, model->names.coordinates[i]);
    for (size_t i = 0; i < model->n; i++)
        s->columns.names[c++] = arena_join(s->arena, "dot(", model->names.coordinates[i], ")");
    for (size_t a = 0; a < model->r; a++)
        s->columns.names[c++] =
            arena_join(s->arena, "multiplier(", model->constraints[a].name, ")");
    for (size_t k = 0; k < n_own; k++)
        s->columns.names[c++] = s->motion->own_names[k];
    NameSet names = name_set(c + spec->n_observe, s->arena);
    for (size_t k = 0; k < c; k++)
        (void)name_set_add(&names, s->columns.names[k]);
    for (size_t k = 0; k < spec->n_observe; k++) {
        const NamedText *observe = &spec->observe[k];
        s->columns.names[c] = arena_strdup(s->arena, observe->name);
        if (!name_set_add(&names, s->columns.names[c++]))
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
    s->columns.tables = NULL;
    s->events = NULL;
    if (spec->n_events == 0)
        return arena_status(s->arena, err);
    /* one table per event, with unique names */
    s->columns.tables = arena_alloc(s->arena, spec->n_events, sizeof *s->columns.tables);
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
        s->columns.tables[k] = arena_strdup(s->arena, event->name);
        s->events[k] = (EventSpec){.name = s->columns.tables[k],
                                   .direction = event->direction,
                                   .terminal = event->terminal,
                                   .n_set = event->n_set};
        event_times_init(s, event, &s->events[k], diag);
    }
    return arena_status(s->arena, err);
}
