/* Numbers of analyses, sensitivities and second opinions by their paths. */
#include "core/run/tell/reduce_finding.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/prepare/column_units.h"
#include "core/run/watch/observe.h"

static const char SENSITIVITIES[] = "sensitivities.";

/* Does the path begin with the name, as a whole? */
static bool begins_with(const char *path, const char *name)
{
    const size_t length = strlen(name);

    return strncmp(path, name, length) == 0 && (path[length] == '.' || !path[length]);
}

/* A member of a record by its name, of a list by its place from 0. Names of columns have dots: the
 * longest that fits is meant. */
static const Value *find_member(const Value *value, const char *path, size_t *ret_length)
{
    const Value *found = NULL;
    char place[24];
    size_t k = 0;

    *ret_length = 0;
    for (const Value *member = value->first; member; member = member->next, k++) {
        snprintf(place, sizeof place, "%zu", k);
        const char *own = value->kind == VALUE_LIST ? place : member->name;
        if (own && begins_with(path, own) && (!found || strlen(own) > *ret_length)) {
            found = member;
            *ret_length = strlen(own);
        }
    }
    return found;
}

static double number_at(const Value *value, const char *path)
{
    size_t length;

    while (value && *path) {
        value = find_member(value, path, &length);
        path += length + (path[length] == '.');
    }
    return value && value->kind == VALUE_NUMBER ? value->number : NAN;
}

static bool is_sensitivity(const char *path)
{
    return strncmp(path, SENSITIVITIES, sizeof SENSITIVITIES - 1) == 0;
}

void finding_note_end(Reduce *r, MotionState *at, Arena *memory, double t, const double *y)
{
    const Reductions *x = at->s->reductions;
    bool wanted = false;
    Error ignored;

    for (size_t i = 0; x && at->eq.sensitivities && i < x->n; i++)
        wanted = wanted || (x->items[i].path && is_sensitivity(x->items[i].path));
    if (!wanted || look_whole(at, t, y, &ignored) != OK)
        return;
    r->sensitivities = arena_doubles(memory, at->s->columns.n_sensitivities);
    if (r->sensitivities)
        sensitivity_run_row(at->eq.sensitivities, &at->state, y, r->sensitivities);
}

/* As the last row of the trajectory shows it. */
static double sensitivity_at(const Reduce *r, const Simulation *s, const char *name)
{
    const size_t first = s->columns.n - s->columns.n_sensitivities;

    for (size_t c = first; r->sensitivities && c < s->columns.n; c++)
        if (strcmp(s->columns.names[c], name) == 0)
            return column_shown(s, c, r->sensitivities[c - first]);
    return NAN;
}

double finding_number(const Reduce *r, const Simulation *s, const Value *findings, const char *path)
{
    return is_sensitivity(path) ? sensitivity_at(r, s, path + sizeof SENSITIVITIES - 1)
                                : number_at(findings, path);
}

static void add_differences(Arena *arena, Value *record, const Comparison *item,
                            const char *const *names, size_t n)
{
    value_add_number(arena, record, "event_rows", (double)item->event_rows);
    value_add_number(arena, record, "max_absolute", item->max_absolute);
    value_add_number(arena, record, "max_relative", item->max_relative);
    Value *columns = value_add(arena, record, "columns", VALUE_RECORD);
    for (size_t i = 0; i < n; i++) {
        Value *column = value_add(arena, columns, names[i], VALUE_RECORD);
        value_add_number(arena, column, "absolute", item->absolute[i]);
        value_add_number(arena, column, "relative", item->relative[i]);
        value_add_number(arena, column, "size", item->size[i]);
    }
}

static Value *record_opinions(const SimulationResult *result, Arena *arena)
{
    Value *record = value_new_record(arena),
          *list = value_add(arena, record, "compare", VALUE_LIST);

    for (size_t k = 0; k < result->second.n_comparisons; k++)
        add_differences(arena, value_add(arena, list, NULL, VALUE_RECORD),
                        &result->second.comparisons[k], result->second.compared_columns,
                        result->second.n_compared_columns);
    /* one that did not come to the end says nothing of the errors */
    if (result->second.accuracy && result->second.accuracy->finer.status == OK)
        add_differences(arena, value_add(arena, record, "accuracy", VALUE_RECORD),
                        &result->second.accuracy->finer, result->second.columns,
                        result->second.n_columns);
    return record;
}

Status finding_take_opinions(const Simulation *s, SimulationResult *result, Error *err)
{
    const Reductions *x = s->reductions;

    if (!x)
        return OK;
    const Value *record = record_opinions(result, s->arena);
    double *reduced = arena_copy_doubles(s->arena, result->reduced, x->n);
    for (size_t i = 0; record && reduced && i < x->n; i++)
        if (x->items[i].path && isnan(reduced[i]))
            reduced[i] = number_at(record, x->items[i].path);
    result->reduced = reduced;
    return arena_status(s->arena, err);
}
