/* Units of the columns of a result: those of the model's names, and units derived from them. */
#include "core/prepare/column_units.h"

#include <stdlib.h>

#include "core/base/memory.h"
#include "core/model/dimensions.h"

/* The columns are filled one by one. */
typedef struct Filling {
    const Simulation *s;
    ColumnUnits *units;
} Filling;

static void add(Filling *x, const Unit *unit)
{
    x->units->units[x->units->n++] = unit;
}

static void add_kept(Filling *x, Unit unit)
{
    Unit *kept = ARENA_NEW(&x->units->memory, 1, Unit);

    if (kept)
        *kept = unit;
    add(x, kept);
}

static void add_derived(Filling *x, Dimension dimension)
{
    if (dimension.known)
        add_kept(x, unit_of(&dimension));
    else
        add(x, NULL);
}

static void add_own(Filling *x, const char *column)
{
    const Unit *unit;
    const Dimension dimension = units_own_column(x->s->compiled->model, column, &unit);

    if (unit)
        add(x, unit);
    else
        add_derived(x, dimension);
}

/* A quotient too long to be written is shown in the SI, without its unit. n: number of columns
 * before them. */
static void add_sensitivities(Filling *x, size_t n)
{
    const Simulation *s = x->s;

    for (size_t k = 0; s->sensitivities && k < s->sensitivities->m; k++) {
        const Unit *by = units_of_path(s->compiled->model, s->sensitivities->paths[k]);
        for (size_t c = 1; c < n; c++) {
            const Unit *column = x->units->units[c];
            Unit quotient = column ? *column : (Unit){0};
            if (by && column && unit_divide(&quotient, by))
                add_kept(x, quotient);
            else
                add(x, NULL);
        }
    }
}

static void write_texts(ColumnUnits *units)
{
    for (size_t c = 0; c < units->n; c++) {
        Text text = TEXT_INIT;
        if (units->units[c]) {
            unit_print(units->units[c], &text);
            units->texts[c] = arena_strdup(&units->memory, text_string(&text));
        }
        text_done(&text);
    }
}

static void fill(const Simulation *s, ColumnUnits *units)
{
    const Model *m = s->compiled->model;
    const bool kept = s->compiled->formulation->keeps_multipliers;
    Filling x = {s, units};
    bool scales = false;

    /* in the order of the columns: t, q and v, multipliers, own columns, observables */
    add_derived(&x, dimension_base(BASE_S));
    for (size_t i = 0; i < 2 * m->n; i++)
        add(&x, &m->units.state[i]);
    for (size_t a = 0; a < m->r; a++)
        add_derived(&x, units_multiplier(m, a, kept));
    for (size_t k = 0; s->motion && k < s->motion->n_own; k++)
        add_own(&x, s->motion->own_names[k]);
    for (size_t k = 0; k < s->n_observe; k++)
        add_derived(&x, s->observed ? observed_dimension(s->observed, k) : (Dimension){0});
    /* then the sensitivities, and whether any column is shown in another unit than the SI's */
    add_sensitivities(&x, units->n);
    for (size_t c = 0; c < units->n; c++)
        scales = scales || (units->units[c] && units->units[c]->scales);
    if (scales)
        units->shown = arena_doubles(&units->memory, units->n);
    write_texts(units);
}

void column_units_free(ColumnUnits *units)
{
    if (units)
        arena_done(&units->memory);
    free(units);
}

Status column_units_find(Simulation *s, Error *err)
{
    /* members of an ensemble mostly have the same columns as the member before */
    if (!s->compiled->model->units.known ||
        (s->columns.units && s->columns.units->motion == s->motion &&
         s->columns.units->n == s->columns.n))
        return OK;
    column_units_free(s->columns.units);
    s->columns.units = alloc_array(1, sizeof *s->columns.units);
    if (!s->columns.units)
        return error_set(err, ERR_NO_MEMORY, "out of memory");
    s->columns.units->motion = s->motion;
    s->columns.units->units = ARENA_NEW(&s->columns.units->memory, s->columns.n, const Unit *);
    s->columns.units->texts = ARENA_NEW(&s->columns.units->memory, s->columns.n, const char *);
    Status status = arena_status(&s->columns.units->memory, err);
    if (status == OK)
        fill(s, s->columns.units);
    return status == OK ? arena_status(&s->columns.units->memory, err) : status;
}

double column_shown(const Simulation *s, size_t c, double value)
{
    const bool shows = s->columns.units && s->columns.units->shown && s->columns.units->units[c];
    return shows ? unit_shown(s->columns.units->units[c], value) : value;
}

const double *row_shown(const Simulation *s, const double *row)
{
    if (!s->columns.units || !s->columns.units->shown)
        return row;
    for (size_t c = 0; c < s->columns.n; c++)
        s->columns.units->shown[c] = column_shown(s, c, row[c]);
    return s->columns.units->shown;
}
