/* The units of a document's names, and its numbers in those of the SI. */
#include <math.h>
#include <string.h>

#include "core/base/text.h"
#include "core/model/build.h"

enum { NAMED = 3 }; /* names that a warning lists */

/* The names without a unit, and whether some have one. */
typedef struct Census {
    Text without;
    size_t n_without, n_with;
} Census;

static void read_unit(Builder *b, Census *census, const char *name, const UnitText *unit, Unit *ret)
{
    UnitMistake mistake;

    if (!unit || !unit->text) {
        if (census->n_without++ < NAMED)
            text_printf(&census->without, "%s\"%.80s\"", census->n_without > 1 ? ", " : "",
                        name ? name : "");
        return;
    }
    census->n_with++;
    if (!unit_read(unit->text, ret, &mistake))
        diagnostics_add(b->diag, unit->pointer, (long)text_characters(unit->text, mistake.offset),
                        *mistake.hint ? mistake.hint : NULL, "%s", mistake.message);
}

static void second_half(Unit *units, size_t n)
{
    const Dimension second = dimension_base(BASE_S);
    const Unit s = unit_of(&second);

    for (size_t i = 0; i < n; i++) {
        units[n + i] = units[i];
        /* the product may be too long a unit; then use SI units */
        if (!unit_divide(&units[n + i], &s))
            units[n + i] = unit_of(&units[n + i].dimension);
    }
}

static const CoordinateText *model_coordinate(const ModelDocument *d, const char *name)
{
    for (size_t i = 0; i < d->n_coordinates; i++)
        if (name && d->coordinates[i].name && strcmp(d->coordinates[i].name, name) == 0)
            return &d->coordinates[i];
    return NULL;
}

/* A coordinate of the chart with the name of a model's coordinate may take its unit from there. */
static void read_chart(Builder *b, Census *census, Unit *units)
{
    for (size_t i = 0; i < b->model->given.chart.n; i++) {
        const CoordinateText *own = &b->document->chart.coordinates[i];
        const CoordinateText *same =
            own->unit.text ? own : model_coordinate(b->document, own->name);
        read_unit(b, census, own->name, same ? &same->unit : NULL, &units[i]);
    }
}

static const char *partly(Builder *b, const Census *census)
{
    Text text = TEXT_INIT;

    text_printf(&text, "units are not used, for not all names have one: %s",
                text_string(&census->without));
    if (census->n_without > NAMED)
        text_printf(&text, " and %zu more", census->n_without - NAMED);
    text_puts(&text, census->n_without > 1 ? " have none" : " has none");
    const char *warning = text_keep(&text, b->arena);
    b->no_memory = b->no_memory || !warning || !text_ok(&census->without);
    return warning;
}

static double convert(Builder *b, const Unit *unit, double value, const char *pointer)
{
    const double converted = unit_to_si(unit, value);

    /* non-finite values were reported */
    if (isfinite(value) && unit_misfit(value, converted))
        diagnostics_add(b->diag, pointer, -1, NULL, "%s", unit_misfit(value, converted));
    return converted;
}

static void convert_document(Builder *b, const Unit *state, const Unit *parameters,
                             const Unit *chart)
{
    const ModelDocument *d = b->document;

    for (size_t i = 0; i < d->n_coordinates; i++)
        b->periods[i] = convert(b, &state[i], b->periods[i], d->coordinates[i].pointer);
    for (size_t i = 0; i < d->n_parameters; i++)
        b->values[i] = convert(b, &parameters[i], b->values[i], d->parameters[i].pointer);
    for (size_t i = 0; i < b->model->given.chart.n; i++)
        b->chart_periods[i] =
            convert(b, &chart[i], b->chart_periods[i], d->chart.coordinates[i].pointer);
}

void build_units(Builder *b)
{
    const ModelDocument *d = b->document;
    Model *m = b->model;
    Census census = {.without = TEXT_INIT};
    const size_t before = b->diag->total;
    Unit *state = builder_alloc(b, 2 * m->n, sizeof *state);
    Unit *parameters = builder_alloc(b, m->n_params, sizeof *parameters);
    Unit *chart = builder_alloc(b, 2 * m->given.chart.n, sizeof *chart);

    m->units.constraints = builder_alloc(b, m->r, sizeof *m->units.constraints);
    m->units.definitions = builder_alloc(b, d->n_definitions, sizeof *m->units.definitions);
    m->units.symmetries = builder_alloc(b, d->n_symmetries, sizeof *m->units.symmetries);
    m->units.frame = builder_alloc(b, d->n_frame, sizeof *m->units.frame);
    if (b->no_memory || b->without_units)
        return;
    /* read the units, and count the names with and without one */
    for (size_t i = 0; i < m->n; i++)
        read_unit(b, &census, d->coordinates[i].name, &d->coordinates[i].unit, &state[i]);
    for (size_t i = 0; i < m->n_params; i++)
        read_unit(b, &census, d->parameters[i].name,
                  d->parameter_units ? &d->parameter_units[i] : NULL, &parameters[i]);
    read_chart(b, &census, chart);
    /* warn if only some names have a unit; then no units are used */
    if (census.n_without && census.n_with)
        m->units.warning = partly(b, &census);
    text_done(&census.without);
    if (census.n_without || b->diag->total > before)
        return;
    /* derive the units of velocities and convert the numbers to SI units */
    second_half(state, m->n);
    second_half(chart, m->given.chart.n);
    convert_document(b, state, parameters, chart);
    m->units.known = true;
    m->units.state = state;
    m->units.parameters = parameters;
    m->units.chart = chart;
}
