/* Dimensions derived from those of a model's names, and the check of an expression's dimension. */
#include "core/model/dimensions.h"

#include <string.h>

void units_check(Diagnostics *diag, const NamedText *text, const Dimension *found,
                 const Dimension *due, const char *what, const char *why)
{
    static const char WRITTEN_OUT[] =
        "a number written out has no unit: make it a parameter, {\"value\": .., \"unit\": ..}";

    if (dimension_agrees(found, due))
        return;
    Text is = TEXT_INIT, needs = TEXT_INIT;
    dimension_print(found, &is);
    dimension_print(due, &needs);
    diagnostics_add(diag, text->pointer, 0, dimension_is_number(found) ? WRITTEN_OUT : NULL,
                    "%s \"%.80s\" is in %s, but has to be in %s, %s", what,
                    text->name ? text->name : "", text_string(&is), text_string(&needs), why);
    text_done(&is);
    text_done(&needs);
}

double units_shown(const Model *m, size_t k, double value)
{
    return m->units.known ? unit_shown(&m->units.state[k], value) : value;
}

double units_to_si(const Model *m, size_t k, double value)
{
    return m->units.known ? unit_to_si(&m->units.state[k], value) : value;
}

const Unit *units_of_path(const Model *m, const char *path)
{
    const ModelUnits *units = &m->units;
    if (!units->known)
        return NULL;
    const struct {
        const char *prefix;
        const char *const *names;
        const Unit *units;
        size_t n;
    } OF[] = {
        {"parameters.", m->names.params, units->parameters, m->n_params},
        {"initial.q.", m->names.coordinates, units->state, m->n},
        {"initial.v.", m->names.coordinates, units->state + m->n, m->n},
        {"initial.chart.q.", (const char *const *)m->given.chart.names, units->chart,
         m->given.chart.n},
        {"initial.chart.v.", (const char *const *)m->given.chart.names,
         units->chart + m->given.chart.n, m->given.chart.n},
    };

    /* the rest of a path behind its prefix is a name */
    for (size_t k = 0; k < sizeof OF / sizeof *OF; k++) {
        const size_t length = strlen(OF[k].prefix);
        for (size_t i = 0; strncmp(path, OF[k].prefix, length) == 0 && i < OF[k].n; i++)
            if (strcmp(OF[k].names[i], path + length) == 0)
                return &OF[k].units[i];
    }
    return NULL;
}

const double *units_show(const Unit *units, const double *values, size_t n, Arena *arena)
{
    double *shown = units ? arena_doubles(arena, n) : NULL;

    for (size_t i = 0; shown && i < n; i++)
        shown[i] = unit_shown(&units[i], values[i]);
    return units ? shown : values;
}

Dimension units_product(Dimension a, Dimension b, int n)
{
    if (!dimension_multiply(&a, &b, exponent_whole(n)))
        a = (Dimension){0};
    return a;
}

Dimension units_force(const Model *m, size_t i)
{
    if (!m->units.known)
        return (Dimension){0};
    return units_product(m->units.lagrangian, m->units.state[i].dimension, -1);
}

Dimension units_momentum(const Model *m, size_t i)
{
    return units_product(units_force(m, i), dimension_base(BASE_S), 1);
}

/* The constraint phi in velocities has A = d phi/dv, of the dimension phi s / q. */
Dimension units_multiplier(const Model *m, size_t a, bool kept)
{
    const Dimension second = dimension_base(BASE_S);
    Dimension phi = m->units.constraints[a];

    if (m->constraints[a].kind == CONSTRAINT_HOLONOMIC)
        phi = units_product(phi, second, -1);
    const Dimension mu = units_product(m->units.lagrangian, phi, -1);
    return kept ? mu : units_product(mu, second, -1);
}

/* Whether the column is "p(NAME)" for this name, with "p(" as `before`. */
static bool is_inside(const char *column, const char *before, const char *name)
{
    const size_t start = strlen(before), length = strlen(name);

    return strncmp(column, before, start) == 0 && strncmp(column + start, name, length) == 0 &&
           strcmp(column + start + length, ")") == 0;
}

Dimension units_own_column(const Model *m, const char *column, const Unit **ret_unit)
{
    const ModelUnits *units = &m->units;
    const Dimension per_second = units_product(dimension_number(), dimension_base(BASE_S), -1);

    *ret_unit = NULL;
    for (size_t i = 0; i < m->given.chart.n; i++) {
        const bool velocity = is_inside(column, "dot(", m->given.chart.names[i]);
        if (!velocity && strcmp(column, m->given.chart.names[i]) != 0)
            continue;
        *ret_unit = &units->chart[velocity ? m->given.chart.n + i : i];
        return (*ret_unit)->dimension;
    }
    for (size_t i = 0; i < m->n; i++) {
        if (is_inside(column, "p(", m->names.coordinates[i]))
            return units_momentum(m, i);
        if (m->given.n_frame == 0 && is_inside(column, "w(", m->names.coordinates[i]))
            return units->state[m->n + i].dimension; /* its velocity, in the SI */
    }
    for (size_t k = 0; k < m->given.n_frame; k++)
        if (is_inside(column, "w(", m->given.frame[k].name))
            return units_product(per_second, units->frame[k], -1);
    return strcmp(column, "t'") == 0 ? dimension_base(BASE_S) : (Dimension){0};
}
